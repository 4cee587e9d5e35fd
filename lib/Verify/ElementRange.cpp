//===- ElementRange.cpp - what integer arguments hold ---------------------===//
#include "Verify/ElementRange.h"

#include "Verify/TestTensor.h"

#include <algorithm>
#include <limits>

namespace septran::compiler {

namespace {

std::int64_t floorDiv(std::int64_t A, std::int64_t B) {
  return A / B - (A % B != 0 && (A < 0) != (B < 0));
}

/// The values that the type has, as far as they are worth a try.
std::pair<std::int64_t, std::int64_t> limitsOf(ScalarType T) {
  constexpr std::int64_t Most = std::numeric_limits<std::int32_t>::max();
  const unsigned Bits = 8 * byteSize(T) - isSigned(T);
  const std::int64_t High = Bits >= 31 ? Most : (std::int64_t(1) << Bits) - 1;
  return {isSigned(T) ? -High - 1 : 0, High};
}

/// How far values go beyond an end where the logic says that it does not matter.
constexpr std::int64_t Beyond = 4;

/// Both ends at random places, which sorting then puts at the ends.
template <class Draw>
std::vector<std::int64_t> drawValues(size_t Count, std::int64_t Low, std::int64_t High, Random &R,
                                     Draw Value) {
  std::vector<std::int64_t> All(Count);
  for (std::int64_t &V : All)
    V = Value();
  if (Count < 2)
    return All;
  const auto First = size_t(R.between(0, std::int64_t(Count) - 1));
  const auto Second = (First + size_t(R.between(1, std::int64_t(Count) - 1))) % Count;
  All[First] = Low;
  All[Second] = High;
  return All;
}

/// Sorts every line of elements along the dimension.
void sortAlong(std::vector<std::int64_t> &All, const std::vector<std::int64_t> &Extents,
               unsigned Dim) {
  size_t Stride = 1;
  for (size_t D = Dim + 1; D < Extents.size(); ++D)
    Stride *= size_t(Extents[D]);
  const auto Length = size_t(Extents[Dim]);
  for (size_t From = 0; From < All.size(); ++From) {
    if (From / Stride % Length != 0)
      continue;
    std::vector<std::int64_t> Line;
    for (size_t I = 0; I < Length; ++I)
      Line.push_back(All[From + I * Stride]);
    std::sort(Line.begin(), Line.end());
    for (size_t I = 0; I < Length; ++I)
      All[From + I * Stride] = Line[I];
  }
}

} // namespace

std::optional<ElementRange> elementRange(const ShapeRelations &R, unsigned Param,
                                         const Extents &Shape, const ScalarValues &Scalars) {
  const ElementValues *Known = R.valuesOf(Param);
  if (!Known)
    return std::nullopt;
  ElementRange Range;
  Range.Ascends = Known->Ascends;
  if (!Known->Stated.empty()) {
    Range.Only = Known->Stated;
    Range.Low = Known->Stated.front();
    Range.High = Known->Stated.back();
    return Range;
  }
  std::optional<std::int64_t> Low, High;
  for (const ValueBound &B : Known->Bounds) {
    const std::optional<std::int64_t> Rest = evaluate(B.Rest, R, Shape, Scalars);
    if (!Rest)
      return std::nullopt;
    if (B.Factor > 0) {
      const std::int64_t Most = floorDiv(-*Rest, B.Factor);
      High = High ? std::min(*High, Most) : Most;
    } else {
      const std::int64_t Least = -floorDiv(-*Rest, -B.Factor);
      Low = Low ? std::max(*Low, Least) : Least;
    }
  }
  const auto [Least, Most] = limitsOf(R.Params[Param].Tensor->Element);
  Range.Low = std::clamp(Low ? *Low : std::min<std::int64_t>(*High, 0) - Beyond, Least, Most);
  Range.High = std::clamp(High ? *High : std::max<std::int64_t>(*Low, 0) + Beyond, Range.Low, Most);
  for (const Expr &E : Known->Also)
    if (const auto Value = evaluate(E, R, Shape, Scalars); Value && Least <= *Value && *Value <= Most)
      Range.Also.push_back(*Value);
  return Range;
}

std::vector<unsigned char> elementsInRange(ScalarType T, const std::vector<std::int64_t> &Extents,
                                           const ElementRange &Range, Random &R) {
  std::int64_t Count = 1;
  for (std::int64_t E : Extents)
    Count *= E;
  std::vector<std::int64_t> Values =
      drawValues(size_t(Count), Range.Low, Range.High, R, [&]() -> std::int64_t {
        if (!Range.Also.empty() && R.chance(20))
          return R.pick(Range.Also);
        return Range.Only.empty() ? R.between(Range.Low, Range.High) : R.pick(Range.Only);
      });
  if (Range.Ascends)
    sortAlong(Values, Extents, *Range.Ascends);
  std::vector<unsigned char> Bytes(Values.size() * byteSize(T));
  for (size_t I = 0; I < Values.size(); ++I)
    fromDouble(T, double(Values[I]), &Bytes[I * byteSize(T)]);
  return Bytes;
}

bool mayStateValues(const Parameter &P, const std::string &Name) {
  return P.Name == Name && P.isTensor() && isInteger(P.Tensor->Element) && reads(P.Access);
}

bool stateValues(ShapeRelations &R, const std::string &Name,
                 const std::vector<std::int64_t> &Values) {
  for (unsigned I = 0; I < R.Params.size(); ++I) {
    if (!mayStateValues(R.Params[I], Name))
      continue;
    if (!R.valuesOf(I))
      R.Values.insert(std::find_if(R.Values.begin(), R.Values.end(),
                                   [&](const ElementValues &V) { return V.Param > I; }),
                      {I, {}, {}, std::nullopt, {}});
    for (ElementValues &V : R.Values)
      if (V.Param == I)
        V.Stated = Values;
    return true;
  }
  return false;
}

} // namespace septran::compiler
