//===- Locations.h - clang's source locations as our own ------------*- C++ -*-===//
//
// What comes out of a macro is placed where the macro is used: that is what the user sees. Lines
// are those of the file itself; #line directives are not followed, since messages and rewriting
// need the bytes that are really there.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Support/Location.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>
#include <vector>

namespace clang {
class SourceManager;
} // namespace clang

namespace septran::compiler {

class Locations {
  const clang::SourceManager &SM;
  const clang::LangOptions &LangOpts;
  mutable llvm::DenseMap<clang::FileID, FileName> Names;

  FileName nameOf(clang::FileID File) const;

public:
  Locations(const clang::SourceManager &SM, const clang::LangOptions &LangOpts)
      : SM(SM), LangOpts(LangOpts) {}

  /// A point. Cheap: it lexes nothing.
  Location point(clang::SourceLocation Loc) const;
  /// From the first token to the end of the last one.
  Location range(clang::SourceRange Range) const;

  /// The bytes of a range of tokens; none if a macro makes only a part of them.
  std::optional<SourceText> text(clang::SourceRange Range) const;

  bool isInMainFile(clang::SourceLocation Loc) const;
  std::string mainFile() const;
  /// Every file that was read, main file first, then in order of inclusion.
  std::vector<std::string> files() const;
};

} // namespace septran::compiler
