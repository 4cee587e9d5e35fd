//===- FloatTypesTest.cpp - the small floating-point types -----------------===//
//
// The reference is independent of the conversion code: the value of every bit
// pattern is built with ldexp from its fields, and rounding is checked at every
// boundary between two neighbouring values, which determines it completely, since
// rounding is monotonic.
//
//===----------------------------------------------------------------------===//

#include <septran/septran.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace {

using septran::bfloat16;
using septran::float16;
using septran::float8_e4m3;
using septran::float8_e5m2;

/// The format, stated a second time.
template <class F> struct fields;
template <> struct fields<float16> {
  static constexpr int exponent = 5, fraction = 10, bias = 15;
  static constexpr bool ieee = true, saturates = false;
};
template <> struct fields<bfloat16> {
  static constexpr int exponent = 8, fraction = 7, bias = 127;
  static constexpr bool ieee = true, saturates = false;
};
template <> struct fields<float8_e4m3> {
  static constexpr int exponent = 4, fraction = 3, bias = 7;
  static constexpr bool ieee = false, saturates = true;
};
template <> struct fields<float8_e5m2> {
  static constexpr int exponent = 5, fraction = 2, bias = 15;
  static constexpr bool ieee = true, saturates = true;
};

template <class F> class SmallFloat : public ::testing::Test {
protected:
  using bits_type = typename F::bits_type;
  using f = fields<F>;
  static constexpr unsigned sign_bit = 1u << (f::exponent + f::fraction);

  static F of(unsigned bits) { return F::from_bits(bits_type(bits)); }

  static bool is_nan(unsigned bits) {
    const unsigned magnitude = bits & (sign_bit - 1);
    const unsigned top = ((1u << f::exponent) - 1) << f::fraction;
    return f::ieee ? magnitude > top : magnitude == sign_bit - 1;
  }

  static double value(unsigned bits) {
    const unsigned magnitude = bits & (sign_bit - 1);
    const int exponent = int(magnitude >> f::fraction);
    const double fraction = magnitude & ((1u << f::fraction) - 1);
    const double sign = (bits & sign_bit) != 0 ? -1 : 1;
    if (is_nan(bits))
      return std::numeric_limits<double>::quiet_NaN();
    if (f::ieee && exponent == (1 << f::exponent) - 1)
      return sign * std::numeric_limits<double>::infinity();
    if (exponent == 0)
      return sign * std::ldexp(fraction, 1 - f::bias - f::fraction);
    return sign * std::ldexp(fraction + (1 << f::fraction), exponent - f::bias - f::fraction);
  }

  /// Bits of the largest finite value.
  static unsigned largest() {
    unsigned bits = sign_bit - 1;
    while (is_nan(bits) || std::isinf(value(bits)))
      --bits;
    return bits;
  }
};

using Types = ::testing::Types<float16, bfloat16, float8_e4m3, float8_e5m2>;
TYPED_TEST_SUITE(SmallFloat, Types);

TYPED_TEST(SmallFloat, IsAPlainNumber) {
  static_assert(std::is_trivially_copyable_v<TypeParam>);
  static_assert(std::is_standard_layout_v<TypeParam>);
  static_assert(std::is_trivially_default_constructible_v<TypeParam>);
  static_assert(sizeof(TypeParam) == sizeof(typename TypeParam::bits_type));
}

TYPED_TEST(SmallFloat, EveryValueWidensExactly) {
  for (unsigned bits = 0; bits < 2 * this->sign_bit; ++bits) {
    const float wide = this->of(bits);
    if (this->is_nan(bits)) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
    } else {
      EXPECT_EQ(double(wide), this->value(bits)) << bits;
      EXPECT_EQ(std::signbit(wide), (bits & this->sign_bit) != 0) << bits;
    }
  }
}

TYPED_TEST(SmallFloat, EveryValueComesBack) {
  for (unsigned bits = 0; bits < 2 * this->sign_bit; ++bits) {
    const TypeParam back(float(this->of(bits)));
    if (this->is_nan(bits))
      EXPECT_TRUE(this->is_nan(back.bits())) << bits;
    else if (std::isinf(this->value(bits)) && fields<TypeParam>::saturates)
      EXPECT_EQ(back.bits() & (this->sign_bit - 1), this->largest());
    else
      EXPECT_EQ(back.bits(), bits);
  }
}

TYPED_TEST(SmallFloat, RoundsToNearestEvenAtEveryBoundary) {
  const auto expect = [&](auto value, unsigned bits) {
    EXPECT_EQ(TypeParam(value).bits(), bits) << double(value);
    EXPECT_EQ(TypeParam(-value).bits(), bits | this->sign_bit) << double(value);
  };
  for (unsigned bits = 0; bits < this->largest(); ++bits) {
    const double middle = (this->value(bits) + this->value(bits + 1)) / 2;
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    expect(middle, even);
    expect(std::nextafter(middle, 0.0), bits);
    expect(std::nextafter(middle, std::numeric_limits<double>::infinity()), bits + 1);
    const float narrow = float(middle);
    if (double(narrow) != middle)
      continue; // below the smallest float
    expect(narrow, even);
    expect(std::nextafter(narrow, 0.0f), bits);
    expect(std::nextafter(narrow, std::numeric_limits<float>::infinity()), bits + 1);
  }
}

TYPED_TEST(SmallFloat, Overflows) {
  const unsigned largest = this->largest();
  const double top = this->value(largest), step = top - this->value(largest - 1);
  const unsigned beyond = fields<TypeParam>::saturates ? largest : largest + 1;
  EXPECT_EQ(TypeParam(std::nextafter(top + step / 2, 0.0)).bits(), largest);
  EXPECT_EQ(TypeParam(top + step / 2).bits(), beyond);
  EXPECT_EQ(TypeParam(1e300).bits(), beyond);
  EXPECT_EQ(TypeParam(-std::numeric_limits<float>::max()).bits(), beyond | this->sign_bit);
  EXPECT_EQ(TypeParam(std::numeric_limits<float>::infinity()).bits(), beyond);
}

TYPED_TEST(SmallFloat, RoundingIsMonotonic) {
  // A prime stride visits every exponent with varied fractions.
  double last = -std::numeric_limits<double>::infinity();
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 7919) {
    float x = 0;
    std::memcpy(&x, &bits, sizeof x);
    const double rounded = float(TypeParam(x));
    ASSERT_GE(rounded, last) << x;
    last = rounded;
  }
}

TYPED_TEST(SmallFloat, NaNStaysNaN) {
  for (std::uint32_t bits : {0x7f800001u, 0x7fc00000u, 0xffc12345u, 0xff800001u}) {
    float x = 0;
    std::memcpy(&x, &bits, sizeof x);
    EXPECT_TRUE(this->is_nan(TypeParam(x).bits()));
    EXPECT_EQ((TypeParam(x).bits() & this->sign_bit) != 0, bits >> 31 != 0);
  }
  EXPECT_TRUE(this->is_nan(TypeParam(std::nan("")).bits()));
}

TYPED_TEST(SmallFloat, ArithmeticIsRoundedFloatArithmetic) {
  const unsigned step = sizeof(TypeParam) == 1 ? 1 : 97;
  for (unsigned a = 0; a < 2 * this->sign_bit; a += step)
    for (unsigned b = 0; b < 2 * this->sign_bit; b += step) {
      const TypeParam x = this->of(a), y = this->of(b);
      const double p = this->value(a), q = this->value(b);
      // A double holds sums and products of two such numbers exactly, or rounds them innocuously.
      const auto same = [&](TypeParam result, double exact) {
        const TypeParam rounded(exact);
        return result.bits() == rounded.bits() ||
               (this->is_nan(result.bits()) && this->is_nan(rounded.bits()));
      };
      ASSERT_TRUE(same(x + y, p + q)) << p << " + " << q;
      ASSERT_TRUE(same(x - y, p - q)) << p << " - " << q;
      ASSERT_TRUE(same(x * y, p * q)) << p << " * " << q;
      ASSERT_TRUE(same(x / y, p / q)) << p << " / " << q;
      ASSERT_EQ(x < y, p < q);
      ASSERT_EQ(x == y, p == q);
      ASSERT_EQ(x >= y, p >= q);
    }
}

TYPED_TEST(SmallFloat, MixesLikeAFloat) {
  const TypeParam x(1.5f);
  static_assert(std::is_same_v<decltype(x + x), TypeParam>);
  static_assert(std::is_same_v<decltype(-x), TypeParam>);
  static_assert(std::is_same_v<decltype(x + 1.0f), float>);
  static_assert(std::is_same_v<decltype(2 * x), float>);
  static_assert(std::is_same_v<decltype(x / 1.0), double>);
  TypeParam y = 2;
  y += x;
  EXPECT_EQ(float(y), 3.5f);
  y -= 1;
  y *= 0.5;
  y /= TypeParam(0.25);
  EXPECT_EQ(float(y), 5.0f);
  EXPECT_EQ(float(+y), 5.0f);
  EXPECT_EQ((-y).bits(), y.bits() | this->sign_bit);
}

TYPED_TEST(SmallFloat, Integers) {
  EXPECT_EQ(float(TypeParam(7)), 7.0f);
  EXPECT_EQ(float(TypeParam(-3L)), -3.0f);
  EXPECT_EQ(TypeParam(std::uint64_t(1) << 63).bits(), TypeParam(std::ldexp(1.0, 63)).bits());
  EXPECT_EQ(float(TypeParam(true)), 1.0f);
}

TEST(BFloat16, LargeIntegersRoundOnce) {
  // 2^62 + 2^54 is a tie between two values; the 1 decides it, and a double would lose that.
  const std::int64_t tie = (std::int64_t(1) << 62) + (std::int64_t(1) << 54);
  EXPECT_EQ(float(bfloat16(tie)), std::ldexp(1.0f, 62));
  EXPECT_EQ(float(bfloat16(tie + 1)), std::ldexp(1.0f, 62) + std::ldexp(1.0f, 55));
  EXPECT_EQ(float(bfloat16(-tie - 1)), -std::ldexp(1.0f, 62) - std::ldexp(1.0f, 55));
}

TYPED_TEST(SmallFloat, Limits) {
  using limits = std::numeric_limits<TypeParam>;
  static_assert(limits::is_specialized && !limits::is_integer && limits::is_signed);
  EXPECT_EQ(limits::max().bits(), this->largest());
  EXPECT_EQ(limits::lowest().bits(), this->largest() | this->sign_bit);
  EXPECT_EQ(double(float(limits::min())), std::ldexp(1.0, limits::min_exponent - 1));
  EXPECT_EQ(double(float(limits::denorm_min())), this->value(1));
  EXPECT_EQ(float(limits::epsilon()), float(this->of(TypeParam(1).bits() + 1u)) - 1.0f);
  EXPECT_LT(double(float(limits::max())), std::ldexp(1.0, limits::max_exponent));
  EXPECT_GE(double(float(limits::max())), std::ldexp(1.0, limits::max_exponent - 1));
  EXPECT_TRUE(std::isnan(float(limits::quiet_NaN())));
  EXPECT_EQ(std::isinf(float(limits::infinity())), limits::has_infinity);
  EXPECT_EQ(limits::digits, fields<TypeParam>::fraction + 1);
  EXPECT_LE(std::pow(10.0, limits::max_exponent10), double(float(limits::max())));
  EXPECT_GT(std::pow(10.0, limits::max_exponent10 + 1), double(float(limits::max())));
}

TEST(SmallFloatConstants, AreThoseOfTheSpecifications) {
  EXPECT_EQ(float(std::numeric_limits<float16>::max()), 65504.0f);
  EXPECT_EQ(float(std::numeric_limits<float8_e4m3>::max()), 448.0f);
  EXPECT_EQ(float(std::numeric_limits<float8_e5m2>::max()), 57344.0f);
  EXPECT_EQ(float(std::numeric_limits<float8_e4m3>::denorm_min()), std::ldexp(1.0f, -9));
  EXPECT_EQ(float(std::numeric_limits<float8_e5m2>::denorm_min()), std::ldexp(1.0f, -16));
  EXPECT_EQ(bfloat16(1.0f).bits(), 0x3f80);
  EXPECT_EQ(float16(1.0f).bits(), 0x3c00);
  EXPECT_EQ(float8_e4m3(1.0f).bits(), 0x38);
  EXPECT_EQ(float8_e5m2(1.0f).bits(), 0x3c);
  EXPECT_EQ(std::numeric_limits<float16>::digits10, 3);
  EXPECT_EQ(std::numeric_limits<float16>::max_digits10, 5);
  EXPECT_EQ(std::numeric_limits<bfloat16>::digits10, 2);
}

TEST(SmallFloatConstants, AreConstantExpressions) {
  constexpr float16 sum = float16(1.5f) + float16(0.25);
  static_assert(float(sum) == 1.75f);
  static_assert(bfloat16(3).bits() == 0x4040);
  static_assert(float(float8_e4m3(1000.0f)) == 448.0f);
}

} // namespace
