//===- septran/cpu/native_math.h - Arithmetic instructions by name -*- C++ -*-===//
//
// Overload sets over the register types of the target: `min`, `max`, `fma`, `sqrt`, `floor`,
// `ceil`, `trunc`, `nearbyint`, `scale` (x times two to the power of the integral n, rounded once), `lookup`
// (the elements of a table that the lowest bits of indices tell) and the conversions of binary16.
//
// A set is empty where the target lacks the instruction. Callers ask with `requires` and carry a
// portable version with the same results, so the sets need no agreement on what exists where.
//
// The 512-bit forms are written with a full zeroing mask, which compiles to the plain instruction:
// the unmasked intrinsics of gcc 12 draw a warning about their own undefined operand.
//
// Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2: MINPS, MAXPS,
// VFMADD213PS, SQRTPS, ROUNDPS, VRNDSCALEPS, VSCALEFPS, VPERMD, VCVTPH2PS, VCVTPS2PH.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_NATIVE_MATH_H
#define SEPTRAN_CPU_NATIVE_MATH_H

#include <septran/cpu/native.h>

namespace septran::cpu::detail::native {

// Found by the question whether there is an overload, when there is none.
void min();
void max();
void fma();
void sqrt();
void floor();
void ceil();
void trunc();
void nearbyint();
void scale();
void lookup();
void from_float16();
void to_float16();

#if defined(__SSE2__)
SEPTRAN_CPU_INLINE __m128 min(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
SEPTRAN_CPU_INLINE __m128 max(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
SEPTRAN_CPU_INLINE __m128d min(__m128d a, __m128d b) { return _mm_min_pd(a, b); }
SEPTRAN_CPU_INLINE __m128d max(__m128d a, __m128d b) { return _mm_max_pd(a, b); }
SEPTRAN_CPU_INLINE __m128 sqrt(__m128 v) { return _mm_sqrt_ps(v); }
SEPTRAN_CPU_INLINE __m128d sqrt(__m128d v) { return _mm_sqrt_pd(v); }
#endif

#if defined(__SSE4_1__)
SEPTRAN_CPU_INLINE __m128 floor(__m128 v) { return _mm_floor_ps(v); }
SEPTRAN_CPU_INLINE __m128d floor(__m128d v) { return _mm_floor_pd(v); }
SEPTRAN_CPU_INLINE __m128 ceil(__m128 v) { return _mm_ceil_ps(v); }
SEPTRAN_CPU_INLINE __m128d ceil(__m128d v) { return _mm_ceil_pd(v); }
SEPTRAN_CPU_INLINE __m128 trunc(__m128 v) {
  return _mm_round_ps(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m128d trunc(__m128d v) {
  return _mm_round_pd(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m128 nearbyint(__m128 v) {
  return _mm_round_ps(v, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m128d nearbyint(__m128d v) {
  return _mm_round_pd(v, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
}
#endif

#if defined(__AVX__)
SEPTRAN_CPU_INLINE __m256 min(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
SEPTRAN_CPU_INLINE __m256 max(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
SEPTRAN_CPU_INLINE __m256d min(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
SEPTRAN_CPU_INLINE __m256d max(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
SEPTRAN_CPU_INLINE __m256 sqrt(__m256 v) { return _mm256_sqrt_ps(v); }
SEPTRAN_CPU_INLINE __m256d sqrt(__m256d v) { return _mm256_sqrt_pd(v); }
SEPTRAN_CPU_INLINE __m256 floor(__m256 v) { return _mm256_floor_ps(v); }
SEPTRAN_CPU_INLINE __m256d floor(__m256d v) { return _mm256_floor_pd(v); }
SEPTRAN_CPU_INLINE __m256 ceil(__m256 v) { return _mm256_ceil_ps(v); }
SEPTRAN_CPU_INLINE __m256d ceil(__m256d v) { return _mm256_ceil_pd(v); }
SEPTRAN_CPU_INLINE __m256 trunc(__m256 v) {
  return _mm256_round_ps(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m256d trunc(__m256d v) {
  return _mm256_round_pd(v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m256 nearbyint(__m256 v) {
  return _mm256_round_ps(v, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m256d nearbyint(__m256d v) {
  return _mm256_round_pd(v, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
}
#endif

#if defined(__FMA__)
SEPTRAN_CPU_INLINE __m128 fma(__m128 a, __m128 b, __m128 c) { return _mm_fmadd_ps(a, b, c); }
SEPTRAN_CPU_INLINE __m128d fma(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
SEPTRAN_CPU_INLINE __m256 fma(__m256 a, __m256 b, __m256 c) { return _mm256_fmadd_ps(a, b, c); }
SEPTRAN_CPU_INLINE __m256d fma(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#endif

#if defined(__AVX2__)
SEPTRAN_CPU_INLINE __m256i lookup(vec<std::uint32_t, 8> table, vec<std::uint32_t, 8> index) {
  return _mm256_permutevar8x32_epi32((__m256i)table, (__m256i)index);
}
#endif

#if defined(__F16C__)
SEPTRAN_CPU_INLINE __m256 from_float16(vec<std::uint16_t, 8> bits) {
  return _mm256_cvtph_ps((__m128i)bits);
}
SEPTRAN_CPU_INLINE vec<std::uint16_t, 8> to_float16(__m256 v) {
  return (vec<std::uint16_t, 8>)_mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT);
}
#endif

#if defined(__AVX512F__)
SEPTRAN_CPU_INLINE __m512 min(__m512 a, __m512 b) {
  return _mm512_maskz_min_ps(__mmask16(-1), a, b);
}
SEPTRAN_CPU_INLINE __m512 max(__m512 a, __m512 b) {
  return _mm512_maskz_max_ps(__mmask16(-1), a, b);
}
SEPTRAN_CPU_INLINE __m512d min(__m512d a, __m512d b) {
  return _mm512_maskz_min_pd(__mmask8(-1), a, b);
}
SEPTRAN_CPU_INLINE __m512d max(__m512d a, __m512d b) {
  return _mm512_maskz_max_pd(__mmask8(-1), a, b);
}
SEPTRAN_CPU_INLINE __m512 sqrt(__m512 v) { return _mm512_maskz_sqrt_ps(__mmask16(-1), v); }
SEPTRAN_CPU_INLINE __m512d sqrt(__m512d v) { return _mm512_maskz_sqrt_pd(__mmask8(-1), v); }
SEPTRAN_CPU_INLINE __m512 floor(__m512 v) {
  return _mm512_maskz_roundscale_ps(__mmask16(-1), v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512d floor(__m512d v) {
  return _mm512_maskz_roundscale_pd(__mmask8(-1), v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512 ceil(__m512 v) {
  return _mm512_maskz_roundscale_ps(__mmask16(-1), v, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512d ceil(__m512d v) {
  return _mm512_maskz_roundscale_pd(__mmask8(-1), v, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512 trunc(__m512 v) {
  return _mm512_maskz_roundscale_ps(__mmask16(-1), v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512d trunc(__m512d v) {
  return _mm512_maskz_roundscale_pd(__mmask8(-1), v, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512 nearbyint(__m512 v) {
  return _mm512_maskz_roundscale_ps(__mmask16(-1), v, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512d nearbyint(__m512d v) {
  return _mm512_maskz_roundscale_pd(__mmask8(-1), v, _MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC);
}
SEPTRAN_CPU_INLINE __m512 fma(__m512 a, __m512 b, __m512 c) { return _mm512_fmadd_ps(a, b, c); }
SEPTRAN_CPU_INLINE __m512d fma(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
SEPTRAN_CPU_INLINE __m512 scale(__m512 x, __m512 n) {
  return _mm512_maskz_scalef_ps(__mmask16(-1), x, n);
}
SEPTRAN_CPU_INLINE __m512d scale(__m512d x, __m512d n) {
  return _mm512_maskz_scalef_pd(__mmask8(-1), x, n);
}
SEPTRAN_CPU_INLINE __m512 from_float16(vec<std::uint16_t, 16> bits) {
  return _mm512_maskz_cvtph_ps(__mmask16(-1), (__m256i)bits);
}
SEPTRAN_CPU_INLINE vec<std::uint16_t, 16> to_float16(__m512 v) {
  return (vec<std::uint16_t, 16>)_mm512_maskz_cvtps_ph(__mmask16(-1), v, _MM_FROUND_TO_NEAREST_INT);
}
#endif

#if defined(__AVX512VL__)
SEPTRAN_CPU_INLINE __m128 scale(__m128 x, __m128 n) { return _mm_scalef_ps(x, n); }
SEPTRAN_CPU_INLINE __m128d scale(__m128d x, __m128d n) { return _mm_scalef_pd(x, n); }
SEPTRAN_CPU_INLINE __m256 scale(__m256 x, __m256 n) { return _mm256_scalef_ps(x, n); }
SEPTRAN_CPU_INLINE __m256d scale(__m256d x, __m256d n) { return _mm256_scalef_pd(x, n); }
#endif

} // namespace septran::cpu::detail::native

#endif // SEPTRAN_CPU_NATIVE_MATH_H
