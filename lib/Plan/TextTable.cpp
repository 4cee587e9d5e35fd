//===- TextTable.cpp - aligned columns within a page ----------------------===//
#include "Plan/TextTable.h"

#include <algorithm>

namespace septran::compiler {

namespace {

constexpr std::size_t Gap = 2, Narrowest = 20;

std::vector<std::string> wrap(const std::string &Text, std::size_t Width) {
  std::vector<std::string> Lines;
  std::string Line;
  for (std::size_t At = 0; At < Text.size();) {
    std::size_t End = std::min(Text.find(' ', At), Text.size());
    std::string Word = Text.substr(At, End - At);
    if (!Line.empty() && Line.size() + 1 + Word.size() > Width) {
      Lines.push_back(std::move(Line));
      Line.clear();
    }
    Line += (Line.empty() ? "" : " ") + Word;
    At = End + 1;
  }
  if (!Line.empty() || Lines.empty())
    Lines.push_back(std::move(Line));
  return Lines;
}

std::string padded(const std::string &Text, std::size_t Width, bool Right) {
  std::string Space(Width > Text.size() ? Width - Text.size() : 0, ' ');
  return Right ? Space + Text : Text + Space;
}

} // namespace

void TextTable::addOnce(std::vector<std::string> Cells) {
  if (Present.insert(Cells).second)
    add(std::move(Cells));
}

std::string TextTable::text(std::size_t Indent, std::size_t PageWidth) const {
  std::vector<std::size_t> Widths;
  for (const auto &Row : Rows) {
    Widths.resize(std::max(Widths.size(), Row.size()));
    for (std::size_t C = 0; C < Row.size(); ++C)
      Widths[C] = std::max(Widths[C], Row[C].size());
  }
  if (Flexible < Widths.size()) {
    std::size_t Others = Indent;
    for (std::size_t C = 0; C < Widths.size(); ++C)
      Others += C == Flexible || Widths[C] == 0 ? 0 : Widths[C] + Gap;
    std::size_t Rest = PageWidth > Others ? PageWidth - Others : 0;
    Widths[Flexible] = std::min(Widths[Flexible], std::max(Rest, Narrowest));
  }
  std::vector<std::vector<std::string>> Wrapped;
  std::size_t Widest = 0;
  for (const auto &Row : Rows) {
    Wrapped.push_back(Flexible < Row.size() ? wrap(Row[Flexible], Widths[Flexible])
                                            : std::vector<std::string>{""});
    for (const std::string &Line : Wrapped.back())
      Widest = std::max(Widest, Line.size());
  }
  if (Flexible < Widths.size())
    Widths[Flexible] = Widest;
  std::string Out;
  for (std::size_t R = 0; R < Rows.size(); ++R) {
    const auto &Row = Rows[R];
    const std::vector<std::string> &Lines = Wrapped[R];
    for (std::size_t L = 0; L < Lines.size(); ++L) {
      std::string Line(Indent, ' ');
      for (std::size_t C = 0; C < Row.size(); ++C) {
        if (Widths[C] == 0)
          continue;
        const std::string &Cell = C == Flexible ? Lines[L] : L == 0 ? Row[C] : std::string();
        Line += padded(Cell, Widths[C], C < Right.size() && Right[C]) + std::string(Gap, ' ');
      }
      Line.erase(Line.find_last_not_of(' ') + 1);
      Out += Line + "\n";
    }
  }
  return Out;
}

} // namespace septran::compiler
