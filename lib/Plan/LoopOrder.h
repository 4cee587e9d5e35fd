//===- LoopOrder.h - in which order blocks are visited -----------*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// The loops of one septran::parallel, outermost first: F and those nested directly in it that were
/// written with it.
std::vector<For *> parallelGroup(For &F);
std::vector<const For *> parallelGroup(const For &F);

/// Rearranges the parallel loops that the instance's own task wrote as the mapping's `order` says:
///
///   column      first index fastest
///   grouped(n)  column-wise within groups of n rows: neighbours in time share rows and columns
///
/// Sound because the iterations are independent. Reports orders that have no loop form.
void applyOrder(Block &B, const InstanceInfo &I, const Machine &Target, Diagnostics &D);

} // namespace septran::compiler
