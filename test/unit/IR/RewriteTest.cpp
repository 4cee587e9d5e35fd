//===- RewriteTest.cpp ------------------------------------------*- C++ -*-===//
#include "IR/Rewrite.h"
#include "IR/Print.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

struct RewriteTest : testing::Test {
  VarRef Iv = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef Xv = makeVar("x", ScalarType::F32, VarKind::Scalar);
  Expr I = varExpr(Iv), X = varExpr(Xv);
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  TensorRef B = makeTensor("B", ScalarType::F32, 2, TensorKind::Parameter);
  TensorRef T = makeTensor("T", ScalarType::F32, 1, TensorKind::Alias);

  static Expr lit(std::int64_t V) { return intLit(V); }
  static Stmt stmt(decltype(Stmt::Node) Node) { return {std::move(Node), {}}; }

  /// T is row 3 of B from column 8 on.
  View rowOfB() const {
    View V;
    V.Base = B;
    V.Slices.resize(2);
    V.Slices[0].Offset = lit(3);
    V.Slices[0].Extent = lit(1);
    V.Slices[1].Offset = lit(8);
    V.Slices[1].Extent = extentOf(B, 1) - lit(8);
    V.Dims = {1};
    V.BroadcastExtents = {nullptr};
    return V;
  }

  /// for i < T.extent(0) { x = T(i); A(i) += x }
  Block loop() const {
    For L;
    L.V = Iv;
    L.Lo = lit(0);
    L.Hi = extentOf(T, 0);
    L.Body.push_back(stmt(Let{Xv, load(T, {I}), false}));
    L.Body.push_back(stmt(Store{A, {I}, UpdateOp::Add, X}));
    return {stmt(std::move(L))};
  }
};

TEST_F(RewriteTest, RewritesBottomUpAndFolds) {
  Expr E = (I + lit(1)) * lit(4);
  Expr R = rewriteExpr(
      E, [&](const Expr &Part) { return Part->Kind == ExprKind::Var ? lit(2) : nullptr; });
  EXPECT_TRUE(isConstant(R, 12));
  EXPECT_EQ(rewriteExpr(E, [](const Expr &) { return nullptr; }), E);
}

TEST_F(RewriteTest, RewritingKeepsLocations) {
  Location Loc{"a.cpp", 1, 2};
  Expr E = withLocation(I + X, Loc);
  Substitution S;
  S.Vars[Iv] = varExpr(makeVar("j", ScalarType::I64, VarKind::Loop));
  EXPECT_EQ(substitute(E, S)->Loc, Loc);
}

TEST_F(RewriteTest, SubstitutionIsSimultaneous) {
  VarRef Jv = makeVar("j", ScalarType::I64, VarKind::Loop);
  Substitution S;
  S.Vars[Iv] = varExpr(Jv);
  S.Vars[Jv] = I;
  EXPECT_EQ(toString(substitute(I - varExpr(Jv), S)), "j - i");
}

TEST_F(RewriteTest, WhatFoldingLeavesIsNotReplacedAgain) {
  Substitution S;
  S.Vars[Iv] = lit(7) - I;
  EXPECT_EQ(toString(substitute(lit(7) - I, S)), "i");
}

TEST_F(RewriteTest, TensorForTensor) {
  Substitution S;
  S.Tensors[T] = A;
  EXPECT_EQ(printBlock(substitute(loop(), S)), "for (i : 0 .. A.extent(0)) {\n"
                                               "  let x : f32 = A(i)\n"
                                               "  A(i) += x\n"
                                               "}\n");
}

TEST_F(RewriteTest, TensorForView) {
  Substitution S;
  S.Views[T] = rowOfB();
  EXPECT_EQ(printBlock(substitute(loop(), S)), "for (i : 0 .. B.extent(1) - 8) {\n"
                                               "  let x : f32 = B(3, i + 8)\n"
                                               "  A(i) += x\n"
                                               "}\n");
  EXPECT_EQ(toString(substitute(originOf(T, 0), S)), "B.origin(1) + 8");
}

TEST_F(RewriteTest, StoresAndViewsFollow) {
  Substitution S;
  S.Views[T] = rowOfB();
  View Part;
  Part.Base = T;
  Part.Slices.resize(1);
  Part.Slices[0].Offset = I;
  Part.Slices[0].Extent = extentOf(T, 0) - I;
  Part.Dims = {0};
  Part.BroadcastExtents = {nullptr};
  EXPECT_EQ(toString(substitute(Part, S)), "B[at 3, i + 8 +: B.extent(1) - i - 8]");
  Block Stores = {stmt(Store{T, {I}, UpdateOp::Set, lit(0)}), stmt(Define{A, Part})};
  EXPECT_EQ(printBlock(substitute(Stores, S)),
            "B(3, i + 8) = 0\n"
            "define A = B[at 3, i + 8 +: B.extent(1) - i - 8]\n");
}

TEST_F(RewriteTest, ATensorMayBecomeAViewOfItself) {
  // Recursion: the callee's parameter is a part of the caller's, the same symbol.
  Substitution S;
  View Half = wholeView(A);
  Half.Slices.resize(1);
  Half.Slices[0].Offset = lit(0);
  Half.Slices[0].Extent = minExpr(extentOf(A, 0), lit(8));
  Half.Dims = {0};
  Half.BroadcastExtents = {nullptr};
  S.Views[A] = Half;
  EXPECT_EQ(toString(substitute(wholeView(A), S)), "A[0 +: min(A.extent(0), 8)]");
  View Again = substitute(Half, S);
  EXPECT_EQ(toString(Again.extent(0)), "min(A.extent(0), 8)");
}

TEST_F(RewriteTest, LoadsThroughAFillStay) {
  Substitution S;
  View Window = rowOfB();
  Window.Fill = floatLit(0, ScalarType::F32);
  S.Views[T] = Window;
  EXPECT_EQ(toString(substitute(load(T, {I}) + X, S)), "T(i) + x");
  EXPECT_EQ(toString(substitute(extentOf(T, 0), S)), "B.extent(1) - 8");
}

TEST_F(RewriteTest, FreshCopiesShareNoSymbolThatTheyIntroduce) {
  Substitution S;
  S.Tensors[T] = B;
  Block Old = loop(), New = freshCopy(Old, S);
  const For *L = New[0].getIf<For>();
  ASSERT_TRUE(L);
  EXPECT_NE(L->V, Iv);
  EXPECT_EQ(L->V->Name, "i");
  EXPECT_FALSE(mentions(New, Iv));
  EXPECT_FALSE(mentions(New, Xv));
  EXPECT_TRUE(uses(New, A));
  EXPECT_TRUE(uses(New, B));
  EXPECT_FALSE(uses(New, T));
  EXPECT_EQ(S.Vars.count(Xv), 1u);
  Block Both = Old;
  Both.push_back(New[0]);
  EXPECT_EQ(printBlock(Both), "for (i : 0 .. T.extent(0)) {\n"
                              "  let x : f32 = T(i)\n"
                              "  A(i) += x\n"
                              "}\n"
                              "for (i_1 : 0 .. B.extent(0)) {\n"
                              "  let x_1 : f32 = B(i_1)\n"
                              "  A(i_1) += x_1\n"
                              "}\n");
}

TEST_F(RewriteTest, FreshTensorsAndPartials) {
  TensorRef Buffer = makeTensor("buf", ScalarType::F32, 1, TensorKind::Buffer);
  TensorRef Partial = makeTensor("A_partial", ScalarType::F32, 1, TensorKind::Buffer);
  For L;
  L.V = Iv;
  L.Lo = lit(0);
  L.Hi = lit(4);
  L.Reductions.push_back({Partial, A, UpdateOp::Add});
  L.Body.push_back(stmt(Local{Buffer, {extentOf(A, 0)}}));
  L.Body.push_back(stmt(CopyStmt{wholeView(Partial), wholeView(Buffer), "", false, 0}));
  L.Body.push_back(stmt(Assign{Xv, UpdateOp::Max, load(Buffer, {I})}));
  Substitution S;
  Block New = freshCopy({stmt(L)}, S);
  EXPECT_FALSE(uses(New, Buffer));
  EXPECT_FALSE(uses(New, Partial));
  EXPECT_TRUE(uses(New, A));
  EXPECT_EQ(printBlock(New), "for (i : 0 .. 4) reduce(A += A_partial) {\n"
                             "  local buf : f32[A.extent(0)]\n"
                             "  copy A_partial <- buf\n"
                             "  x = max(x, buf(i))\n"
                             "}\n");
}

TEST_F(RewriteTest, WalksEverything) {
  Block B = loop();
  std::vector<std::string> Seen;
  walkStmts(std::as_const(B),
            [&](const Stmt &S) { Seen.push_back(std::to_string(S.Node.index())); });
  EXPECT_EQ(Seen.size(), 3u);
  std::vector<std::string> Exprs;
  walkExprs(std::as_const(B), [&](const Expr &E) { Exprs.push_back(toString(E)); });
  EXPECT_EQ(Exprs, (std::vector<std::string>{"0", "T.extent(0)", "T(i)", "i", "i", "x"}));
}

TEST_F(RewriteTest, WalksMayChangeStatements) {
  Block B = loop();
  walkStmts(B, [](Stmt &S) {
    if (auto *L = S.getIf<For>())
      L->Body.pop_back();
  });
  EXPECT_EQ(B[0].getIf<For>()->Body.size(), 1u);
  rewriteExprs(B, [&](const Expr &E) { return E->Kind == ExprKind::Load ? X : nullptr; });
  EXPECT_FALSE(mentions(B[0].getIf<For>()->Body[0].getIf<Let>()->Value, T));
}

TEST_F(RewriteTest, Queries) {
  Expr E = load(A, {I}) + X * X;
  EXPECT_TRUE(mentions(E, Iv));
  EXPECT_TRUE(mentions(E, A));
  EXPECT_FALSE(mentions(E, B));
  EXPECT_EQ(collectVars(E), (std::vector<VarRef>{Iv, Xv}));
  View V = rowOfB();
  EXPECT_FALSE(mentions(V, Iv));
  V.Slices[0].Offset = I;
  EXPECT_TRUE(mentions(V, Iv));
  EXPECT_TRUE(uses({stmt(Define{T, V})}, B));
  EXPECT_FALSE(uses({stmt(Define{T, V})}, T));
}

} // namespace
} // namespace septran::compiler
