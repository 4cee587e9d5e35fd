//===- LaunchTest.cpp - Grids, limits, indices, schedules -----------------===//

#include "Emulated.h"

#include <septran/cuda/simt.h>

#include <algorithm>
#include <set>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

__global__ void nothing() {}

__global__ void indices(int *to) {
  const int block = block_index<0>() +
                    grid_extent<0>() * (block_index<1>() + grid_extent<1>() * block_index<2>());
  int *mine = to + 4 * (block * block_size() + thread_rank());
  mine[0] = int(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z);
  mine[1] = int(blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z);
  mine[2] = int(blockDim.x * blockDim.y * blockDim.z) - block_size();
  mine[3] = warp_rank() * 100 + lane();
}

__global__ void with_syncthreads(int *to) {
  int *shared = shared_memory<int>();
  shared[threadIdx.x] = 1;
  __syncthreads();
  to[threadIdx.x] = shared[(threadIdx.x + 1) % blockDim.x];
  __syncwarp();
}

/// Threads write down the order in which they come by.
__global__ void take_tickets(int *next, int *tickets) {
  const int place = block_index() * block_extent() + thread_index();
  warp_ballot(true);
  tickets[place] = 0;
  ptx::add(next, 1);
  tickets[place] = next[0];
}

std::string refusal(launch_config config, const std::string &options = "lazy") {
  return report_of(options, [&] { launch(nothing, config); });
}

} // namespace

TEST(Launch, Indices) {
  const dim3 grid(2, 3, 2), block(4, 3, 5);
  auto to = zeros<int>(12 * 60 * 4);
  expect_clean([&] { launch(indices, {grid, block}, to.data()); });
  const std::vector<int> result = download(to);
  std::size_t at = 0;
  for (unsigned b = 0; b < 12; ++b)
    for (unsigned t = 0; t < 60; ++t, at += 4) {
      EXPECT_EQ(result[at], int(t % 4 + 10 * (t / 4 % 3) + 100 * (t / 12)));
      EXPECT_EQ(result[at + 1], int(b % 2 + 10 * (b / 2 % 3) + 100 * (b / 6)));
      EXPECT_EQ(result[at + 2], 0);
      EXPECT_EQ(result[at + 3], int(t / 32 * 100 + t % 32));
    }
}

TEST(Launch, WordsOfTheLanguage) {
  auto to = zeros<int>(64);
  expect_clean([&] { launch(with_syncthreads, {1, 64, 256}, to.data()); });
  EXPECT_EQ(download(to)[0], 1);
}

TEST(Launch, EmptyGridsDoNothing) {
  EXPECT_EQ(refusal({dim3(0), dim3(32)}), "");
  EXPECT_EQ(refusal({dim3(3, 0), dim3(32)}), "");
}

TEST(Launch, Limits) {
  EXPECT_EQ(refusal({1, 1024}), "");
  EXPECT_NE(refusal({1, 1025}).find("at most 1024 threads"), std::string::npos);
  EXPECT_NE(refusal({1, dim3(32, 33)}).find("at most 1024 threads"), std::string::npos);
  EXPECT_NE(refusal({1, dim3(1, 1, 65)}).find("64 of them along z"), std::string::npos);
  EXPECT_NE(refusal({1, dim3(0)}).find("at least one thread"), std::string::npos);
  EXPECT_NE(refusal({dim3(1, 65536), 1}).find("65535 along y"), std::string::npos);
  EXPECT_EQ(refusal({1, 32, 166912}), "");
  EXPECT_NE(refusal({1, 32, 166913}).find("compute capability 8.0 has 166912 bytes of shared"),
            std::string::npos);
  EXPECT_EQ(refusal({1, 32, 232448}, "capability=90"), "");
  EXPECT_NE(refusal({1, 32, 232449}, "capability=90").find("232448"), std::string::npos);
  EXPECT_NE(refusal({1, 32, 101377}, "capability=86").find("101376"), std::string::npos);
  EXPECT_NE(refusal({2, 1025, 64}).find("launch of"), std::string::npos);
}

TEST(Launch, DeviceCodeOnTheHost) {
  EXPECT_THROW(block_barrier(), error);
  EXPECT_THROW(thread_index(), error);
  EXPECT_THROW(shared_memory<int>(), error);
}

TEST(Launch, SchedulesDiffer) {
  std::set<std::vector<int>> orders;
  for (const std::string &schedule : all_schedules()) {
    auto next = zeros<int>(1);
    auto tickets = zeros<int>(96);
    EXPECT_EQ(report_of(schedule + ",race=off",
                        [&] { launch(take_tickets, {3, 32}, next.data(), tickets.data()); }),
              "");
    orders.insert(download(tickets));
    EXPECT_EQ(download(next)[0], 96);
  }
  EXPECT_EQ(orders.size(), all_schedules().size());
}

TEST(Launch, RandomSchedulesRepeat) {
  std::set<std::vector<int>> orders;
  for (int i = 0; i < 2; ++i) {
    auto next = zeros<int>(1);
    auto tickets = zeros<int>(96);
    report_of("random:9,race=off",
              [&] { launch(take_tickets, {3, 32}, next.data(), tickets.data()); });
    orders.insert(download(tickets));
  }
  EXPECT_EQ(orders.size(), 1u);
}

TEST(Launch, Counts) {
  emulator::take_statistics();
  launch(nothing, {4, 64});
  const auto s = emulator::take_statistics();
  EXPECT_EQ(s.launches, 1u);
  EXPECT_EQ(s.blocks, 4u);
  EXPECT_EQ(emulator::take_statistics().launches, 0u);
}
