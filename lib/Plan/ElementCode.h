//===- ElementCode.h - what a processor does element by element -*- C++ -*-===//
//
// On machines with engines, everything else is a command to one of them.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include <vector>

namespace septran::compiler {

/// A leaf in loops over elements, or a part of one.
bool isElements(const Stmt &S);

/// Elements that the statement touches itself, nested ones included.
std::vector<TensorRef> elements(const Stmt &S);

} // namespace septran::compiler
