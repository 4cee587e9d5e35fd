//===- septran/cuda/sm80.h - Asynchronous copies, matrices -------*- C++ -*-===//
//
// What sm_80 (Ampere) brought and every later GPU keeps: copies from global to shared memory that
// bypass registers, loads of matrices from shared memory into fragments, and matrix instructions of
// a warp. One function per idiom, with the section of the PTX ISA that defines it.
//
// Fragments. A matrix is spread over the 32 lanes of a warp; with g = lane / 4 and t = lane % 4,
// element i of a lane's registers is at
//
//                    row of A                 column of A                     (packed<T, N> a)
//   16-bit, 16 x 16  g + 8 * (i / 2 % 2)      2 * t + i % 2 + 8 * (i / 4)      N = 8
//   tf32,   16 x 8   g + 8 * (i % 2)          t + 4 * (i / 2)                  N = 4
//   int8,   16 x 32  g + 8 * (i / 4 % 2)      4 * t + i % 4 + 16 * (i / 8)     N = 16
//
//                    row of B (k)             column of B (n)                 (packed<T, N> b)
//   16-bit, 16 x 8   2 * t + i % 2 + 8 * (i / 2)    g                          N = 4
//   tf32,   8 x 8    t + 4 * i                      g                          N = 2
//   int8,   32 x 8   4 * t + i % 4 + 16 * (i / 4)   g                          N = 8
//
//                    row of C and D           column of C and D
//   all,    16 x 8   g + 8 * (i / 2)          2 * t + i % 2                    4 elements
//
// PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", "... for mma.m16n8k8",
// "... for mma.m16n8k32". Two neighbouring 16 x 8 results, narrowed to 16 bits, are a 16 x 16
// operand A: its registers 0 and 1 are the first, 2 and 3 the second.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_SM80_H
#define SEPTRAN_CUDA_SM80_H

#include <septran/cuda/simt.h>

#include <cstdint>
#include <type_traits>

#if defined(__HIP__)
#error "septran/cuda/sm80.h is for NVIDIA's GPUs"
#elif defined(__CUDACC__)
#include <septran/cuda/detail/sm80.h>
#else
#include <septran/emulator/sm80.h>
#endif

namespace septran::cuda {

// Asynchronous copies. PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy".

/// Begins to copy N neighbouring elements: 4, 8 or 16 bytes, to which both addresses are aligned.
/// Only the first `valid` elements are read; the others become zero. `valid` is 0 to N; if it is 0
/// nothing is read, but `from` still points into global memory. Until a wait of this thread covers
/// the copy, nobody may touch what it writes, nor write what it reads; other threads see the data
/// after a barrier that follows the wait. PTX: cp.async.cg (16 bytes), cp.async.ca (4 and 8).
template <int N, class T> SEPTRAN_DEVICE void copy_async(T *shared, const T *from, int valid = N) {
  static_assert(sizeof(T) * N == 4 || sizeof(T) * N == 8 || sizeof(T) * N == 16,
                "an asynchronous copy moves 4, 8 or 16 bytes");
  ptx::copy_async<int(sizeof(T) * N)>(shared, from, valid * int(sizeof(T)));
}

/// The same of all elements or none: where they are not there, nothing is read, N zeros are written,
/// and `from` may be anywhere, but is aligned. Takes fewer instructions than a number of elements.
/// PTX: the same with ignore-src.
template <int N, class T, class Bool>
  requires std::is_same_v<Bool, bool>
SEPTRAN_DEVICE void copy_async(T *shared, const T *from, Bool there) {
  static_assert(sizeof(T) * N == 4 || sizeof(T) * N == 8 || sizeof(T) * N == 16,
                "an asynchronous copy moves 4, 8 or 16 bytes");
  ptx::copy_async_if<int(sizeof(T) * N)>(shared, from, there);
}

/// Makes a group of this thread's copies since its last commit; the group may be empty.
/// PTX: cp.async.commit_group.
SEPTRAN_DEVICE void copy_async_commit() { ptx::copy_async_commit(); }

/// Waits until at most the Pending newest groups of this thread are unfinished. Copies that no
/// commit covers are not waited for. PTX: cp.async.wait_group.
template <int Pending> SEPTRAN_DEVICE void copy_async_wait() {
  static_assert(Pending >= 0, "a number of groups");
  ptx::copy_async_wait<Pending>();
}

/// Waits for every copy of this thread, committed or not. PTX: cp.async.wait_all.
SEPTRAN_DEVICE void copy_async_wait_all() { ptx::copy_async_wait_all(); }

// Matrices of 8 rows of 16 bytes, from shared memory. By all threads of the warp. Lane l gives the
// address of row l % 8 of matrix l / 8, a multiple of 16 bytes; lanes beyond the matrices' rows
// give any. Register m then holds the 4 bytes at column 4 * (lane % 4) of row lane / 4 of matrix m;
// with `trans`, for 16-bit elements, rows 2 * (lane % 4) and the next of column lane / 4. PTX ISA,
// "Warp-level Matrix Load Instruction: ldmatrix".

namespace detail {
/// Elements of one 32-bit register.
template <class T> inline constexpr int per_register = int(4 / sizeof(T));
} // namespace detail

/// PTX: ldmatrix.sync.aligned.m8n8.x1.shared.b16.
template <class T>
SEPTRAN_DEVICE void ldmatrix_x1(packed<T, detail::per_register<T>> &to, const T *row) {
  ptx::ldmatrix<1, false>(to.bits, row);
}
/// PTX: ldmatrix.sync.aligned.m8n8.x2.shared.b16.
template <class T>
SEPTRAN_DEVICE void ldmatrix_x2(packed<T, 2 * detail::per_register<T>> &to, const T *row) {
  ptx::ldmatrix<2, false>(to.bits, row);
}
/// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16.
template <class T>
SEPTRAN_DEVICE void ldmatrix_x4(packed<T, 4 * detail::per_register<T>> &to, const T *row) {
  ptx::ldmatrix<4, false>(to.bits, row);
}
/// The same for elements that fill a register each.
template <class T> SEPTRAN_DEVICE void ldmatrix_x2(T (&to)[2], const T *row) {
  packed<T, 2> all;
  ldmatrix_x2(all, row);
  for (int i = 0; i < 2; ++i)
    to[i] = all.get(i);
}
template <class T> SEPTRAN_DEVICE void ldmatrix_x4(T (&to)[4], const T *row) {
  packed<T, 4> all;
  ldmatrix_x4(all, row);
  for (int i = 0; i < 4; ++i)
    to[i] = all.get(i);
}
/// Two fragments by one instruction: matrices 0 and 1 are the first, 2 and 3 the second.
template <class T>
SEPTRAN_DEVICE void ldmatrix_x4(packed<T, 2 * detail::per_register<T>> &first,
                                packed<T, 2 * detail::per_register<T>> &second, const T *row) {
  std::uint32_t all[4];
  ptx::ldmatrix<4, false>(all, row);
  first.bits[0] = all[0], first.bits[1] = all[1];
  second.bits[0] = all[2], second.bits[1] = all[3];
}
/// Two fragments of elements that fill a register each.
template <class T> SEPTRAN_DEVICE void ldmatrix_x4(T (&first)[2], T (&second)[2], const T *row) {
  packed<T, 4> all;
  ldmatrix_x4(all, row);
  for (int i = 0; i < 2; ++i)
    first[i] = all.get(i), second[i] = all.get(2 + i);
}
/// PTX: ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16.
template <class T> SEPTRAN_DEVICE void ldmatrix_x1_trans(packed<T, 2> &to, const T *row) {
  static_assert(sizeof(T) == 2, "transposing moves 16-bit elements");
  ptx::ldmatrix<1, true>(to.bits, row);
}
/// PTX: ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16.
template <class T> SEPTRAN_DEVICE void ldmatrix_x2_trans(packed<T, 4> &to, const T *row) {
  static_assert(sizeof(T) == 2, "transposing moves 16-bit elements");
  ptx::ldmatrix<2, true>(to.bits, row);
}
/// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16.
template <class T> SEPTRAN_DEVICE void ldmatrix_x4_trans(packed<T, 8> &to, const T *row) {
  static_assert(sizeof(T) == 2, "transposing moves 16-bit elements");
  ptx::ldmatrix<4, true>(to.bits, row);
}
/// Two fragments by one instruction: matrices 0 and 1 are the first, 2 and 3 the second.
template <class T>
SEPTRAN_DEVICE void ldmatrix_x4_trans(packed<T, 4> &first, packed<T, 4> &second, const T *row) {
  static_assert(sizeof(T) == 2, "transposing moves 16-bit elements");
  std::uint32_t all[4];
  ptx::ldmatrix<4, true>(all, row);
  first.bits[0] = all[0], first.bits[1] = all[1];
  second.bits[0] = all[2], second.bits[1] = all[3];
}
/// Transposes 8-bit elements, of rows of 16: a 32 x 16 operand B of mma_m16n16k32. Lane l gives the
/// address of row l % 2 + l / 8 % 2 * 2 + l / 2 % 4 * 4 + l / 16 * 16. What is transposed are pairs of
/// a row; a thread then has two neighbouring columns of four rows in two registers, and sorts them.
/// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16, prmt.b32.
template <class T> SEPTRAN_DEVICE void ldmatrix_x4_pairs(packed<T, 16> &to, const T *row) {
  static_assert(sizeof(T) == 1, "pairs are of 8-bit elements");
  std::uint32_t all[4];
  ptx::ldmatrix<4, true>(all, row);
  for (int half = 0; half < 2; ++half) {
    to.bits[half] = ptx::permute_bytes(all[2 * half], all[2 * half + 1], 0x6420);
    to.bits[2 + half] = ptx::permute_bytes(all[2 * half], all[2 * half + 1], 0x7531);
  }
}

// Matrix instructions: D += A * B. By all threads of the warp.
// PTX ISA, "Multiply-and-Accumulate Instruction: mma".

/// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32.
SEPTRAN_DEVICE void mma_m16n8k16(float (&d)[4], const packed<float16, 8> &a,
                                 const packed<float16, 4> &b) {
  ptx::mma_f32_f16(d, a.bits, b.bits);
}
/// PTX: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16.
SEPTRAN_DEVICE void mma_m16n8k16(packed<float16, 4> &d, const packed<float16, 8> &a,
                                 const packed<float16, 4> &b) {
  ptx::mma_f16_f16(d.bits, a.bits, b.bits);
}
/// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32.
SEPTRAN_DEVICE void mma_m16n8k16(float (&d)[4], const packed<bfloat16, 8> &a,
                                 const packed<bfloat16, 4> &b) {
  ptx::mma_f32_bf16(d, a.bits, b.bits);
}
/// The operands are floats of which the hardware uses the bits of tf32; round_to_tf32 makes them
/// the nearest such values. PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32.
SEPTRAN_DEVICE void mma_m16n8k8(float (&d)[4], const packed<float, 4> &a,
                                const packed<float, 2> &b) {
  ptx::mma_f32_tf32(d, a.bits, b.bits);
}
/// Rounds the elements of A and B to the nearest values of tf32 first.
/// PTX: cvt.rna.tf32.f32, mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32.
SEPTRAN_DEVICE void mma_m16n8k8_rounding(float (&d)[4], const float (&a)[4], const float (&b)[2]) {
  packed<float, 4> left;
  packed<float, 2> right;
  for (int i = 0; i < 4; ++i)
    left.set(i, round_to_tf32(a[i]));
  for (int i = 0; i < 2; ++i)
    right.set(i, round_to_tf32(b[i]));
  mma_m16n8k8(d, left, right);
}
/// Leaves out the bits that tf32 does not have. PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32.
SEPTRAN_DEVICE void mma_m16n8k8_truncating(float (&d)[4], const float (&a)[4],
                                           const float (&b)[2]) {
  packed<float, 4> left;
  packed<float, 2> right;
  for (int i = 0; i < 4; ++i)
    left.set(i, a[i]);
  for (int i = 0; i < 2; ++i)
    right.set(i, b[i]);
  mma_m16n8k8(d, left, right);
}
/// Wraps around on overflow. PTX: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32.
SEPTRAN_DEVICE void mma_m16n8k32(int (&d)[4], const packed<std::int8_t, 16> &a,
                                 const packed<std::int8_t, 8> &b) {
  ptx::mma_s32_s8(d, a.bits, b.bits);
}
/// Two of these for B of 32 x 16, whose even columns are the first's and odd columns the second's:
/// b holds one fragment after the other, and so does d.
SEPTRAN_DEVICE void mma_m16n16k32(int (&d)[8], const packed<std::int8_t, 16> &a,
                                  const packed<std::int8_t, 16> &b) {
  for (int half = 0; half < 2; ++half) {
    int sums[4] = {d[4 * half], d[4 * half + 1], d[4 * half + 2], d[4 * half + 3]};
    ptx::mma_s32_s8(sums, a.bits, {b.bits[2 * half], b.bits[2 * half + 1]});
    for (int i = 0; i < 4; ++i)
      d[4 * half + i] = sums[i];
  }
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_SM80_H
