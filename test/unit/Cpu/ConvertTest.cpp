//===- ConvertTest.cpp - small floats and lane conversions ------------------===//
//
// The scalar types of <septran/float_types.h>, which have their own test, are the reference.
//
//===----------------------------------------------------------------------===//

#include <septran/cpu/convert.h>
#include <septran/cpu/memory.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace {

using namespace septran::cpu;
using septran::bfloat16;
using septran::float16;
using septran::float8_e4m3;
using septran::float8_e5m2;

/// Equal bits, or both NaN.
bool same(float a, float b) { return std::isnan(a) ? std::isnan(b) : !std::memcmp(&a, &b, 4); }

template <class T, int W> void check_every_value() {
  using bits = typename T::bits_type;
  for (unsigned first = 0; first < 1u << (8 * sizeof(bits)); first += W) {
    T in[W], out[W];
    for (int i = 0; i < W; ++i)
      in[i] = T::from_bits(bits(first + i));
    const auto v = load<W>(in);
    store(out, v);
    for (int i = 0; i < W; ++i) {
      ASSERT_TRUE(same(v[i], float(in[i]))) << std::hex << first + i;
      ASSERT_TRUE(same(float(out[i]), float(T(float(in[i]))))) << std::hex << first + i;
    }
  }
}

/// Floats around all that T can hold, many of them halfway between two of its values.
template <class T> float near_values_of(std::mt19937 &random) {
  constexpr int bias = T::format.bias();
  const int span = 2 * bias + 12 > 254 ? 255 : 2 * bias + 12;
  const unsigned exponent = 127 - bias - 5 > 0 ? 127 - bias - 5 + random() % span : random() % 255;
  std::uint32_t bits = (random() & 0x807fffffu) | (exponent & 255u) << 23;
  if (random() % 2)
    bits &= ~0u << (random() % 24);
  return __builtin_bit_cast(float, bits);
}

template <class T, int W> void check_rounding() {
  std::mt19937 random(W);
  for (int n = 0; n < 40000; ++n) {
    float x[W];
    double y[W];
    std::int32_t z[W];
    std::int64_t big[W];
    for (int i = 0; i < W; ++i) {
      x[i] = near_values_of<T>(random);
      y[i] = x[i] * (1 + (int(random() % 3) - 1) * 0x1p-40);
      z[i] = std::int32_t(random()) >> random() % 31;
      big[i] = std::int64_t(random()) << random() % 31;
    }
    T out[W];
    const auto v = load<W>(x);
    store(out, v);
    const auto rounded = round_to<T>(v);
    const auto from_double = convert<T>(load<W>(y));
    const auto from_int = convert<T>(load<W>(z));
    const auto from_long = convert<T>(load<W>(big));
    for (int i = 0; i < W; ++i) {
      ASSERT_TRUE(same(float(out[i]), float(T(x[i])))) << x[i];
      ASSERT_TRUE(same(rounded[i], float(T(x[i])))) << x[i];
      ASSERT_TRUE(same(from_double[i], float(T(y[i])))) << y[i];
      ASSERT_TRUE(same(from_int[i], float(T(z[i])))) << z[i];
      ASSERT_TRUE(same(from_long[i], float(T(big[i])))) << big[i];
    }
  }
}

template <class T> void check_type() {
  check_every_value<T, 2>();
  check_every_value<T, 16>();
  check_rounding<T, 4>();
  check_rounding<T, 16>();
}

TEST(Convert, Float16) { check_type<float16>(); }
TEST(Convert, Bfloat16) { check_type<bfloat16>(); }
TEST(Convert, Float8E4M3) { check_type<float8_e4m3>(); }
TEST(Convert, Float8E5M2) { check_type<float8_e5m2>(); }

TEST(Convert, BetweenArithmeticTypesTruncates) {
  const vec<float, 4> v{-1.75f, 2.5f, 3.99f, -0.5f};
  const auto ints = convert<std::int32_t>(v);
  const auto bytes = convert<std::int8_t>(v);
  const auto wide = convert<double>(v);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ints[i], static_cast<int>(v[i]));
    EXPECT_EQ(bytes[i], static_cast<std::int8_t>(v[i]));
    EXPECT_EQ(wide[i], v[i]);
  }
  EXPECT_EQ(convert<std::uint8_t>(vec<std::int32_t, 4>{257, -1, 3, 4})[0], 1);
}

TEST(Convert, Scalars) {
  EXPECT_EQ(convert<int>(-2.75), -2);
  EXPECT_EQ(convert<bfloat16>(1.00390625f), 1.0f);
  EXPECT_EQ(round_to<float16>(1.0f + 0x1p-12f), 1.0f);
}

} // namespace
