//===- dlpack.h - tensors from and to DLPack -------------------------------===//
//
// DLPack (github.com/dmlc/dlpack, version 1) is the C struct by which array libraries
// hand tensors to each other. The functions here work with any struct that has
// DLTensor's members; `dlpack_tensor` has them, in the same order and sizes, for
// programs that do not include dlpack.h itself. No element is copied, and nothing is
// owned: the memory, and the shape of an exported tensor, must outlive their use.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_DLPACK_H
#define SEPTRAN_DLPACK_H

#include <septran/float_types.h>
#include <septran/tensor.h>

#include <cstdint>
#include <stdexcept>
#include <type_traits>

namespace septran {

/// DLDevice: `device_type` 1 is the CPU.
struct dlpack_device {
  std::int32_t device_type;
  std::int32_t device_id;
};

/// DLDataType: kind of number, its size in bits, and 1 lane.
struct dlpack_type {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

/// DLTensor. Strides count elements; a null `strides` means row-major.
struct dlpack_tensor {
  void *data;
  dlpack_device device;
  std::int32_t ndim;
  dlpack_type dtype;
  std::int64_t *shape;
  std::int64_t *strides;
  std::uint64_t byte_offset;
};

namespace detail {

// Values of DLDeviceType and DLDataTypeCode in dlpack.h 1.1.
inline constexpr std::int32_t dlpack_cpu = 1;
inline constexpr std::int32_t dlpack_cuda_host = 3;

template <class T> constexpr std::uint8_t dlpack_code() {
  if constexpr (std::is_same_v<T, bool>)
    return 6;
  else if constexpr (std::is_integral_v<T>)
    return std::is_signed_v<T> ? 0 : 1;
  else if constexpr (std::is_same_v<T, bfloat16>)
    return 4;
  else if constexpr (std::is_same_v<T, float8_e4m3>)
    return 10; // e4m3fn
  else if constexpr (std::is_same_v<T, float8_e5m2>)
    return 12;
  else {
    static_assert(std::is_floating_point_v<T> || std::is_same_v<T, float16>,
                  "DLPack has no code for this element type");
    return 2;
  }
}

} // namespace detail

/// The DLPack type of elements of type T.
template <class T>
inline constexpr dlpack_type dlpack_type_of = {detail::dlpack_code<std::remove_cv_t<T>>(),
                                               std::uint8_t(8 * sizeof(T)), 1};

namespace detail {
/// The tensor that `t` describes, whose rank, type and place somebody has looked at.
template <class T, int R, class DLTensor> tensor<T, R> described_by(const DLTensor &t) {
  extents_t<R> extents;
  for (int d = 0; d < R; ++d)
    extents[d] = static_cast<index_type>(t.shape[d]);
  extents_t<R> strides = row_major_strides(extents);
  for (int d = 0; d < R && t.strides != nullptr; ++d)
    strides[d] = static_cast<index_type>(t.strides[d]);
  if (t.data == nullptr) // how DLPack says that there is no element
    return tensor<T, R>(nullptr, extents, strides);
  return tensor<T, R>(reinterpret_cast<T *>(static_cast<char *>(t.data) + t.byte_offset), extents,
                      strides);
}
} // namespace detail

/// The tensor that `t` describes: from_dlpack<float, 2>(dl). Throws std::invalid_argument if rank
/// or element type differ from T and R, or if the memory is not the host's.
template <class T, int R, class DLTensor> tensor<T, R> from_dlpack(const DLTensor &t) {
  constexpr dlpack_type expected = dlpack_type_of<T>;
  if (t.ndim != R)
    throw std::invalid_argument("from_dlpack: the number of dimensions differs");
  if (t.dtype.code != expected.code || t.dtype.bits != expected.bits || t.dtype.lanes != 1)
    throw std::invalid_argument("from_dlpack: the element type differs");
  if (t.device.device_type != detail::dlpack_cpu &&
      t.device.device_type != detail::dlpack_cuda_host)
    throw std::invalid_argument("from_dlpack: the memory is not that of the host");
  return detail::described_by<T, R>(t);
}

/// A tensor as DLPack sees it, with the arrays that the struct points to. `DLTensor` may be the
/// struct of dlpack.h. DLPack cannot say that elements are read-only.
template <class T, int R, class DLTensor = dlpack_tensor> class to_dlpack {
public:
  explicit to_dlpack(const tensor<T, R> &t) {
    for (int d = 0; d < R; ++d) {
      shape_[d] = t.extent(d);
      strides_[d] = t.stride(d);
    }
    tensor_.data = const_cast<std::remove_const_t<T> *>(t.data());
    tensor_.device.device_type = decltype(tensor_.device.device_type)(detail::dlpack_cpu);
    tensor_.device.device_id = 0;
    tensor_.ndim = R;
    tensor_.dtype.code = dlpack_type_of<T>.code;
    tensor_.dtype.bits = dlpack_type_of<T>.bits;
    tensor_.dtype.lanes = 1;
    tensor_.shape = shape_;
    tensor_.strides = strides_;
    tensor_.byte_offset = 0;
  }

  to_dlpack(const to_dlpack &) = delete;
  to_dlpack &operator=(const to_dlpack &) = delete;

  DLTensor &get() { return tensor_; }

private:
  std::int64_t shape_[R == 0 ? 1 : R] = {};
  std::int64_t strides_[R == 0 ? 1 : R] = {};
  DLTensor tensor_{};
};

} // namespace septran

#endif
