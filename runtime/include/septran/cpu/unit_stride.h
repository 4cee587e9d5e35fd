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

} // namespace detail

/// Keeps stack discipline like the scratch memory it may own: use it as a local variable.
template <class T, int R> class unit_stride {
  using value_type = std::remove_const_t<T>;

public:
  unit_stride(septran::tensor<T, R> given, privilege access)
      : given_(given), copied_(!has_unit_stride(given)),
        copies_back_(copied_ && access != privilege::read), copy_(copied_ ? given.size() : 0) {
    if (copied_ && access != privilege::write)
      detail::copy_elements<0>(copy_.data(), row_major_strides(given.extents()), given.data(),
                               given.strides(), given.extents());
  }
  unit_stride(const unit_stride &) = delete;
  unit_stride &operator=(const unit_stride &) = delete;
  ~unit_stride() {
    if constexpr (!std::is_const_v<T>)
      if (copies_back_)
        detail::copy_elements<0>(given_.data(), given_.strides(), copy_.data(),
                                 row_major_strides(given_.extents()), given_.extents());
  }

  /// The tensor to work on; its origin is that of the given one. Valid as long as this object.
  septran::tensor<T, R> tensor() const {
    if (copied_)
      return {copy_.data(), given_.extents(), row_major_strides(given_.extents()),
              given_.origins()};
    extents_t<R> strides = given_.strides();
    if constexpr (R > 0)
      strides[R - 1] = 1;
    return {address(), given_.extents(), strides, given_.origins()};
  }

private:
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
  scratch<value_type> copy_;
};

} // namespace septran::cpu

#endif // SEPTRAN_CPU_UNIT_STRIDE_H
