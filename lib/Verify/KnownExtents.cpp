//===- KnownExtents.cpp - extents that tunables decide --------------------===//
#include "Verify/KnownExtents.h"

#include <algorithm>

namespace septran::compiler {

ExtentBound KnownExtents::bound(const Expr &E) const {
  switch (E->Kind) {
  case ExprKind::IntLit:
    return E->Int;
  case ExprKind::Var: {
    auto It = Values.find(E->V);
    return It == Values.end() ? std::nullopt : ExtentBound(It->second);
  }
  case ExprKind::Extent: {
    auto It = Bounds.find(E->T);
    return It == Bounds.end() || E->Dim >= It->second.size() ? std::nullopt : It->second[E->Dim];
  }
  case ExprKind::Cast:
    return bound(E->Args[0]);
  case ExprKind::Binary:
    break;
  default:
    return std::nullopt;
  }
  const ExtentBound A = bound(E->Args[0]), B = bound(E->Args[1]);
  const ExtentBound Literal = constantValue(E->Args[1]);
  switch (E->Bin) {
  case BinaryOp::Min:
    return A && B ? std::min(*A, *B) : A ? A : B;
  case BinaryOp::Max:
    return A && B ? ExtentBound(std::max(*A, *B)) : std::nullopt;
  case BinaryOp::Add:
    return A && B ? ExtentBound(*A + *B) : std::nullopt;
  case BinaryOp::Sub:
    return A && Literal ? ExtentBound(*A - *Literal) : A;
  case BinaryOp::Mul:
    return A && B ? ExtentBound(*A * *B) : std::nullopt;
  case BinaryOp::Div:
  case BinaryOp::CeilDiv:
    return A && Literal && *Literal > 0 ? ExtentBound((*A + *Literal - 1) / *Literal) : A;
  default:
    return std::nullopt;
  }
}

std::vector<ExtentBound> KnownExtents::bounds(const View &V) const {
  std::vector<ExtentBound> Result;
  for (unsigned D = 0; D < V.rank(); ++D)
    Result.push_back(bound(V.extent(D)));
  return Result;
}

} // namespace septran::compiler
