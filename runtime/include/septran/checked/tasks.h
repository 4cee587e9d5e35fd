//===- checked/tasks.h - tasks on the call stack, and their arguments -------===//
//
// What instrumented programs and test drivers declare: which tasks are running, and
// what each may do with which memory. Memory that two arguments of a task share may be
// used in every way that one of them grants: `add(x, x, y)` works in place.
//
// Whether a write-only argument has a value is a question of time: an element has one
// for a task if it was written after the task was entered. What it held before, other
// tasks may still use: write-only means that old values are not looked at, not that
// all are replaced.
//
// A write that no tensor sees, through a pointer or a cast reference, is known by its
// effect: read-only arguments are compared with what they held on entry.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_TASKS_H
#define SEPTRAN_CHECKED_TASKS_H

#include <septran/checked/footprint.h>
#include <septran/checked/privilege.h>
#include <septran/checked/site.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace septran::checked::detail {

/// Entries of tasks, counted from 1. 0 is before them all.
using epoch = std::uint64_t;

struct argument {
  std::string name;
  footprint memory;
  privilege granted = privilege::read;
  bool given_away = false;  // a pointer into it was: anybody may have written it
  std::vector<char> before; // contents on entry, of what may only be read
};

/// A task that has been entered and not left.
struct task {
  std::string name;
  site where;
  epoch entered = 0;
  std::vector<argument> arguments;

  /// The argument through which this task may only read the element; null if there is none, or
  /// another that grants more.
  const argument *denies_write(const void *element) const {
    const argument *denied = nullptr;
    for (const argument &a : arguments) {
      if (!a.memory.contains(element))
        continue;
      if (a.granted != privilege::read)
        return nullptr;
      denied = denied != nullptr ? denied : &a;
    }
    return denied;
  }

  /// The write-only argument that hides what the element held on entry; null if there is none, or
  /// another argument that shows it.
  const argument *hides_value(const void *element) const {
    const argument *hiding = nullptr;
    for (const argument &a : arguments) {
      if (!a.memory.contains(element))
        continue;
      if (a.granted != privilege::write || a.given_away)
        return nullptr;
      hiding = hiding != nullptr ? hiding : &a;
    }
    return hiding;
  }
};

inline std::vector<char> contents_of(const footprint &memory) {
  const std::size_t bytes = memory.memory.element_bytes;
  std::vector<char> contents;
  contents.reserve(memory.count() * bytes);
  memory.for_each([&](const char *element, const std::ptrdiff_t *) {
    contents.insert(contents.end(), element, element + bytes);
    return true;
  });
  return contents;
}

/// The value of an element of a read-only argument, when the program last looked at it. If it is
/// another at the next event, the expression that looked has written: `const_cast<T &>(x(i)) = y`.
struct glance {
  static constexpr int max_dimensions = 6;

  const void *element = nullptr;
  char value[16] = {};
  std::size_t bytes = 0;
  site where;
  std::ptrdiff_t index[max_dimensions] = {};
  int rank = 0;

  bool is_stale() const { return element != nullptr && std::memcmp(element, value, bytes) != 0; }
};

} // namespace septran::checked::detail

#endif
