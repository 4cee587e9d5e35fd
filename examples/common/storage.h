//===- storage.h - tensors that own their elements, for drivers --*- C++ -*-===//
//
// septran::tensor is a view. A driver owns the memory behind it in a `storage`,
// row-major, and where it is asked to, with a gap after every row: callers' tensors
// are often parts of larger ones, and an entry point must not write between the rows.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/septran.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace example {

/// The same numbers on every machine and with every standard library (SplitMix64, Steele, Lea and
/// Flood 2014).
class random_source {
public:
  explicit random_source(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// Uniform in [low, high), a multiple of (high - low) / 2^24.
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 40) / 16777216.0);
  }

private:
  std::uint64_t state_;
};

template <class T, std::size_t Rank> class storage {
public:
  /// `gap` elements follow every row; they hold a pattern that nobody may change.
  explicit storage(const std::array<int, Rank> &extents, int gap = 0) : extents_(extents) {
    std::ptrdiff_t count = 1;
    for (std::size_t d = Rank; d-- > 0;) {
      strides_[d] = count;
      count *= extents[d] + (d + 1 == Rank ? gap : 0);
    }
    elements_.assign(static_cast<std::size_t>(count), pattern());
  }

  septran::tensor<T, int(Rank)> view() {
    septran::extents_t<int(Rank)> extents, strides;
    for (std::size_t d = 0; d < Rank; ++d) {
      extents[int(d)] = extents_[d];
      strides[int(d)] = strides_[d];
    }
    return {elements_.data(), extents, strides};
  }

  /// Calls `visit` with every element, in row-major order.
  template <class Visit> void each(Visit visit) {
    rows([&](std::ptrdiff_t row) {
      for (int i = 0; i < extents_[Rank - 1]; ++i)
        visit(elements_[static_cast<std::size_t>(row + i)]);
    });
  }

  void randomize(random_source &random, double low = -1, double high = 1) {
    each([&](T &x) { x = T(static_cast<float>(random.uniform(low, high))); });
  }

  void assign(T value) {
    each([&](T &x) { x = value; });
  }

  double sum() {
    double total = 0;
    each([&](T &x) { total += static_cast<double>(x); });
    return total;
  }

  /// False if something was written between the rows.
  bool gaps_intact() {
    std::ptrdiff_t next = 0;
    bool intact = true;
    const auto check_until = [&](std::ptrdiff_t end) {
      for (; next < end; ++next)
        intact = intact && same_bits(elements_[static_cast<std::size_t>(next)]);
    };
    rows([&](std::ptrdiff_t row) {
      check_until(row);
      next = row + extents_[Rank - 1];
    });
    check_until(static_cast<std::ptrdiff_t>(elements_.size()));
    return intact;
  }

  /// Writes the elements, without gaps, in the machine's byte order.
  bool save(const std::string &path) {
    std::FILE *file = std::fopen(path.c_str(), "wb");
    bool good = file != nullptr;
    rows([&](std::ptrdiff_t row) {
      const auto count = static_cast<std::size_t>(extents_[Rank - 1]);
      good = good && std::fwrite(elements_.data() + row, sizeof(T), count, file) == count;
    });
    if (file && std::fclose(file) != 0)
      good = false;
    if (!good)
      std::fprintf(stderr, "cannot write '%s'\n", path.c_str());
    return good;
  }

private:
  static T pattern() { return T(77); }
  static bool same_bits(const T &x) { return x == pattern(); }

  /// Calls `visit` with the position of every row's first element.
  template <class Visit> void rows(Visit visit) {
    if (std::find(extents_.begin(), extents_.end(), 0) != extents_.end())
      return;
    std::array<int, Rank> index{};
    for (;;) {
      std::ptrdiff_t row = 0;
      for (std::size_t d = 0; d < Rank; ++d)
        row += index[d] * strides_[d];
      visit(row);
      std::size_t d = Rank - 1;
      while (d > 0 && ++index[d - 1] == extents_[d - 1])
        index[--d] = 0;
      if (d == 0)
        return;
    }
  }

  std::array<int, Rank> extents_;
  std::array<std::ptrdiff_t, Rank> strides_{};
  std::vector<T> elements_;
};

} // namespace example
