//===- WarpTest.cpp - Votes, shuffles, reductions, atomics ----------------===//

#include "Emulated.h"

#include <septran/cuda/atomic.h>
#include <septran/cuda/reduce.h>
#include <septran/cuda/sm80.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

__global__ void votes(unsigned *to) {
  const unsigned odd = warp_ballot(lane() % 2 == 1);
  to[thread_index()] = odd + warp_any(lane() == 7) + warp_all(lane() < 32) + warp_any(lane() == 99);
}

__global__ void shuffles(int *to) {
  const int v = thread_index();
  int *mine = to + 8 * thread_index();
  mine[0] = shuffle(v, 5);
  mine[1] = shuffle<8>(v, 10); // modulo 8
  mine[2] = shuffle_xor(v, 3);
  mine[3] = shuffle_up(v, 2);
  mine[4] = shuffle_down<16>(v, 1);
  mine[5] = int(shuffle(double(v) + 0.5, 31) * 2);
  mine[6] = shuffle_xor(static_cast<signed char>(-v), 1);
  mine[7] = int(float(shuffle_up<4>(float16(v), 1)));
}

template <class T> __global__ void reductions(T *to, const T *from) {
  T *scratch = shared_memory<T>();
  const T mine = from[thread_rank()];
  T *out = to + 5 * thread_rank();
  out[0] = warp_reduce(mine, plus());
  out[1] = warp_reduce<4>(mine, maximum());
  out[2] = block_reduce(mine, plus(), scratch);
  out[3] = block_reduce(mine, minimum(), scratch);
  out[4] = warp_reduce<2>(mine, multiplies());
}

template <class T> void check_reductions() {
  std::vector<T> from;
  for (int i = 0; i < 96; ++i)
    from.push_back(T(i % 7 - 3));
  auto device = upload(from);
  auto to = zeros<T>(5 * 96);
  expect_clean(
      [&] { launch(reductions<T>, {1, dim3(16, 3, 2), 3 * sizeof(T)}, to.data(), device.data()); });
  const std::vector<T> result = download(to);
  double all = 0;
  for (T x : from)
    all += double(x);
  for (int i = 0; i < 96; ++i) {
    double warp = 0;
    for (int l = i / 32 * 32; l < i / 32 * 32 + 32; ++l)
      warp += double(from[std::size_t(l)]);
    const T *mine = &result[std::size_t(5 * i)];
    EXPECT_EQ(double(mine[0]), warp);
    EXPECT_EQ(mine[1],
              *std::max_element(&from[std::size_t(i / 4 * 4)], &from[std::size_t(i / 4 * 4)] + 4));
    EXPECT_EQ(double(mine[2]), all);
    EXPECT_EQ(double(mine[3]), -3);
    EXPECT_EQ(double(mine[4]),
              double(from[std::size_t(i / 2 * 2)] * from[std::size_t(i / 2 * 2 + 1)]));
  }
}

__global__ void largest(float *to, const float *from) {
  to[thread_index()] = warp_reduce(from[thread_index()], maximum());
}

template <class T> __global__ void updates(T *to) {
  atomic_add(to, T(1));
  atomic_max(to + 1, T(thread_index()));
  atomic_min(to + 2, T(-thread_index()));
  if (thread_index() < 3)
    atomic_update(to + 3, T(2), multiplies());
}

template <class T> void check_updates() {
  for (const std::string &schedule : all_schedules()) {
    auto to = upload(std::vector<T>{T(0), T(0), T(0), T(1), T(5)});
    EXPECT_EQ(report_of(schedule, [&] { launch(updates<T>, {2, 64}, to.data()); }), "");
    const std::vector<T> result = download(to);
    EXPECT_EQ(double(result[0]), 128);
    EXPECT_EQ(double(result[1]), 63);
    EXPECT_EQ(double(result[2]), -63);
    EXPECT_EQ(double(result[3]), 64);
    EXPECT_EQ(double(result[4]), 5);
  }
}

__global__ void part_of_the_warp(int n) {
  if (lane() < n)
    shuffle(lane(), 0);
}
/// The segments of a warp take different ways.
__global__ void segments(int *to) {
  int value = thread_index();
  if (lane() / 8 % 2 == 0)
    value = warp_reduce<8>(value, plus());
  else
    value = shuffle<4>(value, 0);
  int *shared = reinterpret_cast<int *>(shared_array<128>());
  if (lane() < 16) {
    shared[lane()] = value;
    warp_barrier<16>();
    value = shared[lane() ^ 15];
  }
  to[thread_index()] = value;
}
__global__ void part_of_a_segment() {
  if (lane() % 8 < 5)
    shuffle<8>(lane(), 0);
}
__global__ void beyond_the_segment(int *to) {
  int *shared = reinterpret_cast<int *>(shared_array<128>());
  shared[lane()] = 1;
  warp_barrier<8>();
  to[lane()] = shared[lane() ^ 8];
}

__global__ void two_things() {
  if (lane() < 16)
    shuffle(lane(), 0);
  else
    warp_ballot(true);
}
__global__ void shuffle_and_barrier() {
  if (lane() < 16)
    shuffle(lane(), 0);
  else
    block_barrier();
}
__global__ void read_missing_lane(int *to) { to[thread_index()] = shuffle(1, 20); }
__global__ void multiply_in_part() {
  packed<float16, 8> a = {};
  packed<float16, 4> b = {};
  float d[4] = {};
  mma_m16n8k16(d, a, b);
}

} // namespace

TEST(Warp, Votes) {
  auto to = zeros<unsigned>(64);
  expect_clean([&] { launch(votes, {1, 64}, to.data()); });
  EXPECT_EQ(download(to), std::vector<unsigned>(64, 0xaaaaaaaau + 2));
}

TEST(Warp, Shuffles) {
  auto to = zeros<int>(8 * 64);
  expect_clean([&] { launch(shuffles, {1, 64}, to.data()); });
  const std::vector<int> result = download(to);
  for (int i = 0; i < 64; ++i) {
    const int *mine = &result[std::size_t(8 * i)], warp = i / 32 * 32, lane = i % 32;
    EXPECT_EQ(mine[0], warp + 5);
    EXPECT_EQ(mine[1], i / 8 * 8 + 2);
    EXPECT_EQ(mine[2], i ^ 3);
    EXPECT_EQ(mine[3], lane < 2 ? i : i - 2);
    EXPECT_EQ(mine[4], i % 16 == 15 ? i : i + 1);
    EXPECT_EQ(mine[5], (warp + 31) * 2 + 1);
    EXPECT_EQ(mine[6], -(i ^ 1));
    EXPECT_EQ(mine[7], i % 4 == 0 ? i : i - 1);
  }
}

TEST(Warp, Reductions) {
  check_reductions<int>();
  check_reductions<float>();
  check_reductions<double>();
  check_reductions<float16>();
  check_reductions<long long>();
}

/// All lanes agree on what is undecided between a NaN and a number.
TEST(Warp, ReductionsOfNaN) {
  std::vector<float> from(32, 1.0f);
  from[0] = std::numeric_limits<float>::quiet_NaN();
  auto device = upload(from);
  auto to = zeros<float>(32);
  launch(largest, {1, 32}, to.data(), device.data());
  const std::vector<float> result = download(to);
  for (float x : result)
    EXPECT_EQ(std::isnan(x), std::isnan(result[0]));
}

TEST(Warp, Atomics) {
  check_updates<int>();
  check_updates<long long>();
  check_updates<float>();
  check_updates<double>();
  check_updates<float16>();
  check_updates<bfloat16>();
}

TEST(Warp, Divergence) {
  expect_report([] { launch(part_of_the_warp, {1, 32}, 20); },
                {"divergence", "shuffle by all threads of the warp", "WarpTest.cpp:"});
  expect_report([] { launch(two_things, {1, 32}); },
                {"divergence", "comes to a", "while", "vote", "shuffle"});
  expect_report([] { launch(shuffle_and_barrier, {1, 32}); },
                {"deadlock", "16 threads wait in a shuffle", "16 threads wait in a block barrier"});
  expect_clean([] { launch(part_of_the_warp, {1, 64}, 32); });
}

TEST(Warp, Segments) {
  auto to = zeros<int>(32);
  expect_clean([&] { launch(segments, {1, 32}, to.data()); });
  const std::vector<int> result = download(to);
  EXPECT_EQ(result[15], 28);
  EXPECT_EQ(result[0], 12);
  EXPECT_EQ(result[20], 16 + 17 + 18 + 19 + 20 + 21 + 22 + 23);
  EXPECT_EQ(result[31], 28);
  expect_report([] { launch(part_of_a_segment, {1, 32}); },
                {"divergence", "by all threads of a segment of 8"});
  expect_report([&] { launch(beyond_the_segment, {1, 32}, to.data()); },
                {"data race on shared memory"}, ",undefined=off");
}

TEST(Warp, IncompleteWarp) {
  auto to = zeros<int>(64);
  expect_report([&] { launch(read_missing_lane, {1, 48}, to.data()); },
                {"reads lane 20", "does not have"});
  expect_clean([&] { launch(read_missing_lane, {1, 56}, to.data()); });
  expect_report([] { launch(multiply_in_part, {1, 48}); }, {"needs 32 lanes", "has 16"});
  expect_clean([] { launch(multiply_in_part, {1, 64}); });
}
