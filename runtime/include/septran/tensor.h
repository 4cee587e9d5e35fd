//===- tensor.h - the non-owning tensor view -----------------------------===//
//
// `tensor<T, R>` is a pointer with R extents, R strides and the position of its
// first element in the tensor it was cut from. It owns nothing and is passed by
// value. Names follow `std::mdspan`.
//
// A mutable tensor derives from the constant one. That is what lets a template
// parameter `tensor<const T, R>` deduce T from a `tensor<float, R>`: a mere
// conversion would not take part in deduction.
//
// A tensor is shallow: `tensor<T, R>` gives `T &` from a constant member function;
// the element type alone says whether elements may be written.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_TENSOR_H
#define SEPTRAN_TENSOR_H

#include <septran/extents.h>

#ifdef SEPTRAN_CHECKED
#include <type_traits>
#endif

namespace septran {

template <class T, int R> class tensor;

namespace detail {

/// The pointer in a tensor, for views of its elements. A checked build takes `data()` as the end of
/// what it can see.
struct memory_of {
  template <class T, int R> static constexpr const T *first(const tensor<const T, R> &t) {
    return t.data_;
  }
  /// The base only ever received a `T *` from the constructors of `tensor<T, R>`.
  template <class T, int R> static constexpr T *first(const tensor<T, R> &t) {
    return const_cast<T *>(static_cast<const tensor<const T, R> &>(t).data_);
  }
};

} // namespace detail

/// A read-only view of a tensor of rank R.
template <class T, int R> class tensor<const T, R> {
public:
  using element_type = const T;
  using value_type = T;
  using extents_type = extents_t<R>;
  using reference = const T &;

  /// No elements: a null pointer and extents of zero.
  constexpr tensor() = default;

  /// Views row-major (last index fastest) data of `extents.count()` elements.
  constexpr tensor(const T *data, extents_type extents)
      : tensor(data, extents, row_major_strides(extents)) {}

  /// Views element (i, j, ...) at `data[i * strides[0] + j * strides[1] + ...]`. Strides count
  /// elements and may be zero or negative. `origin` is the position of `data[0]` in the root
  /// tensor.
  constexpr tensor(const T *data, extents_type extents, extents_type strides,
                   extents_type origin = {})
      : data_(data), extents_(extents), strides_(strides), origin_(origin) {}

  static constexpr int rank() { return R; }
  constexpr index_type extent(int d) const { return extents_[d]; }
  constexpr extents_type extents() const { return extents_; }
  constexpr index_type stride(int d) const { return strides_[d]; }
  constexpr extents_type strides() const { return strides_; }
  constexpr index_type size() const { return extents_.count(); }
  constexpr const T *data() const { return data_; }

  /// Index, in the root tensor, of this view's first element along dimension d. Negative for a
  /// window that begins in the halo.
  constexpr index_type origin(int d) const { return origin_[d]; }
  constexpr extents_type origins() const { return origin_; }

#ifdef SEPTRAN_CHECKED
  reference operator()(checked::site where = checked::site::here()) const
    requires(R == 0)
  {
    return at(checked::index(0, where));
  }
#else
  constexpr reference operator()() const
    requires(R == 0)
  {
    return at();
  }
#endif
  constexpr reference operator()(index_arg i) const
    requires(R == 1)
  {
    return at(i);
  }
  constexpr reference operator()(index_arg i, index_arg j) const
    requires(R == 2)
  {
    return at(i, j);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k) const
    requires(R == 3)
  {
    return at(i, j, k);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k, index_arg l) const
    requires(R == 4)
  {
    return at(i, j, k, l);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k, index_arg l,
                                 index_arg m) const
    requires(R == 5)
  {
    return at(i, j, k, l, m);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k, index_arg l, index_arg m,
                                 index_arg n) const
    requires(R == 6)
  {
    return at(i, j, k, l, m, n);
  }

protected:
  template <class... I> constexpr index_type offset(I... index) const {
    index_type sum = 0;
    [[maybe_unused]] int d = 0;
    ((sum += index_type(index) * strides_[d++]), ...);
    return sum;
  }

private:
  friend detail::memory_of;

  template <class... I> constexpr reference at(I... index) const {
#ifdef SEPTRAN_CHECKED
    return checked::read<T>(data_, extents_.values, strides_.values, R, {index...});
#else
    return data_[offset(index...)];
#endif
  }

  const T *data_ = nullptr;
  extents_type extents_{};
  extents_type strides_{};
  extents_type origin_{};
};

/// A view of a tensor of rank R whose elements may be written.
template <class T, int R> class tensor : public tensor<const T, R> {
  using base = tensor<const T, R>;

public:
  using element_type = T;
  using value_type = T;
  using extents_type = extents_t<R>;
#ifdef SEPTRAN_CHECKED
  using reference = checked::element<T>;
#else
  using reference = T &;
#endif

  /// The constructors of `tensor<const T, R>`, on data that may be written.
  constexpr tensor() = default;
  constexpr tensor(T *data, extents_type extents) : base(data, extents) {}
  constexpr tensor(T *data, extents_type extents, extents_type strides, extents_type origin = {})
      : base(data, extents, strides, origin) {}

  constexpr T *data() const {
#ifdef SEPTRAN_CHECKED
    if (!std::is_constant_evaluated())
      checked::give_away(detail::memory_of::first(*this), base::extents().values,
                         base::strides().values, R);
#endif
    return detail::memory_of::first(*this);
  }

#ifdef SEPTRAN_CHECKED
  reference operator()(checked::site where = checked::site::here()) const
    requires(R == 0)
  {
    return at(checked::index(0, where));
  }
#else
  constexpr reference operator()() const
    requires(R == 0)
  {
    return at();
  }
#endif
  constexpr reference operator()(index_arg i) const
    requires(R == 1)
  {
    return at(i);
  }
  constexpr reference operator()(index_arg i, index_arg j) const
    requires(R == 2)
  {
    return at(i, j);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k) const
    requires(R == 3)
  {
    return at(i, j, k);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k, index_arg l) const
    requires(R == 4)
  {
    return at(i, j, k, l);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k, index_arg l,
                                 index_arg m) const
    requires(R == 5)
  {
    return at(i, j, k, l, m);
  }
  constexpr reference operator()(index_arg i, index_arg j, index_arg k, index_arg l, index_arg m,
                                 index_arg n) const
    requires(R == 6)
  {
    return at(i, j, k, l, m, n);
  }

private:
  template <class... I> constexpr reference at(I... index) const {
#ifdef SEPTRAN_CHECKED
    const extents_type extents = this->extents(), strides = this->strides();
    return checked::element<T>(detail::memory_of::first(*this), extents.values, strides.values, R,
                               {index...});
#else
    return detail::memory_of::first(*this)[base::offset(index...)];
#endif
  }
};

} // namespace septran

#endif
