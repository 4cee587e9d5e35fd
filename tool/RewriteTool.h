//===- RewriteTool.h - one run of septran-rewrite ----------------*- C++ -*-===//
//
// logic file + mapping + machine -> generated source. Everything the command line says is in
// RewriteOptions; the run itself neither parses options nor exits.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Driver/MappedLogic.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// What the output is.
enum class EmitKind {
  Mapped,  ///< the entry point as the mapping says
  Checked, ///< the plain program, its tasks declared for a checked build
  Library, ///< the entry point as the mapping says, behind a C interface
};

struct RewriteOptions {
  EmitKind Emit = EmitKind::Mapped;
  std::string Source;    ///< the logic file as the user named it
  std::string Output;    ///< file; empty or "-": standard output. A library's, without .h and .cpp
  /// Without a mapping one is derived for the machine; without either there is nothing to rewrite.
  MappingRequest Inputs;
  std::string WriteMapping; ///< file for the mapping that is derived
  std::string Depfile;
  std::string Sarif;
  bool Check = false;
  bool Explain = false;
  bool PrintTasks = false;
  bool PrintMapping = false;
  bool AllowNothing = false;
  bool Remarks = false;
  bool VerifyEach = false;
  std::vector<std::string> PrintAfter;
};

/// What the front end must find for this run.
FrontendGoal goalOf(const RewriteOptions &Options);

/// Reads, maps and prints one logic file inside a run of the front end. Messages go to
/// Result.Messages. The output file is only written if there are no errors.
void rewriteFile(FrontendResult &Result, const RewriteOptions &Options);

/// What a build has to know of the machine that the request names, one `key: value` per line:
/// `language: c++` of the output, a `flag:` for each of the flags it is compiled with, and a `file:`
/// for each file that this was read from. False after an error, which is on standard error.
bool printToolchain(const MappingRequest &Request);

} // namespace septran::compiler
