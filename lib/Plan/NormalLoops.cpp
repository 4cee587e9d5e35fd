//===- NormalLoops.cpp - loops however they were written ------------------===//
#include "Plan/NormalLoops.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LeafValue.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// Every index of every access.
template <class Function> void forEachIndex(const LeafForm &F, Function Visit) {
  for (const FormStmt &S : F.Stmts) {
    for (const Expr &Index : S.Indices)
      Visit(Index);
    walkExprs(S.Value, [&](const Expr &E) {
      if (E->Kind == ExprKind::Load)
        for (const Expr &Index : E->Args)
          Visit(Index);
    });
  }
}

void replaceLoops(LeafForm &F, const Substitution &New) {
  for (FormStmt &S : F.Stmts) {
    for (Expr &Index : S.Indices)
      Index = simplify(substitute(Index, New));
    S.Value = normalValue(S.Compute, substitute(S.Value, New));
  }
}

std::int64_t stepOf(const Expr &Index, const FormLoop &L) {
  return *coefficientOf(*affineForm(Index), L.V);
}

void walkUpwards(LeafForm &F) {
  Substitution Turned;
  for (const FormLoop &L : F.Loops) {
    bool Down = false, Up = false;
    forEachIndex(F, [&](const Expr &Index) {
      Down |= stepOf(Index, L) < 0;
      Up |= stepOf(Index, L) > 0;
    });
    if (Down && !Up && L.Facts.Class != LoopClass::Sequential)
      Turned.Vars[L.V] = L.Extent - intLit(1) - varExpr(L.V);
  }
  if (!Turned.Vars.empty())
    replaceLoops(F, Turned);
}

/// A value that names a loop outside of indices tells its iterations apart.
bool isNamedByValues(const LeafForm &F, const FormLoop &L) {
  auto Names = [&](const Expr &E, auto &Self) -> bool {
    if (E->Kind == ExprKind::Var)
      return E->V == L.V;
    return E->Kind != ExprKind::Load && std::any_of(E->Args.begin(), E->Args.end(),
                                                    [&](const Expr &A) { return Self(A, Self); });
  };
  return std::any_of(F.Stmts.begin(), F.Stmts.end(),
                     [&](const FormStmt &S) { return Names(S.Value, Names); });
}

/// Inner counts the lower digit of a number whose upper digit is Outer, in everything that F does.
bool areDigits(const LeafForm &F, unsigned Outer, unsigned Inner) {
  const FormLoop &Upper = F.Loops[Outer], &Lower = F.Loops[Inner];
  const std::optional<std::int64_t> Base = constantValue(Lower.Extent);
  if (!Base || *Base < 1 || Upper.Facts.Class != Lower.Facts.Class ||
      Upper.Facts.Class == LoopClass::Sequential || isNamedByValues(F, Upper) ||
      isNamedByValues(F, Lower))
    return false;
  for (const FormStmt &S : F.Stmts)
    if (std::count(S.Loops.begin(), S.Loops.end(), Outer) !=
        std::count(S.Loops.begin(), S.Loops.end(), Inner))
      return false;
  bool Used = false, Digits = true;
  forEachIndex(F, [&](const Expr &Index) {
    const std::int64_t Step = stepOf(Index, Lower);
    Used |= Step != 0;
    Digits &= stepOf(Index, Upper) == Step * *Base;
  });
  return Used && Digits;
}

/// Inner becomes the loop over the whole number, and Outer disappears.
void join(LeafForm &F, unsigned Outer, unsigned Inner) {
  Substitution Zero;
  Zero.Vars[F.Loops[Outer].V] = intLit(0);
  replaceLoops(F, Zero);
  F.Loops[Inner].Extent = simplify(F.Loops[Outer].Extent * F.Loops[Inner].Extent);
  F.Loops.erase(F.Loops.begin() + Outer);
  for (FormStmt &S : F.Stmts) {
    std::erase(S.Loops, Outer);
    for (unsigned &L : S.Loops)
      L -= L > Outer;
  }
}

bool joinTwo(LeafForm &F) {
  for (unsigned A = 0; A < F.Loops.size(); ++A)
    for (unsigned B = 0; B < F.Loops.size(); ++B)
      if (A != B && areDigits(F, A, B)) {
        join(F, A, B);
        return true;
      }
  return false;
}

} // namespace

void normaliseLoops(LeafForm &F) {
  walkUpwards(F);
  while (joinTwo(F))
    continue;
}

} // namespace septran::compiler
