//===- RaceTest.cpp - Data races on shared and global memory --------------===//

#include "Emulated.h"

#include <septran/cuda/atomic.h>
#include <septran/cuda/simt.h>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

enum class order { none, warp, block };

template <order Order> void order_threads() {
  if (Order == order::warp)
    warp_barrier();
  if (Order == order::block)
    block_barrier();
}

/// Thread 0 writes what the last thread reads.
template <order Order> __global__ void write_then_read(int *to) {
  int *shared = shared_memory<int>();
  shared[thread_index()] = 0;
  block_barrier();
  if (thread_index() == 0)
    shared[0] = 7;
  order_threads<Order>();
  if (thread_index() == block_extent() - 1)
    to[0] = shared[0];
}

template <order Order> __global__ void read_then_write(int *to) {
  int *shared = shared_memory<int>();
  shared[thread_index()] = 0;
  block_barrier();
  if (thread_index() == block_extent() - 1)
    to[0] = shared[0];
  order_threads<Order>();
  if (thread_index() == 0)
    shared[0] = 7;
}

template <order Order> __global__ void write_twice(int *to) {
  if (thread_index() == 0)
    to[1] = 1;
  order_threads<Order>();
  if (thread_index() == block_extent() - 1)
    to[1] = 1;
}

__global__ void one_place(int *to) {
  if (thread_index() == 0)
    to[0] = block_index();
}

__global__ void own_place(int *to) { to[block_index()] = 1; }

__global__ void read_other(int *to) {
  to[2 * block_index()] = to[2 * ((block_index() + 1) % grid_extent()) + 1];
}
__global__ void read_written(int *to) {
  to[block_index()] = 1;
  to[block_index() + 8] = to[(block_index() + 1) % grid_extent()];
}

__global__ void count(int *to) { atomic_add(to, 1); }
__global__ void count_and_look(int *to) {
  atomic_add(to, 1);
  if (thread_index() == 5)
    to[1] = to[0];
}

/// Neighbouring bytes of one word.
__global__ void bytes(unsigned char *to) { to[thread_index()] = 1; }
__global__ void overlapping(unsigned char *to) {
  if (thread_index() == 0)
    store(to, vec<unsigned char, 4>{});
  else if (thread_index() == 1)
    to[3] = 1;
}

/// The last of many readers is not the one that races.
__global__ void read_by_many(int *to) {
  int *shared = shared_memory<int>();
  if (thread_index() == 0)
    shared[0] = 1;
  block_barrier();
  to[thread_index()] = shared[0];
  warp_barrier();
  if (thread_index() == 0)
    shared[0] = 2;
}

} // namespace

TEST(Race, WriteThenRead) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(write_then_read<order::none>, {1, 32, 128}, to.data()); },
                {"data race on shared memory, byte 0", "write by block (0,0,0) thread 0",
                 "read by block (0,0,0) thread 31", "RaceTest.cpp:", "no barrier orders",
                 "write_then_read"});
  expect_report([&] { launch(write_then_read<order::warp>, {1, 64, 256}, to.data()); },
                {"data race on shared memory"});
  expect_clean([&] { launch(write_then_read<order::warp>, {1, 32, 128}, to.data()); });
  expect_clean([&] { launch(write_then_read<order::block>, {1, 64, 256}, to.data()); });
  EXPECT_EQ(download(to)[0], 7);
}

TEST(Race, ReadThenWrite) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(read_then_write<order::none>, {1, 32, 128}, to.data()); },
                {"data race on shared memory, byte 0"});
  expect_report([&] { launch(read_then_write<order::warp>, {1, 64, 256}, to.data()); },
                {"data race on shared memory, byte 0"});
  expect_clean([&] { launch(read_then_write<order::block>, {1, 64, 256}, to.data()); });
}

TEST(Race, WriteTwice) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(write_twice<order::none>, {1, 64, 0}, to.data()); },
                {"data race on global memory, byte 4 of an allocation of 256"});
  expect_clean([&] { launch(write_twice<order::block>, {1, 64, 0}, to.data()); });
}

TEST(Race, Blocks) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(one_place, {3, 32}, to.data()); },
                {"data race on global memory", "nothing orders accesses of different blocks"});
  expect_clean([&] { launch(one_place, {1, 32}, to.data()); });
  expect_clean([&] { launch(own_place, {3, 1}, to.data()); });
  expect_report([&] { launch(read_written, {3, 1}, to.data()); }, {"data race on global memory"});
  expect_clean([&] { launch(read_other, {3, 1}, to.data()); });
}

TEST(Race, LaunchesAreOrdered) {
  auto to = zeros<int>(64);
  expect_clean([&] {
    launch(one_place, {1, 32}, to.data());
    launch(one_place, {1, 32}, to.data());
  });
}

TEST(Race, Atomics) {
  auto to = zeros<int>(2);
  expect_clean([&] { launch(count, {3, 64}, to.data()); });
  EXPECT_EQ(download(to)[0], int(3 * 64 * all_schedules().size()));
  expect_report([&] { launch(count_and_look, {1, 64}, to.data()); },
                {"data race on global memory, byte 0", "atomic update by"});
}

TEST(Race, Bytes) {
  auto to = zeros<unsigned char>(64);
  expect_clean([&] { launch(bytes, {1, 64}, to.data()); });
  expect_report([&] { launch(overlapping, {1, 64}, to.data()); },
                {"data race on global memory, byte 3"});
}

TEST(Race, EarlierReaders) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(read_by_many, {1, 64, 4}, to.data()); },
                {"data race on shared memory, byte 0"});
  expect_clean([&] { launch(read_by_many, {1, 32, 4}, to.data()); });
}

TEST(Race, CanBeSwitchedOff) {
  auto to = zeros<int>(64);
  EXPECT_EQ(report_of("lazy,race=off", [&] { launch(one_place, {3, 32}, to.data()); }), "");
}
