//===- Passes.h - from task graph and mapping to a placed program -*- C++ -*-===//
//
// The middle end, in pipeline order. Each pass is one file of that name. A pass that finds a user
// error reports it and returns nothing; a pass that cannot fail takes and returns a Program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"

#include <functional>
#include <optional>
#include <string_view>

namespace septran::compiler {

/// Task graph x mapping -> tree of instances. All errors about names, processors and memories of the
/// mapping are found here.
std::optional<Program> resolve(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
                               std::shared_ptr<const Machine> Target, Diagnostics &D);

/// The entry's task tree as the source launches it, with no mapping's variants: what the plain program
/// is. Nothing if that has no end or is none on this machine.
std::optional<Program> resolveAsWritten(const TaskGraph &Graph, const Function &Entry,
                                        std::shared_ptr<const Machine> Target);

/// Correct and naive copies: in before and out after every Scope whose parameter lives elsewhere.
std::optional<Program> place(Program P, Diagnostics &D);

/// Streaming, hoisting, duplicates, dropping of copies (mapping.md, "Where data moves").
Program simplify(Program P);

/// Leaf loops: primitive by unification, or lanes and unrolling chosen.
std::optional<Program> bind(Program P, Diagnostics &D);

/// A BufferLayout for every Alloc: packing derived from how the leaves walk it, or as mapped.
std::optional<Program> assignLayouts(Program P, Diagnostics &D);

/// Stages or prefetches where the mapping asks for a pipeline; warns where it gets neither.
Program pipeline(Program P, Diagnostics &D);

/// Sizes against capacities.
std::optional<Program> allocate(Program P, Diagnostics &D);

/// Dependences that the end of every spread loop serves; barriers within kernels; on machines with
/// scratchpads, which engine waits for which.
std::optional<Program> synchronise(Program P, Diagnostics &D);

/// Buffers that follow from a constant of the entry alone are kept with it.
Program keepConstants(Program P);

/// For those who compare mappings: the program as `place` leaves it, and from there as `allocate` sees
/// it; nothing after an error.
std::optional<Program> planToPlace(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
                                   std::shared_ptr<const Machine> Target, Diagnostics &D);
std::optional<Program> planToAllocate(std::optional<Program> Placed, Diagnostics &D);

/// Names accepted by --print-after, in order.
std::vector<std::string_view> passNames();

/// Runs all passes. `After` is called with each pass's name and result. With VerifyEach, and always in
/// builds with assertions, the Program is verified after each pass; a malformed one ends the process.
std::optional<Program> runPasses(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
                                 std::shared_ptr<const Machine> Target, Diagnostics &D,
                                 const std::function<void(std::string_view, const Program &)> &After,
                                 bool VerifyEach = false);

} // namespace septran::compiler
