//===- Formula.h - amounts as people read them ------------------*- C++ -*-===//
#pragma once

#include "IR/Expr.h"

#include <string>

namespace septran::compiler {

/// `96 KiB`, `1300 B`.
std::string bytesText(std::int64_t Bytes);

/// E with `A[0]` for A.extent(0) and `ceil(x/64)` for divisions that round up.
std::string formulaText(const Expr &E);

/// A product of numbers and formulas. Numbers are multiplied at once and stand first.
class Product {
  std::int64_t Number = 1;
  std::string Factors;
  bool Bounded = false; ///< a factor is an upper bound

public:
  void multiply(std::int64_t N);
  void multiplyAtMost(std::int64_t N);
  void multiply(const Expr &E);
  /// It may be less.
  void atMost() { Bounded = true; }
  /// The larger of two products, if they differ in their numbers only.
  bool mergeLarger(const Product &Other);
  /// `<= 4 * A[0] * ceil(A[1]/64)`.
  std::string text() const;
  /// As an amount of bytes.
  std::string bytes() const;
};

} // namespace septran::compiler
