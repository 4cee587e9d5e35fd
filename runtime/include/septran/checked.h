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
// Privileges are attributes, which a running program cannot see. A test driver, or an
// instrumented program, declares them with the functions below. That adds
//
//   privilege  a write, by any callee, of an argument that a task may only read: plain
//              C++ already rejects all of these but const_cast and writable aliases
//   unwritten  for [[septran::write]] arguments: their first access must be a write
//
// Not seen: accesses through data() (declare what they wrote as `initialised`),
// through references and pointers to elements, and anything outside tensors.
//
// Everything is per thread. Without SEPTRAN_CHECKED the functions below do nothing, so
// that a driver may call them always.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_H
#define SEPTRAN_CHECKED_H

#include <septran/checked/privilege.h>

namespace septran {

template <class T, int R> class tensor;

namespace checked {

/// Enters a task: the arguments declared from here on are its own, until `leave_task`.
inline void enter_task(const char *name);
inline void leave_task();

/// Declares an argument of the innermost task, which must have been entered. What `granted` is
/// holds for everything that the task calls, too. `privilege::write` implies `uninitialised`.
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

/// A task from here to the end of the scope.
class task_scope {
public:
  explicit task_scope(const char *name) { enter_task(name); }
  task_scope(const task_scope &) = delete;
  task_scope &operator=(const task_scope &) = delete;
  ~task_scope() { leave_task(); }

  template <class T, int R>
  void argument(const char *name, const tensor<const T, R> &t, privilege granted) {
    checked::argument(name, t, granted);
  }
};

#ifndef SEPTRAN_CHECKED
inline void enter_task(const char *) {}
inline void leave_task() {}
template <class T, int R> void argument(const char *, const tensor<const T, R> &, privilege) {}
template <class T, int R> void uninitialised(const tensor<const T, R> &) {}
template <class T, int R> void initialised(const tensor<const T, R> &) {}
template <class T, int R> void name(const tensor<const T, R> &, const char *) {}
inline void reset() {}
#endif

} // namespace checked
} // namespace septran

#ifdef SEPTRAN_CHECKED
#include <septran/checked/declare.h>
#endif

#endif
