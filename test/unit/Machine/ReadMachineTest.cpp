#include "Machine/ReadMachine.h"
#include "test/unit/Support/BadFiles.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

const std::vector<std::string> SearchDirs = {SEPTRAN_SOURCE_DIR "/mappings/machines"};

Machine read(const std::string &Name) {
  Diagnostics D;
  auto M = readMachine(Name, SearchDirs, D);
  EXPECT_TRUE(M) << renderText(D);
  return M ? *M : Machine();
}

class ShippedMachine : public testing::TestWithParam<std::string> {};

TEST_P(ShippedMachine, IsCompleteAndNamedLikeItsFile) {
  Machine M = read(GetParam());
  EXPECT_EQ(M.Name.Value, GetParam());
  EXPECT_FALSE(M.Provenance.Sources.empty());
  EXPECT_FALSE(M.Toolchain.Compile.empty());
  EXPECT_EQ(M.Processors.front().Name.Value, "HOST");
  ASSERT_TRUE(M.findMemory("GLOBAL"));
  EXPECT_TRUE(M.findMemory("GLOBAL")->readableBy("HOST"));
  // A register file holds what its registers hold. Accelerators with scratchpads have none.
  const Memory *Registers = M.findMemory("REGISTER");
  ASSERT_EQ(Registers == nullptr, GetParam().starts_with("npu/"));
  if (Registers) {
    EXPECT_EQ(Registers->Capacity->Value,
              Registers->Registers->Value.Count * Registers->Registers->Value.Bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedMachine, testing::ValuesIn(availableMachines(SearchDirs)),
                         [](const testing::TestParamInfo<std::string> &Info) {
                           return testName(Info.param);
                         });

TEST(ReadMachine, CpuLevelsAndMemories) {
  Machine M = read("cpu/x86-avx512");
  EXPECT_EQ(M.processorNames(), (std::vector<std::string>{"HOST", "CORE", "VECTOR"}));
  EXPECT_EQ(M.memoryNames(), (std::vector<std::string>{"GLOBAL", "CACHE", "REGISTER"}));
  EXPECT_EQ(M.depthOf("VECTOR"), 2u);
  EXPECT_EQ(M.depthOf("WARP"), std::nullopt);
  EXPECT_FALSE(M.findProcessor("CORE")->Count) << "known at run time";
  EXPECT_EQ(M.findProcessor("CORE")->LoopSpread.Value, Processor::Spread::Team);
  EXPECT_FALSE(M.findMemory("GLOBAL")->Capacity) << "unlimited";
  EXPECT_EQ(M.findMemory("CACHE")->Alignment.Value, 64);
  EXPECT_EQ(M.findMemory("CACHE")->Owner.Value, "CORE");
  EXPECT_FALSE(M.findMemory("REGISTER")->readableBy("HOST"));
  EXPECT_EQ(*M.Limits.find("simd_bytes"), 64);
  EXPECT_EQ(*M.Limits.find("vector_registers"), 32);
}

TEST(ReadMachine, CpusDifferInParameters) {
  EXPECT_EQ(read("cpu/x86-avx2").findMemory("REGISTER")->Capacity->Value, 512);
  EXPECT_EQ(*read("cpu/x86-avx2").Limits.find("simd_bytes"), 32);
  EXPECT_EQ(read("cpu/generic").findMemory("REGISTER")->Capacity->Value, 256);
  EXPECT_EQ(*read("cpu/generic").Limits.find("vector_registers"), 16);
}

TEST(ReadMachine, PrimitivesStateTheirMeaning) {
  Machine M = read("cpu/x86-avx512-vnni");
  const Primitive *Dot = M.findPrimitive("dot4_u8s8");
  ASSERT_TRUE(Dot);
  EXPECT_EQ(Dot->Processor.Value, "VECTOR");
  EXPECT_EQ(Dot->findOperand("B")->Shape[1].Value.Value, 16);
  EXPECT_EQ(Dot->findOperand("B")->DType.Value, "const int8_t");
  EXPECT_EQ(Dot->PartialRule.Value, Primitive::Partial::Pad);
  EXPECT_EQ(Dot->Semantics.Value.substr(0, 27), "for (int j = 0; j < 16; ++j");
  // The place is that of the text itself, so that a message can point into it.
  std::string File = readWholeFile(Dot->Semantics.Loc.File);
  std::istringstream Lines(File);
  std::string Line;
  for (unsigned I = 0; I < Dot->Semantics.Loc.Line; ++I)
    std::getline(Lines, Line);
  EXPECT_EQ(Line.substr(Dot->Semantics.Loc.Column - 1, 9), "for (int ");
  EXPECT_TRUE(M.findPrimitive("dot2_s16")) << "from the machine it extends";
}

TEST(ReadMachine, EveryPartOfAnAccelerator) {
  Machine M = read(SEPTRAN_SOURCE_DIR "/test/Machine/Inputs/good/every-key.yaml");
  EXPECT_EQ(M.Language.Value, OutputLanguage::C);
  EXPECT_EQ(M.findMemory("SCRATCH")->Banks->Value.Count, 16);
  EXPECT_EQ(M.findMemory("SCRATCH")->InitialState.Value, Memory::Initial::Zero);
  ASSERT_EQ(M.Copies.size(), 1u);
  EXPECT_EQ(*M.Copies[0].MaxShape.find("d0"), 16) << "a parameter";
  EXPECT_TRUE(M.Copies[0].Async.Value);
  const Primitive &Mma = *M.findPrimitive("mma");
  EXPECT_EQ(Mma.findOperand("C")->Shape[0].Value.Value, 16);
  EXPECT_EQ(Mma.findOperand("C")->Shape[1].Value.Symbol, "N");
  EXPECT_EQ(Mma.Sizes.find("N")->Step, 8);
  EXPECT_EQ(Mma.Requires[0].Value, "mode");
  EXPECT_EQ(M.States.size(), 2u);
  EXPECT_EQ(M.Syncs[1].K.Value, Sync::Kind::Fence);
  EXPECT_DOUBLE_EQ(*M.Tolerances.find("float"), 1.5e-6);
  EXPECT_EQ(M.Toolchain.Prologue.Value, "enum { TILE = 16 };\n");
}

TEST(ReadMachine, SuggestsMachines) {
  Diagnostics D;
  Location Use = Location::span("map.yaml", 1, 10, 12);
  EXPECT_FALSE(readMachine("cpu/x86-avx3", SearchDirs, D, Use));
  EXPECT_EQ(renderText(D), "map.yaml:1:10: error: there is no machine 'cpu/x86-avx3'; expected a "
                           "path or one of 'amd/rdna2', 'cpu/generic', 'cpu/sapphirerapids', 'cpu/x86-amx', 'cpu/x86-avx2', "
                           "'cpu/x86-avx512', 'cpu/x86-avx512-bf16', 'cpu/x86-avx512-vnni', "
                           "'cpu/zen4', 'cpu/zen5', 'npu/reference', 'npu/vendor', 'nvidia/hopper', 'nvidia/simt' or 'nvidia/sm80'; did you mean "
                           "'cpu/x86-avx2'? [septran-unknown-machine]\n");
  ASSERT_TRUE(D.begin()->Fix);
  EXPECT_EQ(D.begin()->Fix->Text, "cpu/x86-avx2");
}

TEST(ReadMachine, FindsPathsBesideTheMapping) {
  Diagnostics D;
  Location Use = Location::span(SEPTRAN_SOURCE_DIR "/test/Machine/Inputs/map.yaml", 1, 1, 1);
  std::vector<std::string> Files;
  EXPECT_TRUE(readMachine("good/every-key.yaml", {}, D, Use, &Files)) << renderText(D);
  EXPECT_EQ(Files, std::vector<std::string>{SEPTRAN_SOURCE_DIR
                                            "/test/Machine/Inputs/good/every-key.yaml"});
  EXPECT_FALSE(readMachine("nowhere.yaml", {}, D, Use));
}

TEST(ReadMachine, ListsFilesOfAllLevels) {
  Diagnostics D;
  std::vector<std::string> Files;
  EXPECT_TRUE(readMachine("cpu/x86-avx512-vnni", SearchDirs, D, {}, &Files));
  ASSERT_EQ(Files.size(), 3u);
  EXPECT_EQ(Files[2], SEPTRAN_SOURCE_DIR "/mappings/machines/cpu/common.yaml");
}

TEST(ReadMachine, BasesAreNoMachines) {
  for (const std::string &Name : availableMachines(SearchDirs))
    EXPECT_NE(Name, "cpu/common");
}

} // namespace
