//===- SplitLeaf.cpp - a leaf as start, sum and finish --------------------===//
#include "Logic/SplitLeaf.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/ImpliedFunction.h"
#include "Logic/LoopsOfLeaf.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace septran::compiler {

namespace {

/// What the loops of a leaf enclose.
struct Parts {
  Block Before;
  Block Loops; ///< that sum, with bounds of their own each
  Block After;
  std::vector<VarRef> Sums; ///< scalars that Loops update
};

bool mentionsAny(const Block &B, const std::vector<VarRef> &Vars) {
  bool Found = false;
  walkExprs(B, [&](const Expr &E) {
    Found |= E->Kind == ExprKind::Var && std::count(Vars.begin(), Vars.end(), E->V);
  });
  return Found;
}

/// The scalars of `Before` that the loops update; none unless all they do is that.
std::vector<VarRef> sumsOf(const Block &Before, const Block &Loops) {
  std::vector<VarRef> Result;
  bool OnlySums = writtenBy(Loops).empty();
  walkStmts(Loops, [&](const Stmt &S) {
    const auto *A = S.getIf<Assign>();
    const bool IsOutside = A && std::any_of(Before.begin(), Before.end(), [&](const Stmt &B) {
      return introducedVar(B) == A->V;
    });
    if (!IsOutside)
      return;
    OnlySums &= isReduction(A->Op);
    if (!std::count(Result.begin(), Result.end(), A->V))
      Result.push_back(A->V);
  });
  return OnlySums && !mentionsAny(Loops, Result) ? Result : std::vector<VarRef>();
}

/// Goes on with what another loop of as many iterations does. False if it has others.
bool append(For &Loop, const For &Other) {
  if (!equal(Loop.Lo, Other.Lo) || !equal(Loop.Hi, Other.Hi) || Loop.Step != Other.Step || Loop.Kind != Other.Kind)
    return false;
  Substitution Same;
  Same.Vars[Other.V] = varExpr(Loop.V);
  for (Stmt &S : freshCopy(Other.Body, Same))
    Loop.Body.push_back(std::move(S));
  return true;
}

/// No sums unless the block has the form that SplitLeaf.h names.
Parts partsOf(const Block &Inner) {
  Parts P;
  const auto IsLoop = [](const Stmt &S) { return S.getIf<For>() != nullptr; };
  const auto End = std::find_if(Inner.rbegin(), Inner.rend(), IsLoop).base(); // behind the last loop
  for (auto S = Inner.begin(); S != End; ++S)
    if (!IsLoop(*S))
      P.Before.push_back(*S);
    else if (P.Loops.empty() || !append(*P.Loops.back().getIf<For>(), *S->getIf<For>()))
      P.Loops.push_back(*S);
  P.After.assign(End, Inner.end());
  const bool OnlyLets = std::all_of(P.Before.begin(), P.Before.end(), [](const Stmt &S) {
    return S.getIf<Let>() && S.getIf<Let>()->Value;
  });
  bool LoopsAfter = false;
  walkStmts(P.After, [&](const Stmt &S) { LoopsAfter |= S.getIf<For>() != nullptr; });
  std::set<TensorRef> Early = readBy(P.Before);
  Early.merge(readBy(P.Loops));
  bool ChangesEarly = false;
  for (const TensorRef &T : writtenBy(P.After))
    ChangesEarly |= Early.count(T) != 0;
  if (!OnlyLets || LoopsAfter || ChangesEarly)
    return {};
  P.Sums = sumsOf(P.Before, P.Loops);
  if (mentionsAny(P.Before, P.Sums))
    P.Sums.clear();
  return P;
}

/// How an integer changes while loop variables grow.
enum class Growth { None, Up, Down, Unknown };

Growth reversed(Growth G) {
  return G == Growth::Up ? Growth::Down : G == Growth::Down ? Growth::Up : G;
}

Growth both(Growth A, Growth B) {
  return A == B || B == Growth::None ? A : A == Growth::None ? B : Growth::Unknown;
}

Growth growthOf(const Expr &E, const std::set<VarRef> &Loops) {
  const std::vector<VarRef> Vars = collectVars(E);
  if (std::none_of(Vars.begin(), Vars.end(), [&](const VarRef &V) { return Loops.count(V) != 0; }))
    return Growth::None;
  if (!isInteger(E->Type) || !isSigned(E->Type))
    return Growth::Unknown;
  const auto Operand = [&](unsigned I) { return growthOf(E->Args[I], Loops); };
  if (E->Kind == ExprKind::Var)
    return Growth::Up;
  if (E->Kind == ExprKind::Cast)
    return Operand(0);
  if (E->Kind != ExprKind::Binary)
    return Growth::Unknown;
  switch (E->Bin) {
  case BinaryOp::Add:
  case BinaryOp::Min:
  case BinaryOp::Max:
    return both(Operand(0), Operand(1));
  case BinaryOp::Sub:
    return both(Operand(0), reversed(Operand(1)));
  case BinaryOp::Mul:
    for (unsigned I : {0u, 1u})
      if (const auto Factor = constantValue(E->Args[I]))
        return *Factor < 0 ? reversed(Operand(1 - I)) : Operand(1 - I);
    return Growth::Unknown;
  default:
    return Growth::Unknown;
  }
}

class Splitter {
  const FunctionRef &Leaf;
  const LoopsOfLeaf Loops;
  const Parts Inner;
  std::vector<Expr> Here;            ///< the element of the local tensors
  std::vector<FunctionRef> Made;     ///< start, sums, finish
  Function Tile;
  std::map<TensorRef, TensorRef> Own; ///< parameters of the leaf -> those of the task
  std::map<VarRef, TensorRef> Locals; ///< of the task, one for each sum

  /// Behind the definitions that it needs.
  Block withDefinitions(const Block &Definitions, Block Body) const {
    for (auto S = Definitions.rbegin(); S != Definitions.rend(); ++S)
      if (mentions(Body, introducedVar(*S)) && !std::count(Inner.Sums.begin(), Inner.Sums.end(),
                                                           introducedVar(*S)))
        Body.insert(Body.begin(), *S);
    return Body;
  }

  /// A leaf that does this for every element, and its launch. `Sums` has what the body calls the
  /// local of each sum that it uses.
  Stmt addLeaf(const std::string &Suffix, Block Body, const std::map<VarRef, TensorRef> &Sums,
               Privilege Access) {
    std::vector<LoopsOfLeaf::Loop> Around = Loops.loops();
    for (unsigned D = 0; D < Around.size(); ++D)
      Around[D].Hi = extentOf(Sums.begin()->second, D);
    rewriteExprs(Body, [&](const Expr &E) -> Expr { // not to ask what has the same extents
      for (unsigned D = 0; D < Around.size(); ++D)
        if (equal(E, Loops.loops()[D].Hi))
          return Around[D].Hi;
      return nullptr;
    });
    Body = withDefinitions(Loops.definitions(),
                           around(Around, withDefinitions(Inner.Before, std::move(Body))));
    PartOfLeaf Part{impliedFunction(*Leaf, Suffix), {}, {}};
    for (const VarRef &V : Inner.Sums) {
      const auto Sum = Sums.find(V);
      if (Sum == Sums.end())
        continue;
      Parameter P;
      P.Name = V->Name;
      P.Tensor = Sum->second;
      P.Access = Access;
      P.Loc = Leaf->Loc;
      P.Tensor->Const = Access == Privilege::Read;
      Part.F.Params.push_back(P);
      Part.L.Args.push_back({wholeView(Locals.at(V)), nullptr});
    }
    Part.addParameters(*Leaf, Tile, Body);
    Made.push_back(Part.finish(Body));
    return {std::move(Part.L), Leaf->Loc};
  }

  /// A mapping could not tell the local tensor from the argument.
  bool hidesParameter() const {
    return std::any_of(Leaf->Params.begin(), Leaf->Params.end(), [&](const Parameter &P) {
      return std::any_of(Inner.Sums.begin(), Inner.Sums.end(),
                         [&](const VarRef &V) { return V->Name == P.Name; });
    });
  }

  TensorRef nameOf(const VarRef &Sum) const {
    return makeTensor(Sum->Name, Sum->Type, unsigned(Here.size()), TensorKind::Parameter,
                      Leaf->Loc);
  }
  std::map<VarRef, TensorRef> namesOfSums() const {
    std::map<VarRef, TensorRef> Result;
    for (const VarRef &V : Inner.Sums)
      Result[V] = nameOf(V);
    return Result;
  }

  Stmt addStart() {
    const std::map<VarRef, TensorRef> Sums = namesOfSums();
    Block Body;
    for (const VarRef &V : Inner.Sums)
      for (const Stmt &S : Inner.Before)
        if (introducedVar(S) == V)
          Body.push_back({Store{Sums.at(V), Here, UpdateOp::Set, S.getIf<Let>()->Value}, S.Loc});
    return addLeaf("_start", std::move(Body), Sums, Privilege::Write);
  }

  /// Of a loop whose bounds move from one row of the tile to the next what all rows have, and what
  /// only some have before and after that.
  std::vector<For> sharedRange(const For &Loop) const {
    Substitution Written, First, Last;
    for (const Stmt &S : Inner.Before)
      if (const auto *L = S.getIf<Let>(); !L->Mutable)
        Written.Vars[L->V] = substitute(L->Value, Written);
    const Expr Lo = substitute(Loop.Lo, Written), Hi = substitute(Loop.Hi, Written);
    std::set<VarRef> Around;
    for (const LoopsOfLeaf::Loop &L : Loops.loops()) {
      Around.insert(L.V);
      First.Vars[L.V] = intLit(0, L.V->Type);
      Last.Vars[L.V] = cast(L.V->Type, L.Hi - intLit(1));
    }
    const Growth LoMoves = growthOf(Lo, Around), HiMoves = growthOf(Hi, Around);
    if (Loop.Step != 1 || LoMoves == Growth::Unknown || HiMoves == Growth::Unknown ||
        (LoMoves == Growth::None && HiMoves == Growth::None))
      return {Loop};
    const Expr Begin = substitute(Lo, LoMoves == Growth::Up ? Last : First);
    const Expr End = substitute(Hi, HiMoves == Growth::Down ? Last : First);
    std::vector<For> Ranges;
    const auto add = [&](const Expr &From, const Expr &To) {
      Substitution Own;
      const Block Copy = freshCopy({{Loop, {}}}, Own);
      Ranges.push_back(*Copy.front().getIf<For>());
      Ranges.back().Lo = From;
      Ranges.back().Hi = To;
    };
    if (LoMoves != Growth::None)
      add(Lo, minExpr(Hi, Begin));
    add(Begin, End);
    if (HiMoves != Growth::None)
      add(maxExpr(Begin, End), Hi);
    return Ranges;
  }

  Stmt addSum(const Stmt &Loop, const std::string &Suffix) {
    std::map<VarRef, TensorRef> Sums;
    Block Body = {Loop};
    walkStmts(Body, [&](Stmt &S) {
      const auto *A = S.getIf<Assign>();
      if (!A || !std::count(Inner.Sums.begin(), Inner.Sums.end(), A->V))
        return;
      const auto Sum = Sums.try_emplace(A->V, nullptr).first;
      if (!Sum->second)
        Sum->second = nameOf(A->V);
      S = {Store{Sum->second, Here, A->Op, A->Value}, S.Loc};
    });
    return addLeaf(Suffix, std::move(Body), Sums, Privilege::ReadWrite);
  }

  Stmt addFinish() {
    const std::map<VarRef, TensorRef> Sums = namesOfSums();
    Block Body;
    for (const VarRef &V : Inner.Sums) {
      bool IsAssigned = false;
      walkStmts(Inner.After, [&](const Stmt &S) {
        IsAssigned |= S.getIf<Assign>() && S.getIf<Assign>()->V == V;
      });
      Body.push_back({Let{V, load(Sums.at(V), Here), IsAssigned}, Leaf->Loc});
    }
    Body.insert(Body.end(), Inner.After.begin(), Inner.After.end());
    return addLeaf("_finish", std::move(Body), Sums, Privilege::Read);
  }

public:
  explicit Splitter(const FunctionRef &Leaf)
      : Leaf(Leaf), Loops(Leaf->Body), Inner(partsOf(Loops.inner())) {}

  std::optional<SplitLeaf> run() {
    if (Loops.loops().empty() || Inner.Sums.empty() || Inner.After.empty() || hidesParameter())
      return std::nullopt;
    Tile = impliedFunction(*Leaf, "_tile");
    Tile.Family = Leaf->Family;
    Own = addParametersOf(*Leaf, Tile);
    std::vector<Expr> Extents;
    for (const LoopsOfLeaf::Loop &L : Loops.loops()) {
      const std::optional<Dimension> Walked = L.whole();
      if (!Walked)
        return std::nullopt;
      Here.push_back(varExpr(L.V));
      Extents.push_back(extentOf(Own.at(Walked->first), Walked->second));
    }
    for (const VarRef &V : Inner.Sums) {
      Locals[V] = makeTensor(V->Name, V->Type, unsigned(Here.size()), TensorKind::Local, Leaf->Loc);
      Tile.Body.push_back({Local{Locals.at(V), Extents}, Leaf->Loc});
    }
    Tile.Body.push_back(addStart());
    Block Sums;
    for (const Stmt &S : Inner.Loops)
      for (For &Range : sharedRange(*S.getIf<For>()))
        Sums.push_back({std::move(Range), S.Loc});
    for (size_t I = 0; I < Sums.size(); ++I)
      Tile.Body.push_back(
          addSum(Sums[I], Sums.size() == 1 ? "_sum" : "_sum_" + std::to_string(I + 1)));
    Tile.Body.push_back(addFinish());
    return SplitLeaf{std::make_shared<const Function>(std::move(Tile)), Made};
  }
};

} // namespace

std::optional<SplitLeaf> splitLeaf(const FunctionRef &Leaf) { return Splitter(Leaf).run(); }

} // namespace septran::compiler
