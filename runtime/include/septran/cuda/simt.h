//===- septran/cuda/simt.h - Threads, warps and blocks -----------*- C++ -*-===//
//
// What every NVIDIA GPU since sm_70 has: indices, barriers, vector accesses, shuffles. Reductions
// stand in septran/cuda/reduce.h, atomics in septran/cuda/atomic.h. One function per idiom, each
// with the section of the PTX ISA that defines it.
//
// A function is called by one thread alone unless its comment says "by all threads of the warp" or
// "of the block"; the emulator reports a group that comes incomplete. Blocks may have up to three
// dimensions; threads are numbered with x fastest, and 32 consecutive numbers are a warp.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_SIMT_H
#define SEPTRAN_CUDA_SIMT_H

#include <septran/cuda/target.h>
#include <septran/cuda/types.h>

#include <cstddef>
#include <cstdint>

#if defined(__HIP__)
#include <septran/hip/simt.h>
#elif defined(__CUDACC__)
#include <septran/cuda/detail/simt.h>
#else
#include <septran/emulator/simt.h>
#endif

namespace septran::cuda {

// Indices. PTX ISA, "Special Registers": %tid, %ntid, %ctaid, %nctaid. Dimension d is 0 (x), 1, 2.

/// This thread's position in its block along dimension d.
template <int D = 0> SEPTRAN_DEVICE int thread_index() {
  static_assert(D >= 0 && D < 3, "x, y and z");
  return ptx::thread_index<D>();
}
/// This block's position in the grid along dimension d.
template <int D = 0> SEPTRAN_DEVICE int block_index() {
  static_assert(D >= 0 && D < 3, "x, y and z");
  return ptx::block_index<D>();
}
/// Threads of a block along dimension d.
template <int D = 0> SEPTRAN_DEVICE int block_extent() {
  static_assert(D >= 0 && D < 3, "x, y and z");
  return ptx::block_extent<D>();
}
/// Blocks of the grid along dimension d.
template <int D = 0> SEPTRAN_DEVICE int grid_extent() {
  static_assert(D >= 0 && D < 3, "x, y and z");
  return ptx::grid_extent<D>();
}

/// Number of this thread in its block, x fastest.
SEPTRAN_DEVICE int thread_rank() {
  return thread_index<0>() +
         block_extent<0>() * (thread_index<1>() + block_extent<1>() * thread_index<2>());
}
/// Threads of a block.
SEPTRAN_DEVICE int block_size() {
  return block_extent<0>() * block_extent<1>() * block_extent<2>();
}
/// Number of this thread's warp in its block.
SEPTRAN_DEVICE int warp_rank() { return thread_rank() / warp_size; }
/// Number of this thread in its warp, 0 to 31.
SEPTRAN_DEVICE int lane() { return thread_rank() % warp_size; }

// Shared memory.

/// The block's dynamic shared memory, as much of it as the launch asked for; aligned to 128 bytes.
/// Every object in it begins at an offset that the caller keeps track of. Contents are undefined
/// when the kernel starts. PTX ISA, "State Spaces": .shared.
template <class T> SEPTRAN_DEVICE T *shared_memory(std::size_t byte_offset = 0) {
  return reinterpret_cast<T *>(ptx::shared_memory() + byte_offset);
}

/// A block's own array in shared memory, aligned to 128 bytes; contents are undefined when the
/// kernel starts. It needs no word at the launch, and holds 48 KB at most, together with the
/// dynamic shared memory. A kernel gets the same array again for the same Bytes.
template <std::size_t Bytes> SEPTRAN_DEVICE unsigned char *shared_array() {
  static_assert(Bytes > 0 && Bytes <= 48 * 1024, "up to 48 KB; shared_memory has more");
  return ptx::shared_array<Bytes>();
}

/// An object in the block's own array of so many bytes.
template <class T, std::size_t Bytes> SEPTRAN_DEVICE T *shared_memory(std::size_t byte_offset = 0) {
  return reinterpret_cast<T *>(shared_array<Bytes>() + byte_offset);
}

namespace detail {

template <int Width>
inline constexpr bool is_segment = Width >= 1 && Width <= warp_size && (Width & (Width - 1)) == 0;

} // namespace detail

// A segment is the Width lanes whose numbers agree but for their last bits; Width is a power of
// two, and 32 means the whole warp. The other segments of the warp may be elsewhere meanwhile.

// Barriers. Memory accesses of a thread before a barrier are performed for every thread that leaves
// it. PTX ISA, "Parallel Synchronization and Communication Instructions".

/// Waits for all threads of the block. By all threads of the block. PTX: bar.sync 0.
SEPTRAN_DEVICE void block_barrier() { ptx::block_barrier(); }

/// Waits at barrier Id, 1 to 15, until `threads` threads have come or arrived; a multiple of 32. By
/// all threads of the warp. PTX: bar.sync Id, threads.
template <int Id> SEPTRAN_DEVICE void named_barrier(int threads) {
  static_assert(Id >= 1 && Id <= 15, "named barriers are 1 to 15; block_barrier has number 0");
  ptx::named_barrier<Id>(threads);
}

/// Counts at barrier Id as one that came, but does not wait. By all threads of the warp.
/// PTX: bar.arrive Id, threads.
template <int Id> SEPTRAN_DEVICE void named_barrier_arrive(int threads) {
  static_assert(Id >= 1 && Id <= 15, "named barriers are 1 to 15; block_barrier has number 0");
  ptx::named_barrier_arrive<Id>(threads);
}

/// Waits for all lanes of a segment, and orders their memory accesses. By all threads of the
/// segment. PTX: bar.warp.sync.
template <int Width = warp_size> SEPTRAN_DEVICE void warp_barrier() {
  static_assert(detail::is_segment<Width>, "a power of two up to 32");
  ptx::warp_barrier<Width>();
}

// Votes, by all threads of the warp. PTX ISA, vote.sync.

/// Bit l is set if `condition` holds in lane l.
SEPTRAN_DEVICE std::uint32_t warp_ballot(bool condition) { return ptx::ballot(condition); }
SEPTRAN_DEVICE bool warp_any(bool condition) { return ptx::ballot(condition) != 0; }
SEPTRAN_DEVICE bool warp_all(bool condition) { return ptx::ballot(!condition) == 0; }

// Shuffles, by all threads of a segment; no value crosses it. They order no memory accesses.
// PTX ISA, shfl.sync.

namespace detail {

/// Applies a 32-bit shuffle to every 32-bit part of a value.
template <class T, class Shuffle> SEPTRAN_DEVICE T shuffle_parts(T value, Shuffle shuffle) {
  static_assert(sizeof(T) <= 4 || sizeof(T) % 4 == 0, "up to 4 bytes, or whole registers");
  if constexpr (sizeof(T) <= 4) {
    const std::uint32_t part = shuffle(std::uint32_t(__builtin_bit_cast(bits_t<T>, value)));
    return __builtin_bit_cast(T, static_cast<bits_t<T>>(part));
  } else {
    struct parts_t {
      std::uint32_t part[sizeof(T) / 4];
    };
    parts_t parts = __builtin_bit_cast(parts_t, value);
    for (std::uint32_t &part : parts.part)
      part = shuffle(part);
    return __builtin_bit_cast(T, parts);
  }
}

} // namespace detail

/// The value of lane `source` of this lane's segment. PTX: shfl.sync.idx.
template <int Width = warp_size, class T> SEPTRAN_DEVICE T shuffle(T value, int source) {
  static_assert(detail::is_segment<Width>, "a power of two up to 32");
  return detail::shuffle_parts(
      value, [source](std::uint32_t part) { return ptx::shuffle<Width>(part, source); });
}
/// The value of the lane whose number differs in the bits of `mask`. PTX: shfl.sync.bfly.
template <int Width = warp_size, class T> SEPTRAN_DEVICE T shuffle_xor(T value, int mask) {
  static_assert(detail::is_segment<Width>, "a power of two up to 32");
  return detail::shuffle_parts(
      value, [mask](std::uint32_t part) { return ptx::shuffle_xor<Width>(part, mask); });
}
/// The value of the lane `distance` below; its own where there is none. PTX: shfl.sync.up.
template <int Width = warp_size, class T> SEPTRAN_DEVICE T shuffle_up(T value, int distance) {
  static_assert(detail::is_segment<Width>, "a power of two up to 32");
  return detail::shuffle_parts(
      value, [distance](std::uint32_t part) { return ptx::shuffle_up<Width>(part, distance); });
}
/// The value of the lane `distance` above; its own where there is none. PTX: shfl.sync.down.
template <int Width = warp_size, class T> SEPTRAN_DEVICE T shuffle_down(T value, int distance) {
  static_assert(detail::is_segment<Width>, "a power of two up to 32");
  return detail::shuffle_parts(
      value, [distance](std::uint32_t part) { return ptx::shuffle_down<Width>(part, distance); });
}

// Vector accesses. The address is a multiple of N * sizeof(T): 1, 2, 4, 8 or 16 bytes.
// PTX ISA, "Data Movement and Conversion Instructions": ld, ld.global.nc, st, with .v2 and .v4.

/// N neighbouring elements, from any memory.
template <int N, class T> SEPTRAN_DEVICE vec<T, N> load(const T *from) {
  return ptx::load<vec<T, N>>(from);
}
/// N neighbouring elements of global memory that no thread writes while the kernel runs.
template <int N, class T> SEPTRAN_DEVICE vec<T, N> load_readonly(const T *from) {
  return ptx::load_readonly<vec<T, N>>(from);
}
/// Writes N neighbouring elements, to any memory.
template <int N, class T> SEPTRAN_DEVICE void store(T *to, const vec<T, N> &value) {
  ptx::store(to, value);
}
/// Copies the first `valid` of N neighbouring elements, 0 to N of them; all N at once. Both addresses
/// are multiples of N * sizeof(T).
template <int N, class T> SEPTRAN_DEVICE void copy_vector(T *to, const T *from, int valid = N) {
  if (valid == N) {
    store(to, load<N>(from));
    return;
  }
  for (int i = 0; i < valid; ++i)
    to[i] = from[i];
}
/// The same; the other elements become zero.
template <int N, class T>
SEPTRAN_DEVICE void copy_padded_vector(T *to, const T *from, int valid = N) {
  if (valid == N) {
    store(to, load<N>(from));
    return;
  }
  vec<T, N> all{};
  for (int i = 0; i < N; ++i)
    if (i < valid)
      all[i] = from[i];
  store(to, all);
}

/// Writes the first `valid` of N elements that this thread holds, `stride` apart. If they are Adjacent,
/// stride is 1, the address a multiple of N * sizeof(T), and all N are written at once.
template <bool Adjacent, int N, class T>
SEPTRAN_DEVICE void store_vector(T *to, std::ptrdiff_t stride, const vec<T, N> &values,
                                 int valid = N) {
  if (Adjacent && valid == N) {
    store(to, values);
    return;
  }
  for (int i = 0; i < N; ++i)
    if (i < valid)
      to[i * stride] = values[i];
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_SIMT_H
