//===- team.h - the threads that candidates run on ---------------*- C++ -*-===//
#pragma once

#include "harness/module.h"

namespace septran::bench {

/// OpenMP's threads, reached through modules/team.cpp.
class team {
public:
  explicit team(const library &module);

  /// All candidates run on that many threads from now on.
  void set_threads(int threads);
  int threads() const { return threads_; }

  /// Floating-point operations per second of the slowest of the threads, now.
  double fma_rate() const { return fma_rate_(threads_); }

private:
  void (*set_threads_)(int);
  double (*fma_rate_)(int);
  int threads_ = 1;
};

} // namespace septran::bench
