//===- septran/cpu/unit_stride.h - Arguments with neighbours ----*- C++ -*-===//
//
// Vector code reads neighbours of the last dimension at once. A tensor whose last stride is 1 is used
// as it is; any other one is worked on in a contiguous copy, which is written back at the end.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_UNIT_STRIDE_H
#define SEPTRAN_CPU_UNIT_STRIDE_H

#include <septran/tensor.h>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace septran::cpu {

enum class access { read, read_write };

/// The elements of a tensor with last stride 1, for the lifetime of the object.
template <class T, int R> class unit_stride {
  using element = std::remove_const_t<T>;
  tensor<T, R> original;
  std::unique_ptr<element[]> copy; // null: the original serves
  std::ptrdiff_t steps[R];

  std::ptrdiff_t count() const {
    std::ptrdiff_t n = 1;
    for (int d = 0; d < R; ++d)
      n *= original.extent(d);
    return n;
  }

  /// Calls f(offset in the original, offset in the copy) for every element.
  template <class F> void each(F f, int d = 0, std::ptrdiff_t from = 0, std::ptrdiff_t to = 0) const {
    for (std::ptrdiff_t i = 0; i < original.extent(d); ++i) {
      const std::ptrdiff_t a = from + i * original.stride(d), b = to + i * steps[d];
      if (d + 1 == R)
        f(a, b);
      else
        each(f, d + 1, a, b);
    }
  }

public:
  unit_stride(tensor<T, R> t, access) : original(t) {
    for (int d = 0; d < R; ++d)
      steps[d] = t.stride(d);
    if (steps[R - 1] == 1 || t.extent(R - 1) <= 1) {
      steps[R - 1] = 1;
      return;
    }
    steps[R - 1] = 1;
    for (int d = R - 1; d > 0; --d)
      steps[d - 1] = steps[d] * t.extent(d);
    copy.reset(new element[static_cast<std::size_t>(count())]);
    each([this](std::ptrdiff_t a, std::ptrdiff_t b) { copy[b] = original.data()[a]; });
  }
  ~unit_stride() {
    if constexpr (!std::is_const_v<T>)
      if (copy)
        each([this](std::ptrdiff_t a, std::ptrdiff_t b) { original.data()[a] = copy[b]; });
  }
  unit_stride(const unit_stride &) = delete;
  unit_stride &operator=(const unit_stride &) = delete;

  T *data() const { return copy ? copy.get() : original.data(); }
  std::ptrdiff_t stride(int d) const { return steps[d]; }
};

} // namespace septran::cpu

#endif // SEPTRAN_CPU_UNIT_STRIDE_H
