//===- library/arguments.h - what a caller handed over ------------*- C++ -*-===//
//
// Tables say what a kernel's parameters are; the functions here compare the arguments of a call
// with them. Nothing of a tensor's memory is read.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_ARGUMENTS_H
#define SEPTRAN_LIBRARY_ARGUMENTS_H

#include <septran/dlpack.h>
#include <septran/library/checked_int.h>
#include <septran/library/overlap.h>
#include <septran/library/status.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace septran::library {

// The layout of DLTensor in dlpack.h on 64-bit platforms, which C headers of libraries repeat.
static_assert(sizeof(void *) == 8 && sizeof(dlpack_tensor) == 48);
static_assert(offsetof(dlpack_tensor, data) == 0 && offsetof(dlpack_tensor, device) == 8 &&
              offsetof(dlpack_tensor, ndim) == 16 && offsetof(dlpack_tensor, dtype) == 20 &&
              offsetof(dlpack_tensor, shape) == 24 && offsetof(dlpack_tensor, strides) == 32 &&
              offsetof(dlpack_tensor, byte_offset) == 40);
static_assert(sizeof(dlpack_device) == 8 && sizeof(dlpack_type) == 4 &&
              offsetof(dlpack_type, lanes) == 2);

/// Where the caller's tensor is.
enum class place { host, cuda, hip };

/// One parameter of a kernel.
struct parameter {
  const char *name;
  int rank;         ///< -1: a scalar
  dlpack_type type; ///< of a tensor's elements, as are the next two
  int element_bytes, alignment;
  bool written;
  library::place place;

  constexpr bool is_tensor() const { return rank >= 0; }
};

template <class T, int R>
constexpr parameter tensor_parameter(const char *name, place where = place::host) {
  return {name, R, dlpack_type_of<T>, int(sizeof(T)), int(alignof(T)), !std::is_const_v<T>, where};
}
constexpr parameter scalar_parameter(const char *name) {
  return {name, -1, {}, 0, 0, false, place::host};
}

/// The argument of a call for one parameter.
struct argument {
  const dlpack_tensor *tensor = nullptr;
  std::int64_t integer = 0; ///< value of an integer scalar

  argument(const dlpack_tensor *t) : tensor(t) {}
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  argument(T value) : integer(std::is_integral_v<T> ? std::int64_t(value) : 0) {}
};

namespace detail {

/// The name of an element type. Like all texts here it does without std::string, of which a library
/// would export what the compiler makes of it.
struct type_name {
  char text[64];

  explicit type_name(const dlpack_type &t) {
    static constexpr const char *kinds[] = {"i", "u", "f", "handle", "bf", "c", "bool"};
    constexpr unsigned bool_code = 6;
    char kind[32];
    if (t.code < sizeof kinds / sizeof *kinds)
      std::snprintf(kind, sizeof kind, "%s", kinds[t.code]);
    else
      std::snprintf(kind, sizeof kind, "%s",
                    t.code == 10   ? "f8e4m3 of "
                    : t.code == 12 ? "f8e5m2 of "
                                   : "an unknown kind of ");
    char bits[16] = "";
    if (t.code != bool_code)
      std::snprintf(bits, sizeof bits, "%u", unsigned(t.bits));
    char lanes[16] = "";
    if (t.lanes != 1)
      std::snprintf(lanes, sizeof lanes, " x %u", unsigned(t.lanes));
    std::snprintf(text, sizeof text, "%s%s%s", kind, bits, lanes);
  }
};

/// Older producers have no code for bool, and call it an unsigned byte.
inline bool same_type(const dlpack_type &found, const dlpack_type &wanted) {
  constexpr unsigned bool_code = 6, unsigned_code = 1;
  return found.bits == wanted.bits && found.lanes == 1 &&
         (found.code == wanted.code || (wanted.code == bool_code && found.code == unsigned_code));
}

/// dlpack.h: kDLCPU, kDLCUDAHost, kDLROCMHost.
inline bool is_host(std::int32_t device_type) {
  return device_type == 1 || device_type == 3 || device_type == 11;
}

/// dlpack.h: kDLCUDA, kDLCUDAManaged, kDLROCM.
inline bool is_at(place where, std::int32_t device_type) {
  return where == place::host   ? is_host(device_type)
         : where == place::cuda ? device_type == 2 || device_type == 13
                                : device_type == 10;
}

/// Rank and shape: what must be so before extents are looked at.
inline status check_rank(const char *kernel, const parameter &p, const dlpack_tensor *t,
                         error_text &error) {
  if (!t)
    return error.set(status::null_argument, "%s: %s is a null pointer; expected a tensor", kernel,
                     p.name);
  if (t->ndim != p.rank)
    return error.set(status::wrong_rank, "%s: %s has %d dimension%s; expected %d", kernel, p.name,
                     int(t->ndim), t->ndim == 1 ? "" : "s", p.rank);
  if (p.rank > 0 && !t->shape)
    return error.set(status::null_argument, "%s: %s has no shape; expected %d extents", kernel,
                     p.name, p.rank);
  return status::success;
}

inline status check_kind(const char *kernel, const parameter &p, const dlpack_tensor &t,
                         error_text &error) {
  if (!same_type(t.dtype, p.type))
    return error.set(status::wrong_type, "%s: %s has elements of type %s; expected %s", kernel,
                     p.name, type_name(t.dtype).text, type_name(p.type).text);
  if (!is_at(p.place, t.device.device_type))
    return error.set(status::wrong_device,
                     "%s: %s is on a device of type %d; expected memory of %s", kernel, p.name,
                     int(t.device.device_type),
                     p.place == place::host   ? "the host, type 1"
                     : p.place == place::cuda ? "a CUDA device, type 2"
                                              : "a ROCm device, type 10");
  return status::success;
}

/// Extents, strides and memory; `bytes` becomes the place of the tensor.
inline status check_memory(const char *kernel, const parameter &p, const dlpack_tensor &t,
                           footprint &bytes, error_text &error) {
  // Sums of two such spans still fit.
  constexpr std::int64_t most_bytes = std::int64_t(1) << 61;
  bytes.element_bytes = p.element_bytes;
  bytes.rank = p.rank;
  checked_int count = p.element_bytes;
  for (int d = 0; d < p.rank; ++d) {
    if (t.shape[d] < 0)
      return error.set(status::wrong_shape, "%s: %s[%d] is %lld; expected 0 or more", kernel,
                       p.name, d, static_cast<long long>(t.shape[d]));
    bytes.extents[d] = t.shape[d];
    count = count * t.shape[d];
  }
  checked_int span = p.element_bytes, row = p.element_bytes;
  for (int d = p.rank - 1; d >= 0; --d) {
    const checked_int stride = t.strides ? checked_int(t.strides[d]) * p.element_bytes : row;
    if (t.strides && t.shape[d] > 1 && t.strides[d] < 0)
      return error.set(status::unsupported_stride,
                       "%s: stride %d of %s is %lld; expected 0 or more, as a copy has", kernel, d,
                       p.name, static_cast<long long>(t.strides[d]));
    row = row * t.shape[d];
    // A stride that no index uses may be anything.
    bytes.byte_strides[d] = t.shape[d] > 1 ? stride.value() : 0;
    if (t.shape[d] > 1)
      span = span + stride * (t.shape[d] - 1);
  }
  if (bytes.empty())
    return status::success;
  if (!count.has_value() || !span.has_value() || count.value() > most_bytes ||
      span.value() > most_bytes)
    return error.set(status::wrong_shape, "%s: %s has more elements than memory can hold", kernel,
                     p.name);
  if (!t.data)
    return error.set(status::null_data, "%s: %s has elements, but no memory", kernel, p.name);
  bytes.first = reinterpret_cast<std::uintptr_t>(t.data) + std::uintptr_t(t.byte_offset);
  if (bytes.first % std::uintptr_t(p.alignment) != 0)
    return error.set(status::misaligned,
                     "%s: %s begins at address %#llx; expected a multiple of %d", kernel, p.name,
                     static_cast<unsigned long long>(bytes.first), p.alignment);
  if (bytes.first + std::uintptr_t(span.value()) < bytes.first)
    return error.set(status::wrong_shape, "%s: %s goes past the end of memory", kernel, p.name);
  if (p.written && shares_with_itself(bytes))
    return error.set(status::unsupported_stride,
                     "%s: elements of %s share memory, but %s is written; expected strides that "
                     "keep them apart",
                     kernel, p.name, p.name);
  return status::success;
}

} // namespace detail

/// The tensor of an argument that has been checked.
template <class T, int R> tensor<T, R> view(const dlpack_tensor &t) {
  return septran::detail::described_by<T, R>(t);
}

} // namespace septran::library

#endif
