//===- CxxNamesTest.cpp -------------------------------------------*- C++ -*-===//
#include "Emit/CxxNames.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

TEST(CxxNamesTest, NamesAreUnique) {
  CxxNames Names;
  EXPECT_EQ(Names.fresh("A"), "A");
  EXPECT_EQ(Names.fresh("A"), "A_1");
  EXPECT_EQ(Names.fresh("A_1"), "A_1_1");
  EXPECT_EQ(Names.fresh("A"), "A_2");
  EXPECT_EQ(Names.fresh(""), "x");
}

TEST(CxxNamesTest, AvoidsKeywordsAndWhatGeneratedCodeUses) {
  CxxNames Names;
  EXPECT_EQ(Names.fresh("int"), "int_1");
  EXPECT_EQ(Names.fresh("cpu"), "cpu_1");
  EXPECT_EQ(Names.fresh("std"), "std_1");
}

TEST(CxxNamesTest, KeepsTheUsersNames) {
  CxxNames Names;
  VarRef Parameter = makeVar("n", ScalarType::I32, VarKind::Parameter);
  VarRef Other = makeVar("n", ScalarType::I32, VarKind::Scalar);
  Names.bind(Parameter, "n");
  EXPECT_TRUE(Names.known(Parameter));
  EXPECT_FALSE(Names.known(Other));
  EXPECT_EQ(Names.define(Other), "n_1");
  EXPECT_EQ(Names.name(Parameter), "n");
}

} // namespace
} // namespace septran::compiler
