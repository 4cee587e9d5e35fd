//===- TaskGraphs.cpp - the programs that the tests map -------------------===//
#include "TaskGraphs.h"

#include "Plan/VerifyProgram.h"

namespace septran::compiler {

FunctionRef gemmLeaf() {
  TaskBuilder L(FunctionKind::Leaf, "gemm_leaf", "gemm", 10);
  TensorRef C = L.param("C", 2, Privilege::ReadWrite), A = L.param("A", 2, Privilege::Read),
            B = L.param("B", 2, Privilege::Read);
  L.loops({{"i", extentOf(C, 0)}, {"j", extentOf(C, 1)}, {"k", extentOf(A, 1)}},
          LoopKind::Sequential, [&](const std::vector<Expr> &I) {
            L.store(C, {I[0], I[1]}, load(A, {I[0], I[2]}) * load(B, {I[2], I[1]}), UpdateOp::Add);
          });
  return L.done();
}

FunctionRef fillLeaf() {
  TaskBuilder L(FunctionKind::Leaf, "fill", "", 20);
  TensorRef T = L.param("T", 2, Privilege::Write);
  L.loops({{"i", extentOf(T, 0)}, {"j", extentOf(T, 1)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) { L.store(T, I, floatLit(0, ScalarType::F32)); });
  return L.done();
}

FunctionRef copyLeaf() {
  TaskBuilder L(FunctionKind::Leaf, "copy", "", 30);
  TensorRef To = L.param("To", 2, Privilege::Write), From = L.param("From", 2, Privilege::Read);
  L.loops({{"i", extentOf(To, 0)}, {"j", extentOf(To, 1)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) { L.store(To, I, load(From, I)); });
  return L.done();
}

namespace {

FunctionRef gemmBlocked(const FunctionRef &Leaf) {
  TaskBuilder T(FunctionKind::Task, "gemm_blocked", "gemm", 40);
  TensorRef C = T.param("C", 2, Privilege::ReadWrite), A = T.param("A", 2, Privilege::Read),
            B = T.param("B", 2, Privilege::Read);
  Expr M = T.tunable("tile_m", 64), N = T.tunable("tile_n", 64), K = T.tunable("tile_k", 64);
  T.parallel({{"i", countOf(C, 0, M)}, {"j", countOf(C, 1, N)}}, [&](const std::vector<Expr> &I) {
    T.loop("k", countOf(A, 1, K), [&](const Expr &Step) {
      T.launch(Leaf, {blockOf(C, {{I[0], M}, {I[1], N}}), blockOf(A, {{I[0], M}, {Step, K}}),
                      blockOf(B, {{Step, K}, {I[1], N}})});
    });
  });
  return T.done();
}

FunctionRef matmulTile(const FunctionRef &Gemm, const FunctionRef &Fill, const FunctionRef &Copy) {
  TaskBuilder T(FunctionKind::Task, "matmul_tile", "", 50);
  TensorRef C = T.param("C", 2, Privilege::Write), A = T.param("A", 2, Privilege::Read),
            B = T.param("B", 2, Privilege::Read);
  TensorRef Acc = T.local("acc", {extentOf(C, 0), extentOf(C, 1)});
  T.launch(Fill, {Acc});
  T.launch(Gemm, {Acc, A, B});
  T.launch(Copy, {C, Acc});
  return T.done();
}

FunctionRef matmul(const FunctionRef &Tile) {
  TaskBuilder T(FunctionKind::Task, "matmul", "", 60);
  TensorRef C = T.param("C", 2, Privilege::Write), A = T.param("A", 2, Privilege::Read),
            B = T.param("B", 2, Privilege::Read);
  Expr M = T.tunable("tile_m", 128), N = T.tunable("tile_n", 128);
  T.parallel({{"i", countOf(C, 0, M)}, {"j", countOf(C, 1, N)}}, [&](const std::vector<Expr> &I) {
    T.launch(Tile, {blockOf(C, {{I[0], M}, {I[1], N}}),
                    blockOf(A, {{I[0], M}, {intLit(0), extentOf(A, 1)}}),
                    blockOf(B, {{intLit(0), extentOf(B, 0)}, {I[1], N}})});
  });
  return T.done();
}

} // namespace

TaskGraph matmulGraph() {
  FunctionRef Leaf = gemmLeaf(), Fill = fillLeaf(), Copy = copyLeaf(), Blocked = gemmBlocked(Leaf);
  FunctionRef Tile = matmulTile(Blocked, Fill, Copy), Entry = matmul(Tile);
  TaskGraph G;
  G.MainFile = "logic.cpp";
  G.Functions = {Entry, Tile, Blocked, Leaf, Fill, Copy};
  return G;
}

TaskGraph heatGraph() {
  FunctionRef Copy = copyLeaf();
  TaskBuilder S(FunctionKind::Task, "heat_step", "", 40);
  TensorRef Next = S.param("next", 2, Privilege::Write), Old = S.param("old", 2, Privilege::Read);
  Expr Rows = S.tunable("rows", 16);
  S.parallel({{"i", countOf(Next, 0, Rows)}}, [&](const std::vector<Expr> &I) {
    auto Strip = [&](const TensorRef &T) {
      return blockOf(T, {{I[0], Rows}, {intLit(0), extentOf(T, 1)}});
    };
    S.launch(Copy, {Strip(Next), Strip(Old)});
  });
  FunctionRef Step = S.done();

  TaskBuilder T(FunctionKind::Task, "heat", "", 50);
  TensorRef U = T.param("U", 2, Privilege::ReadWrite);
  Expr Steps = T.scalar("steps");
  TensorRef Other = T.local("other", {extentOf(U, 0), extentOf(U, 1)});
  T.loop("t", Steps, [&](const Expr &) {
    T.launch(Step, {Other, U});
    T.launch(Step, {U, Other});
  });
  TaskGraph G;
  G.MainFile = "logic.cpp";
  G.Functions = {T.done(), Step, Copy};
  return G;
}

TaskGraph sumGraph() {
  TaskBuilder L(FunctionKind::Leaf, "sum_leaf", "", 20);
  TensorRef S = L.param("S", 1, Privilege::Reduce, ScalarType::F32, UpdateOp::Add),
            X = L.param("X", 1, Privilege::Read);
  L.loop("i", extentOf(X, 0),
         [&](const Expr &I) { L.store(S, {intLit(0)}, load(X, {I}), UpdateOp::Add); });
  FunctionRef Leaf = L.done();

  TaskBuilder T(FunctionKind::Task, "sum", "", 40);
  TensorRef Out = T.param("S", 1, Privilege::Reduce, ScalarType::F32, UpdateOp::Add),
            In = T.param("X", 1, Privilege::Read);
  Expr Tile = T.tunable("tile", 256);
  T.parallel({{"i", countOf(In, 0, Tile)}}, [&](const std::vector<Expr> &I) {
    T.launch(Leaf, {Out, blockOf(In, {{I[0], Tile}})});
  });
  TaskGraph G;
  G.MainFile = "logic.cpp";
  G.Functions = {T.done(), Leaf};
  return G;
}

std::shared_ptr<Machine> avx512() {
  Diagnostics D;
  std::optional<Machine> M = readMachine("cpu/x86-avx512", {SEPTRAN_TEST_MACHINES}, D);
  EXPECT_TRUE(M) << renderText(D);
  return M ? std::make_shared<Machine>(*std::move(M)) : nullptr;
}

Planned::Planned(TaskGraph G, const std::string &Text, std::string_view Last,
                 std::shared_ptr<const Machine> Machine,
                 const std::function<void(std::string_view, const Program &)> &Each)
    : Graph(std::move(G)), Target(Machine ? std::move(Machine) : avx512()) {
  std::optional<Mapping> Read = readMappingText("machine: cpu/x86-avx512\n" + Text, "map.yaml", D);
  if (!Read || !Target)
    return;
  Map = std::make_shared<Mapping>(*std::move(Read));
  std::optional<Program> Wanted;
  std::optional<Program> All =
      runPasses(Graph, Map, Target, D, [&](std::string_view Pass, const Program &Q) {
        Texts[std::string(Pass)] = printProgram(Q);
        EXPECT_EQ(verifyProgram(Q, Pass), std::vector<std::string>()) << Texts[std::string(Pass)];
        if (Each)
          Each(Pass, Q);
        if (Pass == Last)
          Wanted = Q;
      });
  P = Last == passNames().back() ? std::move(All) : std::move(Wanted);
}

const std::string &Planned::after(const std::string &Pass) const {
  static const std::string Nothing;
  auto It = Texts.find(Pass);
  return It == Texts.end() ? Nothing : It->second;
}

std::vector<std::string> Planned::log(const std::string &Rule) const {
  std::vector<std::string> Result;
  if (P)
    for (const RewriteRecord &R : P->Log)
      if (R.Rule == Rule)
        Result.push_back(R.Text);
  return Result;
}

std::size_t countIn(const std::string &Text, const std::string &Part) {
  std::size_t Count = 0;
  for (std::size_t At = Text.find(Part); At != std::string::npos;
       At = Text.find(Part, At + Part.size()))
    ++Count;
  return Count;
}

} // namespace septran::compiler
