//===- TensorTest.cpp -------------------------------------------*- C++ -*-===//
#include "IR/Tensor.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

struct ViewTest : testing::Test {
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Parameter);
  TensorRef T = makeTensor("T", ScalarType::F32, 2, TensorKind::Alias);
  Expr I = varExpr(makeVar("i", ScalarType::I64, VarKind::Loop));
  Expr J = varExpr(makeVar("j", ScalarType::I64, VarKind::Loop));

  static Expr lit(std::int64_t V) { return intLit(V); }

  static Slice all(const TensorRef &T, unsigned Dim) {
    return {lit(0), extentOf(T, Dim), nullptr, nullptr, nullptr, nullptr};
  }
  static Slice range(Expr Offset, Expr Extent) {
    return {std::move(Offset), std::move(Extent), nullptr, nullptr, nullptr, nullptr};
  }
  static Slice block(const TensorRef &T, unsigned Dim, Expr Index, std::int64_t Size) {
    Expr Offset = Index * lit(Size);
    return {Offset, minExpr(extentOf(T, Dim) - Offset, lit(Size)), lit(Size), Index, nullptr,
            nullptr};
  }
  static View view(const TensorRef &T, std::vector<Slice> Slices, std::vector<int> Dims) {
    View V;
    V.Base = T;
    V.Slices = std::move(Slices);
    V.Dims = std::move(Dims);
    V.BroadcastExtents.resize(V.Dims.size());
    return V;
  }
};

TEST_F(ViewTest, WholeView) {
  View V = wholeView(A);
  EXPECT_TRUE(V.isWhole());
  EXPECT_EQ(V.rank(), 2u);
  EXPECT_EQ(toString(V), "A");
  EXPECT_EQ(toString(V.extent(1)), "A.extent(1)");
  EXPECT_EQ(toString(V.origin(1)), "A.origin(1)");
  EXPECT_EQ(toString(explicitView(V)), "A[all, all]");
  EXPECT_TRUE(equal(V, explicitView(V)));
  EXPECT_TRUE(isIdentity(explicitView(V)));
}

TEST_F(ViewTest, Block) {
  View V = view(A, {block(A, 0, I, 64), all(A, 1)}, {0, 1});
  EXPECT_EQ(toString(V), "A[block i of 64, all]");
  EXPECT_EQ(toString(V.extent(0)), "min(A.extent(0) - i * 64, 64)");
  EXPECT_EQ(toString(V.origin(0)), "A.origin(0) + i * 64");
  EXPECT_FALSE(isIdentity(V));
}

TEST_F(ViewTest, RanksChange) {
  View Row = view(A, {range(I, lit(1)), all(A, 1)}, {1});
  EXPECT_EQ(Row.rank(), 1u);
  EXPECT_EQ(toString(Row), "A[at i, all]");
  EXPECT_EQ(toString(Row.extent(0)), "A.extent(1)");

  View Element = view(A, {range(I, lit(1)), range(J, lit(1))}, {});
  EXPECT_EQ(Element.rank(), 0u);
  EXPECT_EQ(toString(Element), "A[at i, at j]");

  View Transposed = view(A, {}, {1, 0});
  EXPECT_EQ(toString(Transposed), "A -> (1, 0)");
  EXPECT_EQ(toString(Transposed.extent(0)), "A.extent(1)");

  View Wide = view(A, {}, {0, -1, 1});
  Wide.BroadcastExtents[1] = lit(8);
  EXPECT_EQ(toString(Wide), "A -> (0, new 8, 1)");
  EXPECT_EQ(toString(Wide.extent(1)), "8");
  EXPECT_EQ(toString(Wide.origin(1)), "0");

  View Flat;
  Flat.Base = A;
  Flat.Reshape = {extentOf(A, 0) * extentOf(A, 1)};
  EXPECT_EQ(Flat.rank(), 1u);
  EXPECT_EQ(toString(Flat), "reshape(A, A.extent(0) * A.extent(1))");
}

TEST_F(ViewTest, WindowPrintsHaloAndFill) {
  View V = view(A, {range(I - lit(1), lit(10)), all(A, 1)}, {0, 1});
  V.Slices[0].Low = lit(1);
  V.Slices[0].High = lit(1);
  V.Fill = floatLit(0, ScalarType::F32);
  EXPECT_EQ(toString(V), "A[i - 1 +: 10 halo(1, 1), all] fill 0.0f");
}

TEST_F(ViewTest, OffsetsAdd) {
  View Outer = view(A, {block(A, 0, I, 64), all(A, 1)}, {0, 1});
  View Inner = view(T, {range(J, lit(4)), range(lit(2), lit(8))}, {0, 1});
  EXPECT_EQ(toString(compose(Outer, Inner)), "A[i * 64 + j +: 4, 2 +: 8]");
}

TEST_F(ViewTest, WholeInnerKeepsTheOuterBlock) {
  View Outer = view(A, {block(A, 0, I, 64), block(A, 1, J, 32)}, {0, 1});
  EXPECT_EQ(toString(compose(Outer, wholeView(T))), "A[block i of 64, block j of 32]");
  EXPECT_EQ(toString(compose(Outer, explicitView(wholeView(T)))),
            "A[block i of 64, block j of 32]");
  View Inner = view(T, {all(T, 0), range(lit(0), lit(4))}, {0, 1});
  EXPECT_EQ(toString(compose(Outer, Inner)), "A[block i of 64, j * 32 +: 4]");
}

TEST_F(ViewTest, InnerBlockOfWholeOuterStaysABlock) {
  View Outer = view(A, {all(A, 0), block(A, 1, I, 32)}, {0, 1});
  View Inner = view(T, {block(T, 0, J, 16), block(T, 1, J, 8)}, {0, 1});
  View Both = compose(Outer, Inner);
  EXPECT_EQ(toString(Both.Slices[0].Block), "16");
  EXPECT_EQ(toString(Both.extent(0)), "min(A.extent(0) - j * 16, 16)");
  EXPECT_EQ(Both.Slices[1].Block, nullptr);
  EXPECT_EQ(toString(Both.extent(1)), "min(min(A.extent(1) - i * 32, 32) - j * 8, 8)");
}

TEST_F(ViewTest, ExtentsOfTheAliasBecomeThoseOfItsView) {
  View Outer = view(A, {range(I, lit(10)), all(A, 1)}, {1, 0});
  View Inner = view(T, {range(lit(0), extentOf(T, 0) - lit(1)), all(T, 1)}, {0, 1});
  EXPECT_EQ(toString(compose(Outer, Inner)), "A[i +: 10, 0 +: A.extent(1) - 1] -> (1, 0)");
}

TEST_F(ViewTest, TransposesCompose) {
  View Transposed = view(A, {}, {1, 0});
  View Back = view(T, {}, {1, 0});
  EXPECT_TRUE(isIdentity(compose(Transposed, Back)));
  View Column = view(T, {all(T, 0), range(I, lit(1))}, {0});
  EXPECT_EQ(toString(compose(Transposed, Column)), "A[at i, all]");
}

TEST_F(ViewTest, BroadcastsCompose) {
  TensorRef Vec = makeTensor("v", ScalarType::F32, 1, TensorKind::Parameter);
  View Outer = view(Vec, {}, {-1, 0});
  Outer.BroadcastExtents[0] = lit(100);
  View Inner = view(T, {block(T, 0, I, 16), block(T, 1, J, 8)}, {0, 1});
  View V = compose(Outer, Inner);
  EXPECT_EQ(toString(V), "v[block j of 8] -> (new min(100 - i * 16, 16), 0)");
  View New = view(T, {}, {0, 1, -1});
  New.BroadcastExtents[2] = lit(3);
  EXPECT_EQ(toString(compose(Outer, New)), "v[all] -> (new 100, 0, new 3)");
}

TEST_F(ViewTest, HalosSurvive) {
  View Outer = view(A, {all(A, 0), block(A, 1, I, 8)}, {0, 1});
  View Window = view(T, {range(J * lit(4) - lit(1), lit(6)), all(T, 1)}, {0, 1});
  Window.Slices[0].Low = lit(1);
  Window.Slices[0].High = lit(1);
  Window.Fill = floatLit(0, ScalarType::F32);
  ASSERT_TRUE(canCompose(Outer, Window));
  EXPECT_EQ(toString(compose(Outer, Window)),
            "A[j * 4 - 1 +: 6 halo(1, 1), block i of 8] fill 0.0f");
}

TEST_F(ViewTest, WhatHasNoView) {
  View Window = view(T, {range(I - lit(1), lit(6)), all(T, 1)}, {0, 1});
  Window.Fill = floatLit(0, ScalarType::F32);
  // A window of a block reads the fill where the base has elements.
  View Outer = view(A, {block(A, 0, I, 8), all(A, 1)}, {0, 1});
  EXPECT_FALSE(canCompose(Outer, Window));
  EXPECT_TRUE(canCompose(wholeView(A), Window));

  View Flat;
  Flat.Base = T;
  Flat.Reshape = {lit(64)};
  EXPECT_FALSE(canCompose(Outer, Flat));
  EXPECT_EQ(toString(compose(wholeView(A), Flat)), "reshape(A, 64)");
  TensorRef F = makeTensor("F", ScalarType::F32, 1, TensorKind::Alias);
  View FlatA = Flat;
  FlatA.Base = A;
  EXPECT_FALSE(canCompose(FlatA, view(F, {range(I, lit(4))}, {0})));
  EXPECT_EQ(toString(compose(FlatA, explicitView(wholeView(F)))), "reshape(A, 64)");
}

TEST_F(ViewTest, PartsOfAWindowReadItsFill) {
  View Window = view(A, {range(I - lit(1), lit(6)), all(A, 1)}, {0, 1});
  Window.Fill = floatLit(0, ScalarType::F32);
  View Part = view(T, {range(J, lit(2)), all(T, 1)}, {0, 1});
  EXPECT_EQ(toString(compose(Window, Part)), "A[i + j - 1 +: 2, all] fill 0.0f");
}

TEST_F(ViewTest, BaseIndices) {
  View V = view(A, {range(I, lit(1)), range(lit(4), lit(8))}, {1});
  std::vector<Expr> Indices = baseIndices(V, {J});
  ASSERT_EQ(Indices.size(), 2u);
  EXPECT_EQ(toString(Indices[0]), "i");
  EXPECT_EQ(toString(Indices[1]), "j + 4");
  View Wide = view(A, {}, {1, -1, 0});
  Wide.BroadcastExtents[1] = lit(3);
  Indices = baseIndices(Wide, {I, lit(2), J});
  EXPECT_EQ(toString(Indices[0]), "j");
  EXPECT_EQ(toString(Indices[1]), "i");
}

TEST_F(ViewTest, Equality) {
  View X = view(A, {block(A, 0, I, 64), all(A, 1)}, {0, 1});
  View Y = X;
  EXPECT_TRUE(equal(X, Y));
  Y.Slices[0].Block = Y.Slices[0].Index = nullptr; // the same elements
  EXPECT_TRUE(equal(X, Y));
  Y.Dims = {1, 0};
  EXPECT_FALSE(equal(X, Y));
  EXPECT_FALSE(equal(X, wholeView(A)));
  EXPECT_FALSE(equal(wholeView(A), wholeView(T)));
}

} // namespace
} // namespace septran::compiler
