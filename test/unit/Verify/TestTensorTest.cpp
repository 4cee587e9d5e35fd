//===- TestTensorTest.cpp - memory that notices what is done to it -*- C++ -*-===//
#include "Verify/TestTensor.h"

#include "Verify/Isolated.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace septran::compiler {
namespace {

constexpr ScalarType AllTypes[] = {
    ScalarType::Bool, ScalarType::I8,  ScalarType::I16, ScalarType::I32, ScalarType::I64,
    ScalarType::U8,   ScalarType::U16, ScalarType::U32, ScalarType::U64, ScalarType::F16,
    ScalarType::BF16, ScalarType::F32, ScalarType::F64};

unsigned char *at(const TestTensor &T, std::vector<std::int64_t> Index) {
  std::int64_t Offset = 0;
  for (size_t D = 0; D < Index.size(); ++D)
    Offset += Index[D] * T.strides()[D];
  return static_cast<unsigned char *>(T.data()) + Offset * std::int64_t(byteSize(T.element()));
}

TEST(TestTensor, ElementsComeBackRowMajorFromEveryArrangement) {
  for (Arrangement A : AllArrangements)
    for (ScalarType Type : {ScalarType::I8, ScalarType::I16, ScalarType::F32, ScalarType::F64}) {
      TestTensor T(Type, {3, 4, 5}, A);
      EXPECT_EQ(T.size(), 60u);
      std::vector<unsigned char> Bytes(60 * byteSize(Type));
      for (size_t I = 0; I < Bytes.size(); ++I)
        Bytes[I] = static_cast<unsigned char>(I * 7 + 1);
      T.fillAll(0xaa);
      T.setElements(Bytes);
      EXPECT_EQ(T.elements(), Bytes) << name(A);
      EXPECT_TRUE(T.gapsAre(0xaa)) << name(A);
      // Element (2, 1, 3) is number 48 whatever the strides are.
      EXPECT_EQ(std::memcmp(at(T, {2, 1, 3}), &Bytes[48 * byteSize(Type)], byteSize(Type)), 0)
          << name(A);
    }
}

TEST(TestTensor, ArrangementsDifferInWhatTheyPromise) {
  auto StridesOf = [](Arrangement A) { return TestTensor(ScalarType::F32, {4, 6}, A).strides(); };
  EXPECT_EQ(StridesOf(Arrangement::EndsAtGuard), (std::vector<std::int64_t>{6, 1}));
  EXPECT_EQ(StridesOf(Arrangement::StartsAtGuard), (std::vector<std::int64_t>{6, 1}));
  EXPECT_EQ(StridesOf(Arrangement::Gaps)[1], 1);
  EXPECT_GT(StridesOf(Arrangement::Gaps)[0], 6);
  EXPECT_EQ(StridesOf(Arrangement::Column)[0], 1);
  EXPECT_GT(StridesOf(Arrangement::Column)[1], 4);
  EXPECT_EQ(StridesOf(Arrangement::Spaced), (std::vector<std::int64_t>{12, 2}));
  TestTensor Gaps(ScalarType::F32, {4, 6}, Arrangement::Gaps);
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(Gaps.data()) % 16, 0u) << "aligned for vectors";
}

TEST(TestTensor, NoticesAWriteIntoAGap) {
  for (Arrangement A : {Arrangement::Gaps, Arrangement::Column, Arrangement::Spaced}) {
    TestTensor T(ScalarType::I32, {4, 6}, A);
    T.fillAll(0x7b);
    T.setElements(std::vector<unsigned char>(24 * 4, 1));
    ASSERT_TRUE(T.gapsAre(0x7b));
    const bool Column = A == Arrangement::Column;
    unsigned char *Gap = at(T, {Column ? 3 : 0, Column ? 0 : 5}) + 4;
    *Gap = 0;
    EXPECT_FALSE(T.gapsAre(0x7b)) << name(A);
  }
}

TEST(TestTensor, NoticesAWriteBesideTheElements) {
  for (Arrangement A : AllArrangements) {
    const bool AtEnd = A == Arrangement::EndsAtGuard;
    TestTensor T(ScalarType::I32, {2, 3}, A);
    T.fillAll(0x7b);
    T.setElements(std::vector<unsigned char>(24, 1));
    (AtEnd ? at(T, {0, 0}) - 1 : at(T, {1, 2}) + 4)[0] = 0;
    EXPECT_FALSE(T.gapsAre(0x7b)) << name(A);
  }
}

TEST(TestTensor, PagesAroundTheElementsCannotBeAccessed) {
  TestTensor End(ScalarType::I16, {5, 3}, Arrangement::EndsAtGuard);
  TestTensor Start(ScalarType::I16, {5, 3}, Arrangement::StartsAtGuard);
  unsigned char *Places[] = {at(End, {4, 2}) + 2, at(Start, {0, 0}) - 1, at(End, {4, 2}),
                             at(Start, {0, 0})};
  std::vector<IsolatedResult> Results = runIsolated(
      4, {60, 1}, [] {},
      [&](size_t I) {
        *const_cast<volatile unsigned char *>(Places[I]) = 1;
        return std::string("written");
      });
  EXPECT_EQ(Results[0].K, IsolatedResult::Kind::Crashed);
  EXPECT_EQ(Results[1].K, IsolatedResult::Kind::Crashed);
  EXPECT_TRUE(Results[2].done());
  EXPECT_TRUE(Results[3].done());
}

TEST(TestTensor, HoldsOneElementOrNone) {
  for (Arrangement A : AllArrangements) {
    TestTensor Scalar(ScalarType::F64, {}, A);
    EXPECT_EQ(Scalar.size(), 1u);
    Scalar.fillAll(1);
    std::vector<unsigned char> Bytes = {1, 2, 3, 4, 5, 6, 7, 8};
    Scalar.setElements(Bytes);
    EXPECT_EQ(Scalar.elements(), Bytes);
    TestTensor Empty(ScalarType::F64, {3, 0, 2}, A);
    Empty.fillAll(1);
    EXPECT_EQ(Empty.size(), 0u);
    EXPECT_TRUE(Empty.elements().empty());
    EXPECT_TRUE(Empty.gapsAre(1));
  }
}

TEST(TestTensor, MovesWithItsMemory) {
  TestTensor T(ScalarType::I32, {3}, Arrangement::Gaps);
  std::vector<unsigned char> Bytes(12, 5);
  T.setElements(Bytes);
  TestTensor Moved = std::move(T);
  EXPECT_EQ(Moved.elements(), Bytes);
}

TEST(Conversions, SmallWholeNumbersSurviveInEveryType) {
  unsigned char Bytes[8];
  for (ScalarType T : AllTypes)
    for (double V : {0.0, 1.0, 2.0, 3.0}) {
      const double Wanted = T == ScalarType::Bool ? double(V != 0) : V;
      fromDouble(T, V, Bytes);
      EXPECT_EQ(toDouble(T, Bytes), Wanted) << cxxName(T);
      if (!isFloat(T)) {
        EXPECT_EQ(toInteger(T, Bytes), std::int64_t(Wanted)) << cxxName(T);
      }
    }
  for (ScalarType T : AllTypes) {
    if (T == ScalarType::Bool || (!isFloat(T) && !isSigned(T)))
      continue;
    fromDouble(T, -3, Bytes);
    EXPECT_EQ(toDouble(T, Bytes), -3) << cxxName(T);
  }
}

TEST(Conversions, EveryPatternOfASmallFloatComesBack) {
  for (ScalarType T : {ScalarType::F16, ScalarType::BF16})
    for (unsigned Pattern = 0; Pattern < 65536; ++Pattern) {
      const auto Bits = static_cast<std::uint16_t>(Pattern);
      unsigned char In[2], Out[2];
      std::memcpy(In, &Bits, 2);
      const double Value = toDouble(T, In);
      if (std::isnan(Value))
        continue;
      fromDouble(T, Value, Out);
      ASSERT_EQ(std::memcmp(In, Out, 2), 0) << cxxName(T) << " " << Pattern;
    }
}

TEST(Conversions, RoundToNearestAndCutIntegers) {
  unsigned char Bytes[8];
  auto Through = [&](ScalarType T, double V) {
    fromDouble(T, V, Bytes);
    return toDouble(T, Bytes);
  };
  EXPECT_EQ(Through(ScalarType::BF16, 1 + 1.0 / 256), 1); // a tie: to even
  EXPECT_EQ(Through(ScalarType::BF16, 1 + 3.0 / 256), 1 + 4.0 / 256);
  EXPECT_EQ(Through(ScalarType::F32, 1 + std::ldexp(1, -24)), 1);
  EXPECT_EQ(Through(ScalarType::I8, 1000), 127);
  EXPECT_EQ(Through(ScalarType::I8, -1000), -128);
  EXPECT_EQ(Through(ScalarType::U8, -3), 0);
  EXPECT_TRUE(std::isinf(Through(ScalarType::F16, 1e6)));
  EXPECT_TRUE(std::isnan(Through(ScalarType::BF16, std::numeric_limits<double>::quiet_NaN())));
}

TEST(Conversions, FactsOfTypesAgreeWithTheirNumbers) {
  unsigned char Bytes[8];
  for (ScalarType T : {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64}) {
    fromDouble(T, largestFinite(T), Bytes);
    EXPECT_EQ(toDouble(T, Bytes), largestFinite(T)) << cxxName(T);
    fromDouble(T, smallestNormal(T), Bytes);
    EXPECT_EQ(toDouble(T, Bytes), smallestNormal(T)) << cxxName(T);
    // 1 + 2u is the next number after 1.
    fromDouble(T, 1 + 2 * unitRoundoff(T), Bytes);
    EXPECT_EQ(toDouble(T, Bytes), 1 + 2 * unitRoundoff(T)) << cxxName(T);
    EXPECT_EQ(std::ldexp(1, -significandBits(T)), unitRoundoff(T)) << cxxName(T);
    EXPECT_EQ(ulpDistance(T, 1 + 2 * unitRoundoff(T), 1), 1) << cxxName(T);
    EXPECT_EQ(ulpDistance(T, 0.75, 0.75), 0) << cxxName(T);
  }
  EXPECT_EQ(significandBits(ScalarType::F32), 24);
}

TEST(Conversions, PoisonIsNotANumber) {
  const unsigned char Poison[8] = {255, 255, 255, 255, 255, 255, 255, 255};
  for (ScalarType T : {ScalarType::F16, ScalarType::BF16, ScalarType::F32, ScalarType::F64})
    EXPECT_TRUE(std::isnan(toDouble(T, Poison))) << cxxName(T);
}

} // namespace
} // namespace septran::compiler
