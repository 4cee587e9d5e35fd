//===- windows.h - overlapping read-only blocks --------------------------===//
//
// `windows(T, size, step, low, high, fill)` gives, along every dimension, block i
//
//   [i*step - low, min(i*step + size, extent) + high),   i = 0 ... ceil(extent/step) - 1
//
// that is a core of `size` elements, clipped at the end of T, plus a halo of `low`
// elements before and `high` elements after it. Positions outside T read `fill`.
// A 3 x 3 stencil on 32 x 32 tiles is windows(T, {32, 32}, {32, 32}, {1, 1}, {1, 1}).
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_WINDOWS_H
#define SEPTRAN_WINDOWS_H

#include <septran/partition.h>
#include <septran/storage.h>

#include <type_traits>

namespace septran {

/// One window. It views the tensor where it lies wholly inside, and owns a padded row-major copy
/// where it does not; pass it on as the `tensor<const T, R>` that it is, while it lives.
template <class T, int R>
class window_block : private detail::storage<T>, public tensor<const T, R> {
  using memory = detail::storage<T>;
  using view = tensor<const T, R>;

public:
  /// The window [first, first + extents) of `root`; `first` may be negative.
  window_block(const view &root, extents_t<R> first, extents_t<R> extents, T fill)
      : memory(inside(root, first, extents) ? 0 : extents.count()),
        view(memory::data() ? copy(root, first, extents, fill) : direct(root, first, extents)) {}

  window_block(const window_block &) = delete;
  window_block &operator=(const window_block &) = delete;

  using view::data;

private:
  static bool inside(const view &root, const extents_t<R> &first, const extents_t<R> &extents) {
    for (int d = 0; d < R; ++d)
      if (first[d] < 0 || first[d] + extents[d] > root.extent(d))
        return false;
    return true;
  }

  static extents_t<R> position_of(const view &root, const extents_t<R> &first) {
    extents_t<R> sum;
    for (int d = 0; d < R; ++d)
      sum[d] = root.origin(d) + first[d];
    return sum;
  }

  static view direct(const view &root, const extents_t<R> &first, const extents_t<R> &extents) {
    index_type offset = 0;
    for (int d = 0; d < R; ++d)
      offset += first[d] * root.stride(d);
    return view(root.data() + offset, extents, root.strides(), position_of(root, first));
  }

  view copy(const view &root, const extents_t<R> &first, const extents_t<R> &extents,
            T fill) const {
    T *out = memory::data();
    extents_t<R> at;
    for (index_type n = extents.count(); n > 0; --n, ++out) {
      bool in = true;
      index_type offset = 0;
      extents_t<R> position;
      for (int d = 0; d < R; ++d) {
        position[d] = first[d] + at[d];
        in = in && position[d] >= 0 && position[d] < root.extent(d);
        offset += position[d] * root.stride(d);
      }
#ifdef SEPTRAN_CHECKED
      checked::copy_element(out, in ? root.data() + offset : nullptr, fill, position.values, R);
#else
      *out = in ? root.data()[offset] : fill;
#endif
      for (int d = R - 1; d >= 0 && ++at[d] == extents[d]; --d)
        at[d] = 0;
    }
    return view(memory::data(), extents, row_major_strides(extents), position_of(root, first));
  }
};

/// The windows of a tensor; made by `windows`.
template <class T, int R> class windows_t {
public:
  using block_type = window_block<T, R>;

  constexpr windows_t(tensor<const T, R> root, extents_t<R> size, extents_t<R> step,
                      extents_t<R> low, extents_t<R> high, T fill)
      : root_(root), size_(size), step_(step), low_(low), high_(high), fill_(fill) {
    for (int d = 0; d < R; ++d) {
      const index_type extent = root.extent(d);
      if (size_[d] <= 0)
        size_[d] = extent;
      if (step_[d] <= 0)
        step_[d] = extent;
      shape_[d] = extent <= 0 ? 0 : (extent - 1) / step_[d] + 1;
    }
  }

  static constexpr int rank() { return R; }
  /// Numbers of windows: the shape of a loop over them.
  constexpr extents_t<R> shape() const { return shape_; }
  /// Number of windows along dimension d.
  constexpr index_type extent(int d) const { return shape_[d]; }

  block_type operator()(block_index i) const
    requires(R == 1)
  {
    return block({i});
  }
  block_type operator()(block_index i, block_index j) const
    requires(R == 2)
  {
    return block({i, j});
  }
  block_type operator()(block_index i, block_index j, block_index k) const
    requires(R == 3)
  {
    return block({i, j, k});
  }
  block_type operator()(block_index i, block_index j, block_index k, block_index l) const
    requires(R == 4)
  {
    return block({i, j, k, l});
  }
  block_type operator()(block_index i, block_index j, block_index k, block_index l,
                        block_index m) const
    requires(R == 5)
  {
    return block({i, j, k, l, m});
  }
  block_type operator()(block_index i, block_index j, block_index k, block_index l, block_index m,
                        block_index n) const
    requires(R == 6)
  {
    return block({i, j, k, l, m, n});
  }

private:
  /// `all` spans the tensor and its two halos.
  block_type block(const block_index (&index)[R]) const {
    extents_t<R> first, extents;
    for (int d = 0; d < R; ++d) {
      const index_type begin =
          index[d].whole ? 0 : detail::block_number<T, R>(root_, index, shape_, d) * step_[d];
      const index_type rest = root_.extent(d) - begin;
      const index_type core = index[d].whole || rest < size_[d] ? rest : size_[d];
      first[d] = begin - low_[d];
      extents[d] = core + low_[d] + high_[d];
    }
    return block_type(root_, first, extents, fill_);
  }

  tensor<const T, R> root_;
  extents_t<R> size_, step_, low_, high_;
  T fill_;
  extents_t<R> shape_;
};

/// Overlapping read-only blocks of `root`, see above. `size`, `step`, `low` and `high` count
/// elements of `root`; `low` and `high` are at least zero; a `size` or `step` of zero or less
/// stands for the whole extent.
template <class T, int R>
constexpr windows_t<T, R> windows(tensor<const T, R> root, extents_t<R> size, extents_t<R> step,
                                  extents_t<R> low, extents_t<R> high,
                                  std::type_identity_t<T> fill = T(0)) {
  return windows_t<T, R>(root, size, step, low, high, fill);
}

} // namespace septran

#endif
