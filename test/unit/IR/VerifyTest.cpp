//===- VerifyTest.cpp -------------------------------------------*- C++ -*-===//
#include "IR/Verify.h"

#include "Logic/TaskGraph.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

using Problems = std::vector<std::string>;

struct VerifyTest : testing::Test {
  VarRef Iv = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef Xv = makeVar("x", ScalarType::F32, VarKind::Scalar);
  Expr I = varExpr(Iv), X = varExpr(Xv);
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  TensorRef T = makeTensor("T", ScalarType::F32, 1, TensorKind::Alias);
  FreeSymbols Free{{}, {A}};

  static Stmt stmt(decltype(Stmt::Node) Node) { return {std::move(Node), {}}; }
  For loop(Block Body) const {
    For L;
    L.V = Iv;
    L.Lo = intLit(0);
    L.Hi = extentOf(A, 0);
    L.Body = std::move(Body);
    return L;
  }
};

TEST_F(VerifyTest, WellFormed) {
  Block B = {stmt(loop({stmt(Let{Xv, load(A, {I}), true}), stmt(Assign{Xv, UpdateOp::Add, X}),
                        stmt(Store{A, {I}, UpdateOp::Set, X})})),
             stmt(Define{T, wholeView(A)}), stmt(Store{T, {intLit(0)}, UpdateOp::Set, X})};
  B.back().getIf<Store>()->Value = floatLit(0, ScalarType::F32);
  EXPECT_EQ(verifyBlock(B, Free), Problems{});
}

TEST_F(VerifyTest, ScopesEnd) {
  Block B = {stmt(loop({stmt(Let{Xv, load(A, {I}), false}), stmt(Define{T, wholeView(A)})})),
             stmt(Store{A, {I}, UpdateOp::Set, X}), stmt(Store{T, {intLit(0)}, UpdateOp::Set, X})};
  EXPECT_EQ(verifyBlock(B, Free), (Problems{"scalar 'i' is used where it is not defined",
                                            "scalar 'x' is used where it is not defined",
                                            "scalar 'x' is used where it is not defined",
                                            "tensor 'T' is used where it is not defined"}));
}

TEST_F(VerifyTest, SymbolsAreDefinedOnce) {
  Block B = {stmt(loop({})), stmt(loop({})), stmt(Define{A, wholeView(A)})};
  EXPECT_EQ(verifyBlock(B, Free),
            (Problems{"scalar 'i' is defined twice", "tensor 'A' is defined twice"}));
}

TEST_F(VerifyTest, Ranks) {
  TensorRef M = makeTensor("M", ScalarType::F64, 2, TensorKind::Alias);
  TensorRef L = makeTensor("L", ScalarType::F32, 2, TensorKind::Local);
  View Bad = explicitView(wholeView(A));
  Bad.Dims = {0, 0};
  Bad.BroadcastExtents = {nullptr, nullptr};
  View Wide = explicitView(wholeView(A));
  Wide.Dims = {-1};
  Block B = {stmt(Store{A, {}, UpdateOp::Set, load(A, {floatLit(1, ScalarType::F32)})}),
             stmt(Define{M, wholeView(A)}),
             stmt(Define{T, Wide}),
             stmt(Local{L, {intLit(4)}}),
             stmt(CopyStmt{wholeView(L), wholeView(A), "", false, 0}),
             stmt(CopyStmt{wholeView(L), Bad, "", false, 0})};
  EXPECT_EQ(
      verifyBlock(B, Free),
      (Problems{"an index of 'A' '1.0f' is no integer", "tensor 'A' of rank 1 is indexed by 0",
                "tensor 'M' of rank 2 is a view of rank 1",
                "tensor 'M' and the tensor it views differ in element type",
                "the view of 'A' broadcasts dimension 0 to no extent",
                "tensor 'L' of rank 2 is allocated with 1 extents", "copy between ranks: L <- A",
                "the view of 'A' walks dimension 0 twice"}));
}

TEST_F(VerifyTest, TypesAndSteps) {
  For L = loop({});
  L.Step = 0;
  L.Hi = floatLit(1, ScalarType::F32);
  If C;
  C.Condition = intLit(1);
  Block B = {stmt(L), stmt(C), stmt(Let{Xv, floatLit(1, ScalarType::F64), false}),
             stmt(Assign{Xv, UpdateOp::Set, X})};
  EXPECT_EQ(verifyBlock(B, Free),
            (Problems{"the upper bound of loop 'i' '1.0f' is no integer", "loop 'i' has step 0",
                      "condition '1' is not of type bool",
                      "scalar 'x' of type f32 has a value of type f64",
                      "scalar 'x' is assigned but not mutable"}));
}

TEST_F(VerifyTest, BrokenExpressions) {
  ExprNode Half = *(X + X);
  Half.Args.pop_back();
  ExprNode Hole = *(X + X);
  Hole.Args[0] = nullptr;
  Block B = {stmt(Let{Xv, std::make_shared<const ExprNode>(Half), false}),
             stmt(Store{A, {intLit(0)}, UpdateOp::Set, std::make_shared<const ExprNode>(Hole)}),
             stmt(Store{A, {nullptr}, UpdateOp::Set, nullptr})};
  EXPECT_EQ(verifyBlock(B, Free),
            (Problems{"an expression has missing or superfluous operands",
                      "an expression has missing or superfluous operands",
                      "an index of 'A' is missing", "a store to 'A' has no value"}));
}

TEST_F(VerifyTest, Launches) {
  auto F = std::make_shared<Function>();
  F->Name = "leaf";
  Parameter P;
  P.Name = "p";
  P.Tensor = makeTensor("p", ScalarType::F32, 2, TensorKind::Parameter);
  F->Params = {P};
  std::vector<Launch::Argument> Args(1);
  Args[0].Tensor = wholeView(A);
  Block B = {stmt(Launch{F, Args, 0}), stmt(OpaqueCall{F, {}})};
  EXPECT_EQ(verifyBlock(B, Free, /*AllowLaunch=*/false),
            (Problems{"launch of 'leaf' was not expanded",
                      "argument 'p' of 'leaf' has rank 1 instead of 2",
                      "'leaf' takes 1 arguments, not 0"}));
}

TEST_F(VerifyTest, DigitsCountSomething) {
  For L = loop({});
  L.Parts = {{0, 1}, {4, 0}};
  EXPECT_EQ(verifyBlock({stmt(L)}, Free),
            (Problems{"loop 'i' is divided among threads that do not share it",
                      "loop 'i' has digits that count nothing: 0@1, 4"}));
  L.Exec = LoopExec::Threads;
  L.Parts = {{4, 1}, {0, 0}};
  EXPECT_EQ(verifyBlock({stmt(L)}, Free), Problems{});
  TensorRef T = makeTensor("t", ScalarType::F32, 2, TensorKind::Buffer);
  Alloc Held{T, {intLit(2), intLit(4)}, "", nullptr, -1, "", {}, {{{4, 1}}}};
  EXPECT_EQ(verifyBlock({stmt(Held)}, Free),
            Problems{"'t' is divided among threads in some dimensions only"});
}

TEST_F(VerifyTest, PartialsLiveInTheirLoop) {
  TensorRef Partial = makeTensor("A_partial", ScalarType::F32, 1, TensorKind::Buffer);
  For L = loop({stmt(Store{Partial, {I}, UpdateOp::Add, floatLit(1, ScalarType::F32)})});
  L.Reductions.push_back({Partial, A, UpdateOp::Add});
  EXPECT_EQ(verifyBlock({stmt(L)}, Free), Problems{});
  Block After = {stmt(L), stmt(Store{Partial, {intLit(0)}, UpdateOp::Set, X})};
  EXPECT_EQ(verifyBlock(After, {{Xv}, {A}}),
            (Problems{"tensor 'A_partial' is used where it is not defined"}));
}

} // namespace
} // namespace septran::compiler
