//===- TextEdits.h - changes to source text, by offset -------------*- C++ -*-===//
//
// Replacements of ranges and insertions around them, collected in any order, possibly several
// times the same, and applied to a part of a file. Insertions nest as the ranges that they
// surround, and those around the same range by their level.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace septran::compiler {

class TextEdits {
  std::map<unsigned, std::pair<unsigned, std::string>> Replaced; ///< begin -> end, text
  /// (begin, end, level) -> text before and after
  std::map<std::tuple<unsigned, unsigned, unsigned>, std::pair<std::string, std::string>> Wrapped;

public:
  /// False if the range already has another text or overlaps another replaced range.
  bool replace(unsigned Begin, unsigned End, const std::string &Text);
  /// `Before` [Begin, End) `After`; higher levels go around lower ones. False if the same range has
  /// already been wrapped otherwise on that level.
  bool wrap(unsigned Begin, unsigned End, unsigned Level, const std::string &Before,
            const std::string &After);

  /// The part [Begin, End) of `Source`, with the changes.
  std::string apply(std::string_view Source, unsigned Begin, unsigned End) const;
};

} // namespace septran::compiler
