//===- memory.h - the tensors that candidates work on ------------*- C++ -*-===//
//
// Row-major, at the start of a cache line, large ones in huge pages where Linux
// gives them: what somebody who cares about speed would allocate. All candidates of
// a row work on the same tensors.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "common/storage.h" // random_source

#include <septran/septran.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include <sys/mman.h>

namespace septran::bench {

template <class T, int R> class array {
public:
  explicit array(extents_t<R> extents) : extents_(extents) {
    constexpr std::size_t cache_line = 64, huge_page = std::size_t(2) << 20;
    std::size_t bytes = sizeof(T) * static_cast<std::size_t>(extents.count());
    const std::size_t alignment = bytes >= huge_page ? huge_page : cache_line;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    elements_.reset(static_cast<T *>(std::aligned_alloc(alignment, bytes)));
    if (!elements_)
      throw std::bad_alloc();
    if (alignment == huge_page)
      madvise(elements_.get(), bytes, MADV_HUGEPAGE); // advice: nothing is lost if refused
    fill(T(0));
  }

  tensor<T, R> view() const { return {elements_.get(), extents_}; }
  T *data() const { return elements_.get(); }
  index_type size() const { return extents_.count(); }

  /// Its memory, in as many floats as there is room for: the elements may be of another size.
  std::span<const float> floats() const {
    return {reinterpret_cast<const float *>(data()),
            static_cast<std::size_t>(size()) * sizeof(T) / sizeof(float)};
  }

  void fill(T value) {
    for (index_type i = 0; i < size(); ++i)
      elements_.get()[i] = value;
  }

  /// The same numbers for the same seed.
  void randomize(std::uint64_t seed, double low, double high) {
    example::random_source random(seed);
    for (index_type i = 0; i < size(); ++i)
      elements_.get()[i] = static_cast<T>(random.uniform(low, high));
  }

  /// Makes elements that nobody writes show.
  void poison() { fill(std::numeric_limits<T>::quiet_NaN()); }

  std::vector<double> values() const {
    return std::vector<double>(elements_.get(), elements_.get() + size());
  }

private:
  struct release {
    void operator()(T *elements) const { std::free(elements); }
  };
  extents_t<R> extents_;
  std::unique_ptr<T[], release> elements_;
};

} // namespace septran::bench
