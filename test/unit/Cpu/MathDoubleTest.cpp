//===- MathDoubleTest.cpp - functions of double lanes -----------------------===//
//
// The reference is long double, so this needs a platform where that is wider.
//
//===----------------------------------------------------------------------===//

#include "MathChecks.h"

namespace math_double_test {

using lanes_test::full;

static_assert(std::numeric_limits<long double>::digits >= 64);

TEST(MathDouble, FullRegisters) { math_checks::check_functions<double, full<double>>(1 << 16); }
TEST(MathDouble, OtherWidths) {
  math_checks::check_functions<double, 2>(1 << 13);
  math_checks::check_functions<double, 2 * full<double>>(1 << 13);
}

TEST(MathDouble, FunctionsOfTwo) {
  math_checks::check_functions_of_two<double, full<double>>(1 << 17);
  math_checks::check_functions_of_two<double, 2>(1 << 14);
  math_checks::check_functions_of_two<double, 2 * full<double>>(1 << 14);
}

} // namespace math_double_test
