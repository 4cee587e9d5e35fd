//===- CxxExprTest.cpp --------------------------------------------*- C++ -*-===//
#include "Emit/CxxExpr.h"
#include "IR/Tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace septran::compiler {
namespace {

struct CxxExprTest : testing::Test {
  VarRef IVar = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef XVar = makeVar("x", ScalarType::F32, VarKind::Scalar);
  VarRef PVar = makeVar("p", ScalarType::Bool, VarKind::Scalar);
  Expr I = varExpr(IVar), X = varExpr(XVar), P = varExpr(PVar);
  CxxNames Names;

  CxxExprTest() {
    for (const VarRef &V : {IVar, XVar, PVar})
      Names.define(V);
  }

  std::string text(const Expr &E) const {
    return CxxExprPrinter(Names, [](const Expr &) { return CxxText{"t[0]"}; }).text(E);
  }
  static std::string literal(const Expr &E) { return literalText(*E).Text; }
  static Expr op(BinaryOp Op, Expr L, Expr R) { return binary(Op, std::move(L), std::move(R)); }
};

TEST_F(CxxExprTest, FloatLiteralsReadBackAsTheSameValue) {
  EXPECT_EQ(literal(floatLit(1, ScalarType::F32)), "1.0F");
  EXPECT_EQ(literal(floatLit(0.1, ScalarType::F32)), "0.1F");
  EXPECT_EQ(literal(floatLit(0.1, ScalarType::F64)), "0.1");
  EXPECT_EQ(literal(floatLit(1e30, ScalarType::F64)), "1e+30");
  EXPECT_EQ(literal(floatLit(-0.0, ScalarType::F64)), "-0.0");
  EXPECT_EQ(literal(floatLit(0.5, ScalarType::F16)), "septran::float16(0.5F)");
}

TEST_F(CxxExprTest, ValuesWithoutDigitsHaveNames) {
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(literal(floatLit(Infinity, ScalarType::F32)), "std::numeric_limits<float>::infinity()");
  EXPECT_EQ(literal(floatLit(-Infinity, ScalarType::F64)),
            "-std::numeric_limits<double>::infinity()");
  EXPECT_EQ(literal(floatLit(std::nan(""), ScalarType::F32)),
            "std::numeric_limits<float>::quiet_NaN()");
}

TEST_F(CxxExprTest, IntegerLiterals) {
  EXPECT_EQ(literal(intLit(-7)), "-7");
  EXPECT_EQ(literal(intLit(7, ScalarType::U32)), "std::uint32_t(7)");
  EXPECT_EQ(literal(boolLit(true)), "true");
  // -9223372036854775808 would be the negative of a number that does not exist.
  EXPECT_EQ(literal(intLit(INT64_MIN)), "std::numeric_limits<std::int64_t>::min()");
}

TEST_F(CxxExprTest, ParenthesesKeepTheTree) {
  EXPECT_EQ(text((X + X) * X), "(x + x) * x");
  EXPECT_EQ(text(X - (X - X)), "x - (x - x)");
  EXPECT_EQ(text(X - X - X), "x - x - x");
  EXPECT_EQ(text(unary(UnaryOp::Neg, X + X)), "-(x + x)");
  EXPECT_EQ(text(X - unary(UnaryOp::Neg, X)), "x - -x");
  EXPECT_EQ(text(unary(UnaryOp::Neg, unary(UnaryOp::Neg, X))), "-(-x)");
  EXPECT_EQ(text(select(P, X, X + X) * X), "(p ? x : x + x) * x");
}

TEST_F(CxxExprTest, BitsStandInParentheses) {
  Expr J = I + intLit(1);
  EXPECT_EQ(text(op(BinaryOp::BitAnd, J, I)), "(i + 1) & i");
  EXPECT_EQ(text(op(BinaryOp::Shr, J, intLit(2))), "(i + 1) >> 2");
  EXPECT_EQ(text(op(BinaryOp::BitOr, I, op(BinaryOp::BitXor, I, J))), "i | (i ^ (i + 1))");
}

TEST_F(CxxExprTest, OperatorsThatAreFunctions) {
  EXPECT_EQ(text(minExpr(X, X * X)), "std::min<float>(x, x * x)");
  EXPECT_EQ(text(maxExpr(I, intLit(3))), "std::max<std::int64_t>(i, 3)");
  EXPECT_EQ(text(ceilDiv(I, intLit(64))), "cpu::ceil_div(i, 64)");
  EXPECT_EQ(text(call("fabs", {X}, ScalarType::F32)), "std::abs(x)");
}

TEST_F(CxxExprTest, CastsOfIndicesAreSilent) {
  EXPECT_EQ(text(cast(ScalarType::F32, I)), "float(i)");
  Expr Narrow = varExpr(IVar);
  EXPECT_EQ(text(cast(ScalarType::I64, cast(ScalarType::I32, Narrow))), "std::int32_t(i)");
}

struct WidthTest : CxxExprTest {
  VarRef NVar = makeVar("n", ScalarType::I32, VarKind::Parameter),
         MVar = makeVar("m", ScalarType::I32, VarKind::Parameter),
         UVar = makeVar("u", ScalarType::U32, VarKind::Parameter),
         JVar = makeVar("j", ScalarType::U32, VarKind::Loop);
  Expr N = varExpr(NVar), M = varExpr(MVar), U = varExpr(UVar), J = varExpr(JVar);

  WidthTest() {
    for (const VarRef &V : {NVar, MVar, UVar, JVar})
      Names.define(V);
  }
  static Expr wide(const Expr &E) { return cast(ScalarType::I64, E); }
};

TEST_F(WidthTest, WideArithmeticOfNarrowOperandsIsDoneWide) {
  EXPECT_EQ(text(wide(N) * wide(M)), "std::ptrdiff_t(n) * m");
  EXPECT_EQ(text(binary(BinaryOp::Mul, N, M, ScalarType::I64)), "std::ptrdiff_t(n) * m");
  EXPECT_EQ(text(wide(N) * intLit(3)), "std::ptrdiff_t(n) * 3");
  EXPECT_EQ(text(I + wide(N) * wide(M)), "i + std::ptrdiff_t(n) * m");
  EXPECT_EQ(text(wide(N) * I * wide(M)), "n * i * m"); // i is wide
  EXPECT_EQ(text(unary(UnaryOp::Neg, wide(N))), "-std::ptrdiff_t(n)");
  EXPECT_EQ(text(op(BinaryOp::Div, wide(N), intLit(2))), "n / 2");
  EXPECT_EQ(text(binary(BinaryOp::Shl, wide(N), intLit(40))), "std::ptrdiff_t(n) << 40");
  EXPECT_EQ(text(binary(BinaryOp::Mul, intLit(1LL << 40), N)), "n * 1099511627776");
}

TEST_F(WidthTest, TheUsersIntStaysInt) {
  EXPECT_EQ(text(N * M), "n * m");
  EXPECT_EQ(text(wide(N * M)), "n * m");
  EXPECT_EQ(text(wide(N * M) * I), "n * m * i");
  EXPECT_EQ(text(N + intLit(1, ScalarType::I32)), "n + 1");
}

TEST_F(WidthTest, UnsignedArithmeticWrapsWhereItIsUnsignedAndNowhereElse) {
  Expr One = intLit(1, ScalarType::U32);
  EXPECT_EQ(text(U - One), "u - std::uint32_t(1)");
  EXPECT_EQ(text(wide(U) - intLit(1)), "std::ptrdiff_t(u) - 1");
  // Loop variables are std::ptrdiff_t.
  EXPECT_EQ(text(J - One), "std::uint32_t(j - std::uint32_t(1))");
  EXPECT_EQ(text(wide(J) - intLit(1)), "j - 1");
  Expr Flag = select(P, wide(U), intLit(-1));
  EXPECT_EQ(text(Flag), "p ? std::ptrdiff_t(u) : -1");
}

TEST_F(WidthTest, ComparisonsSeeTheValues) {
  EXPECT_EQ(text(op(BinaryOp::Lt, wide(N), wide(M))), "n < m");
  EXPECT_EQ(text(op(BinaryOp::Lt, wide(U), wide(M))), "std::ptrdiff_t(u) < m");
  EXPECT_EQ(text(op(BinaryOp::Lt, U, cast(ScalarType::U32, M))), "u < std::uint32_t(m)");
}

} // namespace
} // namespace septran::compiler
