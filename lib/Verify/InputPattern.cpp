//===- InputPattern.cpp - values that bring mistakes to light -------------===//
#include "Verify/InputPattern.h"

#include "Verify/TestTensor.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace septran::compiler {

namespace {

double unit(Random &R) { return std::ldexp(double(R.next() >> 11), -53); }

/// Element I of a row of Length elements, the row's number being Row.
double element(ScalarType T, InputPattern P, std::int64_t Row, std::int64_t I, std::int64_t Length,
               Random &R) {
  // Small enough that sums of hundreds of products stay exact in the type.
  const int Bits = isFloat(T) ? significandBits(T) : 8;
  const std::int64_t Most = Bits <= 4 ? 1 : Bits <= 8 ? 2 : 4;
  if (!isFloat(T) && P != InputPattern::OneHot)
    return double(T == ScalarType::Bool ? R.between(0, 1)
                                        : R.between(isSigned(T) ? -Most : 0, Most));
  switch (P) {
  case InputPattern::Integers:
    return double(R.between(-Most, Most));
  case InputPattern::Uniform:
    return 2 * unit(R) - 1;
  case InputPattern::OneHot:
    return I == (Row * 7 + 3) % Length ? 1 : 0;
  case InputPattern::Alternating:
    return (I % 2 ? -1 : 1) * (1 + unit(R) / 8);
  case InputPattern::Large: {
    int Range = std::min(std::ilogb(largestFinite(T)) / 4, 40);
    return (2 * unit(R) - 1) * std::ldexp(1.0, int(R.between(-Range, Range)));
  }
  case InputPattern::Subnormal:
    return R.chance(50) ? (2 * unit(R) - 1) * smallestNormal(T) : 2 * unit(R) - 1;
  case InputPattern::Special:
    break;
  }
  if (R.chance(85))
    return double(R.between(-Most, Most));
  return R.pick({std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                 -std::numeric_limits<double>::infinity(), -0.0, 0.0});
}

} // namespace

std::string_view name(InputPattern P) {
  switch (P) {
  case InputPattern::Integers:
    return "integers";
  case InputPattern::Uniform:
    return "uniform";
  case InputPattern::OneHot:
    return "one-hot";
  case InputPattern::Alternating:
    return "alternating";
  case InputPattern::Large:
    return "large";
  case InputPattern::Subnormal:
    return "subnormal";
  case InputPattern::Special:
    return "special";
  }
  return "";
}

std::vector<unsigned char> inputElements(ScalarType T, const std::vector<std::int64_t> &Extents,
                                         InputPattern P, Random &R) {
  std::int64_t Count = 1;
  for (std::int64_t E : Extents)
    Count *= E;
  const std::int64_t Length = Extents.empty() ? 1 : std::max<std::int64_t>(Extents.back(), 1);
  const unsigned Bytes = byteSize(T);
  std::vector<unsigned char> All(static_cast<size_t>(Count) * Bytes);
  for (std::int64_t I = 0; I < Count; ++I)
    fromDouble(T, element(T, P, I / Length, I % Length, Length, R),
               All.data() + static_cast<size_t>(I) * Bytes);
  return All;
}

double inputScalar(InputPattern P, Random &R) {
  return P == InputPattern::Integers ? double(R.between(1, 3))
                                     : R.pick({0.5, 0.75, 1.0, 1.5, -0.5});
}

} // namespace septran::compiler
