//===- septran/cpu/unit_stride.h - Tensors with neighbouring lanes -*- C++ -*-===//
//
// Vector code wants the elements of the last dimension side by side. `unit_stride` presents a
// tensor that has them so: the given one where it already does, else a contiguous copy. What the
// privilege lets the code read is copied in; what it lets the code write is copied back when the
// object goes.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_UNIT_STRIDE_H
#define SEPTRAN_CPU_UNIT_STRIDE_H

#include <septran/cpu/pack.h>
#include <septran/cpu/workspace.h>
#include <septran/tensor.h>

#include <new>
#include <type_traits>
#include <utility>

namespace septran::cpu {

/// What a task may do with an argument. `write` promises to write every element.
enum class privilege { read, write, read_write };

namespace detail {

/// dst(i, ...) = src(i, ...); one of the two has unit stride in the last dimension.
template <int D, int R, class T>
void copy_elements(T *dst, const extents_t<R> &dst_strides, const T *src,
                   const extents_t<R> &src_strides, const extents_t<R> &extents) {
  if constexpr (R == 0) {
    *dst = *src;
  } else if constexpr (D + 2 >= R) {
    constexpr int row = R == 1 ? 0 : R - 2, col = R - 1;
    const index_type rows = R == 1 ? 1 : extents[row];
    if (src_strides[col] == 1)
      copy_block_back(dst, dst_strides[row], dst_strides[col], src, src_strides[row], rows,
                      extents[col]);
    else
      copy_block(dst, dst_strides[row], src, src_strides[row], src_strides[col], rows,
                 extents[col]);
  } else {
    for (index_type i = 0; i < extents[D]; ++i)
      copy_elements<D + 1>(dst + i * dst_strides[D], dst_strides, src + i * src_strides[D],
                           src_strides, extents);
  }
}

template <int> using size_of_dimension = index_type;

// Few calls need a copy. What makes and ends one is out of line and takes numbers: its callers keep
// no object in memory for it. g++ would load an array of extents as one vector, and where its
// numbers have just been stored one by one, the processor then waits until they are in the cache.

/// A contiguous copy in this thread's workspace; below it lies what the workspace then returns to.
/// Without `reads` its elements have no values. Throws std::bad_alloc where there is no memory.
template <class T, int... D>
[[gnu::noinline, gnu::cold]] T *begin_copy(const T *from, bool reads,
                                           size_of_dimension<D>... extent,
                                           size_of_dimension<D>... stride) {
  const extents_t<sizeof...(D)> extents{extent...}, strides{stride...};
  workspace &mine = workspace::of_this_thread();
  const workspace::position before = mine.top();
  const std::size_t bytes = bytes_of<T>(extents.count());
  char *const memory = static_cast<char *>(mine.take(workspace::line + bytes));
  new (memory) workspace::position(before);
  T *const copy = reinterpret_cast<T *>(memory + workspace::line);
  if (reads)
    copy_elements<0>(copy, row_major_strides(extents), from, strides, extents);
  return copy;
}

/// Copies back, unless `to` is null.
template <class T, int... D>
[[gnu::noinline, gnu::cold]] void end_copy(T *to, const T *copy, size_of_dimension<D>... extent,
                                           size_of_dimension<D>... stride) {
  const extents_t<sizeof...(D)> extents{extent...}, strides{stride...};
  if (to)
    copy_elements<0>(to, strides, copy, row_major_strides(extents), extents);
  const char *const memory = reinterpret_cast<const char *>(copy) - workspace::line;
  workspace::of_this_thread().return_to(
      *std::launder(reinterpret_cast<const workspace::position *>(memory)));
}

} // namespace detail

/// Keeps stack discipline like the scratch memory it may own: use it as a local variable.
template <class T, int R> class unit_stride {
  using value_type = std::remove_const_t<T>;
  using dimensions = std::make_integer_sequence<int, R>;

public:
  /// Throws std::bad_alloc where there is no memory for a copy.
  unit_stride(septran::tensor<T, R> given, privilege access)
      : given_(given), copied_(!has_unit_stride(given)),
        copies_back_(copied_ && access != privilege::read) {
    if (copied_) [[unlikely]]
      begin_copy(access != privilege::write, dimensions());
  }
  unit_stride(const unit_stride &) = delete;
  unit_stride &operator=(const unit_stride &) = delete;
  ~unit_stride() {
    if (copied_) [[unlikely]]
      end_copy(dimensions());
  }

  /// The tensor to work on; its origin is that of the given one. Valid as long as this object.
  septran::tensor<T, R> tensor() const {
    if (copied_) [[unlikely]]
      return {copy_, given_.extents(), row_major_strides(given_.extents()), given_.origins()};
    extents_t<R> strides = given_.strides();
    if constexpr (R > 0)
      strides[R - 1] = 1;
    return {address(), given_.extents(), strides, given_.origins()};
  }

private:
  template <int... D>
  [[gnu::always_inline]] void begin_copy(bool reads, std::integer_sequence<int, D...>) {
    copy_ = detail::begin_copy<value_type, D...>(given_.data(), reads, given_.extent(D)...,
                                                 given_.stride(D)...);
  }

  template <int... D> [[gnu::always_inline]] void end_copy(std::integer_sequence<int, D...>) {
    value_type *to = nullptr;
    if constexpr (!std::is_const_v<T>)
      to = copies_back_ ? given_.data() : nullptr;
    detail::end_copy<value_type, D...>(to, copy_, given_.extent(D)..., given_.stride(D)...);
  }

  /// Where the elements are. A tensor without elements may have no address, but generated code
  /// computes where its blocks would begin, and that must not start from a null pointer.
  T *address() const {
    alignas(64) static value_type nowhere;
    return given_.data() ? given_.data() : &nowhere;
  }

  /// A stride that no index uses counts as one.
  static bool has_unit_stride(const septran::tensor<T, R> &t) {
    if constexpr (R == 0)
      return true;
    else
      return t.stride(R - 1) == 1 || t.extent(R - 1) <= 1 || t.size() == 0;
  }

  septran::tensor<T, R> given_;
  bool copied_, copies_back_;
  value_type *copy_ = nullptr;
};

} // namespace septran::cpu

#endif // SEPTRAN_CPU_UNIT_STRIDE_H
