//===- FullTunables.cpp - tunables whose value is the whole extent --------===//
#include "Plan/FullTunables.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/EmptyBlocks.h"

namespace septran::compiler {

namespace {

class FullRewriter {
  const std::set<VarRef> &Full;

  bool isFull(const Expr &E) const { return E && E->Kind == ExprKind::Var && Full.count(E->V); }

  static bool isPositive(const Expr &E) { return lowerBound(E).value_or(0) > 0; }

  Expr node(const Expr &E) const {
    if (E->Kind != ExprKind::Binary)
      return nullptr;
    if (E->Bin == BinaryOp::CeilDiv && isFull(E->Args[1])) // none of an empty dimension
      return isPositive(E->Args[0]) ? intLit(1, E->Type) : minExpr(E->Args[0], intLit(1));
    if (E->Bin == BinaryOp::Min && (isFull(E->Args[0]) || isFull(E->Args[1])))
      return isFull(E->Args[0]) ? E->Args[1] : E->Args[0];
    return nullptr;
  }

  Expr expr(const Expr &E) const {
    return E ? rewriteExpr(E, [this](const Expr &N) { return node(N); }) : E;
  }

  void view(View &V) const {
    for (size_t D = 0; D < V.Slices.size(); ++D) {
      Slice &S = V.Slices[D];
      if (isFull(S.Block) && !S.Low && !S.High) {
        S = {intLit(0), extentOf(V.Base, D), nullptr, nullptr, nullptr, nullptr};
        continue;
      }
      for (Expr *E : {&S.Offset, &S.Extent, &S.Block, &S.Index, &S.Low, &S.High})
        *E = expr(*E);
    }
    for (Expr &E : V.BroadcastExtents)
      E = expr(E);
    for (Expr &E : V.Reshape)
      E = expr(E);
    V.Fill = expr(V.Fill);
  }

  /// A loop over the blocks of a full tunable has one iteration.
  bool runsOnce(const For &F) const {
    return F.Hi->Kind == ExprKind::Binary && F.Hi->Bin == BinaryOp::CeilDiv &&
           isFull(F.Hi->Args[1]) && isConstant(F.Lo, 0);
  }

  /// What that iteration does; a dimension of extent 0 has none.
  Block onlyBlock(const For &F, const Location &Loc) const {
    Substitution Sub;
    Sub.Vars[F.V] = intLit(0, F.V->Type);
    Block Once = block(substitute(F.Body, Sub));
    Expr Extent = expr(F.Hi->Args[0]);
    if (isPositive(Extent) || doesNothingWithout(Extent, Once))
      return Once;
    return {{If{binary(BinaryOp::Gt, Extent, intLit(0)), std::move(Once), {}}, Loc}};
  }

public:
  explicit FullRewriter(const std::set<VarRef> &Full) : Full(Full) {}

  Block block(const Block &B) const {
    Block Result;
    for (const Stmt &Original : B) {
      Stmt S = Original;
      if (auto *F = S.getIf<For>()) {
        if (runsOnce(*F)) {
          for (Stmt &Inner : onlyBlock(*F, S.Loc))
            Result.push_back(std::move(Inner));
          continue;
        }
        F->Lo = expr(F->Lo);
        F->Hi = expr(F->Hi);
        F->Body = block(F->Body);
      } else if (auto *I = S.getIf<If>()) {
        I->Condition = expr(I->Condition);
        I->Then = block(I->Then);
        I->Else = block(I->Else);
      } else if (auto *L = S.getIf<Let>()) {
        L->Value = expr(L->Value);
      } else if (auto *Def = S.getIf<Define>()) {
        view(Def->Value);
      } else if (auto *Loc = S.getIf<Local>()) {
        for (Expr &E : Loc->Extents)
          E = expr(E);
      } else if (auto *L = S.getIf<Launch>()) {
        for (Launch::Argument &A : L->Args) {
          if (A.isTensor())
            view(A.Tensor);
          A.Scalar = expr(A.Scalar);
        }
      }
      Result.push_back(std::move(S));
    }
    return Result;
  }
};

} // namespace

Block applyFullTunables(const Block &Body, const std::set<VarRef> &Full,
                        std::optional<FullUse> &Leftover) {
  if (Full.empty())
    return Body;
  Block Result = FullRewriter(Full).block(Body);
  for (const Stmt &S : Result)
    walkExprs(S, [&](const Expr &E) {
      if (!Leftover && E->Kind == ExprKind::Var && Full.count(E->V))
        Leftover = FullUse{E->V, E->Loc.isValid() ? E->Loc : S.Loc};
    });
  return Result;
}

} // namespace septran::compiler
