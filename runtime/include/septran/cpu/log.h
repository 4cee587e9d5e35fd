//===- septran/cpu/log.h - log, log2, log10, log1p of lanes -----*- C++ -*-===//
//
// x = 2^e m with m in [sqrt(1/2), sqrt(2)), taken from the bits; f = m - 1 is exact. log(1 + f) is
// f plus a smaller correction y, and both stay apart until the end:
//
//   float   y = -f^2/2 + f^3 p(f)
//   double  y = s (f^2/2 + R(s^2)) - f^2/2 with s = f / (2 + f), from log(1 + f) = 2 atanh(s)
//
//   function  largest error
//   log       2 ulp
//   log2      2 ulp         1/ln 2 = 1 + c, so that only the small part is rounded twice
//   log10     2 ulp         log10 2 and 1/ln 10 in two parts each
//   log1p     2 ulp         what 1 + x loses is added to f
//
// log(0) = -inf, of less than zero NaN; subnormal arguments are scaled up first.
//
// Coefficients: minimax fits of relative error (Sollya's fpminimax), rounded to the lane type.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_LOG_H
#define SEPTRAN_CPU_LOG_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

/// x = 2^exponent (1 + f).
template <vector V> struct log_reduction {
  V exponent, f;
  bits_of<V> biased_exponent;
};

/// For normal x > 0.
template <vector V> SEPTRAN_CPU_INLINE log_reduction<V> reduce_log(const V &x) {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  using T = lane_of<V>;
  using F = float_fields<T>;
  using U = uint_like<T>;
  constexpr U one = U(F::bias) << F::fraction_bits;
  constexpr U root = __builtin_bit_cast(U, by_lane<V>(0x1.6a09e6p-1f, 0x1.6a09e667f3bcdp-1));
  // A float whose last bit weighs one turns a small integer into a float.
  constexpr T unit = by_lane<V>(0x1p23f, 0x1p52);
  const bits_of<V> shifted = as<bits_of<V>>(x) + (one - root);
  const bits_of<V> biased = shifted >> F::fraction_bits;
  const V exponent = as<V>(biased | __builtin_bit_cast(U, unit)) - (unit + F::bias);
  const V m = as<V>((shifted & ((U(1) << F::fraction_bits) - 1)) + root);
  return {exponent, m - 1, biased};
}

/// For x > 0, subnormal ones included.
template <vector V> SEPTRAN_CPU_INLINE log_reduction<V> reduce_any_log(const V &x) {
  using T = lane_of<V>;
  constexpr int up = float_fields<T>::fraction_bits + 1;
  const auto tiny = x < std::numeric_limits<T>::min();
  log_reduction<V> r = reduce_log(select(tiny, x * T(1LL << up), x));
  r.exponent -= select(tiny, T(up) - V{}, V{});
  return r;
}

/// log(1 + f) - f, for 1 + f in [sqrt(1/2), sqrt(2)].
template <vector V> SEPTRAN_CPU_INLINE V log_correction(const V &f) {
  const V half_square = f * f * lane_of<V>(0.5);
  if constexpr (std::is_same_v<lane_of<V>, float>) {
    const V p = polynomial(f, 0x1.555548p-2f, -0x1.000008p-2f, 0x1.99a47ap-3f, -0x1.555b8ep-3f,
                           0x1.233ab4p-3f, -0x1.fc3d7cp-4f, 0x1.e6e152p-4f, -0x1.dda072p-4f,
                           0x1.13bc58p-4f);
    return mul_add(f * f, f * p, -half_square);
  } else {
    const V s = f / (2 + f), z = s * s;
    const V p = polynomial(z, 0x1.5555555555558p-1, 0x1.9999999995184p-2, 0x1.2492492e25b5cp-2,
                           0x1.c71c629bb2a23p-3, 0x1.7462caae07025p-3, 0x1.39fb717ba1901p-3,
                           0x1.2b7d1f2ae1d4ep-3);
    return mul_add(s, mul_add(z, p, half_square), -half_square);
  }
}

/// exponent ln 2 + log(1 + f), the two parts of ln 2 apart.
template <vector V> SEPTRAN_CPU_INLINE V sum_log(const V &exponent, const V &f) {
  const V low =
      mul_add(exponent, by_lane<V>(0x1.7f7d1cp-20f, 0x1.ef35793c7673p-45), log_correction(f));
  return mul_add(exponent, by_lane<V>(0x1.62e4p-1f, 0x1.62e42fefa38p-1), V(f + low));
}

/// The result of a logarithm where x is not a positive finite number.
template <vector V> SEPTRAN_CPU_INLINE V patch_log(V result, const V &x) {
  using L = std::numeric_limits<lane_of<V>>;
  result = select(x < L::infinity(), result, x); // infinity and NaN
  result = select(x == 0, -L::infinity() - V{}, result);
  return select(x < 0, L::quiet_NaN() - V{}, result);
}

/// log2 of x > 0, finite.
template <vector V> SEPTRAN_CPU_INLINE V log2_in_range(const V &x) {
  constexpr auto c = by_lane<V>(0x1.c551dap-2f, 0x1.c551d94ae0bf8p-2);
  const auto r = reduce_any_log(x);
  const V y = log_correction(r.f);
  return r.exponent + (r.f + mul_add(y, c, mul_add(r.f, c, y)));
}

/// log10 of x > 0, finite.
template <vector V> SEPTRAN_CPU_INLINE V log10_in_range(const V &x) {
  constexpr auto high = by_lane<V>(0x1.bcb7b2p-2f, 0x1.bcb7b1526e50ep-2);
  constexpr auto low = by_lane<V>(-0x1.5b235ep-27f, 0x1.95355baaafad3p-57);
  const auto r = reduce_any_log(x);
  const V y = log_correction(r.f) * high;
  // Products of exponents with the upper part of log10 2 are exact.
  const V rest = mul_add(r.exponent, by_lane<V>(0x1.3509f8p-18f, -0x1.80433b83b532ap-44),
                         mul_add(r.f, low, y));
  return mul_add(r.exponent, by_lane<V>(0x1.344p-2f, 0x1.34413509f8p-2), mul_add(r.f, high, rest));
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V log(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        const auto r = detail::reduce_any_log(x);
        return detail::patch_log(detail::sum_log(r.exponent, r.f), x);
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V log2(const V &v) {
  return detail::native::by_register(
      [](const auto &x)
          __attribute__((always_inline)) { return detail::patch_log(detail::log2_in_range(x), x); },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V log10(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        return detail::patch_log(detail::log10_in_range(x), x);
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V log1p(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        using F = detail::float_fields<lane_of<R>>;
        // 1 + x = u + lost, exactly (D. E. Knuth, TAOCP 2, section 4.2.2).
        const R u = 1 + x, part = u - 1;
        const R lost = (x - part) + (1 - (u - part));
        auto r = detail::reduce_log(u);
        // 2^-exponent; where that would be subnormal, `lost` is far below the last bit.
        const auto opposite =
            2 * F::bias - cpu::min(r.biased_exponent, decltype(r.biased_exponent){} + 2 * F::bias);
        r.f += lost * as<R>(opposite << F::fraction_bits);
        const R result = detail::patch_log(detail::sum_log(r.exponent, r.f), u);
        return select(cpu::abs(x) < std::numeric_limits<lane_of<R>>::min(), x, result);
      },
      v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_LOG_H
