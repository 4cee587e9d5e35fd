//===- LogicBlocks.cpp - launches on blocks, as tasks write them ----------===//
#include "Verify/LogicBlocks.h"

#include <map>

namespace septran::compiler {

namespace {

bool contains(const std::vector<int> &List, int Symbol) {
  return std::find(List.begin(), List.end(), Symbol) != List.end();
}

/// The sizes of blocks and the loop variables of one nest.
struct Nest {
  std::map<int, std::string> Tile, Index;
  std::map<int, LogicExpr> Grid; ///< number of blocks

  Nest(LogicBlock &Tunables, const std::vector<int> &Symbols, bool IsFixed, const BlockNames &Fresh,
       Random &R) {
    for (int S : Symbols) {
      const int Size = R.pick({1, 2, 3, 4, 8, 16, 32, 64});
      Tile[S] = IsFixed ? std::to_string(Size) : Fresh("tile");
      Index[S] = Fresh("b");
      if (!IsFixed)
        Tunables.push_back(tunable(Tile[S], Size));
    }
  }

  /// `{tile1, A.extent(1)}`.
  LogicExpr sizes(const LogicTensor &T) const {
    std::vector<LogicExpr> Sizes;
    for (size_t D = 0; D < T.Dims.size(); ++D) {
      auto It = Tile.find(T.Dims[D]);
      Sizes.push_back(It == Tile.end() ? member(T.Name, "extent", unsigned(D)) : text(It->second));
    }
    return listOf(std::move(Sizes));
  }

  /// `P(b2, 0)`.
  LogicExpr block(const std::string &Blocks, const LogicTensor &T) const {
    std::vector<LogicExpr> At;
    for (int S : T.Dims) {
      auto It = Index.find(S);
      At.push_back(It == Index.end() ? number(0) : text(It->second));
    }
    return element(Blocks, std::move(At));
  }

  bool cuts(const LogicTensor &T) const {
    return std::any_of(T.Dims.begin(), T.Dims.end(), [&](int S) { return Tile.count(S) != 0; });
  }
};

/// One parallel loop over all of Symbols, or one in another.
LogicBlock inParallel(const Nest &N, std::vector<int> Symbols, LogicBlock Body, Random &R) {
  if (Symbols.empty())
    return Body;
  if (Symbols.size() > 1 && R.chance(15)) {
    Body = inParallel(N, {Symbols.back()}, std::move(Body), R);
    Symbols.pop_back();
    return inParallel(N, std::move(Symbols), std::move(Body), R);
  }
  std::vector<std::string> Vars;
  std::vector<LogicExpr> Shape;
  for (int S : Symbols) {
    Vars.push_back(N.Index.at(S));
    Shape.push_back(N.Grid.at(S));
  }
  return {parallelLoop(std::move(Vars), std::move(Shape), std::move(Body))};
}

} // namespace

void launchOnBlocks(LogicBlock &Tunables, LogicBlock &B, const std::string &Callee,
                    const std::vector<LogicTensor> &Tensors, std::vector<LogicExpr> Scalars,
                    const BlockCut &Cut, const BlockNames &Fresh, Random &R) {
  std::vector<int> Symbols = Cut.Parallel;
  Symbols.insert(Symbols.end(), Cut.Sequential.begin(), Cut.Sequential.end());
  Nest N(Tunables, Symbols, Cut.IsFixed, Fresh, R);
  std::vector<LogicExpr> Args;
  std::map<std::string, std::string> Partitions; // of tensors
  for (const LogicTensor &T : Tensors) {
    if (!N.cuts(T)) {
      Args.push_back(text(T.Name));
      continue;
    }
    const std::string Blocks = Partitions[T.Name] = Fresh("p");
    B.push_back(define(Blocks, callOf("septran::partition", {text(T.Name), N.sizes(T)})));
    Args.push_back(N.block(Blocks, T));
  }
  for (int S : Symbols) {
    const LogicTensor &Ruler = *rulerOf(S, Tensors);
    N.Grid[S] = member(Partitions.at(Ruler.Name), "extent", unsigned(Ruler.dimOf(S)));
  }
  for (LogicExpr &E : Scalars)
    Args.push_back(std::move(E));
  LogicBlock Body = {launch(Callee, std::move(Args))};
  for (size_t I = Cut.Sequential.size(); I-- > 0;)
    Body = {
        forLoop(N.Index[Cut.Sequential[I]], number(0), N.Grid[Cut.Sequential[I]], std::move(Body))};
  for (LogicStmt &S : inParallel(N, Cut.Parallel, std::move(Body), R))
    B.push_back(std::move(S));
}

void launchStencil(LogicBlock &Tunables, LogicBlock &B, const std::string &Callee,
                   const LogicTensor &Out, const LogicTensor &In, const StencilCut &Cut,
                   const BlockNames &Fresh, Random &R) {
  Nest N(Tunables, Cut.Parallel, false, Fresh, R);
  const std::string Blocks = Fresh("p"), Windows = Fresh("w");
  B.push_back(define(Blocks, callOf("septran::partition", {text(Out.Name), N.sizes(Out)})));
  std::vector<LogicExpr> Low, High;
  for (size_t D = 0; D < Out.Dims.size(); ++D) {
    Low.push_back(number(Cut.Low[D]));
    High.push_back(number(Cut.High[D]));
  }
  std::vector<LogicExpr> Args = {text(In.Name), N.sizes(In), N.sizes(In), listOf(std::move(Low)),
                                 listOf(std::move(High))};
  if (Cut.Fill)
    Args.push_back(*Cut.Fill);
  B.push_back(define(Windows, callOf("septran::windows", std::move(Args))));
  for (size_t D = 0; D < Out.Dims.size(); ++D)
    if (contains(Cut.Parallel, Out.Dims[D]))
      N.Grid[Out.Dims[D]] = member(Blocks, "extent", unsigned(D));
  LogicBlock Body = {launch(Callee, {N.block(Blocks, Out), N.block(Windows, In)})};
  for (LogicStmt &S : inParallel(N, Cut.Parallel, std::move(Body), R))
    B.push_back(std::move(S));
}

} // namespace septran::compiler
