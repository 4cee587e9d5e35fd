//===- RandomMappingTest.cpp - random mappings of the examples --*- C++ -*-===//
//
// Random mappings are only worth their time if the compiler takes many of them, and if those it
// takes use everything that a mapping can say. Both are measured over all examples and machines.
//
//===----------------------------------------------------------------------===//
#include "Verify/RandomMapping.h"

#include "Driver/MappedLogic.h"
#include "Machine/ReadMachine.h"
#include "Mapping/ReadMapping.h"
#include "Verify/LogicUnderTest.h"
#include "test/unit/Support/TestFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

#include <fstream>
#include <map>

namespace septran::compiler {
namespace {

/// Whether `Check` ran, with the logic of an example.
template <class F> bool withLogic(const std::string &Example, F Check) {
  const std::string Root = SEPTRAN_SOURCE_DIR;
  clang::tooling::FixedCompilationDatabase Flags(
      Root, {"-std=c++20", "-I" + Root + "/runtime/include", "-I" + Root + "/examples"});
  bool Ran = false;
  runFrontend(Flags, Root + "/examples/" + Example + "/" + Example + ".cpp",
              [&](FrontendResult &Result) {
                Ran = Result.Graph.has_value();
                if (Ran)
                  Check(LogicUnderTest(Result, {}));
              });
  return Ran;
}

std::shared_ptr<const Machine> machine(const std::string &Name) {
  Diagnostics D;
  std::optional<Machine> M = readMachine(Name, shippedMachineFolders(), D);
  return M ? std::make_shared<const Machine>(*M) : nullptr;
}

std::string draw(const LogicUnderTest &Logic, const Machine &M, const std::string &Entry,
                 unsigned Seed) {
  Random R(Seed);
  return randomMapping(Logic.graph(), M, Entry, R);
}

using Histogram = std::map<std::string, unsigned>;

void countExtent(const Extent &E, Histogram &Uses) {
  ++Uses[E.Full            ? "tile full"
         : E.Value == 1    ? "tile 1"
         : E.Value >= 1000 ? "tile 1000 and more"
                           : "tile"];
}

void countKeys(const InstanceMapping &I, Histogram &Uses) {
  if (I.Binding)
    ++Uses["binding"];
  if (!I.LeafTaskBindings.empty())
    ++Uses["leaf_task_bindings"];
  Uses["task_name"] += I.TaskName.Value != I.Name.Value;
  for (const auto &M : I.Mems)
    ++Uses["mems " + M.Value.Value];
  for (const auto &T : I.Tunables)
    countExtent(T.Value.Value, Uses);
  for (const CallMapping &C : I.Calls)
    ++Uses[C.Key.Value.Site ? "calls by site" : "calls"];
  for (const auto &L : I.Layouts) {
    const std::string Text = toString(L.Value.Value);
    ++Uses["layout " + Text.substr(0, Text.find('('))];
  }
  if (I.Proc)
    ++Uses["proc " + I.Proc->Value];
  if (I.Order) {
    const std::string Text = toString(I.Order->Value);
    ++Uses["order " + Text.substr(0, Text.find('('))];
  }
  if (const auto &P = I.Parallelize) {
    Uses["parallelize false"] += !P->Value.Enabled;
    if (P->Value.Kind)
      ++Uses["schedule " + toString(P->Value.Kind->Value)];
    Uses["chunk"] += P->Value.Chunk.has_value();
    Uses["threads"] += P->Value.Threads.has_value();
    Uses["collapse"] += P->Value.Collapse.has_value();
  }
  if (const auto &V = I.Vectorize) {
    Uses["vectorize false"] += !V->Value.Enabled;
    Uses["vectorize loop"] += V->Value.Loop.has_value();
    Uses["vectorize width"] += V->Value.Width.has_value();
  }
  Uses["pipeline"] += I.Pipeline.has_value();
  Uses["prefetch"] += !I.Prefetch.empty();
  Uses["resident"] += !I.Resident.empty();
  Uses["unroll"] += I.Unroll.has_value();
  Uses["constraints"] += !I.Constraints.empty();
}

/// Whether the compiler takes the mapping; counts what it uses.
bool countAccepted(const LogicUnderTest &Logic, const std::string &Text,
                   const std::shared_ptr<const Machine> &M, Histogram &Uses) {
  Diagnostics D;
  if (!Logic.map(Text, M, D))
    return false;
  const std::optional<Mapping> Map = readMappingText(Text, "mapping.yaml", D);
  for (const InstanceMapping &I : Map->Instances)
    countKeys(I, Uses);
  return true;
}

TEST(RandomMappingTest, ManyAreAcceptedAndUseEveryKey) {
  unsigned Drawn = 0, Accepted = 0;
  Histogram Uses;
  for (const char *Example :
       {"attention", "conv2d", "digits", "dot", "matmul", "saxpy", "softmax", "stencil"}) {
    EXPECT_TRUE(withLogic(Example, [&](const LogicUnderTest &Logic) {
      for (const char *Name : {"cpu/generic", "cpu/x86-avx2", "cpu/x86-avx512-bf16"}) {
        std::shared_ptr<const Machine> M = machine(Name);
        ASSERT_TRUE(M) << Name;
        unsigned Here = 0;
        for (const auto &F : Logic.graph().Functions)
          for (unsigned Seed = 0; F->IsEntryCandidate && Seed < 8; ++Seed) {
            ++Drawn;
            Here += countAccepted(Logic, draw(Logic, *M, F->Name, Seed), M, Uses);
          }
        EXPECT_GT(Here, 0u) << Example << " on " << Name;
        Accepted += Here;
      }
    })) << Example;
  }
  std::string Table;
  for (const auto &[Use, Count] : Uses)
    Table += Use + ": " + std::to_string(Count) + "\n";
  RecordProperty("accepted", std::to_string(Accepted) + " of " + std::to_string(Drawn));
  RecordProperty("uses", Table);
  EXPECT_GE(Accepted * 100, Drawn * 30) << Accepted << " of " << Drawn;
  for (const auto &[Use, Count] : Uses)
    EXPECT_GT(Count, 0u) << Use << "\n" << Table;
  for (const char *Use :
       {"calls",           "calls by site", "chunk",        "layout column",      "layout packed",
        "layout pad",      "layout panels", "layout row",   "mems CACHE",         "mems GLOBAL",
        "mems NONE",       "mems REGISTER", "order column", "order grouped",      "order row",
        "proc CORE",       "proc HOST",     "proc VECTOR",  "schedule dynamic",   "schedule guided",
        "schedule static", "tile",          "tile 1",       "tile 1000 and more", "tile full"})
    EXPECT_GT(Uses[Use], 0u) << Use << "\n" << Table;
  std::printf("%u of %u\n%s", Accepted, Drawn, Table.c_str());
}

/// Levels, memories, copies and primitives are chosen from what the machine file says of them.
TEST(RandomMappingTest, FitsMachinesThatAreNoCpus) {
  for (const char *Name : {"nvidia/simt", "nvidia/sm80", "npu/reference", "npu/vendor"}) {
    std::shared_ptr<const Machine> M = machine(Name);
    ASSERT_TRUE(M) << Name;
    unsigned Drawn = 0, Accepted = 0;
    Histogram Uses;
    for (const char *Example : {"dot", "matmul", "saxpy", "softmax"})
      EXPECT_TRUE(withLogic(Example, [&](const LogicUnderTest &Logic) {
        for (const auto &F : Logic.graph().Functions)
          for (unsigned Seed = 0; F->IsEntryCandidate && Seed < 10; ++Seed) {
            ++Drawn;
            Accepted += countAccepted(Logic, draw(Logic, *M, F->Name, Seed), M, Uses);
          }
      })) << Example;
    RecordProperty(Name, std::to_string(Accepted) + " of " + std::to_string(Drawn));
    std::printf("%s: %u of %u\n", Name, Accepted, Drawn);
    EXPECT_GE(Accepted * 3, Drawn) << Name;
    const std::string Inner = M->Processors.back().Name.Value;
    EXPECT_GT(Uses["proc " + Inner], 0u) << Name;
  }
}

/// A primitive with the leaf's element types is tried for it, in both ways that a mapping has.
TEST(RandomMappingTest, BindsLeavesToPrimitives) {
  const TestFolder Folder;
  const std::string File = (Folder.Path / "vendor.yaml").string();
  std::ofstream(File) << "extends: " SEPTRAN_SOURCE_DIR
                                           R"(/mappings/machines/cpu/generic.yaml
machine: {name: vendor}
primitives:
  vendor_saxpy:
    processor: CORE
    sizes: {N: {min: 1, max: 2147483647}}
    operands:
      y: {dtype: float, shape: [N]}
      a: {dtype: const float}
      x: {dtype: const float, shape: [N]}
    semantics: |
      for (int i = 0; i < N; ++i)
        y(i) += a * x(i);
    emit: "vendor_saxpy({N}, {a}, {x}, {x.stride0}, {y}, {y.stride0});"
)";
  const std::shared_ptr<const Machine> M = machine(File);
  ASSERT_TRUE(M);
  Histogram Uses;
  EXPECT_TRUE(withLogic("saxpy", [&](const LogicUnderTest &Logic) {
    for (unsigned Seed = 0; Seed < 100; ++Seed)
      countAccepted(Logic, draw(Logic, *M, "saxpy", Seed), M, Uses);
  }));
  EXPECT_GT(Uses["binding"], 0u);
  EXPECT_GT(Uses["leaf_task_bindings"], 0u);
}

/// A seed that somebody wrote down must not come to mean another mapping unnoticed.
TEST(RandomMappingTest, SeedDecidesText) {
  const std::shared_ptr<const Machine> M = machine("cpu/generic");
  ASSERT_TRUE(M);
  EXPECT_TRUE(withLogic("saxpy", [&](const LogicUnderTest &Logic) {
    const std::string Text = draw(Logic, *M, "saxpy", 7);
    EXPECT_EQ(draw(Logic, *M, "saxpy", 7), Text);
    EXPECT_NE(draw(Logic, *M, "saxpy", 8), Text);
    EXPECT_EQ(Text, R"yaml(machine: cpu/generic
entrypoint: saxpy_1
task_mappings:
  saxpy_1:
    task_name: saxpy
    proc: HOST
    mems: {x: CACHE}
    tunables: {tile: full}
    calls: {saxpy_leaf: saxpy_leaf_1}
    order: column
  saxpy_leaf_1:
    task_name: saxpy_leaf
    proc: VECTOR
    mems: {"y": NONE}
    accumulators: 5
    stores: {"y": streaming}
)yaml");
  }));
}

} // namespace
} // namespace septran::compiler
