//===- LargestValue.cpp - what an index may reach over loops ----------------===//
#include "Plan/LargestValue.h"

#include "IR/Affine.h"
#include "IR/Fold.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

namespace {

Expr replaceVar(const Expr &E, const VarRef &V, const Expr &By) {
  Substitution S;
  S.Vars[V] = By;
  return substitute(E, S);
}

/// 1 if E grows with V, -1 if it falls, 0 if that is not known. Extents and loop variables are
/// not negative.
int direction(const Expr &E, const VarRef &V) {
  if (std::optional<Affine> Form = affineForm(E))
    if (std::optional<std::int64_t> Factor = coefficientOf(*Form, V))
      return *Factor < 0 ? -1 : *Factor > 0;
  if (E->Kind == ExprKind::Cast)
    return direction(E->Args[0], V);
  if (E->Kind != ExprKind::Binary)
    return 0;
  const Expr &A = E->Args[0], &B = E->Args[1];
  switch (E->Bin) {
  case BinaryOp::Add:
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::Mul:
    if (!mentions(A, V) || !mentions(B, V))
      return direction(mentions(A, V) ? A : B, V);
    return direction(A, V) == direction(B, V) ? direction(A, V) : 0;
  case BinaryOp::Sub:
    return mentions(B, V) ? 0 : direction(A, V);
  case BinaryOp::Div:
  case BinaryOp::CeilDiv:
    return mentions(B, V) ? 0 : direction(A, V);
  default:
    return 0;
  }
}

} // namespace

std::vector<Expr> operandsOfMin(const Expr &E) {
  std::optional<Affine> Form = affineForm(E);
  if (!Form)
    return {E};
  for (auto &[Atom, Factor] : Form->Terms) {
    if (Factor < 0 || Atom->Kind != ExprKind::Binary || Atom->Bin != BinaryOp::Min)
      continue;
    std::optional<Affine> Rest = addScaled(*Form, *affineForm(Atom), -Factor);
    std::vector<Expr> All;
    for (const Expr &Operand : Atom->Args)
      for (const Expr &Part : operandsOfMin(Operand * intLit(Factor) + toExpr(*Rest)))
        All.push_back(Part);
    return All;
  }
  return {E};
}

std::vector<Expr> largestOver(const Expr &E, llvm::ArrayRef<const For *> Loops,
                              llvm::function_ref<Expr(const Expr &)> Rooted) {
  std::vector<Expr> Found = operandsOfMin(E);
  for (auto Loop = Loops.rbegin(); Loop != Loops.rend(); ++Loop) {
    std::vector<Expr> Next;
    for (const Expr &Current : Found) {
      if (!mentions(Current, (*Loop)->V)) {
        Next.push_back(Current);
        continue;
      }
      int Way = direction(Current, (*Loop)->V);
      if (Way == 0)
        continue;
      std::vector<Expr> Ends;
      if (Way < 0)
        Ends.push_back(Rooted((*Loop)->Lo));
      else
        for (const Expr &Hi : operandsOfMin(Rooted((*Loop)->Hi)))
          Ends.push_back(Hi - intLit(1));
      for (const Expr &End : Ends)
        for (const Expr &Part : operandsOfMin(simplify(replaceVar(Current, (*Loop)->V, End))))
          Next.push_back(Part);
    }
    Found = std::move(Next);
  }
  return Found;
}

Expr closestBound(std::vector<Expr> Bounds) {
  auto CountsBlocks = [](const Expr &E) {
    bool Found = false;
    walkExprs(E, [&](const Expr &N) {
      Found |= N->Kind == ExprKind::Binary && N->Bin == BinaryOp::CeilDiv;
    });
    return Found;
  };
  if (!std::all_of(Bounds.begin(), Bounds.end(), CountsBlocks))
    std::erase_if(Bounds, CountsBlocks);
  Expr Least;
  for (const Expr &B : Bounds)
    Least = !Least ? B : equal(Least, B) ? Least : minExpr(Least, B);
  return Least;
}

} // namespace septran::compiler
