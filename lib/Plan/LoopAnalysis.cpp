//===- LoopAnalysis.cpp - what the loops of a leaf carry ------------------===//
#include "Plan/LoopAnalysis.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

namespace septran::compiler {

std::optional<std::int64_t> coefficient(const Expr &E, const VarRef &V) {
  if (!mentions(E, V))
    return 0;
  std::optional<Affine> A = affineForm(E);
  return A ? coefficientOf(*A, V) : std::nullopt;
}

std::vector<Access> accessesOf(Stmts B) {
  std::vector<Access> Result;
  walkExprs(B, [&](const Expr &E) {
    if (E->Kind == ExprKind::Load)
      Result.push_back({E->T, E->Args, false, UpdateOp::Set});
  });
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *St = S.getIf<Store>())
      Result.push_back({St->T, St->Indices, true, St->Op});
  });
  return Result;
}

namespace {

class Analyzer {
  const For &F;
  const TensorTable &Tensors;
  DefinedSymbols Inner;      ///< defined in the body: they vary within one iteration
  std::set<VarRef> Assigned; ///< scalars assigned in the body
  std::vector<Access> Accesses;
  bool Reduces = false;
  std::string Reason;

  bool varies(const Expr &E) const {
    if (mentionsAny(E, Inner))
      return true;
    for (const VarRef &V : collectVars(E))
      if (Assigned.count(V))
        return true;
    return false;
  }

  static std::optional<std::int64_t> distance(const Expr &From, const Expr &To) {
    return equal(From, To) ? 0 : constantValue(simplify(To - From));
  }

  /// Some dimension tells iterations apart: there all accesses to T use one index, which moves with
  /// the loop variable and with nothing else that varies, or lie behind it by less than what it
  /// moves by.
  bool separated(const std::vector<const Access *> &Group) const {
    const Access &First = *Group.front();
    for (size_t D = 0; D < First.Indices.size(); ++D) {
      std::optional<std::int64_t> C = coefficient(First.Indices[D], F.V);
      if (!C || *C == 0 || varies(First.Indices[D]))
        continue;
      bool Near = true;
      std::int64_t Least = 0, Most = 0;
      for (const Access *A : Group) {
        const std::optional<std::int64_t> Behind =
            A->T == First.T ? distance(First.Indices[D], A->Indices[D]) : std::nullopt;
        Near &= Behind.has_value();
        Least = std::min(Least, Behind.value_or(0));
        Most = std::max(Most, Behind.value_or(0));
      }
      if (Near && Most - Least < std::abs(*C))
        return true;
    }
    return false;
  }

  /// Every access is an update by one associative operator.
  static bool onlyReduces(const std::vector<const Access *> &Group) {
    UpdateOp Op = Group.front()->Op;
    for (const Access *A : Group)
      if (!A->Write || !isReduction(A->Op) || A->Op != Op)
        return false;
    return true;
  }

  bool indicesInvariant(const std::vector<const Access *> &Group) const {
    for (const Access *A : Group)
      for (const Expr &I : A->Indices)
        if (mentions(I, F.V))
          return false;
    return true;
  }

  /// One ends before the other begins in this dimension.
  bool lieApart(const Slice &A, const Slice &B) const {
    for (const Slice *S : {&A, &B}) {
      if (S->Low || S->High)
        return false;
      for (const Expr &E : {S->Offset, S->Extent})
        if (mentions(E, F.V) || varies(E))
          return false;
    }
    return provablyLessEqual(A.Offset + A.Extent, B.Offset) ||
           provablyLessEqual(B.Offset + B.Extent, A.Offset);
  }

  /// Both are blocks of one size, with other numbers, in some dimension of the same tensor, or
  /// parts of blocks that lie apart. The same in all iterations: only then are all elements of one
  /// apart from all of the other.
  bool otherBlocks(const View &A, const View &B) const {
    if (A.Base != B.Base || A.Slices.size() != B.Slices.size())
      return false;
    for (size_t D = 0; D < A.Slices.size(); ++D) {
      const Slice &SA = A.Slices[D], &SB = B.Slices[D];
      if (lieApart(SA, SB))
        return true;
      if (!SA.Block || !SB.Block || !equal(SA.Block, SB.Block))
        continue;
      bool Fixed = true;
      for (const Expr &E : {SA.Block, SA.Index, SB.Index})
        Fixed &= !mentions(E, F.V) && !varies(E);
      std::optional<Affine> IA = affineForm(SA.Index), IB = affineForm(SB.Index);
      std::optional<Affine> Apart = IA && IB ? addScaled(*IA, *IB, -1) : std::nullopt;
      if (Fixed && Apart && Apart->isConstant() && Apart->Constant != 0)
        return true;
    }
    return false;
  }

  bool disjoint(const TensorRef &A, const TensorRef &B) const {
    if (Tensors.root(A) != Tensors.root(B))
      return true;
    for (const View *VA = Tensors.definition(A); VA; VA = Tensors.definition(VA->Base))
      for (const View *VB = Tensors.definition(B); VB; VB = Tensors.definition(VB->Base))
        if (otherBlocks(*VA, *VB))
          return true;
    return false;
  }

  bool checkTensors() {
    std::set<TensorRef> Checked;
    for (const Access &A : Accesses) { // in program order, for a stable reason
      if (!A.Write || !Checked.insert(A.T).second)
        continue;
      std::vector<const Access *> Group;
      for (const Access &Other : Accesses)
        if (!disjoint(A.T, Other.T))
          Group.push_back(&Other);
      if (separated(Group))
        continue;
      if (onlyReduces(Group) && indicesInvariant(Group)) {
        Reduces = true;
        continue;
      }
      Reason = "iterations meet in '" + A.T->Name + "'";
      return false;
    }
    return true;
  }

  bool checkScalars() {
    std::map<VarRef, std::vector<const Assign *>> Updates;
    std::vector<VarRef> Order;
    walkStmts(F.Body, [&](const Stmt &S) {
      const auto *A = S.getIf<Assign>();
      if (!A || Inner.Vars.count(A->V))
        return;
      if (Updates[A->V].empty())
        Order.push_back(A->V);
      Updates[A->V].push_back(A);
    });
    for (const VarRef &V : Order) {
      bool Read = false;
      walkExprs(F.Body, [&](const Expr &E) { Read |= E->Kind == ExprKind::Var && E->V == V; });
      bool OneOp = isReduction(Updates[V].front()->Op);
      for (const Assign *A : Updates[V])
        OneOp &= A->Op == Updates[V].front()->Op;
      if (Read || !OneOp) {
        Reason = "iterations meet in scalar '" + V->Name + "'";
        return false;
      }
      Reduces = true;
    }
    return true;
  }

public:
  Analyzer(const For &F, const TensorTable &Tensors)
      : F(F), Tensors(Tensors), Inner(definedIn(F.Body)), Accesses(accessesOf(F.Body)) {
    walkStmts(F.Body, [this](const Stmt &S) {
      if (const auto *A = S.getIf<Assign>())
        Assigned.insert(A->V);
    });
  }

  LoopFacts run() {
    if (!checkTensors() || !checkScalars())
      return {LoopClass::Sequential, Reason};
    if (Reduces)
      return {LoopClass::Reduction, "iterations meet in a reduction"};
    return {LoopClass::Parallel, ""};
  }
};

} // namespace

LoopFacts analyzeLoop(const For &F, const TensorTable &Tensors) {
  return Analyzer(F, Tensors).run();
}

} // namespace septran::compiler
