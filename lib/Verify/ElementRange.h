//===- ElementRange.h - what integer arguments hold ---------------*- C++ -*-===//
//
// Indices that are elements of an argument must lie in the tensor that they index: what the logic
// says of them (ElementValues), or the user does, in numbers for one shape.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/ShapeRelations.h"
#include "Verify/Random.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// The values from Low to High, both of which occur where there are elements enough.
struct ElementRange {
  std::int64_t Low = 0, High = 0;
  std::vector<std::int64_t> Only; ///< of these no others; empty: all
  std::vector<std::int64_t> Also; ///< and these
  std::optional<unsigned> Ascends; ///< no element is less than the one before it along this dimension
};

/// None if nothing is known of the parameter's elements. An empty range has the one value that comes
/// closest: the plain program will refuse it.
std::optional<ElementRange> elementRange(const ShapeRelations &R, unsigned Param,
                                         const Extents &Shape, const ScalarValues &Scalars);

/// Elements, row-major, of an integer tensor with these extents.
std::vector<unsigned char> elementsInRange(ScalarType T, const std::vector<std::int64_t> &Extents,
                                           const ElementRange &Range, Random &R);

/// The elements of parameter Name, if it is an integer tensor that is read, are among Values. False if
/// it is none.
bool stateValues(ShapeRelations &R, const std::string &Name, const std::vector<std::int64_t> &Values);

/// Whether stateValues accepts the name.
bool mayStateValues(const Parameter &P, const std::string &Name);

} // namespace septran::compiler
