//===- UsualWindows.h - windows of which most calls have one size -*- C++ -*-===//
//
// Kernels of convolutions are 3 x 3 as a rule. Where each channel is by itself, little is done for
// one of their elements, and the loops over them take a good part of the time: code for these calls
// writes the loops out.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/MappingTree.h"
#include "Derive/Nominal.h"
#include "Plan/ShapeRelations.h"

namespace septran::compiler {

/// Extents of arguments (`W.extent(0)`) and what they usually are, for which a planned program gets
/// better when they are constants; none where it does not.
ExtentList usualWindows(const Program &P, const ShapeRelations &R, const ArgumentSizes &Arguments);

} // namespace septran::compiler
