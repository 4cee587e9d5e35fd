//===- Isolated.h - work that may crash ---------------------------*- C++ -*-===//
//
// Runs the items of a list in child processes. An item that crashes or does not end loses only
// itself: the next one goes on in a new child. What the items change in memory is lost; what they
// return comes back as text. Children end with the process that began them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <string>
#include <vector>

namespace septran::compiler {

struct IsolatedResult {
  enum class Kind { Done, Crashed, TimedOut, Skipped } K = Kind::Skipped;
  std::string Text; ///< Done: what the item returned
  int Signal = 0;   ///< Crashed: the signal; 0 if the child ended by itself
  bool done() const { return K == Kind::Done; }
};

/// "segmentation fault", ...
std::string describe(const IsolatedResult &R);

struct IsolationOptions {
  /// For an item, of processor time of all its threads: how busy the machine is decides nothing.
  /// One that waits may take five times as long.
  unsigned Seconds = 60;
  unsigned Jobs = 1; ///< children at once; with one, items run in order
  /// Asked when a signal has come and before every result; if so, all ends with the results so far.
  std::function<bool()> Interrupted = [] { return false; };
};

/// Results in the order of items. `Prepare` runs first in every child. `Finished`, if given, sees
/// each result as it comes and returns false to stop; items that did not run are then Skipped.
std::vector<IsolatedResult>
runIsolated(size_t Count, const IsolationOptions &Options, llvm::function_ref<void()> Prepare,
            llvm::function_ref<std::string(size_t)> Item,
            llvm::function_ref<bool(size_t, const IsolatedResult &)> Finished = nullptr);

} // namespace septran::compiler
