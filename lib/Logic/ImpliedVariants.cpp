//===- ImpliedVariants.cpp - tasks that cut the loops of leaves -----------===//
#include "Logic/ImpliedVariants.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Logic/ImpliedFunction.h"
#include "Logic/LeafCuts.h"
#include "Logic/LeafParts.h"
#include "Logic/SplitLeaf.h"
#include "Support/StableSort.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace septran::compiler {

namespace {

/// The task that cuts the loops of a leaf, and the leaf that it launches.
class BlockedVariant {
  const FunctionRef &Leaf;
  const LeafCuts Loops;
  std::vector<Cut> Cuts;
  Function F;
  std::map<VarRef, VarRef> Tile, Number; ///< of each loop: tunable, number of the block
  Substitution Own;                     ///< parameters of the leaf -> those of the task
  std::map<TensorRef, TensorRef> Parts; ///< parameters of the leaf -> what the task cuts
  FunctionRef Callee;
  std::vector<Expr> MoreArgs; ///< of the callee, behind those of the leaf

  const Cut *cutOf(const Dimension &D) const {
    return septran::compiler::cutOf(Cuts, Loops.walkerOf(D));
  }

  Expr extent(const Dimension &D) const { return extentOf(Parts.at(D.first), D.second); }

  Expr wholeExtent(const Dimension &D) const {
    return extentOf(Own.Tensors.at(D.first), D.second);
  }

  /// What the loop's variable is where the block begins, as a number of this type. Only offsets are
  /// converted: they are known to fit.
  Expr first(const Cut &C, ScalarType Type) const {
    const Expr Offset = cast(Type, varExpr(Number.at(C.V)) * varExpr(Tile.at(C.V)));
    return C.IsInner ? binary(BinaryOp::Add, cast(Type, substitute(C.Lo, Own)), Offset, Type)
                     : Offset;
  }

  /// Finds what is cut: of dimensions that a loop does not walk from end to end, what lies between.
  void addParts() {
    for (const Parameter &P : Leaf->Params) {
      const TensorRef &T = P.Tensor;
      if (!P.isTensor())
        continue;
      View Inner = explicitView(wholeView(Own.Tensors.at(T)));
      bool IsInner = false;
      for (unsigned D = 0; D < T->Rank; ++D)
        if (const Cut *C = cutOf({T, D}); C && C->IsInner) {
          Slice &S = Inner.Slices[D];
          Expr End = substitute(C->Hi, Own);
          if (!Loops.isCovered({T, D}) && !provablyLessEqual(End, S.Extent))
            End = minExpr(End, S.Extent);
          S.Offset = substitute(C->Lo, Own);
          S.Extent = End - S.Offset;
          if (!provablyNonNegative(S.Extent))
            S.Extent = maxExpr(S.Extent, intLit(0));
          IsInner = true;
        }
      Parts[T] = Inner.Base;
      if (!IsInner)
        continue;
      Parts[T] = makeTensor(T->Name, T->Element, T->Rank, TensorKind::Alias, Leaf->Loc);
      Parts[T]->Const = T->Const;
      F.Body.push_back({Define{Parts[T], std::move(Inner)}, Leaf->Loc});
    }
  }

  View argument(const TensorRef &T) const {
    View Whole = explicitView(wholeView(Parts.at(T)));
    bool IsCut = false;
    for (unsigned D = 0; D < T->Rank; ++D)
      if (const Cut *C = cutOf({T, D})) {
        Slice &S = Whole.Slices[D];
        S.Block = varExpr(Tile.at(C->V));
        S.Index = varExpr(Number.at(C->V));
        S.Offset = S.Index * S.Block;
        S.Extent = minExpr(S.Block, extent({T, D}) - S.Offset);
        IsCut = true;
      }
    return IsCut ? Whole : wholeView(Parts.at(T));
  }

  /// The parameter, moved on by the loops that it says the beginning of.
  Expr argument(const VarRef &Param, const VarRef &OwnParam) const {
    Expr Result = varExpr(OwnParam);
    for (const Cut &C : Cuts)
      if (Loops.companionOf(C.V) == Param)
        Result = binary(BinaryOp::Add, Result, first(C, Param->Type), Param->Type);
    return Result;
  }

  Launch launch() const {
    Launch L;
    L.Callee = Callee;
    for (size_t I = 0; I < F.Params.size(); ++I)
      if (const Parameter &P = Leaf->Params[I]; P.isTensor())
        L.Args.push_back({argument(P.Tensor), nullptr});
      else
        L.Args.push_back({View(), argument(P.Scalar, F.Params[I].Scalar)});
    for (const Expr &More : MoreArgs)
      L.Args.push_back({View(), More});
    return L;
  }

  /// The leaf, if it can do with a block; else one that is told where the block lies in the whole.
  void chooseCallee() {
    Callee = Leaf;
    Function At = impliedFunction(*Leaf, "_at");
    At.Kind = FunctionKind::Leaf;
    At.Params = Leaf->Params;
    std::set<std::string> Names;
    for (const Parameter &P : Leaf->Params)
      Names.insert(P.Name);
    auto addScalar = [&](const std::string &Wanted, ScalarType Type, Expr Value) {
      std::string Name = Wanted; // a leaf that is told already has such a parameter
      for (unsigned N = 2; !Names.insert(Name).second; ++N)
        Name = Wanted + "_" + std::to_string(N);
      Parameter P;
      P.Name = Name;
      P.Scalar = makeVar(std::move(Name), Type, VarKind::Parameter, Leaf->Loc);
      P.Loc = Leaf->Loc;
      At.Params.push_back(P);
      MoreArgs.push_back(std::move(Value));
      return varExpr(P.Scalar);
    };
    std::map<VarRef, Expr> Position;
    for (const Cut &C : Cuts)
      if (Loops.isPositional(C.V) && !Loops.companionOf(C.V))
        Position[C.V] = binary(
            BinaryOp::Add, addScalar("first_" + C.V->Name, C.V->Type, first(C, C.V->Type)),
            varExpr(C.V), C.V->Type);
    std::map<Dimension, Expr> Extents;
    for (const Dimension &D : Loops.measured(Cuts))
      Extents[D] = addScalar(D.first->Name + "_extent" + std::to_string(D.second), ScalarType::I64,
                             wholeExtent(D));
    if (MoreArgs.empty() &&
        std::none_of(Cuts.begin(), Cuts.end(), [](const Cut &C) { return C.IsInner; }))
      return;
    Substitution Fresh;
    for (Parameter &P : At.Params)
      if (P.isTensor())
        P.Tensor = Fresh.Tensors[P.Tensor] = std::make_shared<Tensor>(*P.Tensor);
      else {
        auto Own = std::make_shared<const Var>(*P.Scalar);
        Fresh.Vars[std::exchange(P.Scalar, Own)] = varExpr(Own);
      }
    At.Body = freshCopy(Loops.placed(Cuts, Position, Extents), Fresh);
    Callee = std::make_shared<const Function>(std::move(At));
  }

public:
  BlockedVariant(const FunctionRef &Leaf, bool ForCores)
      : Leaf(Leaf), Loops(*Leaf), Cuts(Loops.cuts(ForCores)), F(impliedFunction(*Leaf, "_blocks")) {
    F.Family = Leaf->Family;
  }

  /// The task and, if it is not the leaf, what it launches. Empty if there is nothing to cut, or if
  /// that needs another leaf and may not.
  std::vector<FunctionRef> make(bool MayMove) {
    if (Cuts.empty())
      return {};
    // Parallel loops around the one that sums.
    auto IsParallel = [](const Cut &C) { return C.IsParallel; };
    stablePartition(Cuts, IsParallel);
    const auto Parallel = std::count_if(Cuts.begin(), Cuts.end(), IsParallel);
    Own.Tensors = addParametersOf(*Leaf, F);
    for (size_t I = 0; I < F.Params.size(); ++I)
      if (!F.Params[I].isTensor())
        Own.Vars[Leaf->Params[I].Scalar] = varExpr(F.Params[I].Scalar);
    std::set<std::string> Names;
    for (const Cut &C : Cuts) {
      if (!Names.insert(C.V->Name).second) // one loop hides the other's variable
        return {};
      Tile[C.V] = makeVar("tile_" + C.V->Name, ScalarType::I64, VarKind::Tunable, Leaf->Loc);
      Number[C.V] = makeVar(C.V->Name, ScalarType::I64, VarKind::Loop, Leaf->Loc);
      F.Tunables.push_back({Tile[C.V], nullptr, Leaf->Loc});
    }
    addParts();
    chooseCallee();
    if (Callee != Leaf && !MayMove)
      return {};
    Block Nest = {{launch(), Leaf->Loc}};
    for (auto C = Cuts.rbegin(); C != Cuts.rend(); ++C) {
      For Loop;
      Loop.V = Number[C->V];
      Loop.Lo = intLit(0);
      Loop.Hi = ceilDiv(extent(C->Bound), varExpr(Tile[C->V]));
      Loop.Kind = C->IsParallel ? LoopKind::Parallel : LoopKind::Sequential;
      Loop.Group = C->IsParallel && Parallel > 1 ? 1 : 0;
      Loop.Body = std::exchange(Nest, {});
      Nest.push_back({std::move(Loop), Leaf->Loc});
    }
    F.Body.insert(F.Body.end(), Nest.begin(), Nest.end());
    std::vector<FunctionRef> Result = {std::make_shared<const Function>(std::move(F))};
    if (Callee != Leaf)
      Result.push_back(Callee);
    return Result;
  }
};

/// Outside loops whose iterations cores can share.
bool launchesWhole(const Block &B, const std::string &Family) {
  return std::any_of(B.begin(), B.end(), [&](const Stmt &S) {
    if (const auto *L = S.getIf<Launch>())
      return L->Callee->Family == Family;
    const auto *F = S.getIf<For>();
    const auto Nested = nestedBlocks(S);
    return !(F && F->Kind == LoopKind::Parallel) &&
           std::any_of(Nested.begin(), Nested.end(),
                       [&](const Block *Inner) { return launchesWhole(*Inner, Family); });
  });
}

/// Collects the variants of leaves.
class ImpliedFunctions {
  std::set<std::string> Taken; ///< names in the source
  std::vector<FunctionRef> All;

  /// False if a name is taken: the functions need each other.
  bool add(const std::vector<FunctionRef> &Group) {
    if (std::any_of(Group.begin(), Group.end(),
                    [&](const FunctionRef &F) { return Taken.count(F->Name) != 0; }))
      return false;
    All.insert(All.end(), Group.begin(), Group.end());
    return true;
  }

public:
  explicit ImpliedFunctions(const TaskGraph &G) {
    for (const FunctionRef &F : G.Functions)
      Taken.insert({F->Name, F->Family});
  }

  /// `MayMove`: the leaf may be without knowing where a block begins.
  void addVariants(const FunctionRef &Leaf, bool ForCores, bool MayMove) {
    const std::vector<FunctionRef> Blocks = BlockedVariant(Leaf, ForCores).make(MayMove);
    if (add(Blocks) && Blocks.size() > 1)
      addVariants(Blocks[1], ForCores, false);
    if (const std::vector<FunctionRef> Parts = leafParts(Leaf); add(Parts))
      for (size_t I = 1; I < Parts.size(); ++I)
        addVariants(Parts[I], ForCores, true);
    addTile(Leaf);
  }

  /// With the sums in a tensor.
  void addTile(const FunctionRef &Leaf) {
    const std::optional<SplitLeaf> Split = splitLeaf(Leaf);
    if (!Split)
      return;
    std::vector<FunctionRef> Group = {Split->Tile}, Told;
    Group.insert(Group.end(), Split->Leaves.begin(), Split->Leaves.end());
    for (size_t I = 1; I + 1 < Split->Leaves.size(); ++I) {
      // A loop that sums may be the first one that has to be told.
      const std::vector<FunctionRef> Blocks = BlockedVariant(Split->Leaves[I], false).make(true);
      if (Blocks.empty())
        return;
      Group.insert(Group.end(), Blocks.begin(), Blocks.end());
      if (Blocks.size() > 1)
        Told.push_back(Blocks[1]);
    }
    if (add(Group))
      for (const FunctionRef &At : Told)
        addVariants(At, false, false);
  }

  const std::vector<FunctionRef> &all() const { return All; }
};

} // namespace

void addImpliedVariants(TaskGraph &G) {
  ImpliedFunctions Implied(G);
  for (const FunctionRef &Leaf : G.Functions) {
    const std::vector<FunctionRef> Family = G.variants(Leaf->Family);
    const bool IsCut = std::any_of(Family.begin(), Family.end(), [&](const FunctionRef &F) {
      return F->Kind == FunctionKind::Task && sameSignature(*F, *Leaf);
    });
    if (Leaf->Kind != FunctionKind::Leaf)
      continue;
    if (IsCut) {
      Implied.addTile(Leaf);
      continue;
    }
    const bool ForCores =
        std::any_of(G.Functions.begin(), G.Functions.end(), [&](const FunctionRef &F) {
          return F->IsEntryCandidate && launchesWhole(F->Body, Leaf->Family);
        });
    Implied.addVariants(Leaf, ForCores, true);
  }
  G.Functions.insert(G.Functions.end(), Implied.all().begin(), Implied.all().end());
}

} // namespace septran::compiler
