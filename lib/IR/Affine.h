//===- Affine.h - linear forms and simple proofs over integers --*- C++ -*-===//
//
// An integer expression as a sum of constant multiples of atoms, and what follows
// from that: canonical forms, constant bounds, and proofs of `a <= b`. Proofs are
// one-sided: false means "not found", never "wrong".
//
//   atom   a Var, Extent, Origin, Load, product of atoms, or any other operation
//          (min, ceil_div, ...) with operands in canonical form
//
// Assumes that arithmetic on indices (loop variables, tunables, extents, origins)
// does not overflow the type that the program computes it in, so that `int(A.extent(0))`
// and `std::size_t(i) + 1` are what they seem. Signed arithmetic on other values may be
// taken apart too, as its overflow is undefined; other unsigned arithmetic and narrowing
// conversions are atoms. Extents are not negative.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

#include <map>
#include <utility>

namespace septran::compiler {

/// Sum of Coefficient * Atom, plus Constant. Atoms differ pairwise, coefficients are not 0.
struct Affine {
  std::vector<std::pair<Expr, std::int64_t>> Terms;
  std::int64_t Constant = 0;

  bool isConstant() const { return Terms.empty(); }
};

/// None for expressions that are not integers. What overflows is an atom, and so are products that
/// would be too long as sums.
std::optional<Affine> affineForm(const Expr &E);
/// A + Factor * B; none on overflow.
std::optional<Affine> addScaled(const Affine &A, const Affine &B, std::int64_t Factor);
/// Positive terms first, then negative ones, the constant last; within that by text.
Expr toExpr(const Affine &A, ScalarType Type = ScalarType::I64);

/// The multiple of V in A, 0 if it does not occur; none if V hides inside another atom.
std::optional<std::int64_t> coefficientOf(const Affine &A, const VarRef &V);

/// E / N where the form shows that nothing is left; null where it does not.
Expr exactQuotient(const Expr &E, std::int64_t N);

/// The canonical form of an integer expression; other expressions with their integer parts in
/// canonical form. The type of an integer result may be wider than that of E.
Expr simplify(const Expr &E);

/// What is known of variables: Lo <= V < Hi, as in For. Either may be null. Bounds may name other
/// variables, but not in a circle.
using Facts = std::map<VarRef, std::pair<Expr, Expr>>;

/// Constants that E never exceeds or falls below.
std::optional<std::int64_t> upperBound(const Expr &E, const Facts &Known = {});
std::optional<std::int64_t> lowerBound(const Expr &E, const Facts &Known = {});

bool provablyNonNegative(const Expr &E, const Facts &Known = {});
bool provablyLessEqual(const Expr &A, const Expr &B, const Facts &Known = {});
bool provablyEqual(const Expr &A, const Expr &B, const Facts &Known = {});

} // namespace septran::compiler
