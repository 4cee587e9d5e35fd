//===- septran/cpu/inverse_trig.h - asin, acos, atan, atan2 -----*- C++ -*-===//
//
// Of lanes. Each result is base + t + t z p(z), z = t^2 or the argument of the square root:
//
//   function        argument             base and t
//   asin |x|        |x| <= 1/2           0 and |x|
//                   |x| > 1/2            pi/2 and -2 sqrt(z), z = (1 - |x|) / 2
//   acos x          |x| <= 1/2           pi/2 and -x
//                   |x| > 1/2            0 and 2 sqrt(z); for x < 0 pi and -2 sqrt(z)
//   atan (a / b)    a / b < 1/2          0 and a / b
//                   1/2 <= a / b <= 2    pi/4 and (a - b) / (a + b), of which a - b is exact
//                   a / b > 2            pi/2 and -b / a
//
// The base is the sum of two floats. atan2(y, x) is that angle of |y| and |x|, or pi less it.
//
//   lanes    asin, acos, atan, atan2
//   float    2 ulp
//   double   2 ulp
//
// p: minimax fits of relative error (Remez's algorithm) for z <= 1/4, rounded to the lane type one
// after the other and fitted again: float 2^-27, double asin 2^-55, atan 2^-57.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_INVERSE_TRIG_H
#define SEPTRAN_CPU_INVERSE_TRIG_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

/// A multiple of pi, as the sum of two floats.
template <vector V> struct angle { V high, low; };
template <vector V> SEPTRAN_CPU_INLINE angle<V> times_pi(const V &factor) {
  // Exact, but for 3/4 of the float.
  return {factor * by_lane<V>(0x1.921fb6p1f, 0x1.921fb54442d18p1),
          factor * by_lane<V>(-0x1.777a5cp-24f, 0x1.1a62633145c07p-53)};
}

/// base + t + t z p. What the first sum loses is exact, as the base is 0 or no less than |t|.
template <vector V>
SEPTRAN_CPU_INLINE V angle_sum(const angle<V> &base, const V &t, const V &z, const V &p) {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  const V sum = base.high + t, lost = t - (sum - base.high);
  return sum + (lost + mul_add(t * z, p, base.low));
}

template <vector V> SEPTRAN_CPU_INLINE V asin_polynomial(const V &z) {
  if constexpr (std::is_same_v<lane_of<V>, float>)
    return polynomial(z, 0x1.5555acp-3f, 0x1.3308cep-4f, 0x1.73eddp-5f, 0x1.9102c6p-6f,
                      0x1.55bbdap-5f);
  else
    return polynomial(z, 0x1.555555555539p-3, 0x1.333333336e655p-4, 0x1.6db6db429665ep-5,
                      0x1.f1c72c2e5b0adp-6, 0x1.6e89f53b36335p-6, 0x1.1c6bd4ce1bcfbp-6,
                      0x1.c6fe845630343p-7, 0x1.8ebfca5e295bcp-7, 0x1.abda6a9ee0e85p-8,
                      0x1.3ff89b3b0ec1cp-6, -0x1.09eb20100f35cp-6, 0x1.057b8a1a93678p-5);
}

template <vector V> SEPTRAN_CPU_INLINE V atan_polynomial(const V &z) {
  if constexpr (std::is_same_v<lane_of<V>, float>)
    return polynomial(z, -0x1.55551ep-2f, 0x1.997e0ap-3f, -0x1.226a32p-3f, 0x1.a11aa2p-4f,
                      -0x1.a75834p-5f);
  else
    return polynomial(z, -0x1.5555555555516p-2, 0x1.999999999113bp-3, -0x1.249249215dff8p-3,
                      0x1.c71c709100df8p-4, -0x1.745cf4ce4f41bp-4, 0x1.3b113df7f5adep-4,
                      -0x1.10f321734878ap-4, 0x1.dfe998b01070bp-5, -0x1.a398fa7afadffp-5,
                      0x1.56f76703d971p-5, -0x1.c184fe4542946p-6, 0x1.4b8b26a346723p-7);
}

/// The angle between 0 and pi/2 whose tangent is a / b, or pi less it; not of two infinities.
template <vector V, vector M>
SEPTRAN_CPU_INLINE V angle_of(const V &a, const V &b, const M &obtuse) {
  using T = lane_of<V>;
  const V zero{};
  const auto low = a + a <= b, high = b + b < a; // exact, of subnormal numbers too
  const V numerator = select(low, a, select(high, -b, a - b));
  const V denominator = select(low, b, select(high, a, a + b));
  const V factor = select(low, zero, select(high, T(0.5) - zero, T(0.25) - zero));
  const V quotient = numerator / denominator;
  const V t = select(obtuse, -quotient, quotient), z = t * t;
  return angle_sum(times_pi(select(obtuse, 1 - factor, factor)), t, z, atan_polynomial(z));
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V asin(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        using T = lane_of<R>;
        const R zero{}, size = cpu::abs(x);
        const auto low = size <= T(0.5);
        const R z = select(low, x * x, (1 - size) * T(0.5));
        const R t = select(low, size, -2 * cpu::sqrt(z));
        const auto base = detail::times_pi(select(low, zero, T(0.5) - zero));
        return cpu::copysign(detail::angle_sum(base, t, z, detail::asin_polynomial(z)), x);
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V acos(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        using T = lane_of<R>;
        const R zero{}, size = cpu::abs(x);
        const auto low = size <= T(0.5), negative = x < 0;
        const R z = select(low, x * x, (1 - size) * T(0.5));
        const R root = 2 * cpu::sqrt(z);
        const R t = select(low, -x, select(negative, -root, root));
        const R factor = select(low, T(0.5) - zero, select(negative, 1 - zero, zero));
        return detail::angle_sum(detail::times_pi(factor), t, z, detail::asin_polynomial(z));
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V atan(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        return cpu::copysign(detail::angle_of(cpu::abs(x), R(1 - R{}), mask_of<R>{}), x);
      },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V atan2(const V &v, const V &w) {
  return detail::native::by_register(
      [](const auto &y, const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        using T = lane_of<R>;
        R a = cpu::abs(y), b = cpu::abs(x);
        // Two zeros are as 0 and 1, two infinities as 1 and 1; a sum does not overflow.
        const R scale =
            select(cpu::max(a, b) > detail::by_lane<R>(0x1p120f, 0x1p1000), T(0.25) - R{}, 1 - R{});
        const auto infinite = cpu::isinf(a) & cpu::isinf(b);
        a = select(infinite, 1 - R{}, a * scale);
        b = select(infinite | ((a == 0) & (b == 0)), 1 - R{}, b * scale);
        const auto obtuse = as<mask_of<R>>(x) < 0; // the sign bit, of zero too
        return cpu::copysign(detail::angle_of(a, b, obtuse), y);
      },
      v, w);
}
template <vector V> SEPTRAN_CPU_INLINE V atan2(const V &y, lane_of<V> x) {
  return atan2(y, V(x - V{}));
}
template <vector V> SEPTRAN_CPU_INLINE V atan2(lane_of<V> y, const V &x) {
  return atan2(V(y - V{}), x);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_INVERSE_TRIG_H
