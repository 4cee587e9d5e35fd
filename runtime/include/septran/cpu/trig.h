//===- septran/cpu/trig.h - sin, cos and tan of lanes -----------*- C++ -*-===//
//
// x = n pi/2 + r with |r| <= pi/4; n mod 4 chooses between +-sin r and +-cos r. pi/2 is the sum of
// three doubles; products of n with the first two are exact (Cody and Waite), so r is accurate also
// beside a multiple of pi/2. Float lanes are reduced in double.
//
//   lanes    sin, cos   tan     by vectors for
//   float    2 ulp      4 ulp   |x| < 2^22
//   double   2 ulp      3 ulp   |x| < 2^20
//
// tan is the quotient of both, negated and the other way round for odd n.
//
// Lanes with larger, infinite or NaN arguments are computed one by one by the C library: they are
// rare, and their reduction needs hundreds of bits of pi.
//
// Coefficients: minimax fits of relative error (Sollya's fpminimax), rounded to the lane type.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_TRIG_H
#define SEPTRAN_CPU_TRIG_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

/// x = quadrant pi/2 + r + tail.
template <vector V> struct trig_reduction {
  V r, tail;
  bits_of<V> quadrant; // in the lowest two bits
};

/// Double lanes below 2^20, or 2^22 where the tail is not used.
template <vector V> SEPTRAN_CPU_INLINE trig_reduction<V> reduce_double(const V &x) {
  const nearby<V> n = nearest_product(x, 0x1.45f306dc9c883p-1);
  const V first = mul_add(n.value, -0x1.921fb544p0, x);
  const V second = mul_add(n.value, -0x1.0b4611a4p-34, first);
  const V lost = mul_add(n.value, -0x1.0b4611a4p-34, V(first - second));
  const V rest = mul_add(n.value, -0x1.13198a2e03707p-65, lost);
  const V r = second + rest;
  return {r, (second - r) + rest, n.bits};
}

template <vector V> SEPTRAN_CPU_INLINE trig_reduction<V> reduce_trig(const V &x) {
  if constexpr (std::is_same_v<lane_of<V>, double>) {
    return reduce_double(x);
  } else if constexpr (2 * sizeof(V) > native::register_bytes && width_of<V> > 2) {
    const auto low = reduce_trig(low_half(x)), high = reduce_trig(high_half(x));
    return {concat(low.r, high.r), V{}, concat(low.quadrant, high.quadrant)};
  } else {
    const auto wide = reduce_double(cast<double>(x));
    return {cast<float>(wide.r), V{}, cast<std::uint32_t>(wide.quadrant)};
  }
}

/// sin and cos of r + tail.
template <vector V> struct sin_cos { V sine, cosine; };
template <vector V> SEPTRAN_CPU_INLINE sin_cos<V> sin_cos_near_zero(const trig_reduction<V> &x) {
  const V z = x.r * x.r;
  if constexpr (std::is_same_v<lane_of<V>, float>) {
    const V s = polynomial(z, -0x1.555546p-3f, 0x1.110776p-7f, -0x1.9952ecp-13f);
    const V c = polynomial(z, 0x1.55554ap-5f, -0x1.6c0c2ap-10f, 0x1.99e8fcp-16f);
    return {mul_add(x.r * z, s, x.r), mul_add(z, mul_add(z, c, -0.5f - V{}), 1 - V{})};
  } else {
    const V s = polynomial(z, -0x1.5555555555548p-3, 0x1.111111110f751p-7, -0x1.a01a019befb93p-13,
                           0x1.71de355c5f142p-19, -0x1.ae5e52092b14dp-26, 0x1.5d8d6e10a9bbbp-33);
    const V c = polynomial(z, 0x1.555555555554bp-5, -0x1.6c16c16c1500cp-10, 0x1.a01a019c8d949p-16,
                           -0x1.27e4f7f00878p-22, 0x1.1ee9da88f425p-29, -0x1.8fa5c16594864p-37);
    const V half = z * 0.5;
    return {x.r + mul_add(x.r * z, s, x.tail * (1 - half)),
            (1 - half) + mul_add(z * z, c, -x.r * x.tail)};
  }
}

enum class trig_function { sin, cos, tan };

/// The function of r + tail, by the quadrant.
template <trig_function Function, vector V>
SEPTRAN_CPU_INLINE V trig_of_quadrant(const trig_reduction<V> &x) {
  constexpr int sign_place = 8 * sizeof(lane_of<V>) - 1;
  const auto [sine, cosine] = sin_cos_near_zero(x);
  const bits_of<V> quadrant = x.quadrant + (Function == trig_function::cos);
  const auto odd = (quadrant & 1) != 0;
  const V first = select(odd, cosine, sine);
  if constexpr (Function == trig_function::tan) {
    const V quotient = first / select(odd, sine, cosine);
    return as<V>(as<bits_of<V>>(quotient) ^ (quadrant << sign_place));
  } else {
    return as<V>(as<bits_of<V>>(first) ^ ((quadrant & 2) << (sign_place - 1)));
  }
}

/// The lanes that the vector code leaves out, by the C library.
template <trig_function Function, class T>
[[gnu::noinline, gnu::cold]] inline void trig_lanes(T *result, const T *x, int lanes, T limit) {
  for (int i = 0; i < lanes; ++i)
    if (!(std::fabs(x[i]) < limit))
      result[i] = Function == trig_function::sin   ? std::sin(x[i])
                  : Function == trig_function::cos ? std::cos(x[i])
                                                   : std::tan(x[i]);
}

template <trig_function Function, vector V> SEPTRAN_CPU_INLINE V trig(const V &x) {
  using T = lane_of<V>;
  constexpr T limit = by_lane<V>(0x1p22f, 0x1p20);
  const auto small = cpu::abs(x) < limit;
  V result = trig_of_quadrant<Function>(reduce_trig(select(small, x, V{})));
  if constexpr (Function != trig_function::cos)
    result = select(x == 0, x, result); // the sign of zero
  if (any(~small)) [[unlikely]] {
    alignas(V) T lanes[width_of<V>], arguments[width_of<V>];
    *reinterpret_cast<V *>(lanes) = result;
    *reinterpret_cast<V *>(arguments) = x;
    trig_lanes<Function>(lanes, arguments, width_of<V>, limit);
    result = *reinterpret_cast<const V *>(lanes);
  }
  return result;
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V sin(const V &v) {
  return detail::native::by_register(
      [](const auto &x)
          __attribute__((always_inline)) { return detail::trig<detail::trig_function::sin>(x); },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V cos(const V &v) {
  return detail::native::by_register(
      [](const auto &x)
          __attribute__((always_inline)) { return detail::trig<detail::trig_function::cos>(x); },
      v);
}

template <vector V> SEPTRAN_CPU_INLINE V tan(const V &v) {
  return detail::native::by_register(
      [](const auto &x)
          __attribute__((always_inline)) { return detail::trig<detail::trig_function::tan>(x); },
      v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_TRIG_H
