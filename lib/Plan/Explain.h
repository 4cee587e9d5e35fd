//===- Explain.h - what the mapping made of the program ---------*- C++ -*-===//
//
// For people, in 100 columns: the tree of instances, every copy that is left with its bytes and how
// often it happens, which rule removed or moved the others, the buffers of each memory against its
// capacity, and what the end of each spread loop is for. Every line ends in the place that caused
// it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// `P` after all passes.
std::string explain(const Program &P);

} // namespace septran::compiler
