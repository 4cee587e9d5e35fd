//===- septran/cpu/team_copy.h - Copies by all threads ----------*- C++ -*-===//
//
// Copies of whole matrices that nobody is in charge of, before a loop whose threads all read the result.
// A thread takes a block at a time; where there is one thread, or little to copy, no team forms.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_TEAM_COPY_H
#define SEPTRAN_CPU_TEAM_COPY_H

#include <septran/cpu/index.h>
#include <septran/cpu/pack.h>

#include <cstddef>

namespace septran::cpu {

/// body(i) for 0 <= i < count, by all threads if that is worth it.
template <class F>
inline void team_for(std::ptrdiff_t count, const F &body, bool worth_a_team = true) {
  if (!worth_a_team || max_thread_count() == 1)
    for (std::ptrdiff_t i = 0; i < count; ++i)
      body(i);
  else
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (std::ptrdiff_t i = 0; i < count; ++i)
      body(i);
}

namespace detail {

/// body(row, column) for each block of a matrix.
template <class F>
inline void for_blocks_of(std::ptrdiff_t rows, std::ptrdiff_t row_step, std::ptrdiff_t columns,
                          std::ptrdiff_t column_step, bool worth_a_team, const F &body) {
  const std::ptrdiff_t across = ceil_div(columns, column_step);
  team_for(
      ceil_div(rows, row_step) * across,
      [=](std::ptrdiff_t i) { body(i / across * row_step, i % across * column_step); },
      worth_a_team);
}

} // namespace detail

/// copy_block (pack.h) without padding, in blocks of a few rows and columns each. A matrix of less than 2^18
/// elements is copied by the calling thread: to wake others takes as long as to copy a few thousand, and what
/// is shared is in several caches.
template <class D, class S>
inline void team_copy(D *dst, std::ptrdiff_t dst_stride_row, const S *src,
                      std::ptrdiff_t src_stride_row, std::ptrdiff_t src_stride_col,
                      std::ptrdiff_t rows, std::ptrdiff_t cols) {
  constexpr std::ptrdiff_t few_rows = 32, part_of_row = 512, worth_a_team = 1 << 18;
  detail::for_blocks_of(
      rows, few_rows, cols, part_of_row, rows * cols >= worth_a_team,
      [=](std::ptrdiff_t r, std::ptrdiff_t c) {
        copy_block(dst + r * dst_stride_row + c, dst_stride_row,
                   src + r * src_stride_row + c * src_stride_col, src_stride_row, src_stride_col,
                   min_index(few_rows, rows - r), min_index(part_of_row, cols - c));
      });
}

/// pack_panels (pack.h). A thread takes whole panels, or, where the rows of the source run across the panels
/// (stride_n is 1), its share of a few rows of all of them: reading one panel's piece of every row would
/// touch a page per row.
template <int Width, class D, class S>
inline void team_pack(D *dst, std::ptrdiff_t panel, const S *src, std::ptrdiff_t stride_k,
                      std::ptrdiff_t stride_n, std::ptrdiff_t K, std::ptrdiff_t N) {
  const std::ptrdiff_t rows = stride_n == 1 ? 32 : max_index(K, 1);
  detail::for_blocks_of(K, rows, N, Width, true, [=](std::ptrdiff_t k, std::ptrdiff_t n) {
    pack_panels<Width>(dst + n / Width * panel + k * Width, src + k * stride_k + n * stride_n,
                       stride_k, stride_n, min_index(rows, K - k), min_index(Width, N - n));
  });
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_TEAM_COPY_H
