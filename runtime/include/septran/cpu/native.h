//===- septran/cpu/native.h - Where an instruction needs its name -*- C++ -*-===//
//
// The few memory operations that no vector operator expresses and that matter: partial loads and
// stores, streaming stores. (native_math.h has the arithmetic.) What the target lacks is told by
// `has_masked_move`; callers carry a portable version with the same results.
//
// `by_register` cuts a longer vector into the registers of the target. Compilers do so too, but gcc
// takes some operations on longer vectors apart into lanes.
//
// Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_NATIVE_H
#define SEPTRAN_CPU_NATIVE_H

#include <septran/cpu/vec.h>

#if defined(__SSE4_1__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace septran::cpu::detail::native {

/// The widest register, in bytes.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// f over the registers that vectors of as many lanes each consist of.
template <class F, vector V, class... Vs>
SEPTRAN_CPU_INLINE auto by_register(F f, const V &a, const Vs &...more) {
  if constexpr (sizeof(V) > register_bytes || ((sizeof(Vs) > register_bytes) || ...))
    return concat(by_register(f, low_half(a), low_half(more)...),
                  by_register(f, high_half(a), high_half(more)...));
  else
    return f(a, more...);
}

/// The operand of an assembler statement that is any vector register.
#if defined(__AVX512F__)
#define SEPTRAN_CPU_IN_VECTOR_REGISTER "+v"
#elif defined(__SSE2__)
#define SEPTRAN_CPU_IN_VECTOR_REGISTER "+x"
#endif

/// Hides from the compiler how v was computed, so that a product is not fused into a later sum.
/// V fits a register.
template <vector V> SEPTRAN_CPU_INLINE V opaque(V v) {
#ifdef SEPTRAN_CPU_IN_VECTOR_REGISTER
  if constexpr (sizeof(V) >= 16)
    __asm__("" : SEPTRAN_CPU_IN_VECTOR_REGISTER(v));
  else
#endif
    __asm__("" : "+m"(v));
  return v;
}

//===----------------------------------------------------------------------===//
// Partial loads and stores: 0 <= n <= lanes. Lanes from n on are neither read nor written.
//===----------------------------------------------------------------------===//

/// Whether a vector of this type can be moved partially by one masked instruction.
template <vector V>
inline constexpr bool has_masked_move =
#if defined(__AVX512VL__) && defined(__AVX512BW__)
    sizeof(V) == 64 || sizeof(V) == 32 || sizeof(V) == 16;
#elif defined(__AVX512F__)
    sizeof(V) == 64 && sizeof(lane_of<V>) >= 4;
#elif defined(__AVX2__)
    (sizeof(V) == 32 || sizeof(V) == 16) && sizeof(lane_of<V>) >= 4;
#else
    false;
#endif

#if defined(__AVX512F__)
/// The n lowest bits.
SEPTRAN_CPU_INLINE std::uint64_t low_bits(std::ptrdiff_t n) {
  return n >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << n) - 1;
}
#endif

#if defined(__AVX2__)
/// VMOVDQU8/16/32/64 with a mask and zeroing, or VPMASKMOVD/Q.
template <vector V>
requires has_masked_move<V> SEPTRAN_CPU_INLINE V load_n(const void *p, std::ptrdiff_t n) {
  constexpr int lane = sizeof(lane_of<V>);
#if defined(__AVX512F__)
  const std::uint64_t k = low_bits(n);
  if constexpr (sizeof(V) == 64) {
    if constexpr (lane == 8)
      return (V)_mm512_maskz_loadu_epi64(__mmask8(k), p);
    else if constexpr (lane == 4)
      return (V)_mm512_maskz_loadu_epi32(__mmask16(k), p);
#if defined(__AVX512BW__)
    else if constexpr (lane == 2)
      return (V)_mm512_maskz_loadu_epi16(__mmask32(k), p);
    else
      return (V)_mm512_maskz_loadu_epi8(__mmask64(k), p);
#endif
  }
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  else if constexpr (sizeof(V) == 32) {
    if constexpr (lane == 8)
      return (V)_mm256_maskz_loadu_epi64(__mmask8(k), p);
    else if constexpr (lane == 4)
      return (V)_mm256_maskz_loadu_epi32(__mmask8(k), p);
    else if constexpr (lane == 2)
      return (V)_mm256_maskz_loadu_epi16(__mmask16(k), p);
    else
      return (V)_mm256_maskz_loadu_epi8(__mmask32(k), p);
  } else {
    if constexpr (lane == 8)
      return (V)_mm_maskz_loadu_epi64(__mmask8(k), p);
    else if constexpr (lane == 4)
      return (V)_mm_maskz_loadu_epi32(__mmask8(k), p);
    else if constexpr (lane == 2)
      return (V)_mm_maskz_loadu_epi16(__mmask8(k), p);
    else
      return (V)_mm_maskz_loadu_epi8(__mmask16(k), p);
  }
#endif
#else
  const auto mask = mask_n<lane_of<V>, width_of<V>>(n);
  if constexpr (sizeof(V) == 32 && lane == 4)
    return (V)_mm256_maskload_epi32(static_cast<const int *>(p), (__m256i)mask);
  else if constexpr (sizeof(V) == 32)
    return (V)_mm256_maskload_epi64(static_cast<const long long *>(p), (__m256i)mask);
  else if constexpr (lane == 4)
    return (V)_mm_maskload_epi32(static_cast<const int *>(p), (__m128i)mask);
  else
    return (V)_mm_maskload_epi64(static_cast<const long long *>(p), (__m128i)mask);
#endif
}

/// The same instructions as stores.
template <vector V>
  requires has_masked_move<V>
SEPTRAN_CPU_INLINE void store_n(void *p, const V &v, std::ptrdiff_t n) {
  constexpr int lane = sizeof(lane_of<V>);
#if defined(__AVX512F__)
  const std::uint64_t k = low_bits(n);
  if constexpr (sizeof(V) == 64) {
    if constexpr (lane == 8)
      _mm512_mask_storeu_epi64(p, __mmask8(k), (__m512i)v);
    else if constexpr (lane == 4)
      _mm512_mask_storeu_epi32(p, __mmask16(k), (__m512i)v);
#if defined(__AVX512BW__)
    else if constexpr (lane == 2)
      _mm512_mask_storeu_epi16(p, __mmask32(k), (__m512i)v);
    else
      _mm512_mask_storeu_epi8(p, __mmask64(k), (__m512i)v);
#endif
  }
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  else if constexpr (sizeof(V) == 32) {
    if constexpr (lane == 8)
      _mm256_mask_storeu_epi64(p, __mmask8(k), (__m256i)v);
    else if constexpr (lane == 4)
      _mm256_mask_storeu_epi32(p, __mmask8(k), (__m256i)v);
    else if constexpr (lane == 2)
      _mm256_mask_storeu_epi16(p, __mmask16(k), (__m256i)v);
    else
      _mm256_mask_storeu_epi8(p, __mmask32(k), (__m256i)v);
  } else {
    if constexpr (lane == 8)
      _mm_mask_storeu_epi64(p, __mmask8(k), (__m128i)v);
    else if constexpr (lane == 4)
      _mm_mask_storeu_epi32(p, __mmask8(k), (__m128i)v);
    else if constexpr (lane == 2)
      _mm_mask_storeu_epi16(p, __mmask8(k), (__m128i)v);
    else
      _mm_mask_storeu_epi8(p, __mmask16(k), (__m128i)v);
  }
#endif
#else
  const auto mask = mask_n<lane_of<V>, width_of<V>>(n);
  if constexpr (sizeof(V) == 32 && lane == 4)
    _mm256_maskstore_epi32(static_cast<int *>(p), (__m256i)mask, (__m256i)v);
  else if constexpr (sizeof(V) == 32)
    _mm256_maskstore_epi64(static_cast<long long *>(p), (__m256i)mask, (__m256i)v);
  else if constexpr (lane == 4)
    _mm_maskstore_epi32(static_cast<int *>(p), (__m128i)mask, (__m128i)v);
  else
    _mm_maskstore_epi64(static_cast<long long *>(p), (__m128i)mask, (__m128i)v);
#endif
}

#else
template <vector V> V load_n(const void *, std::ptrdiff_t) = delete;
template <vector V> void store_n(void *, V, std::ptrdiff_t) = delete;
#endif

//===----------------------------------------------------------------------===//
// Stores that bypass the caches: MOVNTDQ. p is aligned to the vector.
//===----------------------------------------------------------------------===//

template <vector V> SEPTRAN_CPU_INLINE void stream_aligned(void *p, const V &v) {
  if constexpr (sizeof(V) > register_bytes) {
    stream_aligned(p, low_half(v));
    stream_aligned(static_cast<char *>(p) + sizeof(V) / 2, high_half(v));
  }
#if defined(__AVX512F__)
  else if constexpr (sizeof(V) == 64)
    _mm512_stream_si512(static_cast<__m512i *>(p), (__m512i)v);
#endif
#if defined(__AVX__)
  else if constexpr (sizeof(V) == 32)
    _mm256_stream_si256(static_cast<__m256i *>(p), (__m256i)v);
#endif
#if defined(__SSE2__)
  else if constexpr (sizeof(V) == 16)
    _mm_stream_si128(static_cast<__m128i *>(p), (__m128i)v);
#endif
  else
    *static_cast<typename vec_of<lane_of<V>, width_of<V>>::unaligned *>(p) = v;
}

/// Orders streaming stores before later stores: SFENCE.
SEPTRAN_CPU_INLINE void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

} // namespace septran::cpu::detail::native

#endif // SEPTRAN_CPU_NATIVE_H
