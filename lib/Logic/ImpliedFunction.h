//===- ImpliedFunction.h - functions that the source does not have --*- C++ -*-===//
#pragma once

#include "IR/Rewrite.h"
#include "Logic/TaskGraph.h"

#include <map>
#include <set>
#include <string>

namespace septran::compiler {

/// A task without parameters and statements, called after the leaf and placed where it is, in a
/// family of its own.
Function impliedFunction(const Function &Leaf, const std::string &Suffix);

/// Gives `F` the leaf's parameters, and returns which is which.
std::map<TensorRef, TensorRef> addParametersOf(const Function &Leaf, Function &F);

std::set<TensorRef> readBy(const Block &B);
std::set<TensorRef> writtenBy(const Block &B);

/// A leaf that does part of what a leaf does, and its launch by a task that has all of the leaf's
/// parameters.
struct PartOfLeaf {
  Function F;
  Launch L;
  Substitution Fresh; ///< what the leaf's parameters are here

  /// Adds those parameters of the leaf that the block uses; what it does not write is read.
  void addParameters(const Function &Leaf, const Function &Task, const Block &Body);
  /// The leaf, which the launch names from now on.
  FunctionRef finish(const Block &Body);
};

} // namespace septran::compiler
