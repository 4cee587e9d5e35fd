//===- NamesFromHere.h - files of a compiler that runs elsewhere ----*- C++ -*-===//
//
// A command of compile_commands.json runs in its own folder: its relative paths start there, and the
// logic file has its absolute path. The user stands in another folder, from which messages, listings
// and dependencies name files. So each file that clang enters begins with what `#line` would say:
// its name as seen from here. Both clang's messages and ours ask for that name.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace septran::compiler {

/// `File` is the logic file as the user wrote it. Where the compiler runs in the current folder,
/// names are right as they are, and nothing changes.
void nameFilesFromHere(clang::CompilerInstance &CI, const std::string &File);

} // namespace septran::compiler
