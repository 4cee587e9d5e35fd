//===- LeafParts.h - a leaf as several, one after another -------*- C++ -*-===//
//
// Loops after each other, `for i, j: C(i, j) = b(j); for i, j, k: C(i, j) += A(i, k) * B(k, j)`, are tiled
// and shared by cores each in its own way:
//
//   task leaf_parts of family leaf(C, A, B, b)
//     leaf_1(C, b)          for i, j: C(i, j) = b(j)
//     leaf_2(C, A, B)       for i, j, k: C(i, j) += A(i, k) * B(k, j)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"

#include <optional>
#include <vector>

namespace septran::compiler {

/// What can be computed one after another, each part behind the definitions that it needs. Statements
/// without loops stay together. None if scalars carry anything from one part to another.
std::optional<std::vector<Block>> partsOfLeaf(const Block &Body);

/// The task and its leaves. Empty unless there are two parts or more.
std::vector<FunctionRef> leafParts(const FunctionRef &Leaf);

} // namespace septran::compiler
