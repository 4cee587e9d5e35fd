//===- septran/cpu/cast.h - Lanes of other arithmetic types -----*- C++ -*-===//
//
// `detail::cast<T>(v)` is `static_cast<T>` lane by lane between arithmetic types, and `select`
// takes the mask of a comparison of lanes of any size. (convert.h adds small floats.)
//
// One instruction makes integers in a register wider or narrower: VPMOVSX, VPMOVZX, and with
// AVX-512 VPMOV. clang++ selects them by itself. g++ 12 moves half a register at most and puts what
// it gets together, so for g++ they are called by name.
//
// Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_CAST_H
#define SEPTRAN_CPU_CAST_H

#include <septran/cpu/native.h>

#include <concepts>

namespace septran::cpu {

namespace detail {

namespace native {

#if defined(__SSE4_1__) && !defined(__clang__)

/// v as the lowest bytes of a register.
template <vector V> SEPTRAN_CPU_INLINE auto to_register(const V &v) {
  if constexpr (sizeof(V) == 64)
    return (__m512i)v;
  else if constexpr (sizeof(V) == 32)
    return (__m256i)v;
  else if constexpr (sizeof(V) == 16)
    return (__m128i)v;
  else if constexpr (sizeof(V) == 8)
    return _mm_cvtsi64_si128(__builtin_bit_cast(long long, v));
  else if constexpr (sizeof(V) == 4)
    return _mm_cvtsi32_si128(__builtin_bit_cast(int, v));
  else
    return _mm_cvtsi32_si128(__builtin_bit_cast(short, v));
}

/// The lowest bytes of a register.
template <vector V, class R> SEPTRAN_CPU_INLINE V of_register(R r) {
  if constexpr (sizeof(V) >= 16)
    return (V)r;
  else if constexpr (sizeof(V) == 8)
    return __builtin_bit_cast(V, _mm_cvtsi128_si64(r));
  else if constexpr (sizeof(V) == 4)
    return __builtin_bit_cast(V, _mm_cvtsi128_si32(r));
  else
    return __builtin_bit_cast(V, short(_mm_cvtsi128_si32(r)));
}

/// A mask of so many lanes. Masked forms leave nothing undefined: without, g++ warns of its own
/// header.
template <int W> inline constexpr std::uint64_t every_lane = (std::uint64_t(1) << W) - 1;

/// resize<T>(v): the integers v with as many bits as T has. An overload for each pair of types and
/// each number of lanes that one instruction is for.
#define SEPTRAN_CPU_RESIZE(resized, from, to, lanes)                                               \
  template <std::same_as<to> T>                                                                    \
  SEPTRAN_CPU_INLINE vec<to, lanes> resize(const vec<from, lanes> &v) {                            \
    return of_register<vec<to, lanes>>(resized);                                                   \
  }
#define SEPTRAN_CPU_BOTH_SIGNS(if_signed, if_unsigned, from, to, lanes)                            \
  SEPTRAN_CPU_RESIZE(if_signed, std::int##from##_t, std::int##to##_t, lanes)                       \
  SEPTRAN_CPU_RESIZE(if_unsigned, std::uint##from##_t, std::uint##to##_t, lanes)
#define SEPTRAN_CPU_WIDEN(prefix, from, to, lanes)                                                 \
  SEPTRAN_CPU_BOTH_SIGNS(prefix##_cvtepi##from##_epi##to(to_register(v)),                          \
                         prefix##_cvtepu##from##_epi##to(to_register(v)), from, to, lanes)
#define SEPTRAN_CPU_WIDEN_MASKED(prefix, from, to, lanes)                                          \
  SEPTRAN_CPU_BOTH_SIGNS(prefix##_maskz_cvtepi##from##_epi##to(every_lane<lanes>, to_register(v)), \
                         prefix##_maskz_cvtepu##from##_epi##to(every_lane<lanes>, to_register(v)), \
                         from, to, lanes)
#define SEPTRAN_CPU_NARROW(prefix, from, to, lanes)                                                \
  SEPTRAN_CPU_BOTH_SIGNS(prefix##_maskz_cvtepi##from##_epi##to(every_lane<lanes>, to_register(v)), \
                         prefix##_maskz_cvtepi##from##_epi##to(every_lane<lanes>, to_register(v)), \
                         from, to, lanes)

SEPTRAN_CPU_WIDEN(_mm, 8, 16, 8)
SEPTRAN_CPU_WIDEN(_mm, 8, 32, 4)
SEPTRAN_CPU_WIDEN(_mm, 8, 64, 2)
SEPTRAN_CPU_WIDEN(_mm, 16, 32, 4)
SEPTRAN_CPU_WIDEN(_mm, 16, 64, 2)
SEPTRAN_CPU_WIDEN(_mm, 32, 64, 2)
#ifdef __AVX2__
SEPTRAN_CPU_WIDEN(_mm256, 8, 16, 16)
SEPTRAN_CPU_WIDEN(_mm256, 8, 32, 8)
SEPTRAN_CPU_WIDEN(_mm256, 8, 64, 4)
SEPTRAN_CPU_WIDEN(_mm256, 16, 32, 8)
SEPTRAN_CPU_WIDEN(_mm256, 16, 64, 4)
SEPTRAN_CPU_WIDEN(_mm256, 32, 64, 4)
#endif
#ifdef __AVX512F__
SEPTRAN_CPU_WIDEN_MASKED(_mm512, 8, 32, 16)
SEPTRAN_CPU_WIDEN_MASKED(_mm512, 8, 64, 8)
SEPTRAN_CPU_WIDEN_MASKED(_mm512, 16, 32, 16)
SEPTRAN_CPU_WIDEN_MASKED(_mm512, 16, 64, 8)
SEPTRAN_CPU_WIDEN_MASKED(_mm512, 32, 64, 8)
SEPTRAN_CPU_NARROW(_mm512, 32, 8, 16)
SEPTRAN_CPU_NARROW(_mm512, 64, 8, 8)
SEPTRAN_CPU_NARROW(_mm512, 32, 16, 16)
SEPTRAN_CPU_NARROW(_mm512, 64, 16, 8)
SEPTRAN_CPU_NARROW(_mm512, 64, 32, 8)
#endif
#ifdef __AVX512BW__
SEPTRAN_CPU_WIDEN_MASKED(_mm512, 8, 16, 32)
SEPTRAN_CPU_NARROW(_mm512, 16, 8, 32)
#endif
#ifdef __AVX512VL__
SEPTRAN_CPU_NARROW(_mm256, 32, 8, 8)
SEPTRAN_CPU_NARROW(_mm256, 64, 8, 4)
SEPTRAN_CPU_NARROW(_mm256, 32, 16, 8)
SEPTRAN_CPU_NARROW(_mm256, 64, 16, 4)
SEPTRAN_CPU_NARROW(_mm256, 64, 32, 4)
SEPTRAN_CPU_NARROW(_mm, 32, 8, 4)
SEPTRAN_CPU_NARROW(_mm, 64, 8, 2)
SEPTRAN_CPU_NARROW(_mm, 32, 16, 4)
SEPTRAN_CPU_NARROW(_mm, 64, 16, 2)
SEPTRAN_CPU_NARROW(_mm, 64, 32, 2)
#ifdef __AVX512BW__
SEPTRAN_CPU_NARROW(_mm256, 16, 8, 16)
SEPTRAN_CPU_NARROW(_mm, 16, 8, 8)
#endif
#endif

#undef SEPTRAN_CPU_NARROW
#undef SEPTRAN_CPU_WIDEN_MASKED
#undef SEPTRAN_CPU_WIDEN
#undef SEPTRAN_CPU_BOTH_SIGNS
#undef SEPTRAN_CPU_RESIZE

#else
template <class T> void resize() = delete;
#endif

} // namespace native

/// The integer of so many bytes that is signed as T is.
template <class T, int Bytes>
using resized = std::conditional_t<std::is_signed_v<T>, typename int_of<Bytes>::type,
                                   std::make_unsigned_t<typename int_of<Bytes>::type>>;

/// Lane by lane `static_cast<T>` between arithmetic types. Where no instruction does it, in steps
/// that each double or halve the lanes, or change between float and integer: g++ 12 converts lane
/// by lane otherwise. A float that is cast to fewer than 32 bits fits them, so it fits 32.
template <scalar T, vector V> SEPTRAN_CPU_INLINE vec<T, width_of<V>> cast(const V &v) {
  using L = lane_of<V>;
  constexpr bool from_int = std::is_integral_v<L>, to_int = std::is_integral_v<T>;
  constexpr int from = sizeof(L), to = sizeof(T);
  if constexpr (std::is_same_v<T, L>)
    return v;
  else if constexpr (from_int && to_int && requires { native::resize<resized<L, to>>(v); })
    return (vec<T, width_of<V>>)native::resize<resized<L, to>>(v);
  else if constexpr (from_int && to_int && from != to &&
                     (from > to ? from : to) * width_of<V> > native::register_bytes)
    return concat(cast<T>(low_half(v)), cast<T>(high_half(v)));
  else if constexpr (from_int && to_int && to > 2 * from)
    return cast<T>(cast<resized<L, 2 * from>>(v));
  else if constexpr (from_int && to_int && from > 2 * to)
    return cast<T>(cast<resized<L, from / 2>>(v));
  else if constexpr ((from_int && !to_int && from < 4) || (!from_int && to_int && to < 4))
    return cast<T>(cast<std::int32_t>(v));
  else
    return __builtin_convertvector(v, vec<T, width_of<V>>);
}
} // namespace detail

/// Lane by lane `mask ? a : b`. The mask may come from a comparison of lanes of another size.
template <vector M, vector V> SEPTRAN_CPU_INLINE V select(const M &mask, const V &a, const V &b) {
  static_assert(width_of<M> == width_of<V>);
  if constexpr (sizeof(M) == sizeof(V))
    return mask ? a : b;
  else
    return detail::cast<int_like<lane_of<V>>>(mask) ? a : b;
}
template <scalar T> SEPTRAN_CPU_INLINE T select(bool mask, T a, T b) { return mask ? a : b; }

} // namespace septran::cpu

#endif // SEPTRAN_CPU_CAST_H
