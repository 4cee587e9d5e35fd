//===- StableSortTest.cpp -----------------------------------------*- C++ -*-===//
#include "Support/StableSort.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace septran::compiler {
namespace {

using Words = std::vector<std::string>;

TEST(StableSort, EqualElementsKeepTheirOrder) {
  Words W = {"bb", "a", "cc", "ddd", "b", "aa"};
  stableSort(W, [](const std::string &A, const std::string &B) { return A.size() < B.size(); });
  EXPECT_EQ(W, (Words{"a", "b", "bb", "cc", "aa", "ddd"}));
}

TEST(StableSort, PartitionsKeepTheirOrder) {
  Words W = {"bb", "a", "cc", "ddd", "b", "aa"};
  stablePartition(W, [](const std::string &A) { return A.size() == 2; });
  EXPECT_EQ(W, (Words{"bb", "cc", "aa", "a", "ddd", "b"}));
}

TEST(StableSort, TakesNoElements) {
  Words W;
  stableSort(W, std::less<>());
  stablePartition(W, [](const std::string &) { return true; });
  EXPECT_TRUE(W.empty());
}

} // namespace
} // namespace septran::compiler
