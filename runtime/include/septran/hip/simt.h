//===- septran/hip/simt.h - Instructions of AMD's GPUs -----------*- C++ -*-===//
//
// The primitives of <septran/cuda/simt.h> and <septran/cuda/atomic.h> for clang's AMDGPU target,
// where a wave is what CUDA calls a warp: of 32 lanes, as RDNA GPUs run it. LLVM, "User Guide for
// AMDGPU Backend", sections on builtins, memory model and address spaces; "RDNA 2 Instruction Set
// Architecture".
//
// The lanes of a wave run together, so a barrier of them orders their accesses of memory and
// nothing more.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_HIP_SIMT_H
#define SEPTRAN_HIP_SIMT_H

#include <septran/cuda/detail/common.h>

#include <cstddef>
#include <cstdint>

#ifdef __HIP__

namespace septran::cuda::ptx {

#ifdef __HIP_DEVICE_COMPILE__
#if __AMDGCN_WAVEFRONT_SIZE != 32
#error                                                                                             \
    "generated programs expect waves of 32 lanes, which gfx10 and later have: --offload-arch=gfx1030"
#endif
#endif

SEPTRAN_DEVICE unsigned char *shared_memory() {
  extern __shared__ __attribute__((aligned(128))) unsigned char septran_shared_memory[];
  return septran_shared_memory;
}

template <std::size_t Bytes> SEPTRAN_DEVICE unsigned char *shared_array() {
  static __shared__ __attribute__((aligned(128))) unsigned char memory[Bytes];
  return memory;
}

template <int Id> SEPTRAN_DEVICE void named_barrier(int) {
  static_assert(Id < 0, "AMD's GPUs have no named barriers");
}
template <int Id> SEPTRAN_DEVICE void named_barrier_arrive(int) {
  static_assert(Id < 0, "AMD's GPUs have no named barriers");
}
template <int Width> SEPTRAN_DEVICE void warp_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

SEPTRAN_DEVICE int lane_number() { return int(__builtin_amdgcn_mbcnt_lo(~0u, 0u)); }

SEPTRAN_DEVICE std::uint32_t ballot(bool condition) {
#ifdef __HIP_DEVICE_COMPILE__
  return __builtin_amdgcn_ballot_w32(condition);
#else
  return condition;
#endif
}

/// The value of a lane of the wave.
SEPTRAN_DEVICE std::uint32_t of_lane(std::uint32_t value, int lane) {
  return std::uint32_t(__builtin_amdgcn_ds_bpermute(lane * 4, int(value)));
}

template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle(std::uint32_t value, int source) {
  const int first = lane_number() & ~(Width - 1);
  return of_lane(value, first + (source & (Width - 1)));
}
template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle_xor(std::uint32_t value, int mask) {
  const int lane = lane_number(), other = lane ^ mask;
  return of_lane(value, (other ^ lane) & ~(Width - 1) ? lane : other);
}
template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle_up(std::uint32_t value, int distance) {
  const int lane = lane_number(), place = lane & (Width - 1);
  return of_lane(value, place < distance ? lane : lane - distance);
}
template <int Width> SEPTRAN_DEVICE std::uint32_t shuffle_down(std::uint32_t value, int distance) {
  const int lane = lane_number(), place = lane & (Width - 1);
  return of_lane(value, place + distance < Width ? lane + distance : lane);
}

template <class V> SEPTRAN_DEVICE V load(const void *from) {
  return *static_cast<const V *>(__builtin_assume_aligned(from, sizeof(V)));
}
template <class V> SEPTRAN_DEVICE V load_readonly(const void *from) { return load<V>(from); }
template <class V> SEPTRAN_DEVICE void store(void *to, const V &value) {
  *static_cast<V *>(__builtin_assume_aligned(to, sizeof(V))) = value;
}

template <class W> SEPTRAN_DEVICE W compare_and_swap(W *word, W expected, W desired) {
  __hip_atomic_compare_exchange_strong(word, &expected, desired, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}

template <class T> SEPTRAN_DEVICE void add(T *to, T value) {
  __hip_atomic_fetch_add(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T> SEPTRAN_DEVICE void minimum(T *to, T value) {
  __hip_atomic_fetch_min(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T> SEPTRAN_DEVICE void maximum(T *to, T value) {
  __hip_atomic_fetch_max(to, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

} // namespace septran::cuda::ptx

#endif // __HIP__

#endif // SEPTRAN_HIP_SIMT_H
