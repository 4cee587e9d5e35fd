//===- MeaningTest.cpp - programs whose meaning a pass once changed -------===//
//
// Found by random programs (RandomLogicTest.cpp); kept as small as they still show it.
//
//===----------------------------------------------------------------------===//
#include "RandomLogic.h"

namespace septran::compiler {
namespace {

/// A task of (O, A, B, n), the leaves of random programs, and what they compute.
class Meaning : public ::testing::Test {
protected:
  TaskBuilder T{FunctionKind::Task, "top"};
  TensorRef O = T.param("O", 2, Privilege::ReadWrite), A = T.param("A", 2, Privilege::Read),
            B = T.param("B", 2, Privilege::Read);
  Expr N = T.scalar("n");

  static FunctionRef leaf(const std::string &Name) {
    for (const Callable &C : randomLeaves())
      if (C.F->Name == Name)
        return C.F;
    return nullptr;
  }

  /// Empty if all passes keep the meaning under the mapping of `top` and its leaves.
  std::string changed(const std::vector<std::string> &Leaves, const std::string &Top,
                      const std::string &Leaf, const std::vector<std::int64_t> &Extents,
                      std::vector<std::int64_t> ExtentsOfA = {}, std::int64_t Number = 2) {
    TaskGraph G;
    G.MainFile = "logic.cpp";
    G.Functions = {T.done()};
    std::string Mapping = "entrypoint: top\ntask_mappings:\n  top:\n    proc: HOST\n" + Top;
    for (const std::string &Name : Leaves) {
      G.Functions.push_back(leaf(Name));
      Mapping += "  " + Name + ":\n    proc: CORE\n" + Leaf;
    }
    Dice D(1);
    std::vector<TestArgument> Args;
    Args.push_back({D.tensor(Extents), 0});
    for (int I = 0; I < 2; ++I) // A and B
      Args.push_back({D.tensor(ExtentsOfA.empty() ? Extents : ExtentsOfA), 0});
    Args.push_back({{}, Number});
    return difference(G, Mapping, {Args});
  }
};

TEST_F(Meaning, WindowsOfBlocksAreFilledAtTheBlock) {
  FunctionRef Blur = leaf("blur");
  T.parallel({{"i", countOf(O, 0, intLit(4))}}, [&](const std::vector<Expr> &I) {
    auto Part = [&](const TensorRef &Of) {
      return T.define(Of->Name + "_part",
                      blockOf(Of, {{I[0], intLit(4)}, {intLit(0), extentOf(Of, 1)}}));
    };
    TensorRef Op = Part(O), Ap = Part(A), Bp = Part(B);
    T.loop("j", countOf(Op, 0, intLit(2)), [&](const Expr &J) {
      std::vector<BlockAt> At = {{J, intLit(2)}, {intLit(0), extentOf(Op, 1)}};
      T.launch(Blur, {blockOf(Op, At), windowOf(Ap, At), blockOf(Bp, At), N});
    });
  });
  EXPECT_EQ(changed({"blur"}, "", "", {9, 3}), "");
  EXPECT_EQ(changed({"blur"}, "    mems: {A: CACHE}\n", "", {9, 3}), "");
}

TEST_F(Meaning, PositionsAreThoseOfTheRootTensor) {
  FunctionRef Below = leaf("below");
  T.parallel({{"i", countOf(O, 0, intLit(2))}, {"j", countOf(O, 1, intLit(2))}},
             [&](const std::vector<Expr> &I) {
               std::vector<BlockAt> At = {{I[0], intLit(2)}, {I[1], intLit(2)}};
               T.launch(Below, {blockOf(O, At), blockOf(A, At), blockOf(B, At), N});
             });
  for (const char *Top : {"    mems: {O: CACHE, A: CACHE}\n",
                          "    mems: {O: CACHE, A: CACHE}\n    resident: [O, A]\n"})
    for (const char *Leaf : {"    mems: {O: CACHE, A: CACHE}\n", "    mems: {O: GLOBAL}\n"})
      EXPECT_EQ(changed({"below"}, Top, Leaf, {5, 7}), "");
}

TEST_F(Meaning, ReductionsIntoOwnPartsTakeTurnsWithOtherUses) {
  FunctionRef Sums = leaf("sums"), Add = leaf("add");
  T.parallel({{"i", countOf(O, 0, intLit(3))}}, [&](const std::vector<Expr> &I) {
    TensorRef Op = T.define("O_part", blockOf(O, {{I[0], intLit(3)}, {intLit(0), extentOf(O, 1)}}));
    T.loop("j", countOf(Op, 0, intLit(2)), [&](const Expr &J) {
      auto Rows = [&](const TensorRef &Of) {
        return blockOf(Of, {{J, intLit(2)}, {intLit(0), extentOf(Of, 1)}});
      };
      TensorRef Ap =
          T.define("A_part", blockOf(A, {{I[0], intLit(3)}, {intLit(0), extentOf(A, 1)}}));
      T.launch(Sums,
               {blockOf(Op, {{J, intLit(2)}, {intLit(0), intLit(1)}}), Rows(Ap), Rows(Ap), N});
      T.launch(Add, {Rows(Op), Rows(Ap), Rows(Op), N});
    });
  });
  EXPECT_EQ(changed({"sums", "add"}, "", "", {7, 3}), "");
}

TEST_F(Meaning, EmptyDimensionsHaveNoBlocks) {
  Expr Tile = T.tunable("tile", 4);
  FunctionRef Sums = leaf("row_sums"); // stores the number, whatever the extent of A
  T.loop("k", countOf(A, 1, Tile), [&](const Expr &K) {
    auto Columns = [&](const TensorRef &Of) {
      return blockOf(Of, {{intLit(0), extentOf(Of, 0)}, {K, Tile}});
    };
    T.launch(Sums, {O, Columns(A), Columns(B), N});
  });
  for (std::int64_t Depth : {0, 3})
    for (const char *Value : {"full", "4", "1000"})
      EXPECT_EQ(changed({"row_sums"}, "    tunables: {tile: " + std::string(Value) + "}\n", "",
                        {3, 2}, {3, Depth}),
                "");
}

TEST_F(Meaning, WhatEmptyDimensionsLeaveAloneNeedsNoCondition) {
  Expr Tile = T.tunable("tile", 4);
  FunctionRef Gemm = leaf("gemm");
  T.loop("k", countOf(A, 1, Tile), [&](const Expr &K) {
    BlockAt Rows{intLit(0), extentOf(A, 0)}, Columns{intLit(0), extentOf(B, 1)}, Depth{K, Tile};
    T.launch(Gemm, {O, blockOf(A, {Rows, Depth}), blockOf(B, {Depth, Columns}), N});
  });
  TaskGraph G;
  G.MainFile = "logic.cpp";
  G.Functions = {T.done(), Gemm};
  Planned P(G, "entrypoint: top\ntask_mappings:\n  top:\n    tunables: {tile: full}\n", "resolve");
  EXPECT_EQ(P.messages(), "");
  EXPECT_EQ(countIn(P.after("resolve"), "if ("), 0u) << P.after("resolve");
}

TEST_F(Meaning, CopiesOfWhatIsNotThereStayWhereTheyAreNeeded) {
  FunctionRef Add = leaf("add_vector");
  T.loop("k", cast(ScalarType::I64, N), [&](const Expr &) {
    T.launch(Add, {rowOf(O, intLit(0)), rowOf(A, intLit(0)), rowOf(B, intLit(0)), N});
  });
  for (std::int64_t Number : {0, 2})
    EXPECT_EQ(
        changed({"add_vector"}, "", "    mems: {O: CACHE, A: CACHE}\n", {Number, 3}, {}, Number),
        "");
}

TEST_F(Meaning, LoopsBeyondARegisterTileDoTheRestToo) {
  TaskBuilder L(FunctionKind::Leaf, "some");
  TensorRef Out = L.param("O", 2, Privilege::ReadWrite), Few = L.param("A", 2, Privilege::Read);
  L.loops({{"i", extentOf(Out, 0)}, {"j", extentOf(Out, 1)}}, LoopKind::Sequential,
          [&](const std::vector<Expr> &I) {
            L.store(Out, I, load(Out, I), UpdateOp::Add);
            L.when(binary(BinaryOp::Lt, I[0], extentOf(Few, 0)),
                   [&] { L.store(Out, I, load(Few, I), UpdateOp::Add); });
          });
  T.launch(L.done(), {O, blockOf(A, {{intLit(0), intLit(2)}, {intLit(0), intLit(4)}})});
  TaskGraph G;
  G.MainFile = "logic.cpp";
  G.Functions = {T.done(), L.done()};
  Dice D(1);
  std::vector<TestArgument> Args;
  for (int I = 0; I < 3; ++I)
    Args.push_back({D.tensor({5, 3}), 0});
  Args.push_back({{}, 2});
  EXPECT_EQ(difference(G,
                       "entrypoint: top\ntask_mappings:\n  top:\n    proc: HOST\n"
                       "  some:\n    proc: VECTOR\n    mems: {A: REGISTER}\n",
                       {Args}),
            "");
}

} // namespace
} // namespace septran::compiler
