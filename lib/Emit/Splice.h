//===- Splice.h - a file with parts replaced ---------------------*- C++ -*-===//
//
// Generated files are the user's own text with edits. #line directives keep every line of that text
// under its own name and number, for messages and debuggers.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// One replacement of a byte range.
struct Edit {
  enum Kind {
    Inline,    ///< text within a line, or that brings its own #line
    Generated, ///< whole lines that have no counterpart: they count as the output's own
    File,      ///< whole lines of another file, which bring their own #line
  };
  unsigned Begin = 0, End = 0;
  std::string Text;
  Kind Is = Inline;
};

/// The line, from 1, that the byte at `Offset` is on.
unsigned lineAt(const std::string &Text, unsigned Offset);

/// `#line Number "File"`, with its end of line.
std::string lineDirective(unsigned Number, const std::string &File);

/// `#include "..."` of the file `Path` from one in `OutputFolder`, both absolute. None if no directive
/// can name it.
std::optional<std::string> includeOf(const std::string &Path, const std::string &OutputFolder);

/// `Head`, then `Main`, which is the file `MainName`, with the edits made. Of edits that overlap
/// the first counts. `OutputName` names the result.
std::string splice(const std::string &Head, const std::string &Main, const std::string &MainName,
                   const std::string &OutputName, std::vector<Edit> Edits);

} // namespace septran::compiler
