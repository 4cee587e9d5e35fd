//===- ImpliedFunction.h - functions that the source does not have --*- C++ -*-===//
#pragma once

#include "Logic/TaskGraph.h"

#include <map>
#include <string>

namespace septran::compiler {

/// A task without parameters and statements, called after the leaf and placed where it is, in a
/// family of its own.
Function impliedFunction(const Function &Leaf, const std::string &Suffix);

/// Gives `F` the leaf's parameters, and returns which is which.
std::map<TensorRef, TensorRef> addParametersOf(const Function &Leaf, Function &F);

} // namespace septran::compiler
