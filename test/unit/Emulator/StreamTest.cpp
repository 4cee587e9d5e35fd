//===- StreamTest.cpp - Work that waits for its turn ----------------------===//

#include "Emulated.h"

#include <septran/cuda/simt.h>

#include <thread>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

__global__ void add_one(int *to) { ++to[thread_rank()]; }

__global__ void past_the_end(int *to) { to[4] = 1; }

int name_of_first, name_of_second;
const stream first = stream_at(&name_of_first), second = stream_at(&name_of_second);

int launches() { return int(emulator::take_statistics().launches); }

} // namespace

TEST(Stream, DefaultWorkIsDoneAtOnce) {
  auto numbers = zeros<int>(4);
  emulator::take_statistics();
  launch(add_one, {1, 4}, numbers.data());
  EXPECT_EQ(launches(), 1);
}

TEST(Stream, OtherWorkIsDoneInOrderWhenTheHostWaits) {
  auto numbers = zeros<int>(4);
  emulator::take_statistics();
  {
    const stream_scope on(first);
    const std::vector<int> ones(4, 1);
    launch(add_one, {1, 4}, numbers.data());
    numbers.upload(ones.data());
    launch(add_one, {1, 4}, numbers.data());
  }
  EXPECT_EQ(launches(), 0);
  EXPECT_EQ(download(numbers), std::vector<int>(4, 0)); // of the default stream: too early
  synchronize(second);
  EXPECT_EQ(launches(), 0);
  synchronize(first);
  EXPECT_EQ(launches(), 2);
  EXPECT_EQ(download(numbers), std::vector<int>(4, 2));
}

TEST(Stream, AHostCopyIsTakenAtTheCall) {
  auto numbers = zeros<int>(4);
  const stream_scope on(first);
  std::vector<int> values(4, 7);
  numbers.upload(values.data());
  values.assign(4, 8);
  EXPECT_EQ(download(numbers), std::vector<int>(4, 7));
}

TEST(Stream, BuffersLiveUntilTheirTurnToGo) {
  auto result = zeros<int>(4);
  {
    const stream_scope on(first);
    device_buffer<int> scratch(4);
    fill(scratch.data(), 0, 16);
    launch(add_one, {1, 4}, scratch.data());
    copy_on_device(result.data(), scratch.data(), 4);
  }
  synchronize();
  EXPECT_EQ(download(result), std::vector<int>(4, 1));
}

TEST(Stream, FailuresAreToldToWhoWaits) {
  auto numbers = zeros<int>(4);
  const stream_scope on(first);
  EXPECT_EQ(report_of("lazy", [&] { launch(past_the_end, {1, 1}, numbers.data()); }), "");
  EXPECT_NE(report_of("lazy", [&] { synchronize(first); }).find("out of bounds"),
            std::string::npos);
  EXPECT_EQ(report_of("lazy", [&] { synchronize(first); }), "");
}

TEST(Stream, EveryThreadHasItsOwn) {
  const stream_scope on(first);
  const void *there = &name_of_first;
  std::thread([&] { there = current_stream().handle; }).join();
  EXPECT_EQ(there, nullptr);
  {
    const stream_scope inner(second);
    EXPECT_EQ(current_stream().handle, &name_of_second);
  }
  EXPECT_EQ(current_stream().handle, &name_of_first);
}
