//===- verify/math.h - mathematical functions with error bounds ----------===//
//
// The functions of <cmath>, and std::min and std::max, on `real`. A function maps the interval of
// its argument, and its own result may be off by a few units in the last place:
//
//   sqrt, fabs, copysign, fma, fmod,
//   floor, ceil, trunc, round, rint                       rounded correctly, as IEEE 754 asks
//   exp, exp2, expm1, log, log2, log1p, pow, sin, cos     3 ulp
//   tanh, erf, and all others                             5 ulp
//   erfc                                                  6 ulp
//
// That is one more than the vector functions of <septran/cpu/math.h> state, or more, and no less
// than the GNU C library states of itself (manual, section 19.7, Known Maximum Errors in Math
// Functions, x86_64, rounding to nearest).
//
// As in <cmath>, a function of a small float is that of its float, and a function of an integer
// that of its double.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_MATH_H
#define SEPTRAN_VERIFY_MATH_H

#include <septran/verify/real.h>

#include <cmath>

namespace septran::verify {

namespace detail {

/// The type that a function of <cmath> computes in.
template <class T> struct computed {
  using type = std::conditional_t<std::is_integral_v<T>, double,
                                  std::conditional_t<std::is_floating_point_v<T>, T, float>>;
};
template <class... T> using computed_t = std::common_type_t<typename computed<bare_t<T>>::type...>;

/// Operands of which one is a real, as one type.
template <class... A>
concept arguments = (is_real<A> || ...) && (number<A> && ...);
template <class... A> using function_t = real<computed_t<A...>>;

template <class T> constexpr typename format<T>::wide ulps(int count) {
  return 2 * count * format<T>::u + format<T>::unit;
}

template <class T> real<T> nan() { return real<T>::of(std::numeric_limits<T>::quiet_NaN()); }

/// f rises or falls throughout its domain.
template <class T, class F> real<T> monotone(const real<T> &argument, F f, int error_ulps) {
  const real<T> x = argument.settled();
  if (!x.is_determined())
    return x;
  const auto value = f(x.value);
  if (x.error == 0 && (!is_finite(value) || !is_finite(x.value)))
    return real<T>::of(static_cast<T>(value));
  const auto a = f(x.value - x.error), b = f(x.value + x.error);
  if (is_nan(a) || is_nan(b))
    return real<T>::undetermined();
  return real<T>::rounded(value, a < b ? a : b, a < b ? b : a, ulps<T>(error_ulps));
}

/// f falls up to 0, and rises from there.
template <class T, class F> real<T> valley(const real<T> &argument, F f, int error_ulps) {
  const real<T> x = argument.settled();
  if (!x.is_determined())
    return x;
  const auto value = f(x.value);
  if (!is_finite(value) && x.error == 0)
    return real<T>::of(static_cast<T>(value));
  const auto a = f(x.value - x.error), b = f(x.value + x.error);
  if (is_nan(a) || is_nan(b))
    return real<T>::undetermined();
  const auto low = std::fabs(x.value) <= x.error ? f(typename real<T>::wide(0)) : a < b ? a : b;
  return real<T>::rounded(value, low, a < b ? b : a, ulps<T>(error_ulps));
}

/// f rises between poles, which are at odd multiples of pi/2.
template <class T, class F> real<T> between_poles(const real<T> &argument, F f, int error_ulps) {
  const real<T> x = argument.settled();
  const auto branch = [](auto v) {
    return std::floor(v / 3.14159265358979323846264338327950288L + 0.5L);
  };
  if (x.is_determined() && x.error > 0 && branch(x.value - x.error) != branch(x.value + x.error))
    return real<T>::undetermined();
  return monotone(x, f, error_ulps);
}

/// f moves by no more than its argument does, and stays in [-1, 1].
template <class T, class F> real<T> wave(const real<T> &argument, F f, int error_ulps) {
  const real<T> x = argument.settled();
  if (!x.is_determined())
    return x;
  if (!is_finite(x.value))
    return nan<T>();
  const auto value = f(x.value);
  const auto error = x.error < 2 ? x.error : 2;
  return real<T>::rounded(value, value - error, value + error, ulps<T>(error_ulps));
}

/// f gives whole numbers, and rises.
template <class T, class F> real<T> step(const real<T> &argument, F f) {
  const real<T> x = argument.settled();
  if (!x.is_determined() || !is_finite(x.value))
    return x;
  const auto value = f(x.value), slack = x.bound();
  const auto low = value - f(x.value - slack), high = f(x.value + slack) - value;
  if (low == 0 && high == 0)
    return real<T>::of(static_cast<T>(value));
  return real<T>::term(value, larger(low, high));
}

/// The argument whose value wins, with the bound of either.
template <class T> real<T> extreme(const real<T> &a, const real<T> &b, bool second) {
  const real<T> x = a.settled(), y = b.settled();
  if (!x.is_determined() || !y.is_determined())
    return real<T>::undetermined();
  // No comparison with a NaN holds, so the first argument stays: as an accumulator in every order.
  if (is_nan(x.value) || is_nan(y.value))
    return x;
  const real<T> &winner = second ? y : x;
  if (!is_finite(x.value) || !is_finite(y.value))
    return winner;
  const int granule = x.granule < y.granule ? x.granule : y.granule;
  return real<T>::term(winner.value, larger(x.error, y.error), granule);
}

} // namespace detail

// The names with `f` are those that C gives the functions of float.
#define SEPTRAN_VERIFY_FUNCTION(NAME, SHAPE, ULPS)                                                 \
  template <class A>                                                                               \
    requires detail::arguments<A>                                                                  \
  auto NAME(const A &x) {                                                                          \
    return detail::SHAPE(detail::function_t<A>(x), [](auto v) { return std::NAME(v); }, ULPS);     \
  }                                                                                                \
  template <class A>                                                                               \
    requires detail::arguments<A>                                                                  \
  auto NAME##f(const A &x) {                                                                       \
    return NAME(real<float>(x));                                                                   \
  }
SEPTRAN_VERIFY_FUNCTION(exp, monotone, 3)
SEPTRAN_VERIFY_FUNCTION(exp2, monotone, 3)
SEPTRAN_VERIFY_FUNCTION(expm1, monotone, 3)
SEPTRAN_VERIFY_FUNCTION(log, monotone, 3)
SEPTRAN_VERIFY_FUNCTION(log2, monotone, 3)
SEPTRAN_VERIFY_FUNCTION(log10, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(log1p, monotone, 3)
SEPTRAN_VERIFY_FUNCTION(cbrt, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(asin, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(acos, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(atan, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(sinh, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(asinh, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(acosh, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(atanh, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(tanh, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(erf, monotone, 5)
SEPTRAN_VERIFY_FUNCTION(erfc, monotone, 6)
SEPTRAN_VERIFY_FUNCTION(cosh, valley, 5)
SEPTRAN_VERIFY_FUNCTION(tan, between_poles, 5)
SEPTRAN_VERIFY_FUNCTION(sin, wave, 3)
SEPTRAN_VERIFY_FUNCTION(cos, wave, 3)
#undef SEPTRAN_VERIFY_FUNCTION

#define SEPTRAN_VERIFY_STEP(NAME)                                                                  \
  template <class A>                                                                               \
    requires detail::arguments<A>                                                                  \
  auto NAME(const A &x) {                                                                          \
    return detail::step(detail::function_t<A>(x), [](auto v) { return std::NAME(v); });            \
  }                                                                                                \
  template <class A>                                                                               \
    requires detail::arguments<A>                                                                  \
  auto NAME##f(const A &x) {                                                                       \
    return NAME(real<float>(x));                                                                   \
  }
SEPTRAN_VERIFY_STEP(floor)
SEPTRAN_VERIFY_STEP(ceil)
SEPTRAN_VERIFY_STEP(trunc)
SEPTRAN_VERIFY_STEP(round)
SEPTRAN_VERIFY_STEP(rint)
SEPTRAN_VERIFY_STEP(nearbyint)
#undef SEPTRAN_VERIFY_STEP

template <class A>
  requires detail::arguments<A>
auto sqrt(const A &a) {
  using R = detail::function_t<A>;
  using T = typename R::value_type;
  const R x = R(a).settled();
  if (x.error == 0 && x.value >= 0) {
    const T nearest = static_cast<T>(std::sqrt(x.value));
    const auto root = detail::format<T>::as_wide(nearest);
    if (detail::is_finite(root) && root * root == x.value)
      return R::of(nearest);
  }
  return detail::monotone(x, [](auto v) { return std::sqrt(v); }, 1);
}
template <class A>
  requires detail::arguments<A>
auto sqrtf(const A &x) {
  return sqrt(real<float>(x));
}

template <class A>
  requires detail::arguments<A>
auto fabs(const A &a) {
  using R = detail::function_t<A>;
  R x = R(a).settled();
  // x and -x are as far from each other as from their absolute values, or further.
  x.value = std::fabs(x.value);
  return x;
}
template <class A>
  requires detail::arguments<A>
auto abs(const A &x) {
  return fabs(x);
}
template <class A>
  requires detail::arguments<A>
auto fabsf(const A &x) {
  return fabs(real<float>(x));
}

template <class A, class B>
  requires detail::arguments<A, B>
auto copysign(const A &a, const B &b) {
  using R = detail::function_t<A, B>;
  const R x = R(a).settled(), sign = R(b).settled();
  // The sign of a zero or a NaN may be either.
  if (!x.is_determined() || !sign.is_determined() || !(std::fabs(sign.value) > sign.error))
    return R::undetermined();
  const R size = fabs(x);
  return sign.value < 0 ? -size : size;
}
template <class A, class B>
  requires detail::arguments<A, B>
auto copysignf(const A &a, const B &b) {
  return copysign(real<float>(a), real<float>(b));
}

/// A product and a sum of which only the sum is rounded, or both: the bound covers either.
template <class A, class B, class C>
  requires detail::arguments<A, B, C>
auto fma(const A &a, const B &b, const C &c) {
  using R = detail::function_t<A, B, C>;
  return R(a) * R(b) + R(c);
}
template <class A, class B, class C>
  requires detail::arguments<A, B, C>
auto fmaf(const A &a, const B &b, const C &c) {
  return fma(real<float>(a), real<float>(b), real<float>(c));
}

template <class A, class B>
  requires detail::arguments<A, B>
auto pow(const A &a, const B &b) {
  using R = detail::function_t<A, B>;
  using T = typename R::value_type;
  const R x = R(a).settled(), y = R(b).settled();
  if (!x.is_determined() || !y.is_determined())
    return R::undetermined();
  const auto value = std::pow(x.value, y.value);
  if (x.error == 0 && y.error == 0 && (!detail::is_finite(value) || value == 0 || value == 1))
    return R::of(static_cast<T>(value));
  // Monotone in each argument where x > 0, and for every x on either side of 0 where y is a known
  // whole number: the extremes are at the corners, or at 0.
  const bool whole = y.error == 0 && std::trunc(y.value) == y.value;
  using wide = typename R::wide;
  const wide left = x.value - x.error, right = x.value + x.error;
  const wide bases[] = {left, right}, exponents[] = {y.value - y.error, y.value + y.error};
  if (!(left > 0) && !whole)
    return R::undetermined();
  auto low = value, high = value;
  const auto reach = [&](wide corner) {
    low = corner < low || detail::is_nan(corner) ? corner : low;
    high = corner > high || detail::is_nan(corner) ? corner : high;
  };
  for (const wide base : bases)
    for (const wide exponent : exponents)
      reach(std::pow(base, exponent));
  if (left <= 0 && right >= 0)
    reach(std::pow(wide(0), y.value));
  if (detail::is_nan(low) || detail::is_nan(high))
    return R::undetermined();
  return R::rounded(value, low, high, detail::ulps<T>(3));
}
template <class A, class B>
  requires detail::arguments<A, B>
auto powf(const A &a, const B &b) {
  return pow(real<float>(a), real<float>(b));
}

/// The angle of the point (x, y).
template <class A, class B>
  requires detail::arguments<A, B>
auto atan2(const A &a, const B &b) {
  using R = detail::function_t<A, B>;
  using wide = typename R::wide;
  const R y = R(a).settled(), x = R(b).settled();
  if (!x.is_determined() || !y.is_determined())
    return R::undetermined();
  const wide value = std::atan2(y.value, x.value);
  const bool exact = x.error == 0 && y.error == 0;
  // Where y is 0 and x is not positive, the angle jumps.
  if (!exact && !(std::fabs(y.value) > y.error) && !(x.value > x.error))
    return R::undetermined();
  const wide rows[] = {y.value - y.error, y.value + y.error};
  const wide columns[] = {x.value - x.error, x.value + x.error};
  wide low = value, high = value;
  for (const wide of_y : rows)
    for (const wide of_x : columns) {
      const wide corner = std::atan2(of_y, of_x);
      low = corner < low ? corner : low;
      high = corner > high ? corner : high;
    }
  if (detail::is_nan(value))
    return exact ? detail::nan<typename R::value_type>() : R::undetermined();
  return R::rounded(value, low, high, detail::ulps<typename R::value_type>(5));
}
template <class A, class B>
  requires detail::arguments<A, B>
auto atan2f(const A &a, const B &b) {
  return atan2(real<float>(a), real<float>(b));
}

/// What remains of x after whole multiples of y: exact, but where rounding decides how many.
template <class A, class B>
  requires detail::arguments<A, B>
auto fmod(const A &a, const B &b) {
  using R = detail::function_t<A, B>;
  using T = typename R::value_type;
  const R x = R(a).settled(), y = R(b).settled();
  if (!x.is_determined() || !y.is_determined())
    return R::undetermined();
  const auto value = std::fmod(x.value, y.value);
  if (x.error == 0 && y.error == 0)
    return R::of(static_cast<T>(value));
  const auto count = std::trunc(x.value / y.value);
  const auto error = x.error + std::fabs(count) * y.error;
  const auto size = std::fabs(value);
  if (!(std::fabs(y.value) > y.error) || !(size > error) ||
      !(size < std::fabs(y.value) - y.error - error))
    return R::undetermined();
  return R::rounded(value, value - error, value + error);
}

/// As std::min and std::max on two values of one type; no decision is counted, since the result
/// moves no further than its arguments.
template <class T> real<T> max(const real<T> &a, const real<T> &b) {
  return detail::extreme(a, b, a.settled().value < b.settled().value);
}
template <class T> real<T> min(const real<T> &a, const real<T> &b) {
  return detail::extreme(a, b, b.settled().value < a.settled().value);
}
template <class T> real<T> clamp(const real<T> &x, const real<T> &low, const real<T> &high) {
  return min(max(x, low), high);
}

// A NaN gives way to a number.
template <class A, class B>
  requires detail::arguments<A, B>
auto fmax(const A &a, const B &b) {
  using R = detail::function_t<A, B>;
  const R x(a), y(b);
  return detail::is_nan(x.value) && x.is_determined()   ? y
         : detail::is_nan(y.value) && y.is_determined() ? x
                                                        : max(x, y);
}
template <class A, class B>
  requires detail::arguments<A, B>
auto fmin(const A &a, const B &b) {
  using R = detail::function_t<A, B>;
  return -fmax(-R(a), -R(b));
}
template <class A, class B>
  requires detail::arguments<A, B>
auto fmaxf(const A &a, const B &b) {
  return fmax(real<float>(a), real<float>(b));
}
template <class A, class B>
  requires detail::arguments<A, B>
auto fminf(const A &a, const B &b) {
  return fmin(real<float>(a), real<float>(b));
}

template <class T> bool isnan(const real<T> &x) {
  return x.is_determined() ? detail::is_nan(x.value) : detail::undecided(false);
}
template <class T> bool isinf(const real<T> &a) {
  const real<T> x = a.settled();
  return x.is_determined() ? !detail::is_finite(x.value) && !detail::is_nan(x.value)
                           : detail::undecided(false);
}
template <class T> bool isfinite(const real<T> &a) {
  const real<T> x = a.settled();
  return x.is_determined() ? detail::is_finite(x.value) : detail::undecided(true);
}

} // namespace septran::verify

#endif
