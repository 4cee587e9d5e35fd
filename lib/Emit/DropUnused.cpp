//===- DropUnused.cpp - definitions that nothing names --------------------===//
#include "Emit/DropUnused.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <vector>

namespace septran::compiler {

namespace {

std::vector<std::string_view> identifiersOf(std::string_view Line) {
  std::vector<std::string_view> Names;
  for (size_t I = 0; I < Line.size();) {
    auto IsWord = [&](size_t At) {
      return At < Line.size() && (std::isalnum(uint8_t(Line[At])) || Line[At] == '_');
    };
    if (Line.substr(I, 2) == "//")
      break;
    if (!IsWord(I)) {
      ++I;
      continue;
    }
    size_t Begin = I;
    while (IsWord(I))
      ++I;
    Names.push_back(Line.substr(Begin, I - Begin));
  }
  return Names;
}

/// The name that a marked line defines: the last identifier before its initialiser or the end.
std::string_view definedName(std::string_view Line) {
  std::vector<std::string_view> Names =
      identifiersOf(Line.substr(0, std::min(Line.find(" = "), Line.find('('))));
  return Names.empty() ? std::string_view() : Names.back();
}

struct SourceLine {
  std::string_view Text;
  bool Marked = false;
  bool Dropped = false;
};

} // namespace

std::set<std::string_view> identifiersIn(const std::string &Text) {
  std::set<std::string_view> Result;
  for (size_t At = 0; At < Text.size();) {
    const size_t End = std::min(Text.find('\n', At), Text.size());
    for (const std::string_view Name : identifiersOf(std::string_view(Text).substr(At, End - At)))
      Result.insert(Name);
    At = End + 1;
  }
  return Result;
}

std::string dropUnusedDefinitions(const std::string &Text) {
  std::vector<SourceLine> Lines;
  std::map<std::string_view, int> Mentions;
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    std::string_view Line(Text.data() + At, End - At);
    Lines.push_back({Line, Line.find(MaybeUnused) != std::string_view::npos, false});
    for (std::string_view Name : identifiersOf(Line))
      ++Mentions[Name];
    At = End + 1;
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (SourceLine &L : Lines) {
      if (!L.Marked || L.Dropped || Mentions[definedName(L.Text)] > 1)
        continue;
      L.Dropped = Changed = true;
      for (std::string_view Name : identifiersOf(L.Text))
        --Mentions[Name];
    }
  }
  std::string Result;
  for (const SourceLine &L : Lines) {
    if (L.Dropped)
      continue;
    std::string Line(L.Text);
    if (L.Marked)
      Line.erase(Line.find(MaybeUnused), std::string_view(MaybeUnused).size());
    Result += Line + "\n";
  }
  return Result;
}

} // namespace septran::compiler
