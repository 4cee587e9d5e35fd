//===- Conditions.cpp - what is known to hold where something stands --------===//
#include "Plan/Conditions.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"

namespace septran::compiler {

namespace {

void factsOf(const Expr &C, bool Holds, llvm::function_ref<void(const Expr &, bool)> F) {
  if (C->Kind == ExprKind::Unary && C->Un == UnaryOp::Not)
    return factsOf(C->Args[0], !Holds, F);
  if (C->Kind == ExprKind::Binary && C->Bin == (Holds ? BinaryOp::And : BinaryOp::Or))
    for (const Expr &Part : C->Args)
      factsOf(Part, Holds, F);
  else
    F(C, Holds);
}

} // namespace

void Conditions::forEach(llvm::function_ref<void(const Expr &)> F) const {
  for (const Condition &C : All)
    F(C.C);
}

void Conditions::forEachFact(llvm::function_ref<void(const Expr &, bool)> F) const {
  for (const Condition &C : All)
    factsOf(C.C, C.Holds, F);
}

bool Conditions::bounds(const VarRef &V, bool FromAbove) const {
  bool Guarded = false;
  forEachFact([&](const Expr &Fact, bool Holds) {
    walkExprs(Fact, [&](const Expr &N) {
      if (N->Kind != ExprKind::Binary || !isComparison(N->Bin) || !mentions(N, V))
        return;
      const bool Equality = N->Bin == BinaryOp::Eq || N->Bin == BinaryOp::Ne;
      const std::optional<Affine> Form =
          N == Fact ? affineForm(N->Args[0] - N->Args[1]) : std::nullopt;
      const auto Factor = Form ? coefficientOf(*Form, V) : std::nullopt;
      if (!Factor || *Factor == 0)
        Guarded |= !Equality;
      else if (Equality)
        Guarded |= Holds == (N->Bin == BinaryOp::Eq);
      else
        Guarded |= FromAbove ==
                   (((N->Bin == BinaryOp::Lt || N->Bin == BinaryOp::Le) == Holds) == (*Factor > 0));
    });
  });
  return Guarded;
}

} // namespace septran::compiler
