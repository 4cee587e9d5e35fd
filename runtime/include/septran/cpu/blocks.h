//===- septran/cpu/blocks.h - Code for whole blocks and for the rest -*- C++ -*-===//
//
// The last block of a matrix has fewer rows and columns than the others. Code for all of them is written
// once, as a lambda that is called with sizes: those of a whole block are constants, so that nothing is masked
// or compared. Of a clipped one the compiler knows the limits between which a size lies: what a block computes
// for rows and vectors behind them, without storing it, vanishes.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_BLOCKS_H
#define SEPTRAN_CPU_BLOCKS_H

#include <septran/cpu/lanes.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace septran::cpu {

/// Pointers to `Rows` rows of a tile that lie `step` elements apart, all in registers; where a tile has fewer rows, the
/// last one is read again. What lies a constant apart in a whole tile is part of the instructions.
template <std::ptrdiff_t Rows, class T> class row_pointers {
public:
  template <class Step, class Size> SEPTRAN_CPU_INLINE row_pointers(T *first, Step step, Size rows) {
#pragma GCC unroll 64
    for (std::ptrdiff_t i = 0; i < Rows; ++i) {
      T *const row = first + step * min_index(rows - 1, i);
      rows_[i] = is_constant<Step> && is_constant<Size> ? row : in_register(row);
    }
  }
  SEPTRAN_CPU_INLINE T *operator[](std::ptrdiff_t row) const { return rows_[row]; }

private:
  template <class N> static constexpr bool is_constant = !std::is_integral_v<N> && std::is_empty_v<N>;
  T *rows_[Rows];
};

template <std::ptrdiff_t Rows, class T, class Step, class Size = constant<Rows>>
SEPTRAN_CPU_INLINE row_pointers<Rows, T> pointers_to_rows(T *first, Step step, Size rows = {}) {
  return {first, step, rows};
}

/// Where `Rows` rows of a tile are read that lie `step` elements apart, for tiles with more rows
/// than there are registers for addresses. A pointer serves as many rows as an address reaches
/// without an addition: it is a register plus another one times 1, 2, 4 or 8 bytes.
template <std::ptrdiff_t Rows, class T> class tile_rows {
  static constexpr std::ptrdiff_t each = sizeof(T) > 4 ? 2 : 3, pointers = ceil_div(Rows, each);

public:
  SEPTRAN_CPU_INLINE tile_rows(T *first, std::ptrdiff_t step) : step_(step) {
#pragma GCC unroll 64
    for (std::ptrdiff_t i = 0; i < pointers; ++i)
      first_[i] = in_register(first + step * each * i);
  }
  SEPTRAN_CPU_INLINE T *operator[](std::ptrdiff_t row) const {
    return first_[row / each] + step_ * (row % each);
  }

private:
  T *first_[pointers];
  std::ptrdiff_t step_;
};

template <std::ptrdiff_t Rows, class T>
SEPTRAN_CPU_INLINE tile_rows<Rows, T> rows_of_tile(T *first, std::ptrdiff_t step) {
  return {first, step};
}

/// All elements of an array of any rank, which the compiler keeps in registers, become v.
template <class T, class V> SEPTRAN_CPU_INLINE void fill_tile(T &tile, const V &v) {
  if constexpr (std::is_array_v<T>) {
#pragma GCC unroll 64
    for (std::size_t i = 0; i < std::extent_v<T>; ++i)
      fill_tile(tile[i], v);
  } else {
    tile = v;
  }
}

/// Of a tile of rows of vectors, those that there are, from and to memory in which rows lie `step` elements apart. A
/// size is a number or a constant; of rows and lanes behind it loads give anything.
template <vector V, std::size_t Rows, std::size_t Vectors, class T, class Size, class Columns>
SEPTRAN_CPU_INLINE void load_tile(V (&tile)[Rows][Vectors], const T *p, std::ptrdiff_t step, Size rows,
                                  Columns columns) {
  constexpr int width = width_of<V>;
#pragma GCC unroll 64
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(Rows); ++i)
#pragma GCC unroll 64
    for (std::ptrdiff_t j = 0; j < std::ptrdiff_t(Vectors); ++j)
      tile[i][j] = load(p + step * min_index(rows - 1, i) + j * width, lanes<width>(columns, j * width));
}
template <class T, vector V, std::size_t Rows, std::size_t Vectors, class Size, class Columns>
SEPTRAN_CPU_INLINE void store_tile(T *p, std::ptrdiff_t step, const V (&tile)[Rows][Vectors], Size rows,
                                   Columns columns) {
  constexpr int width = width_of<V>;
#pragma GCC unroll 64
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t(Rows); ++i)
#pragma GCC unroll 64
    for (std::ptrdiff_t j = 0; j < std::ptrdiff_t(Vectors); ++j)
      if (i < rows)
        store(p + step * i + j * width, tile[i][j], lanes<width>(columns, j * width));
}

namespace detail {

/// A size of which the compiler knows that it is in [Least, Most].
template <std::ptrdiff_t Least, std::ptrdiff_t Most> struct size_within {
  std::ptrdiff_t size;
  SEPTRAN_CPU_INLINE operator std::ptrdiff_t() const {
    return size < Least ? Least : size > Most ? Most : size;
  }
};

template <std::ptrdiff_t Least, std::ptrdiff_t Most> SEPTRAN_CPU_INLINE auto within(std::ptrdiff_t size) {
  if constexpr (Least == Most)
    return constant<Most>();
  else
    return size_within<Least, Most>{size};
}

/// Of dimension Dim what is left, which is in [Least, Most]. The others are whole, or of any size. Each of these
/// has types of its own: of one function that two call g++ knows less.
template <bool IsDim, bool AreOthersWhole, std::ptrdiff_t Least, std::ptrdiff_t Most, std::ptrdiff_t Whole>
SEPTRAN_CPU_INLINE auto size_of_block(std::ptrdiff_t left) {
  if constexpr (IsDim)
    return within<Least, Most>(left);
  else if constexpr (AreOthersWhole)
    return constant<Whole>();
  else
    return min_index(left, Whole);
}

/// The body for what is left of dimension Dim, from Least to Most, in steps of that size.
template <int Dim, bool AreOthersWhole, std::ptrdiff_t Step, std::ptrdiff_t Least, std::ptrdiff_t Most,
          std::ptrdiff_t... Whole, class F, int... I>
SEPTRAN_CPU_INLINE_CALLS void steps(const std::ptrdiff_t *left, const F &body,
                                    std::integer_sequence<int, I...> dimensions) {
  // The first step has no least: a block may be empty.
  constexpr std::ptrdiff_t end = Least < 0 ? Step : Least + Step - 1;
  if constexpr (end < Most)
    if (left[Dim] > end) {
      steps<Dim, AreOthersWhole, Step, end + 1, Most, Whole...>(left, body, dimensions);
      return;
    }
  body(size_of_block<I == Dim, AreOthersWhole, Least, end < Most ? end : Most, Whole>(left[I])...);
}

/// `Count` steps of whole vectors, or as many as there are.
constexpr std::ptrdiff_t step_of_vectors(std::ptrdiff_t whole, std::ptrdiff_t width, int count) {
  return (whole / width + count - 1) / count * width;
}

/// A function of its own, so that clipped blocks take no registers away from loops over whole ones.
template <int W, std::ptrdiff_t... Whole, class F, int... I>
__attribute__((noinline, flatten)) void clipped_block(const std::ptrdiff_t *left, const F &body,
                                                      std::integer_sequence<int, I...> dimensions) {
  constexpr std::ptrdiff_t sizes[] = {Whole...};
  constexpr int last = sizeof...(I) - 1;
  constexpr std::ptrdiff_t columns = sizes[last];
  if constexpr (last > 0) {
    constexpr int dim = last - 1;
    constexpr std::ptrdiff_t rows = sizes[dim];
    if (((I == dim || left[I] >= Whole) && ...)) {
      steps<dim, true, (rows + 2) / 3, PTRDIFF_MIN, rows - 1, Whole...>(left, body, dimensions);
      return;
    }
  }
  if (((I == last || left[I] >= Whole) && ...))
    steps<last, true, step_of_vectors(columns, W, 4), PTRDIFF_MIN, columns - 1, Whole...>(
        left, body, dimensions);
  else
    steps<last, false, step_of_vectors(columns, W, 2), PTRDIFF_MIN, columns, Whole...>(left, body,
                                                                                     dimensions);
}

template <int W, std::ptrdiff_t... Whole, class F, int... I>
SEPTRAN_CPU_INLINE_CALLS void block(const std::ptrdiff_t *left, const F &body,
                                    std::integer_sequence<int, I...> dimensions) {
  if (((left[I] >= Whole) && ...))
    body(constant<Whole>()...);
  else
    clipped_block<W, Whole...>(left, body, dimensions);
}

} // namespace detail

/// body(size, ...) for a block of Whole elements in each dimension where as many are left in all of
/// them, and for what is left otherwise. Along the last dimension lie vectors of W elements. A block that is clipped
/// in one dimension has constants as its other sizes: g++ keeps no sums in registers beside loads with masks.
template <int W, std::ptrdiff_t... Whole, class F>
SEPTRAN_CPU_INLINE_CALLS void for_block(const std::ptrdiff_t (&left)[sizeof...(Whole)], const F &body) {
  detail::block<W, Whole...>(left, body, std::make_integer_sequence<int, sizeof...(Whole)>());
}

/// The same for a block that is not whole: where that has code of its own.
template <int W, std::ptrdiff_t... Whole, class F>
SEPTRAN_CPU_INLINE_CALLS void for_clipped_block(const std::ptrdiff_t (&left)[sizeof...(Whole)],
                                                const F &body) {
  detail::clipped_block<W, Whole...>(left, body,
                                     std::make_integer_sequence<int, sizeof...(Whole)>());
}

namespace detail {

template <std::ptrdiff_t N, class F, int... I>
SEPTRAN_CPU_INLINE_CALLS void part_from(std::ptrdiff_t begin, const F &body,
                                        std::integer_sequence<int, I...>) {
  if (!((begin == I + 1 && (body(constant<I + 1>(), constant<N>()), true)) || ...) && begin < N)
    body(begin, constant<N>());
}

template <class F, int... I>
SEPTRAN_CPU_INLINE_CALLS void part_up_to(std::ptrdiff_t end, const F &body,
                                         std::integer_sequence<int, I...>) {
  static_cast<void>(((end == I + 1 && (body(constant<0>(), constant<I + 1>()), true)) || ...));
}

} // namespace detail

/// body(first, last) for the part [begin, end) of N rows, of which the compiler knows the ends where
/// the part begins with the first row, or ends with the last one and begins Late rows later at most.
template <std::ptrdiff_t N, int Late, class F>
SEPTRAN_CPU_INLINE_CALLS void for_part(std::ptrdiff_t begin, std::ptrdiff_t end, const F &body) {
  if (begin <= 0 && end >= N)
    body(constant<0>(), constant<N>());
  else if (begin <= 0)
    detail::part_up_to(end, body, std::make_integer_sequence<int, int(N) - 1>());
  else if (end >= N)
    detail::part_from<N>(begin, body, std::make_integer_sequence<int, Late>());
  else if (begin < end)
    body(begin, end);
}

/// The same, and body(0, 0) where the part is empty: what lies beside it counts.
template <std::ptrdiff_t N, int Late, class F>
SEPTRAN_CPU_INLINE_CALLS void for_part_or_none(std::ptrdiff_t begin, std::ptrdiff_t end,
                                               const F &body) {
  if (begin < end && begin < N && end > 0)
    for_part<N, Late>(begin, end, body);
  else
    body(constant<0>(), constant<0>());
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_BLOCKS_H
