//===- TextEditsTest.cpp ---------------------------------------------------===//
#include "Verify/TextEdits.h"

#include "gtest/gtest.h"

namespace septran::compiler {
namespace {

TEST(TextEditsTest, ReplacesAndWraps) {
  TextEdits E;
  //                         0123456789
  const std::string Source = "f(a, b, c)";
  EXPECT_TRUE(E.replace(2, 3, "alpha"));
  EXPECT_TRUE(E.wrap(2, 6, 0, "<", ">"));
  EXPECT_TRUE(E.wrap(2, 3, 0, "[", "]"));
  EXPECT_TRUE(E.wrap(2, 3, 1, "{", "}"));
  EXPECT_TRUE(E.wrap(0, 10, 0, "(", ")"));
  EXPECT_EQ(E.apply(Source, 0, 10), "(f(<{[alpha]}, b>, c))");
  EXPECT_EQ(E.apply(Source, 8, 10), "c)");
  EXPECT_EQ(E.apply(Source, 2, 3), "{[alpha]}");
}

TEST(TextEditsTest, InsertsBetweenNeighbours) {
  TextEdits E;
  EXPECT_TRUE(E.wrap(0, 1, 0, "(", ")"));
  EXPECT_TRUE(E.wrap(1, 2, 0, "[", "]"));
  EXPECT_EQ(E.apply("ab", 0, 2), "(a)[b]");
}

TEST(TextEditsTest, SaysWhatDoesNotFit) {
  TextEdits E;
  EXPECT_TRUE(E.replace(2, 5, "x"));
  EXPECT_TRUE(E.replace(2, 5, "x")) << "the same again";
  EXPECT_FALSE(E.replace(2, 5, "y"));
  EXPECT_FALSE(E.replace(2, 4, "x"));
  EXPECT_FALSE(E.replace(3, 4, "x"));
  EXPECT_FALSE(E.replace(1, 3, "x"));
  EXPECT_TRUE(E.replace(5, 6, "x")) << "what only touches it";
  EXPECT_TRUE(E.replace(1, 2, "x"));
  EXPECT_TRUE(E.wrap(2, 5, 0, "(", ")"));
  EXPECT_TRUE(E.wrap(2, 5, 0, "(", ")"));
  EXPECT_FALSE(E.wrap(2, 5, 0, "[", "]"));
}

} // namespace
} // namespace septran::compiler
