//===- SourceTree.h - the files of a program, as written --------*- C++ -*-===//
//
// The logic file and those of its headers that define tasks and leaves, each with its text, the
// bodies in it and the headers that it includes. Where a task graph says what a program means,
// this says where it stands: for output that is the user's own text with something added. One
// header that is read twice is two trees, since macros may make it two texts.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// A parameter that is or may be a tensor: in a template only its instantiation can tell.
struct WrittenParameter {
  enum Privilege { OfItsType, Write, Reduce };
  std::string Name;
  Privilege Access = OfItsType;
  bool IsPack = false;
};

/// The body of a task or leaf.
struct WrittenBody {
  std::string Name;     ///< of the function, without scopes
  unsigned Inside = 0;  ///< byte offset behind the opening brace
  bool InMacro = false; ///< written as argument of a macro
  std::vector<WrittenParameter> Params;
};

/// An include directive that cannot stay as it is in another file.
struct WrittenInclude {
  unsigned Begin = 0, End = 0; ///< from `#` to the end of the name
  /// Index in Children: the header has bodies.
  std::optional<size_t> Child;
  /// A header that defines tasks, in a place where it is empty because it was read before.
  bool IsRepeated = false;
  /// Absolute path of a header that was found in the folder of the including file; else empty.
  std::string Beside;
};

struct SourceTree {
  std::string Name; ///< as the user or the include path names it
  std::string Text;
  std::vector<WrittenBody> Bodies;      ///< in the order of the text
  std::vector<WrittenInclude> Includes; ///< in the order of the text
  std::vector<unsigned> OncePragmas; ///< where `#pragma once` begins; it has no meaning in a copy
  std::vector<SourceTree> Children;
};

} // namespace septran::compiler
