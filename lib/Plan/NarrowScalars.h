//===- NarrowScalars.h - scalars as wide as what they are set to -*- C++ -*-===//
//
// A 64-bit scalar of a leaf that is only ever set to numbers of a smaller type, such as the index
// of an element, keeps them as they are, and is converted where it is used. In lanes it takes half
// the registers or less, and so does what is decided for it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

namespace septran::compiler {

/// `Body` is that of a leaf.
void narrowScalars(Block &Body);

} // namespace septran::compiler
