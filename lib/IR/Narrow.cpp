//===- Narrow.cpp - sums in the width that is kept of them ----------------===//
#include "IR/Narrow.h"

namespace septran::compiler {

namespace {

ScalarType unsignedOfSize(unsigned Bytes) {
  return Bytes == 1 ? ScalarType::U8 : Bytes == 2 ? ScalarType::U16 : ScalarType::U32;
}

/// The result's low bits follow from the operands' low bits. (So do those of products; processors have no
/// instructions for those of bytes.)
bool keepsLowBits(const Expr &E) {
  if (E->Kind == ExprKind::Unary)
    return E->Un == UnaryOp::Neg || E->Un == UnaryOp::BitNot;
  if (E->Kind != ExprKind::Binary)
    return false;
  switch (E->Bin) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
    return true;
  default:
    return false;
  }
}

/// The low bits of an integer.
Expr lowBits(const Expr &E, ScalarType Type) {
  const bool IsWider = byteSize(E->Type) > byteSize(Type);
  if (IsWider && keepsLowBits(E)) {
    if (E->Kind == ExprKind::Binary)
      return binary(E->Bin, lowBits(E->Args[0], Type), lowBits(E->Args[1], Type), Type);
    ExprNode N = *E;
    N.Type = Type;
    N.Args = {lowBits(E->Args[0], Type)};
    return std::make_shared<const ExprNode>(std::move(N));
  }
  if (IsWider && E->Kind == ExprKind::Cast && isInteger(E->Args[0]->Type))
    return lowBits(E->Args[0], Type);
  return cast(Type, E);
}

/// A comparison of numbers that were converted from one type, or of one with a constant of that
/// type.
Expr comparedAsTheyWere(const Expr &E) {
  const Expr A = unconverted(E->Args[0]), B = unconverted(E->Args[1]);
  const std::optional<std::int64_t> OfA = constantValue(A), OfB = constantValue(B);
  const ScalarType Type = OfA ? B->Type : A->Type;
  if (!isInteger(Type) || (A == E->Args[0] && B == E->Args[1]))
    return nullptr;
  auto As = [&](const Expr &Side, const std::optional<std::int64_t> &Constant) -> Expr {
    if (Constant)
      return holds(Type, *Constant) ? intLit(*Constant, Type) : nullptr;
    return Side->Type == Type ? Side : nullptr;
  };
  const Expr Left = As(A, OfA), Right = As(B, OfB);
  return Left && Right ? binary(E->Bin, Left, Right) : nullptr;
}

} // namespace

Expr unconverted(const Expr &E) {
  if (E->Kind != ExprKind::Cast || !isInteger(E->Type))
    return E;
  const Expr &Of = E->Args[0];
  const bool Keeps = isInteger(Of->Type) && byteSize(Of->Type) < byteSize(E->Type) &&
                     (isSigned(E->Type) || !isSigned(Of->Type));
  return Keeps ? unconverted(Of) : E;
}

bool holds(ScalarType Type, std::int64_t Value) {
  const unsigned Bits = 8 * byteSize(Type);
  if (!isSigned(Type))
    return Value >= 0 && (Bits >= 64 || Value < std::int64_t(1) << Bits);
  return Bits >= 64 ||
         (Value >= -(std::int64_t(1) << (Bits - 1)) && Value < std::int64_t(1) << (Bits - 1));
}

Expr narrowed(const Expr &E) {
  if (E->Kind == ExprKind::Binary && isComparison(E->Bin))
    return comparedAsTheyWere(E);
  if (E->Kind != ExprKind::Cast || !isInteger(E->Type))
    return nullptr;
  const Expr &Of = E->Args[0];
  if (!isInteger(Of->Type) || byteSize(Of->Type) <= byteSize(E->Type) || !keepsLowBits(Of))
    return nullptr;
  return cast(E->Type, lowBits(Of, unsignedOfSize(byteSize(E->Type))));
}

} // namespace septran::compiler
