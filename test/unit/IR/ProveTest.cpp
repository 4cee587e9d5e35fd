//===- ProveTest.cpp - proofs against enumeration ---------------*- C++ -*-===//
//
// Random index expressions over two loop variables, an extent and a scalar. What
// Affine.h claims about them must hold for every value that the facts allow.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Fold.h"
#include "IR/Tensor.h"

#include <gtest/gtest.h>

#include <random>

namespace septran::compiler {
namespace {

class Universe {
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  VarRef I = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef J = makeVar("j", ScalarType::I64, VarKind::Loop);
  VarRef S = makeVar("s", ScalarType::I64, VarKind::Scalar);
  std::mt19937 Random;

public:
  struct Point {
    std::int64_t N, I, J, S;
  };
  Facts Known;
  std::vector<Point> Points;

  /// i counts blocks of 4 in N, j the elements of block i.
  explicit Universe(unsigned Seed) : Random(Seed) {
    Expr N = extentOf(A, 0), Rest = N - varExpr(I) * intLit(4);
    Known[I] = {intLit(0), ceilDiv(N, intLit(4))};
    Known[J] = {intLit(0), minExpr(Rest, intLit(4))};
    for (std::int64_t Extent = 0; Extent < 11; ++Extent)
      for (std::int64_t Block = 0; Block < (Extent + 3) / 4; ++Block)
        for (std::int64_t Inner = 0; Inner < std::min<std::int64_t>(Extent - Block * 4, 4); ++Inner)
          for (std::int64_t Scalar = -2; Scalar < 3; ++Scalar)
            Points.push_back({Extent, Block, Inner, Scalar});
  }

  unsigned pick(unsigned Below) { return Random() % Below; }

  Expr expr(unsigned Depth) {
    if (Depth == 0 || pick(5) == 0) {
      switch (pick(6)) {
      case 0:
        return extentOf(A, 0);
      case 1:
      case 2:
        return varExpr(I);
      case 3:
        return varExpr(J);
      case 4:
        return varExpr(S);
      default:
        return intLit(static_cast<std::int64_t>(pick(9)) - 3);
      }
    }
    constexpr BinaryOp Ops[] = {BinaryOp::Add, BinaryOp::Sub, BinaryOp::Min, BinaryOp::Max};
    switch (pick(7)) {
    case 0:
      return expr(Depth - 1) * intLit(static_cast<std::int64_t>(pick(7)) - 2);
    case 1: // a dividend that is not negative
      return ceilDiv(maxExpr(expr(Depth - 1), intLit(0)), intLit(pick(5) + 1));
    case 2:
      return binary(pick(2) ? BinaryOp::Div : BinaryOp::Rem, expr(Depth - 1), intLit(pick(4) + 1));
    default:
      return binary(Ops[pick(4)], expr(Depth - 1), expr(Depth - 1));
    }
  }

  std::int64_t value(const Expr &E, const Point &P) const {
    switch (E->Kind) {
    case ExprKind::IntLit:
      return E->Int;
    case ExprKind::Extent:
      return P.N;
    case ExprKind::Var:
      return E->V == I ? P.I : E->V == J ? P.J : P.S;
    case ExprKind::Unary:
      return -value(E->Args[0], P);
    default:
      return *evaluate(E->Bin, value(E->Args[0], P), value(E->Args[1], P));
    }
  }
};

TEST(Prove, ClaimsHoldForEveryValue) {
  Universe U(20260101);
  unsigned Proved = 0;
  for (int Round = 0; Round < 1500; ++Round) {
    Expr A = U.expr(3), B = U.expr(3);
    Expr Simple = simplify(A);
    bool LessEqual = provablyLessEqual(A, B, U.Known), Equal = provablyEqual(A, B, U.Known);
    auto Lo = lowerBound(A, U.Known), Hi = upperBound(A, U.Known);
    Proved += LessEqual;
    for (const Universe::Point &P : U.Points) {
      std::int64_t X = U.value(A, P), Y = U.value(B, P);
      ASSERT_EQ(U.value(Simple, P), X) << toString(A) << " became " << toString(Simple);
      ASSERT_TRUE(!LessEqual || X <= Y)
          << toString(A) << " and " << toString(B) << ": " << X << " > " << Y;
      ASSERT_TRUE(!Equal || X == Y)
          << toString(A) << " and " << toString(B) << ": " << X << " != " << Y;
      ASSERT_TRUE(!Lo || *Lo <= X) << toString(A) << ": " << X << " < " << *Lo;
      ASSERT_TRUE(!Hi || *Hi >= X) << toString(A) << ": " << X << " > " << *Hi;
    }
  }
  EXPECT_GT(Proved, 150u); // the claims were not all empty
}

} // namespace
} // namespace septran::compiler
