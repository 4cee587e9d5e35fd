//===- septran/cpu/pack.h - Copies of blocks --------------------*- C++ -*-===//
//
// Packing rearranges a block so that a kernel walks it with stride 1. Strides count elements.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_PACK_H
#define SEPTRAN_CPU_PACK_H

#include <septran/cpu/index.h>

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace septran::cpu {

/// dst[r * dst_row + c] = src[r * src_row + c * src_column] for r < rows, c < columns.
template <class D, class S>
inline void copy_block(D *dst, std::ptrdiff_t dst_row, const S *src, std::ptrdiff_t src_row,
                       std::ptrdiff_t src_column, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  if (src_column == 1) {
    for (std::ptrdiff_t r = 0; r < rows; ++r)
      if constexpr (std::is_same_v<D, S>)
        std::memcpy(dst + r * dst_row, src + r * src_row, static_cast<std::size_t>(columns) * sizeof(D));
      else
        for (std::ptrdiff_t c = 0; c < columns; ++c)
          dst[r * dst_row + c] = D(src[r * src_row + c]);
    return;
  }
  // By squares that fit the first-level cache: one side is always walked across lines.
  constexpr std::ptrdiff_t side = 16;
  for (std::ptrdiff_t r0 = 0; r0 < rows; r0 += side)
    for (std::ptrdiff_t c0 = 0; c0 < columns; c0 += side)
      for (std::ptrdiff_t r = r0; r < rows && r < r0 + side; ++r)
        for (std::ptrdiff_t c = c0; c < columns && c < c0 + side; ++c)
          dst[r * dst_row + c] = D(src[r * src_row + c * src_column]);
}

/// Panels of Width columns, each contiguous and row by row:
/// dst[(n / Width) * K * Width + k * Width + n % Width] = src[k * stride_k + n * stride_n],
/// and 0 where n reaches beyond N. One of the strides is usually 1.
template <int Width, class T>
inline void pack_panels(T *dst, const T *src, std::ptrdiff_t stride_k, std::ptrdiff_t stride_n,
                        std::ptrdiff_t K, std::ptrdiff_t N) {
  for (std::ptrdiff_t n = 0; n < N; n += Width, dst += K * Width) {
    const std::ptrdiff_t columns = N - n < Width ? N - n : Width;
    if (columns == Width && stride_n == 1) { // constant length: a few vector moves per row
      for (std::ptrdiff_t k = 0; k < K; ++k)
        std::memcpy(dst + k * Width, src + k * stride_k + n, Width * sizeof(T));
      continue;
    }
    copy_block(dst, Width, src + n * stride_n, stride_k, stride_n, K, columns);
    for (std::ptrdiff_t k = 0; k < K; ++k)
      for (std::ptrdiff_t c = columns; c < Width; ++c)
        dst[k * Width + c] = T(0);
  }
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_PACK_H
