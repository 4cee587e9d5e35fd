//===- checked/site.h - where in the source an access stands --------------===//
//
// A checked tensor takes its indices as `checked::index`. The conversion from an
// integer has a defaulted argument that the compiler evaluates where the index is
// written: that is how a check knows file, line and function without any change to
// the logic. std::source_location would do the same but is missing from clang 14.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_SITE_H
#define SEPTRAN_CHECKED_SITE_H

#include <cstddef>
#include <type_traits>

#if !defined(__clang__)
#include <source_location> // gcc 12 has no __builtin_COLUMN
#endif

namespace septran::checked {

/// A place in the source. Lines and columns count from 1; line 0 means unknown.
struct site {
  const char *file = "";
  const char *function = "";
  int line = 0;
  int column = 0;

  /// As a default argument: the place of the call that it is the default of.
#if defined(__clang__)
  static constexpr site here(const char *file = __builtin_FILE(),
                             const char *function = __builtin_FUNCTION(),
                             int line = __builtin_LINE(), int column = __builtin_COLUMN()) {
    return {file, function, line, column};
  }
#else
  static constexpr site here(const char *file = __builtin_FILE(),
                             const char *function = __builtin_FUNCTION(),
                             int line = __builtin_LINE(),
                             std::source_location at = std::source_location::current()) {
    return {file, function, line, int(at.column())};
  }
#endif
};

struct index;

/// What may be written as an index: integers, and elements of integer tensors.
template <class I>
inline constexpr bool is_index =
    std::is_convertible_v<I, std::ptrdiff_t> && !std::is_same_v<I, index>;

/// An index and the place where it was written.
struct index {
  template <class I>
    requires is_index<I>
  constexpr index(const I &value, site where = site::here())
      : value(static_cast<std::ptrdiff_t>(value)), where(where) {}

  constexpr operator std::ptrdiff_t() const { return value; }

  std::ptrdiff_t value;
  site where;
};

} // namespace septran::checked

#endif
