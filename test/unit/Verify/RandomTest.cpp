//===- RandomTest.cpp - numbers that a seed decides -------------*- C++ -*-===//
#include "Verify/Random.h"

#include "gtest/gtest.h"

#include <set>

namespace septran::compiler {
namespace {

/// The published sequence of SplitMix64 for the seed 1234567: another platform must not differ.
TEST(RandomTest, PublishedSequence) {
  Random R(1234567);
  EXPECT_EQ(R.next(), 6457827717110365317u);
  EXPECT_EQ(R.next(), 3203168211198807973u);
  EXPECT_EQ(R.next(), 9817491932198370423u);
  EXPECT_EQ(R.next(), 4593380528125082431u);
}

TEST(RandomTest, BelowReachesEveryValueAndNoOther) {
  Random R(1);
  std::set<std::uint64_t> Seen;
  for (int N = 0; N < 200; ++N)
    Seen.insert(R.below(7));
  EXPECT_EQ(Seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(R.below(1), 0u);
  EXPECT_EQ(R.between(-3, -3), -3);
}

TEST(RandomTest, ChanceIsAPercentage) {
  Random R(2);
  int Hits = 0;
  for (int N = 0; N < 10000; ++N) {
    Hits += R.chance(30);
    EXPECT_TRUE(R.chance(100));
    EXPECT_FALSE(R.chance(0));
  }
  EXPECT_NEAR(Hits, 3000, 200);
}

TEST(RandomTest, SplitOffNumbersDoNotChangeTheRest) {
  Random A(3), B(3);
  Random Own = A.split();
  B.split();
  for (int N = 0; N < 10; ++N)
    Own.next();
  EXPECT_EQ(A.next(), B.next());
  EXPECT_NE(Random(3).split().next(), Random(3).next());
}

} // namespace
} // namespace septran::compiler
