//===- septran/cpu/convert.h - Lanes of one type from another ---*- C++ -*-===//
//
// `convert<T>(v)` is `static_cast<T>` lane by lane. Lanes of a small float are floats that hold
// values of that type, so there a conversion rounds and the lanes stay floats.
//
// A double is rounded once, not first to float: it becomes a float rounded to odd (S. Boldo,
// G. Melquiond, Emulation of FMA and correctly rounded sums, 2008), as in <septran/float_types.h>.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_CONVERT_H
#define SEPTRAN_CPU_CONVERT_H

#include <septran/cpu/small_float.h>

namespace septran::cpu {
namespace detail {

/// Doubles -> floats; an inexact result has its last bit set.
template <vector V> SEPTRAN_CPU_INLINE auto to_odd_float(const V &v) {
  constexpr int W = width_of<V>;
  using bits_type = vec<std::uint32_t, W>;
  const auto near = cast<float>(v);
  const V back = cast<double>(near);
  const auto inexact = cast<std::int32_t>((back < v) | (back > v));
  const auto away = cast<std::int32_t>(((back > v) & (v > 0)) | ((back < v) & (v < 0)));
  const bits_type bits = as<bits_type>(near) + as<bits_type>(away);
  return as<vec<float, W>>(bits | (as<bits_type>(inexact) & 1u));
}

} // namespace detail

/// Float lanes rounded to values of the small float type T; other types leave them as they are.
template <class T, vector V> SEPTRAN_CPU_INLINE V round_to(const V &v) {
  if constexpr (!small_float<T>) {
    static_assert(std::is_same_v<lane_of<V>, T>, "the lanes already have this type");
    return v;
  } else if constexpr (detail::is_float16<T> && requires { detail::native::to_float16(v); }) {
    return detail::to_lanes<T>(detail::from_lanes<T>(v));
  } else {
    return detail::native::by_register(
        [](const auto &x) __attribute__((always_inline)) {
          return detail::decode<T::format>(detail::encode<T::format>(x));
        },
        v);
  }
}
template <small_float T> SEPTRAN_CPU_INLINE float round_to(float x) { return float(T(x)); }

/// Lane by lane `static_cast<T>`. As in C++, a float that does not fit an integer type is
/// undefined.
template <class T, vector V> SEPTRAN_CPU_INLINE vec<lane_t<T>, width_of<V>> convert(const V &v) {
  using L = lane_of<V>;
  if constexpr (!small_float<T>) {
    return detail::cast<T>(v);
  } else if constexpr (std::is_same_v<L, float>) {
    return round_to<T>(v);
  } else if constexpr (sizeof(double) * width_of<V> > detail::native::register_bytes &&
                       width_of<V> > 2) {
    return concat(convert<T>(low_half(v)), convert<T>(high_half(v)));
  } else if constexpr (std::is_integral_v<L> && sizeof(L) == 8) {
    vec<float, width_of<V>> r{};
    for (int i = 0; i < width_of<V>; ++i)
      r[i] = float(T(v[i]));
    return r;
  } else {
    return round_to<T>(detail::to_odd_float(detail::cast<double>(v)));
  }
}
template <class T, scalar S> SEPTRAN_CPU_INLINE lane_t<T> convert(S x) {
  return static_cast<lane_t<T>>(static_cast<T>(x));
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_CONVERT_H
