//===- TypicalSizes.h - the calls that a mapping is derived for --*- C++ -*-===//
//
// Without a word from the user: tensors that the caches hold and some that they do not, on one core and
// on several; small images and large ones. With it: the shapes it names, in all combinations, whatever else
// there is as large as the logic needs it beside them, and what that leaves free as without a word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Nominal.h"
#include "Plan/ShapeRelations.h"
#include "Plan/ShapeSpec.h"

#include <string>
#include <vector>

namespace septran::compiler {

struct NominalSizes {
  double Extent = 64; ///< of every dimension that nothing is known of
  double Cores = 8;   ///< where the machine does not say how many
  bool InMemory = false; ///< a tensor is larger than caches
  ArgumentSizes Arguments;
};

/// What is wrong with the shapes that the user names; empty if nothing is.
std::string problemOf(const std::vector<ShapeSpec> &Stated, const ShapeRelations &R);

/// `Stated` is without problems.
std::vector<NominalSizes> typicalSizes(const ShapeRelations &R, const ArgumentSizes &Arguments,
                                       const std::vector<ShapeSpec> &Stated);

} // namespace septran::compiler
