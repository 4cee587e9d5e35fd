//===- AffineTest.cpp -------------------------------------------*- C++ -*-===//
#include "IR/Affine.h"
#include "IR/Tensor.h"

#include <gtest/gtest.h>

#include <limits>

namespace septran::compiler {
namespace {

struct AffineTest : testing::Test {
  VarRef Iv = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef Jv = makeVar("j", ScalarType::I64, VarKind::Loop);
  VarRef Kv = makeVar("k", ScalarType::I32, VarKind::Loop);
  Expr I = varExpr(Iv), J = varExpr(Jv), K = varExpr(Kv);
  Expr S = varExpr(makeVar("s", ScalarType::I64, VarKind::Scalar));
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Parameter);
  TensorRef Table = makeTensor("Table", ScalarType::I64, 1, TensorKind::Parameter);
  Expr N = extentOf(A, 0), M = extentOf(A, 1);

  static Expr lit(std::int64_t V) { return intLit(V); }
  static std::string simple(const Expr &E) { return toString(simplify(E)); }
  static Expr sub32(const Expr &E) { return cast(ScalarType::I32, E); }
};

TEST_F(AffineTest, CollectsTerms) {
  auto Form = affineForm((I + lit(2)) * lit(3) - J - I + N);
  ASSERT_TRUE(Form);
  EXPECT_EQ(Form->Constant, 6);
  EXPECT_EQ(coefficientOf(*Form, Iv), 2);
  EXPECT_EQ(coefficientOf(*Form, Jv), -1);
  EXPECT_EQ(coefficientOf(*Form, Kv), 0);
}

TEST_F(AffineTest, CancelledTermsVanish) {
  auto Form = affineForm((I + J) * lit(2) - J * lit(2) - I - I);
  ASSERT_TRUE(Form);
  EXPECT_TRUE(Form->isConstant());
  EXPECT_EQ(Form->Constant, 0);
}

TEST_F(AffineTest, HiddenVariablesHaveNoCoefficient) {
  EXPECT_EQ(coefficientOf(*affineForm(minExpr(I, N) + J), Iv), std::nullopt);
  EXPECT_EQ(coefficientOf(*affineForm(minExpr(I, N) + J), Jv), 1);
  EXPECT_EQ(coefficientOf(*affineForm(I * N), Iv), std::nullopt);
  EXPECT_EQ(coefficientOf(*affineForm(load(Table, {I}) + I), Iv), std::nullopt);
}

TEST_F(AffineTest, OnlyIntegersHaveAForm) {
  EXPECT_FALSE(affineForm(floatLit(1, ScalarType::F32)));
  EXPECT_FALSE(affineForm(binary(BinaryOp::Lt, I, J)));
  EXPECT_FALSE(affineForm(boolLit(true)));
}

TEST_F(AffineTest, OverflowGivesNoForm) {
  Expr Big = lit(std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(affineForm(I * Big));
  Affine Max = *affineForm(I * Big);
  EXPECT_FALSE(addScaled(Max, Max, 1));
  EXPECT_FALSE(addScaled({}, Max, 4));
}

TEST_F(AffineTest, SumsThatOverflowAtEveryLevelEndInTime) {
  const Expr Big = lit(std::numeric_limits<std::int64_t>::max());
  Expr Sum = S;
  for (int Level = 0; Level < 40; ++Level)
    Sum = binary(BinaryOp::Sub, unary(UnaryOp::Neg, binary(BinaryOp::Mul, Sum, Big)), Big);
  const Expr Simple = simplify(Sum);
  EXPECT_TRUE(equal(simplify(Simple), Simple));
}

TEST_F(AffineTest, ProductsOfManySumsEndInTime) {
  Expr Product = lit(1);
  for (int Factor = 0; Factor < 40; ++Factor)
    Product = Product * (load(Table, {lit(2 * Factor)}) + load(Table, {lit(2 * Factor + 1)}));
  EXPECT_TRUE(affineForm(Product));
  Expr Nested = S;
  for (int Level = 0; Level < 40; ++Level)
    Nested = load(Table, {Nested * (I + J)});
  EXPECT_TRUE(affineForm(Nested));
  EXPECT_EQ(simple((I + lit(1)) * (J + lit(2))), "i * 2 + i * j + j + 2");
}

TEST_F(AffineTest, SimplifiesToOneForm) {
  EXPECT_EQ(simple(J + I * lit(2) + lit(1) + J), "i * 2 + j * 2 + 1");
  EXPECT_EQ(simple(lit(3) - I), "3 - i");
  EXPECT_EQ(simple(lit(0) - I), "-i");
  EXPECT_EQ(simple(lit(-3) - I * lit(2)), "i * -2 - 3");
  EXPECT_EQ(simple(N - I * lit(64)), "A.extent(0) - i * 64");
  EXPECT_EQ(simple(minExpr(J + I, I)), "min(i, i + j)");
  EXPECT_EQ(simple(minExpr(lit(1) + I, I + lit(1))), "i + 1");
  EXPECT_EQ(simple((I + lit(1)) * N - N), "A.extent(0) * i");
  EXPECT_EQ(simple(binary(BinaryOp::Shl, I + lit(1), lit(3))), "i * 8 + 8");
}

TEST_F(AffineTest, SimplifiesInsideOtherExpressions) {
  Expr E = load(A, {J + I - J, lit(2) * I});
  EXPECT_EQ(simple(E + E), "A(i, i * 2) + A(i, i * 2)");
  EXPECT_EQ(simple(binary(BinaryOp::Lt, I + I, N)), "i * 2 < A.extent(0)");
}

TEST_F(AffineTest, ConversionsOfIndicesAreTransparent) {
  EXPECT_EQ(simple(sub32(N) - K), "A.extent(0) - k");
  EXPECT_EQ(simple(cast(ScalarType::I64, K + intLit(1, ScalarType::I32)) - lit(1)), "k");
  EXPECT_EQ(simple(cast(ScalarType::U64, N) + intLit(1, ScalarType::U64)), "A.extent(0) + 1");
}

TEST_F(AffineTest, ConversionsOfDataAreNot) {
  EXPECT_EQ(simple(cast(ScalarType::I32, load(Table, {I})) + lit(0)), "i32(Table(i))");
  EXPECT_EQ(simple(cast(ScalarType::I8, I)), "i8(i)");
  // n - 1 wraps for n = 0.
  Expr Wraps = binary(BinaryOp::Sub, cast(ScalarType::U64, N), intLit(1, ScalarType::U64));
  EXPECT_EQ(affineForm(Wraps)->Terms.size(), 1u);
  EXPECT_EQ(affineForm(Wraps)->Constant, 0);
  EXPECT_EQ(simple(Wraps), "u64(A.extent(0)) - 1");
}

TEST_F(AffineTest, ConstantBounds) {
  EXPECT_EQ(upperBound(minExpr(N, lit(64))), 64);
  EXPECT_EQ(lowerBound(minExpr(N, lit(64))), 0);
  EXPECT_EQ(lowerBound(N + lit(3)), 3);
  EXPECT_EQ(upperBound(lit(64) - N), 64);
  EXPECT_EQ(upperBound(N), std::nullopt);
  EXPECT_EQ(upperBound(minExpr(N, lit(64)) * lit(2) + lit(1)), 129);
  EXPECT_EQ(upperBound(ceilDiv(minExpr(N, lit(65)), lit(64))), 2);
  EXPECT_EQ(upperBound(binary(BinaryOp::Rem, N, lit(8))), 7);
  EXPECT_EQ(upperBound(select(binary(BinaryOp::Lt, I, J), lit(3), lit(5))), 5);
  EXPECT_EQ(upperBound(binary(BinaryOp::BitAnd, S, lit(15))), 15);
  EXPECT_EQ(upperBound(minExpr(N, lit(8)) * minExpr(M, lit(4))), 32);
  EXPECT_EQ(lowerBound(S), std::nullopt);
}

TEST_F(AffineTest, BoundsOfVariables) {
  Facts Known = {{Iv, {lit(0), lit(16)}}, {Jv, {I, minExpr(N, lit(32))}}};
  EXPECT_EQ(upperBound(I * lit(4) + lit(3), Known), 63);
  EXPECT_EQ(upperBound(J, Known), 31);
  EXPECT_EQ(lowerBound(J, Known), 0);
  EXPECT_EQ(lowerBound(lit(15) - I, Known), 0);
}

TEST_F(AffineTest, CircularFactsAreHarmless) {
  Facts Known = {{Iv, {J, J}}, {Jv, {I, I}}};
  EXPECT_EQ(upperBound(I, Known), std::nullopt);
  EXPECT_FALSE(provablyNonNegative(I, Known));
}

TEST_F(AffineTest, ProvesOrder) {
  EXPECT_TRUE(provablyLessEqual(minExpr(N, lit(64)), N));
  EXPECT_TRUE(provablyLessEqual(minExpr(N, lit(64)), lit(64)));
  EXPECT_TRUE(provablyLessEqual(N, maxExpr(N, S)));
  EXPECT_TRUE(provablyLessEqual(N, N + M));
  EXPECT_FALSE(provablyLessEqual(N, M));
  EXPECT_FALSE(provablyLessEqual(N + lit(1), N));
  EXPECT_FALSE(provablyLessEqual(S, S + S)); // S may be negative
  EXPECT_TRUE(provablyLessEqual(minExpr(N, M), minExpr(N, M) + lit(1)));
  EXPECT_TRUE(provablyLessEqual(minExpr(N, minExpr(M, S)), M));
  EXPECT_FALSE(provablyLessEqual(N, minExpr(N, M)));
}

TEST_F(AffineTest, ProvesThatBlocksStayInside) {
  // Block i of 64 begins inside, and ends inside once clipped.
  Expr Rest = N - I * lit(64);
  Facts Known = {{Iv, {lit(0), ceilDiv(N, lit(64))}}};
  EXPECT_TRUE(provablyLessEqual(lit(1), Rest, Known));
  EXPECT_TRUE(provablyNonNegative(minExpr(Rest, lit(64)), Known));
  EXPECT_TRUE(provablyLessEqual(I * lit(64) + minExpr(Rest, lit(64)), N, Known));
  EXPECT_FALSE(provablyLessEqual(I * lit(64) + lit(64), N, Known));
  EXPECT_FALSE(provablyLessEqual(lit(2), Rest, Known));
  // An element of the block.
  Known[Jv] = {lit(0), minExpr(Rest, lit(64))};
  EXPECT_TRUE(provablyLessEqual(I * lit(64) + J + lit(1), N, Known));
  EXPECT_TRUE(provablyLessEqual(J, lit(63), Known));
  EXPECT_FALSE(provablyLessEqual(J, lit(62), Known));
}

TEST_F(AffineTest, ProvesRoundedSizes) {
  Expr Padded = ceilDiv(N, lit(16)) * lit(16);
  EXPECT_TRUE(provablyLessEqual(N, Padded));
  EXPECT_TRUE(provablyLessEqual(Padded, N + lit(15)));
  EXPECT_FALSE(provablyLessEqual(Padded, N + lit(14)));
  Expr Floor = binary(BinaryOp::Div, N, lit(16)) * lit(16);
  EXPECT_TRUE(provablyLessEqual(Floor, N));
  EXPECT_TRUE(provablyLessEqual(N - lit(15), Floor));
}

TEST_F(AffineTest, ProvesEquality) {
  EXPECT_TRUE(provablyEqual(I + J, J + I));
  EXPECT_TRUE(provablyEqual(minExpr(I + J, N), minExpr(N, J + I)));
  EXPECT_TRUE(provablyEqual(sub32(N), N));
  EXPECT_FALSE(provablyEqual(I, J));
  EXPECT_TRUE(provablyEqual(minExpr(N, N + M), N));
  EXPECT_TRUE(provablyEqual(load(A, {I + J, I}), load(A, {J + I, I})));
  Facts One = {{Iv, {lit(0), lit(1)}}};
  EXPECT_TRUE(provablyEqual(I, lit(0), One));
}

TEST_F(AffineTest, ManyMinimaEndInTime) {
  Expr Sum = lit(-1);
  for (int D = 0; D < 12; ++D) {
    Expr X = varExpr(makeVar("x" + std::to_string(D), ScalarType::I64, VarKind::Loop));
    Sum = Sum + minExpr(X, maxExpr(N, S));
  }
  EXPECT_FALSE(provablyNonNegative(Sum));
}

} // namespace
} // namespace septran::compiler
