//===- parallel.h - the parallel loop ------------------------------------===//
//
// `for (auto [i, j] : parallel(shape))` runs over all index tuples below `shape`.
// The iterations are independent: the plain program takes them in row-major order,
// a mapping may take them in any order and at the same time.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_PARALLEL_H
#define SEPTRAN_PARALLEL_H

#include <septran/extents.h>

#include <type_traits>

namespace septran {

/// The index tuples of a parallel loop; made by `parallel`.
template <int R> class parallel_t {
  static_assert(R >= 1, "a parallel loop has at least one index");

public:
  /// The end of the loop.
  struct sentinel {};

  class iterator {
  public:
    explicit constexpr iterator(extents_t<R> shape) : shape_(shape) {
      left_ = 1;
      for (int d = 0; d < R; ++d)
        left_ *= shape[d] > 0 ? shape[d] : 0;
#ifdef SEPTRAN_CHECKED
      if (left_ > 0)
        checked::begin_iteration();
#endif
    }

    /// The indices, as an array: a structured binding copies its elements.
    constexpr const index_type (&operator*() const)[R] { return index_; }

    constexpr iterator &operator++() {
      for (int d = R - 1; d >= 0 && ++index_[d] == shape_[d]; --d)
        index_[d] = 0;
      --left_;
#ifdef SEPTRAN_CHECKED
      checked::end_iteration();
      if (left_ > 0)
        checked::begin_iteration();
#endif
      return *this;
    }

    friend constexpr bool operator==(const iterator &i, sentinel) { return i.left_ == 0; }

  private:
    extents_t<R> shape_;
    index_type left_ = 0;
    index_type index_[R] = {};
  };

  explicit constexpr parallel_t(extents_t<R> shape) : shape_(shape) {
#ifdef SEPTRAN_CHECKED
    checked::begin_parallel();
#endif
  }

#ifdef SEPTRAN_CHECKED
  parallel_t(const parallel_t &) = delete;
  parallel_t &operator=(const parallel_t &) = delete;
  constexpr ~parallel_t() { checked::end_parallel(); }
#endif

  constexpr iterator begin() const { return iterator(shape_); }
  constexpr sentinel end() const { return {}; }
  constexpr extents_t<R> shape() const { return shape_; }

private:
  extents_t<R> shape_;
};

/// A parallel loop over all index tuples below `shape`; none if an extent is zero or less.
template <int R> constexpr parallel_t<R> parallel(extents_t<R> shape) {
  return parallel_t<R>(shape);
}

/// A parallel loop over [0, n0) x [0, n1) x ...
template <class... I>
  requires(sizeof...(I) > 0 && (std::is_convertible_v<I, index_type> && ...))
constexpr parallel_t<int(sizeof...(I))> parallel(I... n) {
  return parallel_t<int(sizeof...(I))>(extents_t<int(sizeof...(I))>(index_type(n)...));
}

} // namespace septran

#endif
