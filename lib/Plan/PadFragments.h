//===- PadFragments.h - zeros behind clipped fragments ----------*- C++ -*-===//
//
// Matrix instructions work on whole tiles. Where a tensor's extents may be less than the room that
// it has in registers, what lies between is zero: sums along it then gain nothing. The zeros come
// with the copies into the registers; if those read a buffer that copies alone have filled, the
// buffer holds them already.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Sets Padded of the tensors that primitives on fragments work on, and of the buffers that they are
/// loaded from, where extents are not known to be full. Loops whose steps then add nothing beyond
/// the end get constant bounds.
void padFragments(Program &P);

/// The extents are constants, as large as the bounds.
bool isFull(const Alloc &A);

} // namespace septran::compiler
