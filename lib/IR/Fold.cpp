//===- Fold.cpp - what the builders of integer expressions simplify -*- C++ -*-===//
#include "IR/Fold.h"

#include <algorithm>
#include <limits>

namespace septran::compiler {

namespace {

constexpr std::int64_t Lowest = std::numeric_limits<std::int64_t>::min();

bool fits(std::int64_t Value, ScalarType Type) {
  if (Type == ScalarType::I64)
    return true;
  if (Type == ScalarType::Bool)
    return Value == 0 || Value == 1;
  if (Type == ScalarType::U64)
    return Value >= 0;
  unsigned Bits = byteSize(Type) * 8 - (isSigned(Type) ? 1 : 0);
  std::int64_t Max = (std::int64_t(1) << Bits) - 1;
  return Value <= Max && Value >= (isSigned(Type) ? -Max - 1 : 0);
}

std::optional<std::int64_t> ceilDivOf(std::int64_t A, std::int64_t B) {
  if (B == 0)
    return 0;
  if (A < 0 || B < 0)
    return std::nullopt;
  return A / B + (A % B != 0);
}

bool isBinary(const Expr &E, BinaryOp Op) { return E->Kind == ExprKind::Binary && E->Bin == Op; }

/// Arithmetic inside E may be regrouped with arithmetic of type Type around it: either both wrap at
/// the same width, or both are signed and do not overflow.
bool regroups(const Expr &E, ScalarType Type) {
  return E->Type == Type || (isSigned(E->Type) && isSigned(Type));
}

/// E as Rest + Constant, with Rest null for a constant.
struct Split {
  Expr Rest;
  std::int64_t Constant;
};

Split splitConstant(const Expr &E) {
  if (std::optional<std::int64_t> C = constantValue(E))
    return {nullptr, *C};
  if (isBinary(E, BinaryOp::Add))
    if (std::optional<std::int64_t> C = constantValue(E->Args[1]))
      return {E->Args[0], *C};
  if (isBinary(E, BinaryOp::Sub))
    if (std::optional<std::int64_t> C = constantValue(E->Args[1]); C && *C != Lowest)
      return {E->Args[0], -*C};
  return {E, 0};
}

/// Rest + Constant in canonical form.
Expr addConstant(const Expr &Rest, std::int64_t Constant, ScalarType Type) {
  if (Constant == 0)
    return Rest;
  if (Constant > 0)
    return binary(BinaryOp::Add, Rest, intLit(Constant, Type), Type);
  return binary(BinaryOp::Sub, Rest, intLit(-Constant, Type), Type);
}

Expr foldAdd(const Expr &A, const Expr &B, ScalarType Type) {
  if (constantValue(A))
    return binary(BinaryOp::Add, B, A, Type);
  if (!regroups(A, Type) || !regroups(B, Type))
    return isConstant(B, 0) ? A : nullptr;
  // (x - y) + y and y + (x - y)
  if (isBinary(A, BinaryOp::Sub) && equal(A->Args[1], B))
    return A->Args[0];
  if (isBinary(B, BinaryOp::Sub) && equal(B->Args[1], A))
    return B->Args[0];
  if (std::optional<std::int64_t> C = constantValue(B)) {
    if (*C == 0)
      return A;
    Split S = splitConstant(A);
    std::int64_t Sum;
    if (__builtin_add_overflow(S.Constant, *C, &Sum) || Sum == Lowest || !fits(std::abs(Sum), Type))
      return nullptr;
    if (S.Constant != 0 || *C < 0)
      return addConstant(S.Rest, Sum, Type);
    return nullptr;
  }
  // Constants move out: (x + 1) + y, x + (y + 1).
  Split L = splitConstant(A), R = splitConstant(B);
  std::int64_t Sum;
  if ((L.Constant == 0 && R.Constant == 0) ||
      __builtin_add_overflow(L.Constant, R.Constant, &Sum) || Sum == Lowest ||
      !fits(std::abs(Sum), Type))
    return nullptr;
  return addConstant(binary(BinaryOp::Add, L.Rest, R.Rest, Type), Sum, Type);
}

Expr foldSub(const Expr &A, const Expr &B, ScalarType Type) {
  if (!regroups(A, Type) || !regroups(B, Type))
    return isConstant(B, 0) ? A : nullptr;
  if (equal(A, B))
    return intLit(0, Type);
  // (x + y) - x, (x + y) - y and x - (x - y)
  if (isBinary(A, BinaryOp::Add)) {
    if (equal(A->Args[0], B))
      return A->Args[1];
    if (equal(A->Args[1], B))
      return A->Args[0];
  }
  if (isBinary(B, BinaryOp::Sub) && equal(B->Args[0], A))
    return B->Args[1];
  if (std::optional<std::int64_t> C = constantValue(B)) {
    if (*C == 0)
      return A;
    Split S = splitConstant(A);
    std::int64_t Sum;
    if (__builtin_sub_overflow(S.Constant, *C, &Sum) || Sum == Lowest || !fits(std::abs(Sum), Type))
      return nullptr;
    if (S.Rest && (S.Constant != 0 || *C < 0))
      return addConstant(S.Rest, Sum, Type);
    return nullptr;
  }
  // Constants move out, except of a constant minuend: (x + 1) - y, x - (y + 1), but 8 - y.
  Split L = splitConstant(A), R = splitConstant(B);
  std::int64_t Sum;
  if ((!L.Rest && R.Constant == 0) || (L.Constant == 0 && R.Constant == 0) ||
      __builtin_sub_overflow(L.Constant, R.Constant, &Sum) || Sum == Lowest ||
      !fits(std::abs(Sum), Type))
    return nullptr;
  if (!L.Rest)
    return binary(BinaryOp::Sub, intLit(Sum, Type), R.Rest, Type);
  return addConstant(binary(BinaryOp::Sub, L.Rest, R.Rest, Type), Sum, Type);
}

Expr foldMul(const Expr &A, const Expr &B, ScalarType Type) {
  if (constantValue(A))
    return binary(BinaryOp::Mul, B, A, Type);
  std::optional<std::int64_t> C = constantValue(B);
  if (!C)
    return nullptr;
  if (*C == 0)
    return intLit(0, Type);
  if (*C == 1)
    return A;
  if (isBinary(A, BinaryOp::Mul) && regroups(A, Type))
    if (std::optional<std::int64_t> Inner = constantValue(A->Args[1]))
      if (std::int64_t Product;
          !__builtin_mul_overflow(*Inner, *C, &Product) && fits(Product, Type))
        return binary(BinaryOp::Mul, A->Args[0], intLit(Product, Type), Type);
  return nullptr;
}

Expr foldMinMax(BinaryOp Op, const Expr &A, const Expr &B, ScalarType Type) {
  if (equal(A, B))
    return A;
  if (constantValue(A))
    return binary(Op, B, A, Type);
  auto IsNested = [&](const Expr &E) { return isBinary(E, Op) && E->Type == Type; };
  // min(min(x, y), y) is min(x, y), whatever the nesting.
  auto Absorbs = [&](const Expr &Nested, const Expr &Other) {
    return IsNested(Nested) && (equal(Nested->Args[0], Other) || equal(Nested->Args[1], Other));
  };
  if (Absorbs(A, B))
    return A;
  if (Absorbs(B, A))
    return B;
  // Constants move out: min(min(x, 64), y) and min(x, min(y, 64)).
  std::optional<std::int64_t> Outer = constantValue(B);
  if (IsNested(A) && constantValue(A->Args[1])) {
    if (Outer)
      return binary(Op, A->Args[0], binary(Op, A->Args[1], B, Type), Type);
    return binary(Op, binary(Op, A->Args[0], B, Type), A->Args[1], Type);
  }
  if (IsNested(B) && constantValue(B->Args[1]))
    return binary(Op, binary(Op, A, B->Args[0], Type), B->Args[1], Type);
  return nullptr;
}

Expr foldDivision(BinaryOp Op, const Expr &A, const Expr &B, ScalarType Type) {
  if (isConstant(B, 1))
    return Op == BinaryOp::Rem ? intLit(0, Type) : A;
  // x * 64 / 64 and ceil_div(x * 64, 64): signed products do not overflow, so the factor is exact.
  std::optional<std::int64_t> Divisor = constantValue(B);
  if (Op != BinaryOp::Rem && Divisor && *Divisor > 0 && isBinary(A, BinaryOp::Mul) &&
      isSigned(A->Type) && isConstant(A->Args[1], *Divisor))
    return A->Args[0];
  return Op == BinaryOp::CeilDiv && (isConstant(A, 0) || isConstant(B, 0)) ? intLit(0, Type)
                                                                           : nullptr;
}

Expr foldComparison(BinaryOp Op, const Expr &A, const Expr &B) {
  if (!isInteger(A->Type) || !isInteger(B->Type) || !equal(A, B))
    return nullptr;
  return boolLit(Op == BinaryOp::Le || Op == BinaryOp::Ge || Op == BinaryOp::Eq);
}

Expr foldLogic(BinaryOp Op, const Expr &A, const Expr &B) {
  std::int64_t Neutral = Op == BinaryOp::And;
  // Operands are pure, so `x && false` is false although x is evaluated first.
  for (auto [Known, Other] : {std::pair(&A, &B), std::pair(&B, &A)})
    if (std::optional<std::int64_t> C = constantValue(*Known))
      return (*C != 0) == (Neutral != 0) ? *Other : boolLit(!Neutral);
  return equal(A, B) ? A : nullptr;
}

std::optional<BinaryOp> negated(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Lt:
    return BinaryOp::Ge;
  case BinaryOp::Le:
    return BinaryOp::Gt;
  case BinaryOp::Gt:
    return BinaryOp::Le;
  case BinaryOp::Ge:
    return BinaryOp::Lt;
  case BinaryOp::Eq:
    return BinaryOp::Ne;
  case BinaryOp::Ne:
    return BinaryOp::Eq;
  default:
    return std::nullopt;
  }
}

Expr foldConstants(BinaryOp Op, const Expr &A, const Expr &B, ScalarType Type) {
  std::optional<std::int64_t> L = constantValue(A), R = constantValue(B);
  if (!L || !R || isFloat(Type))
    return nullptr;
  // With one signed and one unsigned operand C++ compares and divides after a conversion that
  // changes negative values.
  if ((*L < 0 || *R < 0) && Op != BinaryOp::Shl && Op != BinaryOp::Shr &&
      !isSigned(commonType(A->Type, B->Type)))
    return nullptr;
  std::optional<std::int64_t> Value = evaluate(Op, *L, *R);
  return Value && fits(*Value, Type) ? intLit(*Value, Type) : nullptr;
}

Expr foldArithmetic(BinaryOp Op, const Expr &A, const Expr &B, ScalarType Type) {
  switch (Op) {
  case BinaryOp::Add:
    return foldAdd(A, B, Type);
  case BinaryOp::Sub:
    return foldSub(A, B, Type);
  case BinaryOp::Mul:
    return foldMul(A, B, Type);
  case BinaryOp::Min:
  case BinaryOp::Max:
    return foldMinMax(Op, A, B, Type);
  case BinaryOp::Div:
  case BinaryOp::Rem:
  case BinaryOp::CeilDiv:
    return foldDivision(Op, A, B, Type);
  case BinaryOp::BitAnd:
    return isConstant(A, 0) || isConstant(B, 0) ? intLit(0, Type) : nullptr;
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return isConstant(B, 0) ? A : nullptr;
  default:
    return nullptr;
  }
}

/// E where a value of type Type is expected. Widening is left to C++, so that `i + 0` stays `i`.
Expr withType(const Expr &E, ScalarType Type) {
  bool Widens = byteSize(E->Type) < byteSize(Type) && (isSigned(Type) || !isSigned(E->Type));
  return Widens ? E : cast(Type, E);
}

} // namespace

std::optional<std::int64_t> evaluate(BinaryOp Op, std::int64_t A, std::int64_t B) {
  std::int64_t Result;
  switch (Op) {
  case BinaryOp::Add:
    return __builtin_add_overflow(A, B, &Result) ? std::nullopt : std::optional(Result);
  case BinaryOp::Sub:
    return __builtin_sub_overflow(A, B, &Result) ? std::nullopt : std::optional(Result);
  case BinaryOp::Mul:
    return __builtin_mul_overflow(A, B, &Result) ? std::nullopt : std::optional(Result);
  case BinaryOp::Div:
    return B == 0 || (A == Lowest && B == -1) ? std::nullopt : std::optional(A / B);
  case BinaryOp::Rem:
    return B == 0 || (A == Lowest && B == -1) ? std::nullopt : std::optional(A % B);
  case BinaryOp::Min:
    return std::min(A, B);
  case BinaryOp::Max:
    return std::max(A, B);
  case BinaryOp::CeilDiv:
    return ceilDivOf(A, B);
  case BinaryOp::And:
    return A && B;
  case BinaryOp::Or:
    return A || B;
  case BinaryOp::BitAnd:
    return A & B;
  case BinaryOp::BitOr:
    return A | B;
  case BinaryOp::BitXor:
    return A ^ B;
  case BinaryOp::Shl:
    if (A < 0 || B < 0 || B > 62 || A > (std::numeric_limits<std::int64_t>::max() >> B))
      return std::nullopt;
    return A << B;
  case BinaryOp::Shr:
    return B < 0 || B > 62 ? std::nullopt : std::optional(A >> B);
  case BinaryOp::Lt:
    return A < B;
  case BinaryOp::Le:
    return A <= B;
  case BinaryOp::Gt:
    return A > B;
  case BinaryOp::Ge:
    return A >= B;
  case BinaryOp::Eq:
    return A == B;
  case BinaryOp::Ne:
    return A != B;
  }
  return std::nullopt;
}

Expr foldUnary(UnaryOp Op, const Expr &A) {
  if (std::optional<std::int64_t> C = constantValue(A)) {
    if (Op == UnaryOp::Not)
      return boolLit(*C == 0);
    ScalarType Type = commonType(A->Type, A->Type);
    if (Op == UnaryOp::Neg && *C != Lowest && fits(-*C, Type))
      return intLit(-*C, Type);
    if (Op == UnaryOp::BitNot && isSigned(Type))
      return intLit(~*C, Type);
    return nullptr;
  }
  if (Op != UnaryOp::Not || A->Type != ScalarType::Bool)
    return nullptr;
  if (A->Kind == ExprKind::Unary && A->Un == UnaryOp::Not && A->Args[0]->Type == ScalarType::Bool)
    return A->Args[0];
  // Not for floats: !(x < y) holds for NaN, x >= y does not.
  if (A->Kind == ExprKind::Binary && isInteger(A->Args[0]->Type) && isInteger(A->Args[1]->Type))
    if (std::optional<BinaryOp> Opposite = negated(A->Bin))
      return binary(*Opposite, A->Args[0], A->Args[1], ScalarType::Bool);
  return nullptr;
}

Expr foldBinary(BinaryOp Op, const Expr &A, const Expr &B, ScalarType Type) {
  if (Expr Constant = foldConstants(Op, A, B, Type))
    return Constant;
  if (isComparison(Op))
    return foldComparison(Op, A, B);
  if (Op == BinaryOp::And || Op == BinaryOp::Or)
    return A->Type == ScalarType::Bool && B->Type == ScalarType::Bool ? foldLogic(Op, A, B)
                                                                      : nullptr;
  // Both operands in constant form did not fold: overflow or division by zero stays as written.
  if (!isInteger(Type) || !isInteger(A->Type) || !isInteger(B->Type) ||
      (constantValue(A) && constantValue(B)))
    return nullptr;
  Expr Folded = foldArithmetic(Op, A, B, Type);
  return Folded ? withType(Folded, Type) : nullptr;
}

} // namespace septran::compiler
