//===- ViewsTest.cpp - transpose, subtensor, reshape, broadcast -----------===//

#include <septran/septran.h>

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using septran::all;
using septran::extents_t;
using septran::tensor;

class Views : public ::testing::Test {
protected:
  Views() : data(24) { std::iota(data.begin(), data.end(), 0); }

  std::vector<int> data;
  tensor<int, 3> t{data.data(), {2, 3, 4}};
};

TEST_F(Views, TransposeReversesTheDimensions) {
  const auto u = septran::transpose(t);
  EXPECT_EQ(u.extents(), (extents_t<3>{4, 3, 2}));
  for (auto [i, j, k] : septran::parallel(t.extents()))
    EXPECT_EQ(int(u(k, j, i)), int(t(i, j, k)));
}

TEST_F(Views, TransposeKeepsOrigins) {
  const auto block = septran::partition(t, {1, 2, 3})(1, 1, 1);
  const auto u = septran::transpose(block);
  EXPECT_EQ(u.origin(0), 3);
  EXPECT_EQ(u.origin(2), 1);
  static_assert(
      std::is_same_v<decltype(septran::transpose(tensor<const int, 2>())), tensor<const int, 2>>);
}

TEST_F(Views, SubtensorDropsIntegerDimensions) {
  const auto matrix = septran::subtensor(t, 1, all, all);
  static_assert(std::is_same_v<decltype(matrix), const tensor<int, 2>>);
  EXPECT_EQ(int(matrix(2, 3)), 23);
  const auto vector = septran::subtensor(t, all, 2, 1);
  EXPECT_EQ(vector.extents(), (extents_t<1>{2}));
  EXPECT_EQ(int(vector(1)), 21);
  const auto scalar = septran::subtensor(t, 1, 1, 1);
  static_assert(decltype(scalar)::rank() == 0);
  EXPECT_EQ(int(scalar()), 17);
  const auto block = septran::partition(t, {1, 2, 3})(1, 1, 1);
  EXPECT_EQ(septran::subtensor(block, 0, 0, all).origin(0), 3);
}

TEST_F(Views, SubtensorOfEveryRank) {
  EXPECT_EQ(int(septran::subtensor(tensor<int, 1>(data.data(), {24}), 5)()), 5);
  EXPECT_EQ(int(septran::subtensor(tensor<int, 2>(data.data(), {6, 4}), 5, all)(1)), 21);
  EXPECT_EQ(int(septran::subtensor(tensor<int, 4>(data.data(), {2, 3, 2, 2}), 1, all, 1, 0)(2)),
            22);
  EXPECT_EQ(
      int(septran::subtensor(tensor<int, 5>(data.data(), {2, 3, 2, 2, 1}), 1, 2, 1, 0, all)(0)),
      22);
  EXPECT_EQ(int(septran::subtensor(tensor<int, 6>(data.data(), {1, 2, 3, 2, 2, 1}), 0, 1, 2, 1, all,
                                   0)(1)),
            23);
}

TEST_F(Views, ReshapeKeepsTheRowMajorOrder) {
  const auto flat = septran::reshape(t, {24});
  EXPECT_EQ(int(flat(13)), 13);
  const auto matrix = septran::reshape(t, {4, 6});
  EXPECT_EQ(int(matrix(3, 5)), 23);
  const auto again = septran::reshape(tensor<const int, 3>(t), matrix.extents());
  EXPECT_EQ(again(1, 0), 6);
  // A dimension of one element may have any stride.
  const tensor<int, 2> row(data.data(), {1, 4}, {100, 1});
  EXPECT_EQ(int(septran::reshape(row, {2, 2})(1, 0)), 2);
}

TEST_F(Views, BroadcastRepeats) {
  const tensor<int, 2> column(data.data(), {3, 1});
  const auto wide = septran::broadcast(column, {3, 5});
  static_assert(std::is_same_v<decltype(wide), const tensor<const int, 2>>);
  EXPECT_EQ(wide(2, 4), 2);
  EXPECT_EQ(wide.stride(1), 0);
  const auto stacked = septran::broadcast(tensor<int, 1>(data.data(), {4}), {2, 3, 4});
  EXPECT_EQ(stacked.extents(), (extents_t<3>{2, 3, 4}));
  EXPECT_EQ(stacked(1, 2, 3), 3);
  EXPECT_EQ(septran::broadcast(column, extents_t<2>{3, 1}).stride(1), 1);
}

#ifndef NDEBUG
using ViewsDeathTest = Views;

TEST_F(ViewsDeathTest, ReshapeOfAGappedTensor) {
  const auto block = septran::partition(t, {2, 3, 2})(0, 0, 0);
  EXPECT_DEATH(septran::reshape(block, {12}), "without gaps");
  EXPECT_DEATH(septran::reshape(t, {25}), "number of elements");
}

TEST_F(ViewsDeathTest, BroadcastOfAnExtentOtherThanOne) {
  EXPECT_DEATH(septran::broadcast(tensor<int, 1>(data.data(), {3}), {2, 4}), "extents of 1 only");
}
#endif

} // namespace
