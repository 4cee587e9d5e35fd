//===- AllocateTest.cpp - sizes against capacities ------------------------===//
#include "TaskGraphs.h"

#include "Plan/Explain.h"
#include "Plan/MemoryUse.h"
#include "Plan/ScalarValues.h"

namespace septran::compiler {
namespace {

std::string host(const std::string &Settings) {
  return "entrypoint: matmul\ntask_mappings:\n  matmul: {proc: HOST, calls: {matmul_tile: tile}}\n"
         "  tile: {task_name: matmul_tile, proc: CORE, " +
         Settings + "}\n";
}

/// The machine with a CACHE of so many bytes.
std::shared_ptr<Machine> withCache(std::int64_t Bytes) {
  auto M = avx512();
  for (Memory &Mem : M->Memories)
    if (Mem.Name.Value == "CACHE")
      Mem.Capacity = Located<std::int64_t>(Bytes, Mem.Name.Loc);
  return M;
}

const MemoryUse *find(const std::vector<MemoryUse> &Uses, const std::string &Name) {
  for (const MemoryUse &U : Uses)
    if (U.In->Name.Value == Name)
      return &U;
  return nullptr;
}

TEST(PlannedBound, IgnoresWhatOnlyATypeBounds) {
  VarRef N = makeVar("n", ScalarType::I32, VarKind::Parameter);
  EXPECT_EQ(plannedBound(varExpr(N)), std::nullopt);
  EXPECT_EQ(plannedBound(cast(ScalarType::I32, varExpr(N))), std::nullopt);
  EXPECT_EQ(plannedBound(minExpr(varExpr(N), intLit(8, ScalarType::I32))), 8);
  VarRef I = makeVar("i", ScalarType::I64, VarKind::Loop);
  EXPECT_EQ(plannedBound(varExpr(I) + intLit(1), {{I, {intLit(0), intLit(4)}}}), 4);
}

TEST(MemoryUse, SumsWhatLivesAtOnce) {
  Planned P(matmulGraph(), host("mems: {acc: CACHE}"));
  ASSERT_TRUE(P.P) << P.messages();
  std::vector<MemoryUse> Uses = memoryUse(*P.P);
  const MemoryUse *Cache = find(Uses, "CACHE");
  ASSERT_NE(Cache, nullptr);
  ASSERT_EQ(Cache->Buffers.size(), 1u);
  EXPECT_EQ(Cache->Buffers[0].Bounds, (std::vector<std::int64_t>{128, 128}));
  EXPECT_EQ(Cache->Needed, 128 * 128 * 4);
  EXPECT_EQ(Cache->Buffers[0].Owner->Name, "tile");
}

TEST(MemoryUse, BlocksThatFollowEachOtherShareTheirSpace) {
  // Buffers of 16 and 8 elements in one block, then of 32 and again 32 in blocks inside.
  auto M = avx512();
  auto Buffer = [](std::int64_t N) {
    TensorRef T = makeTensor("b", ScalarType::F32, 1, TensorKind::Buffer);
    T->Memory = "CACHE";
    return Stmt{Alloc{T, {intLit(N)}, "CACHE", nullptr, -1, "", {}}, {}};
  };
  Program P;
  P.Target = M;
  Stmt Either{If{boolLit(true), {Buffer(32)}, {Buffer(48)}}, {}};
  P.Body = {Buffer(16), Either, Buffer(8)};
  std::vector<MemoryUse> Uses = memoryUse(P);
  ASSERT_EQ(Uses.size(), 1u);
  EXPECT_EQ(Uses[0].Needed, (16 + 48) * 4);
  EXPECT_EQ(Uses[0].Worst, (std::vector<size_t>{0, 2}));
}

TEST(MemoryUse, RegistersAreVectorsOfLanes) {
  auto M = avx512();
  TensorRef T = makeTensor("t", ScalarType::F32, 2, TensorKind::Buffer);
  T->Memory = "REGISTER";
  BufferLayout L;
  L.Modes = {{0}, {1, LayoutMode::Part::Quotient, 16}, {1, LayoutMode::Part::Remainder, 16}};
  Program P;
  P.Target = M;
  P.Body = {
      {Alloc{T, {intLit(6), intLit(50)}, "REGISTER", std::make_shared<BufferLayout>(L), -1, "", {}},
       {}}};
  EXPECT_EQ(memoryUse(P)[0].Needed, 6 * 4);
  // Two vectors per sixteen doubles.
  T->Element = ScalarType::F64;
  EXPECT_EQ(memoryUse(P)[0].Needed, 6 * 4 * 2);
  // Without lanes every element takes a register.
  P.Body[0].getIf<Alloc>()->Layout = std::make_shared<BufferLayout>(rowLayout(2));
  EXPECT_EQ(memoryUse(P)[0].Needed, 6 * 50);
}

TEST(MemoryUse, SizesKnownAtRunTimeAreLeftOut) {
  Planned P(matmulGraph(), host("mems: {A: CACHE, acc: GLOBAL}, resident: [A]"));
  ASSERT_TRUE(P.P) << P.messages();
  const std::vector<MemoryUse> Uses = memoryUse(*P.P);
  const MemoryUse *Cache = find(Uses, "CACHE");
  ASSERT_NE(Cache, nullptr);
  EXPECT_EQ(Cache->Needed, 0);
  EXPECT_EQ(Cache->Buffers[0].Amount, std::nullopt);
}

TEST(MemoryUse, BuffersAroundASpreadLoopBelongToAllProcessors) {
  // A is whole on HOST, the accumulator is one of every CORE.
  const std::string Text =
      "entrypoint: matmul\ntask_mappings:\n  matmul: {proc: HOST, calls: {matmul_tile: tile}, "
      "mems: {A: CACHE}, resident: [A]}\n"
      "  tile: {task_name: matmul_tile, proc: CORE, mems: {acc: CACHE}}\n";
  Planned P(matmulGraph(), Text);
  ASSERT_TRUE(P.P) << P.messages();
  auto CacheUses = [](const Program &Of) {
    std::vector<MemoryUse> Uses = memoryUse(Of);
    std::erase_if(Uses, [](const MemoryUse &U) { return U.In->Name.Value != "CACHE"; });
    return Uses;
  };
  std::vector<MemoryUse> Uses = CacheUses(*P.P);
  ASSERT_EQ(Uses.size(), 2u);
  EXPECT_TRUE(Uses[0].Shared);
  EXPECT_EQ(Uses[0].Buffers[0].T->Name, "A");
  EXPECT_EQ(Uses[0].available(), std::nullopt); // nobody knows how many COREs there will be
  EXPECT_FALSE(Uses[1].Shared);
  EXPECT_EQ(Uses[1].Needed, 128 * 128 * 4);

  auto Eight = withCache(999424);
  for (Processor &Proc : Eight->Processors)
    if (Proc.Name.Value == "CORE")
      Proc.Count = Located<std::int64_t>(8, Proc.Name.Loc);
  Planned Known(matmulGraph(), Text, "synchronise", Eight);
  ASSERT_TRUE(Known.P) << Known.messages();
  EXPECT_EQ(CacheUses(*Known.P)[0].available(), 8 * 999424);
  EXPECT_EQ(
      countIn(explain(*P.P),
              "buffers in CACHE shared by all of CORE: size known at run time, of 4 MiB in each\n"),
      1u)
      << explain(*P.P);
  EXPECT_EQ(countIn(explain(*Known.P), "of 976 KiB in each of 8\n"), 1u) << explain(*Known.P);
  EXPECT_EQ(countIn(explain(*P.P), "buffers in CACHE: at most 64 KiB at once, of 4 MiB per CORE\n"),
            1u);
}

TEST(MemoryUse, OneProcessorAloneUsesItsOwnMemory) {
  Planned P(
      matmulGraph(),
      "entrypoint: matmul\ntask_mappings:\n  matmul: {proc: HOST, mems: {A: CACHE}, resident: [A], "
      "parallelize: false}\n");
  ASSERT_TRUE(P.P) << P.messages();
  const std::vector<MemoryUse> Uses = memoryUse(*P.P);
  const MemoryUse *Cache = find(Uses, "CACHE");
  ASSERT_NE(Cache, nullptr);
  EXPECT_FALSE(Cache->Shared);
}

TEST(Allocate, ReportsTheSumAndTheSmallestChange) {
  Planned P(matmulGraph(), host("mems: {acc: CACHE}"), "synchronise", withCache(40000));
  EXPECT_FALSE(P.P);
  EXPECT_EQ(P.messages().substr(0, P.messages().find('\n')),
            "map.yaml:5:58: error: CACHE holds 40000 bytes per CORE, but these buffers need 65536: "
            "'acc' (local 'acc' of tile) 128 x 128 f32 = 65536; tile_m: 64 in 'matmul' fits "
            "[septran-memory-capacity]");
}

TEST(Allocate, SaysNothingOfAChangeThatDoesNotHelp) {
  Planned P(matmulGraph(), host("mems: {acc: CACHE}"), "synchronise", withCache(3));
  EXPECT_FALSE(P.P);
  EXPECT_EQ(countIn(P.messages(), "fits"), 0u) << P.messages();
}

TEST(Allocate, GivesOffsetsToDeclarationsThatAskForThem) {
  auto M = avx512();
  for (Memory &Mem : M->Memories)
    if (Mem.Name.Value == "CACHE")
      Mem.Declare = {"{type} *{name} = base + {offset};", {}};
  Planned P(matmulGraph(), host("mems: {acc: CACHE, C: CACHE}"), "allocate", M);
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(countIn(P.after("allocate"), " offset 0\n"), 1u) << P.after("allocate");
  EXPECT_EQ(countIn(P.after("allocate"), " offset 65536\n"), 1u);
}

} // namespace
} // namespace septran::compiler
