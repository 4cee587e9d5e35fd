//===- LeafValue.cpp - element values without what C++ leaves unsaid ------===//
#include "Plan/LeafValue.h"

#include "IR/Affine.h"

namespace septran::compiler {

namespace {

/// Bits that a value needs without its sign; for floats those of the significand.
unsigned precision(ScalarType T) {
  switch (T) {
  case ScalarType::Bool:
    return 1;
  case ScalarType::F8E4M3:
    return 4;
  case ScalarType::F8E5M2:
    return 3;
  case ScalarType::BF16:
    return 8;
  case ScalarType::F16:
    return 11;
  case ScalarType::F32:
    return 24;
  case ScalarType::F64:
    return 53;
  default:
    return byteSize(T) * 8 - isSigned(T);
  }
}

Expr normal(const Expr &E);

Expr negated(const Expr &E) {
  return E->Kind == ExprKind::Unary && E->Un == UnaryOp::Neg ? E->Args[0] : unary(UnaryOp::Neg, E);
}

/// Rounding is symmetric, so that the sign of a factor may be that of the product.
Expr product(const Expr &A, const Expr &B, ScalarType Type) {
  auto IsNegated = [](const Expr &E) {
    return E->Kind == ExprKind::Unary && E->Un == UnaryOp::Neg;
  };
  if (IsNegated(A))
    return negated(product(A->Args[0], B, Type));
  if (IsNegated(B))
    return negated(product(A, B->Args[0], Type));
  return binary(BinaryOp::Mul, A, B, Type);
}

Expr normalBinary(const Expr &E) {
  Expr A = normal(E->Args[0]), B = normal(E->Args[1]);
  if (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or)
    return binary(E->Bin, A, B, E->Type);
  if (E->Bin == BinaryOp::Shl || E->Bin == BinaryOp::Shr)
    return binary(E->Bin, valueAs(E->Type, A), B, E->Type);
  ScalarType Operands = isComparison(E->Bin) ? commonType(A->Type, B->Type) : E->Type;
  A = valueAs(Operands, A);
  B = valueAs(Operands, B);
  return E->Bin == BinaryOp::Mul ? product(A, B, E->Type) : binary(E->Bin, A, B, E->Type);
}

Expr normal(const Expr &E) {
  switch (E->Kind) {
  case ExprKind::Load: {
    std::vector<Expr> Indices;
    for (const Expr &I : E->Args)
      Indices.push_back(simplify(I));
    return load(E->T, std::move(Indices));
  }
  case ExprKind::Unary: {
    Expr A = normal(E->Args[0]);
    if (E->Un == UnaryOp::Not)
      return unary(E->Un, A);
    A = valueAs(E->Type, A);
    return E->Un == UnaryOp::Neg ? negated(A) : unary(E->Un, A);
  }
  case ExprKind::Binary:
    return normalBinary(E);
  case ExprKind::Select:
    return select(normal(E->Args[0]), normalValue(E->Type, E->Args[1]),
                  normalValue(E->Type, E->Args[2]));
  case ExprKind::Cast:
    return valueAs(E->Type, normal(E->Args[0]));
  case ExprKind::Call: {
    std::vector<Expr> Args;
    for (const Expr &A : E->Args)
      Args.push_back(isFloat(E->Type) ? normalValue(E->Type, A) : normal(A));
    return call(E->Callee, std::move(Args), E->Type);
  }
  default:
    return E;
  }
}

} // namespace

bool holdsExactly(ScalarType To, ScalarType From) {
  if (To == From)
    return true;
  if (To == ScalarType::Bool || (isFloat(From) && !isFloat(To)))
    return false;
  if (isFloat(To)) // the exponents of a type with more precision suffice, except those of F16
    return precision(To) >= precision(From) && !(To == ScalarType::F16 && From == ScalarType::BF16);
  return precision(To) >= precision(From) && (isSigned(To) || !isSigned(From));
}

Expr valueAs(ScalarType Type, const Expr &E) {
  if (E->Type == Type)
    return E;
  if (E->Kind == ExprKind::Cast && holdsExactly(E->Type, E->Args[0]->Type))
    return valueAs(Type, E->Args[0]);
  return cast(Type, E);
}

Expr normalValue(ScalarType Type, const Expr &E) { return valueAs(Type, normal(E)); }

} // namespace septran::compiler
