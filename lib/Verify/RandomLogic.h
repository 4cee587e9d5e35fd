//===- RandomLogic.h - some logic file --------------------------*- C++ -*-===//
//
// Draws small programs: an entry point, nested tasks, leaves, families with a blocked variant,
// partitions, windows, views, locals, conditions, sequential loops. A program is valid, compiles
// without warnings, has no undefined behaviour for extents from 1 and any input, and its values
// stay of moderate size.
//
// Its extents are tied to each other by accesses alone (LogicTensor.h), as in programs that people
// write.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/LogicProgram.h"
#include "Verify/Random.h"

#include <string>

namespace septran::compiler {

struct RandomLogicOptions {
  unsigned MaxTensors = 4; ///< of the entry point, at least 2
  unsigned MaxSteps = 4;   ///< per task, at least 1
  unsigned MaxDepth = 2;   ///< of tasks below the entry point
  bool SmallTypes = true;  ///< 8- and 16-bit elements too
};

/// The name of the entry point in every program.
inline constexpr const char *RandomEntry = "entry";

LogicProgram randomLogicProgram(Random &R, const RandomLogicOptions &Options = {});

/// The same as text of a logic file.
std::string randomLogic(Random &R, const RandomLogicOptions &Options = {});

} // namespace septran::compiler
