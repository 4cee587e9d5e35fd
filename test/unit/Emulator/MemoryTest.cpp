//===- MemoryTest.cpp - Bounds, alignment, undefined values ---------------===//

#include "Emulated.h"

#include <septran/cuda/simt.h>
#include <septran/cuda/sm80.h>
#include <septran/cuda/transfer.h>

#include <array>
#include <numeric>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

__global__ void write_at(int *to, int i) { to[i] = 1; }
__global__ void read_at(int *to, const int *from, int i) { to[0] = from[i]; }
__global__ void read_four(int *to, const int *from, int i) { to[0] = load<4>(from + i)[3]; }
__global__ void write_two(int *to, int i) { store(to + i, vec<int, 2>{}); }
__global__ void write_shared(int i) { shared_memory<int>()[i] = 1; }
__global__ void read_shared(int *to, int i) { to[0] = shared_memory<int>()[i]; }

__global__ void two_arrays(int *to, int shift) {
  int *dynamic = shared_memory<int>(), *fixed = reinterpret_cast<int *>(shared_array<128>());
  dynamic[thread_index()] = 100 + thread_index();
  fixed[thread_index() + shift] = thread_index();
  warp_barrier();
  to[block_index() * 32 + thread_index()] = dynamic[thread_index()] + fixed[thread_index() + shift];
}

__global__ void leak_local(int **where, int *to) {
  int mine = thread_index();
  int **shared = shared_memory<int *>();
  if (thread_index() == 0)
    shared[0] = &mine;
  block_barrier();
  if (thread_index() == 1)
    to[0] = *shared[0];
  block_barrier();
  where[thread_index()] = nullptr;
}

__global__ void use_struct(std::array<int, 8> values, int *to) {
  for (int i = 0; i < 8; ++i)
    to[i] = values[std::size_t((i + to[i]) % 8)];
}

constexpr int table[4] = {3, 1, 4, 1};
__global__ void use_table(int *to) { to[0] = table[to[0]]; }

int host_variable = 0;
__global__ void write_host_variable() { host_variable = thread_index(); }

__global__ void ldmatrix_at(int element) {
  float16 *tile = shared_memory<float16>();
  for (int i = 0; i < 8; ++i)
    tile[thread_index() * 8 + i] = float16(1);
  block_barrier();
  packed<float16, 8> a;
  ldmatrix_x4(a, tile + element);
}
__global__ void ldmatrix_global(const float16 *from) {
  packed<float16, 8> a;
  ldmatrix_x4(a, from);
}

} // namespace

TEST(Memory, GlobalBounds) {
  auto to = zeros<int>(10);
  auto from = zeros<int>(10);
  expect_clean([&] { launch(write_at, {1, 1}, to.data(), 9); });
  expect_report([&] { launch(write_at, {1, 1}, to.data(), 10); },
                {"out of bounds: write of 4 bytes reaches 4 bytes past the end of an allocation of "
                 "40 bytes",
                 "MemoryTest.cpp:", "write_at"});
  expect_report([&] { launch(read_at, {1, 1}, to.data(), from.data(), -1); },
                {"out of bounds: read of 4 bytes reaches 4 bytes before the beginning"});
  expect_report([&] { launch(read_four, {1, 1}, to.data(), from.data(), 8); },
                {"out of bounds: read of 16 bytes reaches 8 bytes past the end"});
  expect_clean([&] { launch(read_four, {1, 1}, to.data(), from.data(), 4); });
}

TEST(Memory, SharedBounds) {
  auto to = zeros<int>(1);
  expect_clean([&] { launch(write_shared, {1, 1, 64}, 15); });
  expect_report([&] { launch(write_shared, {1, 1, 64}, 16); },
                {"out of bounds", "4 bytes past the end of shared memory of 64 bytes"});
  expect_report([&] { launch(write_shared, {1, 1}, 0); }, {"shared memory of 0 bytes"});
}

TEST(Memory, SharedArrays) {
  auto to = zeros<int>(64);
  expect_clean([&] { launch(two_arrays, {2, 32, 128}, to.data(), 0); });
  EXPECT_EQ(download(to)[3], 3 + 103);
  expect_report([&] { launch(two_arrays, {2, 32, 128}, to.data(), 1); },
                {"out of bounds", "past the end of shared memory of 128 bytes"});
  EXPECT_EQ(report_of("eager", [&] { launch(two_arrays, {1, 32, 48 * 1024 - 128}, to.data(), 0); }),
            "");
  expect_report([&] { launch(two_arrays, {1, 32, 48 * 1024}, to.data(), 0); },
                {"49152 bytes of shared memory", "uses 49280"});
}

TEST(Memory, Undefined) {
  auto to = zeros<int>(4);
  device_buffer<int> unwritten(4);
  expect_report([&] { launch(read_shared, {1, 1, 64}, to.data(), 3); },
                {"undefined value: read of 4 bytes of shared memory", "byte 12"});
  EXPECT_EQ(report_of("lazy,undefined=off", [&] { launch(read_shared, {1, 1, 64}, to.data(), 3); }),
            "");
  expect_report([&] { launch(read_at, {1, 1}, to.data(), unwritten.data(), 1); },
                {"undefined value: read of 4 bytes of global memory", "byte 4"});
  copy_on_device(to.data(), unwritten.data(), 2);
  expect_report([&] { launch(read_at, {1, 1}, unwritten.data(), to.data(), 1); },
                {"undefined value"});
  fill(unwritten.data(), 0, 16);
  expect_clean([&] { launch(read_at, {1, 1}, to.data(), unwritten.data(), 1); });
}

TEST(Memory, Misaligned) {
  auto to = zeros<int>(10);
  auto from = zeros<int>(10);
  expect_report([&] { launch(read_four, {1, 1}, to.data(), from.data(), 2); },
                {"misaligned read: an access of 16 bytes at an address 8 bytes past"});
  expect_report([&] { launch(write_two, {1, 1}, to.data(), 3); }, {"misaligned write"});
  expect_clean([&] { launch(write_two, {1, 1}, to.data(), 2); });
}

TEST(Memory, HostMemory) {
  auto to = zeros<int>(10);
  std::vector<int> host(10, 5);
  expect_report([&] { launch(read_at, {1, 1}, to.data(), host.data(), 1); },
                {"read of 4 bytes in memory that is not the device's", "device_buffer"});
  emulator::share_memory(host.data(), 40);
  expect_clean([&] { launch(read_at, {1, 1}, to.data(), host.data(), 1); });
  EXPECT_EQ(download(to)[0], 5);
  expect_report([&] { launch(read_at, {1, 1}, to.data(), host.data(), 10); },
                {"memory that is not the device's"});
  emulator::unshare_memory(host.data());
  expect_report([&] { launch(read_at, {1, 1}, to.data(), host.data(), 1); },
                {"memory that is not the device's"});
  expect_report([] { launch(write_host_variable, {1, 1}); }, {"memory that is not the device's"});
  EXPECT_EQ(host_variable, 0);
}

TEST(Memory, FreedMemory) {
  int *dangling = nullptr;
  {
    device_buffer<int> gone(4);
    dangling = gone.data();
  }
  expect_report([&] { launch(write_at, {1, 1}, dangling, 0); }, {"write of 4 bytes"});
}

TEST(Memory, LocalsAndConstants) {
  auto to = zeros<int>(8);
  device_buffer<int *> where(2);
  expect_report([&] { launch(leak_local, {1, 2, 8}, where.data(), to.data()); },
                {"a local variable of another thread, block (0,0,0) thread 0"});
  expect_clean([&] { launch(use_struct, {1, 1}, std::array<int, 8>{2, 0, 1}, to.data()); });
  to = zeros<int>(8);
  launch(use_table, {1, 1}, to.data());
  EXPECT_EQ(download(to)[0], 3);
}

TEST(Memory, Ldmatrix) {
  auto from = zeros<float16>(64);
  expect_clean([] { launch(ldmatrix_at, {1, 32, 512}, 248); });
  expect_report([] { launch(ldmatrix_at, {1, 32, 512}, 4); }, {"misaligned ldmatrix"});
  expect_report([] { launch(ldmatrix_at, {1, 32, 512}, 256); }, {"out of bounds"});
  expect_report([&] { launch(ldmatrix_global, {1, 32, 512}, from.data()); },
                {"ldmatrix reads shared memory"});
}

namespace {

/// Calls f(offset) for every element of a tensor of these strides, in row-major order.
template <int R, class F> void each_offset(extents_t<R> extents, extents_t<R> strides, F f) {
  for (index_type number = 0; number < extents.count(); ++number) {
    index_type offset = 0, left = number;
    for (int d = R - 1; d >= 0; left /= extents[d--])
      offset += left % extents[d] * strides[d];
    f(offset);
  }
}

/// Of elements 200 to 399 of the host, a tensor of these strides from `begin` on goes to one of
/// other strides on the device, and comes back. Nothing beside the elements changes.
template <int R>
void check_transfer(extents_t<R> extents, extents_t<R> strides, int begin,
                    extents_t<R> device_strides) {
  std::vector<int> host(200), back(200, -1), expected(200, -1), expected_on_device(400, 7);
  std::iota(host.begin(), host.end(), 200);
  device_buffer<int> device(400);
  std::vector<int> before(400, 7);
  device.upload(before.data());
  const tensor<int, R> on_device(device.data() + 100, extents, device_strides);
  copy_tensor_to_device(on_device, tensor<const int, R>(host.data() + begin, extents, strides));
  copy_tensor_to_host(tensor<int, R>(back.data() + begin, extents, strides),
                      tensor<const int, R>(on_device));
  std::vector<index_type> places;
  each_offset(extents, device_strides, [&](index_type offset) { places.push_back(offset); });
  auto place = places.begin();
  each_offset(extents, strides, [&](index_type offset) {
    expected[std::size_t(begin + offset)] = int(200 + begin + offset);
    expected_on_device[std::size_t(100 + *place++)] = int(200 + begin + offset);
  });
  EXPECT_EQ(download(device), expected_on_device);
  EXPECT_EQ(back, expected);
}

/// The same to row-major, column-major and padded places, to some with gaps everywhere, and to
/// memory without strides.
template <int R> void check_transfers(extents_t<R> extents, extents_t<R> strides, int begin) {
  const extents_t<R> dense = row_major_strides(extents);
  extents_t<R> padded = dense, column, sparse, reversed;
  index_type next = 1;
  for (int d = 0; d < R; ++d) {
    if (d + 1 < R)
      padded[d] += dense[d] / (extents[R - 1] ? extents[R - 1] : 1);
    column[d] = next;
    next *= extents[d];
    sparse[d] = 2 * dense[d];
    reversed[d] = d == 0 ? -dense[d] : dense[d];
  }
  for (const extents_t<R> &on_device : {dense, padded, column, sparse, reversed})
    check_transfer(extents, strides, begin, on_device);
  const auto count = std::size_t(extents.count());
  std::vector<int> host(200), back(200, -1), packed;
  std::iota(host.begin(), host.end(), 0);
  device_buffer<int> device(count);
  copy_to_device(device.data(), tensor<const int, R>(host.data() + begin, extents, strides));
  copy_to_host(tensor<int, R>(back.data() + begin, extents, strides), device.data());
  each_offset(extents, strides, [&](index_type offset) {
    packed.push_back(int(begin + offset));
    EXPECT_EQ(back[std::size_t(begin + offset)], begin + offset);
  });
  EXPECT_EQ(download(device), packed);
}

} // namespace

TEST(Memory, Tensors) {
  check_transfers<0>({}, {}, 3);
  check_transfers<1>({7}, {1}, 3);
  check_transfers<1>({7}, {5}, 3);
  check_transfers<1>({7}, {-2}, 30);
  check_transfers<2>({4, 5}, {5, 1}, 0);
  check_transfers<2>({4, 5}, {9, 1}, 1);
  check_transfers<2>({4, 5}, {1, 4}, 1);
  check_transfers<2>({4, 5}, {-5, 1}, 30);
  check_transfers<2>({0, 5}, {5, 1}, 1);
  check_transfers<2>({5, 1}, {3, 1}, 1);
  check_transfers<3>({3, 4, 5}, {40, 7, 1}, 2);
  check_transfers<3>({3, 4, 5}, {5, 15, 1}, 2);
  check_transfers<3>({3, 4, 5}, {60, 10, 2}, 2);
  check_transfers<4>({2, 1, 3, 4}, {50, 77, 11, 1}, 2);
}

// A vector of bool is no array of them.
TEST(Memory, TensorsOfBool) {
  const bool host[6] = {true, false, true, true, false, true};
  bool back[6] = {};
  device_buffer<bool> device(3);
  copy_to_device(device.data(), tensor<const bool, 1>(host, {3}, {2}));
  copy_to_host(tensor<bool, 1>(back, {3}, {2}), device.data());
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(back[i], i % 2 == 0 && host[i]) << i;
}

TEST(Memory, Copies) {
  std::vector<int> host(10);
  device_buffer<int> device(8);
  EXPECT_THROW(copy_to_device(device.data(), host.data(), 9), error);
  EXPECT_THROW(copy_to_device(host.data(), host.data(), 4), error);
  EXPECT_THROW(copy_to_host(host.data(), host.data(), 4), error);
  EXPECT_THROW(fill(device.data() + 4, 0, 32), error);
  for (int i = 0; i < 10; ++i)
    host[std::size_t(i)] = i;
  copy_rows_to_device(device.data(), 4, host.data(), 5, 2, 3);
  std::vector<int> back(10, -1);
  copy_rows_to_host(back.data(), 5, device.data(), 4, 2, 3);
  EXPECT_EQ(back, (std::vector<int>{0, 1, 2, -1, -1, 5, 6, 7, -1, -1}));
}
