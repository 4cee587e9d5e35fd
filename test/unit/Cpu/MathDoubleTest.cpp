//===- MathDoubleTest.cpp - functions of double lanes -----------------------===//
//
// The reference is long double, so this needs a platform where that is wider.
//
//===----------------------------------------------------------------------===//

#include "MathChecks.h"

namespace {

static_assert(std::numeric_limits<long double>::digits >= 64);

TEST(MathDouble, FullRegisters) { math_checks::check_functions<double, 8>(1 << 17); }
TEST(MathDouble, OtherWidths) {
  math_checks::check_functions<double, 2>(1 << 13);
  math_checks::check_functions<double, 4>(1 << 14);
  math_checks::check_functions<double, 16>(1 << 14);
}

TEST(MathDouble, Pow) {
  math_checks::check_pow<double, 8>(2, 1 << 18);
  math_checks::check_pow<double, 2>(2, 1 << 14);
}

} // namespace
