//===- ResolveTest.cpp ----------------------------------------------------===//
#include "TaskGraphs.h"

namespace septran::compiler {
namespace {

TEST(Resolve, ExpandsInstancesAlongTheMapping) {
  Planned P(heatGraph(), R"(
entrypoint: heat
task_mappings:
  heat: {proc: HOST, calls: {"heat_step#1": back}}
  heat_step: {proc: HOST, tunables: {rows: 8}, calls: {copy: lines}}
  back: {task_name: heat_step, proc: HOST, tunables: {rows: full}, calls: {copy: lines}}
  lines: {task_name: copy, proc: CORE}
)",
            "resolve");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(P.after("resolve"), R"(program heat on cpu/x86-avx512
  U : GLOBAL f32 rank 2, read write
  steps : i32
scope heat (heat on HOST) {
  define U_1 : GLOBAL = U
  alloc other : GLOBAL f32[U_1.extent(0), U_1.extent(1)]
  for (t : 0 .. steps) {
    scope heat_step (heat_step on HOST) {
      define next : GLOBAL = other
      define old : GLOBAL = U_1
      parallel for (i : 0 .. ceil_div(next.extent(0), 8)) spread CORE {
        scope lines (copy on CORE) {
          define To : GLOBAL = next[block i of 8, block 0 of next.extent(1)]
          define From : GLOBAL = old[block i of 8, block 0 of old.extent(1)]
          for (i_1 : 0 .. To.extent(0)) {
            for (j : 0 .. To.extent(1)) {
              To(i_1, j) = From(i_1, j)
            }
          }
        }
      }
    }
    scope back (heat_step on HOST) {
      define next_1 : GLOBAL = U_1
      define old_1 : GLOBAL = other
      scope lines (copy on CORE) {
        define To_1 : GLOBAL = next_1[all, block 0 of next_1.extent(1)]
        define From_1 : GLOBAL = old_1[all, block 0 of old_1.extent(1)]
        for (i_2 : 0 .. To_1.extent(0)) {
          for (j_1 : 0 .. To_1.extent(1)) {
            To_1(i_2, j_1) = From_1(i_2, j_1)
          }
        }
      }
    }
  }
}
)");
}

TEST(Resolve, KeepsTheTreeOfInstances) {
  Planned P(matmulGraph(), R"(
entrypoint: host
task_mappings:
  host: {task_name: matmul, proc: HOST, tunables: {tile_m: 32}, calls: {matmul_tile: tile}}
  tile: {task_name: matmul_tile, proc: CORE, calls: {gemm_blocked: inner}}
  inner: {task_name: gemm_leaf}
)",
            "resolve");
  ASSERT_TRUE(P.P) << P.messages();
  std::string Text;
  for (const InstanceRef &I : P.P->Instances)
    Text += I->Name + "=" + I->Task->Name + "@" + I->Proc + " ";
  EXPECT_EQ(
      Text,
      "host=matmul@HOST tile=matmul_tile@CORE fill=fill@CORE inner=gemm_leaf@CORE copy=copy@CORE ");
  EXPECT_EQ(P.P->Instances[0]->Tunables,
            (std::map<std::string, std::int64_t>{{"tile_m", 32}, {"tile_n", 128}}));
  EXPECT_EQ(P.P->Instances[2]->Settings, nullptr); // inherits everything
  EXPECT_EQ(P.P->Instances[2]->Caller, P.P->Instances[1].get());
}

TEST(Resolve, ParallelizeFalseKeepsTheLoopOnItsProcessor) {
  Planned P(sumGraph(), R"(
entrypoint: sum
task_mappings:
  sum: {proc: HOST, parallelize: false, calls: {sum_leaf: leaf}}
  leaf: {task_name: sum_leaf, proc: CORE}
)",
            "resolve");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(countIn(P.after("resolve"), "spread"), 0u);
}

TEST(Place, CopiesInAndOutWhereMemoriesDiffer) {
  Planned P(sumGraph(), R"(
entrypoint: sum
task_mappings:
  sum: {proc: HOST, calls: {sum_leaf: leaf}}
  leaf: {task_name: sum_leaf, proc: HOST, mems: {X: CACHE}}
)",
            "place");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(P.after("place"), R"(program sum on cpu/x86-avx512
  S : GLOBAL f32 rank 1, reduce +=
  X : GLOBAL f32 rank 1, read
scope sum (sum on HOST) {
  define S_1 : GLOBAL = S
  define X_1 : GLOBAL = X
  parallel for (i : 0 .. ceil_div(X_1.extent(0), 256)) {
    alloc X_2 : CACHE f32[min(X_1.extent(0) - i * 256, 256)]
    copy X_2 <- X_1[block i of 256]
    scope leaf (sum_leaf on HOST) {
      define S_2 : GLOBAL = S_1
      for (i_1 : 0 .. X_2.extent(0)) {
        S_2(0) += X_2(i_1)
      }
    }
  }
}
)");
}

TEST(Place, WritesThatCoverNeedNoCopyIn) {
  Planned P(heatGraph(), R"(
entrypoint: heat
task_mappings:
  heat: {proc: HOST, calls: {heat_step: step}}
  step: {task_name: heat_step, proc: HOST, tunables: {rows: 8}, calls: {copy: leaf}}
  leaf: {task_name: copy, proc: HOST, mems: {To: CACHE}}
)",
            "place");
  ASSERT_TRUE(P.P) << P.messages();
  const std::string &Text = P.after("place");
  EXPECT_EQ(countIn(Text, "copy To"), 0u) << Text;
  EXPECT_EQ(countIn(Text, "] <- To"), 2u) << Text;
}

TEST(Place, SharedReductionsGetPartialResults) {
  Planned P(sumGraph(), R"(
entrypoint: sum
task_mappings:
  sum: {proc: HOST, calls: {sum_leaf: leaf}}
  leaf: {task_name: sum_leaf, proc: CORE}
)",
            "place");
  ASSERT_TRUE(P.P) << P.messages();
  EXPECT_EQ(countIn(P.after("place"), "spread CORE reduce(S_1 += S_partial)"), 1u)
      << P.after("place");
}

} // namespace
} // namespace septran::compiler
