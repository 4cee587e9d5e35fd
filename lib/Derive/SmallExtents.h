//===- SmallExtents.h - extents of which calls may have few ------*- C++ -*-===//
//
// Rows of a result that all read the same large argument: one token after the other, or a few
// requests at a time, go through a layer whose weights are as large as ever. What is read is then
// used so few times that memory decides, and another mapping is the best. And where all extents are
// small, as of many little products, what is done before and after the sums decides.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/ShapeRelations.h"

#include <string>
#include <vector>

namespace septran::compiler {

struct SmallExtent {
  std::string Name;               ///< as in ShapeRelations
  std::vector<std::string> Equal; ///< `C.extent(0)`: extents of arguments that are as long
};

/// Those of rows that read the same.
std::vector<SmallExtent> smallExtents(const ShapeRelations &R);

/// All that a call may choose.
std::vector<SmallExtent> freeExtents(const ShapeRelations &R);

} // namespace septran::compiler
