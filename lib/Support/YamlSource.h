//===- Support/YamlSource.h - From yaml-cpp's marks to ranges ---*- C++ -*-===//
//
// yaml-cpp marks where a value starts, at its anchor or tag if it has one, and never where it ends.
// With the text at hand the range of a token can be found again. Private to Support.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_YAMLSOURCE_H
#define SEPTRAN_SUPPORT_YAMLSOURCE_H

#include "Support/Location.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace YAML {
struct Mark;
}

namespace septran::compiler {

class YamlSource {
  std::string_view Text; ///< without byte order mark
  unsigned BomBytes = 0;
  FileName File;
  std::vector<size_t> LineStarts;

public:
  YamlSource(std::string_view Text, FileName File);

  /// What the parser should see.
  std::string_view text() const { return Text; }

  struct BadByte {
    Location Loc;
    std::string Spelling; ///< 0x00
  };
  /// The first byte that is not UTF-8 text, or a control character that YAML does not allow.
  std::optional<BadByte> findBadByte() const;

  /// The token at a mark: an anchor is skipped, a tag is the token.
  Location tokenAt(const YAML::Mark &Mark) const;
  /// The scalar `Value` at a mark, for a block scalar the first byte of its content.
  Location scalarAt(const YAML::Mark &Mark, std::string_view Value) const;
  /// An explicit null (`~`, `null`); an invalid location if the value is just missing.
  Location nullAt(const YAML::Mark &Mark) const;
  /// The name after `*` or `&` at a mark.
  std::string nameAt(const YAML::Mark &Mark) const;

private:
  size_t offsetOf(const YAML::Mark &Mark) const;
  size_t skipAnchor(size_t Offset) const;
  size_t endOfToken(size_t Offset) const;
  size_t endOfLine(size_t Offset) const;
  Location locate(size_t Begin, size_t End) const;
};

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_YAMLSOURCE_H
