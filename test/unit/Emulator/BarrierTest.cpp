//===- BarrierTest.cpp - Barriers, divergence, deadlock -------------------===//

#include "Emulated.h"

#include <septran/cuda/simt.h>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

__global__ void early_return(int n) {
  if (thread_index() >= n)
    return;
  block_barrier();
}

__global__ void two_lines(int *to, int n) {
  if (thread_index() < n) {
    block_barrier();
    to[thread_index()] = 1;
  } else {
    to[thread_index()] = 2;
    block_barrier();
  }
}

__global__ void different_barriers() {
  if (thread_index() < 64)
    named_barrier<1>(128);
  else
    named_barrier<2>(128);
}

__global__ void too_few() {
  if (thread_index() < 32)
    named_barrier<3>(64);
}

__global__ void arrive_only() {
  if (thread_index() < 64)
    named_barrier_arrive<1>(128);
}

__global__ void counts_differ() { named_barrier<1>(thread_index() < 32 ? 64 : 128); }
__global__ void bad_count(int threads) { named_barrier<1>(threads); }

/// The first warp produces, the second consumes; the producer does not wait.
template <bool Arrive> __global__ void hand_over(int *to) {
  int *shared = shared_memory<int>();
  if (thread_index() < 32) {
    shared[thread_index()] = thread_index();
    if (Arrive)
      named_barrier_arrive<1>(64);
    else
      named_barrier<1>(64);
  } else {
    named_barrier<1>(64);
    to[thread_index() - 32] = shared[63 - thread_index()];
  }
}

/// What follows an arrival is not ordered by it.
__global__ void write_after_arrival(int *to) {
  int *shared = shared_memory<int>();
  if (thread_index() < 32) {
    shared[thread_index()] = 1;
    named_barrier_arrive<1>(64);
    shared[thread_index()] = 2;
  } else {
    named_barrier<1>(64);
    to[thread_index() - 32] = shared[thread_index() - 32];
  }
}

/// A named barrier leaves the other warps unordered.
__global__ void half_of_the_block(int *to) {
  int *shared = shared_memory<int>();
  shared[thread_index()] = 1;
  if (thread_index() < 64)
    named_barrier<1>(64);
  to[thread_index()] = shared[(thread_index() + 32) % 128];
}

__global__ void pass_around(int *to, int rounds) {
  int *shared = shared_memory<int>();
  shared[thread_index()] = thread_index();
  block_barrier();
  for (int round = 0; round < rounds; ++round) {
    const int next = shared[(thread_index() + 1) % block_extent()];
    block_barrier();
    shared[thread_index()] = next;
    block_barrier();
  }
  to[thread_index()] = shared[thread_index()];
}

} // namespace

TEST(Barrier, Orders) {
  auto to = zeros<int>(96);
  expect_clean([&] { launch(pass_around, {1, 96, 384}, to.data(), 100); });
  EXPECT_EQ(download(to)[0], 4);
}

TEST(Barrier, EndedThreads) {
  expect_report([] { launch(early_return, {1, 64}, 40); },
                {"divergence", "block barrier by all threads of the block", "BarrierTest.cpp:"});
  expect_report([] { launch(early_return, {1, 64}, 1); }, {"divergence"});
  expect_clean([] { launch(early_return, {1, 64}, 64); });
  expect_clean([] { launch(early_return, {1, 64}, 0); });
}

TEST(Barrier, TwoLinesInOneWarp) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(two_lines, {1, 64}, to.data(), 40); },
                {"divergence", "of the same warp at BarrierTest.cpp:"});
  expect_clean([&] { launch(two_lines, {1, 64}, to.data(), 32); });
}

TEST(Barrier, Deadlock) {
  expect_report([] { launch(different_barriers, {1, 128}); },
                {"deadlock", "warp 0: 32 threads wait in a named barrier at BarrierTest.cpp:",
                 "warp 3: 32 threads wait"});
  expect_report([] { launch(too_few, {1, 128}); }, {"deadlock", "96 threads have ended"});
}

TEST(Barrier, Arrivals) {
  auto to = zeros<int>(32);
  expect_clean([&] { launch(hand_over<true>, {1, 64, 128}, to.data()); });
  expect_clean([&] { launch(hand_over<false>, {1, 64, 128}, to.data()); });
  EXPECT_EQ(download(to)[0], 31);
  expect_report([] { launch(arrive_only, {1, 128}); }, {"unfinished barrier", "barrier 1"});
  expect_report([&] { launch(write_after_arrival, {1, 64, 128}, to.data()); },
                {"data race on shared memory"});
}

TEST(Barrier, NamedOrdersItsThreadsOnly) {
  auto to = zeros<int>(128);
  const auto run = [&] { launch(half_of_the_block, {1, 128, 512}, to.data()); };
  for (const std::string &schedule : all_schedules()) {
    const std::string report = report_of(schedule, run);
    EXPECT_TRUE(report.find("data race") != std::string::npos ||
                report.find("undefined value") != std::string::npos)
        << schedule << ": " << report;
  }
}

TEST(Barrier, Counts) {
  expect_report([] { launch(counts_differ, {1, 128}); }, {"threads here and", "elsewhere"});
  for (int threads : {0, 20, 256, -32})
    expect_report([&] { launch(bad_count, {1, 128}, threads); },
                  {"barrier 1 is to count " + std::to_string(threads)});
}
