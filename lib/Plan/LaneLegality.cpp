//===- LaneLegality.cpp - may a loop body run in vector lanes? ------------===//
#include "Plan/LaneLegality.h"

#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/RegisterTiles.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

namespace {

/// Depends on one of the Vars; loads from addresses that do depend on them too.
bool dependsOn(const Expr &E, const std::set<VarRef> &Vars) {
  if (!E)
    return false;
  if (E->Kind == ExprKind::Var)
    return Vars.count(E->V) != 0;
  return std::any_of(E->Args.begin(), E->Args.end(),
                     [&](const Expr &A) { return dependsOn(A, Vars); });
}

/// Adds the scalars of B that take a lane's own value; `Guarded` is a condition that differs.
void addVarying(const Block &B, bool Guarded, std::set<VarRef> &Varying, bool &Changed) {
  auto Add = [&](const VarRef &V, const Expr &Value) {
    if ((Guarded || dependsOn(Value, Varying)) && Varying.insert(V).second)
      Changed = true;
  };
  for (const Stmt &S : B) {
    if (const auto *L = S.getIf<Let>())
      Add(L->V, L->Value);
    else if (const auto *A = S.getIf<Assign>())
      Add(A->V, A->Value);
    else if (const auto *F = S.getIf<For>())
      addVarying(F->Body, Guarded, Varying, Changed);
    else if (const auto *C = S.getIf<If>()) {
      bool Inner = Guarded || dependsOn(C->Condition, Varying);
      addVarying(C->Then, Inner, Varying, Changed);
      addVarying(C->Else, Inner, Varying, Changed);
    }
  }
}

} // namespace

std::set<VarRef> varyingIn(const For &F) {
  std::set<VarRef> Varying{F.V};
  for (bool Changed = true; Changed;) {
    Changed = false;
    addVarying(F.Body, false, Varying, Changed);
  }
  return Varying;
}

namespace {

class Legality {
  const For &Lanes;
  const TensorTable &Tensors;
  std::set<VarRef> Varying; ///< differ between lanes: the loop variable and what depends on it
  std::map<VarRef, const For *> Loops; ///< every loop around or in the body
  std::set<VarRef> Assigned; ///< scalars that the body sets again
  std::vector<Expr> Always;  ///< loads of every iteration, of the loops at hand too
  std::string Reason;

  bool varies(const Expr &E) const { return dependsOn(E, Varying); }

  /// Adds the loads that are made whatever conditions say, at indices that stay what they are.
  void addAlways(const Expr &E) {
    if (!E)
      return;
    if (E->Kind == ExprKind::Load && !dependsOn(E, Assigned))
      Always.push_back(E);
    const bool Decides = E->Kind == ExprKind::Select ||
                         (E->Kind == ExprKind::Binary && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or));
    for (const Expr &A : E->Args) {
      addAlways(A);
      if (Decides) // by the first
        break;
    }
  }
  void addAlways(const Block &B) {
    for (const Stmt &S : B)
      if (const auto *C = S.getIf<If>())
        addAlways(C->Condition);
      else if (!S.getIf<For>())
        forEachExpr(S, [&](const Expr &E) { addAlways(E); });
  }

  /// The same element is read in every iteration, or every index is a loop variable that stays inside its
  /// dimension.
  bool staysInside(const Expr &Load) const {
    if (std::any_of(Always.begin(), Always.end(), [&](const Expr &Known) { return equal(Known, Load); }))
      return true;
    for (unsigned D = 0; D < Load->Args.size(); ++D) {
      const Expr &I = Load->Args[D];
      if (I->Kind != ExprKind::Var)
        return false;
      auto It = Loops.find(I->V);
      if (It == Loops.end() || !isConstant(It->second->Lo, 0) ||
          !equal(expandExtents(It->second->Hi, Tensors),
                 expandExtents(extentOf(Load->T, D), Tensors)))
        return false;
    }
    return true;
  }

  bool fail(std::string Text) {
    if (Reason.empty())
      Reason = std::move(Text);
    return false;
  }

  bool checkIndices(const TensorRef &T, const std::vector<Expr> &Indices) {
    for (const Expr &I : Indices)
      if (varies(I) && (!coefficient(I, Lanes.V) || mentionsScalar(I)))
        return fail("'" + T->Name + "' is not accessed at an affine index");
    return true;
  }

  /// An index may name the lane variable itself, but no scalar computed from it.
  bool mentionsScalar(const Expr &E) const {
    for (const VarRef &V : collectVars(E))
      if (V != Lanes.V && Varying.count(V))
        return true;
    return false;
  }

  bool checkExpr(const Expr &E, bool Guarded) {
    if (!E)
      return true;
    switch (E->Kind) {
    case ExprKind::Load:
      if (Guarded && !staysInside(E))
        return fail("'" + E->T->Name + "' is read under a condition that differs between lanes");
      return checkIndices(E->T, E->Args);
    case ExprKind::Binary:
      if ((E->Bin == BinaryOp::Div || E->Bin == BinaryOp::Rem || E->Bin == BinaryOp::CeilDiv) &&
          !isFloat(E->Type) && varies(E))
        return fail("an integer division differs between lanes");
      if (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or)
        return checkExpr(E->Args[0], Guarded) &&
               checkExpr(E->Args[1], Guarded || varies(E->Args[0]));
      break;
    case ExprKind::Select:
      return checkExpr(E->Args[0], Guarded) &&
             checkExpr(E->Args[1], Guarded || varies(E->Args[0])) &&
             checkExpr(E->Args[2], Guarded || varies(E->Args[0]));
    default:
      break;
    }
    return std::all_of(E->Args.begin(), E->Args.end(),
                       [&](const Expr &A) { return checkExpr(A, Guarded); });
  }

  bool checkBlock(const Block &B, bool Guarded) {
    for (const Stmt &S : B)
      if (!checkStmt(S, Guarded))
        return false;
    return true;
  }

  bool checkStmt(const Stmt &S, bool Guarded) {
    if (const auto *F = S.getIf<For>()) {
      if (Guarded)
        return fail("a loop runs under a condition that differs between lanes");
      if (varies(F->Lo) || varies(F->Hi))
        return fail("the bounds of loop '" + F->V->Name + "' differ between lanes");
      Loops[F->V] = F;
      const size_t Outside = Always.size();
      addAlways(F->Body);
      const bool Runs =
          checkExpr(F->Lo, false) && checkExpr(F->Hi, false) && checkBlock(F->Body, Guarded);
      Always.resize(Outside); // it may have no iteration
      return Runs;
    }
    if (const auto *C = S.getIf<If>()) {
      bool Inner = Guarded || varies(C->Condition);
      return checkExpr(C->Condition, Guarded) && checkBlock(C->Then, Inner) &&
             checkBlock(C->Else, Inner);
    }
    if (const auto *L = S.getIf<Let>())
      return checkExpr(L->Value, Guarded);
    if (const auto *A = S.getIf<Assign>())
      return checkExpr(A->Value, Guarded);
    if (const auto *St = S.getIf<Store>()) {
      const bool AddsUp = St->Op != UpdateOp::Set &&
                          std::none_of(St->Indices.begin(), St->Indices.end(), [&](const Expr &I) { return varies(I); });
      if (Guarded && !AddsUp && !staysInside(load(St->T, St->Indices)))
        return fail("'" + St->T->Name +
                    "' is written under a condition that differs between lanes");
      for (const Expr &I : St->Indices)
        if (!checkExpr(I, Guarded))
          return false;
      return checkIndices(St->T, St->Indices) && checkExpr(St->Value, Guarded);
    }
    return fail("it holds more than loops and element operations");
  }

public:
  Legality(const For &F, const std::vector<const For *> &Outer, const TensorTable &Tensors)
      : Lanes(F), Tensors(Tensors) {
    for (const For *O : Outer)
      Loops[O->V] = O;
    Loops[F.V] = &F;
    Varying = varyingIn(F);
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Assign>())
        Assigned.insert(A->V);
    });
    addAlways(F.Body);
  }

  std::string run() {
    checkBlock(Lanes.Body, false);
    return Reason;
  }
};

} // namespace

std::string whyNotLanes(const For &F, const std::vector<const For *> &Outer,
                        const TensorTable &Tensors) {
  return Legality(F, Outer, Tensors).run();
}

} // namespace septran::compiler
