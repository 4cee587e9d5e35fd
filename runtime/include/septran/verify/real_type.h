//===- verify/real_type.h - a number with a bound on its rounding error --===//
//
// `real<T>` stands for a T in a reference evaluation of the logic. It carries the value computed in
// a wider format, and a bound on how far any evaluation of the same expressions in T may lie from
// it: one that sums in another order, contracts a product and a sum to one fused operation, or
// takes its functions from a vector library. A program whose results lie outside the bound does
// not compute what the logic says.
//
// What is carried: a number is a sum of `additions + 1` terms, each a value in T that is off by
// its own error.
//
//   value      the sum of the terms, in the wider format
//   error      at least the sum of the errors of the terms
//   magnitude  at least the sum of the absolute values of the terms as computed in T
//   granule    if nothing was rounded: every term is an integer multiple of 2^granule
//
// Adding n + 1 terms in any order is off by at most n u * magnitude with u = 2^-digits, for every n
// (C.-P. Jeannerod, S. M. Rump, Improved error bounds for inner products in floating-point
// arithmetic, SIAM J. Matrix Anal. Appl. 34, 2013). A product, a quotient or a function takes the
// sum as one term. Products are bounded alike in every order, since their relative errors add up.
//
// A product that overflows is infinite, and `magnitude` what it is at least before it is rounded: a
// sum with it may be fused, and be finite.
//
// Nothing at all is rounded, in any order, while error is 0 and magnitude is at most
// 2^(granule + digits): every partial sum is then a multiple of 2^granule that T can hold. The
// bound is 0, so whole numbers of moderate size must come out bit for bit (but for the sign of a
// zero).
//
// A result that rounding decides (infinity or not, a division by what may be zero) has an infinite
// error: it admits everything. A comparison that rounding decides is counted by `decisions()`.
//
// Assumptions: no flushing of subnormals; a product of many factors neither overflows nor
// underflows in one order only.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_REAL_TYPE_H
#define SEPTRAN_VERIFY_REAL_TYPE_H

#include <septran/float_types.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace septran::verify {

template <class T>
concept floating = std::is_floating_point_v<T> || detail::is_small_float<T>;

/// Comparisons, and conversions to integers, whose outcome rounding may have changed.
struct decision_log {
  std::uint64_t undecided = 0;
  /// What an undecided comparison answers: as the wider format says, or the opposite. With two
  /// evaluations, one of each kind, both branches of every such decision have been taken.
  bool flip = false;
};
inline decision_log &decisions() {
  static thread_local decision_log log;
  return log;
}

/// What instructions of the mapped program may do to products and sums beside rounding them.
struct relaxations {
  int factor_bits = 0; ///< factors are rounded to as many significant bits; 0: those of their type
  bool flushes_subnormals = false; ///< subnormal factors, products and sums become zeros

  friend bool operator==(const relaxations &, const relaxations &) = default;
};
inline relaxations &relaxed() {
  static thread_local relaxations now;
  return now;
}

template <floating T> struct real;

namespace detail {

template <class T> inline constexpr bool is_real = false;
template <class T> inline constexpr bool is_real<real<T>> = true;

/// The format T and the wider one in which values of T are carried.
template <class T> struct format {
  using limits = std::numeric_limits<T>;
  using wide = std::conditional_t<std::is_same_v<T, double>, long double, double>;

  static constexpr wide as_wide(T x) { return static_cast<wide>(x); }
  static constexpr wide power(int exponent) {
    wide p = 1;
    for (; exponent > 0; --exponent)
      p *= 2;
    for (; exponent < 0; ++exponent)
      p /= 2;
    return p;
  }

  static constexpr int digits = limits::digits;
  static constexpr int least_granule = limits::min_exponent - limits::digits;
  static constexpr wide u = power(-digits);
  /// One rounding, and that of the wider format's own evaluation of the same.
  static constexpr wide unit = u + 2 * std::numeric_limits<wide>::epsilon();
  static constexpr wide smallest = as_wide(limits::denorm_min());
  static constexpr wide least_normal = as_wide(limits::min());
  static constexpr wide largest = as_wide(limits::max());
  /// Below it a result certainly rounds to a finite number, above the other certainly not.
  static constexpr wide finite_below = largest * (1 + u / 4);
  static constexpr wide infinite_above = largest * (1 + 2 * u);
  static constexpr bool saturates = [] {
    if constexpr (septran::detail::is_small_float<T>)
      return T::format.saturates;
    else
      return false;
  }();
};

template <class W> constexpr W magnitude_of(W x) { return x < 0 ? -x : x; }
template <class W> constexpr W larger(W a, W b) { return a < b ? b : a; }
template <class W> constexpr bool is_nan(W x) { return x != x; }
template <class W> constexpr bool is_finite(W x) {
  return magnitude_of(x) <= std::numeric_limits<W>::max();
}

/// 2^exponent; 0 or the largest power where double has none.
constexpr double power_of_two(int exponent) {
  if (exponent < -1022)
    return 0;
  const int biased = exponent > 1023 ? 2046 : exponent + 1023;
  return __builtin_bit_cast(double, static_cast<std::uint64_t>(biased) << 52);
}

/// The granule of zero, which is a multiple of everything.
inline constexpr int no_granule = 1 << 20;

/// The largest g of which `x`, finite, is a multiple of 2^g.
constexpr int granule_of(double x) {
  const auto bits = __builtin_bit_cast(std::uint64_t, x) & ~(std::uint64_t(1) << 63);
  if (bits == 0)
    return no_granule;
  const auto fraction = bits & ((std::uint64_t(1) << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52);
  if (exponent == 0)
    return __builtin_ctzll(fraction) - 1074;
  return exponent - 1075 + (fraction == 0 ? 52 : __builtin_ctzll(fraction));
}

/// Not constexpr: what rounding decides is no constant.
inline bool undecided(bool answer) {
  ++decisions().undecided;
  return answer != decisions().flip;
}

} // namespace detail

template <floating T> struct real {
  using value_type = T;
  using format = detail::format<T>;
  using wide = typename format::wide;

  // Public, and without initialisers: like a T, a real is a trivial type whose zero bits are zero.
  wide value;
  wide error;
  wide magnitude;
  double additions;
  int granule;

  real() = default;

  /// A number that every evaluation knows exactly: an element, a constant, an integer.
  template <class U>
    requires(std::is_arithmetic_v<U> || floating<U>)
  constexpr real(U x) : real(of(static_cast<T>(x))) {}

  /// Rounds, unless T holds every U.
  template <class U>
    requires(!std::is_same_v<T, U>)
  constexpr real(const real<U> &x);

  static constexpr real of(T x) {
    const wide w = format::as_wide(x);
    real r{};
    r.value = w;
    r.magnitude = detail::magnitude_of(w);
    r.granule = detail::is_finite(w) ? detail::granule_of(static_cast<double>(w)) : 0;
    return r;
  }
  /// Could be anything.
  static constexpr real undetermined() {
    real r{};
    r.value = std::numeric_limits<wide>::quiet_NaN();
    r.error = r.magnitude = std::numeric_limits<wide>::infinity();
    return r;
  }
  /// One term. With an error of 0 it must be a T, and a multiple of 2^granule.
  static constexpr real term(wide value, wide error, int granule = 0) {
    if (!(error < std::numeric_limits<wide>::infinity()))
      return undetermined();
    real r{};
    r.value = value;
    r.error = error;
    r.magnitude = detail::magnitude_of(value) + error;
    r.granule = granule;
    return r;
  }
  /// What lies in [low, high], about `value`, rounded to T with a relative error of `rounding`.
  static constexpr real rounded(wide value, wide low, wide high, wide rounding = format::unit);

  constexpr bool is_determined() const { return error < std::numeric_limits<wide>::infinity(); }
  /// No evaluation in T rounds anything.
  constexpr bool is_exact() const {
    return error == 0 &&
           (additions == 0 || (magnitude <= detail::power_of_two(granule + format::digits) &&
                               granule >= format::least_granule));
  }
  constexpr bool is_zero() const { return value == 0 && error == 0 && additions == 0; }

  /// The sum as one term, overflow decided.
  constexpr real settled() const { return additions == 0 ? *this : summed_up(); }

  /// How far an evaluation in T may lie from `value`; infinite if anything may come out.
  constexpr wide bound() const {
    const real r = settled();
    // The slack covers the rounding of the bound's own computation.
    return r.error * (1 + wide(1) / (1 << 20));
  }
  /// Whether an evaluation in T may give `x`.
  constexpr bool admits(T x) const {
    const real r = settled();
    const wide w = format::as_wide(x);
    if (!r.is_determined())
      return true;
    if (!detail::is_finite(r.value))
      return detail::is_nan(r.value) ? detail::is_nan(w) : w == r.value;
    return detail::magnitude_of(w - r.value) <= r.bound();
  }
  /// The T nearest to the value.
  constexpr T nearest() const { return static_cast<T>(settled().value); }

  /// `settled` for more than one term.
  constexpr real summed_up() const;

  constexpr real operator+() const { return *this; }
  constexpr real operator-() const {
    real r = *this;
    r.value = -r.value;
    return r;
  }

  /// Truncates. Undecided if the bound crosses an integer.
  template <std::integral I> constexpr explicit operator I() const {
    const real r = settled();
    if constexpr (std::is_same_v<I, bool>)
      return r != real(0);
    const wide slack = r.bound();
    constexpr wide range = 9223372036854775807.0; // 2^63, as a floating-point number
    if (!(detail::magnitude_of(r.value) + slack < range)) {
      detail::undecided(true);
      return I(0);
    }
    const auto truncated = [](wide x) { return static_cast<std::int64_t>(x); };
    const auto middle = truncated(r.value);
    const auto low = truncated(r.value - slack), high = truncated(r.value + slack);
    if (low == high || detail::undecided(true))
      return static_cast<I>(middle);
    return static_cast<I>(middle == low ? high : low);
  }

  template <class U> constexpr real &operator+=(const U &b);
  template <class U> constexpr real &operator-=(const U &b);
  template <class U> constexpr real &operator*=(const U &b);
  template <class U> constexpr real &operator/=(const U &b);
  constexpr real &operator++() { return *this += real(1); }
  constexpr real &operator--() { return *this -= real(1); }
  constexpr real operator++(int) {
    const real before = *this;
    ++*this;
    return before;
  }
  constexpr real operator--(int) {
    const real before = *this;
    --*this;
    return before;
  }
};

template <floating T>
constexpr real<T> real<T>::rounded(wide value, wide low, wide high, wide rounding) {
  using detail::is_finite, detail::magnitude_of;
  constexpr wide infinity = std::numeric_limits<wide>::infinity();
  if (low > format::infinite_above || high < -format::infinite_above) {
    const wide limit = format::saturates ? format::largest : infinity;
    return of(static_cast<T>(low > 0 ? limit : -limit));
  }
  if (!is_finite(value) || !is_finite(low) || !is_finite(high))
    return detail::is_nan(value) && low == high ? of(std::numeric_limits<T>::quiet_NaN())
                                                : undetermined();
  wide error = detail::larger(magnitude_of(high - value), magnitude_of(value - low));
  wide reach = magnitude_of(value) + error;
  if (reach > format::finite_below) {
    if (!format::saturates)
      return undetermined();
    // Clamping brings no two numbers further apart.
    if (magnitude_of(value) > format::largest)
      value = value < 0 ? -format::largest : format::largest;
    reach = format::largest;
  }
  if (magnitude_of(value) - error < format::least_normal)
    error += format::smallest * (1 + rounding / format::u);
  return term(value, error + rounding * reach);
}

template <floating T> constexpr real<T> real<T>::summed_up() const {
  if (!is_determined() || !detail::is_finite(value))
    return *this;
  const wide sum_error = is_exact() ? 0 : error + additions * format::unit * magnitude;
  // No partial sum exceeds the magnitude but by its rounding.
  if (!(magnitude * (1 + (additions - 1) * format::unit) < format::finite_below)) {
    // Terms of one sign overflow in every order, others in some.
    const bool one_sign = magnitude - detail::magnitude_of(value) <= 2 * sum_error;
    if (!one_sign || !(sum_error < magnitude))
      return undetermined();
    return rounded(value, value - sum_error, value + sum_error);
  }
  return term(value, sum_error, granule);
}

template <floating T>
template <class U>
  requires(!std::is_same_v<T, U>)
constexpr real<T>::real(const real<U> &other) {
  const real<U> x = other.settled();
  const wide value = static_cast<wide>(x.value), error = static_cast<wide>(x.error);
  if (!x.is_determined())
    *this = undetermined();
  else if (x.error == 0)
    *this = of(static_cast<T>(x.value)); // everybody rounds the same number
  else if constexpr (std::numeric_limits<U>::digits <= std::numeric_limits<T>::digits &&
                     std::numeric_limits<U>::max_exponent <= std::numeric_limits<T>::max_exponent &&
                     std::numeric_limits<U>::min_exponent >= std::numeric_limits<T>::min_exponent)
    *this = term(value, error + std::numeric_limits<wide>::epsilon() * detail::magnitude_of(value));
  else
    *this = rounded(value, value - error, value + error);
}

} // namespace septran::verify

#endif
