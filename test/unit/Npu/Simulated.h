//===- Simulated.h - programs for the simulated NPU in tests -------*- C++ -*-===//
#pragma once

#include <septran/npu/simulator.h>

#include <string>
#include <vector>

namespace septran::npu {

/// Runs a program on core 0 (or on all) and returns what the simulator has against it.
template <class Program>
std::vector<std::string> problems(Program program, bool all_cores = false) {
  std::vector<std::string> found;
  auto &device = simulator::the_device();
  device.handler = [&](const std::string &text) { found.push_back(text); };
  on_cores([&](int core) {
    if (core == 0 || all_cores)
      program(core);
  });
  device.handler = nullptr;
  return found;
}

/// What record and wait mean next to each other: all that `from` was given ends before what `to` is
/// given next.
inline void order(rnpu_engine from, rnpu_engine to, std::uint32_t event = 0) {
  rnpu_record(from, to, event);
  rnpu_wait(from, to, event);
}

/// Global memory that DMA may touch while this lives.
template <class T> struct attached {
  std::vector<T> data;
  explicit attached(std::vector<T> values, bool writable = true) : data(std::move(values)) {
    rnpu_attach(data.data(), data.size() * sizeof(T), writable);
  }
  ~attached() { rnpu_detach(data.data()); }
  attached(const attached &) = delete;
  attached &operator=(const attached &) = delete;
};

} // namespace septran::npu
