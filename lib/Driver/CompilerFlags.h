//===- CompilerFlags.h - how the logic file is compiled ----------*- C++ -*-===//
//
// The conventions of clang's tools: flags after `--`, or those of compile_commands.json (-p FOLDER,
// or found above the source file), with --extra-arg and --extra-arg-before added.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/Tooling/CompilationDatabase.h"

#include <memory>
#include <string>
#include <vector>

namespace septran::compiler {

/// LLVM's own library registers options, some under names that our tools use; none of them but
/// --help and --version means anything to a tool. To be called before a tool declares its own.
void dropForeignOptions();

struct FlagRequest {
  std::string BuildPath; ///< -p; empty: look above the source file
  std::vector<std::string> Before, After;
};

/// Takes everything from `--` on out of the command line; null if there is no `--`.
std::unique_ptr<clang::tooling::CompilationDatabase> takeFixedFlags(int &Argc, const char **Argv,
                                                                    std::string &Error);

/// The database for `File`: `Fixed` if given, else the one that the request finds. A file without
/// any is compiled with default flags.
std::unique_ptr<clang::tooling::CompilationDatabase>
flagsFor(const std::string &File, std::unique_ptr<clang::tooling::CompilationDatabase> Fixed,
         const FlagRequest &Request, std::string &Error);

} // namespace septran::compiler
