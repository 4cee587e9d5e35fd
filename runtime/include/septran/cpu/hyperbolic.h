//===- septran/cpu/hyperbolic.h - sinh and cosh of lanes --------*- C++ -*-===//
//
// Of |x| = n ln 2 + r, with m = e^r - 1 and p = 2^(n - 2), both below the largest float:
//
//   function  largest error     how
//   cosh      2 ulp             2 (e + 1 / (16 e)),     e = e^|x| / 4 = m p + p
//   sinh      3 ulp             2 (q + q / (4 q + 1)),  q = (e^|x| - 1) / 4 = m p + (p - 1/4)
//
// Only the last step overflows. sinh of what is far below 1 is x. (tanh is in exp.h.)
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_HYPERBOLIC_H
#define SEPTRAN_CPU_HYPERBOLIC_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

/// e^|x| / 4 = fraction power + power.
template <vector V> struct quarter_exp {
  V fraction, power;
  SEPTRAN_CPU_INLINE explicit quarter_exp(const V &x) {
    // Beyond, the results are infinite.
    const V size = clamp(cpu::abs(x), 0, by_lane<V>(89.5f, 710.5));
    const nearby<V> n = nearest_product(size, by_lane<V>(0x1.715476p0f, 0x1.71547652b82fep0));
    fraction = expm1_near_zero(minus_ln2(size, n.value));
    power = power_of_two<V>(n.bits - 2);
  }
};

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V cosh(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        const detail::quarter_exp<R> part(x);
        const R e = mul_add(part.fraction, part.power, part.power);
        return R(2 * (e + lane_of<R>(0.0625) / e));
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V sinh(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        constexpr auto small = detail::by_lane<R>(0x1p-13f, 0x1p-28);
        const detail::quarter_exp<R> part(x);
        const R q = mul_add(part.fraction, part.power, part.power - lane_of<R>(0.25));
        const R result = cpu::copysign(R(2 * (q + q / (4 * q + 1))), x);
        return select(cpu::abs(x) < small, x, result);
      },
      v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_HYPERBOLIC_H
