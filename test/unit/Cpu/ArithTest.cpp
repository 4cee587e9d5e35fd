//===- ArithTest.cpp - elementary functions and reductions ------------------===//

#include <septran/cpu/arith.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace {

namespace cpu = septran::cpu;
using cpu::iota;
using cpu::splat;
using cpu::vec;

/// Equal bits, or both NaN.
template <class T> bool same(T a, T b) { return a != a ? b != b : !std::memcmp(&a, &b, sizeof(T)); }

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
  for (int n = 0; n < 20000; ++n) {
    vec<T, W> a{}, b{}, c{};
    for (int i = 0; i < W; ++i) {
      a[i] = sample<T>(random, n);
      b[i] = sample<T>(random, n);
      c[i] = sample<T>(random, n);
    }
    const auto floor = cpu::floor(a), ceil = cpu::ceil(a), trunc = cpu::trunc(a);
    const auto round = cpu::round(a), sqrt = cpu::sqrt(a), rsqrt = cpu::rsqrt(a);
    const auto abs = cpu::abs(a), fma = cpu::fma(a, b, c), copysign = cpu::copysign(a, b);
    const auto min = cpu::min(a, b), max = cpu::max(a, b);
    for (int i = 0; i < W; ++i) {
      ASSERT_TRUE(same(floor[i], std::floor(a[i]))) << a[i];
      ASSERT_TRUE(same(ceil[i], std::ceil(a[i]))) << a[i];
      ASSERT_TRUE(same(trunc[i], std::trunc(a[i]))) << a[i];
      ASSERT_TRUE(same(round[i], std::round(a[i]))) << a[i];
      ASSERT_TRUE(same(sqrt[i], std::sqrt(a[i]))) << a[i];
      ASSERT_TRUE(same(rsqrt[i], 1 / std::sqrt(a[i]))) << a[i];
      ASSERT_TRUE(same(abs[i], std::fabs(a[i]))) << a[i];
      ASSERT_TRUE(same(fma[i], std::fma(a[i], b[i], c[i]))) << a[i] << b[i] << c[i];
      ASSERT_TRUE(same(copysign[i], std::copysign(a[i], b[i]))) << a[i] << b[i];
      ASSERT_TRUE(same(min[i], a[i] < b[i] ? a[i] : b[i])) << a[i] << b[i];
      ASSERT_TRUE(same(max[i], a[i] > b[i] ? a[i] : b[i])) << a[i] << b[i];
    }
  }
}

TEST(Arith, FloatLanes) {
  check_functions<float, 4>();
  check_functions<float, 8>();
  check_functions<float, 16>();
}

TEST(Arith, DoubleLanes) {
  check_functions<double, 2>();
  check_functions<double, 8>();
  check_functions<double, 16>();
}

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
  EXPECT_EQ(cpu::floor(-0.5) + cpu::ceil(0.5) + cpu::trunc(1.5) + cpu::sqrt(4.0), 3.0);
}

template <class T, int W> void check_reductions() {
  const auto v = iota<T, W>(T(1));
  EXPECT_EQ(cpu::reduce_add(v), T(W * (W + 1) / 2));
  EXPECT_EQ(cpu::reduce_max(v), T(W));
  EXPECT_EQ(cpu::reduce_min(v), T(1));
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
  check_reductions<T, 4>();
  check_reductions<T, 8>();
  check_reductions<T, 16>();
}

TEST(Arith, Reductions) {
  check_reductions_of<float>();
  check_reductions_of<double>();
  check_reductions_of<std::uint8_t>();
  check_reductions_of<std::int32_t>();
  check_reductions_of<std::int64_t>();
}

} // namespace
