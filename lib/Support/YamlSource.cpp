//===- Support/YamlSource.cpp ----------------------------------*- C++ -*-===//
#include "Support/YamlSource.h"

#include <yaml-cpp/mark.h>

#include <algorithm>
#include <cstdio>

namespace septran::compiler {

namespace {

/// Length of the UTF-8 sequence at the start of `Text`, or 0 if it is not one (RFC 3629, section 4:
/// no overlong forms, no surrogates, nothing beyond U+10FFFF).
size_t utf8Length(std::string_view Text) {
  auto Byte = [&](size_t I) { return I < Text.size() ? static_cast<unsigned char>(Text[I]) : 0u; };
  auto Between = [&](size_t I, unsigned Low, unsigned High) {
    return Byte(I) >= Low && Byte(I) <= High;
  };
  auto Tail = [&](size_t I) { return Between(I, 0x80, 0xBF); };
  unsigned First = Byte(0);
  if (First < 0x80)
    return 1;
  if (First >= 0xC2 && First <= 0xDF)
    return Tail(1) ? 2 : 0;
  if (First >= 0xE0 && First <= 0xEF) {
    unsigned Low = First == 0xE0 ? 0xA0 : 0x80;
    unsigned High = First == 0xED ? 0x9F : 0xBF;
    return Between(1, Low, High) && Tail(2) ? 3 : 0;
  }
  if (First >= 0xF0 && First <= 0xF4) {
    unsigned Low = First == 0xF0 ? 0x90 : 0x80;
    unsigned High = First == 0xF4 ? 0x8F : 0xBF;
    return Between(1, Low, High) && Tail(2) && Tail(3) ? 4 : 0;
  }
  return 0;
}

bool isForbiddenControl(unsigned char C) {
  return (C < 0x20 && C != '\t' && C != '\n' && C != '\r') || C == 0x7F;
}

bool isBlank(char C) { return C == ' ' || C == '\t'; }
bool isBreak(char C) { return C == '\n' || C == '\r'; }

} // namespace

YamlSource::YamlSource(std::string_view WithBom, FileName File)
    : Text(WithBom), File(std::move(File)) {
  constexpr std::string_view Bom = "\xEF\xBB\xBF";
  if (Text.substr(0, Bom.size()) == Bom) {
    BomBytes = Bom.size();
    Text.remove_prefix(Bom.size());
  }
  LineStarts.push_back(0);
  for (size_t I = 0; I < Text.size(); ++I)
    if (Text[I] == '\n')
      LineStarts.push_back(I + 1);
}

std::optional<YamlSource::BadByte> YamlSource::findBadByte() const {
  for (size_t I = 0; I < Text.size();) {
    size_t Length = utf8Length(Text.substr(I, 4));
    auto C = static_cast<unsigned char>(Text[I]);
    if (Length == 0 || isForbiddenControl(C)) {
      char Spelling[8];
      std::snprintf(Spelling, sizeof Spelling, "0x%02x", static_cast<unsigned>(C));
      return BadByte{locate(I, I + 1), Spelling};
    }
    I += Length;
  }
  return std::nullopt;
}

size_t YamlSource::offsetOf(const YAML::Mark &Mark) const {
  if (Mark.is_null() || Mark.line < 0)
    return 0;
  auto Line = static_cast<size_t>(Mark.line);
  if (Line >= LineStarts.size())
    return Text.size();
  return std::min(Text.size(), LineStarts[Line] + static_cast<size_t>(std::max(0, Mark.column)));
}

size_t YamlSource::endOfToken(size_t Offset) const {
  while (Offset < Text.size() && !isBlank(Text[Offset]) && !isBreak(Text[Offset]))
    ++Offset;
  return Offset;
}

size_t YamlSource::endOfLine(size_t Offset) const {
  while (Offset < Text.size() && !isBreak(Text[Offset]))
    ++Offset;
  return Offset;
}

size_t YamlSource::skipAnchor(size_t Offset) const {
  if (Offset >= Text.size() || Text[Offset] != '&')
    return Offset;
  size_t After = endOfToken(Offset);
  while (After < Text.size() && isBlank(Text[After]))
    ++After;
  // A value on the next line: the anchor is the better place.
  return After < Text.size() && !isBreak(Text[After]) ? After : Offset;
}

Location YamlSource::locate(size_t Begin, size_t End) const {
  auto Next = std::upper_bound(LineStarts.begin(), LineStarts.end(), Begin);
  auto Line = static_cast<unsigned>(Next - LineStarts.begin());
  auto Column = static_cast<unsigned>(Begin - LineStarts[Line - 1] + 1);
  if (Line == 1)
    Column += BomBytes;
  return Location::span(File, Line, Column, static_cast<unsigned>(End - Begin));
}

Location YamlSource::tokenAt(const YAML::Mark &Mark) const {
  size_t Begin = skipAnchor(offsetOf(Mark));
  size_t End = Begin;
  char First = Begin < Text.size() ? Text[Begin] : '\n';
  if (First == '!') {
    End = endOfToken(Begin);
  } else {
    // Names, aliases and numbers whole; punctuation alone.
    auto IsWord = [](char C) {
      return std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == '-' || C == '.' ||
             static_cast<unsigned char>(C) >= 0x80;
    };
    if (First == '*' || First == '&')
      ++End;
    while (End < Text.size() && IsWord(Text[End]))
      ++End;
  }
  return locate(Begin, std::max(End, Begin + 1));
}

Location YamlSource::scalarAt(const YAML::Mark &Mark, std::string_view Value) const {
  size_t Begin = skipAnchor(offsetOf(Mark));
  if (Begin >= Text.size())
    return tokenAt(Mark);
  char First = Text[Begin];
  if (First == '"' || First == '\'') {
    size_t End = Begin + 1;
    while (End < Text.size() && Text[End] != First && !isBreak(Text[End]))
      End += Text[End] == '\\' && First == '"' ? 2 : 1;
    return locate(Begin, std::min(End + 1, Text.size()));
  }
  if (First == '|' || First == '>') {
    size_t Content = endOfLine(Begin);
    while (Content < Text.size() && (isBlank(Text[Content]) || isBreak(Text[Content])))
      ++Content;
    return Content < Text.size() && !Value.empty() ? locate(Content, Content + 1)
                                                   : locate(Begin, Begin + 1);
  }
  if (!Value.empty() && Text.substr(Begin, Value.size()) == Value &&
      Value.find('\n') == std::string_view::npos)
    return locate(Begin, Begin + Value.size());
  return tokenAt(Mark);
}

Location YamlSource::nullAt(const YAML::Mark &Mark) const {
  size_t Begin = skipAnchor(offsetOf(Mark));
  for (std::string_view Null : {"~", "null", "Null", "NULL"})
    if (Text.substr(Begin, Null.size()) == Null)
      return locate(Begin, Begin + Null.size());
  return {};
}

std::string YamlSource::nameAt(const YAML::Mark &Mark) const {
  // An error about an alias may be marked at the `*` or right after it.
  size_t Begin = offsetOf(Mark);
  while (Begin < Text.size() && (Text[Begin] == '*' || Text[Begin] == '&'))
    ++Begin;
  size_t End = Begin;
  while (End < Text.size() && !isBlank(Text[End]) && !isBreak(Text[End]) &&
         std::string_view(",[]{}:").find(Text[End]) == std::string_view::npos)
    ++End;
  return std::string(Text.substr(Begin, End - Begin));
}

} // namespace septran::compiler
