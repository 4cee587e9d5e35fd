//===- launch.cpp - Blocks, threads and their order -----------------------===//
//
// Runs the blocks of a grid, one at a time or, in random schedules, a few at once. Threads that can
// run are on a list; the schedule says which is next.
//
//===----------------------------------------------------------------------===//

#include "collective.h"
#include "report.h"
#include "state.h"

#include <septran/cuda/error.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace septran::emulator {

thread_local constinit execution *current = nullptr;
thread_local constinit thread_state *running = nullptr;
thread_local constinit bool inside = false;
statistics totals;
std::uint64_t launch_number = 0;

statistics take_statistics() { return std::exchange(totals, statistics()); }

primitive::primitive(const char *function) {
  if (running == nullptr)
    throw cuda::error(std::string(function) + " is device code, and was called on the host");
  inside = true;
}

/// Runs others until the scheduler comes back to this thread.
static void leave() {
  switch_fiber(running->fiber, current->scheduler);
  inside = true;
}

void wait(const char *what, const void *where) {
  running->waits_for = what;
  running->waits_at = where;
  leave();
}

void wake(thread_state &thread) {
  thread.waits_for = nullptr;
  current->ready.push_back(&thread);
}

void maybe_switch() {
  if (!current->chance(4))
    return;
  current->ready.push_back(running);
  leave();
}

/// Dynamic shared memory that a block may ask for, in bytes.
/// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
static std::size_t shared_limit(int capability) {
  switch (capability) {
  case 70:
    return 96 * 1024;
  case 75:
    return 64 * 1024;
  case 80:
  case 87:
    return 163 * 1024;
  case 86:
  case 89:
  case 120:
    return 99 * 1024;
  default:
    return 227 * 1024;
  }
}

static void check_limits(const launch_request &request, const options &settings) {
  const dim3 grid = request.grid, block = request.block;
  const auto refuse = [&](const std::string &why) {
    throw cuda::error(cuda::detail::launch_text(function_name(request.kernel), grid, block,
                                                request.shared_bytes) +
                      ": " + why);
  };
  if (block.x == 0 || block.y == 0 || block.z == 0)
    refuse("a block has at least one thread");
  if (block.x > 1024 || block.y > 1024 || block.z > 64 ||
      std::size_t(block.x) * block.y * block.z > 1024)
    refuse("a block has at most 1024 threads, 64 of them along z");
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
    refuse("a grid has at most 2147483647 blocks along x, 65535 along y and z");
  const std::size_t limit = shared_limit(settings.capability);
  if (request.shared_bytes > limit)
    refuse("compute capability " + std::to_string(settings.capability / 10) + "." +
           std::to_string(settings.capability % 10) + " has " + std::to_string(limit) +
           " bytes of shared memory for a block");
}

/// What every fiber runs. It is left for good in the middle, so it owns nothing.
static void run_thread() {
  inside = false;
  current->request.call(current->request.data);
  inside = true;
  thread_state &self = *running;
  const auto stranded = [&](const gathering &group, const std::string &of) {
    for (const thread_state *member : group.members)
      if (member != nullptr)
        fail(std::string("divergence: ") + thread_text(self) + " ended, while " +
             thread_text(*member) + " waits for it at " + source_line(member->waits_at) + " in a " +
             group.kind + " by all threads of " + of);
  };
  for (int width = warp_threads; width >= 1; width /= 2)
    stranded(segment_of(*self.block, self.rank, width), segment_text(width));
  stranded(self.block->barriers[0], "the block");
  for (const pending_copy &copy : self.copies)
    fail("unfinished copy: " + thread_text(self) + " ended before it waited for its copy at " +
         source_line(copy.where));
  self.ended = true;
  --self.block->running;
  for (;;)
    switch_fiber(self.fiber, current->scheduler);
}

namespace {

class scheduler {
public:
  explicit scheduler(execution &launch) : launch_(launch) {
    const dim3 grid = launch.request.grid;
    order_.resize(std::size_t(grid.x) * grid.y * grid.z);
    std::iota(order_.begin(), order_.end(), 0u);
    if (launch.settings.schedule == schedule::lazy)
      std::reverse(order_.begin(), order_.end());
    if (launch.settings.schedule == schedule::random) {
      std::shuffle(order_.begin(), order_.end(), launch.random);
      at_once_ = 1 + launch.random() % 3;
    }
  }

  void run() {
    for (;;) {
      while (launch_.blocks.size() < at_once_ && next_ < order_.size())
        start_block(order_[next_++]);
      if (launch_.blocks.empty())
        return;
      if (launch_.ready.empty())
        report(deadlock_text());
      running = take();
      switch_fiber(launch_.scheduler, running->fiber);
      thread_state &thread = *std::exchange(running, nullptr);
      if (!launch_.failure.empty())
        report(launch_.failure);
      if (thread.ended && thread.block->running == 0)
        end_block(*thread.block);
    }
  }

  const std::map<const void *, bank_cost> &costs() const { return costs_; }

private:
  void start_block(std::uint32_t number);
  void end_block(block_state &block);
  thread_state *take();
  std::string deadlock_text() const;
  [[noreturn]] void report(const std::string &what) const;

  execution &launch_;
  std::vector<std::uint32_t> order_; // the numbers of the blocks, as they are started
  std::size_t next_ = 0;
  std::size_t at_once_ = 1;
  std::map<const void *, bank_cost> costs_;
};

} // namespace

void scheduler::start_block(std::uint32_t number) {
  const launch_request &r = launch_.request;
  const dim3 index(number % r.grid.x, number / r.grid.x % r.grid.y, number / r.grid.x / r.grid.y);
  auto block = std::make_unique<block_state>(index, number, r.shared_bytes);
  const int count = launch_.threads_per_block();
  block->warps.resize(std::size_t((count + warp_threads - 1) / warp_threads));
  block->running = std::size_t(count);
  block->threads.reserve(std::size_t(count));
  for (int rank = 0; rank < count; ++rank) {
    if (launch_.stacks.empty())
      launch_.stacks.emplace_back();
    thread_state &thread = block->threads.emplace_back(std::move(launch_.stacks.back()));
    launch_.stacks.pop_back();
    thread.block = block.get();
    thread.rank = rank;
    const unsigned n = unsigned(rank);
    thread.index = dim3(n % r.block.x, n / r.block.x % r.block.y, n / r.block.x / r.block.y);
    thread.fiber.prepare(thread.stack, run_thread);
    launch_.ready.push_back(&thread);
  }
  launch_.blocks.push_back(std::move(block));
}

void scheduler::end_block(block_state &block) {
  for (std::size_t id = 1; id < block.barriers.size(); ++id)
    if (const std::size_t waiting = block.barriers[id].members.size(); waiting != 0)
      report("unfinished barrier: the block ended after " + std::to_string(waiting) +
             " threads arrived at barrier " + std::to_string(id));
  block.banks.settle();
  for (const auto &[where, cost] : block.banks.costs())
    costs_[where] += cost;
  ++totals.blocks;
  for (thread_state &thread : block.threads)
    launch_.stacks.push_back(std::move(thread.stack));
  std::erase_if(launch_.blocks, [&](const auto &b) { return b.get() == &block; });
}

/// Eager schedules take the threads in turn; lazy ones stay with the newest that can run.
thread_state *scheduler::take() {
  std::deque<thread_state *> &ready = launch_.ready;
  if (launch_.settings.schedule == schedule::random)
    std::swap(ready[launch_.random() % ready.size()], ready.back());
  const bool first = launch_.settings.schedule == schedule::eager;
  thread_state *thread = first ? ready.front() : ready.back();
  first ? ready.pop_front() : ready.pop_back();
  return thread;
}

std::string scheduler::deadlock_text() const {
  // One line for all threads of a warp that wait at the same place.
  std::map<std::tuple<std::uint32_t, int, const char *, const void *>, int> waiting;
  std::map<std::uint32_t, int> ended;
  for (const auto &block : launch_.blocks)
    for (const thread_state &thread : block->threads) {
      if (thread.ended)
        ++ended[block->number];
      else
        ++waiting[{block->number, thread.rank / warp_threads, thread.waits_for, thread.waits_at}];
    }
  std::string text = "deadlock: no thread can go on";
  for (const auto &[key, threads] : waiting) {
    const auto &[block, warp, what, where] = key;
    text += "\n  block " + std::to_string(block) + " warp " + std::to_string(warp) + ": " +
            std::to_string(threads) + (threads == 1 ? " thread waits" : " threads wait") +
            " in a " + what + " at " + source_line(where);
  }
  for (const auto &[block, threads] : ended)
    text += "\n  block " + std::to_string(block) + ": " + std::to_string(threads) +
            " threads have ended";
  return text;
}

void scheduler::report(const std::string &what) const {
  const launch_request &r = launch_.request;
  std::string order = "random:" + std::to_string(launch_.settings.seed);
  if (launch_.settings.schedule != schedule::random)
    order = launch_.settings.schedule == schedule::eager ? "eager" : "lazy";
  throw cuda::error(
      cuda::detail::launch_text(function_name(r.kernel), r.grid, r.block, r.shared_bytes) + ": " +
      what + "\n  with SEPTRAN_EMULATOR=" + order);
}

/// One line per line of the source, which several places of the program may come from.
static void print_banks(const std::map<const void *, bank_cost> &costs) {
  std::map<std::string, bank_cost> lines;
  for (const auto &[where, cost] : costs)
    lines[source_line(where)] += cost;
  for (const auto &[line, cost] : lines)
    std::fprintf(stderr,
                 "%s: %llu shared-memory requests, %llu wavefronts, %llu without conflicts\n",
                 line.c_str(), static_cast<unsigned long long>(cost.requests),
                 static_cast<unsigned long long>(cost.wavefronts),
                 static_cast<unsigned long long>(cost.ideal));
}

void launch(const launch_request &request) {
  if (running != nullptr)
    fail("a kernel launches a kernel", __builtin_return_address(0));
  execution launch(request, current_options());
  check_limits(request, launch.settings);
  ++totals.launches;
  ++launch_number;
  current = &launch;
  struct reset {
    ~reset() { current = nullptr; }
  } at_end;
  scheduler s(launch);
  s.run();
  for (const auto &[where, cost] : s.costs()) {
    totals.shared_requests += cost.requests;
    totals.shared_wavefronts += cost.wavefronts;
    totals.ideal_wavefronts += cost.ideal;
  }
  if (launch.settings.banks)
    print_banks(s.costs());
}

} // namespace septran::emulator
