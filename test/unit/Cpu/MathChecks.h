//===- MathChecks.h - How far a vector function is from the exact one -------===//
//
// Each function is compared with the C library in the next wider type, whose own error does not
// count: on special values, on random bit patterns (every exponent and sign, infinities, NaN,
// subnormals) and on random points of the range where it does its work. An ulp is the distance of
// neighbouring floats around the exact result, and that of the subnormal ones below.
//
// The checks work on arrays and take the functions as pointers: only those are compiled anew for
// each number of lanes.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_TEST_UNIT_CPU_MATHCHECKS_H
#define SEPTRAN_TEST_UNIT_CPU_MATHCHECKS_H

#include "Lanes.h"

#include <septran/cpu/math.h>

#include <cmath>
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

template <class T> using on_lanes = void (*)(const T *x, T *y);
template <class T> using exact = wider<T> (*)(wider<T>);

/// One function of W lanes and what it is compared with.
template <class T> struct function {
  const char *name;
  on_lanes<T> run;
  exact<T> reference;
};

/// How far a function may be from the exact one, and a range where it does its work.
template <class T> struct check {
  function<T> of;
  double bound, low, high;
};

/// The largest distance over `points` arguments, half of them within [low, high].
template <class T>
__attribute__((noinline)) void expect_within(const check<T> &c, int W, long points) {
  using L = std::numeric_limits<T>;
  const T special[] = {0, T(-0.0), L::infinity(), -L::infinity(), L::quiet_NaN(), 1, -1, T(0.5),
                       T(-0.5), L::min(), L::denorm_min(), -L::denorm_min(), L::max(), L::lowest(),
                       2, 4, 128, -149, -150, 1024, -1074, -1075,
                       // Where float and double exponentials overflow, become subnormal and zero.
                       T(88.7228), T(88.7229), T(-87.4), T(-103.9), T(-104), T(709.78), T(709.79),
                       T(-745.1), T(-745.2), T(0x1p20), T(0x1p22), T(-0x1p30),
                       // Where sinh and cosh overflow, and erfc becomes subnormal and zero.
                       T(89.4159), T(-89.416), T(89.6), T(710.475), T(-710.476), T(710.6), T(9.19),
                       T(10.05), T(10.06), T(26.54), T(27.22), T(27.23)};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> within(c.low, c.high);
  double worst = 0;
  T at = 0;
  for (long k = 0; k < points; k += W) {
    T x[64], y[64];
    for (int i = 0; i < W; ++i)
      x[i] = k < long(std::size(special)) ? special[(k + i) % std::size(special)]
             : k & W                      ? random_bits<T>(random)
                                          : T(within(random));
    c.of.run(x, y);
    for (int i = 0; i < W; ++i) {
      const double d = distance<T>(y[i], c.of.reference(wider<T>(x[i])));
      if (d > worst) {
        worst = d;
        at = x[i];
      }
    }
  }
  EXPECT_LE(worst, c.bound) << c.of.name << " of " << at << ", W = " << W;
}

template <class T, int W> cpu::vec<T, W> from_array(const T *x) {
  cpu::vec<T, W> v;
  std::memcpy(&v, x, sizeof v);
  return v;
}

/// Every function of one lane type and width. `points` counts those of each range.
template <class T, int W> void check_functions(long points) {
  const bool wide = sizeof(T) == 8;
#define FUNCTION(name, reference)                                                                  \
  const function<T> name{                                                                          \
      #name,                                                                                       \
      [](const T *x, T *y) {                                                                       \
        const auto r = cpu::name(from_array<T, W>(x));                                             \
        std::memcpy(y, &r, sizeof r);                                                              \
      },                                                                                           \
      [](wider<T> x) -> wider<T> { return reference; }}
  FUNCTION(exp, std::exp(x));
  FUNCTION(exp2, std::exp2(x));
  FUNCTION(expm1, std::expm1(x));
  FUNCTION(tanh, std::tanh(x));
  FUNCTION(log, std::log(x));
  FUNCTION(log2, std::log2(x));
  FUNCTION(log10, std::log10(x));
  FUNCTION(log1p, std::log1p(x));
  FUNCTION(cbrt, std::cbrt(x));
  FUNCTION(sinh, std::sinh(x));
  FUNCTION(cosh, std::cosh(x));
  FUNCTION(erf, std::erf(x));
  FUNCTION(erfc, std::erfc(x));
  FUNCTION(sin, std::sin(x));
  FUNCTION(cos, std::cos(x));
  FUNCTION(tan, std::tan(x));
  FUNCTION(asin, std::asin(x));
  FUNCTION(acos, std::acos(x));
  FUNCTION(atan, std::atan(x));
  FUNCTION(rsqrt, 1 / std::sqrt(x));
#undef FUNCTION
  const check<T> checks[] = {{exp, 2, wide ? -750.0 : -110.0, wide ? 712.0 : 95.0},
                             {exp, 2, -3, 3},
                             {exp2, 2, wide ? -1080.0 : -151.0, wide ? 1030.0 : 130.0},
                             {expm1, 2, -40, 95},
                             {expm1, 2, -1, 1},
                             {tanh, wide ? 4.0 : 3.0, -11, 11},
                             {tanh, wide ? 4.0 : 3.0, -1, 1},
                             {log, 2, 0, 4},
                             {log2, 2, 0, 4},
                             {log10, 2, 0, 4},
                             {log1p, 2, -1, 3},
                             {cbrt, 1, -8, 8},
                             {sinh, 3, -3, 3},
                             {sinh, 3, wide ? -712.0 : -90.0, wide ? 712.0 : 90.0},
                             {cosh, 2, -3, 3},
                             {cosh, 2, wide ? -712.0 : -90.0, wide ? 712.0 : 90.0},
                             {erf, wide ? 4.0 : 3.2, -6, 6},
                             {erf, wide ? 4.0 : 3.2, -1.5, 1.5},
                             {erfc, wide ? 5.0 : 4.0, -6, wide ? 27.5 : 10.3},
                             {erfc, wide ? 5.0 : 4.0, 0.7, 2},
                             {sin, 2, -10, 10},
                             {sin, 2, -1e6, 1e6},
                             {cos, 2, -10, 10},
                             {cos, 2, -1e6, 1e6},
                             {tan, wide ? 3.0 : 4.0, -10, 10},
                             {tan, wide ? 3.0 : 4.0, -1e6, 1e6},
                             {asin, 2, -1, 1},
                             {acos, 2, -1, 1},
                             {atan, 2, -3, 3},
                             {rsqrt, 2, 0, 10}};
  for (const check<T> &c : checks)
    expect_within(c, W, points);
}

/// A function of two arguments of W lanes, what it is compared with, and where it does its work.
template <class T> struct function_of_two {
  const char *name;
  void (*run)(const T *x, const T *y, T *z);
  wider<T> (*reference)(wider<T> x, wider<T> y);
  void (*draw)(long n, std::mt19937_64 &random, T &x, T &y);
};

/// The largest distance over all pairs of special values, and then over those that are drawn.
template <class T>
__attribute__((noinline)) void expect_within(const function_of_two<T> &f, double bound, int W,
                                             long points) {
  using L = std::numeric_limits<T>;
  const T special[] = {
      0,      T(-0.0),   1,  -1,     L::infinity(), -L::infinity(), L::quiet_NaN(),  2,
      -2,     3,         -3, T(0.5), T(-0.5),       T(1e30),        L::denorm_min(), L::max(),
      T(1.5), T(-0x1p60)};
  const long count = std::size(special);
  std::mt19937_64 random(9);
  double worst = 0, first = 0, second = 0;
  for (long k = 0; k < points; k += W) {
    T x[64], y[64], z[64];
    for (int i = 0; i < W; ++i) {
      const long n = k + i;
      if (n < count * count) {
        x[i] = special[n / count];
        y[i] = special[n % count];
      } else {
        f.draw(n, random, x[i], y[i]);
      }
    }
    f.run(x, y, z);
    for (int i = 0; i < W; ++i) {
      const double d = distance<T>(z[i], f.reference(x[i], y[i]));
      if (d > worst) {
        worst = d;
        first = x[i];
        second = y[i];
      }
    }
  }
  EXPECT_LE(worst, bound) << f.name << " of " << first << " and " << second << ", W = " << W;
}

/// Bases and exponents whose powers are neither 0 nor infinite.
template <class T> void draw_for_pow(long n, std::mt19937_64 &random, T &x, T &y) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const double range = std::numeric_limits<T>::max_exponent - 2;
  if (n % 4 == 0) {
    x = T(std::exp(unit(random) * 80));
    y = T(unit(random) * 9);
  } else if (n % 4 == 1) {
    x = T(1 + unit(random) * 1e-3);
    y = T(unit(random) * range * 680);
  } else if (n % 4 == 2) {
    x = T(unit(random) * 4);
    y = T(int(unit(random) * 30));
  } else {
    x = T(std::ldexp(1 + std::fabs(unit(random)), int(unit(random) * range)));
    y = T(unit(random) * 1.05);
  }
}

/// Numbers of one size, and any numbers.
template <class T> void draw_for_atan2(long n, std::mt19937_64 &random, T &x, T &y) {
  std::uniform_real_distribution<double> unit(-1, 1);
  x = n % 4 ? T(unit(random)) : random_bits<T>(random);
  y = n % 4 ? T(unit(random)) : random_bits<T>(random);
}

/// Quotients of every size, and those beside whole numbers.
template <class T> void draw_for_fmod(long n, std::mt19937_64 &random, T &x, T &y) {
  std::uniform_real_distribution<double> unit(-1, 1);
  y = n % 4 ? T(unit(random)) : random_bits<T>(random);
  const double quotient = std::exp2(20 * unit(random) + 15);
  x = n % 4 == 0   ? random_bits<T>(random)
      : n % 4 == 1 ? T(quotient * y)
                   : T(y * T(std::trunc(quotient)));
  if (n % 4 == 3)
    x = std::nextafter(x, T(0));
}

template <class T, int W> void check_functions_of_two(long points) {
#define FUNCTION(name)                                                                             \
  const function_of_two<T> name{                                                                   \
      #name,                                                                                       \
      [](const T *x, const T *y, T *z) {                                                           \
        const auto r = cpu::name(from_array<T, W>(x), from_array<T, W>(y));                        \
        std::memcpy(z, &r, sizeof r);                                                              \
      },                                                                                           \
      [](wider<T> x, wider<T> y) -> wider<T> { return std::name(x, y); }, draw_for_##name<T>}
  FUNCTION(pow);
  FUNCTION(atan2);
  FUNCTION(fmod);
#undef FUNCTION
  expect_within(pow, sizeof(T) == 8 ? 2.0 : 1.0, W, points);
  expect_within(atan2, 2, W, points);
  expect_within(fmod, 0, W, points);
}

} // namespace math_checks

#endif
