//===- TestTensor.cpp - a tensor that notices what is done to it ----------===//
#include "Verify/TestTensor.h"

#include <septran/float_types.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace septran::compiler {

std::string_view name(Arrangement A) {
  switch (A) {
  case Arrangement::EndsAtGuard:
    return "row-major";
  case Arrangement::StartsAtGuard:
    return "row-major after a guard";
  case Arrangement::Gaps:
    return "gaps between rows";
  case Arrangement::Column:
    return "column-major";
  case Arrangement::Spaced:
    return "every second element";
  }
  return "";
}

TestTensor::TestTensor(ScalarType Element, std::vector<std::int64_t> ItsExtents, Arrangement A)
    : Element(Element), Extents(std::move(ItsExtents)), Strides(Extents.size(), 0) {
  const unsigned Bytes = byteSize(Element);
  std::int64_t Next = A == Arrangement::Spaced ? 2 : 1;
  for (size_t I = 0; I < Extents.size(); ++I) {
    size_t D = A == Arrangement::Column ? I : Extents.size() - 1 - I;
    Strides[D] = Next;
    Next *= std::max<std::int64_t>(Extents[D], 1);
    if (A == Arrangement::Gaps || A == Arrangement::Column)
      Next += 3;
  }
  std::int64_t Last = 0;
  for (size_t D = 0; D < Extents.size(); ++D) {
    Count *= static_cast<size_t>(Extents[D]);
    Last += std::max<std::int64_t>(Extents[D] - 1, 0) * Strides[D];
  }
  const size_t Span = Count == 0 ? 0 : (static_cast<size_t>(Last) + 1) * Bytes;
  const size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  UsableSize = (Span + 4 * Page - 1) / Page * Page;
  PagesSize = UsableSize + 2 * Page;
  void *Got =
      mmap(nullptr, PagesSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Got == MAP_FAILED)
    throw std::bad_alloc();
  Pages = static_cast<unsigned char *>(Got);
  Usable = Pages + Page;
  if (mprotect(Usable, UsableSize, PROT_READ | PROT_WRITE) != 0) {
    munmap(Pages, PagesSize);
    throw std::bad_alloc();
  }
  switch (A) {
  case Arrangement::EndsAtGuard:
    Data = Usable + UsableSize - Span;
    break;
  case Arrangement::StartsAtGuard:
    Data = Usable;
    break;
  default:
    // One element past a page: aligned for the element and for nothing wider.
    Data = Usable + Page + Bytes;
    break;
  }
}

TestTensor::~TestTensor() {
  if (Pages)
    munmap(Pages, PagesSize);
}

TestTensor::TestTensor(TestTensor &&Other) noexcept
    : Element(Other.Element), Extents(std::move(Other.Extents)), Strides(std::move(Other.Strides)),
      Count(Other.Count), Pages(std::exchange(Other.Pages, nullptr)), PagesSize(Other.PagesSize),
      Usable(Other.Usable), UsableSize(Other.UsableSize), Data(Other.Data) {}

void TestTensor::fillAll(unsigned char Byte) { std::memset(Usable, Byte, UsableSize); }

/// Calls Do with the address of every element, row-major.
template <class F> void TestTensor::forEachElement(F Do) const {
  if (Count == 0)
    return;
  const std::int64_t Bytes = byteSize(Element);
  std::vector<std::int64_t> At(Extents.size(), 0);
  unsigned char *P = Data;
  while (true) {
    Do(P);
    size_t D = Extents.size();
    while (D > 0) {
      --D;
      P += Strides[D] * Bytes;
      if (++At[D] < Extents[D])
        break;
      P -= At[D] * Strides[D] * Bytes;
      At[D] = 0;
      if (D == 0)
        return;
    }
    if (Extents.empty())
      return;
  }
}

std::vector<unsigned char> TestTensor::elements() const {
  const unsigned Bytes = byteSize(Element);
  std::vector<unsigned char> All(Count * Bytes);
  unsigned char *To = All.data();
  forEachElement([&](const unsigned char *P) {
    std::memcpy(To, P, Bytes);
    To += Bytes;
  });
  return All;
}

void TestTensor::setElements(const std::vector<unsigned char> &From) {
  const unsigned Bytes = byteSize(Element);
  const unsigned char *At = From.data();
  forEachElement([&](unsigned char *P) {
    std::memcpy(P, At, Bytes);
    At += Bytes;
  });
}

bool TestTensor::gapsAre(unsigned char Byte) const {
  std::vector<bool> IsElement(UsableSize, false);
  const unsigned Bytes = byteSize(Element);
  forEachElement([&](const unsigned char *P) {
    for (unsigned B = 0; B < Bytes; ++B)
      IsElement[static_cast<size_t>(P - Usable) + B] = true;
  });
  for (size_t I = 0; I < UsableSize; ++I)
    if (!IsElement[I] && Usable[I] != Byte)
      return false;
  return true;
}

namespace {

template <class T> T bitsOf(const unsigned char *Bytes) {
  T Value;
  std::memcpy(&Value, Bytes, sizeof Value);
  return Value;
}

template <class T> void store(T Value, unsigned char *Bytes) {
  std::memcpy(Bytes, &Value, sizeof Value);
}

/// The nearest number of T, found from the exponent alone: no double rounding on the way.
double roundTo(ScalarType T, double Value) {
  if (!std::isfinite(Value) || Value == 0)
    return Value;
  int Exponent;
  std::frexp(Value, &Exponent);
  int Lowest = std::ilogb(smallestNormal(T)) + 1;
  double Unit = std::ldexp(1.0, std::max(Exponent, Lowest) - significandBits(T));
  return std::nearbyint(Value / Unit) * Unit;
}

template <class T> void storeInteger(double Value, unsigned char *Bytes) {
  double Low = static_cast<double>(std::numeric_limits<T>::min());
  double High = static_cast<double>(std::numeric_limits<T>::max());
  store(std::isnan(Value) ? T(0)
        : Value <= Low    ? std::numeric_limits<T>::min()
        : Value >= High   ? std::numeric_limits<T>::max()
                          : static_cast<T>(Value),
        Bytes);
}

} // namespace

double toDouble(ScalarType T, const unsigned char *Bytes) {
  switch (T) {
  case ScalarType::F64:
    return bitsOf<double>(Bytes);
  case ScalarType::F32:
    return double(bitsOf<float>(Bytes));
  case ScalarType::F16:
    return double(float(bitsOf<septran::float16>(Bytes)));
  case ScalarType::BF16:
    return double(float(bitsOf<septran::bfloat16>(Bytes)));
  case ScalarType::F8E4M3:
    return double(float(bitsOf<septran::float8_e4m3>(Bytes)));
  case ScalarType::F8E5M2:
    return double(float(bitsOf<septran::float8_e5m2>(Bytes)));
  case ScalarType::U64:
    return double(bitsOf<std::uint64_t>(Bytes));
  default:
    return double(toInteger(T, Bytes));
  }
}

std::int64_t toInteger(ScalarType T, const unsigned char *Bytes) {
  switch (T) {
  case ScalarType::Bool:
  case ScalarType::U8:
    return bitsOf<std::uint8_t>(Bytes);
  case ScalarType::I8:
    return bitsOf<std::int8_t>(Bytes);
  case ScalarType::I16:
    return bitsOf<std::int16_t>(Bytes);
  case ScalarType::U16:
    return bitsOf<std::uint16_t>(Bytes);
  case ScalarType::I32:
    return bitsOf<std::int32_t>(Bytes);
  case ScalarType::U32:
    return bitsOf<std::uint32_t>(Bytes);
  default:
    return bitsOf<std::int64_t>(Bytes);
  }
}

void fromDouble(ScalarType T, double Value, unsigned char *Bytes) {
  switch (T) {
  case ScalarType::Bool:
    return store(Value != 0, Bytes);
  case ScalarType::I8:
    return storeInteger<std::int8_t>(Value, Bytes);
  case ScalarType::I16:
    return storeInteger<std::int16_t>(Value, Bytes);
  case ScalarType::I32:
    return storeInteger<std::int32_t>(Value, Bytes);
  case ScalarType::I64:
    return storeInteger<std::int64_t>(Value, Bytes);
  case ScalarType::U8:
    return storeInteger<std::uint8_t>(Value, Bytes);
  case ScalarType::U16:
    return storeInteger<std::uint16_t>(Value, Bytes);
  case ScalarType::U32:
    return storeInteger<std::uint32_t>(Value, Bytes);
  case ScalarType::U64:
    return storeInteger<std::uint64_t>(Value, Bytes);
  case ScalarType::F64:
    return store(Value, Bytes);
  case ScalarType::F32:
    return store(static_cast<float>(Value), Bytes);
  case ScalarType::F16:
    return store(septran::float16(static_cast<float>(roundTo(T, Value))), Bytes);
  case ScalarType::BF16:
    return store(septran::bfloat16(static_cast<float>(roundTo(T, Value))), Bytes);
  case ScalarType::F8E4M3:
    return store(septran::float8_e4m3(static_cast<float>(roundTo(T, Value))), Bytes);
  case ScalarType::F8E5M2:
    return store(septran::float8_e5m2(static_cast<float>(roundTo(T, Value))), Bytes);
  }
}

int significandBits(ScalarType T) {
  switch (T) {
  case ScalarType::F64:
    return 53;
  case ScalarType::F32:
    return 24;
  case ScalarType::F16:
    return 11;
  case ScalarType::BF16:
    return 8;
  case ScalarType::F8E4M3:
    return 4;
  case ScalarType::F8E5M2:
    return 3;
  default:
    return 8 * int(byteSize(T));
  }
}

double unitRoundoff(ScalarType T) { return std::ldexp(1.0, -significandBits(T)); }

double largestFinite(ScalarType T) {
  switch (T) {
  case ScalarType::F64:
    return std::numeric_limits<double>::max();
  case ScalarType::F32:
    return double(std::numeric_limits<float>::max());
  case ScalarType::F16:
    return 65504;
  case ScalarType::BF16:
    return std::ldexp(255.0, 120);
  case ScalarType::F8E4M3:
    return 448;
  case ScalarType::F8E5M2:
    return 57344;
  default:
    return std::ldexp(1.0, 8 * int(byteSize(T)) - 1) - 1;
  }
}

double smallestNormal(ScalarType T) {
  switch (T) {
  case ScalarType::F64:
    return std::numeric_limits<double>::min();
  case ScalarType::F32:
  case ScalarType::BF16:
    return double(std::numeric_limits<float>::min());
  case ScalarType::F16:
  case ScalarType::F8E5M2:
    return std::ldexp(1.0, -14);
  case ScalarType::F8E4M3:
    return std::ldexp(1.0, -6);
  default:
    return 1;
  }
}

double ulpDistance(ScalarType T, double A, double B) {
  if (A == B || (std::isnan(A) && std::isnan(B)))
    return 0;
  if (!std::isfinite(A) || !std::isfinite(B))
    return std::numeric_limits<double>::infinity();
  if (!isFloat(T))
    return std::fabs(A - B);
  double Size = std::max({std::fabs(A), std::fabs(B), smallestNormal(T)});
  return std::fabs(A - B) / std::ldexp(1.0, std::ilogb(Size) + 1 - significandBits(T));
}

} // namespace septran::compiler
