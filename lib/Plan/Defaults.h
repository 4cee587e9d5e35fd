//===- Defaults.h - what holds where the mapping is silent ------*- C++ -*-===//
#pragma once

#include "Plan/Program.h"

namespace septran::compiler {

/// Where locals and windows live that the mapping does not place: the innermost addressable memory
/// that the instance's processor level, or one outside it, owns.
std::string defaultMemory(const Machine &Target, const InstanceInfo &I);

/// Where the caller has an argument of the entry point: the machine's first memory, or, if kernels cannot
/// reach that one, the memory of the mapping if contents are preserved there.
std::string callersMemory(const Machine &Target, const Located<std::string> *Mapped);

/// `Memory`, or the first memory that all levels reach if kernels cannot reach it.
std::string reachableMemory(const Machine &Target, const std::string &Memory);

/// The layout that the mapping asks for; null if it leaves the choice to the layout pass.
std::shared_ptr<const BufferLayout> requestedLayout(const InstanceInfo &I, const Tensor &T);

/// The mapping's words for reading a window in place.
struct WindowInPlace {
  const LocatedName *Name;
  bool MayLeaveOut; ///< terms that what lies outside, which is 0, is a factor of
};
/// Nothing if the mapping has no such words for this argument.
std::optional<WindowInPlace> inPlaceOf(const InstanceInfo &I, const Tensor &T);

} // namespace septran::compiler
