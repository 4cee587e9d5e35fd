//===- InputPattern.h - values that bring mistakes to light -------*- C++ -*-===//
#pragma once

#include "IR/Type.h"
#include "Verify/Random.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace septran::compiler {

enum class InputPattern {
  Integers,    ///< small whole numbers: sums are exact, so results must be equal
  Uniform,     ///< evenly between -1 and 1
  OneHot,      ///< one element per row is 1, the others 0: shows which element went where
  Alternating, ///< magnitudes alike, signs alternate: sums cancel
  Large,       ///< magnitudes over many powers of two
  Subnormal,   ///< at and below the smallest normal number, among ordinary ones
  Special,     ///< ordinary numbers with some NaN, infinities and signed zeros
};
std::string_view name(InputPattern P);
inline constexpr InputPattern AllPatterns[] = {InputPattern::Integers, InputPattern::Uniform,
                                               InputPattern::OneHot,   InputPattern::Alternating,
                                               InputPattern::Large,    InputPattern::Subnormal,
                                               InputPattern::Special};

/// Elements, row-major, of a tensor with these extents. Integer types get the pattern's whole
/// numbers; patterns that mean nothing for them are Integers there.
std::vector<unsigned char> inputElements(ScalarType T, const std::vector<std::int64_t> &Extents,
                                         InputPattern P, Random &R);

/// The same for a scalar floating-point argument: small and exact.
double inputScalar(InputPattern P, Random &R);

} // namespace septran::compiler
