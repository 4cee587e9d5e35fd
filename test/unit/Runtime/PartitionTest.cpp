//===- PartitionTest.cpp - partitions and windows -------------------------===//

#include <septran/septran.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

using septran::index_type;
using septran::tensor;

std::vector<int> numbers(index_type count) {
  std::vector<int> data(std::size_t(count), 0);
  std::iota(data.begin(), data.end(), 0);
  return data;
}

TEST(Partition, BlocksCoverTheTensorOnce) {
  for (index_type m : {1, 2, 6, 7, 8, 13})
    for (index_type n : {1, 4, 5, 11})
      for (index_type bm : {1, 3, 7, 20})
        for (index_type bn : {1, 4, 5}) {
          std::vector<int> data(std::size_t(m * n), 0);
          const tensor<int, 2> t(data.data(), {m, n});
          const auto p = septran::partition(t, {bm, bn});
          EXPECT_EQ(p.extent(0), (m + bm - 1) / bm);
          EXPECT_EQ(p.shape()[1], (n + bn - 1) / bn);
          for (auto [i, j] : septran::parallel(p.shape())) {
            const auto block = p(i, j);
            EXPECT_EQ(block.origin(0), i * bm);
            EXPECT_EQ(block.origin(1), j * bn);
            EXPECT_EQ(block.extent(0), std::min(bm, m - i * bm));
            for (index_type r = 0; r < block.extent(0); ++r)
              for (index_type c = 0; c < block.extent(1); ++c) {
                block(r, c) += 1;
                EXPECT_EQ(block.data() + r * block.stride(0) + c,
                          t.data() + (i * bm + r) * n + j * bn + c);
              }
          }
          EXPECT_EQ(std::count(data.begin(), data.end(), 1), m * n);
        }
}

TEST(Partition, AllSpansADimension) {
  auto data = numbers(35);
  const tensor<const int, 2> t(data.data(), {5, 7});
  const auto p = septran::partition(t, {2, 3});
  const auto rows = p(1, septran::all);
  EXPECT_EQ(rows.extents(), (septran::extents_t<2>{2, 7}));
  EXPECT_EQ(rows(1, 6), 27);
  const auto column = p(septran::all, 2);
  EXPECT_EQ(column.extents(), (septran::extents_t<2>{5, 1}));
  EXPECT_EQ(column(4, 0), 34);
  EXPECT_EQ(column.origin(1), 6);
}

TEST(Partition, OriginsAddUp) {
  auto data = numbers(100);
  const tensor<int, 1> t(data.data(), {100});
  const auto outer = septran::partition(t, {40});
  const auto inner = septran::partition(outer(1), {16});
  EXPECT_EQ(inner(2).origin(0), 72);
  EXPECT_EQ(inner(2).extent(0), 8);
  EXPECT_EQ(int(inner(2)(3)), 75);
}

TEST(Partition, BlockOfZeroIsTheWholeExtent) {
  auto data = numbers(12);
  const tensor<int, 2> t(data.data(), {3, 4});
  const auto p = septran::partition(t, {0, -1});
  EXPECT_EQ(p.shape(), (septran::extents_t<2>{1, 1}));
  EXPECT_EQ(p(0, 0).extents(), t.extents());
}

TEST(Partition, EmptyDimensionHasNoBlocksButAnEmptyBlockZero) {
  int unused = 0;
  const tensor<int, 2> t(&unused, {4, 0});
  const auto p = septran::partition(t, {2, t.extent(1)});
  EXPECT_EQ(p.shape(), (septran::extents_t<2>{2, 0}));
  EXPECT_EQ(p(1, 0).extents(), (septran::extents_t<2>{2, 0}));
  EXPECT_EQ(septran::partition(t, {2, 64})(0, 0).extent(1), 0);
}

TEST(Partition, EveryRank) {
  auto data = numbers(64);
  EXPECT_EQ(
      int(septran::partition(tensor<int, 3>(data.data(), {4, 4, 4}), {2, 2, 2})(1, 0, 1)(0, 1, 1)),
      39);
  EXPECT_EQ(septran::partition(tensor<int, 4>(data.data(), {2, 2, 4, 4}), {1, 1, 2, 2})(1, 1, 1, 1)
                .data(),
            data.data() + 58);
  EXPECT_EQ(septran::partition(tensor<int, 5>(data.data(), {2, 2, 2, 2, 4}),
                               {1, 1, 1, 1, 2})(1, septran::all, 0, 0, 1)
                .data(),
            data.data() + 34);
  EXPECT_EQ(septran::partition(tensor<int, 6>(data.data(), {2, 2, 2, 2, 2, 2}),
                               {1, 1, 1, 1, 1, 1})(1, 0, 0, 0, 0, 1)
                .data(),
            data.data() + 33);
}

/// What windows.h says that position `p` of a tensor of `extent` reads.
int expected(const std::vector<int> &data, index_type extent, index_type p, int fill) {
  return p >= 0 && p < extent ? data[std::size_t(p)] : fill;
}

TEST(Windows, FollowTheDefinitionInOneDimension) {
  for (index_type n : {1, 2, 5, 8, 9})
    for (index_type size : {1, 3, 4})
      for (index_type step : {1, 2, 4, 5})
        for (index_type low : {0, 1, 3})
          for (index_type high : {0, 2}) {
            auto data = numbers(n);
            const tensor<int, 1> t(data.data(), {n});
            const auto w = septran::windows(t, {size}, {step}, {low}, {high}, -7);
            ASSERT_EQ(w.extent(0), (n + step - 1) / step);
            for (auto [i] : septran::parallel(w.shape())) {
              const auto block = w(i);
              const index_type first = i * step - low;
              const index_type last = std::min(i * step + size, n) + high;
              ASSERT_EQ(block.extent(0), last - first);
              ASSERT_EQ(block.origin(0), first);
              for (index_type x = 0; x < block.extent(0); ++x)
                ASSERT_EQ(block(x), expected(data, n, first + x, -7));
            }
          }
}

TEST(Windows, ViewsDirectlyWhereItCan) {
  auto data = numbers(100);
  const tensor<int, 2> t(data.data(), {10, 10});
  const auto w = septran::windows(t, {3, 3}, {3, 3}, {1, 1}, {1, 1});
  const auto inside = w(1, 1);
  EXPECT_EQ(inside.data(), data.data() + 22);
  EXPECT_EQ(inside.strides(), t.strides());
  EXPECT_EQ(inside.extents(), (septran::extents_t<2>{5, 5}));
  const auto corner = w(0, 0);
  EXPECT_NE(corner.data(), data.data());
  EXPECT_EQ(corner(0, 3), 0);
  EXPECT_EQ(corner(1, 1), 0);
  EXPECT_EQ(corner(2, 3), 12);
  EXPECT_EQ(corner.origin(0), -1);
}

TEST(Windows, OfABlockReadFillOutsideTheBlock) {
  auto data = numbers(12);
  const tensor<int, 1> t(data.data(), {12});
  const auto block = septran::partition(t, {4})(1);
  const auto window = septran::windows(block, {4}, {4}, {1}, {1}, 99)(0);
  EXPECT_EQ(window.origin(0), 3);
  EXPECT_EQ(window(0), 99);
  EXPECT_EQ(window(1), 4);
  EXPECT_EQ(window(5), 99);
}

TEST(Windows, AllSpansTheTensorAndItsHalos) {
  auto data = numbers(6);
  const tensor<const int, 2> t(data.data(), {2, 3});
  const auto w = septran::windows(t, {1, 1}, {1, 1}, {0, 1}, {0, 2}, 5);
  const auto row = w(1, septran::all);
  EXPECT_EQ(row.extents(), (septran::extents_t<2>{1, 6}));
  EXPECT_EQ(row(0, 0), 5);
  EXPECT_EQ(row(0, 3), 5);
  EXPECT_EQ(row(0, 1), 3);
}

TEST(Windows, PassAsConstantTensors) {
  auto data = numbers(9);
  std::vector<int> out(25);
  const tensor<int, 2> t(data.data(), {3, 3});
  const tensor<int, 2> to(out.data(), {5, 5});
  septran::copy(to, septran::windows(t, {3, 3}, {3, 3}, {1, 1}, {1, 1}, -1)(0, 0));
  EXPECT_EQ(out[0], -1);
  EXPECT_EQ(out[6], 0);
  EXPECT_EQ(out[18], 8);
}

} // namespace
