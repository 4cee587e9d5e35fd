//===- TestTensor.h - a tensor that notices what is done to it ----*- C++ -*-===//
//
// Memory for one argument, between two pages that nobody may touch. What lies between and around
// the elements is filled with a pattern and looked at afterwards; elements that a program should
// write start as a poison that is NaN in every floating-point type.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace septran::compiler {

/// How the elements lie.
enum class Arrangement {
  EndsAtGuard,   ///< row-major, up to the last byte before a page that cannot be read
  StartsAtGuard, ///< row-major, from the first byte after such a page
  Gaps,          ///< rows with gaps between them, the first element not aligned
  Column,        ///< first dimension fastest, with gaps
  Spaced,        ///< row-major with every second element only
};
std::string_view name(Arrangement A);
inline constexpr Arrangement AllArrangements[] = {Arrangement::EndsAtGuard, Arrangement::Gaps,
                                                  Arrangement::StartsAtGuard, Arrangement::Column,
                                                  Arrangement::Spaced};

class TestTensor {
public:
  TestTensor(ScalarType Element, std::vector<std::int64_t> Extents, Arrangement A);
  ~TestTensor();
  TestTensor(TestTensor &&Other) noexcept;
  TestTensor(const TestTensor &) = delete;
  TestTensor &operator=(const TestTensor &) = delete;
  TestTensor &operator=(TestTensor &&) = delete;

  ScalarType element() const { return Element; }
  const std::vector<std::int64_t> &extents() const { return Extents; }
  const std::vector<std::int64_t> &strides() const { return Strides; }
  std::size_t size() const { return Count; }
  void *data() const { return Data; }

  /// Every byte, elements included, becomes Byte.
  void fillAll(unsigned char Byte);
  /// Elements in row-major order, of byteSize(Element) bytes each.
  std::vector<unsigned char> elements() const;
  void setElements(const std::vector<unsigned char> &Bytes);
  /// True if nothing but elements differs from Byte.
  bool gapsAre(unsigned char Byte) const;

private:
  template <class F> void forEachElement(F Do) const;

  ScalarType Element;
  std::vector<std::int64_t> Extents, Strides;
  std::size_t Count = 1;
  unsigned char *Pages = nullptr; ///< the whole reservation
  std::size_t PagesSize = 0;
  unsigned char *Usable = nullptr; ///< between the guards
  std::size_t UsableSize = 0;
  unsigned char *Data = nullptr; ///< element 0
};

/// The value of an element as double; integers of up to 53 bits are exact.
double toDouble(ScalarType T, const unsigned char *Bytes);
std::int64_t toInteger(ScalarType T, const unsigned char *Bytes);
/// Writes Value, rounded to nearest for floating-point types and cut to the range of integer ones.
void fromDouble(ScalarType T, double Value, unsigned char *Bytes);

/// Bits of the significand, the hidden one included: 24 for F32.
int significandBits(ScalarType T);
/// Unit roundoff: half the distance from 1 to the next number.
double unitRoundoff(ScalarType T);
double largestFinite(ScalarType T);
double smallestNormal(ScalarType T);
/// How far apart A and B are, counted in the distance between neighbours at the larger of them.
double ulpDistance(ScalarType T, double A, double B);

} // namespace septran::compiler
