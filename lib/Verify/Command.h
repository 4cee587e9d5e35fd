//===- Command.h - running a compiler -----------------------------*- C++ -*-===//
#pragma once

#include <string>
#include <vector>

namespace septran::compiler {

/// A program and its arguments; no shell sees them.
struct Command {
  std::vector<std::string> Args; ///< Args[0] is looked up in PATH
  std::string Folder;            ///< to run in; empty: here
};

struct CommandResult {
  bool Good = false;
  std::string Output; ///< of both streams
};

/// Runs all commands, at most Jobs at once; results in the commands' order.
std::vector<CommandResult> runCommands(const std::vector<Command> &Commands, unsigned Jobs);

} // namespace septran::compiler
