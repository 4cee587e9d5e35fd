//===- ArithTest.cpp - elementary functions and reductions ------------------===//

#include "Lanes.h"

#include <septran/cpu/arith.h>

#include <cmath>
#include <limits>
#include <random>

namespace arith_test {

namespace cpu = septran::cpu;
using cpu::iota;
using cpu::splat;
using cpu::vec;
using namespace lanes_test;

template <class T> T sample(std::mt19937_64 &random, int n) {
  using L = std::numeric_limits<T>;
  const T special[] = {0,
                       T(-0.0),
                       T(0.5),
                       T(-0.5),
                       T(1.5),
                       T(2.5),
                       T(-2.5),
                       T(0x1p23),
                       T(0x1p52),
                       T(0x1p22 + 0.5),
                       T(-0.3),
                       T(0.3),
                       L::infinity(),
                       -L::infinity(),
                       L::quiet_NaN(),
                       L::min(),
                       L::max(),
                       L::denorm_min(),
                       T(0.5) - L::epsilon() / 4};
  if (n < 100)
    return special[random() % std::size(special)];
  return std::ldexp(T(std::int64_t(random()) >> 20), -int(random() % 90));
}

template <class T, int W> void check_functions() {
  SCOPED_TRACE(testing::Message() << "W = " << W << ", sizeof(T) = " << sizeof(T));
  std::mt19937_64 random(W);
  for (int n = 0; n < 4000 && !testing::Test::HasFailure(); ++n) {
    vec<T, W> a{}, b{}, c{};
    for (int i = 0; i < W; ++i) {
      a[i] = sample<T>(random, n);
      b[i] = sample<T>(random, n);
      c[i] = sample<T>(random, n);
    }
    expect_lanes(cpu::floor(a), [&](int i) { return std::floor(a[i]); });
    expect_lanes(cpu::ceil(a), [&](int i) { return std::ceil(a[i]); });
    expect_lanes(cpu::trunc(a), [&](int i) { return std::trunc(a[i]); });
    expect_lanes(cpu::round(a), [&](int i) { return std::round(a[i]); });
    expect_lanes(cpu::nearbyint(a), [&](int i) { return std::nearbyint(a[i]); });
    expect_lanes(cpu::isnan(a), [&](int i) { return std::isnan(a[i]) ? -1 : 0; });
    expect_lanes(cpu::isinf(a), [&](int i) { return std::isinf(a[i]) ? -1 : 0; });
    expect_lanes(cpu::isfinite(a), [&](int i) { return std::isfinite(a[i]) ? -1 : 0; });
    expect_lanes(cpu::sqrt(a), [&](int i) { return std::sqrt(a[i]); });
    expect_lanes(cpu::rsqrt(a), [&](int i) { return 1 / std::sqrt(a[i]); });
    expect_lanes(cpu::abs(a), [&](int i) { return std::fabs(a[i]); });
    expect_lanes(cpu::fma(a, b, c), [&](int i) { return std::fma(a[i], b[i], c[i]); });
    expect_lanes(cpu::copysign(a, b), [&](int i) { return std::copysign(a[i], b[i]); });
    expect_lanes(cpu::min(a, b), [&](int i) { return a[i] < b[i] ? a[i] : b[i]; });
    expect_lanes(cpu::max(a, b), [&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
  }
}

template <class T> void check_widths() {
  check_functions<T, 2>();
  check_functions<T, full<T>>();
  check_functions<T, 2 * full<T>>();
}

TEST(Arith, FloatLanes) { check_widths<float>(); }
TEST(Arith, DoubleLanes) { check_widths<double>(); }

TEST(Arith, MulAddRoundsOnceOrTwice) {
  const float below = 1 - 0x1p-24f;
  const auto v = splat<float, 16>(below);
  const float once = std::fma(below, below, -1.0f), square = below * below, twice = square - 1.0f;
  const auto sum = cpu::mul_add(v, v, splat<float, 16>(-1.0f)),
             same_sum = cpu::mul_add(v, v, -1.0f);
  for (int i = 0; i < 16; ++i) {
    EXPECT_TRUE(sum[i] == once || sum[i] == twice) << sum[i];
    EXPECT_EQ(sum[i], same_sum[i]);
  }
  EXPECT_EQ(cpu::mul_add(splat<int, 4>(3), splat<int, 4>(4), splat<int, 4>(5))[1], 17);
}

TEST(Arith, IntegerLanes) {
  const vec<std::int32_t, 4> a{-3, 5, 0, -7}, b{2, -5, 1, -8};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(cpu::abs(a)[i], std::abs(a[i]));
    EXPECT_EQ(cpu::min(a, b)[i], std::min(a[i], b[i]));
    EXPECT_EQ(cpu::max(a, b)[i], std::max(a[i], b[i]));
    EXPECT_EQ(cpu::max(a, 0)[i], std::max(a[i], 0));
    EXPECT_EQ(cpu::min(0, a)[i], std::min(a[i], 0));
  }
  EXPECT_EQ(cpu::abs(splat<std::uint8_t, 16>(200))[0], 200);
}

TEST(Arith, Scalars) {
  EXPECT_EQ(cpu::min(3, std::ptrdiff_t(2)), 2);
  EXPECT_EQ(cpu::max(2.5f, 1), 2.5f);
  EXPECT_EQ(cpu::abs(std::int8_t(-5)), 5);
  EXPECT_EQ(cpu::abs(-1.5), 1.5);
  EXPECT_EQ(cpu::round(2.5f), 3.0f);
  EXPECT_EQ(cpu::fma(2.0f, 3.0f, 1.0f), 7.0f);
  EXPECT_EQ(cpu::mul_add(2.0, 3.0, 1.0), 7.0);
  EXPECT_EQ(cpu::rsqrt(4.0), 0.5);
  EXPECT_EQ(cpu::copysign(2.0, -1.0), -2.0);
  EXPECT_EQ(cpu::nearbyint(2.5f), 2.0f);
  EXPECT_TRUE(cpu::isnan(NAN) && cpu::isinf(-INFINITY) && cpu::isfinite(1.0));
  EXPECT_EQ(cpu::floor(-0.5) + cpu::ceil(0.5) + cpu::trunc(1.5) + cpu::sqrt(4.0), 3.0);
}

template <class T, int W> void check_reductions() {
  const auto v = iota<T, W>(T(1));
  EXPECT_EQ(cpu::reduce_add(v), T(W * (W + 1) / 2));
  EXPECT_EQ(cpu::reduce_max(v), T(W));
  EXPECT_EQ(cpu::reduce_min(v), T(1));
  const vec<T, W> parts[3] = {v, v + T(1), v + T(2)};
  EXPECT_EQ(cpu::reduce_add(parts), T(3 * (W * (W + 1) / 2) + 3 * W));
  EXPECT_EQ(cpu::reduce_max(parts), T(W + 2));
  EXPECT_EQ(cpu::reduce_min(parts), T(1));
  const vec<T, W> twos[2] = {v - v + T(2), v - v + T(1)};
  EXPECT_EQ(cpu::reduce_mul(twos), cpu::reduce_mul(twos[0]));
  T product = 1;
  for (int i = 1; i <= W; ++i)
    product = T(product * T(i % 2 + 1));
  auto factors = v;
  for (int i = 1; i <= W; ++i)
    factors[i - 1] = T(i % 2 + 1);
  EXPECT_EQ(cpu::reduce_mul(factors), product);
}

template <class T> void check_reductions_of() {
  check_reductions<T, 2>();
  check_reductions<T, 2 * full<T>>();
}

TEST(Arith, Reductions) {
  check_reductions_of<float>();
  check_reductions_of<double>();
  check_reductions_of<std::uint8_t>();
  check_reductions_of<std::int32_t>();
  check_reductions_of<std::int64_t>();
}

} // namespace arith_test
