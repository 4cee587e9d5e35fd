//===- MathChecks.h - How far a vector function is from the exact one -------===//
//
// Each function is compared with the C library in the next wider type, whose own error does not
// count: on special values, on random bit patterns (every exponent and sign, infinities, NaN,
// subnormals) and on random points of the range where it does its work. An ulp is the distance of
// neighbouring floats around the exact result, and that of the subnormal ones below.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_TEST_UNIT_CPU_MATHCHECKS_H
#define SEPTRAN_TEST_UNIT_CPU_MATHCHECKS_H

#include <septran/cpu/math.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace math_checks {

namespace cpu = septran::cpu;

template <class T> using wider = std::conditional_t<sizeof(T) == 4, double, long double>;

constexpr double wrong = 1e30;

/// Distance of `got` from the exact result in ulps. A NaN, an infinity that is not due and a zero
/// of the wrong sign are infinitely far.
template <class T> double distance(T got, wider<T> exact) {
  using L = std::numeric_limits<T>;
  using R = wider<T>;
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) == std::isnan(got) ? 0 : wrong;
  const T nearest = T(exact);
  if (nearest == 0 && got == 0)
    return std::signbit(nearest) == std::signbit(got) ? 0 : wrong;
  if (std::isinf(nearest) && std::isinf(got))
    return nearest == got ? 0 : wrong;
  if (std::isinf(exact))
    return wrong;
  // Beyond the largest float, infinity stands for the next power of two.
  const R value =
      std::isinf(got) ? std::copysign(std::ldexp(R(1), L::max_exponent), R(got)) : R(got);
  int exponent;
  std::frexp(exact, &exponent);
  exponent = std::max(std::min(exponent, L::max_exponent), L::min_exponent);
  return double(std::fabs(value - exact) / std::ldexp(R(1), exponent - L::digits));
}

template <class T> T random_bits(std::mt19937_64 &random) {
  const std::uint64_t bits = random();
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// The largest distance over `points` arguments, half of them within [low, high].
template <class T, int W, class F, class G>
void expect_within(double bound, const char *name, F function, G reference, double low, double high,
                   long points) {
  using L = std::numeric_limits<T>;
  const T special[] = {0, T(-0.0), L::infinity(), -L::infinity(), L::quiet_NaN(), 1, -1, T(0.5),
                       T(-0.5), L::min(), L::denorm_min(), -L::denorm_min(), L::max(), L::lowest(),
                       2, 4, 128, -149, -150, 1024, -1074, -1075,
                       // Where float and double exponentials overflow, become subnormal and zero.
                       T(88.7228), T(88.7229), T(-87.4), T(-103.9), T(-104), T(709.78), T(709.79),
                       T(-745.1), T(-745.2), T(0x1p20), T(0x1p22), T(-0x1p30)};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> within(low, high);
  double worst = 0;
  T at = 0;
  for (long k = 0; k < points; k += W) {
    cpu::vec<T, W> x{};
    for (int i = 0; i < W; ++i)
      x[i] = k < long(std::size(special)) ? special[(k + i) % std::size(special)]
             : k & W                      ? random_bits<T>(random)
                                          : T(within(random));
    const auto y = function(x);
    for (int i = 0; i < W; ++i) {
      const double d = distance<T>(y[i], reference(wider<T>(x[i])));
      if (d > worst) {
        worst = d;
        at = x[i];
      }
    }
  }
  EXPECT_LE(worst, bound) << name << " of " << at << ", W = " << W;
}

/// Every function of one lane type and width. `points` counts those of each function.
template <class T, int W> void check_functions(long points) {
#define CHECK(bound, function, low, high)                                                          \
  expect_within<T, W>(                                                                             \
      bound, #function, [](auto x) { return cpu::function(x); },                                   \
      [](auto x) { return std::function(x); }, low, high, points)
  const bool wide = sizeof(T) == 8;
  CHECK(2, exp, wide ? -750 : -110, wide ? 712 : 95);
  CHECK(2, exp, -3, 3);
  CHECK(2, exp2, wide ? -1080 : -151, wide ? 1030 : 130);
  CHECK(2, expm1, -40, 95);
  CHECK(2, expm1, -1, 1);
  CHECK(4, tanh, -11, 11);
  CHECK(4, tanh, -1, 1);
  CHECK(2, log, 0, 4);
  CHECK(2, log2, 0, 4);
  CHECK(2, log1p, -1, 3);
  CHECK(4, erf, -6, 6);
  CHECK(4, erf, -1.5, 1.5);
  CHECK(2, sin, -10, 10);
  CHECK(2, sin, -1e6, 1e6);
  CHECK(2, cos, -10, 10);
  CHECK(2, cos, -1e6, 1e6);
#undef CHECK
  expect_within<T, W>(
      2, "rsqrt", [](auto x) { return cpu::rsqrt(x); }, [](auto x) { return 1 / std::sqrt(x); }, 0,
      10, points);
}

/// pow: all pairs of special values, then bases and exponents whose powers are neither 0 nor
/// infinite.
template <class T, int W> void check_pow(double bound, long points) {
  using L = std::numeric_limits<T>;
  const T special[] = {
      0,      T(-0.0),   1,  -1,     L::infinity(), -L::infinity(), L::quiet_NaN(),  2,
      -2,     3,         -3, T(0.5), T(-0.5),       T(1e30),        L::denorm_min(), L::max(),
      T(1.5), T(-0x1p60)};
  const long count = std::size(special);
  const double range = L::max_exponent - 2;
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> unit(-1, 1);
  double worst = 0;
  T base = 0, exponent = 0;
  for (long k = 0; k < points; k += W) {
    cpu::vec<T, W> x{}, y{};
    for (int i = 0; i < W; ++i) {
      const long n = k + i;
      if (n < count * count) {
        x[i] = special[n / count];
        y[i] = special[n % count];
      } else if (n % 4 == 0) {
        x[i] = T(std::exp(unit(random) * 80));
        y[i] = T(unit(random) * 9);
      } else if (n % 4 == 1) {
        x[i] = T(1 + unit(random) * 1e-3);
        y[i] = T(unit(random) * range * 680);
      } else if (n % 4 == 2) {
        x[i] = T(unit(random) * 4);
        y[i] = T(int(unit(random) * 30));
      } else {
        x[i] = T(std::ldexp(1 + std::fabs(unit(random)), int(unit(random) * range)));
        y[i] = T(unit(random) * 1.05);
      }
    }
    const auto z = cpu::pow(x, y);
    for (int i = 0; i < W; ++i) {
      const double d = distance<T>(z[i], std::pow(wider<T>(x[i]), wider<T>(y[i])));
      if (d > worst) {
        worst = d;
        base = x[i];
        exponent = y[i];
      }
    }
  }
  EXPECT_LE(worst, bound) << "pow of " << base << " and " << exponent << ", W = " << W;
}

} // namespace math_checks

#endif
