//===- StmtTest.cpp ---------------------------------------------*- C++ -*-===//
#include "IR/Stmt.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

struct UpdateTest : testing::Test {
  Expr X = varExpr(makeVar("x", ScalarType::F32, VarKind::Scalar));
  Expr Y = varExpr(makeVar("y", ScalarType::F32, VarKind::Scalar));
  Expr N = varExpr(makeVar("n", ScalarType::I32, VarKind::Scalar));
  Expr M = varExpr(makeVar("m", ScalarType::I32, VarKind::Scalar));

  static std::string text(const Expr &Target, const Expr &Value) {
    Update U = asUpdate(Target, Value);
    return std::string(spelling(U.Op)) + " " + toString(U.Value);
  }
};

TEST_F(UpdateTest, RecognisesOperators) {
  EXPECT_EQ(text(X, X + Y), "+= y");
  EXPECT_EQ(text(X, Y + X), "+= y");
  EXPECT_EQ(text(X, X - Y), "-= y");
  EXPECT_EQ(text(X, Y - X), "= y - x");
  EXPECT_EQ(text(X, X * Y), "*= y");
  EXPECT_EQ(text(X, binary(BinaryOp::Div, X, Y)), "/= y");
}

TEST_F(UpdateTest, MaximaOfFloatsKeepTheirOrder) {
  EXPECT_EQ(text(X, maxExpr(X, Y)), "max= y");
  EXPECT_EQ(text(X, maxExpr(Y, X)), "= max(y, x)"); // differs for NaN
  EXPECT_EQ(text(N, maxExpr(M, N)), "max= m");
}

TEST_F(UpdateTest, LooksThroughTheConversionsOfCompoundAssignment) {
  auto T = makeTensor("T", ScalarType::BF16, 1, TensorKind::Parameter);
  Expr Old = load(T, {N});
  Expr Wide = cast(ScalarType::F32, Old);
  EXPECT_EQ(text(Old, cast(ScalarType::BF16, Wide + Y)), "+= y");
  Expr Double = cast(ScalarType::F64, Old) + cast(ScalarType::F64, Y);
  // The sum in double, rounded once, is not what `+=` of a float computes.
  EXPECT_EQ(asUpdate(Old, cast(ScalarType::BF16, Double)).Op, UpdateOp::Add);
  EXPECT_EQ(toString(asUpdate(Old, cast(ScalarType::BF16, Double)).Value), "f64(y)");
}

TEST_F(UpdateTest, OtherElementsAreNoUpdate) {
  auto T = makeTensor("T", ScalarType::F32, 1, TensorKind::Parameter);
  EXPECT_EQ(text(load(T, {N}), load(T, {M}) + X), "= T(m) + x");
  EXPECT_EQ(text(load(T, {N}), load(T, {N}) + X), "+= x");
}

TEST(UpdateOp, Reductions) {
  EXPECT_TRUE(isReduction(UpdateOp::Sub));
  EXPECT_TRUE(isReduction(UpdateOp::Max));
  EXPECT_FALSE(isReduction(UpdateOp::Div));
  EXPECT_FALSE(isReduction(UpdateOp::Set));
  EXPECT_EQ(combiningOp(UpdateOp::Min), BinaryOp::Min);
  EXPECT_EQ(combiningOp(UpdateOp::Set), std::nullopt);
}

} // namespace
} // namespace septran::compiler
