//===- NormalLoops.h - loops however they were written -----------*- C++ -*-===//
//
// Of loops whose iterations may run in any order, only what they visit matters:
//
//   for (i) C(n - 1 - i) += A(n - 1 - i)             walks upwards: C(i) += A(i)
//   for (g) for (q < 4) C(0) += A(g * 4 + q)         is one loop over k < 4 n: C(0) += A(k)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/LeafForm.h"

namespace septran::compiler {

/// Turns round loops that walk all their tensors from the end, and joins loops that only ever walk
/// together like the digits of a number.
void normaliseLoops(LeafForm &F);

} // namespace septran::compiler
