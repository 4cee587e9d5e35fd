//===- InputPatternTest.cpp - values that bring mistakes to light -*- C++ -*-===//
#include "Verify/InputPattern.h"

#include "Verify/TestTensor.h"
#include "gtest/gtest.h"

#include <cmath>
#include <set>

namespace septran::compiler {
namespace {

std::vector<double> values(ScalarType T, std::vector<std::int64_t> Extents, InputPattern P,
                           std::uint64_t Seed = 1) {
  Random R(Seed);
  std::vector<unsigned char> Bytes = inputElements(T, Extents, P, R);
  std::vector<double> All;
  for (size_t I = 0; I * byteSize(T) < Bytes.size(); ++I)
    All.push_back(toDouble(T, &Bytes[I * byteSize(T)]));
  return All;
}

TEST(InputPattern, HasANameEach) {
  std::set<std::string_view> Names;
  for (InputPattern P : AllPatterns)
    Names.insert(name(P));
  EXPECT_EQ(Names.size(), std::size(AllPatterns));
  EXPECT_FALSE(Names.contains(""));
}

TEST(InputPattern, FillsEveryElementAndDependsOnTheSeedAlone) {
  for (InputPattern P : AllPatterns)
    for (ScalarType T : {ScalarType::U8, ScalarType::I32, ScalarType::BF16, ScalarType::F64}) {
      Random A(5), B(5);
      std::vector<unsigned char> First = inputElements(T, {7, 9}, P, A);
      EXPECT_EQ(First.size(), 63 * byteSize(T));
      EXPECT_EQ(First, inputElements(T, {7, 9}, P, B)) << name(P);
    }
  EXPECT_NE(values(ScalarType::F32, {64}, InputPattern::Uniform, 1),
            values(ScalarType::F32, {64}, InputPattern::Uniform, 2));
  EXPECT_TRUE(values(ScalarType::F32, {3, 0}, InputPattern::Uniform).empty());
  EXPECT_EQ(values(ScalarType::F32, {}, InputPattern::Uniform).size(), 1u);
}

TEST(InputPattern, IntegersAreWholeSmallAndOfBothSigns) {
  for (ScalarType T : {ScalarType::I8, ScalarType::I64, ScalarType::F16, ScalarType::F32}) {
    std::set<double> Seen;
    for (double V : values(T, {400}, InputPattern::Integers)) {
      EXPECT_EQ(V, std::trunc(V));
      EXPECT_LE(std::fabs(V), 4);
      Seen.insert(V);
    }
    EXPECT_GE(Seen.size(), 3u);
    EXPECT_LT(*Seen.begin(), 0);
  }
  for (double V : values(ScalarType::U16, {400}, InputPattern::Integers))
    EXPECT_GE(V, 0);
}

TEST(InputPattern, OneHotHasOneElementPerRow) {
  std::vector<double> V = values(ScalarType::I32, {6, 11}, InputPattern::OneHot);
  std::set<size_t> Columns;
  for (size_t Row = 0; Row < 6; ++Row) {
    unsigned Ones = 0;
    for (size_t I = 0; I < 11; ++I) {
      if (V[Row * 11 + I] == 1) {
        ++Ones;
        Columns.insert(I);
      } else {
        EXPECT_EQ(V[Row * 11 + I], 0);
      }
    }
    EXPECT_EQ(Ones, 1u);
  }
  EXPECT_GE(Columns.size(), 5u) << "rows look alike";
}

TEST(InputPattern, FloatingPointPatternsHoldWhatTheyPromise) {
  std::vector<double> V = values(ScalarType::F32, {64}, InputPattern::Alternating);
  for (size_t I = 1; I < V.size(); ++I)
    EXPECT_LT(V[I - 1] * V[I], 0);

  double Least = INFINITY, Most = 0;
  for (double X : values(ScalarType::F32, {500}, InputPattern::Large))
    if (X != 0) {
      Least = std::min(Least, std::fabs(X));
      Most = std::max(Most, std::fabs(X));
    }
  EXPECT_GT(Most / Least, 1e6);

  unsigned Subnormal = 0, Ordinary = 0;
  for (double X : values(ScalarType::F32, {200}, InputPattern::Subnormal)) {
    Subnormal += X != 0 && std::fabs(X) < smallestNormal(ScalarType::F32);
    Ordinary += std::fabs(X) > 1e-3;
  }
  EXPECT_GT(Subnormal, 20u);
  EXPECT_GT(Ordinary, 20u);

  unsigned Nan = 0, Infinite = 0, NegativeZero = 0, Finite = 0;
  for (double X : values(ScalarType::F64, {1000}, InputPattern::Special)) {
    Nan += std::isnan(X);
    Infinite += std::isinf(X);
    NegativeZero += X == 0 && std::signbit(X);
    Finite += std::isfinite(X);
  }
  EXPECT_GT(Nan, 5u);
  EXPECT_GT(Infinite, 5u);
  EXPECT_GT(NegativeZero, 5u);
  EXPECT_GT(Finite, 800u);
}

TEST(InputPattern, WholeNumbersStayWholeInEveryPattern) {
  for (InputPattern P : AllPatterns)
    for (double V : values(ScalarType::I16, {100}, P))
      EXPECT_LE(std::fabs(V), 4) << name(P);
  for (double V : values(ScalarType::Bool, {100}, InputPattern::Integers))
    EXPECT_TRUE(V == 0 || V == 1);
}

} // namespace
} // namespace septran::compiler
