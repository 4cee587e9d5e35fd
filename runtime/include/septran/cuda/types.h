//===- septran/cuda/types.h - Vectors and packed registers -------*- C++ -*-===//
//
// vec<T, N>     N neighbouring elements that one memory instruction moves: 1, 2, 4, 8 or 16 bytes.
// packed<T, N>  N elements in 32-bit registers, as matrix instructions take them: element i lies in
//               register i * sizeof(T) / 4, the first element in its low bits.
//
// Small floats are the host's types: septran::float16 and septran::bfloat16 have the size,
// alignment and bits of __half and __nv_bfloat16. `narrow` and `widen` convert with one instruction
// where the hardware has it, and the same rounding (to nearest, ties to even) everywhere; a NaN may
// lose its payload.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_TYPES_H
#define SEPTRAN_CUDA_TYPES_H

#include <septran/cuda/target.h>
#include <septran/float_types.h>

#include <cstdint>

#if defined(__HIP__)
#include <septran/hip/convert.h>
#elif defined(__CUDACC__)
#include <septran/cuda/detail/convert.h>
#else
#include <septran/emulator/convert.h>
#endif

namespace septran::cuda {

namespace detail {

template <int Bytes>
inline constexpr bool is_access_size =
    Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || Bytes == 16;

/// The unsigned integer of a number of bytes.
template <int Bytes> struct bits_of;
template <> struct bits_of<1> {
  using type = std::uint8_t;
};
template <> struct bits_of<2> {
  using type = std::uint16_t;
};
template <> struct bits_of<4> {
  using type = std::uint32_t;
};
template <> struct bits_of<8> {
  using type = std::uint64_t;
};
template <class T> using bits_t = typename bits_of<int(sizeof(T))>::type;

} // namespace detail

/// N neighbouring elements; aligned as a whole, as the memory instruction needs it.
template <class T, int N> struct alignas(sizeof(T) * N) vec {
  static_assert(detail::is_access_size<int(sizeof(T) * N)>,
                "a vector access moves 1, 2, 4, 8 or 16 bytes");

  T elements[N];

  SEPTRAN_HOST_DEVICE constexpr T &operator[](int i) { return elements[i]; }
  SEPTRAN_HOST_DEVICE constexpr const T &operator[](int i) const { return elements[i]; }
};

/// N elements in 32-bit registers. Indices should be constants after unrolling: a register file has
/// no addresses, so the compiler would move the whole to local memory.
template <class T, int N> struct packed {
  static_assert(sizeof(T) <= 4 && sizeof(T) * N % 4 == 0, "whole 32-bit registers");
  static constexpr int per_register = int(4 / sizeof(T));
  static constexpr int registers = N / per_register;

  std::uint32_t bits[registers];

  SEPTRAN_HOST_DEVICE T get(int i) const {
    const std::uint32_t word = bits[i / per_register] >> (i % per_register * 8 * int(sizeof(T)));
    return __builtin_bit_cast(T, static_cast<detail::bits_t<T>>(word));
  }
  SEPTRAN_HOST_DEVICE void set(int i, T value) {
    const int shift = i % per_register * 8 * int(sizeof(T));
    const std::uint32_t mask = (0xffffffffu >> (32 - 8 * int(sizeof(T)))) << shift;
    const std::uint32_t field = std::uint32_t(__builtin_bit_cast(detail::bits_t<T>, value));
    std::uint32_t &word = bits[i / per_register];
    word = (word & ~mask) | field << shift;
  }
};

/// The float of the same value. PTX ISA, "Data Movement and Conversion Instructions: cvt".
template <class T> SEPTRAN_HOST_DEVICE float widen(T value) {
  if constexpr (septran::detail::is_small_float<T>)
    return ptx::to_float(value);
  else
    return static_cast<float>(value);
}

/// The T nearest to a float. PTX ISA, "Data Movement and Conversion Instructions: cvt".
template <class T> SEPTRAN_HOST_DEVICE T narrow(float value) {
  if constexpr (septran::detail::is_small_float<T>)
    return ptx::from_float<T>(value);
  else
    return static_cast<T>(value);
}

/// Two 16-bit floats in one register, `low` in the low half: cvt.rn.f16x2.f32, cvt.rn.bf16x2.f32.
template <class T> SEPTRAN_HOST_DEVICE std::uint32_t narrow2(float low, float high) {
  static_assert(sizeof(T) == 2 && septran::detail::is_small_float<T>, "float16 or bfloat16");
  return ptx::from_float2<T>(low, high);
}

/// The float nearest to a value that has the 10 fraction bits of tf32; ties go away from zero, as
/// cvt.rna.tf32.f32 rounds. PTX ISA, "Alternate Floating-Point Data Formats".
SEPTRAN_HOST_DEVICE float round_to_tf32(float value) { return ptx::to_tf32(value); }

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_TYPES_H
