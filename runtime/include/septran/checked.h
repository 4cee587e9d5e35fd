//===- checked.h - run-time checks of the plain program -------------------===//
//
// `-DSEPTRAN_CHECKED` makes the plain program find, without any change to the logic:
//
//   rule       found
//   bounds     an element index outside the extents of its tensor; a block, window or
//              subtensor index outside the grid
//   unwritten  the read of an element of a local that was not written before
//   overlap    two iterations of a parallel loop, at any depth, that share an element
//              which one of them writes, unless both use a [[septran::reduce]] argument
//
// A message names the function, the tensor as the source calls it, the index, the
// file and the line. Names and reduce privileges are read from the source file when a
// check has failed. Where that cannot be read, names are missing, and iterations may
// share what all of them update by the same operator, such as +=.
//
// Privileges are attributes, which a running program cannot see. `septran-rewrite
// --emit=checked` writes the program with every task and leaf declaring them, as
// `task_scope` below; a test driver may do so by hand. That adds
//
//   privilege  a write, by any callee, of an argument that a task may only read: through
//              a writable alias, a cast reference or a pointer
//   unwritten  the read of an element of a [[septran::write]] argument, by any callee,
//              that the task has not written
//
// Not seen: what is read and written through data(), references and pointers to
// elements, except that read-only arguments must not change; anything outside tensors.
//
// Everything is per thread. Without SEPTRAN_CHECKED the functions below do nothing, so
// that a driver may call them always.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_H
#define SEPTRAN_CHECKED_H

#include <septran/checked/privilege.h>

#ifdef SEPTRAN_CHECKED
#include <septran/checked/footprint.h>
#include <septran/checked/site.h>

#include <type_traits>
#endif

#include <initializer_list>

namespace septran {

template <class T, int R> class tensor;

namespace checked {

#ifdef SEPTRAN_CHECKED

/// The name of a task, and where it is entered.
struct entered_name {
  constexpr entered_name(const char *text, site where = site::here()) : text(text), where(where) {}
  const char *text;
  site where;
};

/// An argument of a task, with the privilege of its type or a given one. What is no tensor is
/// accepted and means nothing.
struct declared_argument {
  template <class X> constexpr declared_argument(const char *name, const X &x);
  template <class X> constexpr declared_argument(const char *name, const X &x, privilege granted);
  const char *name;
  detail::footprint memory;
  privilege granted;
};

/// Enters a task: the arguments declared from here on are its own, until `leave_task`.
inline void enter_task(entered_name name);
inline void leave_task();

/// Declares an argument of the innermost task, which must have been entered. What `granted` is
/// holds for everything that the task calls, too.
template <class T, int R>
void argument(const char *name, const tensor<const T, R> &t, privilege granted);

/// The elements of `t` have no value until the program writes them.
template <class T, int R> void uninitialised(const tensor<const T, R> &t);

/// The elements of `t` have values, although the program was not seen writing them.
template <class T, int R> void initialised(const tensor<const T, R> &t);

/// Messages about parts of this memory also give this name.
template <class T, int R> void name(const tensor<const T, R> &t, const char *text);

/// Forgets everything known to this thread. For drivers that free memory and use it again, outside
/// all tasks, parallel loops and lifetimes of locals.
inline void reset();

/// A task from here to the end of the scope. At its end read-only arguments are compared with what
/// they held, so a handler that throws is called from the destructor. In constant expressions it
/// does nothing.
class task_scope {
public:
  constexpr explicit task_scope(entered_name name,
                                std::initializer_list<declared_argument> arguments = {});
  task_scope(const task_scope &) = delete;
  task_scope &operator=(const task_scope &) = delete;
  constexpr ~task_scope() noexcept(false);

  template <class T, int R>
  void argument(const char *name, const tensor<const T, R> &t, privilege granted) {
    checked::argument(name, t, granted);
  }

private:
  int exceptions_ = 0; // on their way when the task was entered
};

#else

struct declared_argument {
  template <class X> constexpr declared_argument(const char *, const X &) {}
  template <class X> constexpr declared_argument(const char *, const X &, privilege) {}
};

inline void enter_task(const char *) {}
inline void leave_task() {}
template <class T, int R> void argument(const char *, const tensor<const T, R> &, privilege) {}
template <class T, int R> void uninitialised(const tensor<const T, R> &) {}
template <class T, int R> void initialised(const tensor<const T, R> &) {}
template <class T, int R> void name(const tensor<const T, R> &, const char *) {}
inline void reset() {}

class task_scope {
public:
  constexpr explicit task_scope(const char *, std::initializer_list<declared_argument> = {}) {}
  task_scope(const task_scope &) = delete;
  task_scope &operator=(const task_scope &) = delete;
  constexpr ~task_scope() {}

  template <class T, int R> void argument(const char *, const tensor<const T, R> &, privilege) {}
};

#endif

} // namespace checked
} // namespace septran

#ifdef SEPTRAN_CHECKED
#include <septran/checked/declare.h>
#endif

#endif
