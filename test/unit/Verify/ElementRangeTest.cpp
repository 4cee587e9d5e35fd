//===- ElementRangeTest.cpp - what integer arguments hold ---------*- C++ -*-===//
#include "Verify/ElementRange.h"

#include "Verify/TestTensor.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace septran::compiler {
namespace {

/// X of one dimension, and I of the type, with these bounds.
ShapeRelations relations(ScalarType T, std::vector<ValueBound> Bounds) {
  ShapeRelations R;
  for (const auto &[Name, Type] : {std::pair("X", ScalarType::F32), {"I", T}}) {
    Parameter P;
    P.Name = Name;
    P.Tensor = makeTensor(Name, Type, 1, TensorKind::Parameter);
    R.Params.push_back(P);
  }
  R.Values.push_back({1, std::move(Bounds), {}, std::nullopt, {}});
  return R;
}

/// -(extent of X) + Constant
Expr lessThanX(const ShapeRelations &R, std::int64_t Constant = 1) {
  return intLit(Constant) - extentOf(R.Params[0].Tensor, 0);
}

ElementRange rangeAt(const ShapeRelations &R, std::int64_t Extent) {
  std::optional<ElementRange> Range = elementRange(R, 1, {{{0, 0}, Extent}, {{1, 0}, 5}}, {});
  EXPECT_TRUE(Range);
  return Range.value_or(ElementRange());
}

std::vector<std::int64_t> drawn(ScalarType T, std::vector<std::int64_t> Extents,
                                const ElementRange &Range, std::uint64_t Seed) {
  Random R(Seed);
  std::vector<unsigned char> Bytes = elementsInRange(T, Extents, Range, R);
  std::vector<std::int64_t> All;
  for (size_t I = 0; I * byteSize(T) < Bytes.size(); ++I)
    All.push_back(toInteger(T, &Bytes[I * byteSize(T)]));
  return All;
}

TEST(ElementRange, FollowsFromTheExtent) {
  ShapeRelations R = relations(ScalarType::I32, {});
  EXPECT_FALSE(elementRange(R, 0, {{{0, 0}, 7}}, {}));
  R.Values[0].Bounds = {{-1, intLit(0)}, {1, lessThanX(R)}};
  EXPECT_EQ(rangeAt(R, 7).Low, 0);
  EXPECT_EQ(rangeAt(R, 7).High, 6);
  // X(2 * I(i) + 3) and X(X.extent(0) - I(i)), the closer bound of each side.
  R.Values[0].Bounds = {{-2, intLit(-3)}, {2, lessThanX(R, 4)}, {-1, intLit(1)}};
  EXPECT_EQ(rangeAt(R, 8).Low, 1);
  EXPECT_EQ(rangeAt(R, 8).High, 2);
  // An empty range has one value.
  EXPECT_EQ(rangeAt(R, 4).Low, rangeAt(R, 4).High);
}

TEST(ElementRange, StaysInTheType) {
  ShapeRelations R = relations(ScalarType::U8, {});
  R.Values[0].Bounds = {{1, lessThanX(R)}};
  EXPECT_EQ(rangeAt(R, 3).Low, 0) << "the free side of an unsigned type";
  EXPECT_EQ(rangeAt(R, 1000).High, 255);
  R = relations(ScalarType::I8, {});
  R.Values[0].Bounds = {{1, lessThanX(R)}};
  R.Values[0].Also = {intLit(-100), intLit(-200)};
  EXPECT_LT(rangeAt(R, 3).Low, 0);
  EXPECT_EQ(rangeAt(R, 1000).High, 127);
  EXPECT_EQ(rangeAt(R, 3).Also, (std::vector<std::int64_t>{-100}));
}

TEST(ElementRange, HasBothEndsAmongItsElements) {
  for (std::uint64_t Seed = 0; Seed < 50; ++Seed) {
    for (size_t Count : {2u, 3u, 9u}) {
      std::vector<std::int64_t> All =
          drawn(ScalarType::I64, {std::int64_t(Count)}, {0, 99, {}, {}, {}}, Seed);
      EXPECT_EQ(*std::min_element(All.begin(), All.end()), 0);
      EXPECT_EQ(*std::max_element(All.begin(), All.end()), 99);
    }
    for (std::int64_t V : drawn(ScalarType::I16, {4, 5}, {3, 9, {3, 5, 9}, {}, {}}, Seed))
      EXPECT_TRUE(V == 3 || V == 5 || V == 9) << V;
    EXPECT_EQ(drawn(ScalarType::I16, {1}, {3, 3, {}, {}, {}}, Seed), (std::vector<std::int64_t>{3}));
    EXPECT_TRUE(drawn(ScalarType::I16, {0, 5}, {0, 9, {}, {}, 0}, Seed).empty());
  }
}

TEST(ElementRange, AscendsAlongADimension) {
  const std::vector<std::int64_t> Rows = drawn(ScalarType::I32, {3, 4}, {0, 99, {}, {}, 1}, 1),
                                  Columns = drawn(ScalarType::I32, {3, 4}, {0, 99, {}, {}, 0}, 1);
  for (size_t I = 0; I < 3; ++I)
    EXPECT_TRUE(std::is_sorted(Rows.begin() + 4 * I, Rows.begin() + 4 * I + 4));
  for (size_t I = 0; I < 8; ++I)
    EXPECT_LE(Columns[I], Columns[I + 4]);
}

TEST(ElementRange, MayBeStated) {
  ShapeRelations R = relations(ScalarType::I32, {});
  R.Values.clear();
  EXPECT_FALSE(stateValues(R, "X", {1})) << "no integers";
  EXPECT_FALSE(stateValues(R, "J", {1}));
  EXPECT_TRUE(stateValues(R, "I", {1, 4}));
  EXPECT_TRUE(stateValues(R, "I", {1, 5}));
  EXPECT_EQ(R.Values.size(), 1u);
  EXPECT_EQ(rangeAt(R, 3).Only, (std::vector<std::int64_t>{1, 5}));
  R.Params[1].Access = Privilege::Write;
  EXPECT_FALSE(stateValues(R, "I", {1}));
}

} // namespace
} // namespace septran::compiler
