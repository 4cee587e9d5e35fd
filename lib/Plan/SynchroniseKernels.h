//===- SynchroniseKernels.h - barriers within kernels -----------*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Puts a Barrier before every statement of a kernel that touches memory which other threads of its
/// processor have written, or writes memory which they have touched, since they last met. Reports
/// places where threads would have to meet that do not come together.
void synchroniseKernels(Program &P, Diagnostics &D);

} // namespace septran::compiler
