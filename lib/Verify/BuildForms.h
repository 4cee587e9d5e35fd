//===- BuildForms.h - from texts to libraries ---------------------*- C++ -*-===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Plan/Program.h"
#include "Verify/Command.h"
#include "Verify/Reference.h"
#include "Verify/RunCase.h"

#include "clang/Tooling/CompilationDatabase.h"

#include <string>
#include <vector>

namespace septran::compiler {

struct BuildSettings {
  std::string Compiler = "c++";
  std::vector<std::string> Flags; ///< of the logic file; no input, no output
  std::string Folder;             ///< that the flags were meant for
  std::string LogicFile;          ///< absolute
  std::string Scratch;            ///< folder for sources and libraries, which exists
  /// Little optimisation: for many programs that run for a short time each.
  bool Quick = false;
};

/// Flags and folder of the logic file's compile command.
BuildSettings settingsFor(const clang::tooling::CompilationDatabase &Flags,
                          const std::string &LogicFile, const std::string &Scratch);

/// A library to be built. The source file has been written.
struct PendingForm {
  std::string Source, Library;
  Command Compile;
};

PendingForm plainForm(const BuildSettings &S, const Function &Entry,
                      const std::string &Name = "plain");
/// The plain program with the checks of SEPTRAN_CHECKED.
PendingForm checkedForm(const BuildSettings &S, const Function &Entry);
PendingForm referenceForm(const BuildSettings &S, const Function &Entry, const ReferenceText &Text);
/// Why there is no reference, where its form was not compiled.
std::string referenceDoesNotCompile(const CommandResult &R);
/// `Text` is what the program was emitted as. CUDA is built for the emulator of GPUs. `Name` tells
/// apart several mappings of one logic file.
PendingForm mappedForm(const BuildSettings &S, const Program &P, const std::string &Text,
                       const std::string &Name);

} // namespace septran::compiler
