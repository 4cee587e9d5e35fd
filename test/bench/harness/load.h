//===- load.h - processes that take cores away -------------------*- C++ -*-===//
#pragma once

#include <vector>

#include <sys/types.h>

namespace septran::bench {

/// While it lives, `cores` processes keep one core each busy, from the last one downwards. To be
/// made before there are threads. Throws std::runtime_error if they cannot be started, or if no
/// core would be left.
class competing_load {
public:
  explicit competing_load(int cores);
  ~competing_load();
  competing_load(const competing_load &) = delete;
  competing_load &operator=(const competing_load &) = delete;

private:
  std::vector<pid_t> processes_;
};

} // namespace septran::bench
