//===- ImpliedVariants.cpp - tasks that cut the loops of leaves -----------===//
#include "Logic/ImpliedVariants.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/ImpliedFunction.h"
#include "Logic/LoopsOfLeaf.h"
#include "Logic/SplitLeaf.h"
#include "Support/StableSort.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace septran::compiler {

namespace {

using Dimension = std::pair<TensorRef, unsigned>;

/// A loop that can be cut.
struct Cut {
  VarRef V;
  Dimension Bound; ///< it ends where this does
  bool IsParallel = false;
};

/// Which loops of a leaf can be cut, and which dimensions they walk.
class LeafCuts {
  std::vector<Cut> Nest;             ///< loops directly in each other, outermost first
  std::map<Dimension, VarRef> Walks; ///< null: not by one of these loops
  std::set<VarRef> Fixed;            ///< cannot be cut
  std::set<TensorRef> Read, Written;
  bool HasOtherLoops = false; ///< within the nest

  bool isInNest(const VarRef &V) const {
    return std::any_of(Nest.begin(), Nest.end(), [&](const Cut &C) { return C.V == V; });
  }

  void fixAllIn(const Expr &E) {
    for (const VarRef &V : collectVars(E))
      Fixed.insert(V);
  }

  void access(const TensorRef &T, const std::vector<Expr> &Indices) {
    for (unsigned D = 0; D < Indices.size(); ++D) {
      const Expr Term = onlyTerm(Indices[D]);
      VarRef By = Term && Term->Kind == ExprKind::Var && isInNest(Term->V) ? Term->V : nullptr;
      if (!By)
        fixAllIn(Indices[D]);
      auto [At, IsNew] = Walks.try_emplace({T, D}, By);
      if (!IsNew && At->second != By) {
        Fixed.insert(By);
        Fixed.insert(std::exchange(At->second, nullptr));
      }
    }
  }

  /// What blocks change: numbers of iterations, origins, extents. A sum of an origin and the
  /// number of the iteration that walks its dimension stays what it is.
  void value(const Expr &E) {
    if (E->Kind == ExprKind::Load) {
      for (const Expr &Index : E->Args)
        if (const Expr Term = onlyTerm(Index); !Term || Term->Kind != ExprKind::Var)
          value(Index);
      return;
    }
    const std::optional<Affine> Sum = affineForm(E);
    if (!Sum) {
      for (const Expr &Arg : E->Args)
        value(Arg);
      return;
    }
    std::map<VarRef, std::int64_t> Moved;
    auto move = [&](const VarRef &V, std::int64_t By, bool IsOrigin) {
      std::int64_t &Sum = Moved[V];
      if (IsOrigin ? __builtin_sub_overflow(Sum, By, &Sum) : __builtin_add_overflow(Sum, By, &Sum))
        Fixed.insert(V);
    };
    for (const auto &[Atom, Factor] : Sum->Terms)
      if (Atom->Kind == ExprKind::Var)
        move(Atom->V, Factor, false);
      else if (Atom->Kind == ExprKind::Origin)
        move(walkerOf({Atom->T, Atom->Dim}), Factor, true);
      else if (Atom->Kind == ExprKind::Extent)
        Fixed.insert(walkerOf({Atom->T, Atom->Dim}));
      else if (Atom->Kind == ExprKind::Load)
        value(Atom);
      else
        for (const Expr &Arg : Atom->Args)
          value(Arg);
    for (const auto &[V, By] : Moved)
      if (By != 0)
        Fixed.insert(V);
  }

  bool walksAll(const VarRef &V, const std::set<TensorRef> &Tensors) const {
    return std::all_of(Tensors.begin(), Tensors.end(), [&](const TensorRef &T) {
      for (unsigned D = 0; D < T->Rank; ++D)
        if (walkerOf({T, D}) == V)
          return true;
      return false;
    });
  }

public:
  /// The loop that walks the dimension; null: none of the nest.
  VarRef walkerOf(const Dimension &D) const {
    auto At = Walks.find(D);
    return At == Walks.end() ? nullptr : At->second;
  }

  explicit LeafCuts(const Block &Body) {
    const LoopsOfLeaf Loops(Body);
    const Block &Inner = Loops.inner();
    for (const LoopsOfLeaf::Loop &L : Loops.loops())
      Nest.push_back({L.V, {L.T, L.Dim}});
    walkExprs(Inner, [&](const Expr &E) {
      if (E->Kind == ExprKind::Load) {
        access(E->T, E->Args);
        Read.insert(E->T);
      }
    });
    walkStmts(Inner, [&](const Stmt &S) {
      HasOtherLoops |= S.getIf<For>() != nullptr;
      if (const auto *Element = S.getIf<Store>()) {
        access(Element->T, Element->Indices);
        Written.insert(Element->T);
      }
    });
    walkStmts(Inner, [&](const Stmt &S) {
      const auto *Element = S.getIf<Store>();
      forEachExpr(S, [&](const Expr &E) {
        const bool IsIndex = Element && std::find(Element->Indices.begin(), Element->Indices.end(),
                                                  E) != Element->Indices.end();
        if (!IsIndex || !onlyTerm(E) || onlyTerm(E)->Kind != ExprKind::Var)
          value(E);
      });
    });
    for (const Cut &C : Nest)
      if (walkerOf(C.Bound) != C.V)
        Fixed.insert(C.V);
  }

  /// The loops to cut, outermost first: those that give something to use again or, for a leaf that is
  /// to be spread over cores, those whose blocks are independent. Of loops that do not select what is
  /// written only the outermost, or elements would see the iterations in another order.
  std::vector<Cut> cuts(bool ForCores) const {
    std::vector<Cut> Result;
    bool Sums = false, UsesAgain = false;
    for (Cut C : Nest) {
      const bool CanCut = !Fixed.count(C.V);
      C.IsParallel = CanCut && !Written.empty() && walksAll(C.V, Written);
      if (C.IsParallel || (CanCut && !Sums))
        Result.push_back(C);
      Sums |= !C.IsParallel;
      UsesAgain |= C.IsParallel && !walksAll(C.V, Read);
    }
    if ((Sums || HasOtherLoops) && UsesAgain)
      return Result;
    std::erase_if(Result, [&](const Cut &C) { return !ForCores || !C.IsParallel; });
    return Result;
  }
};

/// The task that cuts the loops of the leaf.
class BlockedVariant {
  const FunctionRef &Leaf;
  const LeafCuts Loops;
  Function F;
  std::map<VarRef, VarRef> Tile, Block; ///< of each loop: tunable, number of the block
  std::map<TensorRef, TensorRef> Own;   ///< parameters of the leaf -> those of the task

  Expr extent(const Dimension &D) const { return extentOf(Own.at(D.first), D.second); }

  View argument(const TensorRef &T) const {
    View Whole = explicitView(wholeView(Own.at(T)));
    bool IsCut = false;
    for (unsigned D = 0; D < T->Rank; ++D)
      if (auto At = Tile.find(Loops.walkerOf({T, D})); At != Tile.end()) {
        Slice &S = Whole.Slices[D];
        S.Block = varExpr(At->second);
        S.Index = varExpr(Block.at(At->first));
        S.Offset = S.Index * S.Block;
        S.Extent = minExpr(S.Block, extent({T, D}) - S.Offset);
        IsCut = true;
      }
    return IsCut ? Whole : wholeView(Own.at(T));
  }

  Launch launch() const {
    Launch L;
    L.Callee = Leaf;
    for (size_t I = 0; I < F.Params.size(); ++I) {
      L.Args.emplace_back();
      if (const Parameter &P = Leaf->Params[I]; P.isTensor())
        L.Args.back().Tensor = argument(P.Tensor);
      else
        L.Args.back().Scalar = varExpr(F.Params[I].Scalar);
    }
    return L;
  }

public:
  explicit BlockedVariant(const FunctionRef &Leaf)
      : Leaf(Leaf), Loops(Leaf->Body), F(impliedFunction(*Leaf, "_blocks")) {
    F.Family = Leaf->Family;
  }

  /// Null if there is nothing to cut.
  FunctionRef make(bool ForCores) {
    std::vector<Cut> Cuts = Loops.cuts(ForCores);
    if (Cuts.empty())
      return nullptr;
    // Parallel loops around the one that sums.
    auto IsParallel = [](const Cut &C) { return C.IsParallel; };
    stablePartition(Cuts, IsParallel);
    const auto Parallel = std::count_if(Cuts.begin(), Cuts.end(), IsParallel);
    Own = addParametersOf(*Leaf, F);
    std::set<std::string> Names;
    for (const Cut &C : Cuts) {
      if (!Names.insert(C.V->Name).second) // one loop hides the other's variable
        return nullptr;
      Tile[C.V] = makeVar("tile_" + C.V->Name, ScalarType::I64, VarKind::Tunable, Leaf->Loc);
      Block[C.V] = makeVar(C.V->Name, ScalarType::I64, VarKind::Loop, Leaf->Loc);
      F.Tunables.push_back({Tile[C.V], nullptr, Leaf->Loc});
    }
    F.Body.push_back({launch(), Leaf->Loc});
    for (auto C = Cuts.rbegin(); C != Cuts.rend(); ++C) {
      For Loop;
      Loop.V = Block[C->V];
      Loop.Lo = intLit(0);
      Loop.Hi = ceilDiv(extent(C->Bound), varExpr(Tile[C->V]));
      Loop.Kind = C->IsParallel ? LoopKind::Parallel : LoopKind::Sequential;
      Loop.Group = C->IsParallel && Parallel > 1 ? 1 : 0;
      Loop.Body = std::exchange(F.Body, {});
      F.Body.push_back({std::move(Loop), Leaf->Loc});
    }
    return std::make_shared<const Function>(std::move(F));
  }
};

/// Outside loops whose iterations cores can share.
bool launchesWhole(const Block &B, const std::string &Family) {
  return std::any_of(B.begin(), B.end(), [&](const Stmt &S) {
    if (const auto *L = S.getIf<Launch>())
      return L->Callee->Family == Family;
    const auto *F = S.getIf<For>();
    const std::vector<const Block *> Nested = nestedBlocks(S);
    return !(F && F->Kind == LoopKind::Parallel) &&
           std::any_of(Nested.begin(), Nested.end(),
                       [&](const Block *Inner) { return launchesWhole(*Inner, Family); });
  });
}

/// Functions that need each other, together.
std::vector<std::vector<FunctionRef>> impliedBy(const FunctionRef &Leaf, bool ForCores) {
  std::vector<std::vector<FunctionRef>> Result;
  if (FunctionRef Blocks = BlockedVariant(Leaf).make(ForCores))
    Result.push_back({Blocks});
  if (const std::optional<SplitLeaf> Split = splitLeaf(Leaf))
    if (FunctionRef Blocks = BlockedVariant(Split->Sum).make(false))
      Result.push_back({Split->Tile, Split->Start, Split->Sum, Split->Finish, Blocks});
  return Result;
}

} // namespace

void addImpliedVariants(TaskGraph &G) {
  std::set<std::string> Names;
  for (const FunctionRef &F : G.Functions)
    Names.insert({F->Name, F->Family});
  std::vector<FunctionRef> All;
  for (const FunctionRef &Leaf : G.Functions) {
    const std::vector<FunctionRef> Family = G.variants(Leaf->Family);
    const bool IsCut = std::any_of(Family.begin(), Family.end(), [&](const FunctionRef &F) {
      return F->Kind == FunctionKind::Task && sameSignature(*F, *Leaf);
    });
    if (Leaf->Kind != FunctionKind::Leaf || IsCut)
      continue;
    const bool ForCores =
        std::any_of(G.Functions.begin(), G.Functions.end(), [&](const FunctionRef &F) {
          return F->IsEntryCandidate && launchesWhole(F->Body, Leaf->Family);
        });
    for (const std::vector<FunctionRef> &Group : impliedBy(Leaf, ForCores))
      if (std::none_of(Group.begin(), Group.end(),
                       [&](const FunctionRef &F) { return Names.count(F->Name) != 0; }))
        All.insert(All.end(), Group.begin(), Group.end());
  }
  G.Functions.insert(G.Functions.end(), All.begin(), All.end());
}

} // namespace septran::compiler
