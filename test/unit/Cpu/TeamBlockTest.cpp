//===- TeamBlockTest.cpp - blocks for a team of threads ---------------------===//

#include <septran/cpu/team_block.h>

#include <gtest/gtest.h>

namespace team_block_test {

using namespace septran::cpu;

/// Steps that the thread with most to do has.
std::ptrdiff_t longest(std::ptrdiff_t steps, std::ptrdiff_t others, std::ptrdiff_t size,
                       std::ptrdiff_t threads) {
  return ceil_div(others * ceil_div(steps, size), threads) * size;
}

TEST(TeamBlock, IsAsLargeAsItMayWhereAllHaveWork) {
  EXPECT_EQ(team_block(2048, 8, 2048, 1, 1, 1), 2048);
  EXPECT_EQ(team_block(2048, 8, 2048, 1, 1, 8), 2048);
  EXPECT_EQ(team_block(4096, 1, 1024, 1, 1, 2), 1024);
  EXPECT_EQ(team_block(1 << 20, 1, 256, 16, 1, 16), 16);
  EXPECT_EQ(team_block(30, 8, 2048, 1, 1, 8), 30);
}

TEST(TeamBlock, GivesEveryThreadWork) {
  EXPECT_EQ(team_block(2048, 8, 2048, 1, 1, 16), 1024);
  EXPECT_EQ(team_block(2048, 8, 2048, 48, 1, 16), 22);
  EXPECT_EQ(team_block(512, 1, 256, 32, 1, 16), 1);
  EXPECT_EQ(team_block(512, 1, 256, 32, 1, 4), 4);
  EXPECT_EQ(team_block(2048, 3, 2048, 1, 1, 2),
            1024); // three blocks for two threads: one would wait
  EXPECT_EQ(team_block(1024, 1, 1032, 6, 1, 8), 22); // and one of seven blocks for eight
  EXPECT_EQ(team_block(140, 3, 66, 6, 1, 2), 6);     // and one of two would have five of nine
}

TEST(TeamBlock, HasSoManyForEachThread) {
  EXPECT_EQ(team_block(2048, 8, 2064, 48, 4, 1), 43); // one thread has them all
  EXPECT_EQ(team_block(2048, 8, 2064, 48, 4, 2), 43); // four heads each
  EXPECT_EQ(team_block(2048, 8, 2064, 48, 4, 16), 6); // eight blocks of a head: 64
  EXPECT_EQ(team_block(2048, 100, 2064, 48, 4, 16), 43);
  EXPECT_EQ(team_block(96, 1, 2064, 48, 4, 16), 1); // no more than there are steps
  EXPECT_EQ(team_block(4096, 1, 64, 16, 4, 2), 4);  // and no larger than they may be
}

TEST(TeamBlock, IsAtLeastOneStep) {
  EXPECT_EQ(team_block(0, 4, 64, 16, 1, 4), 1);
  EXPECT_EQ(team_block(1, 1, 64, 16, 1, 4), 1);
  EXPECT_EQ(team_block(100, 0, 64, 16, 1, 4), 2);
  EXPECT_EQ(team_block(100, 1, 64, 64, 1, 64), 1);
}

TEST(TeamBlock, LeavesNoLargeGain) {
  for (std::ptrdiff_t threads : {1, 2, 3, 5, 8, 16, 61})
    for (std::ptrdiff_t others : {1, 2, 7, 16})
      for (std::ptrdiff_t steps = 1; steps < 90; ++steps) {
        const std::ptrdiff_t size = team_block(steps, others, 64, 1, 1, threads);
        ASSERT_GE(size, 1);
        ASSERT_LE(size, std::min<std::ptrdiff_t>(steps, 64));
        // No smaller blocks are better by much, of those that are not many.
        for (std::ptrdiff_t less = 1; less < size; ++less) {
          if (others * ceil_div(steps, less) <= 8 * threads) {
            ASSERT_GE(longest(steps, others, less, threads) * 16,
                      longest(steps, others, size, threads) * 15)
                << steps << " x " << others << " on " << threads << ": " << size << ", " << less;
          }
        }
      }
}

} // namespace team_block_test
