//===- Support/ClangDiagnostics.h - Diagnostics through clang ---*- C++ -*-===//
//
// Shows collected messages through clang's DiagnosticsEngine: carets, colours, error limits,
// `-verify` and every -fdiagnostics option then work in C++ and in YAML alike, and notes may cross
// from one to the other. The only header of Support that names clang.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_CLANGDIAGNOSTICS_H
#define SEPTRAN_SUPPORT_CLANGDIAGNOSTICS_H

#include "Support/Diagnostics.h"

#include <map>
#include <string>

#include <clang/Basic/SourceManager.h>

namespace clang {
class DiagnosticsEngine;
} // namespace clang

namespace septran::compiler {

/// Finds our places in clang's SourceManager. A file that clang has not seen (YAML) is loaded into
/// it.
class LocationMap {
  clang::SourceManager &SM;
  std::map<std::string, clang::FileID> Files;

public:
  explicit LocationMap(clang::SourceManager &SM) : SM(SM) {}

  /// Invalid if the file cannot be read or the place has no line.
  clang::SourceLocation translate(const Location &Loc);
  /// The range of a place; empty at its start if it has none.
  clang::CharSourceRange translateRange(const Location &Loc);

private:
  clang::FileID fileOf(const std::string &Path);
  clang::SourceLocation translate(const Location &Loc, unsigned Line, unsigned Column);
};

/// Clang's messages about `File` call it `Name`, as if it began with a #line directive. Nothing may
/// have been read from it.
void nameFile(clang::SourceManager &SM, clang::FileID File, const std::string &Name,
              clang::SrcMgr::CharacteristicKind Kind);

/// Reports every message of `D`, in order. `DE` must have a source manager and must be between
/// BeginSourceFile and EndSourceFile of its consumer, as it is while an action runs: printers need
/// the language options, and `-verify` compares when the file ends. A message in a file that cannot
/// be loaded (text that only exists in memory) states its place in words.
void emitThroughClang(const Diagnostics &D, clang::DiagnosticsEngine &DE);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_CLANGDIAGNOSTICS_H
