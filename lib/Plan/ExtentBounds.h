//===- ExtentBounds.h - what every access says of extents -------*- C++ -*-===//
//
// An index that reaches an argument of the entry must lie inside it, whatever views are between.
// The largest value of the index, over all loops around the access, is a lower bound of the extent.
// ShapeRelations.h makes relations of these bounds.
//
// Where an index, or the end of a loop around it, is made of an element of an integer argument, the
// same comparison bounds that element.
//
// A bound is left out where the program itself compares the index with the extent. Loops are taken
// to run at least once, so a bound may ask for an element that an empty tensor does not need.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/ShapeRelations.h"

#include <map>
#include <set>
#include <vector>

namespace septran::compiler {

/// How much a bound tells. Weaker ones speak for an extent only where there are no stronger ones.
enum class BoundStrength {
  Access,      ///< an element is read or written
  Conditional, ///< the same, under a condition
  Block,       ///< a block is cut out, of which perhaps not every element is used
};

struct AccessBound {
  Expr AtLeast; ///< over extents and scalars of the entry
  BoundStrength S;
};

struct ExtentBounds {
  std::map<ExtentRef, std::vector<AccessBound>> Bounds;
  std::map<ExtentRef, std::set<std::int64_t>> Tiles; ///< sizes of blocks that extents are cut into
  std::vector<ExtentLimit> Limits;
  std::vector<ExtentSuggestion> Suggestions;
  std::map<unsigned, ElementValues> Values; ///< by parameter
  std::vector<UnreadIndex> Unread;
};

/// P is a Program after the resolve pass.
ExtentBounds extentBounds(const Program &P);

} // namespace septran::compiler
