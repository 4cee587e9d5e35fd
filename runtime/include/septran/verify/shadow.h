//===- verify/shadow.h - arguments of a reference evaluation ---------------===//
//
// Copies of the arguments whose floating-point elements are `real` numbers, and the way
// back: for every element its value and a bound on the error of any other evaluation.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VERIFY_SHADOW_H
#define SEPTRAN_VERIFY_SHADOW_H

#include <septran/verify/call.h>
#include <septran/verify/reference.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace septran::verify {

namespace detail {

template <class T> struct shadow {
  using type = T;
};
template <floating T> struct shadow<T> {
  using type = real<T>;
};

} // namespace detail

/// The type that stands for T in a reference evaluation.
template <class T> using shadow_t = typename detail::shadow<T>::type;

template <class T> shadow_t<T> scalar_shadow(const argument &a) { return scalar_argument<T>(a); }

template <class T, int R> class tensor_shadow {
  extents_t<R> extents_;
  std::size_t count_ = 1;
  shadow_t<T> *elements_;

  struct result {
    double value, bound;
  };

  static result of(const shadow_t<T> &x) {
    if constexpr (floating<T>) {
      const auto wide = x.settled().value;
      const auto value = static_cast<double>(wide);
      // The value itself may be rounded on its way into a double.
      const auto bound = static_cast<double>(x.bound());
      if (!(bound < std::numeric_limits<double>::infinity()))
        return {value, std::numeric_limits<double>::infinity()};
      return {value, bound > 0 ? bound + std::fabs(value) * 0x1p-52 : 0};
    } else {
      return {static_cast<double>(x), 0};
    }
  }

public:
  explicit tensor_shadow(const argument &a) {
    const tensor<const T, R> from = tensor_argument<const T, R>(a);
    extents_ = from.extents();
    for (int d = 0; d < R; ++d)
      count_ *= static_cast<std::size_t>(extents_[d]);
    elements_ = new shadow_t<T>[count_];
    index_type at[R > 0 ? R : 1] = {};
    for (std::size_t i = 0; i < count_; ++i) {
      index_type offset = 0;
      for (int d = 0; d < R; ++d)
        offset += at[d] * from.stride(d);
      elements_[i] = from.data()[offset];
      for (int d = R - 1; d >= 0 && ++at[d] == extents_[d]; --d)
        at[d] = 0;
    }
  }

  tensor_shadow(const tensor_shadow &) = delete;
  tensor_shadow &operator=(const tensor_shadow &) = delete;
  ~tensor_shadow() { delete[] elements_; }

  tensor<shadow_t<T>, R> writable() { return {elements_, extents_}; }
  tensor<const shadow_t<T>, R> readable() const { return {elements_, extents_}; }

  /// Values and bounds, row-major.
  void store(const argument &a) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const result r = of(elements_[i]);
      a.values[i] = r.value;
      a.bounds[i] = r.bound;
    }
  }

  /// The same where another evaluation took the other way at every comparison that rounding may
  /// decide: what either of them gives is right.
  void store(const argument &a, const tensor_shadow &other) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const result r = of(elements_[i]), s = of(other.elements_[i]);
      a.values[i] = r.value;
      const bool same = r.value == s.value || (std::isnan(r.value) && std::isnan(s.value));
      if (same)
        a.bounds[i] = std::fmax(r.bound, s.bound);
      else if (floating<T> && std::isfinite(r.value) && std::isfinite(s.value))
        a.bounds[i] = std::fmax(r.bound, std::fabs(r.value - s.value) + s.bound);
      else
        a.bounds[i] = std::numeric_limits<double>::infinity();
    }
  }
};

} // namespace septran::verify

#endif
