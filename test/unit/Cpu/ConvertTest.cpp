//===- ConvertTest.cpp - small floats and lane conversions ------------------===//
//
// The scalar types of <septran/float_types.h>, which have their own test, are the reference.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <septran/cpu/convert.h>
#include <septran/cpu/memory.h>

#include <random>

namespace convert_test {

using namespace septran::cpu;
using namespace lanes_test;
using septran::bfloat16;
using septran::float16;
using septran::float8_e4m3;
using septran::float8_e5m2;

template <class T, int W> void check_every_value() {
  using bits = typename T::bits_type;
  for (unsigned first = 0; first < 1u << (8 * sizeof(bits)) && !testing::Test::HasFailure();
       first += W) {
    T in[W], out[W];
    for (int i = 0; i < W; ++i)
      in[i] = T::from_bits(bits(first + i));
    const auto v = load<W>(in);
    store(out, v);
    expect_lanes(v, [&](int i) { return float(in[i]); });
    expect_elements(out, W, [&](int i) { return T(float(in[i])); });
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
  for (int n = 0; n < 20000 && !testing::Test::HasFailure(); ++n) {
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
    expect_elements(out, W, [&](int i) { return T(x[i]); });
    expect_lanes(round_to<T>(v), [&](int i) { return float(T(x[i])); });
    expect_lanes(convert<T>(load<W>(y)), [&](int i) { return float(T(y[i])); });
    expect_lanes(convert<T>(load<W>(z)), [&](int i) { return float(T(z[i])); });
    expect_lanes(convert<T>(load<W>(big)), [&](int i) { return float(T(big[i])); });
  }
}

template <class T> void check_type() {
  check_every_value<T, 2>();
  check_every_value<T, full<float>>();
  check_rounding<T, 2>();
  check_rounding<T, 2 * full<float>>();
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
  expect_lanes(ints, [&](int i) { return static_cast<int>(v[i]); });
  expect_lanes(bytes, [&](int i) { return static_cast<std::int8_t>(v[i]); });
  expect_lanes(wide, [&](int i) { return v[i]; });
  EXPECT_EQ(convert<std::uint8_t>(vec<std::int32_t, 4>{257, -1, 3, 4})[0], 1);
}

template <class To, class From, int W> void check_integers(std::mt19937_64 &random) {
  From in[W];
  for (From &x : in)
    x = From(random());
  const auto v = convert<To>(load<W>(in));
  static_assert(std::is_same_v<lane_of<decltype(v)>, To>);
  expect_lanes(v, [&](int i) { return static_cast<To>(in[i]); });
}
template <class To, class From> void check_integers_of_all_widths() {
  std::mt19937_64 random(8 * sizeof(To) + sizeof(From));
  check_integers<To, From, 2>(random);
  check_integers<To, From, 4>(random);
  check_integers<To, From, 8>(random);
  check_integers<To, From, 16>(random);
  check_integers<To, From, 32>(random);
  check_integers<To, From, 64>(random);
}
template <class... Ts> void check_integers_from_each_to_each() {
  const auto from_all_to = [](auto to) {
    (check_integers_of_all_widths<decltype(to), Ts>(), ...);
  };
  (from_all_to(Ts()), ...);
}
/// Of every size and sign, in as many lanes as fit a part of a register and more than two of them.
TEST(Convert, BetweenIntegers) {
  check_integers_from_each_to_each<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                   std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>();
}

TEST(Convert, Scalars) {
  EXPECT_EQ(convert<int>(-2.75), -2);
  EXPECT_EQ(convert<bfloat16>(1.00390625f), 1.0f);
  EXPECT_EQ(round_to<float16>(1.0f + 0x1p-12f), 1.0f);
}

} // namespace convert_test
