//===- EmptyBlocks.h - what a task does on blocks without elements -*- C++ -*-===//
//
// A dimension of extent 0 has no blocks: loops over its blocks do not run. Where such a loop is
// replaced by its one block that spans the dimension, its body may only run all the same if that
// does nothing: all elements are touched in loops that do not run, and no view lies outside its
// tensor.
//
// Looks into launches; a function's variants do the same. One-sided: false means "not found".
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

namespace septran::compiler {

/// True if Body changes nothing that outlives it when `Extent` is 0.
bool doesNothingWithout(const Expr &Extent, const Block &Body);

} // namespace septran::compiler
