//===- RandomLogic.cpp - random tasks, mappings and arguments -------------===//
#include "RandomLogic.h"

#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

namespace {

constexpr std::int64_t Everything = 1000; ///< more than any extent

View transposed(View V) {
  std::swap(V.Dims[0], V.Dims[1]);
  return V;
}

/// Row `Row` of the block, as often as the block has rows.
View repeatedRow(const TensorRef &T, const std::vector<BlockAt> &At, const Expr &Row) {
  View V = blockOf(T, At);
  V.BroadcastExtents = {V.Slices[0].Extent, nullptr};
  V.Slices[0] = {Row, intLit(1), nullptr, nullptr, nullptr, nullptr};
  V.Dims = {-1, 1};
  return V;
}

View flattened(const TensorRef &T) {
  View V;
  V.Base = T;
  V.Reshape = {extentOf(T, 0) * extentOf(T, 1)};
  return V;
}

} // namespace

View rowOf(const TensorRef &T, const Expr &Row) {
  View V = explicitView(wholeView(T));
  V.Slices[0] = {Row, intLit(1), nullptr, nullptr, nullptr, nullptr};
  V.Dims = {1};
  V.BroadcastExtents.resize(1);
  return V;
}

View windowOf(const TensorRef &T, const std::vector<BlockAt> &At, int Low) {
  View V = blockOf(T, At);
  for (Slice &S : V.Slices)
    S = {S.Offset - intLit(Low), S.Extent + intLit(2), nullptr, nullptr, intLit(Low),
         intLit(2 - Low)};
  V.Fill = floatLit(2, ScalarType::F32);
  return V;
}

/// Where statements are made: what they write and what they may read.
struct LogicMaker::Scene {
  TaskBuilder &T;
  TensorRef Out;
  bool MayRead; ///< Out
  std::vector<TensorRef> Inputs;
  Expr N, TileM, TileN;
  bool Whole; ///< no block of something larger: has no gaps
  unsigned Depth = 0;
};

Callable LogicMaker::callable(Scene &S, std::initializer_list<Shape> Forms) {
  for (;;) {
    const Callable &C = Known[size_t(below(int(Known.size())))];
    bool Fits = std::find(Forms.begin(), Forms.end(), C.Form) != Forms.end();
    if (Fits && (S.MayRead || C.Out == Privilege::Write))
      return C;
  }
}

TensorRef LogicMaker::input(const Scene &S) {
  return S.Inputs[size_t(below(int(S.Inputs.size())))];
}

View LogicMaker::inputBlock(Scene &S, const Blocks &At) {
  TensorRef T = input(S);
  switch (below(8)) {
  case 0:
    return Square ? transposed(blockOf(T, {At[1], At[0]})) : blockOf(T, At);
  case 1:
    return repeatedRow(T, At, At[0].Index); // there are at most as many blocks as rows
  default:
    return blockOf(T, At);
  }
}

/// A launch on block At of everything.
void LogicMaker::launchOn(Scene &S, const Callable &C, const Blocks &At) {
  BlockAt First = {intLit(0), intLit(1)};
  View Out = blockOf(S.Out, C.Form == Shape::Rows      ? Blocks{At[0], First}
                            : C.Form == Shape::Columns ? Blocks{First, At[1]}
                                                       : At);
  View A = C.Form == Shape::Halo ? windowOf(input(S), At, below(3)) : inputBlock(S, At);
  View B = inputBlock(S, At);
  if (C.Elementwise && S.MayRead && below(6) == 0)
    A = Out;
  S.T.launch(C.F, {Out, A, B, number(S, At)});
}

/// The number, or one that differs between blocks.
Expr LogicMaker::number(const Scene &S, const Blocks &At) {
  switch (below(6)) {
  case 0:
    return S.N + intLit(1, ScalarType::I32);
  case 1:
    return cast(ScalarType::I32, At[0].Index);
  default:
    return S.N;
  }
}

void LogicMaker::whole(Scene &S) {
  Callable C = callable(S, {Shape::Same});
  TensorRef A = input(S), B = input(S);
  if (C.Elementwise && S.MayRead && below(6) == 0)
    A = S.Out;
  S.T.launch(C.F, {S.Out, A, B, S.N});
}

/// Loops over blocks in either dimension or both, with launches on them.
void LogicMaker::blocks(Scene &S) {
  LoopKind Kind = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
  Callable C = callable(S, {Shape::Same, Shape::Halo, Shape::Rows, Shape::Columns});
  // What iterations reduce into together, none of them may use otherwise.
  bool Reduces = C.Form == Shape::Rows || C.Form == Shape::Columns;
  bool Again = below(4) == 0 && !(Reduces && Kind == LoopKind::Parallel);
  Callable Second = callable(S, {Shape::Same});
  int Guard = below(6), Repeat = below(6);
  auto Inside = [&](const Blocks &At, const Expr &Count) {
    auto Launch = [&] {
      launchOn(S, C, At);
      if (Again)
        launchOn(S, Second, At);
    };
    if (Guard == 0)
      S.T.when(binary(BinaryOp::Ge, At[0].Index, At[1].Index), Launch);
    else if (Guard == 1 && Count)
      S.T.when(binary(BinaryOp::Gt, Count, intLit(0)), Launch);
    else if (Guard == 2)
      S.T.when(binary(BinaryOp::Lt, At[1].Index, cast(ScalarType::I64, S.N)), Launch);
    else
      Launch();
  };
  auto Repeated = [&](const Blocks &At) {
    if (Repeat == 0)
      S.T.loop("k", intLit(1 + below(3)), [&](const Expr &K) { Inside(At, K); });
    else if (Repeat == 1)
      S.T.loopFrom("k", intLit(below(2)), cast(ScalarType::I64, S.N) + intLit(1), 2,
                   [&](const Expr &K) { Inside(At, K); });
    else
      Inside(At, nullptr);
  };
  Expr Rows = countOf(S.Out, 0, S.TileM), Columns = countOf(S.Out, 1, S.TileN);
  switch (below(5)) {
  case 0: // panels of rows
    S.T.loops({{"i", Rows}}, Kind, [&](const std::vector<Expr> &I) {
      Repeated({{I[0], S.TileM}, {intLit(0), extentOf(S.Out, 1)}});
    });
    return;
  case 1: // panels of columns
    S.T.loops({{"j", Columns}}, Kind, [&](const std::vector<Expr> &J) {
      Repeated({{intLit(0), extentOf(S.Out, 0)}, {J[0], S.TileN}});
    });
    return;
  case 2: // a triangle of blocks
    S.T.loops({{"i", Rows}}, Kind, [&](const std::vector<Expr> &I) {
      S.T.loop("j", minExpr(I[0] + intLit(1), Columns),
               [&](const Expr &J) { Repeated({{I[0], S.TileM}, {J, S.TileN}}); });
    });
    return;
  default:
    S.T.loops({{"i", Rows}, {"j", Columns}}, Kind,
              [&](const std::vector<Expr> &I) { Repeated({{I[0], S.TileM}, {I[1], S.TileN}}); });
  }
}

/// Blocks with names of their own, cut again.
void LogicMaker::subBlocks(Scene &S) {
  LoopKind Kind = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
  Expr Outer = S.TileM;
  S.T.loops({{"p", countOf(S.Out, 0, Outer)}}, Kind, [&](const std::vector<Expr> &P) {
    auto Part = [&](const TensorRef &T) {
      return S.T.define(T->Name + "_part",
                        blockOf(T, {{P[0], Outer}, {intLit(0), extentOf(T, 1)}}));
    };
    Scene Inner = S;
    Inner.Out = Part(S.Out);
    Inner.Inputs = {Part(input(S))};
    Inner.TileM = intLit(1 + below(3));
    Inner.Whole = false;
    maybe() ? blocks(Inner) : whole(Inner);
  });
}

/// Blocks of a matrix product.
void LogicMaker::product(Scene &S) {
  if (!Square || !S.MayRead)
    return blocks(S);
  Callable C = callable(S, {Shape::Product});
  TensorRef A = input(S), B = input(S);
  LoopKind Kind = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
  S.T.loops({{"i", countOf(S.Out, 0, S.TileM)}, {"j", countOf(S.Out, 1, S.TileN)}}, Kind,
            [&](const std::vector<Expr> &I) {
              S.T.loop("k", countOf(A, 1, S.TileM), [&](const Expr &K) {
                S.T.launch(C.F, {blockOf(S.Out, {{I[0], S.TileM}, {I[1], S.TileN}}),
                                 blockOf(A, {{I[0], S.TileM}, {K, S.TileM}}),
                                 blockOf(B, {{K, S.TileM}, {I[1], S.TileN}}), S.N});
              });
            });
}

void LogicMaker::rowByRow(Scene &S) {
  Callable C = callable(S, {Shape::Vectors});
  TensorRef A = input(S), B = input(S);
  LoopKind Kind = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
  S.T.loops({{"i", extentOf(S.Out, 0)}}, Kind, [&](const std::vector<Expr> &I) {
    S.T.launch(C.F, {rowOf(S.Out, I[0]), rowOf(A, I[0]), rowOf(B, I[0]), S.N});
  });
}

/// The matrices as long vectors.
void LogicMaker::flat(Scene &S) {
  if (!S.Whole)
    return rowByRow(S);
  Callable C = callable(S, {Shape::Vectors});
  TensorRef O = S.T.define("flat_out", flattened(S.Out)),
            A = S.T.define("flat_a", flattened(input(S))),
            B = S.T.define("flat_b", flattened(input(S)));
  S.T.loops({{"i", countOf(O, 0, S.TileN)}}, maybe() ? LoopKind::Parallel : LoopKind::Sequential,
            [&](const std::vector<Expr> &I) {
              Blocks At = {{I[0], S.TileN}};
              S.T.launch(C.F, {blockOf(O, At), blockOf(A, At), blockOf(B, At), S.N});
            });
}

/// A local for every block.
void LogicMaker::viaLocal(Scene &S) {
  LoopKind Kind = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
  Scene Nothing = S;
  Nothing.MayRead = false;
  Callable First = callable(Nothing, {Shape::Same}), Second = callable(S, {Shape::Same}),
           Last = callable(S, {Shape::Same, Shape::Rows});
  bool Twice = S.MayRead && maybe();
  S.T.loops({{"i", countOf(S.Out, 0, S.TileM)}, {"j", countOf(S.Out, 1, S.TileN)}}, Kind,
            [&](const std::vector<Expr> &I) {
              Blocks At = {{I[0], S.TileM}, {I[1], S.TileN}};
              View Block = blockOf(S.Out, At);
              TensorRef X = S.T.local("block", {Block.extent(0), Block.extent(1)});
              View A = inputBlock(S, At), B = inputBlock(S, At);
              S.T.launch(First.F, {X, A, B, S.N});
              if (Twice)
                S.T.loop("k", intLit(below(3)),
                         [&](const Expr &) { S.T.launch(Second.F, {X, A, B, S.N}); });
              View Out = Last.Form == Shape::Rows ? blockOf(S.Out, {At[0], {intLit(0), intLit(1)}})
                                                  : Block;
              S.T.launch(Last.F, {Out, X, B, S.N});
            });
}

void LogicMaker::simple(Scene &S) {
  switch (below(9)) {
  case 0:
    return whole(S);
  case 1:
    return subBlocks(S);
  case 2:
    return product(S);
  case 3:
    return rowByRow(S);
  case 4:
    return flat(S);
  case 5:
    return viaLocal(S);
  default:
    return blocks(S);
  }
}

void LogicMaker::statement(Scene &S) {
  switch (below(6)) {
  case 0: { // what one iteration writes, the next one reads
    Expr Count = maybe() ? intLit(below(4)) : cast(ScalarType::I64, S.N);
    S.T.loop("t", Count, [&](const Expr &) { simple(S); });
    return;
  }
  case 1: {
    Expr Half = S.T.let("half", binary(BinaryOp::Div, S.N, intLit(2, ScalarType::I32)));
    S.T.when(binary(BinaryOp::Gt, S.N, Half), [&] { simple(S); });
    return;
  }
  default:
    return simple(S);
  }
}

void LogicMaker::task(unsigned Level) {
  std::string Name = "task" + std::to_string(Level);
  TaskBuilder T(FunctionKind::Task, Name);
  Privilege Out = Level > 0 && maybe() ? Privilege::Write : Privilege::ReadWrite;
  TensorRef O = T.param("O", 2, Out), A = T.param("A", 2, Privilege::Read),
            B = T.param("B", 2, Privilege::Read);
  Expr N = T.scalar("n");
  // What the triangles do depends on the blocks: the plain program runs with the mapping's tiles.
  auto Size = [this] { return oneOf<std::int64_t>({1, 2, 3, 4, 5, 8, Everything}); };
  Tiles[Name] = {Size(), Size()};
  Expr TileM = T.tunable("tile_m", Tiles[Name][0]), TileN = T.tunable("tile_n", Tiles[Name][1]);
  Scene Main{T, O, Out == Privilege::ReadWrite, {A, B}, N, TileM, TileN, Level == 0};
  if (maybe()) {
    TensorRef X = T.local("x", {extentOf(O, 0), extentOf(O, 1)});
    Scene Local = Main;
    Local.Out = X;
    Local.MayRead = false;
    if (Out == Privilege::ReadWrite)
      Local.Inputs.push_back(O);
    statement(Local);
    if (maybe()) {
      Local.MayRead = true;
      statement(Local);
    }
    Main.Inputs.push_back(X);
  }
  for (int Count = 1 + below(2); Count > 0; --Count) {
    statement(Main);
    Main.MayRead |= Out == Privilege::ReadWrite;
  }
  Callable Made{T.done(), Out};
  Known.push_back(Made);
  Known.push_back(Made); // prefer tasks
  Known.push_back(Made);
  Tasks.insert(Tasks.begin(), T.done());
}

/// A task that reduces blocks of A and B into parts of O, by further reductions of the same kind.
void LogicMaker::reducer(unsigned Level) {
  std::vector<Callable> Kind;
  UpdateOp Op = maybe() ? UpdateOp::Add : UpdateOp::Max;
  for (const Callable &C : Known)
    if (C.Form == Shape::Rows && C.Reduction == Op)
      Kind.push_back(C);
  std::string Name = "reducer" + std::to_string(Level);
  TaskBuilder T(FunctionKind::Task, Name);
  TensorRef O = T.param("O", 2, Privilege::Reduce, ScalarType::F32, Op),
            A = T.param("A", 2, Privilege::Read), B = T.param("B", 2, Privilege::Read);
  Expr N = T.scalar("n");
  auto Size = [this] { return oneOf<std::int64_t>({1, 2, 3, 5, Everything}); };
  Tiles[Name] = {Size(), Size()};
  Expr TileM = T.tunable("tile_m", Tiles[Name][0]), TileN = T.tunable("tile_n", Tiles[Name][1]);
  BlockAt Only = {intLit(0), intLit(1)};
  for (int Count = 1 + below(2); Count > 0; --Count) {
    const Callable C = Kind[size_t(below(int(Kind.size())))];
    LoopKind Loop = maybe() ? LoopKind::Parallel : LoopKind::Sequential;
    if (maybe())
      T.loops({{"i", countOf(A, 0, TileM)}, {"j", countOf(A, 1, TileN)}}, Loop,
              [&](const std::vector<Expr> &I) {
                Blocks At = {{I[0], TileM}, {I[1], TileN}};
                T.launch(C.F, {blockOf(O, {At[0], Only}), blockOf(A, At), blockOf(B, At), N});
              });
    else
      T.loops({{"j", countOf(A, 1, TileN)}}, Loop, [&](const std::vector<Expr> &J) {
        Blocks At = {{intLit(0), extentOf(A, 0)}, {J[0], TileN}};
        T.launch(C.F, {O, blockOf(A, At), blockOf(B, At), N});
      });
  }
  Known.push_back({T.done(), Privilege::Reduce, Shape::Rows, false, Op});
  Tasks.insert(Tasks.begin(), T.done());
}

TaskGraph LogicMaker::graph() {
  Known = randomLeaves();
  TaskGraph G;
  for (const Callable &C : Known)
    G.Functions.push_back(C.F);
  for (int Level = below(3); Level > 0; --Level)
    reducer(unsigned(Level));
  for (int Level = below(4); Level >= 0; --Level)
    task(unsigned(Level));
  G.Functions.insert(G.Functions.begin(), Tasks.begin(), Tasks.end());
  return G;
}

std::string LogicMaker::instance(const Function &F, unsigned Level, bool Bold) {
  bool Task = F.Kind == FunctionKind::Task, Loops = false, Sequential = false;
  std::vector<std::string> Tensors = {"O", "A", "B"}, Memories = {"CACHE", "GLOBAL"};
  if (Bold && Level == 2)
    Memories.push_back("REGISTER");
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Local>())
      if (std::find(Tensors.begin(), Tensors.end(), L->T->Name) == Tensors.end())
        Tensors.push_back(L->T->Name);
    if (const auto *L = S.getIf<For>())
      (L->Kind == LoopKind::Sequential ? Sequential : Loops) = true;
  });
  auto Pick = [this](const std::vector<std::string> &List) {
    return List[size_t(below(int(List.size())))];
  };
  std::string Mems, Text;
  for (const std::string &Tensor : Tensors)
    if (below(3))
      Mems += (Mems.empty() ? "" : ", ") + Tensor + ": " + Pick(Memories);
  if (!Mems.empty())
    Text += "    mems: {" + Mems + "}\n";
  if (below(8) == 0) {
    std::string Tensor = Pick({"O", "A", "B"});
    std::vector<std::string> Layouts = {"row", "column", "pad(3)"};
    if (Bold && F.Params[0].Tensor->Rank == 2)
      Layouts.insert(Layouts.end(), {"panels(1, 4)", "panels(0, 2)"});
    Text += "    layouts: {" + Tensor + ": '" + Pick(Layouts) + "'}\n";
  }
  if (!Task)
    return Text + (below(8) == 0 ? "    vectorize: false\n" : "");
  std::string Tunables;
  for (size_t D = 0; D < 2; ++D) {
    std::int64_t Size = Tiles.at(F.Name)[D];
    std::string Name = D ? "tile_n: " : "tile_m: ";
    if (Size == Everything || maybe())
      Tunables += (Tunables.empty() ? "" : ", ") + Name +
                  (Size == Everything ? "full" : std::to_string(Size));
  }
  if (!Tunables.empty())
    Text += "    tunables: {" + Tunables + "}\n";
  if (below(5) == 0)
    Text += "    resident: [" + Pick({"O", "A", "B"}) + "]\n";
  if (Sequential && below(4) == 0)
    Text += "    pipeline: 2\n";
  if (Loops && below(4) == 0)
    Text += "    order: " + Pick({"column", "grouped(2)"}) + "\n";
  if (Loops && below(6) == 0)
    Text += "    parallelize: " + Pick({"false", "{collapse: 1}", "{schedule: dynamic}"}) + "\n";
  return Text;
}

std::string LogicMaker::mapping(const TaskGraph &G, bool Bold) {
  std::string Text = "entrypoint: task0\ntask_mappings:\n";
  const std::vector<std::string> Levels = {"HOST", "CORE", "VECTOR"};
  unsigned Level = 0;
  std::set<std::string> Reached = {"task0"};
  for (const FunctionRef &F : G.Functions) {
    if (!Reached.count(F->Name))
      continue;
    if (F->Name != "task0" && Level == 0 && maybe())
      Level = 1;
    bool Task = F->Kind == FunctionKind::Task;
    unsigned At = Task ? Level : Level + unsigned(below(int(3 - Level)));
    Text += "  " + F->Name + ":\n    proc: " + Levels[At] + "\n" + instance(*F, At, Bold);
    walkStmts(F->Body, [&](const Stmt &S) {
      if (const auto *L = S.getIf<Launch>())
        Reached.insert(L->Callee->Name);
    });
  }
  return Text;
}

std::vector<std::vector<TestArgument>> LogicMaker::inputs() {
  std::vector<std::vector<TestArgument>> Inputs;
  for (std::int64_t Rows : {4, 1, 7, 0}) {
    std::int64_t Columns = Square ? Rows : oneOf<std::int64_t>({1, 2, 3, 5, 8});
    std::vector<TestArgument> Args;
    for (int I = 0; I < 3; ++I)
      Args.push_back({tensor({Rows, Columns}), 0});
    Args.push_back({{}, below(4)});
    Inputs.push_back(std::move(Args));
  }
  return Inputs;
}

} // namespace septran::compiler
