//===- ValuesTest.cpp - what names stand for --------------------------*- C++ -*-===//
#include "Logic/Values.h"

#include "gtest/gtest.h"

namespace septran::compiler {
namespace {

TEST(Grid, CountsBlocks) {
  TensorRef T = makeTensor("A", ScalarType::F32, 1, TensorKind::Parameter);
  Grid G;
  G.Base = T;
  G.Size = {intLit(8)};
  EXPECT_TRUE(equal(G.extent(0), ceilDiv(extentOf(T, 0), intLit(8))));
  G.IsWindows = true;
  G.Step = {intLit(4)};
  EXPECT_TRUE(equal(G.extent(0), ceilDiv(extentOf(T, 0), intLit(4))));
}

} // namespace
} // namespace septran::compiler
