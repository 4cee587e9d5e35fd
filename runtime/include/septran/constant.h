//===- constant.h - a tensor whose elements do not change ----------------===//
//
// Weights are passed to many calls. A task that takes them as `septran::constant<T, R>`
// says so, and a mapped program keeps what it makes of them alone, such as packed
// panels. In the plain program a constant is a tensor that is only read.
//
//   const septran::constant<float, 2> W = septran::make_constant(weights);
//   linear(Y1, X1, W);   // mapped: packs W
//   linear(Y2, X2, W);   // finds it packed
//
// Where a plain tensor is passed, the results are the same and nothing is kept.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CONSTANT_H
#define SEPTRAN_CONSTANT_H

#include <septran/tensor.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

namespace septran {

namespace detail {

/// What a mapped program made of a constant.
struct kept_buffer {
  void *data = nullptr; ///< of std::aligned_alloc
  std::mutex filling;   ///< held by the thread that fills it
  std::atomic<bool> is_filled = false;

  kept_buffer() = default;
  kept_buffer(const kept_buffer &) = delete;
  kept_buffer &operator=(const kept_buffer &) = delete;
  ~kept_buffer() { std::free(data); }
};

/// All that was made of one constant. Copies of the constant share it, and so may threads.
class keeper {
public:
  /// The buffer that a place in a mapped program's text knows by its own address.
  kept_buffer &at(const void *place) {
    const std::lock_guard lock(mutex_);
    return buffers_[place];
  }

private:
  std::mutex mutex_;
  std::map<const void *, kept_buffer> buffers_;
};

} // namespace detail

/// A view of elements that stay as they are while this object or a copy of it lives, and are not
/// freed. What mapped programs keep lives as long; they must not be unloaded before.
template <class T, int R> class constant : public tensor<const T, R> {
public:
  /// For one call: nothing is kept.
  constant(const tensor<const T, R> &elements) : tensor<const T, R>(elements) {}

  /// For mapped programs: where they keep what they make; null if nowhere.
  detail::keeper *keeper() const { return keeper_.get(); }

private:
  template <class U, int Rank>
  friend constant<U, Rank> make_constant(const tensor<const U, Rank> &);

  std::shared_ptr<detail::keeper> keeper_;
};

/// A constant for many calls. Throws std::bad_alloc.
template <class T, int R> constant<T, R> make_constant(const tensor<const T, R> &elements) {
  constant<T, R> result(elements);
  result.keeper_ = std::make_shared<detail::keeper>();
  return result;
}

} // namespace septran

#endif
