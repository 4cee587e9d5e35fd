//===- Interpreter.h - runs task graphs and Programs ------------*- C++ -*-===//
//
// The meaning of the IR, executed literally, to check that passes keep it. Tasks run as the plain
// program does; Programs run with every freedom taken that their loops allow: the iterations of
// parallel and lane loops run in a scrambled order, the iterations of a spread loop are shared by
// two processors that reduce on their own, and a loop whose end nobody awaits runs after the next
// one.
//
// Elements are numbers in double precision; tests use small integers, for which every order of
// summation gives the same result. They lie where the layout of their buffer says. Failures are: to
// use an element that has no value yet, as all of a new buffer; to leave a tensor; to touch an
// element in two iterations that run side by side, unless all read it or all reduce into it by the
// same operator.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include <cstdint>
#include <vector>

namespace septran::compiler {

/// A tensor argument: row-major elements.
struct TestTensor {
  std::vector<std::int64_t> Extents;
  std::vector<double> Elements;
};

struct TestArgument {
  TestTensor Tensor;
  std::int64_t Scalar = 0;
};

/// Runs `Entry` on the arguments, which receive its results. Returns what went wrong first, or "".
std::string runTask(const Function &Entry, std::vector<TestArgument> &Args);
/// `Placed`: the Program is one after place, where reductions that processors share have partial
/// results.
std::string runProgram(const Program &P, std::vector<TestArgument> &Args, bool Placed = true);

} // namespace septran::compiler
