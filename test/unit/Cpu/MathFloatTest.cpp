//===- MathFloatTest.cpp - functions of float lanes -------------------------===//

#include "MathChecks.h"

namespace math_float_test {

using lanes_test::full;

TEST(MathFloat, FullRegisters) { math_checks::check_functions<float, full<float>>(1 << 18); }
TEST(MathFloat, OtherWidths) {
  math_checks::check_functions<float, 2>(1 << 14);
  math_checks::check_functions<float, 2 * full<float>>(1 << 14);
}

TEST(MathFloat, FunctionsOfTwo) {
  math_checks::check_functions_of_two<float, full<float>>(1 << 18);
  math_checks::check_functions_of_two<float, 2>(1 << 14);
  math_checks::check_functions_of_two<float, 2 * full<float>>(1 << 14);
}

TEST(MathFloat, VectorsAndScalars) {
  namespace cpu = septran::cpu;
  const auto x = cpu::iota<float, 4>(1);
  EXPECT_EQ(cpu::pow(x, 2.0f)[3], 16.0f);
  EXPECT_EQ(cpu::pow(2.0f, x)[3], 16.0f);
  EXPECT_EQ(cpu::fmod(x, 3.0f)[3], 1.0f);
  EXPECT_EQ(cpu::fmod(6.0f, x)[3], 2.0f);
  EXPECT_EQ(cpu::atan2(x, 4.0f)[3], std::atan2(4.0f, 4.0f));
  EXPECT_EQ(cpu::atan2(4.0f, x)[3], std::atan2(4.0f, 4.0f));
}

TEST(MathFloat, Scalars) {
  namespace cpu = septran::cpu;
  EXPECT_EQ(cpu::exp(0.5f), std::exp(0.5f));
  EXPECT_EQ(cpu::exp2(0.5f), std::exp2(0.5f));
  EXPECT_EQ(cpu::expm1(0.5f), std::expm1(0.5f));
  EXPECT_EQ(cpu::log(0.5f), std::log(0.5f));
  EXPECT_EQ(cpu::log2(0.5f), std::log2(0.5f));
  EXPECT_EQ(cpu::log10(0.5f), std::log10(0.5f));
  EXPECT_EQ(cpu::log1p(0.5f), std::log1p(0.5f));
  EXPECT_EQ(cpu::cbrt(0.5f), std::cbrt(0.5f));
  EXPECT_EQ(cpu::sinh(0.5f), std::sinh(0.5f));
  EXPECT_EQ(cpu::cosh(0.5f), std::cosh(0.5f));
  EXPECT_EQ(cpu::tanh(0.5f), std::tanh(0.5f));
  EXPECT_EQ(cpu::erf(0.5f), std::erf(0.5f));
  EXPECT_EQ(cpu::erfc(0.5f), std::erfc(0.5f));
  EXPECT_EQ(cpu::sin(0.5f), std::sin(0.5f));
  EXPECT_EQ(cpu::cos(0.5f), std::cos(0.5f));
  EXPECT_EQ(cpu::tan(0.5f), std::tan(0.5f));
  EXPECT_EQ(cpu::asin(0.5f), std::asin(0.5f));
  EXPECT_EQ(cpu::acos(0.5f), std::acos(0.5f));
  EXPECT_EQ(cpu::atan(0.5f), std::atan(0.5f));
  EXPECT_EQ(cpu::atan2(0.5f, 0.25f), std::atan2(0.5f, 0.25f));
  EXPECT_EQ(cpu::fmod(0.75f, 0.5f), std::fmod(0.75f, 0.5f));
  EXPECT_EQ(cpu::pow(0.5f, 0.25f), std::pow(0.5f, 0.25f));
}

// A compiler that fuses multiplications into sums would leave a rounding error there.
TEST(MathFloat, OnePlusErfIsZeroFarOut) {
  namespace cpu = septran::cpu;
  const float far[] = {-4, -10, -100, -std::numeric_limits<float>::infinity()};
  for (float x : far) {
    const auto sum = 1.0f + cpu::erf(cpu::splat<float, 8>(x));
    EXPECT_EQ(sum[0], 0.0f) << x;
  }
}

} // namespace math_float_test
