//===- EngineOrderTest.cpp ---------------------------------------------------===//
#include "Plan/EngineOrder.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

constexpr unsigned Scalar = 0, Load = 1, Matrix = 2, Store = 3;

struct EngineOrderTest : testing::Test {
  TensorRef A = makeTensor("A", ScalarType::F32, 1, TensorKind::Buffer);
  TensorRef B = makeTensor("B", ScalarType::F32, 1, TensorKind::Buffer);
  EngineOrder State{4, Scalar};

  /// Engines that To must wait for.
  std::vector<unsigned> missing(const TensorRef &T, unsigned To, bool Write) {
    std::vector<unsigned> Engines;
    for (const EngineOrder::Key &K : State.missing({T}, To, Write))
      Engines.push_back(K.Engine);
    return Engines;
  }
};

TEST_F(EngineOrderTest, WritesAndReadsOfOthersCount) {
  State.access(A, Load, true);
  EXPECT_EQ(missing(A, Matrix, false), std::vector<unsigned>{Load});
  EXPECT_EQ(missing(A, Load, true), std::vector<unsigned>()); // its own order
  EXPECT_EQ(missing(B, Matrix, true), std::vector<unsigned>());
  State.order(Load, Matrix);
  EXPECT_EQ(missing(A, Matrix, true), std::vector<unsigned>());
  State.access(A, Matrix, false);
  EXPECT_EQ(missing(A, Store, false), std::vector<unsigned>{Load}); // two reads do not conflict
  EXPECT_EQ(missing(A, Load, true), std::vector<unsigned>{Matrix});
}

TEST_F(EngineOrderTest, OrderIsTransitiveAndLatestFirst) {
  State.access(A, Load, true);
  State.order(Load, Matrix);
  State.access(A, Matrix, true);
  EXPECT_EQ(missing(A, Store, false), (std::vector<unsigned>{Matrix, Load}));
  State.order(Matrix, Store);
  EXPECT_EQ(missing(A, Store, false), std::vector<unsigned>());
}

TEST_F(EngineOrderTest, OneTensorOnly) {
  State.access(A, Load, true);
  State.access(B, Load, true);
  State.orderOne(A, Load, Matrix);
  EXPECT_EQ(missing(A, Matrix, false), std::vector<unsigned>());
  EXPECT_EQ(missing(B, Matrix, false), std::vector<unsigned>{Load});
}

TEST_F(EngineOrderTest, WhatTheProgramWaitedForIsOverForAll) {
  State.access(A, Load, true);
  State.order(Load, Scalar);
  EXPECT_EQ(missing(A, Matrix, false), std::vector<unsigned>());
  State.access(A, Scalar, true); // done when the next command is given
  EXPECT_EQ(missing(A, Matrix, false), std::vector<unsigned>());
}

TEST_F(EngineOrderTest, WaysThatJoinKeepWhatEitherLacks) {
  EngineOrder Other = State;
  State.access(A, Load, true);
  State.order(Load, Matrix);
  Other.access(A, Load, true);
  EXPECT_TRUE(State.join(Other));
  EXPECT_EQ(missing(A, Matrix, false), std::vector<unsigned>{Load});
  EXPECT_FALSE(State.join(Other));
  EXPECT_EQ(State.unknownTo(Scalar), std::vector<unsigned>{Load});
  State.orderAll(Scalar);
  EXPECT_EQ(State.unknownTo(Scalar), std::vector<unsigned>());
}

} // namespace
} // namespace septran::compiler
