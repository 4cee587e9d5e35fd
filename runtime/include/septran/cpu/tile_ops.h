//===- septran/cpu/tile_ops.h - Tiles that machine files name ---*- C++ -*-===//
//
// The functions behind primitives of the CPU machines: each is a small loop nest over tiles in
// memory, of any size within the primitive's, written in the widest registers of the target.
// Strides count elements; where no stride is passed, neighbours lie side by side. Nothing outside
// the tiles is accessed, but for the panels of gemm_u8s8.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_TILE_OPS_H
#define SEPTRAN_CPU_TILE_OPS_H

#include <septran/cpu/memory.h>
#include <septran/cpu/micro_ops.h>

#include <algorithm>
#include <cstring>

namespace septran::cpu {

//===----------------------------------------------------------------------===//
// y[j] += a * x[j], j < n
//===----------------------------------------------------------------------===//

template <scalar T>
SEPTRAN_CPU_INLINE void axpy(std::ptrdiff_t n, T a, const T *x, T *y) {
  constexpr int W = detail::native::register_bytes / sizeof(T);
  std::ptrdiff_t j = 0;
  for (; j + W <= n; j += W)
    store(y + j, load<W>(y + j) + a * load<W>(x + j));
  if (j < n)
    store_n(y + j, load_n<W>(y + j, n - j) + a * load_n<W>(x + j, n - j), n - j);
}

//===----------------------------------------------------------------------===//
// C(i, j) += int(A(i, k)) * int(B(k, j)), i < m <= 6, j < n <= 64, k < depth
//
// B lies in panels of four steps of k: element (k, j) is B[k / 4 * panel_stride + j * 4 + k % 4].
// The last panel is allocated in full; what it holds beyond the depth does not matter.
//===----------------------------------------------------------------------===//

namespace detail {

/// Four bytes of a row, repeated over a register; those from n on are zero.
template <int Bytes>
SEPTRAN_CPU_INLINE vec<std::uint8_t, Bytes> repeat_quad(const std::uint8_t *p, std::ptrdiff_t n) {
  std::int32_t quad = 0;
  if (n >= 4)
    std::memcpy(&quad, p, 4);
  else
    std::memcpy(&quad, p, static_cast<std::size_t>(n));
  return as<vec<std::uint8_t, Bytes>>(splat<std::int32_t, Bytes / 4>(quad));
}

/// Rows by Cols registers of C, which the compiler keeps in registers. Full: all n columns are
/// there.
template <int Rows, int Cols, bool Full>
inline void gemm_u8s8_registers(std::ptrdiff_t n, std::ptrdiff_t depth, const std::uint8_t *A,
                                std::ptrdiff_t stride_a, const std::int8_t *B,
                                std::ptrdiff_t panel_stride, std::int32_t *C,
                                std::ptrdiff_t stride_c) {
  constexpr int bytes = native::register_bytes, W = bytes / 4;
  std::ptrdiff_t count[Cols]; // columns in each register
#pragma GCC unroll 64
  for (int v = 0; v < Cols; ++v)
    count[v] = std::clamp<std::ptrdiff_t>(n - v * W, 0, W);
  vec<std::int32_t, W> sum[Rows][Cols];
#pragma GCC unroll 64
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 64
    for (int v = 0; v < Cols; ++v)
      sum[i][v] = Full ? load<W>(C + i * stride_c + v * W)
                       : load_n<W>(C + i * stride_c + v * W, count[v]);
  for (std::ptrdiff_t k = 0; k < depth; k += 4, B += panel_stride) {
    vec<std::int8_t, bytes> b[Cols];
#pragma GCC unroll 64
    for (int v = 0; v < Cols; ++v)
      b[v] = Full ? load<bytes>(B + v * bytes) : load_n<bytes>(B + v * bytes, count[v] * 4);
#pragma GCC unroll 64
    for (int i = 0; i < Rows; ++i) {
      const auto a = repeat_quad<bytes>(A + i * stride_a + k, depth - k);
#pragma GCC unroll 64
      for (int v = 0; v < Cols; ++v)
        sum[i][v] = dot4_u8s8(sum[i][v], a, b[v]);
    }
  }
#pragma GCC unroll 64
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 64
    for (int v = 0; v < Cols; ++v) {
      if (Full)
        store(C + i * stride_c + v * W, sum[i][v]);
      else
        store_n(C + i * stride_c + v * W, sum[i][v], count[v]);
    }
}

template <int Rows>
inline void gemm_u8s8_rows(std::ptrdiff_t n, std::ptrdiff_t depth, const std::uint8_t *A,
                           std::ptrdiff_t stride_a, const std::int8_t *B,
                           std::ptrdiff_t panel_stride, std::int32_t *C, std::ptrdiff_t stride_c) {
  // 6 by 4 of 32 registers, or 6 by 2 of 16, leave room for the operands.
  constexpr int cols = native::register_bytes == 64 ? 4 : 2;
  constexpr std::ptrdiff_t strip = cols * native::register_bytes / 4;
  std::ptrdiff_t j = 0;
  for (; j + strip <= n; j += strip)
    gemm_u8s8_registers<Rows, cols, true>(strip, depth, A, stride_a, B + j * 4, panel_stride, C + j,
                                          stride_c);
  if (j < n)
    gemm_u8s8_registers<Rows, cols, false>(n - j, depth, A, stride_a, B + j * 4, panel_stride,
                                           C + j, stride_c);
}

} // namespace detail

inline void gemm_u8s8(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t depth,
                      const std::uint8_t *A, std::ptrdiff_t stride_a, const std::int8_t *B,
                      std::ptrdiff_t panel_stride, std::int32_t *C, std::ptrdiff_t stride_c) {
  if (depth <= 0) // there may be no B then
    return;
  switch (m) {
  case 1:
    return detail::gemm_u8s8_rows<1>(n, depth, A, stride_a, B, panel_stride, C, stride_c);
  case 2:
    return detail::gemm_u8s8_rows<2>(n, depth, A, stride_a, B, panel_stride, C, stride_c);
  case 3:
    return detail::gemm_u8s8_rows<3>(n, depth, A, stride_a, B, panel_stride, C, stride_c);
  case 4:
    return detail::gemm_u8s8_rows<4>(n, depth, A, stride_a, B, panel_stride, C, stride_c);
  case 5:
    return detail::gemm_u8s8_rows<5>(n, depth, A, stride_a, B, panel_stride, C, stride_c);
  case 6:
    return detail::gemm_u8s8_rows<6>(n, depth, A, stride_a, B, panel_stride, C, stride_c);
  }
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_TILE_OPS_H
