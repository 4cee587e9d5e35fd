//===- team.h - the threads that candidates run on ---------------*- C++ -*-===//
#pragma once

#include "harness/module.h"

#include <cstddef>

namespace septran::bench {

/// OpenMP's threads, reached through modules/team.cpp.
class team {
public:
  explicit team(const library &module);

  /// All candidates run on that many threads from now on.
  void set_threads(int threads);
  int threads() const { return threads_; }

  /// Copies between arrays of that many floats, split between the threads.
  void copy(float *to, const float *from, std::ptrdiff_t count) const { copy_(to, from, count); }
  /// The same by stores that go around the caches, where the processor has them.
  void stream(float *to, const float *from, std::ptrdiff_t count) const {
    stream_(to, from, count);
  }
  /// Sums up that many floats, and forgets the sum.
  void read(const float *from, std::ptrdiff_t count) const { read_(from, count); }
  /// Reads and writes that many floats where they are.
  void update(float *at, std::ptrdiff_t count) const { update_(at, count); }

  /// Floating-point operations per second of the slowest of the threads, now.
  double fma_rate() const { return fma_rate_(threads_); }

private:
  void (*set_threads_)(int);
  double (*fma_rate_)(int);
  using copy_function = void(float *to, const float *from, std::ptrdiff_t count);
  copy_function *copy_, *stream_;
  void (*read_)(const float *, std::ptrdiff_t);
  void (*update_)(float *, std::ptrdiff_t);
  int threads_ = 1;
};

} // namespace septran::bench
