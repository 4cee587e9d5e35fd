//===- septran/cpu/small_float.h - 16- and 8-bit floats in lanes -*- C++ -*-===//
//
// Small floats are stored as bits and computed with as float lanes that hold exactly representable
// values. `to_lanes` widens, which is exact; `from_lanes` rounds to nearest, ties to even. Both
// give the values that the scalar conversions of <septran/float_types.h> give, overflow included.
//
// Widening and rounding are written once, from the format that the type states:
//
//  - The bits of a small float, moved to the fields of a float, are its value times a power of two,
//    subnormals included; one multiplication by that power restores it.
//  - A normal result is rounded by an integer addition below the last kept bit. A subnormal one is
//    rounded by the hardware: the power of two is added whose last bit weighs as much as its own.
//
// Sources: IEEE 754-2019, section 3.6 (binary16); OCP 8-bit Floating Point Specification 1.0,
// section 5. Assumption: the processor does not flush subnormal floats to zero.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_SMALL_FLOAT_H
#define SEPTRAN_CPU_SMALL_FLOAT_H

#include <septran/cpu/cast.h>
#include <septran/cpu/native_math.h>

namespace septran::cpu::detail {

/// How an element lies in memory: the bits of a small float, a byte that is 0 or 1, else the element
/// itself.
template <class T> struct storage { using type = T; };
template <small_float T> struct storage<T> { using type = typename T::bits_type; };
template <> struct storage<bool> { using type = std::uint8_t; };
template <class T> using stored_t = typename storage<std::remove_cv_t<T>>::type;

using septran::detail::float_format;

/// Small floats in the low bits of 32-bit lanes -> floats.
template <float_format F, vector B> SEPTRAN_CPU_INLINE auto decode(const B &bits) {
  constexpr int W = width_of<B>, dropped = 23 - F.fraction_bits;
  using floats = vec<float, W>;
  using ints = vec<std::int32_t, W>;
  if constexpr (F.exponent_bits == 8) {
    return as<floats>(bits << dropped);
  } else {
    constexpr float unit = __builtin_bit_cast(float, (254u - F.bias()) << 23);
    constexpr int last_number = F.has_infinity ? int(F.infinity()) - 1 : int(F.largest());
    const B magnitude = bits & F.magnitude_mask();
    const B sign = (bits ^ magnitude) << (31 - F.exponent_bits - F.fraction_bits);
    const B value = as<B>(as<floats>(magnitude << dropped) * unit);
    const B special = as<B>(as<ints>(magnitude) > last_number) & 0x7f800000u;
    return as<floats>(value | special | sign);
  }
}

/// Floats -> the nearest small floats, in the low bits of 32-bit lanes.
template <float_format F, vector V> SEPTRAN_CPU_INLINE auto encode(const V &v) {
  constexpr int W = width_of<V>, dropped = 23 - F.fraction_bits;
  using bits_type = vec<std::uint32_t, W>;
  using ints = vec<std::int32_t, W>;
  const bits_type bits = as<bits_type>(v);
  if constexpr (F.exponent_bits == 8) { // the upper part of a float, the sign included
    const bits_type upper = (bits + ((1u << (dropped - 1)) - 1) + ((bits >> dropped) & 1u));
    const bits_type nan = bits | (F.quiet_nan() << dropped);
    return select(v != v, nan, upper) >> dropped;
  }
  const bits_type magnitude = bits & 0x7fffffffu;
  const bits_type sign = (bits >> 31) << (F.exponent_bits + F.fraction_bits);

  // A carry out of the fraction moves on into the exponent, as it should.
  bits_type rounded = magnitude + ((1u << (dropped - 1)) - 1) + ((magnitude >> dropped) & 1u);
  rounded = (rounded >> dropped) - (std::uint32_t(127 - F.bias()) << F.fraction_bits);
  constexpr std::uint32_t unit = std::uint32_t(127 + 1 - F.bias() - F.fraction_bits + 23) << 23;
  const auto subnormal = as<bits_type>(as<V>(magnitude) + __builtin_bit_cast(float, unit)) - unit;
  constexpr int smallest_normal = (127 + 1 - F.bias()) << 23;
  rounded = select(as<ints>(magnitude) < smallest_normal, subnormal, rounded);
  constexpr std::uint32_t beyond = F.saturates      ? F.largest()
                                   : F.has_infinity ? F.infinity()
                                                    : F.quiet_nan();
  rounded = select(as<ints>(rounded) > int(F.largest()), bits_type{} + beyond, rounded);

  bits_type nan = bits_type{} + F.quiet_nan();
  if constexpr (F.has_infinity)
    nan |= (magnitude & 0x007fffffu) >> dropped;
  return sign | select(as<ints>(magnitude) > 0x7f800000, nan, rounded);
}

template <class T> inline constexpr bool is_float16 = std::is_same_v<T, septran::float16>;

/// Stored elements -> lanes to compute with.
template <class T, vector B> SEPTRAN_CPU_INLINE auto to_lanes(const B &bits) {
  if constexpr (!small_float<T>)
    return bits;
  else if constexpr (is_float16<T> && requires { native::from_float16(bits); })
    return vec<float, width_of<B>>(native::from_float16(bits));
  else if constexpr (sizeof(float) * width_of<B> > native::register_bytes)
    return concat(to_lanes<T>(low_half(bits)), to_lanes<T>(high_half(bits)));
  else
    return decode<T::format>(cast<std::uint32_t>(bits));
}

/// Lanes to compute with -> stored elements.
template <class T, vector V> SEPTRAN_CPU_INLINE auto from_lanes(const V &v) {
  if constexpr (!small_float<T>)
    return v;
  else if constexpr (is_float16<T> && requires { native::to_float16(v); })
    return native::to_float16(v);
  else if constexpr (sizeof(V) > native::register_bytes)
    return concat(from_lanes<T>(low_half(v)), from_lanes<T>(high_half(v)));
  else
    return cast<stored_t<T>>(encode<T::format>(v));
}

} // namespace septran::cpu::detail

#endif // SEPTRAN_CPU_SMALL_FLOAT_H
