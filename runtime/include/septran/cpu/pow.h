//===- septran/cpu/pow.h - pow of lanes -------------------------*- C++ -*-===//
//
// |x|^y = 2^(y log2 |x|), then the sign and the special cases of C's pow (ISO C, annex F.10.4.4).
//
// The logarithm needs as many more bits as the exponent of the result has. Float lanes compute in
// double. Double lanes carry log2 |x| as the unevaluated sum of two doubles to about 2^-65:
//
//   |x| = 2^e m;  s = (m - 1) / (m + 1);  log m = 2 s + s^3 (2/3 + z p(z)),  z = s^2
//
// with s, z and the sum in two parts each, only z p(z) in one.
//
//   lanes    largest error
//   float    1 ulp
//   double   2 ulp
//
// Exact products use fma, or Dekker's splitting where the target has none. A product that a later
// step takes as rounded is made opaque, or -ffp-contract=fast could fuse it into that step.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_POW_H
#define SEPTRAN_CPU_POW_H

#include <septran/cpu/log.h>

namespace septran::cpu {
namespace detail {

/// An unevaluated sum; |low| is at most the last bit of high.
template <vector V> struct pair { V high, low; };

/// a + b for |a| >= |b| (T. J. Dekker, A floating-point technique for extending the precision,
/// 1971).
template <vector V> SEPTRAN_CPU_INLINE pair<V> exact_sum_ordered(const V &a, const V &b) {
  const V sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b.
template <vector V> SEPTRAN_CPU_INLINE pair<V> exact_sum(const V &a, const V &b) {
  const V sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a * b.
template <vector V> SEPTRAN_CPU_INLINE pair<V> exact_product(const V &a, const V &b) {
  const V product = native::opaque(V(a * b));
  if constexpr (requires { native::fma(a, b, product); }) {
    return {product, V(native::fma(a, b, -product))};
  } else {
    // 2^27 + 1 leaves the upper 26 bits.
    const V a_up = native::opaque(V(a * 0x1.0000002p27)),
            b_up = native::opaque(V(b * 0x1.0000002p27));
    const V a_high = a_up - (a_up - a), b_high = b_up - (b_up - b);
    const V a_low = a - a_high, b_low = b - b_high;
    const V low = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return {product, low};
  }
}

template <vector V> SEPTRAN_CPU_INLINE pair<V> product(pair<V> a, pair<V> b) {
  const pair<V> p = exact_product(a.high, b.high);
  const V low = native::opaque(V(p.low + (a.high * b.low + a.low * b.high)));
  return exact_sum_ordered(p.high, low);
}

/// log2 of x > 0, finite, to about 2^-65 of the result. Double lanes.
template <vector V> SEPTRAN_CPU_INLINE pair<V> log2_pair(const V &x) {
  const auto r = reduce_any_log(x);
  // s = f / (2 + f)
  const pair<V> divisor = exact_sum_ordered(V(2 + V{}), r.f);
  const V quotient = r.f / divisor.high;
  const pair<V> back = exact_product(quotient, divisor.high);
  const V remainder = ((r.f - back.high) - back.low) - quotient * divisor.low;
  const pair<V> s = exact_sum_ordered(quotient, native::opaque(V(remainder / divisor.high)));

  const pair<V> z = product(s, s);
  const V p = polynomial(z.high, 0x1.999999999999fp-2, 0x1.249249248e1bfp-2, 0x1.c71c71d88f14bp-3,
                         0x1.745d098dfb005p-3, 0x1.3b18d39b422d8p-3, 0x1.10155565a9bfap-3,
                         0x1.08a0de436739fp-3);
  const V small = native::opaque(V(z.high * p + 0x1.5555555555555p-55));
  const pair<V> series = exact_sum_ordered(V(0x1.5555555555555p-1 - V{}), small);
  // log m = s (2 + z series)
  const pair<V> tail = product(z, series);
  const pair<V> two = exact_sum_ordered(V(2 - V{}), tail.high);
  const pair<V> factor = exact_sum_ordered(two.high, V(two.low + tail.low));
  const pair<V> log = product(s, factor);
  const pair<V> fraction =
      product(log, pair<V>{0x1.71547652b82fep0 - V{}, 0x1.777d0ffda0d24p-56 - V{}});
  const pair<V> sum = exact_sum(r.exponent, fraction.high);
  return exact_sum_ordered(sum.high, V(sum.low + fraction.low));
}

/// 2^(y log2 x) for x > 0, finite, and y any number; x = 1 gives 1.
template <vector V> SEPTRAN_CPU_INLINE V pow_positive(const V &x, const V &y) {
  // With a larger y the result is 0, 1 or infinite all the same, and no product overflows.
  const V limited = clamp(y, -0x1p70, 0x1p70);
  const pair<V> log = log2_pair(x);
  const pair<V> t = product(log, pair<V>{limited, V{}});
  const V tail = select(cpu::abs(t.high) < 1100.0, t.low, V{});
  return exp2_in_range(clamp(t.high, -1100.0, 1100.0), tail);
}

/// C's special cases around the power of |x|.
template <vector V> SEPTRAN_CPU_INLINE V patch_pow(const V &power, const V &x, const V &y) {
  using T = lane_of<V>;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  const V size = cpu::abs(x), half = y * T(0.5);
  const auto whole = cpu::trunc(y) == y;
  const auto odd = whole & (cpu::trunc(half) != half);
  const auto unlimited = (size == 0) | (size == infinity);
  const V limit = select((size > 1) == (y > 0), infinity - V{}, V{});
  V result = select(unlimited, limit, power);
  const auto negative = as<mask_of<V>>(x) < 0; // the sign bit, of zero too
  result = select(negative & odd, -result, result);
  const auto undefined = (x != x) | (y != y) | ((x < 0) & (size < infinity) & ~whole);
  result = select(undefined, std::numeric_limits<T>::quiet_NaN() - V{}, result);
  return select((y == 0) | (x == 1), T(1) - V{}, result);
}

/// Float lanes: in double, half by half where a register has no room for as many doubles.
template <vector V> SEPTRAN_CPU_INLINE V pow_in_double(const V &x, const V &y) {
  if constexpr (2 * sizeof(V) > native::register_bytes && (width_of<V> > 2)) {
    return concat(pow_in_double(low_half(x), low_half(y)),
                  pow_in_double(high_half(x), high_half(y)));
  } else {
    const auto log = log2_in_range(cast<double>(x));
    const auto t = clamp(clamp(cast<double>(y), -0x1p70, 0x1p70) * log, -1100.0, 1100.0);
    return cast<float>(exp2_in_range(t));
  }
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V pow(const V &v, const V &w) {
  return detail::native::by_register(
      [](const auto &x, const auto &y) __attribute__((always_inline)) {
        const auto size = cpu::abs(x);
        if constexpr (std::is_same_v<lane_of<std::remove_cvref_t<decltype(x)>>, float>)
          return detail::patch_pow(detail::pow_in_double(size, y), x, y);
        else
          return detail::patch_pow(detail::pow_positive(size, y), x, y);
      },
      v, w);
}
template <vector V> SEPTRAN_CPU_INLINE V pow(const V &x, lane_of<V> y) {
  return pow(x, V(y - V{}));
}
template <vector V> SEPTRAN_CPU_INLINE V pow(lane_of<V> x, const V &y) {
  return pow(V(x - V{}), y);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_POW_H
