//===- MemoryTest.cpp - Bounds, alignment, undefined values ---------------===//

#include "Emulated.h"

#include <septran/cuda/simt.h>
#include <septran/cuda/sm80.h>
#include <septran/cuda/transfer.h>

#include <array>

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

/// A tensor of these strides goes to the device row-major, and comes back.
template <int R> void check_transfer(extents_t<R> extents, extents_t<R> strides, int begin) {
  std::vector<int> host(200), back(200, -1);
  for (int i = 0; i < 200; ++i)
    host[std::size_t(i)] = i;
  const auto count = std::size_t(extents.count());
  device_buffer<int> device(count);
  copy_to_device(device.data(), tensor<const int, R>(host.data() + begin, extents, strides));
  copy_to_host(tensor<int, R>(back.data() + begin, extents, strides), device.data());
  std::vector<int> expected(200, -1);
  std::vector<int> packed_expected;
  cuda::detail::each_index(extents, strides, R, [&](index_type offset, index_type) {
    expected[std::size_t(begin + offset)] = int(begin + offset);
    packed_expected.push_back(int(begin + offset));
  });
  EXPECT_EQ(packed_expected.size(), count);
  EXPECT_EQ(download(device), packed_expected);
  EXPECT_EQ(back, expected);
}

} // namespace

TEST(Memory, Tensors) {
  check_transfer<1>({7}, {1}, 3);
  check_transfer<1>({7}, {5}, 3);
  check_transfer<1>({7}, {-2}, 30);
  check_transfer<2>({4, 5}, {5, 1}, 0);
  check_transfer<2>({4, 5}, {9, 1}, 1);
  check_transfer<2>({4, 5}, {1, 4}, 1);
  check_transfer<2>({0, 5}, {5, 1}, 1);
  check_transfer<3>({3, 4, 5}, {40, 7, 1}, 2);
  check_transfer<3>({3, 4, 5}, {5, 15, 1}, 2);
  check_transfer<3>({3, 4, 5}, {60, 10, 2}, 2);
  check_transfer<4>({2, 1, 3, 4}, {50, 77, 11, 1}, 2);
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
