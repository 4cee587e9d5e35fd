//===- Prove.cpp - constant bounds and proofs of a <= b ---------*- C++ -*-===//
//
// Two methods. Ranges: the interval of every node from those of its operands.
// Elimination: to show that a linear form is not negative, replace one atom after
// the other by something the whole is certainly not larger with (a variable by
// its bound, min(x, y) by x or y, ceil_div(x, n) * n by x), until ranges suffice.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

namespace {

using Bound = std::optional<std::int64_t>;

struct Range {
  Bound Lo, Hi;
};

Bound plus(Bound A, Bound B) {
  std::int64_t Sum;
  if (!A || !B || __builtin_add_overflow(*A, *B, &Sum))
    return std::nullopt;
  return Sum;
}

Bound times(Bound A, std::int64_t Factor) {
  std::int64_t Product;
  if (!A || __builtin_mul_overflow(*A, Factor, &Product))
    return std::nullopt;
  return Product;
}

Range scaled(Range R, std::int64_t Factor) {
  Range Result = {times(R.Lo, Factor), times(R.Hi, Factor)};
  if (Factor < 0)
    std::swap(Result.Lo, Result.Hi);
  return Result;
}

/// The smaller or larger of two bounds; null if either is unknown.
template <class Pick> Bound both(Bound A, Bound B, Pick P) {
  return A && B ? Bound(P(*A, *B)) : std::nullopt;
}

/// The smaller or larger of the known bounds.
template <class Pick> Bound either(Bound A, Bound B, Pick P) {
  return A && B ? Bound(P(*A, *B)) : A ? A : B;
}

constexpr auto Smaller = [](std::int64_t A, std::int64_t B) { return std::min(A, B); };
constexpr auto Larger = [](std::int64_t A, std::int64_t B) { return std::max(A, B); };

Range rangeOfType(ScalarType Type) {
  if (Type == ScalarType::Bool)
    return {0, 1};
  if (!isInteger(Type) || Type == ScalarType::I64)
    return {};
  if (Type == ScalarType::U64)
    return {0, std::nullopt};
  std::int64_t Max = (std::int64_t(1) << (byteSize(Type) * 8 - isSigned(Type))) - 1;
  return {isSigned(Type) ? -Max - 1 : 0, Max};
}

class Prover {
  const Facts &Known;
  std::map<VarRef, Range> VarRanges;
  /// Sums of many minima have many orders of elimination; the useful ones are found early.
  unsigned Attempts = 1000;

public:
  explicit Prover(const Facts &Known) : Known(Known) {}

  Range rangeOf(const Expr &E) {
    Range R, OfType = rangeOfType(E->Type);
    if (std::optional<Affine> A = affineForm(E))
      R = rangeOf(*A);
    return {either(R.Lo, OfType.Lo, Larger), either(R.Hi, OfType.Hi, Smaller)};
  }

  bool nonNegative(const Affine &A, unsigned Fuel = 12) {
    if (Bound Lo = rangeOf(A).Lo; Lo && *Lo >= 0)
      return true;
    if (Fuel == 0 || Attempts == 0)
      return false;
    --Attempts;
    for (const auto &[Atom, C] : A.Terms)
      if (Atom->Kind == ExprKind::Var && isInnermost(Atom->V, A))
        if (std::optional<Affine> Smaller = withoutVar(A, Atom, C))
          return nonNegative(*Smaller, Fuel - 1);
    for (const auto &[Atom, C] : A.Terms)
      if (Atom->Kind == ExprKind::Binary && throughOperation(A, Atom, C, Fuel - 1))
        return true;
    return false;
  }

private:
  Range rangeOf(const Affine &A) {
    Range Sum = {A.Constant, A.Constant};
    for (const auto &[Atom, C] : A.Terms) {
      Range R = scaled(atomRange(Atom), C);
      Sum = {plus(Sum.Lo, R.Lo), plus(Sum.Hi, R.Hi)};
    }
    return Sum;
  }

  Range atomRange(const Expr &Atom) {
    Range OfType = rangeOfType(Atom->Type), R;
    switch (Atom->Kind) {
    case ExprKind::Extent:
      R.Lo = 0;
      break;
    case ExprKind::Var:
      R = varRange(Atom->V);
      break;
    case ExprKind::Select: {
      Range Then = rangeOf(Atom->Args[1]), Else = rangeOf(Atom->Args[2]);
      R = {both(Then.Lo, Else.Lo, Smaller), both(Then.Hi, Else.Hi, Larger)};
      break;
    }
    case ExprKind::Binary:
      R = operationRange(Atom->Bin, Atom->Args[0], Atom->Args[1]);
      break;
    default:
      break;
    }
    return {either(R.Lo, OfType.Lo, Larger), either(R.Hi, OfType.Hi, Smaller)};
  }

  Range varRange(const VarRef &V) {
    if (V->Most)
      return {1, V->Most};
    auto Found = Known.find(V);
    if (Found == Known.end())
      return {};
    // Unknown while its own bounds are looked at, which ends the search if Known has a circle.
    auto [Entry, IsNew] = VarRanges.try_emplace(V);
    if (!IsNew)
      return Entry->second;
    const auto &[Lo, Hi] = Found->second;
    Range R;
    if (Lo)
      R.Lo = rangeOf(Lo).Lo;
    if (Hi)
      R.Hi = plus(rangeOf(Hi).Hi, -1);
    return Entry->second = R;
  }

  Range operationRange(BinaryOp Op, const Expr &Left, const Expr &Right) {
    Range A = rangeOf(Left), B = rangeOf(Right);
    bool NonNegative = A.Lo && *A.Lo >= 0;
    switch (Op) {
    case BinaryOp::Min:
      return {both(A.Lo, B.Lo, Smaller), either(A.Hi, B.Hi, Smaller)};
    case BinaryOp::Max:
      return {either(A.Lo, B.Lo, Larger), both(A.Hi, B.Hi, Larger)};
    case BinaryOp::Mul:
      return product(A, B);
    case BinaryOp::CeilDiv: // only defined for a dividend that is not negative
      if (equal(Left, Right))
        return {0, 1};
      if (B.Lo && *B.Lo > 0)
        return {0, A.Hi ? Bound(*A.Hi / *B.Lo + (*A.Hi % *B.Lo > 0)) : std::nullopt};
      return {B.Lo && *B.Lo >= 0 ? Bound(0) : std::nullopt, std::nullopt};
    case BinaryOp::Div:
      if (B.Lo && *B.Lo > 0 && NonNegative)
        return {0, A.Hi ? Bound(*A.Hi / *B.Lo) : std::nullopt};
      return {};
    case BinaryOp::Rem:
      if (NonNegative && B.Lo && *B.Lo > 0)
        return {0, either(A.Hi, plus(B.Hi, -1), Smaller)};
      return {};
    case BinaryOp::BitAnd: {
      bool LeftMask = NonNegative, RightMask = B.Lo && *B.Lo >= 0;
      if (!LeftMask && !RightMask)
        return {};
      return {0, either(LeftMask ? A.Hi : std::nullopt, RightMask ? B.Hi : std::nullopt, Smaller)};
    }
    case BinaryOp::Shr:
      return NonNegative ? Range{0, A.Hi} : Range{};
    default:
      return {};
    }
  }

  static Range product(Range A, Range B) {
    if (!A.Lo || !B.Lo || *A.Lo < 0 || *B.Lo < 0)
      return {};
    return {times(A.Lo, *B.Lo), B.Hi ? times(A.Hi, *B.Hi) : std::nullopt};
  }

  /// No bound of another variable in A names V.
  bool isInnermost(const VarRef &V, const Affine &A) const {
    for (const auto &Term : A.Terms) {
      const Expr &Atom = Term.first;
      if (Atom->Kind != ExprKind::Var || Atom->V == V)
        continue;
      auto Found = Known.find(Atom->V);
      if (Found == Known.end())
        continue;
      const auto &[Lo, Hi] = Found->second;
      if ((Lo && mentions(Lo, V)) || (Hi && mentions(Hi, V)))
        return false;
    }
    return true;
  }

  /// A with C * Atom replaced by C * Value.
  static std::optional<Affine> replaced(const Affine &A, const Expr &Atom, std::int64_t C,
                                        const std::optional<Affine> &Value) {
    Affine Term;
    Term.Terms.emplace_back(Atom, C);
    std::optional<Affine> Rest = Value ? addScaled(A, Term, -1) : std::nullopt;
    return Rest ? addScaled(*Rest, *Value, C) : std::nullopt;
  }

  /// A where the variable takes the bound that makes A smallest; none if that is not known.
  std::optional<Affine> withoutVar(const Affine &A, const Expr &Atom, std::int64_t C) const {
    auto Found = Known.find(Atom->V);
    if (Found == Known.end() || !coefficientOf(A, Atom->V))
      return std::nullopt;
    const auto &[Lo, Hi] = Found->second;
    if (C > 0)
      return Lo ? replaced(A, Atom, C, affineForm(Lo)) : std::nullopt;
    return Hi ? replaced(A, Atom, C, affineForm(Hi - intLit(1))) : std::nullopt;
  }

  bool holdsWith(const Affine &A, const Expr &Atom, std::int64_t C,
                 const std::optional<Affine> &Value, unsigned Fuel) {
    std::optional<Affine> Smaller = replaced(A, Atom, C, Value);
    return Smaller && nonNegative(*Smaller, Fuel);
  }

  bool throughOperation(const Affine &A, const Expr &Atom, std::int64_t C, unsigned Fuel) {
    const Expr &L = Atom->Args[0], &R = Atom->Args[1];
    if (Atom->Bin == BinaryOp::Min || Atom->Bin == BinaryOp::Max) {
      // min(x, y) is one of them, and not above either; max likewise.
      bool AnyWillDo = (Atom->Bin == BinaryOp::Min) == (C < 0);
      bool WithL = holdsWith(A, Atom, C, affineForm(L), Fuel);
      if (WithL == AnyWillDo)
        return WithL;
      return holdsWith(A, Atom, C, affineForm(R), Fuel);
    }
    if (Atom->Bin != BinaryOp::CeilDiv && Atom->Bin != BinaryOp::Div)
      return false;
    // n * ceil_div(x, n) is within [x, x + n - 1], n * (x / n) within [x - n + 1, x] for x >= 0.
    std::optional<std::int64_t> N = constantValue(R);
    if (!N || *N <= 0 || C % *N != 0)
      return false;
    bool IsCeil = Atom->Bin == BinaryOp::CeilDiv;
    Bound Lo = rangeOf(L).Lo;
    if (!IsCeil && (!Lo || *Lo < 0))
      return false;
    std::int64_t Slack = IsCeil == (C > 0) ? 0 : IsCeil ? *N - 1 : 1 - *N;
    std::optional<Affine> Value = affineForm(L + intLit(Slack));
    Affine Scaled = A;
    Scaled.Terms.erase(std::find_if(Scaled.Terms.begin(), Scaled.Terms.end(),
                                    [&](const auto &T) { return T.first == Atom; }));
    std::optional<Affine> Smaller = Value ? addScaled(Scaled, *Value, C / *N) : std::nullopt;
    return Smaller && nonNegative(*Smaller, Fuel);
  }
};

} // namespace

std::optional<std::int64_t> upperBound(const Expr &E, const Facts &Known) {
  return Prover(Known).rangeOf(E).Hi;
}

std::optional<std::int64_t> lowerBound(const Expr &E, const Facts &Known) {
  return Prover(Known).rangeOf(E).Lo;
}

bool provablyNonNegative(const Expr &E, const Facts &Known) {
  std::optional<Affine> A = affineForm(E);
  return A && Prover(Known).nonNegative(*A);
}

bool provablyLessEqual(const Expr &A, const Expr &B, const Facts &Known) {
  std::optional<Affine> L = affineForm(A), R = affineForm(B);
  if (!L || !R)
    return false;
  std::optional<Affine> Difference = addScaled(*R, *L, -1);
  return Difference && Prover(Known).nonNegative(*Difference);
}

bool provablyEqual(const Expr &A, const Expr &B, const Facts &Known) {
  if (equal(A, B) || equal(simplify(A), simplify(B)))
    return true;
  return isInteger(A->Type) && isInteger(B->Type) && provablyLessEqual(A, B, Known) &&
         provablyLessEqual(B, A, Known);
}

} // namespace septran::compiler
