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

namespace septran {

// The compilers' own atomics, and a count of references: <atomic>, <mutex> and <memory> would take longer
// to read than all else that a logic file includes.
namespace detail {

/// What a mapped program made of a constant; <septran/cpu/kept.h> says what there is in it.
struct kept_buffer {
  explicit kept_buffer(const void *place) : place(place) {}
  kept_buffer(const kept_buffer &) = delete;
  kept_buffer &operator=(const kept_buffer &) = delete;
  virtual ~kept_buffer() = default;

  const void *const place;
  kept_buffer *next = nullptr;
};

/// All that was made of one constant, a list that only grows. Copies of the constant share it, and so
/// may threads.
class keeper {
public:
  keeper() = default;
  keeper(const keeper &) = delete;
  keeper &operator=(const keeper &) = delete;
  ~keeper() {
    while (kept_buffer *const buffer = first_) {
      first_ = buffer->next;
      delete buffer;
    }
  }

  /// The buffer that a place in a mapped program's text knows by its own address. Throws
  /// std::bad_alloc.
  template <class Buffer> Buffer &at(const void *place) {
    kept_buffer *first = __atomic_load_n(&first_, __ATOMIC_ACQUIRE), *made = nullptr;
    do {
      for (kept_buffer *buffer = first; buffer; buffer = buffer->next)
        if (buffer->place == place) {
          delete made; // another thread was faster
          return static_cast<Buffer &>(*buffer);
        }
      if (!made)
        made = new Buffer(place);
      made->next = first;
    } while (!__atomic_compare_exchange_n(&first_, &first, made, false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
    return static_cast<Buffer &>(*made);
  }

  void retain() { __atomic_add_fetch(&references_, 1, __ATOMIC_RELAXED); }
  void release() {
    if (__atomic_sub_fetch(&references_, 1, __ATOMIC_ACQ_REL) == 0)
      delete this;
  }

private:
  kept_buffer *first_ = nullptr;
  long references_ = 1;
};

/// One of the references to a keeper, or none.
class shared_keeper {
public:
  shared_keeper() = default;
  explicit shared_keeper(keeper *counted) : keeper_(counted) {}
  shared_keeper(const shared_keeper &other) : keeper_(other.keeper_) {
    if (keeper_)
      keeper_->retain();
  }
  shared_keeper &operator=(const shared_keeper &other) {
    shared_keeper copy(other);
    keeper *const mine = keeper_;
    keeper_ = copy.keeper_;
    copy.keeper_ = mine;
    return *this;
  }
  ~shared_keeper() {
    if (keeper_)
      keeper_->release();
  }

  keeper *get() const { return keeper_; }

private:
  keeper *keeper_ = nullptr;
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

  detail::shared_keeper keeper_;
};

/// A constant for many calls. Throws std::bad_alloc.
template <class T, int R> constant<T, R> make_constant(const tensor<const T, R> &elements) {
  constant<T, R> result(elements);
  result.keeper_ = detail::shared_keeper(new detail::keeper);
  return result;
}

} // namespace septran

#endif
