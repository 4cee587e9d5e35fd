//===- septran/cpu/kept.h - Memory that is kept with a constant -*- C++ -*-===//

#ifndef SEPTRAN_CPU_KEPT_H
#define SEPTRAN_CPU_KEPT_H

#include <septran/constant.h>
#include <septran/cpu/workspace.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>

namespace septran::cpu {

/// What is kept at one place of a mapped program's text.
struct kept_memory : septran::detail::kept_buffer {
  using kept_buffer::kept_buffer;
  ~kept_memory() override { std::free(data); }

  void *data = nullptr; ///< of std::aligned_alloc
  std::mutex filling;   ///< held by the thread that fills it
  std::atomic<bool> is_filled = false;
};

/// `count` elements that follow from a constant. The first thread to get here fills them:
///
///   static constexpr char place = 0;
///   const cpu::kept<float> packed(W, &place, n);
///   if (const auto filling = packed.fill())
///     ... packed.data()[i] = ...;
///
/// With a constant that keeps nothing they are scratch memory, which every call fills.
template <class T> class kept {
public:
  /// True for the one who has to fill the elements. Others wait until that object is gone; if an
  /// exception was why, one of them is next.
  class filling {
  public:
    explicit filling(kept_memory *buffer) : buffer_(buffer) {
      if (!buffer_ || buffer_->is_filled.load(std::memory_order_acquire))
        return;
      lock_ = std::unique_lock(buffer_->filling);
      if (buffer_->is_filled.load(std::memory_order_relaxed))
        lock_.unlock();
    }
    filling(const filling &) = delete;
    filling &operator=(const filling &) = delete;
    ~filling() {
      if (lock_.owns_lock() && std::uncaught_exceptions() == exceptions_)
        buffer_->is_filled.store(true, std::memory_order_release);
    }
    explicit operator bool() const { return !buffer_ || lock_.owns_lock(); }

  private:
    kept_memory *buffer_; // null: nothing is kept
    std::unique_lock<std::mutex> lock_;
    int exceptions_ = std::uncaught_exceptions();
  };

  /// Throws std::bad_alloc where there is no such memory. A count below 1 takes nothing.
  template <class U, int R>
  kept(const septran::constant<U, R> &from, const void *place, std::ptrdiff_t count) {
    if (septran::detail::keeper *const keeper = from.keeper()) {
      buffer_ = &keeper->at<kept_memory>(place);
      const std::lock_guard lock(buffer_->filling);
      if (std::size_t bytes = bytes_of<T>(count); bytes > 0 && !buffer_->data)
        buffer_->data = workspace::allocate(bytes);
      data_ = static_cast<T *>(buffer_->data);
    } else {
      data_ = scratch_.emplace(count).data();
    }
  }
  kept(const kept &) = delete;
  kept &operator=(const kept &) = delete;

  T *data() const { return data_; }
  filling fill() const { return filling(buffer_); }

private:
  kept_memory *buffer_ = nullptr;
  std::optional<scratch<T>> scratch_;
  T *data_ = nullptr;
};

} // namespace septran::cpu

#endif // SEPTRAN_CPU_KEPT_H
