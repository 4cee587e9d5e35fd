//===- verify/real_arithmetic.h - bounds of sums, products, quotients ---===//
//
// The operations on numbers of one format (real_type.h says what is carried). Each takes what is
// exact first: a sum only collects terms, a factor that is a power of two shifts each of them, and
// what T can hold is not rounded.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_REAL_ARITHMETIC_H
#define SEPTRAN_VERIFY_REAL_ARITHMETIC_H

#include <septran/verify/real_type.h>

#include <limits>
#include <type_traits>

namespace septran::verify::detail {

/// x may be a zero instead if it, or the sum's intermediate result that it may be, is subnormal, and
/// instructions flush such numbers. A constant is nobody's instruction.
template <class T> constexpr void flush(real<T> &x) {
  if (std::is_constant_evaluated() || !relaxed().flushes_subnormals)
    return;
  const bool normal = x.error == 0 && x.granule >= std::numeric_limits<T>::min_exponent - 1;
  if (!normal && is_finite(x.value))
    x.error += format<T>::least_normal;
}

/// A fused instruction adds `other` to the product before it rounds, where others add it to infinity.
template <class T> constexpr bool fusing_decides(const real<T> &product, const real<T> &other) {
  if (is_finite(product.value) || !is_finite(product.magnitude) || is_nan(other.value))
    return false; // no product that overflows
  if (!is_finite(other.value))
    return (other.value < 0) != (product.value < 0);
  const auto against = (product.value < 0 ? other.value : -other.value) + other.error;
  return product.magnitude - against <= format<T>::infinite_above;
}

template <class T> constexpr real<T> sum(const real<T> &a, const real<T> &b) {
  using R = real<T>;
  if (a.is_zero() || b.is_zero()) {
    R r = b.is_zero() ? a : b;
    r.value = a.value + b.value; // of two zeros, the sign
    flush(r);
    return r;
  }
  if (!is_finite(a.value) || !is_finite(b.value)) {
    // A finite operand that overflows in some orders only leaves the result open.
    const R x = a.settled(), y = b.settled();
    if (!x.is_determined() || !y.is_determined() || is_finite(a.value) != is_finite(x.value) ||
        is_finite(b.value) != is_finite(y.value) || fusing_decides(x, y) || fusing_decides(y, x))
      return R::undetermined();
    return R::of(static_cast<T>(x.value + y.value));
  }
  R r{};
  r.value = a.value + b.value;
  r.error = a.error + b.error;
  r.magnitude = a.magnitude + b.magnitude;
  r.additions = a.additions + b.additions + 1;
  r.granule = a.granule < b.granule ? a.granule : b.granule;
  flush(r);
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

/// A factor that may be rounded to `bits` significant ones, or fewer where it is subnormal, to
/// nearest; 0 bits: to none.
template <class T> constexpr real<T> shortened(const real<T> &factor, int bits) {
  using wide = typename real<T>::wide;
  if (bits == 0)
    return factor;
  const real<T> x = factor.settled();
  if (!x.is_determined() || !is_finite(x.value) ||
      (x.error == 0 && magnitude_of(x.value) <= power_of_two(x.granule + bits) &&
       x.granule >= std::numeric_limits<T>::min_exponent - bits))
    return x;
  const wide reach = magnitude_of(x.value) + x.error, u = power_of_two(-bits);
  if (reach * (1 + u) > format<T>::finite_below)
    return real<T>::undetermined();
  return real<T>::term(x.value, x.error + u * larger(reach, format<T>::least_normal));
}

template <class T> constexpr real<T> product_of(const real<T> &a, const real<T> &b) {
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
  R r = R::rounded(value, value - error, value + error);
  if (r.is_determined() && !is_finite(r.value)) // see fusing_decides
    r.magnitude = magnitude_of(value) - error;
  return r;
}

template <class T> constexpr real<T> product(const real<T> &a, const real<T> &b) {
  if (std::is_constant_evaluated() || relaxed() == relaxations())
    return product_of(a, b);
  real<T> x = shortened(a, relaxed().factor_bits), y = shortened(b, relaxed().factor_bits);
  flush(x);
  flush(y);
  real<T> r = product_of(x, y);
  flush(r);
  return r;
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

} // namespace septran::verify::detail

#endif
