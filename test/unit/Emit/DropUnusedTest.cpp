//===- DropUnusedTest.cpp -----------------------------------------*- C++ -*-===//
#include "Emit/DropUnused.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

TEST(DropUnusedTest, DropsWhatNothingMentions) {
  EXPECT_EQ(dropUnusedDefinitions("[[maybe_unused]] const int a = 1;\n"
                                  "[[maybe_unused]] const int b = 2;\n"
                                  "use(b);\n"),
            "const int b = 2;\nuse(b);\n");
}

TEST(DropUnusedTest, DropsWhatOnlyDroppedLinesMention) {
  EXPECT_EQ(dropUnusedDefinitions("[[maybe_unused]] const int a = 1;\n"
                                  "[[maybe_unused]] const int b = a;\n"
                                  "[[maybe_unused]] const int c = b;\n"),
            "");
}

TEST(DropUnusedTest, WordsAreWholeAndCommentsDoNotCount) {
  EXPECT_EQ(dropUnusedDefinitions("[[maybe_unused]] const int a = 1;\n"
                                  "use(aa, a_1); // a\n"),
            "use(aa, a_1); // a\n");
}

TEST(DropUnusedTest, KnowsTheNameInEveryDefinition) {
  EXPECT_EQ(dropUnusedDefinitions("[[maybe_unused]] using a = vec<float, 4>;\n"
                                  "[[maybe_unused]] const unit b(x, read);\n"
                                  "[[maybe_unused]] float *const c = b.data();\n"
                                  "[[maybe_unused]] float d;\n"
                                  "use(x, read);\n"),
            "use(x, read);\n");
}

TEST(DropUnusedTest, FindsIdentifiersOutsideComments) {
  const std::string Text = "a;\nuse(b.c); // d\n// e\nff;\n";
  EXPECT_EQ(identifiersIn(Text), (std::set<std::string_view>{"a", "use", "b", "c", "ff"}));
}

TEST(DropUnusedTest, KeepsUnmarkedLines) {
  EXPECT_EQ(dropUnusedDefinitions("const int a = 1;\n"), "const int a = 1;\n");
}

} // namespace
} // namespace septran::compiler
