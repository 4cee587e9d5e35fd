//===- verify/real.h - numbers with bounds, as C++ writes them ------------===//
//
// Operators and limits of `real<T>` (real_type.h), so that logic compiles with it in the place of
// T: operands of two types meet as the language has it, and compound assignments round as often as
// they would.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_REAL_H
#define SEPTRAN_VERIFY_REAL_H

#include <septran/float_types.h>
#include <septran/verify/numbers.h>
#include <septran/verify/real_arithmetic.h>
#include <septran/verify/real_type.h>

#include <concepts>
#include <limits>
#include <type_traits>

namespace septran::verify {

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

} // namespace detail

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
