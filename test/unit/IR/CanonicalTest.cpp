//===- CanonicalTest.cpp - index arithmetic and exact min/max -------*- C++ -*-===//
#include "IR/Canonical.h"
#include "IR/Tensor.h"

#include "gtest/gtest.h"

namespace septran::compiler {
namespace {

const VarRef I = makeVar("i", ScalarType::I32, VarKind::Loop);
const VarRef U = makeVar("u", ScalarType::U64, VarKind::Loop);
const VarRef X = makeVar("x", ScalarType::F32, VarKind::Scalar);
const VarRef Y = makeVar("y", ScalarType::F32, VarKind::Scalar);

TEST(ToIndex, DropsWideIntegerConversions) {
  TensorRef T = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  Expr E = cast(ScalarType::I64, binary(BinaryOp::Add, cast(ScalarType::I32, extentOf(T, 0)),
                                        intLit(1, ScalarType::I32)));
  EXPECT_TRUE(equal(toIndex(E), extentOf(T, 0) + intLit(1)));
  EXPECT_EQ(toIndex(E)->Type, ScalarType::I64);
}

TEST(ToIndex, KeepsWhatChangesValues) {
  Expr Narrow = cast(ScalarType::I8, varExpr(I));
  EXPECT_EQ(toIndex(Narrow), Narrow);
  Expr FromFloat = cast(ScalarType::I32, varExpr(X));
  EXPECT_EQ(toIndex(FromFloat), FromFloat);
}

std::string select(BinaryOp Op, const Expr &A, const Expr &B, const Expr &Then, const Expr &Else) {
  return toString(selectOrMinMax(binary(Op, A, B), Then, Else));
}

TEST(SelectOrMinMax, FloatsOnlyWhereStdMinMaxSayTheSame) {
  Expr A = varExpr(X), B = varExpr(Y);
  EXPECT_EQ(select(BinaryOp::Lt, A, B, B, A), "max(x, y)");
  EXPECT_EQ(select(BinaryOp::Gt, A, B, A, B), "max(y, x)");
  EXPECT_EQ(select(BinaryOp::Lt, A, B, A, B), "min(y, x)");
  EXPECT_EQ(select(BinaryOp::Gt, A, B, B, A), "min(x, y)");
  // For equal numbers of different sign, and for NaN, these are not std::min or std::max.
  EXPECT_EQ(select(BinaryOp::Le, A, B, B, A), "x <= y ? y : x");
  EXPECT_EQ(select(BinaryOp::Ge, A, B, A, B), "x >= y ? x : y");
}

TEST(SelectOrMinMax, IntegersHaveNoSuchCases) {
  Expr A = varExpr(U), B = cast(ScalarType::U64, varExpr(I));
  EXPECT_EQ(selectOrMinMax(binary(BinaryOp::Le, A, B), A, B)->Bin, BinaryOp::Min);
  EXPECT_EQ(selectOrMinMax(binary(BinaryOp::Ge, A, B), A, B)->Bin, BinaryOp::Max);
}

} // namespace
} // namespace septran::compiler
