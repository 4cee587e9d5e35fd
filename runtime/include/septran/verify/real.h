//===- verify/real.h - a number with a bound on its rounding error -------===//
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
#ifndef SEPTRAN_VERIFY_REAL_H
#define SEPTRAN_VERIFY_REAL_H

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
template <class W> constexpr bool is_finite(W x) { return magnitude_of(x) <= std::numeric_limits<W>::max(); }

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

namespace detail {

/// The built-in arithmetic conversions, and those of the small types: with another type they act
/// as a float.
template <class A, class B> struct common {
  template <class X>
  using promoted = std::conditional_t<septran::detail::is_small_float<X>, float, X>;
  using type = std::common_type_t<promoted<A>, promoted<B>>;
};
template <class A> struct common<A, A> {
  using type = A;
};

template <class T> struct bare {
  using type = T;
};
template <class T> struct bare<real<T>> {
  using type = T;
};
template <class T> using bare_t = typename bare<T>::type;

template <class T>
concept number = is_real<T> || std::is_arithmetic_v<T> || floating<T>;
/// Two operands of which at least one is a real.
template <class A, class B>
concept operands = (is_real<A> && number<B>) || (number<A> && is_real<B>);
template <class A, class B> using result_t = real<typename common<bare_t<A>, bare_t<B>>::type>;

template <class T> constexpr real<T> sum(const real<T> &a, const real<T> &b) {
  using R = real<T>;
  if (a.is_zero())
    return b;
  if (b.is_zero())
    return a;
  if (!is_finite(a.value) || !is_finite(b.value)) {
    // A finite operand that overflows in some orders only leaves the result open.
    const R x = a.settled(), y = b.settled();
    if (!x.is_determined() || !y.is_determined() || is_finite(a.value) != is_finite(x.value) ||
        is_finite(b.value) != is_finite(y.value))
      return R::undetermined();
    return R::of(static_cast<T>(x.value + y.value));
  }
  R r{};
  r.value = a.value + b.value;
  r.error = a.error + b.error;
  r.magnitude = a.magnitude + b.magnitude;
  r.additions = a.additions + b.additions + 1;
  r.granule = a.granule < b.granule ? a.granule : b.granule;
  return r;
}

/// The result of an operation without rounding, if T can hold it.
template <class T> constexpr bool holds(typename format<T>::wide value, int granule) {
  return granule >= format<T>::least_granule && magnitude_of(value) <= format<T>::largest &&
         magnitude_of(value) <= power_of_two(granule + format<T>::digits);
}

/// |x| is a power of two, and known.
template <class T> constexpr bool is_power_of_two(const real<T> &x) {
  return x.error == 0 && x.additions == 0 && is_finite(x.value) && x.value != 0 &&
         magnitude_of(x.value) == power_of_two(x.granule);
}

/// A factor that only shifts the exponent is exact for each term of the sum.
template <class T> constexpr bool scale(const real<T> &sum, const real<T> &factor, real<T> &out) {
  using wide = typename real<T>::wide;
  if (!is_power_of_two(factor) || !sum.is_determined() || !is_finite(sum.value))
    return false;
  const wide by = magnitude_of(factor.value);
  if (sum.magnitude * by > format<T>::largest || sum.magnitude > format<T>::largest ||
      (by < 1 && sum.granule + factor.granule < format<T>::least_granule) ||
      (by < 1 && sum.error > 0 && sum.magnitude * by < format<T>::least_normal))
    return false;
  out = sum;
  out.value *= factor.value;
  out.error *= by;
  out.magnitude *= by;
  out.granule = sum.granule == no_granule ? no_granule : sum.granule + factor.granule;
  return true;
}

/// The value of two known factors, where they are neither special nor small nor large.
template <class T> constexpr bool multiply(const real<T> &a, const real<T> &b, real<T> &out) {
  const auto value = a.value * b.value, size = magnitude_of(value);
  if (a.additions != 0 || b.additions != 0 || a.error != 0 || b.error != 0 ||
      !(size >= format<T>::least_normal && size <= format<T>::finite_below))
    return false;
  const int granule = a.granule + b.granule;
  const bool exact = holds<T>(value, granule);
  out = real<T>::term(value, exact ? 0 : format<T>::unit * size, exact ? granule : 0);
  return true;
}

template <class T> constexpr real<T> product(const real<T> &a, const real<T> &b) {
  using R = real<T>;
  using wide = typename R::wide;
  R known;
  if (multiply(a, b, known))
    return known;
  R shifted;
  if (scale(a, b, shifted) || scale(b, a, shifted))
    return shifted;
  const R x = a.settled(), y = b.settled();
  if (!x.is_determined() || !y.is_determined())
    return R::undetermined();
  if (!is_finite(x.value) || !is_finite(y.value)) {
    const auto may_be_zero = [](const R &r) {
      return r.error > 0 && magnitude_of(r.value) <= r.error;
    };
    return may_be_zero(x) || may_be_zero(y) ? R::undetermined()
                                            : R::of(static_cast<T>(x.value * y.value));
  }
  const wide value = x.value * y.value;
  if (x.is_zero() || y.is_zero())
    return R::of(static_cast<T>(value));
  if (x.error == 0 && y.error == 0 && holds<T>(value, x.granule + y.granule))
    return R::term(value, 0, x.granule + y.granule);
  const wide error =
      magnitude_of(x.value) * y.error + magnitude_of(y.value) * x.error + x.error * y.error;
  return R::rounded(value, value - error, value + error);
}

template <class T> constexpr real<T> quotient(const real<T> &a, const real<T> &b) {
  using R = real<T>;
  using wide = typename R::wide;
  if (is_power_of_two(b)) {
    R shifted;
    if (scale(a, R::of(static_cast<T>(1 / b.value)), shifted))
      return shifted;
  }
  const R x = a.settled(), y = b.settled();
  if (!x.is_determined() || !y.is_determined())
    return R::undetermined();
  if (is_nan(x.value) || is_nan(y.value))
    return R::of(std::numeric_limits<T>::quiet_NaN());
  const bool divisor_may_be_zero = magnitude_of(y.value) <= y.error;
  if (divisor_may_be_zero || !is_finite(x.value) || !is_finite(y.value)) {
    const bool open = (divisor_may_be_zero && y.error > 0) ||
                      (y.value == 0 && x.error > 0 && magnitude_of(x.value) <= x.error);
    return open ? R::undetermined() : R::of(static_cast<T>(x.value / y.value));
  }
  const wide value = x.value / y.value;
  if (x.is_zero())
    return R::of(static_cast<T>(value));
  if (x.error == 0 && y.error == 0) {
    const T nearest = static_cast<T>(value);
    const wide back = format<T>::as_wide(nearest);
    if (back == value && back * y.value == x.value)
      return R::of(nearest);
  }
  const wide error = (x.error + magnitude_of(value) * y.error) / (magnitude_of(y.value) - y.error);
  return R::rounded(value, value - error, value + error);
}

/// Negative, zero or positive as a < b, a == b, a > b; `open` if rounding decides.
template <class T> struct order {
  bool open = false, unordered = false;
  int sign = 0;
};
template <class T> constexpr order<T> compare(const real<T> &a, const real<T> &b) {
  const real<T> x = a.settled(), y = b.settled();
  if (!x.is_determined() || !y.is_determined())
    return {.open = true};
  if (is_nan(x.value) || is_nan(y.value))
    return {.unordered = true};
  const int sign = x.value < y.value ? -1 : x.value > y.value;
  const bool finite = is_finite(x.value) && is_finite(y.value);
  const bool exact = x.error == 0 && y.error == 0;
  return {.open = finite && !exact && magnitude_of(x.value - y.value) <= x.bound() + y.bound(),
          .sign = sign};
}

} // namespace detail

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

template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator+(const A &a, const B &b) {
  using R = detail::result_t<A, B>;
  return detail::sum<typename R::value_type>(R(a), R(b));
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator-(const A &a, const B &b) {
  using R = detail::result_t<A, B>;
  return detail::sum<typename R::value_type>(R(a), -R(b));
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator*(const A &a, const B &b) {
  using R = detail::result_t<A, B>;
  return detail::product<typename R::value_type>(R(a), R(b));
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr auto operator/(const A &a, const B &b) {
  using R = detail::result_t<A, B>;
  return detail::quotient<typename R::value_type>(R(a), R(b));
}

// A narrow sum of wider terms, `half += float`, is rounded to the narrow type at every step, in
// whatever order: it stays a sum in the narrow type, with room for the rounding in the wider one.
template <floating T> template <class U> constexpr real<T> &real<T>::operator+=(const U &b) {
  using R = detail::result_t<real, U>;
  if constexpr (std::is_same_v<R, real>) {
    *this = *this + b;
  } else {
    const R wider = R(b).settled();
    if (!wider.is_determined() || !detail::is_finite(wider.value) || is_zero() || wider.is_zero())
      return *this = real(R(*this) + wider);
    real t = term(static_cast<wide>(wider.value), static_cast<wide>(wider.error), wider.granule);
    *this = detail::sum<T>(*this, t);
    additions += R::format::unit / format::u;
  }
  return *this;
}
template <floating T> template <class U> constexpr real<T> &real<T>::operator-=(const U &b) {
  return *this += -detail::result_t<real, U>(b);
}
template <floating T> template <class U> constexpr real<T> &real<T>::operator*=(const U &b) {
  return *this = real(*this * b);
}
template <floating T> template <class U> constexpr real<T> &real<T>::operator/=(const U &b) {
  return *this = real(*this / b);
}

// An integer on the left takes the truncated result.
template <std::integral I, class T> constexpr I &operator+=(I &a, const real<T> &b) {
  return a = static_cast<I>(a + b);
}
template <std::integral I, class T> constexpr I &operator-=(I &a, const real<T> &b) {
  return a = static_cast<I>(a - b);
}
template <std::integral I, class T> constexpr I &operator*=(I &a, const real<T> &b) {
  return a = static_cast<I>(a * b);
}
template <std::integral I, class T> constexpr I &operator/=(I &a, const real<T> &b) {
  return a = static_cast<I>(a / b);
}

namespace detail {
template <class A, class B> constexpr auto ordered(const A &a, const B &b) {
  using R = result_t<A, B>;
  return compare<typename R::value_type>(R(a), R(b));
}
template <class O> constexpr bool decide(const O &order, bool answer) {
  return order.open ? undecided(answer) : !order.unordered && answer;
}
} // namespace detail

template <class A, class B>
  requires detail::operands<A, B>
constexpr bool operator<(const A &a, const B &b) {
  const auto order = detail::ordered(a, b);
  return detail::decide(order, order.sign < 0);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr bool operator>(const A &a, const B &b) {
  const auto order = detail::ordered(a, b);
  return detail::decide(order, order.sign > 0);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr bool operator<=(const A &a, const B &b) {
  const auto order = detail::ordered(a, b);
  return detail::decide(order, order.sign <= 0);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr bool operator>=(const A &a, const B &b) {
  const auto order = detail::ordered(a, b);
  return detail::decide(order, order.sign >= 0);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr bool operator==(const A &a, const B &b) {
  const auto order = detail::ordered(a, b);
  return detail::decide(order, order.sign == 0);
}
template <class A, class B>
  requires detail::operands<A, B>
constexpr bool operator!=(const A &a, const B &b) {
  const auto order = detail::ordered(a, b);
  // Not the negation: NaN differs from everything.
  return order.unordered || detail::decide(order, order.sign != 0);
}

} // namespace septran::verify

/// Of T, but for the numbers themselves.
template <class T> struct std::numeric_limits<septran::verify::real<T>> : std::numeric_limits<T> {
private:
  using of = std::numeric_limits<T>;
  using real = septran::verify::real<T>;

public:
  static constexpr real min() { return of::min(); }
  static constexpr real max() { return of::max(); }
  static constexpr real lowest() { return of::lowest(); }
  static constexpr real epsilon() { return of::epsilon(); }
  static constexpr real round_error() { return of::round_error(); }
  static constexpr real infinity() { return of::infinity(); }
  static constexpr real quiet_NaN() { return of::quiet_NaN(); }
  static constexpr real signaling_NaN() { return of::signaling_NaN(); }
  static constexpr real denorm_min() { return of::denorm_min(); }
};

#endif
