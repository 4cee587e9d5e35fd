//===- PipelineTest.cpp - prefetches --------------------------------------===//
#include "TaskGraphs.h"

namespace septran::compiler {
namespace {

std::string steps(const std::string &Settings) {
  return R"(
entrypoint: matmul
task_mappings:
  matmul: {proc: HOST, calls: {matmul_tile: tile}}
  tile: {task_name: matmul_tile, proc: CORE, calls: {gemm_blocked: steps}}
  steps: {task_name: gemm_blocked, tunables: {tile_m: full, tile_n: full, tile_k: 32}, )" +
         Settings + "}\n";
}

TEST(Pipeline, PrefetchesStreamedBlocks) {
  Planned P(matmulGraph(), steps("mems: {A: CACHE, B: CACHE}, pipeline: 3"), "pipeline");
  ASSERT_TRUE(P.P) << P.messages();
  const std::string &Text = P.after("pipeline");
  EXPECT_EQ(countIn(Text, "block k of 32] prefetch 2"), 1u) << Text;
  EXPECT_EQ(countIn(Text, "block k of 32, all] prefetch 2"), 1u) << Text;
  EXPECT_EQ(P.log("prefetch"),
            (std::vector<std::string>{
                "argument 'A' of steps is fetched 2 iterations of loop 'k' ahead",
                "argument 'B' of steps is fetched 2 iterations of loop 'k' ahead"}));
}

TEST(Pipeline, PrefetchOfOneArgument) {
  Planned P(matmulGraph(), steps("mems: {A: CACHE, B: CACHE}, prefetch: {B: 1}"), "pipeline");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(
      P.log("prefetch"),
      std::vector<std::string>{"argument 'B' of steps is fetched 1 iteration of loop 'k' ahead"});
}

TEST(Pipeline, SaysWhyNothingIsPrefetched) {
  Planned P(matmulGraph(), steps("mems: {A: CACHE}, prefetch: {B: 1}"), "pipeline");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(countIn(P.after("pipeline"), "prefetch"), 0u);
  EXPECT_EQ(P.log("no prefetch"),
            std::vector<std::string>{
                "argument 'B' of steps: no loop of it copies another block in every iteration"});
}

TEST(Pipeline, BlocksThatStayAreNotPrefetched) {
  // C does not move with k; its copies left the loop.
  Planned P(matmulGraph(), steps("mems: {C: CACHE}, pipeline: 2"), "pipeline");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(P.log("prefetch"), std::vector<std::string>());
}

TEST(Pipeline, AsynchronousCopiesAreLeftAlone) {
  auto M = avx512();
  Copy C;
  C.Name = {"dma", {}};
  C.From = {"GLOBAL", {}};
  C.To = {"CACHE", {}};
  C.Async = {true, {}};
  M->Copies.push_back(C);
  Planned P(matmulGraph(), steps("mems: {A: CACHE}, pipeline: 3"), "pipeline", M);
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(countIn(P.after("pipeline"), "prefetch"), 0u);
}

} // namespace
} // namespace septran::compiler
