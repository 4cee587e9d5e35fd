//===- Simplify.h - the rules that remove and move copies -------*- C++ -*-===//
//
// mapping.md promises these rules to the user. Each is a rewrite that preserves meaning by itself
// and appends what it did to `Log`.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Streaming: a buffer of an inner instance that is only used block by block is replaced by buffers
/// of the blocks, at the launches that use them. `resident` arguments stay whole.
void streamBlocks(Block &B, const Machine &Target, std::vector<RewriteRecord> &Log);

/// Hoisting: a copy whose source does not change in a sequential or unspread loop moves out of it;
/// a block that is written in every iteration stays in its buffer until the loop ends.
void hoistCopies(Block &B, std::vector<RewriteRecord> &Log);

/// No duplicates: a block already present in a memory is not copied there again.
void mergeCopies(Block &B, std::vector<RewriteRecord> &Log);

/// Buffers that nothing reads or writes are dropped.
void dropUnused(Block &B, std::vector<RewriteRecord> &Log);

/// Loops that never run, whatever the arguments are, are dropped.
void dropEmptyLoops(Block &B, std::vector<RewriteRecord> &Log);

/// V is T itself: no part, no other order.
bool isWholeOf(const View &V, const TensorRef &T);

/// A Define of a whole tensor is a second name for it: uses take the first one.
void inlineAliases(Block &B);

} // namespace septran::compiler
