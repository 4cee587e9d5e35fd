//===- RepeatCall.h - the command that repeats one call ----------*- C++ -*-===//
//
// A failure names its call by shape, layout of the arguments, inputs, seed and threads. The same
// words are what --shape and --call take, so that a command with them makes this one call again.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/RunCase.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// `column-major, integers, seed 1016, 2 threads`.
std::string callText(const Case &C);
/// The reverse, with neither shape nor scalars. None, with what is wrong, if Text is no such text.
std::optional<Case> parseCall(const std::string &Text, std::string &Problem);

/// `C[0]=5`, `stride=1`: the arguments of --shape that choose the case's shape and no other; and what
/// the user states of elements.
std::vector<std::string> shapeArguments(const Case &C, const ShapeRelations &R);

/// The command line, quoted for a shell, with options that choose this mapping and this call alone.
std::string repeatCommand(const std::vector<std::string> &CommandLine, const std::string &Mapping,
                          const Case &C, const ShapeRelations &R);

} // namespace septran::compiler
