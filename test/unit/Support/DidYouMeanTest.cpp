#include "Support/DidYouMean.h"

#include <gtest/gtest.h>

using namespace septran::compiler;

namespace {

TEST(DidYouMean, FindsTypingMistakes) {
  std::vector<std::string> Keys = {"task_name", "tunables", "proc", "mems"};
  EXPECT_EQ(didYouMean("task_nam", Keys), "task_name");
  EXPECT_EQ(didYouMean("tasknmae", Keys), "task_name");
  EXPECT_EQ(didYouMean("porc", Keys), "proc");
  EXPECT_EQ(didYouMean("Tunables", Keys), "tunables");
}

TEST(DidYouMean, LooksBehindNamespaces) {
  EXPECT_EQ(didYouMean("library::level1::axpy", {"axpby", "axpy"}), "axpy");
  EXPECT_EQ(didYouMean("::axpy", {"axpy"}), "axpy");
  EXPECT_EQ(didYouMean("library::level1::", {"axpy", ""}), "");
}

TEST(DidYouMean, StaysSilentWhenNothingIsClose) {
  EXPECT_EQ(didYouMean("layout", {"proc", "mems"}), "");
  EXPECT_EQ(didYouMean("A", {"B", "C"}), "");
  EXPECT_EQ(didYouMean("", {"a"}), "");
  EXPECT_EQ(didYouMean(std::string(1000, 'a'), {std::string(999, 'a')}), "");
}

TEST(DidYouMean, DoesNotDependOnTheOrderOfCandidates) {
  EXPECT_EQ(didYouMean("tile_x", {"tile_n", "tile_m"}), "tile_m");
  EXPECT_EQ(didYouMean("tile_x", {"tile_m", "tile_n"}), "tile_m");
}

} // namespace
