//===- pin.h - one thread on one processor -----------------------*- C++ -*-===//
//
// A sample of one thread is taken on one core, so that it does not lose its caches
// to a migration. Samples of several threads are never pinned: while others run, the
// scheduler places threads better than a fixed choice.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <vector>

namespace septran::bench {

/// The processors that the calling thread may use; empty if the system does not say.
std::vector<int> allowed_processors();

/// Lets the calling thread run on these alone, if the system agrees.
void allow(const std::vector<int> &processors);

/// Moves the calling thread from processor to processor; frees it again when destroyed.
class processor_pin {
public:
  processor_pin(); ///< notes the processors that the thread may use, and pins nothing
  ~processor_pin();
  processor_pin(const processor_pin &) = delete;
  processor_pin &operator=(const processor_pin &) = delete;

  /// Pins the thread to the next one of its processors.
  void next();

private:
  std::vector<int> allowed_;
  std::size_t index_ = 0;
};

} // namespace septran::bench
