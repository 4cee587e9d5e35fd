//===- septran/cpu/cbrt.h - cbrt of lanes -----------------------*- C++ -*-===//
//
// |x| = 2^(3 n) z with z in [sqrt(1/8), sqrt(8)). A polynomial and 2^(-1/3), 1 or 2^(1/3) give
// w = z^(-1/3), which double lanes improve by one step of third order. Then y = z w^2 is cut to
// half of the bits, so that y^2 is exact, and z - y^3 nearly; with d = (z - y^3) w^2
//
//   cbrt(z) = y + d/3 + w (d/3)^2 + ...
//
// Largest error: 1 ulp.
//
// Polynomials: minimax of relative error (Remez's algorithm), float 2^-17, double 2^-14, rounded to
// the lane type one after the other and fitted again.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_CBRT_H
#define SEPTRAN_CPU_CBRT_H

#include <septran/cpu/log.h>

namespace septran::cpu {
namespace detail {

template <vector V> SEPTRAN_CPU_INLINE V cbrt_register(const V &v) {
  using T = lane_of<V>;
  constexpr T third = T(1) / 3;
  const V size = cpu::abs(v);
  const auto r = reduce_any_log(size);
  const nearby<V> n = nearest_product(r.exponent, third);
  const V rest = mul_add(n.value, T(-3), r.exponent); // -1, 0 or 1
  const auto up = rest > 0, down = rest < 0;
  const auto by_rest = [&](T of_less, T of_more) __attribute__((always_inline)) {
    return select(down, of_less - V{}, select(up, of_more - V{}, 1 - V{}));
  };
  const V z = (1 + r.f) * by_rest(T(0.5), 2);
  V w;
  if constexpr (std::is_same_v<T, float>)
    w = polynomial(r.f, 0x1.00004p0f, -0x1.55416ep-2f, 0x1.c5e2d8p-3f, -0x1.68817ap-3f,
                   0x1.47e644p-3f, -0x1.b2ecbap-4f);
  else
    w = polynomial(r.f, 0x1.fffcee58eb4d4p-1, -0x1.54e41d2a4942bp-2, 0x1.cb7e8102826afp-3,
                   -0x1.82e4cac8c1a27p-3, 0x1.06eb781a3102p-3);
  w *= by_rest(by_lane<V>(0x1.428a3p0f, 0x1.428a2f98d728bp0),
               by_lane<V>(0x1.965feap-1f, 0x1.965fea53d6e3dp-1));
  if constexpr (std::is_same_v<T, double>) {
    const V u = 1 - z * w * w * w;
    w = mul_add(w * u, mul_add(u, 2 * third * third, third), w);
  }
  const V w2 = w * w, y = upper_half(V(z * w2)), square = y * y, high = upper_half(square);
  const V d = mul_add(high - square, y, mul_add(-high, y, z)) * w2;
  const V root = mul_add(d, mul_add(d * w, third * third, third), y);
  const V result = cpu::copysign(root * power_of_two<V>(n.bits), v);
  return select((size > 0) & (size < std::numeric_limits<T>::infinity()), result, v);
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V cbrt(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) { return detail::cbrt_register(x); }, v);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_CBRT_H
