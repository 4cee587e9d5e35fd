//===- IncludeRecorder.h - which file includes which ----------------*- C++ -*-===//
#pragma once

#include "clang/Basic/FileEntry.h"
#include "clang/Basic/SourceLocation.h"

#include <string>
#include <vector>

namespace clang {
class Preprocessor;
} // namespace clang

namespace septran::compiler {

/// Watches the preprocessor for include directives and `#pragma once`.
class IncludeRecorder {
public:
  struct Directive {
    clang::SourceLocation Hash, NameEnd; ///< NameEnd: behind the name
    std::string Spelled;
    bool Angled = false;
    clang::OptionalFileEntryRef File;
    clang::FileID Entered; ///< invalid if the file was not read again
  };

  /// Starts to watch. The object must live as long as the preprocessor lexes.
  void attachTo(clang::Preprocessor &PP);

  const std::vector<Directive> &directives() const { return Directives; }
  const std::vector<clang::SourceLocation> &oncePragmas() const { return OncePragmas; }

private:
  class Callbacks;
  std::vector<Directive> Directives;
  std::vector<clang::SourceLocation> OncePragmas;
};

} // namespace septran::compiler
