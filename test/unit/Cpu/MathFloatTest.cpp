//===- MathFloatTest.cpp - functions of float lanes -------------------------===//

#include "MathChecks.h"

namespace math_float_test {

using lanes_test::full;

TEST(MathFloat, FullRegisters) { math_checks::check_functions<float, full<float>>(1 << 18); }
TEST(MathFloat, OtherWidths) {
  math_checks::check_functions<float, 2>(1 << 14);
  math_checks::check_functions<float, 2 * full<float>>(1 << 14);
}

TEST(MathFloat, Pow) {
  math_checks::check_pow<float, full<float>>(1, 1 << 18);
  math_checks::check_pow<float, 2>(1, 1 << 14);
  math_checks::check_pow<float, 2 * full<float>>(1, 1 << 14);
}

TEST(MathFloat, PowOfAScalar) {
  const auto x = septran::cpu::iota<float, 4>(1);
  EXPECT_EQ(septran::cpu::pow(x, 2.0f)[3], 16.0f);
  EXPECT_EQ(septran::cpu::pow(2.0f, x)[3], 16.0f);
}

TEST(MathFloat, Scalars) {
  namespace cpu = septran::cpu;
  EXPECT_EQ(cpu::exp(0.5f), std::exp(0.5f));
  EXPECT_EQ(cpu::exp2(0.5f), std::exp2(0.5f));
  EXPECT_EQ(cpu::expm1(0.5f), std::expm1(0.5f));
  EXPECT_EQ(cpu::log(0.5f), std::log(0.5f));
  EXPECT_EQ(cpu::log2(0.5f), std::log2(0.5f));
  EXPECT_EQ(cpu::log1p(0.5f), std::log1p(0.5f));
  EXPECT_EQ(cpu::tanh(0.5f), std::tanh(0.5f));
  EXPECT_EQ(cpu::erf(0.5f), std::erf(0.5f));
  EXPECT_EQ(cpu::sin(0.5f), std::sin(0.5f));
  EXPECT_EQ(cpu::cos(0.5f), std::cos(0.5f));
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
