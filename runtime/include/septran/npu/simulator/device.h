//===- npu/simulator/device.h - all cores, and launches -------------*- C++ -*-===//
//
// The cores of a launch run one at a time, each until it meets a barrier or ends: programs with the
// same input always do the same. A thread per core keeps its stack.
//
// Mistakes go to the handler of the device; without one the first is printed and ends the process
// with code 70. SEPTRAN_NPU_MODEL=1 in the environment prints the model's figures when the process
// ends.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_DEVICE_H
#define SEPTRAN_NPU_SIMULATOR_DEVICE_H

#include <septran/npu/simulator/core.h>

#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace septran::npu::simulator {

class device {
public:
  device() {
    shared.report = [this](int core, const std::string &problem) { complain(core, problem); };
    for (int c = 0; c < core_count; ++c)
      cores.push_back(std::make_unique<core>(shared, c));
  }
  ~device() {
    const char *print = std::getenv("SEPTRAN_NPU_MODEL");
    if (print && *print && *print != '0')
      shared.time.print(stderr);
  }
  device(const device &) = delete;
  device &operator=(const device &) = delete;

  shared_parts shared;
  std::function<void(const std::string &)> handler; ///< of mistakes; empty: the process ends

  void launch(void (*kernel)(void *, int), void *argument) {
    if (running >= 0) {
      complain(running, "launch: a core starts a launch");
      return;
    }
    shared.time.start_launch();
    shared.global.forget_accesses();
    for (auto &c : cores)
      c->start_launch();
    states.assign(core_count, state::ready);
    failure = nullptr;
    std::vector<std::thread> threads;
    running = 0;
    for (int c = 0; c < core_count; ++c)
      threads.emplace_back([=, this] { run(kernel, argument, c); });
    for (std::thread &t : threads)
      t.join();
    running = -1;
    shared.time.end_launch();
    if (failure)
      std::rethrow_exception(failure);
  }

  void barrier() {
    core *me = current("rnpu_barrier");
    if (!me)
      return;
    const int c = me->id();
    std::unique_lock lock(mutex);
    states[std::size_t(c)] = state::waiting;
    pass_on(c);
    turn.wait(lock, [&] { return running == c; });
  }

  /// The core whose program runs; null (and reported) outside of launches.
  core *current(const char *function) {
    if (running >= 0)
      return cores[std::size_t(running)].get();
    complain(0, std::string("launch: ") + function + " is called outside of a launch");
    return nullptr;
  }
  bool in_launch() const { return running >= 0; }

  void complain(int core, const std::string &problem) {
    const std::string text = "core " + std::to_string(core) + ": " + problem;
    if (handler) {
      handler(text);
      return;
    }
    std::fprintf(stderr, "reference-npu: %s\n", text.c_str());
    std::fflush(nullptr);
    std::_Exit(70);
  }

private:
  enum class state { ready, waiting, ended };

  void run(void (*kernel)(void *, int), void *argument, int c) {
    {
      std::unique_lock lock(mutex);
      turn.wait(lock, [&] { return running == c; });
    }
    try {
      kernel(argument, c);
      cores[std::size_t(c)]->end_launch();
    } catch (...) {
      if (!failure)
        failure = std::current_exception();
    }
    std::unique_lock lock(mutex);
    states[std::size_t(c)] = state::ended;
    pass_on(c);
  }

  /// Chooses the next core to run. Called by the one that stops.
  void pass_on(int from) {
    auto count = [&](state s) { return std::count(states.begin(), states.end(), s); };
    if (count(state::ready) == 0 && count(state::waiting) > 0) {
      if (count(state::ended) > 0)
        complain(from, "deadlock: " + std::to_string(count(state::waiting)) +
                           " cores wait at a barrier that others have passed by");
      meet();
    }
    for (int c = 0; c < core_count; ++c)
      if (states[std::size_t(c)] == state::ready) {
        running = c;
        turn.notify_all();
        return;
      }
    running = core_count; // nobody: the launch is over
    turn.notify_all();
  }

  void meet() {
    clock all;
    for (int c = 0; c < core_count; ++c)
      if (states[std::size_t(c)] == state::waiting)
        all.join(cores[std::size_t(c)]->scalar_clock());
    for (int c = 0; c < core_count; ++c)
      if (states[std::size_t(c)] == state::waiting) {
        cores[std::size_t(c)]->know(all);
        states[std::size_t(c)] = state::ready;
      }
    shared.time.meet();
  }

  std::vector<std::unique_ptr<core>> cores;
  std::mutex mutex;
  std::condition_variable turn;
  std::vector<state> states;
  std::exception_ptr failure;
  int running = -1; ///< the core that runs; -1 outside of launches
};

inline device &the_device() {
  static device d;
  return d;
}

} // namespace septran::npu::simulator

#endif
