//===- ExprTest.cpp ---------------------------------------------*- C++ -*-===//
#include "IR/Fold.h"
#include "IR/Tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace septran::compiler {
namespace {

struct ExprTest : testing::Test {
  Expr I = varExpr(makeVar("i", ScalarType::I64, VarKind::Loop));
  Expr J = varExpr(makeVar("j", ScalarType::I64, VarKind::Loop));
  Expr X = varExpr(makeVar("x", ScalarType::F32, VarKind::Scalar));
  Expr P = varExpr(makeVar("p", ScalarType::Bool, VarKind::Scalar));
  Expr U = varExpr(makeVar("u", ScalarType::U32, VarKind::Scalar));
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Parameter);
  Expr N = extentOf(A, 0);

  static Expr lit(std::int64_t V) { return intLit(V); }
  static Expr op(BinaryOp Op, Expr L, Expr R) { return binary(Op, L, R); }
};

TEST_F(ExprTest, FoldsConstants) {
  EXPECT_TRUE(isConstant(lit(2) + lit(3), 5));
  EXPECT_TRUE(isConstant(lit(2) * lit(-3), -6));
  EXPECT_TRUE(isConstant(minExpr(lit(2), lit(3)), 2));
  EXPECT_TRUE(isConstant(ceilDiv(lit(65), lit(64)), 2));
  EXPECT_TRUE(isConstant(ceilDiv(lit(65), lit(0)), 0));
  EXPECT_TRUE(isConstant(op(BinaryOp::Lt, lit(1), lit(2)), 1));
  EXPECT_EQ(toString(op(BinaryOp::Div, lit(1), lit(0))), "1 / 0");
  EXPECT_EQ(toString(lit(std::numeric_limits<std::int64_t>::max()) + lit(1)),
            "9223372036854775807 + 1");
}

TEST_F(ExprTest, KeepsOverflowOfTheType) {
  Expr Big = intLit(2147483647, ScalarType::I32);
  EXPECT_FALSE(constantValue(Big + intLit(1, ScalarType::I32)));
  Expr Negative = intLit(-1, ScalarType::I32), One = intLit(1, ScalarType::U32);
  EXPECT_FALSE(constantValue(op(BinaryOp::Lt, Negative, One))); // false in C++
}

TEST_F(ExprTest, DropsNeutralElements) {
  EXPECT_EQ(I + lit(0), I);
  EXPECT_EQ(lit(0) + I, I);
  EXPECT_EQ(I * lit(1), I);
  EXPECT_EQ(I - lit(0), I);
  EXPECT_TRUE(isConstant(I * lit(0), 0));
  EXPECT_TRUE(isConstant(I - I, 0));
  EXPECT_EQ(ceilDiv(I, lit(1)), I);
  EXPECT_EQ(op(BinaryOp::Div, I, lit(1)), I);
  EXPECT_TRUE(isConstant(op(BinaryOp::Rem, I, lit(1)), 0));
}

TEST_F(ExprTest, GathersConstants) {
  EXPECT_EQ(toString((I + lit(2)) + lit(3)), "i + 5");
  EXPECT_EQ(toString((I - lit(2)) + lit(3)), "i + 1");
  EXPECT_EQ(toString((I + lit(2)) - lit(3)), "i - 1");
  EXPECT_EQ(toString(I + lit(-3)), "i - 3");
  EXPECT_EQ((I + lit(2)) - lit(2), I);
  EXPECT_EQ(toString((I + lit(1)) + J), "i + j + 1");
  EXPECT_EQ(toString(I + (J - lit(1))), "i + j - 1");
  EXPECT_EQ(toString(lit(8) - (J + lit(1))), "7 - j");
  EXPECT_EQ(toString((I * lit(4)) * lit(2)), "i * 8");
  EXPECT_EQ(toString(lit(64) * I), "i * 64");
}

TEST_F(ExprTest, CancelsTerms) {
  EXPECT_EQ((I + J) - I, J);
  EXPECT_EQ((I + J) - J, I);
  EXPECT_EQ((I - J) + J, I);
  EXPECT_EQ(I - (I - J), J);
}

TEST_F(ExprTest, MinimaOfConstants) {
  EXPECT_EQ(minExpr(I, I), I);
  EXPECT_EQ(toString(minExpr(lit(64), I)), "min(i, 64)");
  EXPECT_EQ(toString(minExpr(minExpr(I, lit(64)), lit(32))), "min(i, 32)");
  EXPECT_EQ(toString(minExpr(minExpr(I, lit(64)), J)), "min(min(i, j), 64)");
  EXPECT_EQ(toString(minExpr(I, minExpr(J, lit(64)))), "min(min(i, j), 64)");
  EXPECT_EQ(toString(minExpr(minExpr(I, J), J)), "min(i, j)");
  EXPECT_EQ(toString(maxExpr(maxExpr(I, lit(2)), lit(3))), "max(i, 3)");
}

TEST_F(ExprTest, ExactDivision) {
  EXPECT_EQ(ceilDiv(I * lit(64), lit(64)), I);
  EXPECT_EQ(op(BinaryOp::Div, I * lit(64), lit(64)), I);
  EXPECT_EQ(toString(op(BinaryOp::Div, I * lit(32), lit(64))), "i * 32 / 64");
  EXPECT_EQ(toString(op(BinaryOp::Rem, I * lit(64), lit(64))), "i * 64 % 64");
  EXPECT_EQ(toString(ceilDiv(N, N)), "ceil_div(A.extent(0), A.extent(0))"); // N may be 0
}

TEST_F(ExprTest, FloatsDoNotFold) {
  Expr Zero = floatLit(0, ScalarType::F32);
  EXPECT_EQ(toString(X + Zero), "x + 0.0f");
  EXPECT_EQ(toString(X * Zero), "x * 0.0f");
  EXPECT_EQ(toString(X - X), "x - x");
  EXPECT_EQ(toString(maxExpr(Zero, X)), "max(0.0f, x)"); // order matters for NaN
  EXPECT_EQ(toString(op(BinaryOp::Eq, X, X)), "x == x");
  EXPECT_EQ(toString(unary(UnaryOp::Not, op(BinaryOp::Lt, X, Zero))), "!(x < 0.0f)");
}

TEST_F(ExprTest, BooleanFolding) {
  Expr True = boolLit(true), False = boolLit(false);
  EXPECT_EQ(op(BinaryOp::And, True, P), P);
  EXPECT_TRUE(isConstant(op(BinaryOp::And, P, False), 0));
  EXPECT_EQ(op(BinaryOp::Or, P, False), P);
  EXPECT_TRUE(isConstant(op(BinaryOp::Or, True, P), 1));
  EXPECT_EQ(unary(UnaryOp::Not, unary(UnaryOp::Not, P)), P);
  EXPECT_EQ(toString(unary(UnaryOp::Not, op(BinaryOp::Lt, I, J))), "i >= j");
  EXPECT_EQ(select(True, I, J), I);
  EXPECT_EQ(select(P, I, I), I);
}

TEST_F(ExprTest, MixedSignsKeepTheirConversion) {
  Expr Signed = varExpr(makeVar("s", ScalarType::I32, VarKind::Scalar));
  Expr Sum = binary(BinaryOp::Add, Signed, intLit(0, ScalarType::U32));
  EXPECT_EQ(Sum->Type, ScalarType::U32);
  EXPECT_EQ(toString(Sum), "u32(s)");
  EXPECT_EQ(toString(binary(BinaryOp::Add, Signed, intLit(0))), "s");
}

TEST_F(ExprTest, Casts) {
  EXPECT_EQ(cast(ScalarType::I64, I), I);
  EXPECT_TRUE(isConstant(cast(ScalarType::U8, lit(-1)), 255));
  EXPECT_EQ(toString(cast(ScalarType::F32, lit(0))), "0.0f");
  EXPECT_EQ(cast(ScalarType::F32, lit(std::numeric_limits<std::int64_t>::min()))->Kind,
            ExprKind::Cast);
  EXPECT_EQ(toString(cast(ScalarType::F32, floatLit(0.1, ScalarType::F64))), "f32(0.1)");
  EXPECT_EQ(toString(cast(ScalarType::F32, floatLit(0.5, ScalarType::F64))), "0.5f");
  EXPECT_EQ(toString(cast(ScalarType::BF16, X)), "bf16(x)");
}

TEST_F(ExprTest, ResultTypes) {
  EXPECT_EQ((I + intLit(1, ScalarType::I32))->Type, ScalarType::I64);
  EXPECT_EQ(op(BinaryOp::Lt, X, X)->Type, ScalarType::Bool);
  Expr Byte = varExpr(makeVar("b", ScalarType::I8, VarKind::Scalar));
  EXPECT_EQ((Byte + Byte)->Type, ScalarType::I32);
  EXPECT_EQ(minExpr(Byte, intLit(3, ScalarType::I8))->Type, ScalarType::I8);
  EXPECT_EQ(unary(UnaryOp::Neg, Byte)->Type, ScalarType::I32);
  EXPECT_EQ(op(BinaryOp::Shl, Byte, I)->Type, ScalarType::I32);
}

TEST_F(ExprTest, Equality) {
  EXPECT_TRUE(equal(load(A, {I, J}), load(A, {I, J})));
  EXPECT_FALSE(equal(load(A, {I, J}), load(A, {J, I})));
  EXPECT_FALSE(equal(extentOf(A, 0), extentOf(A, 1)));
  EXPECT_FALSE(equal(extentOf(A, 0), originOf(A, 0)));
  Expr OtherI = varExpr(makeVar("i", ScalarType::I64, VarKind::Loop));
  EXPECT_FALSE(equal(I, OtherI));
  EXPECT_FALSE(equal(I, nullptr));
  EXPECT_TRUE(equal(floatLit(NAN, ScalarType::F32), floatLit(NAN, ScalarType::F32)));
  EXPECT_FALSE(equal(floatLit(0.0, ScalarType::F32), floatLit(-0.0, ScalarType::F32)));
}

TEST_F(ExprTest, PrintsWithCxxPrecedence) {
  EXPECT_EQ(toString((I + J) * I), "(i + j) * i");
  EXPECT_EQ(toString(I + J * I), "i + j * i");
  EXPECT_EQ(toString(I - (J - N)), "i - (j - A.extent(0))");
  EXPECT_EQ(toString(op(BinaryOp::Div, I, J * N)), "i / (j * A.extent(0))");
  EXPECT_EQ(toString(op(BinaryOp::Shl, I, J) + I), "(i << j) + i");
  EXPECT_EQ(toString(op(BinaryOp::BitAnd, I, op(BinaryOp::Eq, I, J))), "i & i == j");
  EXPECT_EQ(toString(select(op(BinaryOp::Lt, I, J), X, call("exp", {X}, ScalarType::F32))),
            "i < j ? x : exp(x)");
  EXPECT_EQ(toString(select(P, X, X + X) * X), "(p ? x : x + x) * x");
  EXPECT_EQ(toString(unary(UnaryOp::Neg, unary(UnaryOp::Neg, X))), "- -x");
  EXPECT_EQ(toString(unary(UnaryOp::Neg, X + X)), "-(x + x)");
  EXPECT_EQ(toString(unary(UnaryOp::Not, op(BinaryOp::And, P, op(BinaryOp::Lt, X, X)))),
            "!(p && x < x)");
  EXPECT_EQ(toString(op(BinaryOp::Or, op(BinaryOp::And, P, P), op(BinaryOp::Ne, I, J))),
            "p || i != j");
  EXPECT_EQ(toString(load(A, {I, J + lit(1)})), "A(i, j + 1)");
}

TEST_F(ExprTest, PrintsLiterals) {
  EXPECT_EQ(toString(lit(-3)), "-3");
  EXPECT_EQ(toString(boolLit(true)), "true");
  EXPECT_EQ(toString(floatLit(1, ScalarType::F64)), "1.0");
  EXPECT_EQ(toString(floatLit(0.1f, ScalarType::F32)), "0.1f");
  EXPECT_EQ(toString(floatLit(1e30, ScalarType::F64)), "1e+30");
  EXPECT_EQ(toString(floatLit(2, ScalarType::F16)), "f16(2.0)");
  EXPECT_EQ(toString(floatLit(-INFINITY, ScalarType::F32)), "f32(-inf)");
  EXPECT_EQ(toString(floatLit(NAN, ScalarType::F64)), "nan");
}

TEST_F(ExprTest, LocationsCanBeReplaced) {
  Location Loc{"a.cpp", 3, 4};
  Expr E = withLocation(I + J, Loc);
  EXPECT_EQ(E->Loc, Loc);
  EXPECT_TRUE(equal(E, I + J));
}

TEST_F(ExprTest, MathFunctions) {
  EXPECT_TRUE(isMathFunction("fma"));
  EXPECT_EQ(mathFunctionArity("fma"), 3u);
  EXPECT_EQ(mathFunctionArity("atan2"), 2u);
  EXPECT_FALSE(isMathFunction("min"));
}

// Every rule must give the value of what it replaces. Small operands reach all of them.
TEST(Fold, AgreesWithEvaluation) {
  const BinaryOp Ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Min,
                          BinaryOp::Max};
  auto V = makeVar("v", ScalarType::I64, VarKind::Loop);
  auto W = makeVar("w", ScalarType::I64, VarKind::Loop);
  struct Pair {
    Expr E;
    std::int64_t Value; // with v = 5, w = -7
  };
  std::vector<Pair> Level = {
      {varExpr(V), 5}, {varExpr(W), -7}, {intLit(0), 0}, {intLit(1), 1}, {intLit(-3), -3}};
  // Replaces v and w in a folded expression by rebuilding it from constants.
  std::function<std::int64_t(const Expr &)> Value = [&](const Expr &E) -> std::int64_t {
    if (E->Kind == ExprKind::Var)
      return E->V == V ? 5 : -7;
    if (E->Kind == ExprKind::IntLit)
      return E->Int;
    return *evaluate(E->Bin, Value(E->Args[0]), Value(E->Args[1]));
  };
  for (int Depth = 0; Depth < 2; ++Depth) {
    std::vector<Pair> Next = Level;
    for (BinaryOp Op : Ops)
      for (const Pair &L : Level)
        for (const Pair &R : Level) {
          Pair P = {binary(Op, L.E, R.E), *evaluate(Op, L.Value, R.Value)};
          ASSERT_EQ(Value(P.E), P.Value) << toString(L.E) << ' ' << spelling(Op) << ' '
                                         << toString(R.E) << " became " << toString(P.E);
          Next.push_back(P);
        }
    Level = std::move(Next);
  }
}

} // namespace
} // namespace septran::compiler
