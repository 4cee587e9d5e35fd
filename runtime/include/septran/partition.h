//===- partition.h - a tensor as a grid of blocks ------------------------===//
//
// `partition(T, {b0, b1, ...})` cuts a tensor into blocks of b0 x b1 x ...; the
// last block of a dimension is clipped. `P(i, j)` is block (i, j), a tensor of the
// same rank; `all` in place of a block index spans the dimension.
//
//   dimension of extent e, block size b        number of blocks     block i
//   e > 0, 0 < b                               ceil(e / b)          [i*b, min(i*b + b, e))
//   e > 0, b <= 0 (the whole extent)           1                    [0, e)
//   e = 0                                      0                    block 0 is empty
//
// The last row keeps programs such as a matrix product with K = 0 free of special
// cases: a fixed block index 0 is always valid and then holds no element.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_PARTITION_H
#define SEPTRAN_PARTITION_H

#include <septran/tensor.h>

namespace septran {

/// One index of `P(i, j)`: a block number, or `all`.
struct block_index {
  constexpr block_index(index_arg block) : block(block) {}
  constexpr block_index(all_t) : block(0), whole(true) {}
#ifdef SEPTRAN_CHECKED
  // An integer reaches `index_arg` only through a conversion of its own, and C++ allows one.
  template <class I>
    requires checked::is_index<I>
  constexpr block_index(I block, checked::site where = checked::site::here())
      : block(block, where) {}
#endif

  index_arg block;
  bool whole = false;
};

namespace detail {

/// The number of a block; a checked build reports one outside `count` and goes on with 0.
template <class T, int R>
constexpr index_type block_number(const tensor<const T, R> &root, const block_index (&index)[R],
                                  const extents_t<R> &count, int d) {
#ifdef SEPTRAN_CHECKED
  return checked::block_number(root.data(), index, count.values, d);
#else
  static_cast<void>(root), static_cast<void>(count);
  return index[d].block;
#endif
}

} // namespace detail

/// The blocks of a tensor; made by `partition`.
template <class T, int R> class partition_t {
public:
  using block_type = tensor<T, R>;

  constexpr partition_t(tensor<T, R> root, extents_t<R> block) : root_(root), block_(block) {
    for (int d = 0; d < R; ++d) {
      const index_type extent = root.extent(d);
      if (block_[d] <= 0 || block_[d] > extent)
        block_[d] = extent;
      shape_[d] = extent <= 0 ? 0 : (extent - 1) / block_[d] + 1;
    }
  }

  static constexpr int rank() { return R; }
  /// Numbers of blocks: the shape of a loop over them.
  constexpr extents_t<R> shape() const { return shape_; }
  /// Number of blocks along dimension d.
  constexpr index_type extent(int d) const { return shape_[d]; }

  constexpr block_type operator()(block_index i) const
    requires(R == 1)
  {
    return block({i});
  }
  constexpr block_type operator()(block_index i, block_index j) const
    requires(R == 2)
  {
    return block({i, j});
  }
  constexpr block_type operator()(block_index i, block_index j, block_index k) const
    requires(R == 3)
  {
    return block({i, j, k});
  }
  constexpr block_type operator()(block_index i, block_index j, block_index k, block_index l) const
    requires(R == 4)
  {
    return block({i, j, k, l});
  }
  constexpr block_type operator()(block_index i, block_index j, block_index k, block_index l,
                                  block_index m) const
    requires(R == 5)
  {
    return block({i, j, k, l, m});
  }
  constexpr block_type operator()(block_index i, block_index j, block_index k, block_index l,
                                  block_index m, block_index n) const
    requires(R == 6)
  {
    return block({i, j, k, l, m, n});
  }

private:
  constexpr block_type block(const block_index (&index)[R]) const {
    extents_t<R> extents, origin;
    index_type offset = 0;
    for (int d = 0; d < R; ++d) {
      const index_type first =
          index[d].whole ? 0 : detail::block_number<T, R>(root_, index, shape_, d) * block_[d];
      const index_type rest = root_.extent(d) - first;
      extents[d] = index[d].whole || rest < block_[d] ? rest : block_[d];
      origin[d] = root_.origin(d) + first;
      offset += first * root_.stride(d);
    }
    return block_type(detail::memory_of::first(root_) + offset, extents, root_.strides(), origin);
  }

  tensor<T, R> root_;
  extents_t<R> block_;
  extents_t<R> shape_;
};

/// Cuts `root` into blocks of the given extents. A block extent of zero or less, or beyond the
/// tensor's, stands for the whole extent.
template <class T, int R>
constexpr partition_t<T, R> partition(tensor<T, R> root, extents_t<R> block) {
  return partition_t<T, R>(root, block);
}

} // namespace septran

#endif
