//===- library/checked_int.h - integers that know when they are none -*- C++ -*-===//
//
// Relations between extents are computed on numbers that a caller made up. A result that overflows,
// or a quotient by zero, is no value, and neither is what is computed from it.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_CHECKED_INT_H
#define SEPTRAN_LIBRARY_CHECKED_INT_H

#include <cstdint>
#include <limits>

namespace septran::library {

class checked_int {
public:
  constexpr checked_int(std::int64_t value) : value_(value) {}
  static constexpr checked_int none() { return checked_int(0, false); }

  constexpr bool has_value() const { return valid_; }
  constexpr std::int64_t value() const { return value_; }
  constexpr explicit operator bool() const { return valid_ && value_ != 0; }

  friend constexpr checked_int operator+(checked_int a, checked_int b) {
    std::int64_t sum = 0;
    const bool fits = !__builtin_add_overflow(a.value_, b.value_, &sum);
    return {sum, fits && both(a, b)};
  }
  friend constexpr checked_int operator-(checked_int a, checked_int b) {
    std::int64_t difference = 0;
    const bool fits = !__builtin_sub_overflow(a.value_, b.value_, &difference);
    return {difference, fits && both(a, b)};
  }
  friend constexpr checked_int operator*(checked_int a, checked_int b) {
    std::int64_t product = 0;
    const bool fits = !__builtin_mul_overflow(a.value_, b.value_, &product);
    return {product, fits && both(a, b)};
  }
  friend constexpr checked_int operator/(checked_int a, checked_int b) {
    return divisible(a, b) ? checked_int(a.value_ / b.value_) : none();
  }
  friend constexpr checked_int operator%(checked_int a, checked_int b) {
    return divisible(a, b) ? checked_int(a.value_ % b.value_) : none();
  }
  friend constexpr checked_int operator-(checked_int a) { return checked_int(0) - a; }
  friend constexpr checked_int operator!(checked_int a) { return {a.value_ == 0, a.valid_}; }

  friend constexpr checked_int operator<(checked_int a, checked_int b) {
    return {a.value_ < b.value_, both(a, b)};
  }
  friend constexpr checked_int operator>(checked_int a, checked_int b) { return b < a; }
  friend constexpr checked_int operator<=(checked_int a, checked_int b) { return !(b < a); }
  friend constexpr checked_int operator>=(checked_int a, checked_int b) { return !(a < b); }
  friend constexpr checked_int operator==(checked_int a, checked_int b) {
    return {a.value_ == b.value_, both(a, b)};
  }
  friend constexpr checked_int operator!=(checked_int a, checked_int b) { return !(a == b); }
  friend constexpr checked_int operator&&(checked_int a, checked_int b) {
    return {a.value_ && b.value_, both(a, b)};
  }
  friend constexpr checked_int operator||(checked_int a, checked_int b) {
    return {a.value_ || b.value_, both(a, b)};
  }

  friend constexpr checked_int min(checked_int a, checked_int b) {
    return {b.value_ < a.value_ ? b.value_ : a.value_, both(a, b)};
  }
  friend constexpr checked_int max(checked_int a, checked_int b) {
    return {a.value_ < b.value_ ? b.value_ : a.value_, both(a, b)};
  }
  /// ceil(a / b) for a >= 0; 0 if b is 0.
  friend constexpr checked_int ceil_div(checked_int a, checked_int b) {
    return b.value_ == 0 ? checked_int(0, both(a, b)) : (a + b - 1) / b;
  }

private:
  constexpr checked_int(std::int64_t value, bool valid)
      : value_(valid ? value : 0), valid_(valid) {}

  static constexpr bool both(checked_int a, checked_int b) { return a.valid_ && b.valid_; }
  static constexpr bool divisible(checked_int a, checked_int b) {
    return both(a, b) && b.value_ != 0 &&
           !(a.value_ == std::numeric_limits<std::int64_t>::min() && b.value_ == -1);
  }

  std::int64_t value_ = 0;
  bool valid_ = true;
};

} // namespace septran::library

#endif
