//===- checked/footprint.h - which memory a tensor covers ------------------===//
//
// The elements of a tensor, without its type. Tensors of one memory may interleave: the
// left and the right half of a matrix span nearly the same bytes and share no element.
// So membership is decided by the strides, largest first, which is exact wherever a
// larger stride steps over everything that the smaller ones reach. Layouts in which it
// does not, and rows overlap, count as all that they span.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_FOOTPRINT_H
#define SEPTRAN_CHECKED_FOOTPRINT_H

#include <cstddef>
#include <cstdint>

namespace septran::checked::detail {

/// The memory that a tensor spans, gaps between its rows included: [first, last).
struct span {
  const char *first = nullptr;
  const char *last = nullptr;
  std::size_t element_bytes = 1;

  bool contains(const void *p) const {
    return number(p) >= number(first) && number(p) < number(last);
  }
  bool meets(const span &other) const {
    return number(first) < number(other.last) && number(other.first) < number(last);
  }

private:
  /// Numbers have an order where pointers into different arrays need none. std::less would do, in a
  /// header that takes longer to compile than all of these.
  static std::uintptr_t number(const void *p) { return reinterpret_cast<std::uintptr_t>(p); }
};

class footprint {
  static constexpr int max_dimensions = 6;

public:
  span memory;

  footprint() = default;

  footprint(const void *data, std::size_t element_bytes, const std::ptrdiff_t *extents,
            const std::ptrdiff_t *strides, int rank)
      : data_(static_cast<const char *>(data)), rank_(rank) {
    std::ptrdiff_t low = 0, high = 0;
    for (int d = 0; d < rank; ++d) {
      if (extents[d] <= 0)
        rank_ = -1;
      extents_[d] = strides[d] == 0 ? 1 : extents[d]; // what is repeated counts once
      strides_[d] = strides[d];
      const std::ptrdiff_t reach = (extents[d] - 1) * strides[d];
      (reach < 0 ? low : high) += reach;
    }
    if (rank_ < 0)
      return;
    const auto bytes = static_cast<std::ptrdiff_t>(element_bytes);
    memory = {data_ + low * bytes, data_ + (high + 1) * bytes, element_bytes};
    sort_steps();
  }

  bool empty() const { return rank_ < 0; }
  int rank() const { return rank_; }
  /// Number of elements.
  std::size_t count() const {
    std::size_t n = empty() ? 0 : 1;
    for (int d = 0; d < rank_; ++d)
      n *= std::size_t(extents_[d]);
    return n;
  }

  /// Is the element at `p` one of these?
  bool contains(const void *p) const {
    if (!memory.contains(p))
      return false;
    if (!nested_)
      return true;
    std::ptrdiff_t left = (static_cast<const char *>(p) - memory.first) /
                          static_cast<std::ptrdiff_t>(memory.element_bytes);
    for (int s = 0; s < steps_; ++s)
      left -= (left / step_[s] < last_[s] ? left / step_[s] : last_[s]) * step_[s];
    return left == 0;
  }

  /// Calls visit(element, index) for every element, last index fastest, until it returns false.
  template <class Visit> void for_each(Visit visit) const {
    std::ptrdiff_t at[max_dimensions + 1] = {};
    for (std::size_t n = count(); n > 0; --n) {
      std::ptrdiff_t offset = 0;
      for (int d = 0; d < rank_; ++d)
        offset += at[d] * strides_[d];
      if (!visit(data_ + offset * static_cast<std::ptrdiff_t>(memory.element_bytes), at))
        return;
      for (int d = rank_ - 1; d >= 0 && ++at[d] == extents_[d]; --d)
        at[d] = 0;
    }
  }

private:
  /// Dimensions that move, by the size of their stride; negative strides seen from their other end.
  void sort_steps() {
    for (int d = 0; d < rank_; ++d) {
      if (extents_[d] == 1)
        continue;
      const std::ptrdiff_t step = strides_[d] < 0 ? -strides_[d] : strides_[d];
      int s = steps_++;
      for (; s > 0 && step_[s - 1] < step; --s) {
        step_[s] = step_[s - 1];
        last_[s] = last_[s - 1];
      }
      step_[s] = step;
      last_[s] = extents_[d] - 1;
    }
    std::ptrdiff_t reach = 0;
    for (int s = steps_ - 1; s >= 0; --s) {
      nested_ = nested_ && step_[s] > reach;
      reach += last_[s] * step_[s];
    }
  }

  const char *data_ = nullptr;
  int rank_ = -1;
  std::ptrdiff_t extents_[max_dimensions] = {}, strides_[max_dimensions] = {};
  int steps_ = 0;
  std::ptrdiff_t step_[max_dimensions] = {}, last_[max_dimensions] = {};
  bool nested_ = true;
};

} // namespace septran::checked::detail

#endif
