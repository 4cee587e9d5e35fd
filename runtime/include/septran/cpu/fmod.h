//===- septran/cpu/fmod.h - fmod of lanes -----------------------*- C++ -*-===//
//
// x - n y, n = trunc(x / y), in every bit that of the C library.
//
//   lanes    by vectors for    why it is exact
//   float    |x / y| < 2^28    in double: x / y is a whole number or 2^-24 away from it, and n y
//                              has 52 bits
//   double   |x / y| < 2^53    by fma: where x / y was rounded up to n, n is one too large, x - n y
//                              is negative, and y is added again
//
// Both differences are multiples of the last bit of y, and smaller than y. Lanes with other
// quotients are computed one by one by the C library, and double lanes without the instruction.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_FMOD_H
#define SEPTRAN_CPU_FMOD_H

#include <septran/cpu/exp.h>

namespace septran::cpu {
namespace detail {

/// |x| modulo |y| for such quotients.
template <vector V> SEPTRAN_CPU_INLINE V fmod_in_range(const V &x, const V &y) {
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  if constexpr (std::is_same_v<lane_of<V>, double>) {
    const V r = mul_add(-cpu::trunc(x / y), y, x);
    return select(r < 0, r + y, r);
  } else if constexpr (2 * sizeof(V) > native::register_bytes && (width_of<V> > 2)) {
    return concat(fmod_in_range(low_half(x), low_half(y)),
                  fmod_in_range(high_half(x), high_half(y)));
  } else {
    const auto a = cast<double>(x), b = cast<double>(y);
    return cast<float>(mul_add(-cpu::trunc(a / b), b, a));
  }
}

template <class T>
[[gnu::noinline, gnu::cold]] inline void fmod_lanes(T *result, const T *x, const T *y, int lanes,
                                                    T limit) {
  for (int i = 0; i < lanes; ++i)
    if (!(std::fabs(x[i] / y[i]) < limit))
      result[i] = std::fmod(x[i], y[i]);
}

template <vector V> SEPTRAN_CPU_INLINE V fmod_register(const V &x, const V &y) {
  using T = lane_of<V>;
  constexpr bool fused = requires { native::fma(x, x, x); };
  constexpr T limit = by_lane<V>(0x1p28f, fused ? 0x1p53 : 0);
  const V a = cpu::abs(x), b = cpu::abs(y);
  const auto known = cpu::abs(V(x / y)) < limit;
  // An infinite y leaves x as it is.
  V result = cpu::copysign(select(a < b, a, fmod_in_range(a, b)), x);
  if (any(~known)) [[unlikely]] {
    alignas(V) T lanes[width_of<V>], first[width_of<V>], second[width_of<V>];
    *reinterpret_cast<V *>(lanes) = result;
    *reinterpret_cast<V *>(first) = x;
    *reinterpret_cast<V *>(second) = y;
    fmod_lanes(lanes, first, second, width_of<V>, limit);
    result = *reinterpret_cast<const V *>(lanes);
  }
  return result;
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V fmod(const V &v, const V &w) {
  return detail::native::by_register(
      [](const auto &x, const auto &y)
          __attribute__((always_inline)) { return detail::fmod_register(x, y); },
      v, w);
}
template <vector V> SEPTRAN_CPU_INLINE V fmod(const V &x, lane_of<V> y) {
  return fmod(x, V(y - V{}));
}
template <vector V> SEPTRAN_CPU_INLINE V fmod(lane_of<V> x, const V &y) {
  return fmod(V(x - V{}), y);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_FMOD_H
