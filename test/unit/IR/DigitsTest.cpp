#include "IR/BufferLayout.h"
#include "IR/Digits.h"

#include <gtest/gtest.h>

#include <set>

using namespace septran::compiler;

namespace {

std::string again(std::string_view Text) {
  const std::optional<Fragment> F = parseFragment(Text);
  return F ? toString(*F) : "none";
}

TEST(Fragments, TextIsReadAndPrinted) {
  EXPECT_EQ(again("[8@4, 2@r2] x [2@r1, 4@1]"), "[8@4, 2@r2] x [2@r1, 4@1]");
  EXPECT_EQ(again("[ 8 @ 4,2@r2 ]x[ 2@r1 ]"), "[8@4, 2@r2] x [2@r1]");
  EXPECT_EQ(again("[8@1, 2@8] x [8, 2@16]"), "[8@1, 2@8] x [8, 2@16]");
  EXPECT_EQ(again("[] x [4@r1]"), "[] x [4@r1]");
}

TEST(Fragments, OtherTextIsNone) {
  for (const char *Text : {"", "row", "8@4", "[8@4", "[8@4] x", "[8@4] [2]", "[0@4]", "[8@]", "[8@r]",
                           "[8@0]", "[-8@4]", "[8@4,]", "[99999]", "[8@4] y [2]"})
    EXPECT_EQ(again(Text), "none") << Text;
}

TEST(Fragments, RegistersAreCountedWithoutGaps) {
  EXPECT_EQ(fragmentSize(*parseFragment("[8@4, 2@r2] x [2@r1, 4@1, 2@r4]")), 8);
  EXPECT_EQ(fragmentSize(*parseFragment("[8@4] x [4@1]")), 1);
  EXPECT_EQ(fragmentSize(*parseFragment("[2@r2] x [4@1]")), 0);          // no register 1
  EXPECT_EQ(fragmentSize(*parseFragment("[2@r1] x [2@r1]")), 0);         // twice the same
  EXPECT_EQ(fragmentSize(*parseFragment("[4@r1] x [2@r2]")), 0);         // they overlap
}

TEST(Digits, AreCutWhereTheyCanBe) {
  const Digits D = parseFragment("[2@r1, 4@1, 4@r2, 2@32]")->front();
  auto Cut = splitAt(D, 8);
  ASSERT_TRUE(Cut);
  EXPECT_EQ(toString(Cut->first), "2@r1, 4@1");
  EXPECT_EQ(toString(Cut->second), "4@r2, 2@32");
  Cut = splitAt(D, 16); // within registers
  ASSERT_TRUE(Cut);
  EXPECT_EQ(toString(Cut->first), "2@r1, 4@1, 2@r2");
  EXPECT_EQ(toString(Cut->second), "2@r4, 2@32");
  Cut = splitAt(D, 4); // within threads
  ASSERT_TRUE(Cut);
  EXPECT_EQ(toString(Cut->second), "2@2, 4@r2, 2@32");
  EXPECT_TRUE(splitAt(D, 64));
  EXPECT_FALSE(splitAt(D, 128)); // it has 64 elements
  EXPECT_FALSE(splitAt(D, 6));
}

/// Where a chunk of a line goes, in chunks of 16 bytes.
std::int64_t place(const SwizzleSteps &S, std::int64_t Line, std::int64_t Chunk,
                   std::int64_t ChunksOfLine) {
  return Line * ChunksOfLine + (Chunk ^ (Line / S.Lines % S.Count));
}

TEST(Swizzle, PermutesChunksAndSpreadsColumnsOverBanks) {
  for (std::int64_t Bytes : {32, 64, 128})
    for (std::int64_t LineBytes : {32, 64, 128, 192, 256, 384, 512}) {
      const std::optional<SwizzleSteps> S = swizzleSteps(Bytes, LineBytes / 2, 2);
      ASSERT_EQ(S.has_value(), LineBytes % Bytes == 0);
      if (!S)
        continue;
      const std::int64_t Chunks = LineBytes / 16;
      std::set<std::int64_t> Seen;
      for (std::int64_t Line = 0; Line < 16; ++Line)
        for (std::int64_t Chunk = 0; Chunk < Chunks; ++Chunk)
          Seen.insert(place(*S, Line, Chunk, Chunks));
      EXPECT_EQ(std::int64_t(Seen.size()), 16 * Chunks);
      EXPECT_EQ(*Seen.rbegin(), 16 * Chunks - 1);
      // Eight lines at one column: as many different bank groups as the swizzle has chunks, times the
      // lines that fill the banks together.
      for (std::int64_t Chunk = 0; Chunk < Chunks; ++Chunk) {
        std::set<std::int64_t> Banks;
        for (std::int64_t Line = 0; Line < 8; ++Line)
          Banks.insert(place(*S, Line, Chunk, Chunks) % 8);
        if (LineBytes <= 128 && LineBytes == Bytes) {
          EXPECT_EQ(Banks.size(), 8u) << LineBytes;
        }
        if (LineBytes % 128 == 0) {
          EXPECT_EQ(std::int64_t(Banks.size()), Bytes / 16) << LineBytes << " " << Bytes;
        }
      }
    }
}

TEST(Swizzle, OnlyOfWholeChunks) {
  EXPECT_FALSE(swizzleSteps(16, 64, 2));
  EXPECT_FALSE(swizzleSteps(48, 96, 2));
  EXPECT_FALSE(swizzleSteps(256, 256, 2));
  EXPECT_FALSE(swizzleSteps(64, 40, 2));
  EXPECT_FALSE(swizzleSteps(0, 64, 2));
}

} // namespace
