//===- RandomLogicTest.cpp - random tasks under random mappings -----------===//
//
// Every task has the parameters (O, A, B), square matrices of one extent or blocks of them, and a
// random body: launches of leaves and of further tasks on whole tensors, blocks, transposed blocks
// and windows, below parallel and sequential loops and conditions, with locals. Programs that are
// no valid logic, because they read what was never written, are skipped.
//
//===----------------------------------------------------------------------===//
#include "Compare.h"
#include "TaskGraphs.h"

#include "IR/Rewrite.h"

namespace septran::compiler {
namespace {

/// Functions of (O, A, B) and what a caller must know of them.
struct Callable {
  FunctionRef F;
  Privilege Out;
  bool HasHalo = false; ///< A is one element larger on every side
  bool Sums = false;    ///< O has one column, into which the rows of A and B are reduced
};

FunctionRef leaf(const std::string &Name, Privilege Out, UpdateOp Op, bool Triangle,
                 bool Transposed) {
  TaskBuilder L(FunctionKind::Leaf, Name);
  TensorRef O = L.param("O", 2, Out), A = L.param("A", 2, Privilege::Read),
            B = L.param("B", 2, Privilege::Read);
  L.loops({{"i", extentOf(O, 0)}, {"j", extentOf(O, 1)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) {
            auto Store = [&] {
              Expr Second = Transposed ? load(A, {I[1], I[0]}) : load(A, {I[0], I[1]});
              L.store(O, I, Second - load(B, {I[0], I[1]}), Op);
            };
            if (Triangle)
              L.when(binary(BinaryOp::Le, I[0], I[1]), Store);
            else
              Store();
          });
  return L.done();
}

/// O = B + the neighbours of A, which has a halo.
FunctionRef blur() {
  TaskBuilder L(FunctionKind::Leaf, "blur");
  TensorRef O = L.param("O", 2, Privilege::Write), A = L.param("A", 2, Privilege::Read),
            B = L.param("B", 2, Privilege::Read);
  L.loops({{"i", extentOf(O, 0)}, {"j", extentOf(O, 1)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) {
            L.store(O, I,
                    load(A, {I[0], I[1] + intLit(1)}) + load(A, {I[0] + intLit(2), I[1]}) +
                        load(B, I));
          });
  return L.done();
}

/// O(i, 0) op= A(i, j) - B(i, j).
FunctionRef rows(const std::string &Name, UpdateOp Op) {
  TaskBuilder L(FunctionKind::Leaf, Name);
  TensorRef O = L.param("O", 2, Privilege::Reduce, ScalarType::F32, Op),
            A = L.param("A", 2, Privilege::Read), B = L.param("B", 2, Privilege::Read);
  L.loops({{"i", extentOf(A, 0)}, {"j", extentOf(A, 1)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) {
            L.store(O, {I[0], intLit(0)}, load(A, I) - load(B, I), Op);
          });
  return L.done();
}

View transposed(View V) {
  std::swap(V.Dims[0], V.Dims[1]);
  return V;
}

View windowOf(const TensorRef &T, const std::vector<BlockAt> &Blocks) {
  View V = blockOf(T, Blocks);
  for (Slice &S : V.Slices)
    S = {S.Offset - intLit(1), S.Extent + intLit(2), nullptr, nullptr, intLit(1), intLit(1)};
  V.Fill = floatLit(2, ScalarType::F32);
  return V;
}

class LogicMaker : public Dice {
  std::vector<Callable> Known;
  std::vector<FunctionRef> Tasks;                  ///< callers first
  std::map<std::string, std::int64_t> Tiles;       ///< of each task
  static constexpr std::int64_t Everything = 1000; ///< more than any extent

  struct Scene {
    TaskBuilder &T;
    TensorRef Out;
    bool MayRead; ///< Out
    std::vector<TensorRef> Inputs;
  };

  const Callable &anyOf(bool MayRead) {
    for (;;)
      if (const Callable &C = Known[size_t(below(int(Known.size())))];
          MayRead || C.Out == Privilege::Write)
        return C;
  }

  TensorRef input(const Scene &S) { return S.Inputs[size_t(below(int(S.Inputs.size())))]; }

  void whole(Scene &S) {
    const Callable &C = anyOf(S.MayRead);
    if (C.HasHalo || C.Sums)
      return;
    S.T.launch(C.F, {S.Out, input(S), input(S)});
  }

  /// A launch on block (i, j) of everything.
  void blockLaunch(Scene &S, const Callable &C, const std::vector<BlockAt> &At) {
    std::vector<BlockAt> Swapped = {At[1], At[0]};
    auto Input = [&] {
      TensorRef T = input(S);
      return below(4) ? blockOf(T, At) : transposed(blockOf(T, Swapped));
    };
    View A = C.HasHalo ? windowOf(input(S), At) : Input();
    View Out = blockOf(S.Out, C.Sums ? std::vector<BlockAt>{At[0], {intLit(0), intLit(1)}} : At);
    S.T.launch(C.F, {Out, A, Input()});
  }

  void blocks(Scene &S, const Expr &Tile) {
    LoopKind Kind = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
    bool Inside = maybe();
    int Guard = below(4);
    const Callable C = anyOf(S.MayRead);
    S.T.loops({{"i", countOf(S.Out, 0, Tile)}, {"j", countOf(S.Out, 1, Tile)}}, Kind,
              [&](const std::vector<Expr> &I) {
                auto Body = [&](const Expr &Count) {
                  std::vector<BlockAt> At = {{I[0], Tile}, {I[1], Tile}};
                  auto Launch = [&] { blockLaunch(S, C, At); };
                  if (Guard == 0)
                    S.T.when(binary(BinaryOp::Ge, I[0], I[1]), Launch);
                  else if (Guard == 1 && Count)
                    S.T.when(binary(BinaryOp::Gt, Count, intLit(0)), Launch);
                  else
                    Launch();
                };
                if (Inside)
                  S.T.loop("k", intLit(1 + below(3)), Body);
                else
                  Body(nullptr);
              });
  }

  void statement(Scene &S, const Expr &Tile) {
    switch (below(4)) {
    case 0:
      return whole(S);
    case 1: { // twice the same: what one iteration writes, the next one reads
      Expr Count = intLit(below(4));
      S.T.loop("t", Count, [&](const Expr &) { maybe() ? whole(S) : blocks(S, Tile); });
      return;
    }
    default:
      return blocks(S, Tile);
    }
  }

  void task(unsigned Level) {
    std::string Name = "task" + std::to_string(Level);
    TaskBuilder T(FunctionKind::Task, Name);
    Privilege Out = Level > 0 && maybe() ? Privilege::Write : Privilege::ReadWrite;
    TensorRef O = T.param("O", 2, Out), A = T.param("A", 2, Privilege::Read),
              B = T.param("B", 2, Privilege::Read);
    // What the triangles do depends on the blocks: the plain program runs with the mapping's tiles.
    std::int64_t Size = oneOf<std::int64_t>({1, 2, 3, 5, 8, Everything});
    Tiles[Name] = Size;
    Expr Tile = T.tunable("tile", Size);
    Scene Main{T, O, Out == Privilege::ReadWrite, {A, B}};
    if (maybe()) {
      TensorRef X = T.local("x", {extentOf(O, 0), extentOf(O, 1)});
      Scene Local{T, X, false, {A, B}};
      if (Out == Privilege::ReadWrite)
        Local.Inputs.push_back(O);
      statement(Local, Tile);
      if (maybe()) {
        Local.MayRead = true;
        statement(Local, Tile);
      }
      Main.Inputs.push_back(X);
    }
    for (int N = 1 + below(2); N > 0; --N)
      statement(Main, Tile);
    Known.push_back({T.done(), Out, false});
    Known.push_back(Known.back()); // prefer tasks
    Tasks.insert(Tasks.begin(), T.done());
  }

  std::string mems(const std::vector<std::string> &Tensors, bool Registers) {
    std::string Text;
    for (const std::string &N : Tensors)
      if (below(3))
        Text += (Text.empty() ? "" : ", ") + N + ": " +
                (Registers && maybe() ? "REGISTER" : oneOf<std::string>({"CACHE", "GLOBAL"}));
    return Text.empty() ? "" : "    mems: {" + Text + "}\n";
  }

public:
  using Dice::Dice;

  TaskGraph graph() {
    Known = {{leaf("set", Privilege::Write, UpdateOp::Set, false, false), Privilege::Write},
             {leaf("add", Privilege::ReadWrite, UpdateOp::Add, false, false), Privilege::ReadWrite},
             {leaf("upper", Privilege::Write, UpdateOp::Set, true, false), Privilege::Write},
             {leaf("grow", Privilege::ReadWrite, UpdateOp::Max, true, false), Privilege::ReadWrite},
             {blur(), Privilege::Write, true},
             {rows("sums", UpdateOp::Add), Privilege::Reduce, false, true},
             {rows("tops", UpdateOp::Max), Privilege::Reduce, false, true}};
    TaskGraph G;
    for (const Callable &C : Known)
      G.Functions.push_back(C.F);
    for (int Level = 1 + below(3); Level >= 0; --Level)
      task(unsigned(Level));
    G.Functions.insert(G.Functions.begin(), Tasks.begin(), Tasks.end());
    return G;
  }

  /// One instance per function, each at least as far inside as its callers. Leaves of the innermost
  /// level may use registers if `Registers` says so.
  std::string mapping(const TaskGraph &G, bool Registers) {
    std::string Text = "entrypoint: task0\ntask_mappings:\n";
    const std::vector<std::string> Levels = {"HOST", "CORE", "VECTOR"};
    int Level = 0;
    std::set<std::string> Reached = {"task0"};
    for (const FunctionRef &F : G.Functions) {
      if (!Reached.count(F->Name))
        continue;
      bool Task = F->Kind == FunctionKind::Task;
      if (F->Name != "task0" && Level == 0 && maybe())
        Level = 1;
      int At = Task ? Level : Level + below(3 - Level);
      Text += "  " + F->Name + ":\n    proc: " + Levels[size_t(At)] + "\n";
      std::vector<std::string> Tensors = {"O", "A", "B"};
      bool Sequential = false;
      walkStmts(F->Body, [&](const Stmt &S) {
        if (const auto *L = S.getIf<Local>())
          Tensors.push_back(L->T->Name);
        if (const auto *L = S.getIf<Launch>())
          Reached.insert(L->Callee->Name);
        if (const auto *L = S.getIf<For>())
          Sequential |= L->Kind == LoopKind::Sequential;
      });
      Text += mems(Tensors, Registers && At == 2);
      if (below(8) == 0)
        Text += "    layouts: {" + oneOf<std::string>({"O", "A", "B"}) + ": " +
                oneOf<std::string>({"row", "column", "pad(3)"}) + "}\n";
      if (!Task)
        continue;
      std::int64_t Size = Tiles.at(F->Name);
      if (Size == Everything || maybe())
        Text +=
            "    tunables: {tile: " + (Size == Everything ? "full" : std::to_string(Size)) + "}\n";
      if (below(5) == 0)
        Text += "    resident: [" + oneOf<std::string>({"O", "A", "B"}) + "]\n";
      if (Sequential && below(4) == 0)
        Text += "    pipeline: 2\n";
    }
    return Text;
  }
};

TEST(RandomLogic, MeansTheSameAfterEveryPass) {
  unsigned Tried = 0, Valid = 0;
  for (auto [Seed, End] = Seeds(600); Seed < End; ++Seed) {
    ++Tried;
    LogicMaker M(Seed);
    TaskGraph G = M.graph();
    std::vector<std::vector<TestArgument>> Inputs;
    for (int N : {4, 1, 7, 0})
      Inputs.push_back({{M.tensor({N, N}), 0}, {M.tensor({N, N}), 0}, {M.tensor({N, N}), 0}});
    std::string Report = difference(G, M.mapping(G, true), Inputs);
    if (Report.find("[septran-register-extent]") != std::string::npos ||
        Report.find("[septran-memory-capacity]") != std::string::npos)
      Report =
          difference(G, M.mapping(G, false), Inputs); // the blocks were too large, or have no bound
    if (Report.rfind(PlainProgramFails, 0) == 0)
      continue;
    ++Valid;
    ASSERT_EQ(Report, "") << "seed " << Seed << "\n" << printTaskGraph(G);
  }
  EXPECT_GT(Valid, Tried / 4);
}

} // namespace
} // namespace septran::compiler
