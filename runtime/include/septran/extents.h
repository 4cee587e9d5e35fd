//===- extents.h - extents, index types and the `all` tag ----------------===//
//
// `extents_t<R>` is the small array of R sizes, strides or positions that every
// other header passes around. It is built from a braced list of exactly R
// integers, so that `partition(C, {64, 64})` reads well and a list of the wrong
// length does not compile. `R` runs from 0 (a scalar tensor) to `max_rank`.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_EXTENTS_H
#define SEPTRAN_EXTENTS_H

#include <cstddef>

#ifdef SEPTRAN_CHECKED
#include <septran/checked.h>
#endif

namespace septran {

/// Type of every extent, stride and index.
using index_type = std::ptrdiff_t;

#ifdef SEPTRAN_CHECKED
/// How an index is received: a checked build also notes where it was written.
using index_arg = checked::index;
#else
using index_arg = index_type;
#endif

/// Highest rank of a tensor.
inline constexpr int max_rank = 6;

/// Stands for "every index of this dimension" in `P(i, all)` and `subtensor(T, i, all)`.
struct all_t {};
inline constexpr all_t all{};

/// R integers: the extents of a tensor, its strides, the numbers of its blocks, a position.
template <int R> struct extents_t {
  static_assert(R >= 0 && R <= max_rank, "a tensor has 0 to 6 dimensions");

  index_type values[R == 0 ? 1 : R] = {};

  constexpr extents_t() = default;
  constexpr extents_t(index_type e0)
    requires(R == 1)
      : values{e0} {}
  constexpr extents_t(index_type e0, index_type e1)
    requires(R == 2)
      : values{e0, e1} {}
  constexpr extents_t(index_type e0, index_type e1, index_type e2)
    requires(R == 3)
      : values{e0, e1, e2} {}
  constexpr extents_t(index_type e0, index_type e1, index_type e2, index_type e3)
    requires(R == 4)
      : values{e0, e1, e2, e3} {}
  constexpr extents_t(index_type e0, index_type e1, index_type e2, index_type e3, index_type e4)
    requires(R == 5)
      : values{e0, e1, e2, e3, e4} {}
  constexpr extents_t(index_type e0, index_type e1, index_type e2, index_type e3, index_type e4,
                      index_type e5)
    requires(R == 6)
      : values{e0, e1, e2, e3, e4, e5} {}

  static constexpr int rank() { return R; }
  constexpr index_type operator[](int d) const { return values[d]; }
  constexpr index_type &operator[](int d) { return values[d]; }

  /// Number of index tuples below these extents; 1 for rank 0.
  constexpr index_type count() const {
    index_type n = 1;
    for (int d = 0; d < R; ++d)
      n *= values[d];
    return n;
  }

  friend constexpr bool operator==(const extents_t &a, const extents_t &b) {
    for (int d = 0; d < R; ++d)
      if (a.values[d] != b.values[d])
        return false;
    return true;
  }
};

/// Strides, in elements, of a row-major (last index fastest) tensor of these extents.
template <int R> constexpr extents_t<R> row_major_strides(const extents_t<R> &extents) {
  extents_t<R> strides;
  index_type step = 1;
  for (int d = R - 1; d >= 0; --d) {
    strides[d] = step;
    step *= extents[d];
  }
  return strides;
}

} // namespace septran

#endif
