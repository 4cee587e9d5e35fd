//===- septran/cuda/detail/simt.h - Instructions for nvcc --------*- C++ -*-===//
//
// The primitives of <septran/cuda/simt.h> and <septran/cuda/atomic.h> on the GPU: one instruction
// each, except where CUDA C++ has an intrinsic of its own.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_DETAIL_SIMT_H
#define SEPTRAN_CUDA_DETAIL_SIMT_H

#include <septran/cuda/detail/common.h>

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__

namespace septran::cuda::ptx {

SEPTRAN_DEVICE unsigned char *shared_memory() {
  extern __shared__ __align__(128) unsigned char septran_shared_memory[];
  return septran_shared_memory;
}

template <std::size_t Bytes> SEPTRAN_DEVICE unsigned char *shared_array() {
  __shared__ __align__(128) unsigned char memory[Bytes];
  return memory;
}

/// The lanes of this thread's segment.
template <int Width> SEPTRAN_DEVICE unsigned segment() {
  if constexpr (Width == warp_size)
    return 0xffffffffu;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return (0xffffffffu >> (warp_size - Width)) << (lane & unsigned(warp_size - Width));
}

template <int Id> SEPTRAN_DEVICE void named_barrier(int threads) {
  asm volatile("bar.sync %0, %1;" ::"n"(Id), "r"(threads) : "memory");
}
template <int Id> SEPTRAN_DEVICE void named_barrier_arrive(int threads) {
  asm volatile("bar.arrive %0, %1;" ::"n"(Id), "r"(threads) : "memory");
}
template <int Width> SEPTRAN_DEVICE void warp_barrier() { __syncwarp(segment<Width>()); }

SEPTRAN_DEVICE std::uint32_t ballot(bool condition) {
  return __ballot_sync(0xffffffffu, condition);
}

template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle(std::uint32_t value, int source) {
  return __shfl_sync(segment<Width>(), value, source, Width);
}
template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle_xor(std::uint32_t value, int mask) {
  return __shfl_xor_sync(segment<Width>(), value, mask, Width);
}
template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle_up(std::uint32_t value, int distance) {
  return __shfl_up_sync(segment<Width>(), value, unsigned(distance), Width);
}
template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle_down(std::uint32_t value, int distance) {
  return __shfl_down_sync(segment<Width>(), value, unsigned(distance), Width);
}

/// The built-in type whose loads and stores are one instruction.
template <int Bytes> struct access;
template <> struct access<1> {
  using type = unsigned char;
};
template <> struct access<2> {
  using type = unsigned short;
};
template <> struct access<4> {
  using type = unsigned int;
};
template <> struct access<8> {
  using type = uint2;
};
template <> struct access<16> {
  using type = uint4;
};

template <class V> SEPTRAN_DEVICE V load(const void *from) {
  using word = typename access<int(sizeof(V))>::type;
  return __builtin_bit_cast(V, *static_cast<const word *>(from));
}
template <class V> SEPTRAN_DEVICE V load_readonly(const void *from) {
  using word = typename access<int(sizeof(V))>::type;
  return __builtin_bit_cast(V, __ldg(static_cast<const word *>(from)));
}
/// Of a vector that was computed by elements the compiler makes as many stores again, in large kernels;
/// the function for global memory is one instruction. Which memory it is is mostly known to the compiler.
template <class V> SEPTRAN_DEVICE void store(void *to, const V &value) {
  using word = typename access<int(sizeof(V))>::type;
  if constexpr (sizeof(V) >= 8) {
    if (__isGlobal(to)) {
      __stwb(static_cast<word *>(to), __builtin_bit_cast(word, value));
      return;
    }
  }
  *static_cast<word *>(to) = __builtin_bit_cast(word, value);
}

SEPTRAN_DEVICE std::uint32_t compare_and_swap(std::uint32_t *word, std::uint32_t expected,
                                              std::uint32_t desired) {
  return atomicCAS(word, expected, desired);
}
SEPTRAN_DEVICE std::uint64_t compare_and_swap(std::uint64_t *word, std::uint64_t expected,
                                              std::uint64_t desired) {
  return atomicCAS(reinterpret_cast<unsigned long long *>(word), expected, desired);
}

template <class T> SEPTRAN_DEVICE void add(T *to, T value) { atomicAdd(to, value); }
template <class T> SEPTRAN_DEVICE void minimum(T *to, T value) { atomicMin(to, value); }
template <class T> SEPTRAN_DEVICE void maximum(T *to, T value) { atomicMax(to, value); }

} // namespace septran::cuda::ptx

#endif // __CUDACC__

#endif // SEPTRAN_CUDA_DETAIL_SIMT_H
