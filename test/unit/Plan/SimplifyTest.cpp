//===- SimplifyTest.cpp - the rules of mapping.md -------------------------===//
#include "TaskGraphs.h"

namespace septran::compiler {
namespace {

/// matmul with the k-blocked variant below the tile, and some settings for it.
std::string blocked(const std::string &Settings, const std::string &Leaf = "") {
  return R"(
entrypoint: host
task_mappings:
  host: {task_name: matmul, proc: HOST, calls: {matmul_tile: tile}}
  tile: {task_name: matmul_tile, proc: HOST, calls: {gemm_blocked: steps}}
  steps: {task_name: gemm_blocked, proc: HOST, calls: {gemm_leaf: leaf}, )" +
         Settings + "}\n  leaf: {task_name: gemm_leaf, proc: HOST" + Leaf + "}\n";
}

TEST(Streaming, MaterialisesBlocksAtTheirLaunch) {
  Planned P(matmulGraph(),
            blocked("tunables: {tile_m: full, tile_n: full, tile_k: 64}, mems: {B: CACHE}"),
            "simplify");
  ASSERT_TRUE(P.P) << P.messages();
  const std::string &Text = P.after("simplify");
  EXPECT_EQ(countIn(Text, "alloc B_2 : CACHE f32[min(B_1.extent(0) - k * 64, 64), B_1.extent(1)]\n"
                          "            copy B_2 <- B_1[block k of 64, all]\n"),
            1u)
      << Text;
  EXPECT_EQ(P.log("streaming"),
            std::vector<std::string>{"argument 'B' of steps is materialised block by block"});
}

TEST(Streaming, ResidentArgumentsStayWhole) {
  Planned P(
      matmulGraph(),
      blocked(
          "tunables: {tile_m: full, tile_n: full, tile_k: 64}, mems: {B: CACHE}, resident: [B]"),
      "simplify");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(countIn(P.after("simplify"), "copy B_2 <- B_1\n"), 1u) << P.after("simplify");
  EXPECT_TRUE(P.log("streaming").empty());
}

TEST(Streaming, AnArgumentInTwoMemoriesPassesThroughOneBlockBuffer) {
  // The leaf's buffer must keep a single source and target, or its results are lost on the way.
  Planned P(matmulGraph(),
            blocked("tunables: {tile_m: 8, tile_n: 8, tile_k: 8}, mems: {C: CACHE}",
                    ", mems: {C: GLOBAL}"),
            "simplify");
  ASSERT_TRUE(P.P) << P.messages();
  const std::string &Text = P.after("simplify");
  EXPECT_EQ(countIn(Text, "alloc C_block"), 1u) << Text;
}

TEST(Hoisting, AnAccumulatorStaysInItsBufferDuringTheLoop) {
  Planned P(matmulGraph(),
            blocked("tunables: {tile_m: 4, tile_n: 16, tile_k: 64}", ", mems: {C: CACHE}"),
            "simplify");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(P.log("hoisting"),
            std::vector<std::string>{"argument 'C' of leaf stays in its buffer during loop 'k'"});
  const std::string &Text = P.after("simplify");
  std::size_t In = Text.find("copy C_2 <- acc["), Loop = Text.find("for (k :"),
              Out = Text.find("copy acc[block i_2 of 4, block j_2 of 16] <- C_2");
  ASSERT_NE(Out, std::string::npos) << Text;
  EXPECT_LT(In, Loop) << Text;
  EXPECT_LT(Loop, Out) << Text;
}

TEST(Hoisting, ABlockThatDoesNotChangeIsCopiedOnce) {
  Planned P(matmulGraph(),
            blocked("tunables: {tile_m: 4, tile_n: full, tile_k: full}", ", mems: {B: CACHE}"),
            "simplify");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(P.log("hoisting"),
            std::vector<std::string>{"argument 'B' of leaf is copied once, outside loop 'i'"});
}

TEST(Merging, ABlockThatIsPresentIsNotCopiedAgain) {
  // A leaf that reads the same block through both arguments.
  TaskBuilder L(FunctionKind::Leaf, "add", "", 10);
  TensorRef Out = L.param("Out", 1, Privilege::ReadWrite), A = L.param("A", 1, Privilege::Read),
            B = L.param("B", 1, Privilege::Read);
  L.loop("i", extentOf(Out, 0),
         [&](const Expr &I) { L.store(Out, {I}, load(A, {I}) + load(B, {I}), UpdateOp::Add); });
  FunctionRef Leaf = L.done();
  TaskBuilder T(FunctionKind::Task, "twice", "", 20);
  TensorRef Y = T.param("Y", 1, Privilege::ReadWrite), X = T.param("X", 1, Privilege::Read);
  T.launch(Leaf, {Y, X, X});
  TaskGraph G;
  G.Functions = {T.done(), Leaf};
  Planned P(G, R"(
entrypoint: twice
task_mappings:
  twice: {proc: HOST, calls: {add: leaf}}
  leaf: {task_name: add, mems: {A: CACHE, B: CACHE}}
)",
            "simplify");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(P.log("duplicates"), std::vector<std::string>{"argument 'B' of leaf: already present"});
  EXPECT_EQ(countIn(P.after("simplify"), "copy "), 1u) << P.after("simplify");
}

} // namespace
} // namespace septran::compiler
