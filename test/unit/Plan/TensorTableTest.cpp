//===- TensorTableTest.cpp ------------------------------------------------===//
#include "TaskGraphs.h"

#include "Plan/TensorTable.h"

namespace septran::compiler {
namespace {

TEST(TensorTable, FollowsDefinesToTheirRoot) {
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Parameter);
  TensorRef Row = makeTensor("row", ScalarType::F32, 2, TensorKind::Alias);
  TensorRef Part = makeTensor("part", ScalarType::F32, 2, TensorKind::Alias);
  Expr Four = intLit(4);
  Block B = {{Define{Row, blockOf(A, {{intLit(1), Four}})}, {}},
             {Define{Part, blockOf(Row, {{intLit(0), Four}, {intLit(2), Four}})}, {}}};
  TensorTable T(B);
  EXPECT_EQ(T.root(Part), A);
  EXPECT_EQ(T.root(A), A);
  EXPECT_EQ(T.definition(Part)->Base, Row);
  EXPECT_EQ(T.definition(A), nullptr);
  EXPECT_EQ(T.allocated(Part), nullptr);
}

TEST(TensorTable, KnowsAllocationsAndPartialResults) {
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Buffer);
  TensorRef Partial = makeTensor("A_partial", ScalarType::F32, 1, TensorKind::Buffer);
  For F;
  F.V = makeVar("i", ScalarType::I64, VarKind::Loop);
  F.Lo = intLit(0);
  F.Hi = intLit(8);
  F.Reductions.push_back({Partial, A, UpdateOp::Add});
  TensorTable T({{Alloc{A, {intLit(16)}, "CACHE", nullptr, -1, "", {}}, {}}, {F, {}}});
  ASSERT_NE(T.allocated(A), nullptr);
  EXPECT_TRUE(isConstant(T.allocated(A)->front(), 16));
  ASSERT_NE(T.allocated(Partial), nullptr);
  EXPECT_TRUE(equal(T.allocated(Partial)->front(), extentOf(A, 0)));
}

TEST(Effects, NameRootsOfLoadsStoresAndCopies) {
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  TensorRef B = makeTensor("B", ScalarType::F32, 1, TensorKind::Parameter);
  TensorRef C = makeTensor("C", ScalarType::F32, 1, TensorKind::Buffer);
  TensorRef Alias = makeTensor("alias", ScalarType::F32, 1, TensorKind::Alias);
  Block Body = {{Define{Alias, wholeView(A)}, {}},
                {Store{Alias, {intLit(0)}, UpdateOp::Set, load(B, {intLit(1)})}, {}},
                {CopyStmt{wholeView(C), wholeView(B), "", false, 0}, {}}};
  TensorTable T(Body);
  Effects E = effectsOf(Body, T);
  EXPECT_EQ(E.Writes, (std::set<TensorRef>{A, C}));
  EXPECT_EQ(E.Reads, std::set<TensorRef>{B});

  Body[1].getIf<Store>()->Op = UpdateOp::Add;
  EXPECT_EQ(effectsOf(Body, T).Reads, (std::set<TensorRef>{A, B}));
}

TEST(Effects, OpaqueCallsFollowPrivileges) {
  TaskBuilder L(FunctionKind::OpaqueLeaf, "opaque");
  L.param("out", 1, Privilege::Write);
  L.param("in", 1, Privilege::Read);
  L.param("both", 1, Privilege::ReadWrite);
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  TensorRef B = makeTensor("B", ScalarType::F32, 1, TensorKind::Parameter);
  TensorRef C = makeTensor("C", ScalarType::F32, 1, TensorKind::Parameter);
  OpaqueCall Call{L.done(), {}};
  for (const TensorRef &T : {A, B, C})
    Call.Args.push_back(TaskBuilder::Argument(T));
  Block Body = {{Call, {}}};
  Effects E = effectsOf(Body, TensorTable(Body));
  EXPECT_EQ(E.Writes, (std::set<TensorRef>{A, C}));
  EXPECT_EQ(E.Reads, (std::set<TensorRef>{B, C}));
}

struct Coverage : testing::Test {
  TensorRef T = makeTensor("T", ScalarType::F32, 2, TensorKind::Parameter);
  VarRef I = makeVar("i", ScalarType::I64, VarKind::Loop),
         J = makeVar("j", ScalarType::I64, VarKind::Loop);
  Stmt Write{Store{T, {varExpr(I), varExpr(J)}, UpdateOp::Set, floatLit(1, ScalarType::F32)}, {}};

  static Stmt loop(const VarRef &V, Expr Hi, Block Body) {
    For F;
    F.V = V;
    F.Lo = intLit(0);
    F.Hi = std::move(Hi);
    F.Body = std::move(Body);
    return {std::move(F), {}};
  }
  Block nest(Block Inner, Expr RowCount = nullptr) {
    return {
        loop(I, RowCount ? RowCount : extentOf(T, 0), {loop(J, extentOf(T, 1), std::move(Inner))})};
  }
};

TEST_F(Coverage, FullNestCovers) { EXPECT_TRUE(coversWrites(nest({Write}), T)); }

TEST_F(Coverage, PartOfTheRowsDoesNot) { EXPECT_FALSE(coversWrites(nest({Write}, intLit(4)), T)); }

TEST_F(Coverage, AConditionDoesNot) {
  Stmt Guarded{If{binary(BinaryOp::Lt, varExpr(I), varExpr(J)), {Write}, {}}, {}};
  EXPECT_FALSE(coversWrites(nest({Guarded}), T));
}

TEST_F(Coverage, AnUpdateDoesNot) {
  Write.getIf<Store>()->Op = UpdateOp::Add;
  EXPECT_FALSE(coversWrites(nest({Write}), T));
}

TEST_F(Coverage, ADiagonalDoesNot) {
  Write.getIf<Store>()->Indices[1] = varExpr(I);
  EXPECT_FALSE(coversWrites(nest({Write}), T));
}

TEST_F(Coverage, AnotherOrderOfIndicesNeedsItsOwnExtents) {
  Write.getIf<Store>()->Indices = {varExpr(J), varExpr(I)};
  EXPECT_FALSE(coversWrites(nest({Write}), T));
}

TEST_F(Coverage, ALoopThatStartsLaterDoesNot) {
  Block B = nest({Write});
  B[0].getIf<For>()->Lo = intLit(1);
  EXPECT_FALSE(coversWrites(B, T));
}

TEST_F(Coverage, CopiesIntoAllBlocksCover) {
  TensorRef Src = makeTensor("src", ScalarType::F32, 2, TensorKind::Parameter);
  View Tile = blockOf(T, {{varExpr(I), intLit(4)}, {varExpr(J), intLit(8)}});
  Block Copy = {{CopyStmt{Tile, wholeView(Src), "", false, 0}, {}}};
  Block Tiles = {loop(I, countOf(T, 0, intLit(4)), {loop(J, countOf(T, 1, intLit(8)), Copy)})};
  EXPECT_TRUE(coversWrites(Tiles, T));
  Block Fewer = {loop(I, countOf(T, 0, intLit(8)), {loop(J, countOf(T, 1, intLit(8)), Copy)})};
  EXPECT_FALSE(coversWrites(Fewer, T));
}

TEST_F(Coverage, WhatWasReadFromTheTensorItselfDoesNot) {
  TensorRef Buffer = makeTensor("buffer", ScalarType::F32, 2, TensorKind::Buffer);
  Stmt In{CopyStmt{wholeView(Buffer), wholeView(T), "", false, 0}, {}};
  Stmt Out{CopyStmt{wholeView(T), wholeView(Buffer), "", false, 0}, {}};
  EXPECT_FALSE(coversWrites({In, Out}, T));
  EXPECT_TRUE(coversWrites({Out, In}, T));
}

TEST_F(Coverage, AnEmptyLoopAroundDoesNot) {
  // The copy covers T, but a loop of no iterations never reaches it.
  TensorRef Src = makeTensor("src", ScalarType::F32, 2, TensorKind::Parameter);
  Block Copy = {{CopyStmt{wholeView(T), wholeView(Src), "", false, 0}, {}}};
  EXPECT_TRUE(coversWrites(Copy, T));
  VarRef K = makeVar("k", ScalarType::I64, VarKind::Loop);
  EXPECT_FALSE(coversWrites({loop(K, extentOf(Src, 0), Copy)}, T));
}

} // namespace
} // namespace septran::compiler
