//===- MappingErrorsTest.cpp - mistakes that the middle end finds ---------===//
#include "TaskGraphs.h"

namespace septran::compiler {
namespace {

struct Mistake {
  const char *Name;
  const char *Mapping; ///< below `entrypoint: matmul` and `task_mappings:`
  const char *Message; ///< of the first line

  friend std::ostream &operator<<(std::ostream &OS, const Mistake &M) { return OS << M.Name; }
};

constexpr const char *Matmul = "entrypoint: matmul\ntask_mappings:\n";

/// One mistake each; the entry `matmul` calls `matmul_tile`, which calls fill, gemm_blocked and
/// copy.
const Mistake Mistakes[] = {
    {"UnknownInstance",
     "  matmul: {calls: {matmul_tile: tiel}}\n  tile: {task_name: matmul_tile}\n",
     "map.yaml:4:33: error: 'matmul_tile' names instance 'tiel', which task_mappings does not "
     "define; did "
     "you mean 'tile'? [septran-unknown-instance]"},
    {"UnknownTask", "  matmul: {calls: {matmul_tile: t}}\n  t: {task_name: matmul_tyle}\n",
     "map.yaml:5:18: error: mapping names task 'matmul_tyle', which this program does not declare; "
     "did you "
     "mean 'matmul_tile'? [septran-unknown-task]"},
    {"NotOfFamily", "  matmul: {calls: {matmul_tile: t}}\n  t: {task_name: gemm_leaf}\n",
     "map.yaml:5:18: error: 'gemm_leaf' of family 'gemm' cannot stand for 'matmul_tile' of family "
     "'matmul_tile' [septran-not-of-family]"},
    {"AmbiguousVariant",
     "  matmul: {}\n  matmul_tile: {calls: {gemm_blocked: g}}\n  g: {task_name: gemm}\n",
     "map.yaml:6:18: error: family 'gemm' has several variants; name one of gemm_blocked, "
     "gemm_leaf "
     "[septran-ambiguous-variant]"},
    {"UnusedInstance", "  matmul: {}\n  other: {task_name: gemm_leaf}\n",
     "map.yaml:5:3: error: instance 'other' is not reached from the entry point 'matmul' "
     "[septran-unused-instance]"},
    {"UnknownProcessor", "  matmul: {proc: HORST}\n",
     "map.yaml:4:18: error: machine 'cpu/x86-avx512' has no processor 'HORST'; expected one of "
     "HOST, "
     "CORE, VECTOR; did you mean 'HOST'? [septran-unknown-processor]"},
    {"ProcessorOrder",
     "  matmul: {proc: CORE, calls: {matmul_tile: t}}\n  t: {task_name: matmul_tile, proc: HOST}\n",
     "map.yaml:5:37: error: instance 't' on HOST is launched from CORE, which is further inside "
     "the machine "
     "[septran-processor-order]"},
    {"UnknownMemory", "  matmul: {mems: {A: CASH}}\n",
     "map.yaml:4:22: error: machine 'cpu/x86-avx512' has no memory 'CASH'; expected one of "
     "GLOBAL, CACHE, REGISTER [septran-unknown-memory]"},
    {"MemoryUnreachable", "  matmul: {proc: HOST, mems: {A: REGISTER}}\n",
     "map.yaml:4:34: error: processor HOST cannot read memory REGISTER, where 'A' is placed "
     "[septran-memory-unreachable]"},
    {"UnknownArgument", "  matmul: {mems: {D: CACHE}}\n",
     "map.yaml:4:19: error: task 'matmul' has no argument or local 'D' [septran-unknown-argument]"},
    {"UnknownTunable", "  matmul: {tunables: {tile_q: 4}}\n",
     "map.yaml:4:23: error: task 'matmul' has no tunable 'tile_q'; did you mean 'tile_m'? "
     "[septran-unknown-tunable]"},
    {"TunableValue", "  matmul: {tunables: {tile_m: 0}}\n",
     "map.yaml:4:31: error: tunable 'tile_m' expects a positive integer or full, found 0 "
     "[septran-tunable-value]"},
    {"UnknownCallee", "  matmul: {calls: {gemm: g}}\n  g: {task_name: gemm_leaf}\n",
     "map.yaml:4:20: error: task 'matmul' does not launch 'gemm' [septran-unknown-callee]"},
    {"UnknownCallSite",
     "  matmul: {calls: {\"matmul_tile#1\": t}}\n  t: {task_name: matmul_tile}\n",
     "map.yaml:4:20: error: task 'matmul' launches 'matmul_tile' once; found call site #1 "
     "[septran-unknown-call-site]"},
    {"BindingNotLeaf", "  matmul: {leaf_task_bindings: {matmul_tile: dot2_s16}}\n",
     "map.yaml:4:33: error: 'matmul_tile' is a task; only a leaf can be bound to a primitive "
     "[septran-binding-not-leaf]"},
    {"UnknownPrimitive", "  matmul: {}\n  matmul_tile: {leaf_task_bindings: {fill: fil}}\n",
     "map.yaml:5:44: error: machine 'cpu/x86-avx512' has no primitive 'fil' "
     "[septran-unknown-primitive]"},
    {"PipelineNoLoop", "  matmul: {pipeline: 2}\n",
     "map.yaml:4:22: error: 'pipeline' of 'matmul' needs a sequential loop in task 'matmul' "
     "[septran-pipeline-no-loop]"},
    {"LayoutRank", "  matmul: {layouts: {A: \"panels(2, 4)\"}}\n",
     "map.yaml:4:25: error: layout panels(2, 4) does not fit 'A', which has 2 dimensions "
     "[septran-layout-rank]"},
    {"NoneMaterialised", "  matmul: {}\n  matmul_tile: {mems: {acc: NONE}}\n",
     "map.yaml:5:29: error: 'acc' must not be materialised (NONE), but it is a local of the task "
     "[septran-none-materialised]"},
    {"RegisterExtent",
     "  matmul: {proc: HOST, tunables: {tile_m: full}, calls: {matmul_tile: t}}\n"
     "  t: {task_name: matmul_tile, calls: {fill: f}}\n  f: {task_name: fill, proc: VECTOR, mems: "
     "{T: REGISTER}}\n",
     "map.yaml:6:48: error: 'T' in REGISTER needs constant extents; dimension 0 is C.extent(0): "
     "give the "
     "tunable that sets it an integer, or, if none does, let the task that launches this one cut blocks "
     "of constant size along it [septran-register-extent]"},
};

struct MappingErrors : testing::TestWithParam<Mistake> {};

TEST_P(MappingErrors, IsReportedAtItsPlace) {
  Planned P(matmulGraph(), std::string(Matmul) + GetParam().Mapping);
  EXPECT_FALSE(P.P);
  std::string Text = P.messages();
  EXPECT_EQ(Text.substr(0, Text.find('\n')), GetParam().Message) << Text;
}

INSTANTIATE_TEST_SUITE_P(All, MappingErrors, testing::ValuesIn(Mistakes),
                         [](const auto &Info) { return std::string(Info.param.Name); });

TEST(MappingErrors, AllMistakesOfOneRunAreReported) {
  Planned P(matmulGraph(), std::string(Matmul) +
                               "  matmul: {tunables: {tile_m: 0}, mems: {D: CACHE}}\n"
                               "  matmul_tile: {mems: {acc: CASH}, calls: {gem: leaf}}\n"
                               "  leaf: {task_name: gemm_leaf}\n");
  EXPECT_FALSE(P.P);
  EXPECT_EQ(P.D.errorCount(), 4u) << P.messages();
}

TEST(MappingErrors, AnInstanceThatLaunchesItselfIsACycle) {
  Planned P(matmulGraph(),
            std::string(Matmul) +
                "  matmul: {calls: {matmul_tile: t}}\n  t: {task_name: matmul_tile, calls: "
                "{gemm_blocked: again}}\n  again: {task_name: gemm_blocked, calls: {gemm_leaf: "
                "again}}\n");
  EXPECT_FALSE(P.P);
  EXPECT_EQ(countIn(P.messages(),
                    "map.yaml:6:3: error: instances launch each other without end: again -> "
                    "again [septran-instance-cycle]"),
            1u)
      << P.messages();
}

TEST(MappingErrors, FullNeedsABlockSize) {
  // The tunable of sum's task is used as a number: as the extent of a local.
  TaskBuilder T(FunctionKind::Task, "numbers", "", 20);
  TensorRef X = T.param("X", 2, Privilege::Write);
  Expr N = T.tunable("n", 8);
  TensorRef L = T.local("x", {N, N});
  T.launch(fillLeaf(), {L});
  T.launch(copyLeaf(), {X, L});
  TaskGraph G;
  G.Functions = {T.done(), fillLeaf(), copyLeaf()};
  Planned P(G, "entrypoint: numbers\ntask_mappings:\n  numbers: {tunables: {n: full}}\n");
  EXPECT_FALSE(P.P);
  EXPECT_EQ(countIn(P.messages(),
                    "map.yaml:4:27: error: tunable 'n' is full, but task 'numbers' uses it as a "
                    "number [septran-tunable-full]"),
            1u)
      << P.messages();
}

} // namespace
} // namespace septran::compiler
