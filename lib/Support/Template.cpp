//===- Support/Template.cpp - Text with {placeholders} ----------*- C++ -*-===//
#include "Support/Template.h"

#include "Support/DidYouMean.h"
#include "Support/YamlReader.h"

#include <algorithm>

namespace septran::compiler {

namespace {

bool isNameStart(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
}
bool isNamePart(char C) { return isNameStart(C) || (C >= '0' && C <= '9') || C == '.'; }

/// A piece of a template, from its beginning.
struct Piece {
  enum class Kind { Text, Placeholder, StrayBrace } K;
  std::string_view Value; ///< the text or name; for a stray brace the brace
  size_t Length;          ///< in the template
};

/// Text is not empty.
Piece nextPiece(std::string_view Text) {
  if (Text[0] != '{' && Text[0] != '}') {
    size_t End = std::min(Text.find_first_of("{}"), Text.size());
    return {Piece::Kind::Text, Text.substr(0, End), End};
  }
  if (Text.size() > 1 && Text[1] == Text[0])
    return {Piece::Kind::Text, Text.substr(0, 1), 2};
  size_t End = 1;
  while (End < Text.size() && isNamePart(Text[End]))
    ++End;
  bool IsName = Text[0] == '{' && End > 1 && isNameStart(Text[1]) && End < Text.size() &&
                Text[End] == '}';
  if (!IsName)
    return {Piece::Kind::StrayBrace, Text.substr(0, 1), 1};
  return {Piece::Kind::Placeholder, Text.substr(1, End - 1), End + 1};
}

template <class Function> void forEachPiece(std::string_view Template, Function F) {
  while (!Template.empty()) {
    Piece P = nextPiece(Template);
    F(P);
    Template.remove_prefix(P.Length);
  }
}

} // namespace

std::optional<std::string> expandTemplate(const LocatedName &Template,
                                          const std::map<std::string, std::string> &Values,
                                          Diagnostics &D) {
  std::string Result;
  bool Good = true;
  forEachPiece(Template.Value, [&](const Piece &P) {
    if (P.K == Piece::Kind::Text) {
      Result += P.Value;
      return;
    }
    if (P.K == Piece::Kind::StrayBrace) {
      D.report(DiagID::TemplateBrace, Template.Loc, P.Value);
      Good = false;
      return;
    }
    std::string Name(P.Value);
    auto Found = Values.find(Name);
    if (Found != Values.end()) {
      Result += Found->second;
      return;
    }
    std::vector<std::string> Known;
    for (const auto &Value : Values)
      Known.push_back(Value.first);
    D.report(DiagID::TemplatePlaceholder, Template.Loc, Name, didYouMean(Name, Known),
             listAlternatives(Known));
    Good = false;
  });
  return Good ? std::optional(Result) : std::nullopt;
}

std::set<std::string> placeholdersOf(std::string_view Template) {
  std::set<std::string> Names;
  forEachPiece(Template, [&](const Piece &P) {
    if (P.K == Piece::Kind::Placeholder)
      Names.emplace(P.Value);
  });
  return Names;
}

} // namespace septran::compiler
