//===- ShrinkTextTest.cpp -------------------------------------------------===//
#include "Verify/ShrinkText.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

bool has(const std::string &Text, const char *Part) { return Text.find(Part) != std::string::npos; }

TEST(ShrinkText, LeavesWhatThePredicateNeeds) {
  const std::string Text = "a: 1\n"
                           "b:\n"
                           "  c: {x: 5, y: 64, z: 7}\n"
                           "  d: 3\n"
                           "e:\n"
                           "  f: 2\n";
  ShrunkText Result = shrinkText(Text, 1000, [](const std::string &T) {
    return has(T, "b:\n") && has(T, "y: ") && !has(T, "y: 1") && !has(T, "y: 0");
  });
  EXPECT_EQ(Result.Text, "b:\n  c: { y: 2}\n");
}

TEST(ShrinkText, NumbersInNamesStay) {
  ShrunkText Result =
      shrinkText("k9: 9\n", 100, [](const std::string &T) { return has(T, "k9: "); });
  EXPECT_EQ(Result.Text, "k9: 0\n");
}

TEST(ShrinkText, AsksNoMoreThanItMay) {
  unsigned Asked = 0;
  std::string Text;
  for (int I = 0; I < 50; ++I)
    Text += "line\n";
  ShrunkText Result = shrinkText(Text, 7, [&](const std::string &) {
    ++Asked;
    return false;
  });
  EXPECT_EQ(Asked, 7u);
  EXPECT_EQ(Result.Asked, 7u);
  EXPECT_EQ(Result.Text, Text);
}

} // namespace
