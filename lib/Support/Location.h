//===- Support/Location.h - A place in a source file ------------*- C++ -*-===//
//
// Every value that comes from the user (a task, a YAML scalar, a loop) carries the place where it
// was written, so that a message about it can point there. The place is plain data: it needs
// neither clang's SourceManager nor yaml-cpp, and it can be made by hand in a unit test.
//
// Lines and columns are 1-based, columns count bytes (as in clang and in yaml-cpp). The end is
// exclusive: a one-character range has EndColumn == Column + 1. EndLine == 0 means "no range
// known".
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_LOCATION_H
#define SEPTRAN_SUPPORT_LOCATION_H

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace septran::compiler {

/// An immutable string whose copies share storage: thousands of locations name a handful of files.
class FileName {
  std::shared_ptr<const std::string> Text;

public:
  FileName() = default;
  FileName(std::string Name)
      : Text(Name.empty() ? nullptr : std::make_shared<const std::string>(std::move(Name))) {}
  FileName(const char *Name) : FileName(std::string(Name)) {}
  FileName(std::string_view Name) : FileName(std::string(Name)) {}

  const std::string &str() const {
    static const std::string Empty;
    return Text ? *Text : Empty;
  }
  operator const std::string &() const { return str(); }
  bool empty() const { return !Text; }

  friend bool operator==(const FileName &A, const FileName &B) {
    return A.Text == B.Text || A.str() == B.str();
  }
  friend bool operator!=(const FileName &A, const FileName &B) { return !(A == B); }
  friend std::ostream &operator<<(std::ostream &OS, const FileName &F) { return OS << F.str(); }
};

struct Location {
  FileName File;
  unsigned Line = 0;
  unsigned Column = 0;
  unsigned EndLine = 0;
  unsigned EndColumn = 0;

  /// True if a message can point at it. A location with a file but no line stands for the whole
  /// file.
  bool isValid() const { return Line != 0; }
  bool hasRange() const { return EndLine != 0; }

  /// The first position alone, without its range.
  Location start() const { return {File, Line, Column, 0, 0}; }

  /// `Length` bytes on one line.
  static Location span(FileName File, unsigned Line, unsigned Column, unsigned Length) {
    return {std::move(File), Line, Column, Line, Column + Length};
  }

  friend bool operator==(const Location &A, const Location &B) {
    return A.Line == B.Line && A.Column == B.Column && A.EndLine == B.EndLine &&
           A.EndColumn == B.EndColumn && A.File == B.File;
  }
  friend bool operator!=(const Location &A, const Location &B) { return !(A == B); }
};

/// `file:line:column`, as compilers print it; `file` alone for a whole file.
inline std::ostream &operator<<(std::ostream &OS, const Location &L) {
  OS << L.File;
  if (L.isValid())
    OS << ':' << L.Line << ':' << L.Column;
  return OS;
}

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_LOCATION_H
