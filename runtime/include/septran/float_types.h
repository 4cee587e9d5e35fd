//===- float_types.h - float16, bfloat16, float8_e4m3, float8_e5m2 -------===//
//
// Small floating-point types that compute alike under every compiler: the bits are
// converted by integer code, not by the compiler's own half types, so the plain
// program does not depend on what the host CPU happens to have.
//
//   type          bits  exponent  fraction  bias  largest   source
//   float16        16      5         10      15   65504     IEEE 754-2019, binary16
//   bfloat16       16      8          7     127   3.39e38   upper half of IEEE 754 binary32
//   float8_e4m3     8      4          3       7   448       OCP 8-bit Floating Point
//   float8_e5m2     8      5          2      15   57344     Specification (OFP8) 1.0, table 1
//
// Conversion rounds to nearest, ties to even, and keeps subnormals and NaN. A value
// beyond the largest finite one becomes infinity in the 16-bit types; in the 8-bit
// types it saturates, infinity included (OFP8 1.0, section 5.2, saturating mode),
// since that is the mode that hardware conversions offer. e4m3 has no infinity.
//
// Arithmetic of two values of one type is done in float and rounded back. float has
// at least 2p + 2 bits for every p here, so one operation is correctly rounded
// (S. A. Figueroa, When is double rounding innocuous?, 1995). Mixed with another
// arithmetic type a value acts as a float.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_FLOAT_TYPES_H
#define SEPTRAN_FLOAT_TYPES_H

#include <cstdint>
#include <limits>
#include <type_traits>

namespace septran {

namespace detail {

/// How a small floating-point type uses its bits.
struct float_format {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity; // else the topmost exponent holds numbers, and NaN only if all bits are set
  bool saturates;    // values beyond the largest become the largest

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr std::uint32_t magnitude_mask() const {
    return (1u << (exponent_bits + fraction_bits)) - 1;
  }
  constexpr std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
  constexpr std::uint32_t quiet_nan() const {
    return has_infinity ? infinity() | 1u << (fraction_bits - 1) : magnitude_mask();
  }
  constexpr std::uint32_t largest() const {
    return has_infinity ? infinity() - 1 : magnitude_mask() - 1;
  }
};

/// Bits of a small float -> the float of the same value.
constexpr float decode_float(float_format f, std::uint32_t bits) {
  const std::uint32_t magnitude = bits & f.magnitude_mask();
  const std::uint32_t sign = (bits & ~f.magnitude_mask())
                             << (31 - f.exponent_bits - f.fraction_bits);
  const bool special = f.has_infinity ? magnitude >= f.infinity() : magnitude == f.quiet_nan();
  if (special) {
    const std::uint32_t payload = (magnitude << (23 - f.fraction_bits)) & 0x007fffffu;
    return __builtin_bit_cast(float, sign | 0x7f800000u | payload);
  }
  // 8 exponent bits are binary32's own: nothing to rebias, subnormals included.
  if (f.exponent_bits == 8)
    return __builtin_bit_cast(float, sign | magnitude << (23 - f.fraction_bits));
  if (magnitude >> f.fraction_bits == 0) {
    // Subnormal: an integer multiple of 2^(1 - bias - fraction_bits), exact in float.
    const std::uint32_t unit = std::uint32_t(127 + 1 - f.bias() - f.fraction_bits) << 23;
    const float value = float(magnitude) * __builtin_bit_cast(float, unit);
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(std::uint32_t, value));
  }
  const std::uint32_t rebias = std::uint32_t(127 - f.bias()) << 23;
  return __builtin_bit_cast(float, sign | ((magnitude << (23 - f.fraction_bits)) + rebias));
}

#if defined(__F16C__) && !defined(__CUDACC__)
/// The same for IEEE binary16 by one instruction, VCVTPH2PS. A signalling NaN becomes a quiet one.
inline float decode_binary16(std::uint32_t bits) {
  typedef short halves __attribute__((vector_size(16)));
  return __builtin_ia32_vcvtph2ps(halves{static_cast<short>(bits)})[0];
}
#endif

/// The bits of the small float nearest to `value`; ties go to the even one.
constexpr std::uint32_t encode_float(float_format f, float value) {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t sign = (bits >> 31) << (f.exponent_bits + f.fraction_bits);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    // NaN: keep the upper payload, and make it quiet.
    const std::uint32_t payload =
        f.has_infinity ? (magnitude & 0x007fffffu) >> (23 - f.fraction_bits) : 0;
    return sign | f.quiet_nan() | payload;
  }
  const int dropped = 23 - f.fraction_bits;
  const int exponent = int(magnitude >> 23) - 127 + f.bias();
  std::uint32_t rounded = 0;
  if (exponent >= 1 || f.exponent_bits == 8) {
    // A carry out of the fraction moves on into the exponent, as it should.
    const std::uint32_t odd = (magnitude >> dropped) & 1;
    rounded = (magnitude + ((1u << (dropped - 1)) - 1) + odd) >> dropped;
    rounded -= std::uint32_t(127 - f.bias()) << f.fraction_bits;
  } else {
    // Below the normal range the same rounding happens further up; 25 bits up nothing is left.
    const std::uint32_t significand = (magnitude & 0x007fffffu) | 0x00800000u;
    const int shift = dropped + 1 - exponent < 25 ? dropped + 1 - exponent : 25;
    const std::uint32_t odd = (significand >> shift) & 1;
    rounded = (significand + ((1u << (shift - 1)) - 1) + odd) >> shift;
  }
  if (rounded > f.largest())
    rounded = f.saturates ? f.largest() : f.has_infinity ? f.infinity() : f.quiet_nan();
  return sign | rounded;
}

/// double -> float, rounded to odd: an inexact result has its last bit set. Rounding that once
/// more to a type of at most 11 significant bits gives the nearest value to the double itself
/// (S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, 2008).
constexpr float round_to_odd(double value) {
  const float near = static_cast<float>(value);
  if (near == value || value != value)
    return near;
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, near);
  const bool away_from_zero = value < 0 ? near < value : near > value;
  if (away_from_zero)
    --bits; // the neighbour on the other side of the value
  return __builtin_bit_cast(float, bits | 1u);
}

/// An integer as a double, rounded to odd where it has more than 53 bits.
template <class I> constexpr double round_to_odd_integer(I value) {
  if constexpr (sizeof(I) <= 4) {
    return static_cast<double>(value);
  } else {
    const bool negative = value < 0;
    std::uint64_t magnitude = negative ? 0 - std::uint64_t(value) : std::uint64_t(value);
    if (magnitude >> 53 != 0)
      magnitude = (magnitude & ~std::uint64_t(4095)) | ((magnitude & 4095) != 0 ? 2048u : 0u);
    return negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
  }
}

/// Types that a small float is made from. A checked build adds its element references.
template <class U> inline constexpr bool converts_to_small_float = std::is_arithmetic_v<U>;

struct small_float_tag {};

/// What the four types share; `Self` is the type itself.
template <class Self, class Bits, float_format Format> class small_float : public small_float_tag {
public:
  using bits_type = Bits;
  static constexpr float_format format = Format;

  small_float() = default;

  /// Rounds to nearest, ties to even.
  template <class U>
    requires converts_to_small_float<U>
  constexpr small_float(U value) : bits_(encode(value)) {}

  /// The value of these bits.
  static constexpr Self from_bits(Bits bits) {
    Self value{};
    value.bits_ = bits;
    return value;
  }
  constexpr Bits bits() const { return bits_; }

  /// Exact.
  constexpr operator float() const {
#if defined(__F16C__) && !defined(__CUDACC__)
    if constexpr (Format.exponent_bits == 5 && Format.fraction_bits == 10)
      if (!std::is_constant_evaluated())
        return decode_binary16(bits_);
#endif
    // A function of more than this g++ calls, for every element, where much else is inlined.
    if constexpr (Format.exponent_bits == 8 && Format.has_infinity)
      return __builtin_bit_cast(float, std::uint32_t(bits_) << (23 - Format.fraction_bits));
    else
      return decode_float(Format, bits_);
  }

  friend constexpr Self operator+(Self a) { return a; }
  friend constexpr Self operator-(Self a) {
    return from_bits(Bits(a.bits() ^ (Format.magnitude_mask() + 1)));
  }

  // As with the built-in types: the operation is that of `a op b`, then one rounding.
  template <class U> constexpr Self &operator+=(const U &b) { return assign(self() + operand(b)); }
  template <class U> constexpr Self &operator-=(const U &b) { return assign(self() - operand(b)); }
  template <class U> constexpr Self &operator*=(const U &b) { return assign(self() * operand(b)); }
  template <class U> constexpr Self &operator/=(const U &b) { return assign(self() / operand(b)); }

private:
  /// An integer becomes a float here, and explicitly, so that -Wconversion has nothing to say.
  template <class U> static constexpr decltype(auto) operand(const U &b) {
    if constexpr (std::is_integral_v<U>)
      return static_cast<float>(b);
    else
      return (b);
  }
  template <class U> static constexpr Bits encode(U value) {
    if constexpr (std::is_integral_v<U>)
      return Bits(encode_float(Format, round_to_odd(round_to_odd_integer(value))));
    else if constexpr (std::is_same_v<U, float>)
      return Bits(encode_float(Format, value));
    else if constexpr (std::is_floating_point_v<U>)
      return Bits(encode_float(Format, round_to_odd(static_cast<double>(value))));
    else
      return Self(value.value()).bits();
  }
  constexpr Self &self() { return static_cast<Self &>(*this); }
  constexpr Self &assign(Self value) { return self() = value; }

  Bits bits_;
};

template <class T>
concept is_small_float = std::is_base_of_v<small_float_tag, T>;

} // namespace detail

/// IEEE 754-2019 binary16.
struct float16
    : detail::small_float<float16, std::uint16_t, detail::float_format{5, 10, true, false}> {
  using small_float::small_float;
};

/// The upper 16 bits of IEEE 754 binary32.
struct bfloat16
    : detail::small_float<bfloat16, std::uint16_t, detail::float_format{8, 7, true, false}> {
  using small_float::small_float;
};

/// OFP8 E4M3: 0.015625 ... 448 (normal), no infinity, one NaN per sign. Saturates.
struct float8_e4m3
    : detail::small_float<float8_e4m3, std::uint8_t, detail::float_format{4, 3, false, true}> {
  using small_float::small_float;
};

/// OFP8 E5M2: 2^-14 ... 57344 (normal). Saturates.
struct float8_e5m2
    : detail::small_float<float8_e5m2, std::uint8_t, detail::float_format{5, 2, true, true}> {
  using small_float::small_float;
};

// Templates, so that no conversion of an operand is considered: `float16 + float` is float's own.
template <detail::is_small_float F> constexpr F operator+(F a, F b) { return float(a) + float(b); }
template <detail::is_small_float F> constexpr F operator-(F a, F b) { return float(a) - float(b); }
template <detail::is_small_float F> constexpr F operator*(F a, F b) { return float(a) * float(b); }
template <detail::is_small_float F> constexpr F operator/(F a, F b) { return float(a) / float(b); }

namespace detail {

/// std::numeric_limits of a small float, from its format alone.
template <class F> struct small_float_limits {
  static constexpr float_format format = F::format;

  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_bounded = true;
  static constexpr bool is_modulo = false;
  static constexpr bool is_iec559 = format.has_infinity && !format.saturates;
  static constexpr bool has_infinity = format.has_infinity;
  static constexpr bool has_quiet_NaN = true;
  static constexpr bool has_signaling_NaN = format.has_infinity;
  static constexpr bool traps = false;
  static constexpr bool tinyness_before = false;
  static constexpr std::float_denorm_style has_denorm = std::denorm_present;
  static constexpr bool has_denorm_loss = false;
  static constexpr std::float_round_style round_style = std::round_to_nearest;

  static constexpr int radix = 2;
  static constexpr int digits = format.fraction_bits + 1;
  // floor((digits - 1) log10(2)) and ceil(digits log10(2) + 1)
  static constexpr int digits10 = (digits - 1) * 30103 / 100000;
  static constexpr int max_digits10 = digits * 30103 / 100000 + 2;
  static constexpr int min_exponent = 2 - format.bias();
  static constexpr int max_exponent =
      (1 << format.exponent_bits) - (format.has_infinity ? 1 : 0) - format.bias();
  static constexpr int min_exponent10 = (min_exponent - 1) * 30103 / 100000;
  static constexpr int max_exponent10 = max_exponent * 30103 / 100000;

  static constexpr F of(std::uint32_t bits) {
    return F::from_bits(static_cast<typename F::bits_type>(bits));
  }
  static constexpr F min() { return of(1u << format.fraction_bits); }
  static constexpr F max() { return of(format.largest()); }
  static constexpr F lowest() { return -max(); }
  static constexpr F epsilon() {
    return F(__builtin_bit_cast(float, std::uint32_t(127 - format.fraction_bits) << 23));
  }
  static constexpr F round_error() { return F(0.5f); }
  /// As for any type without one, the infinity of e4m3 is a value-initialised number.
  static constexpr F infinity() { return of(format.has_infinity ? format.infinity() : 0); }
  static constexpr F quiet_NaN() { return of(format.quiet_nan()); }
  static constexpr F signaling_NaN() { return of(format.has_infinity ? format.infinity() + 1 : 0); }
  static constexpr F denorm_min() { return of(1); }
};

} // namespace detail
} // namespace septran

template <>
struct std::numeric_limits<septran::float16>
    : septran::detail::small_float_limits<septran::float16> {};
template <>
struct std::numeric_limits<septran::bfloat16>
    : septran::detail::small_float_limits<septran::bfloat16> {};
template <>
struct std::numeric_limits<septran::float8_e4m3>
    : septran::detail::small_float_limits<septran::float8_e4m3> {};
template <>
struct std::numeric_limits<septran::float8_e5m2>
    : septran::detail::small_float_limits<septran::float8_e5m2> {};

#endif
