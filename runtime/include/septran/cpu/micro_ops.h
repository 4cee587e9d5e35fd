//===- septran/cpu/micro_ops.h - Dot-product instructions -------*- C++ -*-===//
//
// Operations that a machine file names because no expression on lanes reaches them:
//
//   name        lane i of the result                                          instruction
//   dot2_s16    acc[i] + sum of a[2i+j] b[2i+j], j = 0..1, modulo 2^32        VPMADDWD, VPADDD
//   dot4_u8s8   acc[i] + sum of a[4i+j] b[4i+j], j = 0..3, modulo 2^32        VPDPBUSD
//   dot2_bf16   fma(a[2i], b[2i], fma(a[2i+1], b[2i+1], acc[i]))              VDPBF16PS
//
//   round_bf16  a[i], a float, as the nearest bfloat16; a row: round_row_bf16  VCVTNEPS2BF16
//
// with both of 16-bit integers, a of bytes without sign and b of bytes with sign, or both of
// bfloat16 as bits.
//
// dot4_u8s8 never saturates: the products and their sum fit 32 bits, and the accumulator wraps.
// (That is VPDPBUSD; VPDPBUSDS would saturate it. A portable form on VPMADDUBSW would saturate sums
// of two.)
//
// dot2_bf16 rounds each fma once, to nearest, ties to even, whatever the rounding mode of the
// thread is. Subnormal operands, the accumulator among them, count as zeros of their sign; so does
// the result of each fma that is subnormal after rounding to 24 bits with unbounded exponent, which
// is where MXCSR.FTZ flushes too. round_bf16 takes a subnormal float for a zero of its sign. No
// exception is raised.
//
// Each has a portable form for the targets that lack the instruction, with the same result in every
// bit but one case: where dot2_bf16 gives a NaN, the portable form gives a NaN of perhaps other
// bits. (The portable form needs the thread's rounding mode and subnormal handling to be the
// default ones.)
//
// Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, VPDPBUSD and
// VDPBF16PS; volume 1, sections 4.9.1.5 (tininess) and 10.2.3.3 (flush to zero).
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_MICRO_OPS_H
#define SEPTRAN_CPU_MICRO_OPS_H

#include <septran/cpu/arith.h>
#include <septran/cpu/memory.h>

#include <limits>

namespace septran::cpu {
namespace detail::native {

// Found by the question whether there is an overload, when there is none.
void dot2_s16();
void dot4_u8s8();
void dot2_bf16();
void round_bf16();

#if defined(__AVX512BW__)
SEPTRAN_CPU_INLINE __m512i dot2_s16(vec<std::int32_t, 16> acc, vec<std::int16_t, 32> a,
                                    vec<std::int16_t, 32> b) {
  return _mm512_add_epi32((__m512i)acc, _mm512_madd_epi16((__m512i)a, (__m512i)b));
}
#endif
#if defined(__AVX2__)
SEPTRAN_CPU_INLINE __m256i dot2_s16(vec<std::int32_t, 8> acc, vec<std::int16_t, 16> a,
                                    vec<std::int16_t, 16> b) {
  return _mm256_add_epi32((__m256i)acc, _mm256_madd_epi16((__m256i)a, (__m256i)b));
}
#endif
#if defined(__SSE2__)
SEPTRAN_CPU_INLINE __m128i dot2_s16(vec<std::int32_t, 4> acc, vec<std::int16_t, 8> a,
                                    vec<std::int16_t, 8> b) {
  return _mm_add_epi32((__m128i)acc, _mm_madd_epi16((__m128i)a, (__m128i)b));
}
#endif

#if defined(__AVX512VNNI__)
SEPTRAN_CPU_INLINE __m512i dot4_u8s8(vec<std::int32_t, 16> acc, vec<std::uint8_t, 64> a,
                                     vec<std::int8_t, 64> b) {
  return _mm512_dpbusd_epi32((__m512i)acc, (__m512i)a, (__m512i)b);
}
#endif
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
SEPTRAN_CPU_INLINE __m256i dot4_u8s8(vec<std::int32_t, 8> acc, vec<std::uint8_t, 32> a,
                                     vec<std::int8_t, 32> b) {
  return _mm256_dpbusd_epi32((__m256i)acc, (__m256i)a, (__m256i)b);
}
#elif defined(__AVXVNNI__)
SEPTRAN_CPU_INLINE __m256i dot4_u8s8(vec<std::int32_t, 8> acc, vec<std::uint8_t, 32> a,
                                     vec<std::int8_t, 32> b) {
  return _mm256_dpbusd_avx_epi32((__m256i)acc, (__m256i)a, (__m256i)b);
}
#endif
#if defined(__AVX512BF16__)
SEPTRAN_CPU_INLINE __m512 dot2_bf16(__m512 acc, vec<std::uint16_t, 32> a,
                                    vec<std::uint16_t, 32> b) {
  return _mm512_dpbf16_ps(acc, (__m512bh)a, (__m512bh)b);
}
SEPTRAN_CPU_INLINE vec<std::uint16_t, 16> round_bf16(__m512 v) {
  return (vec<std::uint16_t, 16>)_mm512_cvtneps_pbh(v);
}
SEPTRAN_CPU_INLINE vec<std::uint16_t, 32> round_bf16(__m512 low, __m512 high) {
  return (vec<std::uint16_t, 32>)_mm512_cvtne2ps_pbh(high, low);
}
#if defined(__AVX512VL__)
SEPTRAN_CPU_INLINE __m256 dot2_bf16(__m256 acc, vec<std::uint16_t, 16> a,
                                    vec<std::uint16_t, 16> b) {
  return _mm256_dpbf16_ps(acc, (__m256bh)a, (__m256bh)b);
}
SEPTRAN_CPU_INLINE vec<std::uint16_t, 8> round_bf16(__m256 v) {
  return (vec<std::uint16_t, 8>)_mm256_cvtneps_pbh(v);
}
#endif
#endif

} // namespace detail::native

namespace detail {

/// dot2_s16 without the instruction.
template <vector V, vector A>
SEPTRAN_CPU_INLINE V dot2_s16_by_lanes(const V &acc, const A &a, const A &b) {
  using bits = bits_of<V>;
  const bits odd = as<bits>(as<V>(a) >> 16) * as<bits>(as<V>(b) >> 16);
  const bits even =
      as<bits>(as<V>(as<bits>(a) << 16) >> 16) * as<bits>(as<V>(as<bits>(b) << 16) >> 16);
  return as<V>(as<bits>(acc) + odd + even);
}

/// dot4_u8s8 without the instruction: the bytes of each 32-bit lane, one after the other.
template <vector V, vector A, vector B>
SEPTRAN_CPU_INLINE V dot4_by_lanes(const V &acc, const A &a, const B &b) {
  const auto bytes_a = as<bits_of<V>>(a), bytes_b = as<bits_of<V>>(b);
  bits_of<V> sum = as<bits_of<V>>(acc);
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const auto x = (bytes_a >> (8 * j)) & 0xffu;
    const auto y = as<V>(bytes_b << (24 - 8 * j)) >> 24;
    sum += x * as<bits_of<V>>(y);
  }
  return as<V>(sum);
}

/// Zero, with the sign, for a subnormal float.
template <vector V> SEPTRAN_CPU_INLINE V flush(const V &v) {
  const V zero = cpu::copysign(V{}, v);
  return cpu::abs(v) < std::numeric_limits<lane_of<V>>::min() ? zero : v;
}

/// a * b + c rounded once, and zero if that is subnormal; no operand is subnormal, and a * b has at
/// most 16 bits.
///
/// Just below the smallest normal number, an fma rounds up to it although 24 bits suffice to stay
/// below. Only there a second fma decides, of numbers 2^24 times as large: their sum is far from
/// subnormal. It does not overflow, as larger terms could only have cancelled to zero or a much
/// larger number.
template <vector V> SEPTRAN_CPU_INLINE V flushing_fma(const V &a, const V &b, const V &c) {
  constexpr lane_of<V> smallest = std::numeric_limits<lane_of<V>>::min(), up = 0x1p24;
  const V sum = cpu::fma(a, b, c);
  const auto near = cpu::abs(sum) == smallest;
  if (!any(near)) [[likely]]
    return flush(sum);
  const auto below = cpu::abs(cpu::fma(a * up, b, c * up)) < smallest * up;
  return select(near & below, cpu::copysign(V{}, sum), flush(sum));
}

/// dot2_bf16 without the instruction.
template <vector V, vector A>
SEPTRAN_CPU_INLINE V dot2_by_lanes(const V &acc, const A &a, const A &b) {
  const auto pairs_a = as<bits_of<V>>(a), pairs_b = as<bits_of<V>>(b);
  const V odd = flushing_fma(flush(as<V>(pairs_a & 0xffff0000u)),
                             flush(as<V>(pairs_b & 0xffff0000u)), flush(acc));
  return flushing_fma(flush(as<V>(pairs_a << 16)), flush(as<V>(pairs_b << 16)), odd);
}

} // namespace detail

/// acc: 32-bit integers; a and b: twice as many std::int16_t.
template <vector V, vector A> SEPTRAN_CPU_INLINE V dot2_s16(const V &acc, const A &a, const A &b) {
  static_assert(std::is_same_v<lane_of<V>, std::int32_t> &&
                std::is_same_v<lane_of<A>, std::int16_t>);
  return detail::native::by_register(
      [](const auto &c, const auto &x, const auto &y) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(c)>;
        if constexpr (requires { detail::native::dot2_s16(c, x, y); })
          return (R)detail::native::dot2_s16(c, x, y);
        else
          return detail::dot2_s16_by_lanes(c, x, y);
      },
      acc, a, b);
}

/// acc: 32-bit integers; a: four times as many std::uint8_t; b: as many std::int8_t.
template <vector V, vector A, vector B>
SEPTRAN_CPU_INLINE V dot4_u8s8(const V &acc, const A &a, const B &b) {
  static_assert(std::is_same_v<lane_of<V>, std::int32_t> &&
                std::is_same_v<lane_of<A>, std::uint8_t> &&
                std::is_same_v<lane_of<B>, std::int8_t>);
  return detail::native::by_register(
      [](const auto &c, const auto &x, const auto &y) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(c)>;
        if constexpr (requires { detail::native::dot4_u8s8(c, x, y); })
          return (R)detail::native::dot4_u8s8(c, x, y);
        else
          return detail::dot4_by_lanes(c, x, y);
      },
      acc, a, b);
}

/// acc: floats; a and b: twice as many bfloat16, as std::uint16_t bits.
template <vector V, vector A> SEPTRAN_CPU_INLINE V dot2_bf16(const V &acc, const A &a, const A &b) {
  static_assert(std::is_same_v<lane_of<V>, float> && std::is_same_v<lane_of<A>, std::uint16_t>);
  return detail::native::by_register(
      [](const auto &c, const auto &x, const auto &y) __attribute__((always_inline)) {
        using R = std::remove_cvref_t<decltype(c)>;
        if constexpr (requires { detail::native::dot2_bf16(c, x, y); })
          return R(detail::native::dot2_bf16(c, x, y));
        else
          return detail::dot2_by_lanes(c, x, y);
      },
      acc, a, b);
}

/// v: floats. As std::uint16_t bits.
template <vector V> SEPTRAN_CPU_INLINE vec<std::uint16_t, width_of<V>> round_bf16(const V &v) {
  static_assert(std::is_same_v<lane_of<V>, float>);
  return detail::native::by_register(
      [](const auto &x) __attribute__((always_inline)) {
        if constexpr (requires { detail::native::round_bf16(x); })
          return detail::native::round_bf16(x);
        else
          return detail::cast<std::uint16_t>(detail::encode<bfloat16::format>(detail::flush(x)));
      },
      v);
}

/// The lanes of both vectors, one after the other.
template <vector V> SEPTRAN_CPU_INLINE auto round_bf16(const V &low, const V &high) {
  if constexpr (requires { detail::native::round_bf16(low, high); })
    return detail::native::round_bf16(low, high);
  else
    return concat(round_bf16(low), round_bf16(high));
}

/// y[i] = round_bf16(x[i]), i < n.
SEPTRAN_CPU_INLINE void round_row_bf16(std::ptrdiff_t n, const float *x, bfloat16 *y) {
  constexpr int W = 16;
  std::ptrdiff_t i = 0;
  for (; i + 2 * W <= n; i += 2 * W)
    store_stored(y + i, round_bf16(load<W>(x + i), load<W>(x + i + W)));
  for (; i + W <= n; i += W)
    store_stored(y + i, round_bf16(load<W>(x + i)));
  if (i < n)
    detail::store_bits_n(y + i, round_bf16(load_n<W>(x + i, n - i)), n - i);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_MICRO_OPS_H
