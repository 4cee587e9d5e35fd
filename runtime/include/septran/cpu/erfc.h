//===- septran/cpu/erfc.h - erfc of lanes -----------------------*- C++ -*-===//
//
//   |x| <= 4/5   1 - (x + x p(x^2)), with erf(x) in parentheses
//   otherwise    e^(-x^2) q(t) / (|x| + k), t = (|x| - k) / (|x| + k); for x < 0, 2 less that
//
// Both are computed and the lane chooses. x^2 is the sum of an exact square of x's upper half of
// bits and of the rest, which is added to the small part of the exponent. Subnormal results are
// rounded once.
//
// Largest error: float 4 ulp, double 5 ulp.
//
// p: minimax of erf's relative error (Remez's algorithm), float 2^-28, double 2^-56. q, which is
// (x + k) e^(x^2) erfc(x), k = 2 (double: 4): weighted least squares in Chebyshev's points up to
// where erfc rounds to 0, which is nearly the minimax: 2^-25 and 2^-54. Rounded one after the other
// and fitted again.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_ERFC_H
#define SEPTRAN_CPU_ERFC_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

/// 1 / (a + b) for a no less than b, rounded about once.
template <vector V> SEPTRAN_CPU_INLINE V inverse_of_sum(const V &a, const V &b) {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  const V sum = a + b, lost = b - (sum - a), inverse = 1 / sum;
  V off; // 1 - inverse sum
  if constexpr (requires { native::fma(a, b, sum); }) {
    off = mul_add(-sum, inverse, 1);
  } else {
    const V high = upper_half(sum), part = upper_half(inverse);
    off = (1 - high * part) - high * (inverse - part) - (sum - high) * inverse;
  }
  return mul_add(inverse, off - lost * inverse, inverse);
}

/// For 4/5 <= x, NaN included.
template <vector V> SEPTRAN_CPU_INLINE V erfc_far(const V &size) {
  constexpr auto k = by_lane<V>(2, 4);
  const V x = cpu::min(by_lane<V>(10.3f, 27.5), size);
  const V high = upper_half(x), square = -high * high, tail = (high - x) * (x + high);
  const exponent<V> n =
      nearest_exponent(V((square + tail) * by_lane<V>(0x1.715476p0f, 0x1.71547652b82fep0)));
  const V m = expm1_near_zero(V(minus_ln2(square, n.value) + tail));
  const V u = inverse_of_sum<V>(k - V{}, x), t = (x - k) * u;
  V q;
  if constexpr (std::is_same_v<lane_of<V>, float>)
    q = polynomial(t, 0x1.058672p0f, -0x1.5fd388p-1f, 0x1.1e2da6p-2f, -0x1.2a85dcp-5f,
                   -0x1.602da4p-6f, 0x1.a7c6a4p-8f, 0x1.8a6054p-9f, -0x1.a13536p-11f,
                   -0x1.fabebp-12f);
  else
    q = polynomial(t, 0x1.18932bf08e154p0, -0x1.f3fe31ecb49bfp-1, 0x1.8be202d26c742p-1,
                   -0x1.14eacb1ad0353p-1, 0x1.52cac2370f194p-2, -0x1.645fd8a4bb6aep-3,
                   0x1.38dbd2c91c275p-4, -0x1.b00c052c72725p-6, 0x1.908f4708c82f7p-8,
                   -0x1.269b51d4ee43cp-12, -0x1.dd283e495ad14p-12, 0x1.72cda6cf27b3p-13,
                   -0x1.e7ef54a5e9181p-19, -0x1.3c6ef30e43842p-16, 0x1.3b07a7d8f1ecep-18,
                   0x1.7e58ef86a5c38p-20, -0x1.c582fab4eb1c3p-21, -0x1.46003ad072446p-24,
                   0x1.0413eb516badp-23, 0x1.546e8492fbb9dp-30, -0x1.b360d6930992p-27);
  const V factor = q * u;
  return scale(mul_add(factor, m, factor), n);
}

template <vector V> SEPTRAN_CPU_INLINE V erfc_register(const V &x) {
  const V size = cpu::abs(x), z = x * x;
  V p;
  if constexpr (std::is_same_v<lane_of<V>, float>)
    p = polynomial(z, 0x1.06eba8p-3f, -0x1.812732p-2f, 0x1.ce289ap-4f, -0x1.b77788p-6f,
                   0x1.4d7eccp-8f, -0x1.57cb48p-11f);
  else
    p = polynomial(z, 0x1.06eba8214db68p-3, -0x1.812746b03798bp-2, 0x1.ce2f21a03dd2fp-4,
                   -0x1.b82ce310e2f85p-6, 0x1.565bccc5ef3bcp-8, -0x1.c02da5787db9ap-11,
                   0x1.f9a15677fad95p-14, -0x1.f4ad24c6097bp-17, 0x1.b7fc66c99b591p-20,
                   -0x1.4fb6d6a49d297p-23, 0x1.67a09a45adb02p-27);
  const V near = 1 - mul_add(x, p, x), far = erfc_far(size);
  return select(size <= by_lane<V>(0.8f, 0.8), near, select(x < 0, 2 - far, far));
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V erfc(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) { return detail::erfc_register(x); }, v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_ERFC_H
