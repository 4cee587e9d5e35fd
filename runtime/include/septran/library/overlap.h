//===- library/overlap.h - do two tensors share memory? -----------*- C++ -*-===//
//
// Two strided tensors share a byte if the distance of two of their elements is less than an
// element. That is an equation in bounded integers: distance = sum of index * stride. It is solved
// by trying the largest strides first; each leaves a small range for the rest, so that blocks of
// one array, side by side or interleaved, are told apart in a few steps. The search is bounded:
// what takes longer counts as sharing memory.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_OVERLAP_H
#define SEPTRAN_LIBRARY_OVERLAP_H

#include <septran/extents.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace septran::library {

/// The bytes of a tensor. Strides are not negative, and the last byte has an address.
struct footprint {
  std::uintptr_t first = 0;
  std::int64_t element_bytes = 1;
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  std::int64_t byte_strides[max_rank] = {};

  bool empty() const { return std::find(extents, extents + rank, 0) != extents + rank; }

  /// From the first byte behind to the first one. Needs elements.
  std::int64_t span() const {
    std::int64_t bytes = element_bytes;
    for (int d = 0; d < rank; ++d)
      bytes += (extents[d] - 1) * byte_strides[d];
    return bytes;
  }
};

namespace detail {

/// Sorts a handful, in place and with little code.
template <class T, class Less> void sort_few(T *begin, T *end, Less less) {
  for (T *next = begin; next != end; ++next)
    for (T *at = next; at != begin && less(at[0], at[-1]); --at)
      std::swap(at[0], at[-1]);
}

/// Is there a sum of index * stride, with least <= index <= most, in a range?
class bounded_sum {
public:
  void add(std::int64_t stride, std::int64_t least, std::int64_t most) {
    if (stride == 0 || least == most)
      return;
    for (int t = 0; t < terms_; ++t)
      if (term_[t].stride == stride) {
        term_[t].least += least;
        term_[t].most += most;
        return;
      }
    term_[terms_++] = {stride, least, most};
  }

  bool may_be_in(std::int64_t low, std::int64_t high) {
    sort_few(term_, term_ + terms_,
             [](const term &a, const term &b) { return a.stride > b.stride; });
    return search(0, low, high);
  }

private:
  struct term {
    std::int64_t stride, least, most;
  };

  bool search(int from, std::int64_t low, std::int64_t high) {
    if (++steps_ > 2000)
      return true;
    if (from == terms_)
      return low <= 0 && 0 <= high;
    std::int64_t rest_least = 0, rest_most = 0;
    for (int t = from + 1; t < terms_; ++t) {
      rest_least += term_[t].least * term_[t].stride;
      rest_most += term_[t].most * term_[t].stride;
    }
    const term &now = term_[from];
    const std::int64_t begin = std::max(now.least, ceil_div(low - rest_most, now.stride));
    const std::int64_t end = std::min(now.most, floor_div(high - rest_least, now.stride));
    for (std::int64_t index = begin; index <= end; ++index)
      if (search(from + 1, low - index * now.stride, high - index * now.stride))
        return true;
    return false;
  }

  static std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && a < 0);
  }
  static std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return a / b + (a % b != 0 && a > 0);
  }

  term term_[2 * max_rank] = {};
  int terms_ = 0;
  int steps_ = 0;
};

} // namespace detail

/// Whether some byte belongs to both, or the search for one took too long.
inline bool share_memory(const footprint &a, const footprint &b) {
  if (a.empty() || b.empty())
    return false;
  if (a.first + std::uintptr_t(a.span()) <= b.first ||
      b.first + std::uintptr_t(b.span()) <= a.first)
    return false;
  // The difference fits, since the spans meet.
  const std::int64_t distance = std::int64_t(b.first - a.first);
  detail::bounded_sum offset;
  for (int d = 0; d < a.rank; ++d)
    offset.add(a.byte_strides[d], 0, a.extents[d] - 1);
  for (int d = 0; d < b.rank; ++d)
    offset.add(b.byte_strides[d], 1 - b.extents[d], 0);
  return offset.may_be_in(distance - a.element_bytes + 1, distance + b.element_bytes - 1);
}

/// Whether elements of one tensor may share memory: dimensions that are neither nested nor apart.
inline bool shares_with_itself(const footprint &t) {
  if (t.empty())
    return false;
  int order[max_rank];
  int count = 0;
  for (int d = 0; d < t.rank; ++d)
    if (t.extents[d] > 1)
      order[count++] = d;
  detail::sort_few(order, order + count,
                   [&](int a, int b) { return t.byte_strides[a] < t.byte_strides[b]; });
  std::int64_t span = t.element_bytes;
  for (int o = 0; o < count; ++o) {
    if (t.byte_strides[order[o]] < span)
      return true;
    span += (t.extents[order[o]] - 1) * t.byte_strides[order[o]];
  }
  return false;
}

} // namespace septran::library

#endif
