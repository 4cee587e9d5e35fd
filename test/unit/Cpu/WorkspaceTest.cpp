//===- WorkspaceTest.cpp - scratch memory, block arithmetic, threads --------===//

#include <septran/cpu/index.h>
#include <septran/cpu/workspace.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

namespace workspace_test {

using namespace septran::cpu;

std::uintptr_t address(const void *p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Workspace, BuffersShareNoCacheLine) {
  scratch<char> a(1), b(65), c(64);
  EXPECT_EQ(address(a.data()) % 64, 0u);
  EXPECT_EQ(address(b.data()) % 64, 0u);
  EXPECT_GE(address(b.data()), address(a.data()) + 64);
  EXPECT_GE(address(c.data()), address(b.data()) + 128);
  std::memset(b.data(), 1, 65);
  std::memset(c.data(), 2, 64);
  EXPECT_EQ(b[64], 1);
  EXPECT_EQ(b.size(), 65);
}

TEST(Workspace, IsReusedInStackOrder) {
  const scratch<float> base(10);
  float *first, *second;
  {
    scratch<float> a(100);
    first = a.data();
  }
  {
    scratch<float> b(50);
    second = b.data();
  }
  EXPECT_EQ(first, second);
}

TEST(Workspace, GrowsWithoutMovingLiveBuffersThenMerges) {
  std::thread([] {
    workspace &mine = workspace::of_this_thread();
    EXPECT_EQ(mine.capacity(), 0u);
    {
      scratch<int> small(100);
      for (int i = 0; i < 100; ++i)
        small[i] = i;
      scratch<int> large(1 << 20), larger(1 << 22);
      std::memset(large.data(), 0, sizeof(int) << 20);
      std::memset(larger.data(), 0, sizeof(int) << 22);
      EXPECT_EQ(address(larger.data()) % workspace::huge_page, 0u);
      for (int i = 0; i < 100; ++i)
        EXPECT_EQ(small[i], i);
    }
    std::size_t settled;
    {
      scratch<int> small(100), large(1 << 20), larger(1 << 22);
      settled = mine.capacity();
      EXPECT_GE(settled, sizeof(int) * ((1 << 20) + (1 << 22)));
    }
    {
      scratch<int> small(100), large(1 << 20), larger(1 << 22);
      EXPECT_EQ(mine.capacity(), settled) << "a second call must find its memory";
    }
  }).join();
}

TEST(Workspace, NestsDeeply) {
  std::vector<int *> seen;
  auto nest = [&](auto &self, int depth) -> void {
    scratch<int> buffer(depth * 37 % 5000 + 1);
    buffer[0] = depth;
    seen.push_back(buffer.data());
    if (depth < 200)
      self(self, depth + 1);
    EXPECT_EQ(buffer[0], depth);
  };
  nest(nest, 0);
  EXPECT_EQ(seen.size(), 201u);
}

TEST(Workspace, ACountBelowOneTakesNothing) {
  const scratch<float> none(0), less(-5);
  EXPECT_EQ(none.data(), nullptr);
  EXPECT_EQ(less.size(), 0);
}

TEST(Workspace, TooMuchIsBadAlloc) {
  EXPECT_THROW(scratch<double>{PTRDIFF_MAX}, std::bad_alloc);
  EXPECT_THROW(scratch<char>{PTRDIFF_MAX}, std::bad_alloc);
  const scratch<int> still_works(10);
  still_works[9] = 1;
}

TEST(Index, BlocksCoverTheExtent) {
  EXPECT_EQ(ceil_div(0, 4), 0);
  EXPECT_EQ(ceil_div(1, 4), 1);
  EXPECT_EQ(ceil_div(4, 4), 1);
  EXPECT_EQ(ceil_div(5, 4), 2);
  EXPECT_EQ(ceil_div(5, 0), 0);
  EXPECT_EQ(ceil_div(-5, 4), 0);
  EXPECT_EQ(ceil_div(PTRDIFF_MAX, 2), PTRDIFF_MAX / 2 + 1);
  EXPECT_EQ(round_up(5, 4), 8);
  EXPECT_EQ(min_index(2, -3), -3);
  EXPECT_EQ(max_index(2, -3), 2);
}

TEST(Index, OneThreadOutsideParallelRegions) {
  EXPECT_EQ(thread_count(), 1);
  EXPECT_EQ(thread_id(), 0);
  EXPECT_GE(max_thread_count(), 1);
}

} // namespace workspace_test
