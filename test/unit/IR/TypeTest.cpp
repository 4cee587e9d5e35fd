//===- TypeTest.cpp ---------------------------------------------*- C++ -*-===//
#include "IR/Type.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

TEST(Type, NamesRoundTrip) {
  for (int I = 0; I <= static_cast<int>(ScalarType::F64); ++I) {
    auto T = static_cast<ScalarType>(I);
    EXPECT_EQ(parseScalarType(shortName(T)), T);
    EXPECT_EQ(parseScalarType(cxxName(T)), T);
  }
}

TEST(Type, AcceptsCxxSpellings) {
  EXPECT_EQ(parseScalarType("int"), ScalarType::I32);
  EXPECT_EQ(parseScalarType("int8_t"), ScalarType::I8);
  EXPECT_EQ(parseScalarType("bfloat16"), ScalarType::BF16);
  EXPECT_EQ(parseScalarType("size_t"), ScalarType::U64);
  EXPECT_EQ(parseScalarType(""), std::nullopt);
  EXPECT_EQ(parseScalarType("half"), std::nullopt);
}

TEST(Type, Classes) {
  EXPECT_TRUE(isSmallFloat(ScalarType::F8E4M3));
  EXPECT_FALSE(isSmallFloat(ScalarType::F32));
  EXPECT_FALSE(isInteger(ScalarType::Bool));
  EXPECT_TRUE(isSigned(ScalarType::I8));
  EXPECT_FALSE(isSigned(ScalarType::U64));
  EXPECT_EQ(byteSize(ScalarType::F16), 2u);
}

TEST(Type, CommonTypeFollowsCxx) {
  EXPECT_EQ(commonType(ScalarType::I8, ScalarType::I8), ScalarType::I32);
  EXPECT_EQ(commonType(ScalarType::U16, ScalarType::I8), ScalarType::I32);
  EXPECT_EQ(commonType(ScalarType::U32, ScalarType::I32), ScalarType::U32);
  EXPECT_EQ(commonType(ScalarType::U32, ScalarType::I64), ScalarType::I64);
  EXPECT_EQ(commonType(ScalarType::U64, ScalarType::I64), ScalarType::U64);
  EXPECT_EQ(commonType(ScalarType::I64, ScalarType::F32), ScalarType::F32);
  EXPECT_EQ(commonType(ScalarType::F64, ScalarType::BF16), ScalarType::F64);
  EXPECT_EQ(commonType(ScalarType::BF16, ScalarType::BF16), ScalarType::BF16);
  EXPECT_EQ(commonType(ScalarType::BF16, ScalarType::F32), ScalarType::F32);
  EXPECT_EQ(commonType(ScalarType::BF16, ScalarType::F16), ScalarType::F32);
}

} // namespace
} // namespace septran::compiler
