//===- AsyncTest.cpp - Asynchronous copies --------------------------------===//

#include "Emulated.h"

#include <septran/cuda/sm80.h>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

// Each thread copies four numbers, waits as the parameters say, and reads what `distance` threads
// further copied.
template <int Groups, int Pending, bool Barrier>
__global__ void copy_and_read(int *to, const int *from, int distance) {
  int *shared = shared_memory<int>();
  const int mine = 4 * thread_index();
  copy_async<4>(shared + mine, from + mine);
  for (int group = 0; group < Groups; ++group)
    copy_async_commit();
  copy_async_wait<Pending>();
  if (Barrier)
    block_barrier();
  to[thread_index()] = shared[4 * ((thread_index() + distance) % block_extent())];
  copy_async_wait_all();
}

__global__ void end_early(const int *from) {
  copy_async<4>(shared_memory<int>(), from);
  copy_async_commit();
}

/// Two stages; `early` reuses a stage while others may still read it.
template <bool Early> __global__ void reuse(int *to, const int *from) {
  int *shared = shared_memory<int>();
  const int mine = 4 * thread_index(), other = 4 * ((thread_index() + 1) % block_extent());
  copy_async<4>(shared + mine, from + mine);
  copy_async_wait_all();
  block_barrier();
  const int seen = shared[other];
  if (!Early)
    block_barrier();
  copy_async<4>(shared + mine, from);
  copy_async_wait_all();
  to[thread_index()] = seen;
}

__global__ void overwrite_in_flight(const int *from) {
  int *shared = shared_memory<int>();
  copy_async<4>(shared, from);
  shared[1] = 3;
  copy_async_wait_all();
}

__global__ void overwrite_source(int *from, bool wait_first) {
  copy_async<4>(shared_memory<int>(), from);
  if (wait_first)
    copy_async_wait_all();
  from[2] = 9;
  copy_async_wait_all();
}

/// Another thread overwrites the source, after a barrier but before the wait.
__global__ void overwrite_source_by_other(int *from, bool wait_first) {
  if (thread_index() == 0)
    copy_async<4>(shared_memory<int>(), from);
  if (wait_first)
    copy_async_wait_all();
  block_barrier();
  if (thread_index() == 1)
    from[2] = 9;
  copy_async_wait_all();
}

__global__ void zero_fill(int *to, const int *from, int valid) {
  int *shared = shared_memory<int>();
  copy_async<4>(shared, from, valid);
  copy_async_wait_all();
  for (int i = 0; i < 4; ++i)
    to[i] = shared[i];
}

/// All or nothing, of which the address may be anywhere.
__global__ void zero_fill_whole(int *to, const int *from, bool there, int offset) {
  int *shared = shared_memory<int>();
  copy_async<4>(shared, from + offset, there);
  copy_async_wait_all();
  for (int i = 0; i < 4; ++i)
    to[i] = shared[i];
}

__global__ void copy_between(int *shared_offset, const int *from, int to_offset, int from_offset) {
  copy_async<4>(shared_memory<int>() + to_offset + *shared_offset, from + from_offset);
  copy_async_wait_all();
}
__global__ void copy_to_global(int *to, const int *from) {
  copy_async<4>(to, from);
  copy_async_wait_all();
}
__global__ void copy_from_shared() {
  int *shared = shared_memory<int>();
  for (int i = 0; i < 8; ++i)
    shared[i] = 0;
  copy_async<4>(shared + 4, shared);
  copy_async_wait_all();
}

/// A pipeline of three stages over numbers, one group per step.
template <int Pending> __global__ void pipeline(int *to, const int *from, int steps) {
  constexpr int stages = 3;
  int *shared = shared_memory<int>();
  const int threads = block_extent(), me = thread_index();
  const auto fetch = [&](int step) {
    if (step < steps)
      copy_async<1>(shared + step % stages * threads + me, from + step * threads + me);
    copy_async_commit();
  };
  for (int step = 0; step < stages - 1; ++step)
    fetch(step);
  int sum = 0;
  for (int step = 0; step < steps; ++step) {
    copy_async_wait<Pending>();
    block_barrier();
    fetch(step + stages - 1);
    sum += shared[step % stages * threads + (me + 1) % threads];
  }
  to[me] = sum;
}

} // namespace

TEST(Async, WaitAndBarrier) {
  std::vector<int> numbers;
  for (int i = 0; i < 256; ++i)
    numbers.push_back(i);
  auto from = upload(numbers);
  auto to = zeros<int>(64);
  const launch_config config{1, 64, 1024};
  expect_clean([&] { launch(copy_and_read<1, 0, true>, config, to.data(), from.data(), 1); });
  EXPECT_EQ(download(to)[0], 4);
  expect_clean([&] { launch(copy_and_read<1, 0, false>, config, to.data(), from.data(), 0); });
  expect_clean([&] { launch(copy_and_read<2, 1, true>, config, to.data(), from.data(), 1); });
  // Its thread has waited, but nobody else knows.
  expect_report([&] { launch(copy_and_read<1, 0, false>, config, to.data(), from.data(), 1); },
                {"data race on shared memory"}, ",undefined=off");
  // The wait leaves the group of the copy pending, or the copy is in no group.
  expect_report([&] { launch(copy_and_read<1, 1, true>, config, to.data(), from.data(), 0); },
                {"in flight", "asynchronous copy by block"});
  expect_report([&] { launch(copy_and_read<0, 0, true>, config, to.data(), from.data(), 0); },
                {"in flight"});
}

TEST(Async, PoisonWithoutRaceDetection) {
  auto from = zeros<int>(256);
  auto to = zeros<int>(64);
  const auto run = [&] {
    launch(copy_and_read<1, 1, true>, {1, 64, 1024}, to.data(), from.data(), 0);
  };
  EXPECT_EQ(report_of("eager,race=off", run), "");
  EXPECT_EQ(download(to)[0], 0);
  EXPECT_NE(report_of("lazy,race=off", run).find("undefined value"), std::string::npos);
  EXPECT_EQ(report_of("lazy,race=off,undefined=off", run), "");
  EXPECT_EQ(download(to)[0], -1); // all bits set
}

TEST(Async, Pipeline) {
  const int steps = 11, threads = 64;
  std::vector<int> numbers;
  for (int i = 0; i < steps * threads; ++i)
    numbers.push_back(i * i % 101);
  auto from = upload(numbers);
  auto to = zeros<int>(threads);
  const launch_config config{1, threads, 3 * threads * 4};
  expect_clean([&] { launch(pipeline<1>, config, to.data(), from.data(), steps); });
  int sum = 0;
  for (int step = 0; step < steps; ++step)
    sum += numbers[std::size_t(step * threads + 1)];
  EXPECT_EQ(download(to)[0], sum);
  expect_report([&] { launch(pipeline<2>, config, to.data(), from.data(), steps); }, {"in flight"});
}

TEST(Async, UnfinishedAtTheEnd) {
  auto from = zeros<int>(4);
  expect_report([&] { launch(end_early, {1, 1, 16}, from.data()); },
                {"unfinished copy", "AsyncTest.cpp:"});
}

TEST(Async, Reuse) {
  auto from = zeros<int>(256);
  auto to = zeros<int>(64);
  expect_clean([&] { launch(reuse<false>, {1, 64, 1024}, to.data(), from.data()); });
  expect_report([&] { launch(reuse<true>, {1, 64, 1024}, to.data(), from.data()); },
                {"data race on shared memory"});
}

TEST(Async, InFlight) {
  auto from = zeros<int>(4);
  expect_report([&] { launch(overwrite_in_flight, {1, 1, 16}, from.data()); },
                {"data race on shared memory", "in flight"});
  expect_report([&] { launch(overwrite_source, {1, 1, 16}, from.data(), false); },
                {"data race on global memory"});
  expect_clean([&] { launch(overwrite_source, {1, 1, 16}, from.data(), true); });
  expect_report([&] { launch(overwrite_source_by_other, {1, 2, 16}, from.data(), false); },
                {"data race on global memory"});
  expect_clean([&] { launch(overwrite_source_by_other, {1, 2, 16}, from.data(), true); });
}

TEST(Async, ZeroFillOfWholeCopies) {
  auto from = upload(std::vector<int>{5, 6, 7, 8});
  auto to = zeros<int>(4);
  const launch_config config{1, 1, 16};
  expect_clean([&] { launch(zero_fill_whole, config, to.data(), from.data(), true, 0); });
  EXPECT_EQ(download(to), (std::vector<int>{5, 6, 7, 8}));
  expect_clean([&] { launch(zero_fill_whole, config, to.data(), from.data(), false, 1 << 20); });
  EXPECT_EQ(download(to), (std::vector<int>{0, 0, 0, 0}));
  expect_report([&] { launch(zero_fill_whole, config, to.data(), from.data(), true, 1 << 20); },
                {"memory that is not the device's"});
}

TEST(Async, ZeroFill) {
  auto from = upload(std::vector<int>{1, 2, 3, 4});
  auto to = zeros<int>(4);
  for (int valid = 0; valid <= 4; ++valid) {
    expect_clean([&] { launch(zero_fill, {1, 1, 16}, to.data(), from.data(), valid); });
    std::vector<int> expected{1, 2, 3, 4};
    for (int i = valid; i < 4; ++i)
      expected[std::size_t(i)] = 0;
    EXPECT_EQ(download(to), expected);
  }
  expect_report([&] { launch(zero_fill, {1, 1, 16}, to.data(), from.data(), 5); },
                {"copy of 16 bytes is to read 20"});
  expect_report([&] { launch(zero_fill, {1, 1, 16}, to.data(), from.data(), -1); },
                {"is to read -4"});
  // The bytes that are not read may lie outside.
  auto small = upload(std::vector<int>{7});
  expect_clean([&] { launch(zero_fill, {1, 1, 16}, to.data(), small.data(), 1); });
  expect_report([&] { launch(zero_fill, {1, 1, 16}, to.data(), small.data(), 2); },
                {"out of bounds"});
}

TEST(Async, Addresses) {
  auto from = zeros<int>(16);
  auto none = zeros<int>(1);
  const launch_config config{1, 1, 64};
  expect_clean([&] { launch(copy_between, config, none.data(), from.data(), 12, 4); });
  expect_report([&] { launch(copy_between, config, none.data(), from.data(), 13, 4); },
                {"misaligned asynchronous copy"});
  expect_report([&] { launch(copy_between, config, none.data(), from.data(), 4, 2); },
                {"misaligned asynchronous copy"});
  expect_report([&] { launch(copy_between, config, none.data(), from.data(), 16, 4); },
                {"out of bounds"});
  auto to = zeros<int>(16);
  expect_report([&] { launch(copy_to_global, config, to.data(), from.data()); },
                {"goes to shared memory"});
  expect_report([&] { launch(copy_from_shared, config); }, {"reads global memory"});
}
