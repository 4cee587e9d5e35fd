//===- septran/cpu/pack.h - Copies between layouts --------------*- C++ -*-===//
//
// Copies of two-dimensional blocks that change strides, element type and order, with zeros as
// padding: what "this argument lives in CACHE, packed" means. Reads touch the block only, writes
// the padded block only.
//
// Where rows of the source become columns of the result, squares of registers are transposed:
// log2(W) rounds, each exchanging lanes between registers that are 1, 2, 4, ... apart. Where two or
// four rows lie side by side in the result, as instructions for dot products want them, they are
// interleaved.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_PACK_H
#define SEPTRAN_CPU_PACK_H

#include <septran/cpu/convert.h>
#include <septran/cpu/index.h>
#include <septran/cpu/memory.h>

#include <algorithm>

namespace septran::cpu {
namespace detail {

/// Moves elements of type S to elements of type D, through registers.
template <class D, class S> struct mover {
  /// Elements of one type move as they are, even small floats.
  static constexpr bool same = std::is_same_v<D, S>;
  using from = std::conditional_t<same, stored_t<S>, S>;
  using to = std::conditional_t<same, stored_t<S>, D>;
  using lane = lane_t<to>;
  static constexpr int widest =
      native::register_bytes /
      int(sizeof(lane) > sizeof(lane_t<from>) ? sizeof(lane) : sizeof(lane_t<from>));
  static constexpr int W = widest < 16 ? widest : 16;
  using V = vec<lane, W>;

  template <vector L> SEPTRAN_CPU_INLINE static auto lanes(const L &v) {
    if constexpr (std::is_same_v<lane_of<L>, lane>)
      return v;
    else
      return convert<to>(v);
  }
  SEPTRAN_CPU_INLINE static const from *at(const S *p) { return reinterpret_cast<const from *>(p); }
  SEPTRAN_CPU_INLINE static to *at(D *p) { return reinterpret_cast<to *>(p); }
};

/// Lanes of a where bit H of the lane's number is clear, else lanes of b from H before.
template <int H, vector V, int... I>
SEPTRAN_CPU_INLINE V exchange_low(const V &a, const V &b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, ((I & H) == 0 ? I : width_of<V> + I - H)...);
}
/// Lanes of a from H behind where bit H of the lane's number is clear, else lanes of b.
template <int H, vector V, int... I>
SEPTRAN_CPU_INLINE V exchange_high(const V &a, const V &b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, ((I & H) == 0 ? I + H : width_of<V> + I)...);
}

/// Rows become columns.
template <int H = 1, vector V, int W> SEPTRAN_CPU_INLINE void transpose_square(V (&rows)[W]) {
  static_assert(W == width_of<V>);
  if constexpr (H < W) {
#pragma GCC unroll 16
    for (int i = 0; i < W; ++i)
      if ((i & H) == 0) {
        const V a = rows[i], b = rows[i + H];
        rows[i] = exchange_low<H>(a, b, lanes<W>());
        rows[i + H] = exchange_high<H>(a, b, lanes<W>());
      }
    transpose_square<2 * H>(rows);
  }
}

/// n elements side by side, then zeros up to `padded`.
template <class D, class S>
inline void copy_row(D *dst, const S *src, std::ptrdiff_t n, std::ptrdiff_t padded) {
  using M = mover<D, S>;
  constexpr int W = M::W;
  std::ptrdiff_t c = 0;
  for (; c + W <= n; c += W)
    store(M::at(dst + c), M::lanes(load<W>(M::at(src + c))));
  for (; c < padded; c += W) {
    const auto rest = load_n<W>(M::at(src + (c < n ? c : 0)), clamp_lanes<W>(n - c));
    store_n(M::at(dst + c), M::lanes(rest), clamp_lanes<W>(padded - c));
  }
}

/// Width elements in whole registers, the last of which may be smaller ones.
template <int Width, class D, class S, int W = mover<D, S>::W>
SEPTRAN_CPU_INLINE void copy_elements(D *dst, const S *src) {
  using M = mover<D, S>;
  if constexpr (Width >= W) {
    store(M::at(dst), M::lanes(load<W>(M::at(src))));
    copy_elements<Width - W, D, S, W>(dst + W, src + W);
  } else if constexpr (Width > 1) {
    copy_elements<Width, D, S, W / 2>(dst, src);
  } else if constexpr (Width == 1) {
    store_n(M::at(dst), M::lanes(load_n<2>(M::at(src), 1)), 1);
  }
}

/// Rows of Width elements, which a constant number of registers holds. The copy of a panel is a
/// large part of what small products cost, and loops over so few registers, or masks, would double it.
template <int Width, class D, class S>
inline void copy_rows(D *dst, const S *src, std::ptrdiff_t src_stride, std::ptrdiff_t rows) {
  constexpr std::ptrdiff_t line = 64 / sizeof(S), ahead = 8; // rows: each is in another page
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (std::ptrdiff_t c = 0; c < Width; c += line)
      prefetch(src, (r + ahead) * src_stride + c);
    copy_elements<Width>(dst + r * Width, src + r * src_stride);
  }
}

/// n elements `stride` apart, which is a number or a constant, then zeros up to `padded`.
template <class D, class S, class Stride>
inline void copy_strided_row(D *dst, const S *src, Stride stride, std::ptrdiff_t n,
                             std::ptrdiff_t padded) {
  using M = mover<D, S>;
  constexpr int W = M::W;
  std::ptrdiff_t c = 0;
  for (; c + W <= n; c += W)
    store(M::at(dst + c), M::lanes(load_strided<W>(M::at(src + c * stride), stride)));
  for (; c < padded; c += W) {
    const auto rest =
        load_strided_n<W>(M::at(src + (c < n ? c : 0) * stride), stride, clamp_lanes<W>(n - c));
    store_n(M::at(dst + c), M::lanes(rest), clamp_lanes<W>(padded - c));
  }
}

/// Elements at such a distance are picked out of whole vectors.
inline bool is_close_by(std::ptrdiff_t stride) { return stride >= 2 && stride <= 4; }

/// body(stride), with a constant if it is one of those.
template <class F> SEPTRAN_CPU_INLINE void with_stride(std::ptrdiff_t stride, const F &body) {
  if (stride == 2)
    body(constant<2>());
  else if (stride == 3)
    body(constant<3>());
  else if (stride == 4)
    body(constant<4>());
  else
    body(stride);
}

/// dst[c * Size + r] = src[r * src_stride + c] for r < Size, c < cols.
template <class D, class S, int... Row>
inline void copy_fields(D *dst, const S *src, std::ptrdiff_t src_stride, std::ptrdiff_t cols,
                        std::integer_sequence<int, Row...>) {
  using M = mover<D, S>;
  constexpr int W = M::W, Size = sizeof...(Row);
  std::ptrdiff_t c = 0;
  for (; c + W <= cols; c += W)
    store_fields(M::at(dst + c * Size), M::lanes(load<W>(M::at(src + Row * src_stride + c)))...);
  if (c < cols)
    store_fields_n(M::at(dst + c * Size), cols - c,
                   M::lanes(load_n<W>(M::at(src + Row * src_stride + c), cols - c))...);
}

} // namespace detail

/// dst[r * dst_stride + c] = src[c * src_stride + r] for r < rows, c < cols; zero in the rest of
/// the first padded_rows rows and padded_cols columns.
template <class D, class S>
inline void transpose_block(D *dst, std::ptrdiff_t dst_stride, const S *src,
                            std::ptrdiff_t src_stride, std::ptrdiff_t rows, std::ptrdiff_t cols,
                            std::ptrdiff_t padded_rows, std::ptrdiff_t padded_cols) {
  using M = detail::mover<D, S>;
  constexpr int W = M::W;
  for (std::ptrdiff_t r = 0; r < padded_rows; r += W)
    for (std::ptrdiff_t c = 0; c < padded_cols; c += W) {
      typename M::V square[W];
      const std::ptrdiff_t r_in = clamp_lanes<W>(rows - r), c_in = clamp_lanes<W>(cols - c);
      const S *from = src + (c_in > 0 && r_in > 0 ? c * src_stride + r : 0);
      if (r_in == W && c_in == W) {
#pragma GCC unroll 16
        for (int i = 0; i < W; ++i)
          square[i] = M::lanes(load<W>(M::at(from + i * src_stride)));
      } else {
#pragma GCC unroll 16
        for (int i = 0; i < W; ++i)
          square[i] = M::lanes(
              load_n<W>(M::at(from + (i < c_in ? i : 0) * src_stride), i < c_in ? r_in : 0));
      }
      detail::transpose_square(square);
      const std::ptrdiff_t r_out = clamp_lanes<W>(padded_rows - r);
      const std::ptrdiff_t c_out = clamp_lanes<W>(padded_cols - c);
      D *to = dst + r * dst_stride + c;
      if (r_out == W && c_out == W) {
#pragma GCC unroll 16
        for (int i = 0; i < W; ++i)
          store(M::at(to + i * dst_stride), square[i]);
      } else {
#pragma GCC unroll 16
        for (int i = 0; i < W; ++i)
          if (i < r_out)
            store_n(M::at(to + i * dst_stride), square[i], c_out);
      }
    }
}
template <class D, class S>
inline void transpose_block(D *dst, std::ptrdiff_t dst_stride, const S *src,
                            std::ptrdiff_t src_stride, std::ptrdiff_t rows, std::ptrdiff_t cols) {
  transpose_block(dst, dst_stride, src, src_stride, rows, cols, rows, cols);
}

/// dst[r * dst_stride_row + c] = src[r * src_stride_row + c * src_stride_col] for r < rows, c <
/// cols; zero in the rest of the first padded_rows rows and padded_cols columns.
template <class D, class S>
inline void copy_block(D *dst, std::ptrdiff_t dst_stride_row, const S *src,
                       std::ptrdiff_t src_stride_row, std::ptrdiff_t src_stride_col,
                       std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t padded_rows,
                       std::ptrdiff_t padded_cols) {
  if (padded_rows <= 0 || padded_cols <= 0)
    return;
  const bool across = src_stride_col != 1 && !detail::is_close_by(src_stride_col);
  if (src_stride_row == 1 && across && rows > 1) {
    transpose_block(dst, dst_stride_row, src, src_stride_col, rows, cols, padded_rows, padded_cols);
    return;
  }
  for (std::ptrdiff_t r = 0; r < padded_rows; ++r) {
    const bool inside = r < rows && cols > 0;
    const S *from = inside ? src + r * src_stride_row : src;
    const std::ptrdiff_t n = inside ? cols : 0;
    if (src_stride_col == 1)
      detail::copy_row(dst + r * dst_stride_row, from, n, padded_cols);
    else
      detail::with_stride(src_stride_col, [=](auto stride) {
        detail::copy_strided_row(dst + r * dst_stride_row, from, stride, n, padded_cols);
      });
  }
}
template <class D, class S>
inline void copy_block(D *dst, std::ptrdiff_t dst_stride_row, const S *src,
                       std::ptrdiff_t src_stride_row, std::ptrdiff_t src_stride_col,
                       std::ptrdiff_t rows, std::ptrdiff_t cols) {
  copy_block(dst, dst_stride_row, src, src_stride_row, src_stride_col, rows, cols, rows, cols);
}

/// dst[r * stride_row + c] = value for r < rows, c < cols.
template <class T>
inline void fill_block(T *dst, std::ptrdiff_t stride_row, std::ptrdiff_t rows, std::ptrdiff_t cols,
                       const std::type_identity_t<T> &value) {
  if (stride_row == cols && rows > 0) { // rows that follow each other are one
    cols *= rows;
    rows = 1;
  }
  for (std::ptrdiff_t r = 0; r < rows; ++r)
    std::fill_n(dst + r * stride_row, cols, value);
}

/// Fills a contiguous block but for the part that begins at `low` and has `inside` elements, per dimension.
template <int Dim = 0, class T, int Rank>
inline void fill_around(T *block, const std::ptrdiff_t (&extents)[Rank],
                        const std::ptrdiff_t (&low)[Rank], const std::ptrdiff_t (&inside)[Rank],
                        const T &value) {
  std::ptrdiff_t size = 1; // of what has one index of this dimension
  for (int d = Dim + 1; d < Rank; ++d)
    size *= extents[d];
  const std::ptrdiff_t end = low[Dim] + inside[Dim];
  std::fill_n(block, low[Dim] * size, value);
  if constexpr (Dim + 1 < Rank)
    for (std::ptrdiff_t i = low[Dim]; i < end; ++i)
      fill_around<Dim + 1>(block + i * size, extents, low, inside, value);
  std::fill_n(block + end * size, (extents[Dim] - end) * size, value);
}

/// The way back: dst[r * dst_stride_row + c * dst_stride_col] = src[r * src_stride_row + c].
template <class D, class S>
inline void copy_block_back(D *dst, std::ptrdiff_t dst_stride_row, std::ptrdiff_t dst_stride_col,
                            const S *src, std::ptrdiff_t src_stride_row, std::ptrdiff_t rows,
                            std::ptrdiff_t cols) {
  if (dst_stride_col == 1) {
    copy_block(dst, dst_stride_row, src, src_stride_row, 1, rows, cols);
  } else if (dst_stride_row == 1 && dst_stride_col == rows && detail::is_close_by(rows)) {
    detail::with_stride(rows, [=](auto size) {
      if constexpr (!std::is_same_v<decltype(size), std::ptrdiff_t>)
        detail::copy_fields(dst, src, src_stride_row, cols, detail::lanes<int(size)>());
    });
  } else if (dst_stride_row == 1) {
    transpose_block(dst, dst_stride_col, src, src_stride_row, cols, rows);
  } else {
    using M = detail::mover<D, S>;
    constexpr int W = M::W;
    for (std::ptrdiff_t r = 0; r < rows; ++r)
      for (std::ptrdiff_t c = 0; c < cols; c += W) {
        const std::ptrdiff_t n = clamp_lanes<W>(cols - c);
        store_strided_n(M::at(dst + r * dst_stride_row + c * dst_stride_col), dst_stride_col,
                        M::lanes(load_n<W>(M::at(src + r * src_stride_row + c), n)), n);
      }
  }
}

namespace detail {

/// a[0], b[0], a[1], b[1], ...
template <vector V, int... I>
SEPTRAN_CPU_INLINE auto alternate(const V &a, const V &b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, (I / 2 + I % 2 * width_of<V>)...);
}
template <vector V> SEPTRAN_CPU_INLINE auto alternate(const V &a, const V &b) {
  return alternate(a, b, lanes<2 * width_of<V>>());
}

/// The lanes of Count rows, those of one place side by side.
template <int Count, vector V> SEPTRAN_CPU_INLINE auto interleave(const V *rows) {
  if constexpr (Count == 1) {
    return rows[0];
  } else {
    V even[Count / 2], odd[Count / 2];
#pragma GCC unroll 8
    for (int i = 0; i < Count / 2; ++i) {
      even[i] = rows[2 * i];
      odd[i] = rows[2 * i + 1];
    }
    return alternate(interleave<Count / 2>(even), interleave<Count / 2>(odd));
  }
}

/// Panels so narrow that a register holds several of their rows.
template <int Width, class M>
inline constexpr bool is_interleaved =
    (Width == 2 || Width == 4) && M::same &&
    Width * sizeof(typename M::lane) < std::size_t(native::register_bytes);

/// dst[k * Width + n] = src[n * stride + k] for k < K, n < N <= Width; the rest of a row is zero.
template <int Width, class D, class S>
inline void interleave_rows(D *dst, const S *src, std::ptrdiff_t stride, std::ptrdiff_t K,
                            std::ptrdiff_t N) {
  using M = mover<D, S>;
  constexpr int W = native::register_bytes / int(sizeof(typename M::lane)) / Width;
  using V = vec<typename M::lane, W>;
  V rows[Width];
  std::ptrdiff_t k = 0;
  for (; k + W <= K; k += W) {
#pragma GCC unroll 8
    for (int n = 0; n < Width; ++n)
      rows[n] = n < N ? V(load<W>(M::at(src + n * stride + k))) : V{};
    store(M::at(dst + k * Width), interleave<Width>(static_cast<const V *>(rows)));
  }
  if (k < K) {
#pragma GCC unroll 8
    for (int n = 0; n < Width; ++n)
      rows[n] = n < N ? V(load_n<W>(M::at(src + n * stride + k), K - k)) : V{};
    store_n(M::at(dst + k * Width), interleave<Width>(static_cast<const V *>(rows)),
            (K - k) * Width);
  }
}

} // namespace detail

/// *dst = *src where that is an element, and zero elsewhere.
template <class T> inline void copy_or_zero(T *dst, const T *src, bool is_element) {
  *dst = is_element ? *src : T(0);
}

/// Panels of Width columns, the layout that register tiles read in order:
/// dst[(n / Width) * panel + k * Width + n % Width] = src[k * stride_k + n * stride_n] for k < K, n < N;
/// the columns that the last panel lacks are zero. The last panel has K * Width elements, too.
template <int Width, class D, class S>
inline void pack_panels(D *dst, std::ptrdiff_t panel, const S *src, std::ptrdiff_t stride_k,
                        std::ptrdiff_t stride_n, std::ptrdiff_t K, std::ptrdiff_t N) {
  if (K <= 0)
    return;
  if constexpr (detail::is_interleaved<Width, detail::mover<D, S>>)
    if (stride_k == 1) {
      for (std::ptrdiff_t n = 0; n < N; n += Width)
        detail::interleave_rows<Width>(dst + n / Width * panel, src + n * stride_n, stride_n, K,
                                       min_index(Width, N - n));
      return;
    }
  // Rows that run across the panels are read a few at a time and to their ends: one panel after the
  // other would fetch a short piece of every row, each from another page.
  // Four narrow rows fill whole cache lines of a panel.
  const std::ptrdiff_t step = stride_n == 1 && N > Width ? min_index(K, 4) : K;
  for (std::ptrdiff_t k = 0; k < K; k += step)
    for (std::ptrdiff_t n = 0; n < N; n += Width) {
      D *const to = dst + n / Width * panel + k * Width;
      const S *const from = src + k * stride_k + n * stride_n;
      const std::ptrdiff_t rows = min_index(step, K - k);
      if (stride_n == 1 && N - n >= Width)
        detail::copy_rows<Width>(to, from, stride_k, rows);
      else
        copy_block(to, Width, from, stride_k, stride_n, rows, min_index(Width, N - n), rows, Width);
    }
}
/// The same for panels that follow each other: dst has K * round_up(N, Width) elements.
template <int Width, class D, class S>
inline void pack_panels(D *dst, const S *src, std::ptrdiff_t stride_k, std::ptrdiff_t stride_n,
                        std::ptrdiff_t K, std::ptrdiff_t N) {
  pack_panels<Width>(dst, K * Width, src, stride_k, stride_n, K, N);
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_PACK_H
