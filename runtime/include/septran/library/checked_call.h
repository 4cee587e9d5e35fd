//===- library/checked_call.h - a call whose accesses are checked -*- C++ -*-===//
//
// Compiled with -DSEPTRAN_CHECKED a library runs the plain program, which finds what no look at the
// arguments can: indices that are data and outside of their tensor. A failed check ends the call,
// and is its status.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LIBRARY_CHECKED_CALL_H
#define SEPTRAN_LIBRARY_CHECKED_CALL_H

#include <septran/library/status.h>

#ifdef SEPTRAN_CHECKED
#include <septran/checked/report.h>
#endif

namespace septran::library {

#ifdef SEPTRAN_CHECKED

/// Runs `body`, and tells the first check that fails.
template <class Body> status checked_call(const char *name, error_text &error, Body body) {
  struct scope {
    checked::handler outer = checked::set_handler([](const checked::failure &f) { throw f; });
    ~scope() { checked::set_handler(outer); }
  } const ends_the_call;
  try {
    body();
    return status::success;
  } catch (const checked::failure &f) {
    return error.set(status::check_failed, "%s: %s", name, f.message.c_str());
  }
}

#else

template <class Body> status checked_call(const char *, error_text &, Body body) {
  body();
  return status::success;
}

#endif

} // namespace septran::library

#endif
