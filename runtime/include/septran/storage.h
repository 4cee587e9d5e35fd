//===- storage.h - memory that a local or a padded window owns -----------===//
//
// Elements are left uninitialised: a program that reads one before writing it is
// wrong, and neither the plain nor the mapped run should hide that. A checked
// build fills the memory with ones (NaN for every float type) and tracks it.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_STORAGE_H
#define SEPTRAN_STORAGE_H

#include <septran/extents.h>

#include <new>

namespace septran::detail {

/// An owned, uninitialised, 64-byte aligned array. Neither copied nor moved: views point to it.
template <class T> class storage {
  // One cache line, and the widest vector register, of the CPUs in mappings/machines/cpu.
  static constexpr std::align_val_t alignment{64};

public:
  /// An array without memory.
  constexpr storage() = default;

  explicit storage(index_type count) : count_(count > 0 ? count : 0) {
    if (count_ > 0)
      data_ = static_cast<T *>(::operator new(sizeof(T) * std::size_t(count_), alignment));
  }

#ifdef SEPTRAN_CHECKED
  storage(index_type count, const checked::site &where) : storage(count) {
    checked::begin_storage(data_, sizeof(T), std::size_t(count_), where);
  }
#endif

  storage(const storage &) = delete;
  storage &operator=(const storage &) = delete;

  ~storage() {
#ifdef SEPTRAN_CHECKED
    checked::end_storage(data_, sizeof(T), std::size_t(count_));
#endif
    ::operator delete(data_, alignment);
  }

  T *data() const { return data_; }

private:
  T *data_ = nullptr;
  index_type count_ = 0;
};

} // namespace septran::detail

#endif
