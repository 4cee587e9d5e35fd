//===- PrintTest.cpp --------------------------------------------*- C++ -*-===//
#include "IR/Print.h"

#include "IR/BufferLayout.h"
#include "Logic/TaskGraph.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

struct PrintTest : testing::Test {
  VarRef Iv = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef Xv = makeVar("x", ScalarType::F32, VarKind::Scalar);
  Expr I = varExpr(Iv), X = varExpr(Xv);
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Parameter);

  static Expr lit(std::int64_t V) { return intLit(V); }
  static Stmt stmt(decltype(Stmt::Node) Node) { return {std::move(Node), {}}; }
  static For loop(const VarRef &V, Expr Hi) {
    For L;
    L.V = V;
    L.Lo = lit(0);
    L.Hi = std::move(Hi);
    return L;
  }
};

TEST_F(PrintTest, Loops) {
  For Outer = loop(Iv, extentOf(A, 0));
  Outer.Kind = LoopKind::Parallel;
  Outer.Spread = "CORE";
  Outer.Group = 2;
  For Lanes = loop(Iv, lit(64));
  Lanes.Step = 2;
  Lanes.Exec = LoopExec::Lanes;
  Lanes.Width = 16;
  For Tile = loop(Iv, lit(4));
  Tile.Exec = LoopExec::Unrolled;
  Tile.StaticTrip = 4;
  Outer.Body = {stmt(Lanes), stmt(Tile)};
  EXPECT_EQ(printBlock({stmt(Outer)}, 1),
            "  parallel for (i : 0 .. A.extent(0)) group 2 spread CORE {\n"
            "    for (i : 0 .. 64 step 2) lanes 16 {\n"
            "    }\n"
            "    for (i : 0 .. 4) unrolled trip 4 {\n"
            "    }\n"
            "  }\n");
}

TEST_F(PrintTest, ConditionsAndScalars) {
  If C;
  C.Condition = binary(BinaryOp::Lt, I, lit(3));
  C.Then = {stmt(Let{Xv, nullptr, true}), stmt(Assign{Xv, UpdateOp::Set, X}),
            stmt(Assign{Xv, UpdateOp::Min, X})};
  If WithElse = C;
  WithElse.Else = {stmt(Store{A, {I, I}, UpdateOp::Max, X})};
  EXPECT_EQ(printBlock({stmt(C), stmt(WithElse)}), "if (i < 3) {\n"
                                                   "  var x : f32\n"
                                                   "  x = x\n"
                                                   "  x = min(x, x)\n"
                                                   "}\n"
                                                   "if (i < 3) {\n"
                                                   "  var x : f32\n"
                                                   "  x = x\n"
                                                   "  x = min(x, x)\n"
                                                   "} else {\n"
                                                   "  A(i, i) = max(A(i, i), x)\n"
                                                   "}\n");
}

TEST_F(PrintTest, TensorsOfPrograms) {
  TensorRef Buffer = makeTensor("A", ScalarType::BF16, 2, TensorKind::Buffer);
  Alloc S;
  S.T = Buffer;
  S.Extents = {lit(64), extentOf(A, 1)};
  S.Memory = "CACHE";
  S.Layout = std::make_shared<const BufferLayout>(rowLayout(2));
  S.Offset = 128;
  CopyStmt C;
  C.Dst = wholeView(Buffer);
  C.Src = wholeView(A);
  C.Parallel = true;
  C.Prefetch = 2;
  EXPECT_EQ(printBlock({stmt(S), stmt(C)}),
            "alloc A : CACHE bf16[64, A_1.extent(1)] layout(row) offset 128\n"
            "copy A <- A_1 parallel prefetch 2\n");
}

TEST_F(PrintTest, DefinesShowTheirMemory) {
  TensorRef T = makeTensor("T", ScalarType::F32, 2, TensorKind::Alias);
  T->Memory = "GLOBAL";
  TensorRef Own = makeTensor("acc", ScalarType::F32, 1, TensorKind::Local);
  EXPECT_EQ(printBlock({stmt(Define{T, wholeView(A)}), stmt(Local{Own, {lit(4)}})}),
            "define T : GLOBAL = A\n"
            "local acc : f32[4]\n");
}

TEST_F(PrintTest, Threads) {
  TensorRef Tile = makeTensor("t", ScalarType::F32, 2, TensorKind::Buffer);
  Alloc Held{Tile, {lit(8), lit(64)}, "REGISTER", nullptr, -1, "", {}, {{}, {{4, 0}, {16, 1}}}};
  For L;
  L.V = Iv;
  L.Lo = lit(0);
  L.Hi = lit(64);
  L.Exec = LoopExec::Threads;
  L.Parts = {{4, 0}, {16, 1}, {0, 0}};
  EXPECT_EQ(printBlock({stmt(Held), stmt(L), stmt(Barrier{"BLOCK", {"A is read", "B is read"}})}),
            "alloc t : REGISTER f32[8, 64] threads([], [4, 16@1])\n"
            "for (i : 0 .. 64) threads [4, 16@1, 0] {\n"
            "}\n"
            "barrier BLOCK serves \"A is read\", \"B is read\"\n");
  EXPECT_EQ(threadsOf(L.Parts), 16);
  EXPECT_EQ(registersOf(L.Parts), 0);
  EXPECT_EQ(registersOf(Held.Parts[1]), 4);
}

TEST_F(PrintTest, CallsAndScopes) {
  auto F = std::make_shared<Function>();
  F->Name = "gemm_leaf";
  std::vector<Launch::Argument> Args(2);
  Args[0].Tensor = wholeView(A);
  Args[1].Scalar = X;
  Scope S;
  S.Body = {stmt(OpaqueCall{F, Args})};
  EXPECT_EQ(printBlock({stmt(Launch{F, Args, 0}), stmt(Launch{F, Args, 1}), stmt(S)}),
            "launch gemm_leaf(A, x)\n"
            "launch gemm_leaf#1(A, x)\n"
            "scope {\n"
            "  call gemm_leaf(A, x)\n"
            "}\n");
}

TEST_F(PrintTest, NamesAreUnique) {
  VarRef Same = makeVar("i", ScalarType::I64, VarKind::Loop);
  VarRef Taken = makeVar("i_1", ScalarType::I64, VarKind::Loop);
  NameTable Names({"for"});
  EXPECT_EQ(Names.name(Iv), "i");
  EXPECT_EQ(Names.name(Taken), "i_1");
  EXPECT_EQ(Names.name(Same), "i_2");
  EXPECT_EQ(Names.name(Iv), "i");
  VarRef Keyword = makeVar("for", ScalarType::I64, VarKind::Loop);
  EXPECT_EQ(Names.name(Keyword), "for_1");
  EXPECT_EQ(toString(I + varExpr(Same), Names), "i + i_2");
  EXPECT_EQ(toString(I + varExpr(Same)), "i + i");
}

} // namespace
} // namespace septran::compiler
