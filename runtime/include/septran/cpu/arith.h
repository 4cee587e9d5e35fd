//===- septran/cpu/arith.h - Elementary functions of lanes ------*- C++ -*-===//
//
// What the vector operators leave out: min, max, abs, copysign, isnan, isinf, isfinite, fma, mul_add,
// sqrt, rsqrt, rounding to integers, and the reduction of all lanes. The same names take scalars, so a
// loop's tail reads as its body. All are exact, or rounded as IEEE 754 asks.
//
// `min(a, b)` is `a < b ? a : b` and `max(a, b)` is `a > b ? a : b`, NaN included: if either is NaN
// the result is b. That is one instruction; std::min and std::max give their first argument then, so
// std::max(x, y) is max(y, x).
//
// Reductions combine halves again and again, so float sums are pairwise, not left to right.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_ARITH_H
#define SEPTRAN_CPU_ARITH_H

#include <septran/cpu/cast.h>
#include <septran/cpu/native_math.h>

#include <cmath>

namespace septran::cpu {

//===----------------------------------------------------------------------===//
// Minimum and maximum
//===----------------------------------------------------------------------===//

template <vector V> SEPTRAN_CPU_INLINE V min(const V &a, const V &b) {
  if constexpr (std::is_floating_point_v<lane_of<V>> && requires { detail::native::min(a, b); })
    return V(detail::native::min(a, b));
  else
    return a < b ? a : b;
}
template <vector V> SEPTRAN_CPU_INLINE V max(const V &a, const V &b) {
  if constexpr (std::is_floating_point_v<lane_of<V>> && requires { detail::native::max(a, b); })
    return V(detail::native::max(a, b));
  else
    return a > b ? a : b;
}
template <vector V> SEPTRAN_CPU_INLINE V min(const V &a, lane_of<V> b) { return min(a, b - V{}); }
template <vector V> SEPTRAN_CPU_INLINE V max(const V &a, lane_of<V> b) { return max(a, b - V{}); }
template <vector V> SEPTRAN_CPU_INLINE V min(lane_of<V> a, const V &b) { return min(a - V{}, b); }
template <vector V> SEPTRAN_CPU_INLINE V max(lane_of<V> a, const V &b) { return max(a - V{}, b); }

template <scalar A, scalar B> SEPTRAN_CPU_INLINE constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  const T x = static_cast<T>(a), y = static_cast<T>(b);
  return x < y ? x : y;
}
template <scalar A, scalar B> SEPTRAN_CPU_INLINE constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  const T x = static_cast<T>(a), y = static_cast<T>(b);
  return x > y ? x : y;
}

//===----------------------------------------------------------------------===//
// Sign
//===----------------------------------------------------------------------===//

namespace detail {
/// The bit that is a float's sign.
template <class T> inline constexpr uint_like<T> sign_bit = uint_like<T>(1) << (8 * sizeof(T) - 1);
} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V abs(const V &v) {
  using T = lane_of<V>;
  if constexpr (std::is_floating_point_v<T>)
    return as<V>(as<bits_of<V>>(v) & uint_like<T>(~detail::sign_bit<T>));
  else if constexpr (std::is_signed_v<T>)
    return v < 0 ? -v : v;
  else
    return v;
}
template <scalar T> SEPTRAN_CPU_INLINE T abs(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(x);
  else if constexpr (std::is_signed_v<T>)
    return T(x < 0 ? -x : x);
  else
    return x;
}

/// The magnitude of the first with the sign of the second.
template <vector V> SEPTRAN_CPU_INLINE V copysign(const V &magnitude, const V &sign) {
  constexpr auto bit = detail::sign_bit<lane_of<V>>;
  return as<V>((as<bits_of<V>>(magnitude) & ~bit) | (as<bits_of<V>>(sign) & bit));
}
template <scalar T> SEPTRAN_CPU_INLINE auto copysign(T magnitude, T sign) {
  return std::copysign(magnitude, sign);
}

//===----------------------------------------------------------------------===//
// Classes of numbers: masks of vectors, bool of scalars
//===----------------------------------------------------------------------===//

template <vector V> SEPTRAN_CPU_INLINE mask_of<V> isnan(const V &v) { return v != v; }
template <vector V> SEPTRAN_CPU_INLINE mask_of<V> isinf(const V &v) {
  return abs(v) == lane_of<V>(INFINITY);
}
template <vector V> SEPTRAN_CPU_INLINE mask_of<V> isfinite(const V &v) {
  return abs(v) < lane_of<V>(INFINITY);
}
template <scalar T> SEPTRAN_CPU_INLINE bool isnan(T x) { return std::isnan(x); }
template <scalar T> SEPTRAN_CPU_INLINE bool isinf(T x) { return std::isinf(x); }
template <scalar T> SEPTRAN_CPU_INLINE bool isfinite(T x) { return std::isfinite(x); }

//===----------------------------------------------------------------------===//
// fma, mul_add and sqrt
//===----------------------------------------------------------------------===//

/// a * b + c, rounded once. Slow, lane by lane, on a target without the instruction.
template <vector V> SEPTRAN_CPU_INLINE V fma(const V &a, const V &b, const V &c) {
  return detail::native::by_register(
      [](const auto &x, const auto &y, const auto &z) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { detail::native::fma(x, y, z); }) {
          return R(detail::native::fma(x, y, z));
        } else {
          R r{};
          for (int i = 0; i < width_of<R>; ++i)
            r[i] = std::fma(x[i], y[i], z[i]);
          return r;
        }
      },
      a, b, c);
}
template <scalar A, scalar B, scalar C> SEPTRAN_CPU_INLINE auto fma(A a, B b, C c) {
  return std::fma(a, b, c);
}

/// a * b + c: rounded once where the target has the instruction, else twice; -ffp-contract has no
/// say.
template <vector V> SEPTRAN_CPU_INLINE V mul_add(const V &a, const V &b, const V &c) {
  if constexpr (!std::is_floating_point_v<lane_of<V>>)
    return a * b + c;
  else if constexpr (requires { detail::native::fma(a, b, c); })
    return V(detail::native::fma(a, b, c));
  else if constexpr (sizeof(V) > detail::native::register_bytes)
    return concat(mul_add(low_half(a), low_half(b), low_half(c)),
                  mul_add(high_half(a), high_half(b), high_half(c)));
  else
    return a * b + c;
}
template <vector V> SEPTRAN_CPU_INLINE V mul_add(const V &a, const V &b, lane_of<V> c) {
  return mul_add(a, b, c - V{});
}
template <vector V> SEPTRAN_CPU_INLINE V mul_add(const V &a, lane_of<V> b, lane_of<V> c) {
  return mul_add(a, b - V{}, c - V{});
}
template <vector V> SEPTRAN_CPU_INLINE V mul_add(const V &a, lane_of<V> b, const V &c) {
  return mul_add(a, b - V{}, c);
}
template <scalar A, scalar B, scalar C> SEPTRAN_CPU_INLINE auto mul_add(A a, B b, C c) {
  return a * b + c;
}

template <vector V> SEPTRAN_CPU_INLINE V sqrt(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { detail::native::sqrt(x); }) {
          return R(detail::native::sqrt(x));
        } else {
          R r{};
          for (int i = 0; i < width_of<R>; ++i)
            r[i] = std::sqrt(x[i]);
          return r;
        }
      },
      v);
}
template <scalar T> SEPTRAN_CPU_INLINE auto sqrt(T x) { return std::sqrt(x); }

/// 1 / sqrt(v), both operations exactly rounded.
template <vector V> SEPTRAN_CPU_INLINE V rsqrt(const V &v) { return lane_of<V>(1) / sqrt(v); }
template <scalar T> SEPTRAN_CPU_INLINE auto rsqrt(T x) { return 1 / std::sqrt(x); }

//===----------------------------------------------------------------------===//
// Rounding to integers
//===----------------------------------------------------------------------===//

namespace detail {

/// Whether every operation rounds as written. -ffast-math would cancel (x + big) - big, and exact
/// sums.
template <class T>
inline constexpr bool keeps_rounding =
#if defined(__FAST_MATH__)
    false;
#else
    true;
#endif

/// Nearest integer, ties to even, of magnitudes below 2^(p-1): adding that power leaves no
/// fraction. Larger floats are integers already, and NaN stays NaN. Keeps the sign of zero.
template <vector V> SEPTRAN_CPU_INLINE V nearest(const V &v) {
  constexpr lane_of<V> big = sizeof(lane_of<V>) == 4 ? 0x1p23 : 0x1p52;
  const V size = cpu::abs(v);
  static_assert(keeps_rounding<V>, "this function does not survive -ffast-math");
  return size < big ? cpu::copysign((size + big) - big, v) : v;
}

} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE V floor(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { detail::native::floor(x); }) {
          return R(detail::native::floor(x));
        } else {
          const R r = detail::nearest(x);
          return r > x ? r - 1 : r;
        }
      },
      v);
}
template <vector V> SEPTRAN_CPU_INLINE V ceil(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { detail::native::ceil(x); }) {
          return R(detail::native::ceil(x));
        } else {
          const R r = detail::nearest(x);
          return cpu::copysign(r < x ? r + 1 : r, x);
        }
      },
      v);
}
template <vector V> SEPTRAN_CPU_INLINE V trunc(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { detail::native::trunc(x); }) {
          return R(detail::native::trunc(x));
        } else {
          const R size = cpu::abs(x), r = detail::nearest(size);
          return cpu::copysign(r > size ? r - 1 : r, x);
        }
      },
      v);
}
/// Nearest integer, ties to even.
template <vector V> SEPTRAN_CPU_INLINE V nearbyint(const V &v) {
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(x)>;
        if constexpr (requires { detail::native::nearbyint(x); })
          return R(detail::native::nearbyint(x));
        else
          return detail::nearest(x);
      },
      v);
}
/// Nearest integer, ties away from zero.
template <vector V> SEPTRAN_CPU_INLINE V round(const V &v) {
  using T = lane_of<V>;
  const V whole = trunc(v), size = abs(whole);
  return copysign(abs(v - whole) >= T(0.5) ? size + 1 : size, v);
}

template <scalar T> SEPTRAN_CPU_INLINE auto floor(T x) { return std::floor(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto ceil(T x) { return std::ceil(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto trunc(T x) { return std::trunc(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto round(T x) { return std::round(x); }
template <scalar T> SEPTRAN_CPU_INLINE auto nearbyint(T x) { return std::nearbyint(x); }

//===----------------------------------------------------------------------===//
// Reductions of all lanes
//===----------------------------------------------------------------------===//

namespace detail {
template <vector V, class F> SEPTRAN_CPU_INLINE lane_of<V> reduce(const V &v, F f) {
  if constexpr (width_of<V> == 2)
    return lane_of<V>(f(v[0], v[1]));
  else
    return reduce(f(low_half(v), high_half(v)), f);
}

/// Of Count vectors from the First on. Halves of them do not wait for each other.
template <int First, int Count, vector V, int N, class F>
SEPTRAN_CPU_INLINE V combine(const V (&parts)[N], F f) {
  if constexpr (Count == 1)
    return parts[First];
  else
    return f(combine<First, Count / 2>(parts, f),
             combine<First + Count / 2, Count - Count / 2>(parts, f));
}
template <vector V, int N, class F>
SEPTRAN_CPU_INLINE lane_of<V> reduce(const V (&parts)[N], F f) {
  return reduce(combine<0, N>(parts, f), f);
}

inline constexpr auto sum_of = [](const auto &a, const auto &b)
                                   __attribute__((always_inline)) { return a + b; };
inline constexpr auto product_of = [](const auto &a, const auto &b)
                                       __attribute__((always_inline)) { return a * b; };
inline constexpr auto min_of = [](const auto &a, const auto &b)
                                   __attribute__((always_inline)) { return cpu::min(a, b); };
inline constexpr auto max_of = [](const auto &a, const auto &b)
                                   __attribute__((always_inline)) { return cpu::max(a, b); };
} // namespace detail

template <vector V> SEPTRAN_CPU_INLINE lane_of<V> reduce_add(const V &v) {
  return detail::reduce(v, detail::sum_of);
}
template <vector V> SEPTRAN_CPU_INLINE lane_of<V> reduce_mul(const V &v) {
  return detail::reduce(v, detail::product_of);
}
template <vector V> SEPTRAN_CPU_INLINE lane_of<V> reduce_min(const V &v) {
  return detail::reduce(v, detail::min_of);
}
template <vector V> SEPTRAN_CPU_INLINE lane_of<V> reduce_max(const V &v) {
  return detail::reduce(v, detail::max_of);
}

/// The same of all lanes of N vectors.
template <vector V, int N> SEPTRAN_CPU_INLINE lane_of<V> reduce_add(const V (&parts)[N]) {
  return detail::reduce(parts, detail::sum_of);
}
template <vector V, int N> SEPTRAN_CPU_INLINE lane_of<V> reduce_mul(const V (&parts)[N]) {
  return detail::reduce(parts, detail::product_of);
}
template <vector V, int N> SEPTRAN_CPU_INLINE lane_of<V> reduce_min(const V (&parts)[N]) {
  return detail::reduce(parts, detail::min_of);
}
template <vector V, int N> SEPTRAN_CPU_INLINE lane_of<V> reduce_max(const V (&parts)[N]) {
  return detail::reduce(parts, detail::max_of);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_ARITH_H
