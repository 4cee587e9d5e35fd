//===- RandomExpr.h - some expression over elements -------------*- C++ -*-===//
//
// Expressions of one computing type with a bound of their size, so that integers never overflow and
// floating-point values stay comparable.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicTensor.h"
#include "Verify/Random.h"

namespace septran::compiler {

/// Something that can be read: an element of a tensor at the place of the loops, a scalar.
struct LogicAtom {
  LogicExpr E;
  ScalarType Type;
  bool IsExact = false;
  bool IsRaw = false; ///< of any size
};

struct BoundedExpr {
  LogicExpr E;
  double Bound; ///< of integers: the absolute value is at most this
};

class ExprDraw {
  Random &R;
  ScalarType Type; ///< in which is computed
  const std::vector<LogicAtom> &Atoms;
  const std::vector<LogicExpr> &Positions; ///< integers that count from 0

  LogicExpr position();
  BoundedExpr integerAtom(const LogicAtom &A);
  BoundedExpr integer(unsigned Depth);
  LogicExpr floatAtom(const LogicAtom &A);
  LogicExpr floating(unsigned Depth);
  LogicExpr small(unsigned Depth);
  LogicExpr bounded(LogicExpr X);

public:
  ExprDraw(ScalarType Type, const std::vector<LogicAtom> &Atoms,
           const std::vector<LogicExpr> &Positions, Random &R)
      : R(R), Type(Type), Atoms(Atoms), Positions(Positions) {}

  /// The atom, made small and of the computing type.
  LogicExpr atom(const LogicAtom &A);
  /// Integers are at most 100.
  LogicExpr draw(unsigned Depth);
  /// X as a factor; many of them have a product of moderate size. Not for 16-bit types.
  LogicExpr factor(const LogicExpr &X) const;
  /// True or false, without a look at anything that rounding changes.
  LogicExpr condition();
};

} // namespace septran::compiler
