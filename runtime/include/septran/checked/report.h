//===- checked/report.h - what a failed check says, and to whom -----------===//
//
// A failed check goes to a handler. The default one prints the message and the
// source line to stderr and aborts. A handler may throw; if it returns, the access
// is skipped: a read gives zero, a write does nothing, a block index becomes 0.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_REPORT_H
#define SEPTRAN_CHECKED_REPORT_H

#include <septran/checked/source.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace septran::checked {

/// The rules that a checked run enforces.
enum class rule {
  bounds,    ///< an element or block outside its tensor
  privilege, ///< a write of an argument that a task on the call stack may only read
  unwritten, ///< a read of an element that has no value yet
  overlap,   ///< two parallel iterations share an element, and one writes it
};

/// A failed check.
struct failure {
  rule broken;
  std::string task;                  ///< function that made the access, or the innermost task
  std::string argument;              ///< the tensor, as it is called there; may be empty
  std::vector<std::ptrdiff_t> index; ///< as written, that is relative to the tensor
  site where;                        ///< line 0 if unknown
  std::string message;               ///< one line, with file and line in front
};

using handler = void (*)(const failure &);

namespace detail {

inline void print_and_abort(const failure &f) {
  std::fprintf(stderr, "%s\n", f.message.c_str());
  if (const std::string line = line_at(f.where); !line.empty())
    std::fprintf(stderr, "%5d | %s\n", f.where.line, line.c_str());
  std::abort();
}

inline handler &current_handler() {
  static thread_local handler current = print_and_abort;
  return current;
}

inline const char *identifier(rule broken) {
  switch (broken) {
  case rule::bounds:
    return "septran-out-of-bounds";
  case rule::privilege:
    return "septran-read-privilege";
  case rule::unwritten:
    return "septran-unwritten-read";
  case rule::overlap:
    return "septran-parallel-overlap";
  }
  return "";
}

/// "(1, 2)"
inline std::string tuple(const std::ptrdiff_t *values, int count) {
  std::string text = "(";
  for (int d = 0; d < count; ++d)
    text += (d > 0 ? ", " : "") + std::to_string(values[d]);
  return text + ")";
}

/// "file:12" or "an unknown place".
inline std::string place(const site &where) {
  if (where.line == 0)
    return "an unknown place";
  return std::string(where.file) + ":" + std::to_string(where.line);
}

/// Completes the message and hands the failure over.
inline void report(failure f) {
  const std::string front = f.where.line == 0 ? "septran" : place(f.where);
  f.message = front + ": error: " + f.message + " [" + identifier(f.broken) + "]";
  current_handler()(f);
}

} // namespace detail

/// Sends failed checks of this thread to `h`; a null pointer restores the default. Returns the
/// handler it replaces.
inline handler set_handler(handler h) {
  handler &current = detail::current_handler();
  const handler previous = current;
  current = h != nullptr ? h : detail::print_and_abort;
  return previous;
}

} // namespace septran::checked

#endif
