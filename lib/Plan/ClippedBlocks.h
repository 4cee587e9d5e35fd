//===- ClippedBlocks.h - register tiles at the ends of tensors --*- C++ -*-===//
//
// An If that chooses whole blocks asks whether the extents of a register tile are those of a whole
// one.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include <cstdint>
#include <vector>

namespace septran::compiler {

/// An extent of a block that may be clipped, and that of a whole one.
struct BlockExtent {
  Expr Extent;
  std::int64_t Whole;
};

/// What the condition of an If that chooses whole blocks compares, dimension by dimension.
std::vector<BlockExtent> blockExtents(const Expr &Condition);

/// How many elements of a block's last dimension, which has `Whole` at most and ends with `End`,
/// the vectors of its code take; all of them where it is not vectors that walk it.
std::int64_t blockWidth(std::int64_t Whole, const Expr &End, const Block &Code);

/// Elements of a dimension that generated code for clipped blocks computes together
/// (septran/cpu/blocks.h), as long as the others are whole.
std::int64_t computedStep(const std::vector<BlockExtent> &Extents, size_t Dim, const Block &Code);

/// Then both versions of a block are other code.
bool callsPrimitive(const Block &B);

} // namespace septran::compiler
