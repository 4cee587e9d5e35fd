//===- LineMutator.cpp - mutations of YAML by lines and values ------------===//
//
// Random bytes break YAML's syntax, which yaml-cpp answers, long before a reader of ours sees a
// key. Here lines are deleted, repeated, moved and indented, alone or with all that is nested in
// them, and keys and values are exchanged, so that most inputs are YAML. Crossing over carries
// lines and values from one input to another.
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/Mutate.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using septran::fuzz::Draw;

namespace {

using Lines = std::vector<std::string>;

/// What a key may get beside the values that inputs hold.
const std::string_view Values[] = {"",
                                   "0",
                                   "-1",
                                   "1",
                                   "65536",
                                   "9223372036854775807",
                                   "1e400",
                                   "0x10",
                                   "true",
                                   "false",
                                   "~",
                                   "\"\"",
                                   "[]",
                                   "{}",
                                   "[1, 1]",
                                   "[a, a]",
                                   "{a: 1, a: 2}",
                                   "!tune [1, 2]",
                                   "full",
                                   "!tune true",
                                   "\"a b\"",
                                   "a",
                                   "1.5",
                                   "18446744073709551616",
                                   "*a",
                                   "&a 1",
                                   "'{x} {{y}'",
                                   "|",
                                   "[[1], {b: 2}]"};

Lines split(std::string_view Text) {
  Lines All;
  while (!Text.empty()) {
    const std::size_t End = std::min(Text.find('\n'), Text.size());
    All.emplace_back(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return All;
}

std::size_t indentOf(const std::string &Line) {
  return std::min(Line.find_first_not_of(' '), Line.size());
}

/// Where a scalar or a bracket of flow style ends, from `At`.
std::size_t endOfPiece(const std::string &Line, std::size_t At) {
  return std::min(Line.find_first_of(",:[]{}", At + 1), Line.size());
}

class Mutation {
  Draw &Random;
  Lines &All;
  const Lines &Other; ///< where new lines and pieces come from: this input or another

  /// The line at `From` of `List` and, often, what is nested in it.
  std::size_t endOfRun(const Lines &List, std::size_t From) {
    std::size_t End = From + 1;
    if (Random.below(3))
      while (End < List.size() && indentOf(List[End]) > indentOf(List[From]))
        ++End;
    return End;
  }

  /// A key, a value, or an element of one in flow style.
  std::string piece() {
    if (Other.empty() || Random.below(3) == 0)
      return std::string(Values[Random.below(std::size(Values))]);
    const std::string &Line = Other[Random.below(Other.size())];
    std::size_t At = indentOf(Line);
    for (std::size_t Skip = Random.below(6); Skip > 0 && endOfPiece(Line, At) < Line.size(); --Skip)
      At = endOfPiece(Line, At);
    std::string Piece = Line.substr(At, endOfPiece(Line, At) - At);
    Piece.erase(0, std::min(Piece.find_first_not_of(",: "), Piece.size()));
    return Piece;
  }

  void insertRun() {
    if (Other.empty())
      return;
    const std::size_t From = Random.below(Other.size());
    Lines Run(Other.begin() + static_cast<std::ptrdiff_t>(From),
              Other.begin() + static_cast<std::ptrdiff_t>(endOfRun(Other, From)));
    const std::size_t To = Random.below(All.size() + 1);
    // Mostly as deep as what stands there.
    if (To < All.size() && Random.below(4)) {
      const std::size_t Old = indentOf(Run[0]);
      const std::size_t New = indentOf(All[To]);
      for (std::string &Line : Run)
        Line.replace(0, std::min(Old, indentOf(Line)), std::string(New, ' '));
    }
    All.insert(All.begin() + static_cast<std::ptrdiff_t>(To), Run.begin(), Run.end());
  }

  void exchangePiece(std::string &Line) {
    std::size_t At = indentOf(Line);
    for (std::size_t Skip = Random.below(8); Skip > 0 && endOfPiece(Line, At) < Line.size(); --Skip)
      At = endOfPiece(Line, At);
    if (At < Line.size() && std::string_view(",:[{").find(Line[At]) != std::string_view::npos)
      At = std::min(At + 1, Line.size());
    while (At < Line.size() && Line[At] == ' ')
      ++At;
    const std::size_t End = std::min(Line.find_first_of(",:[]{}", At), Line.size());
    Line.replace(At, End - At, piece());
  }

public:
  Mutation(Draw &Random, Lines &All, const Lines &Other) : Random(Random), All(All), Other(Other) {}

  void once() {
    if (All.empty() || Random.below(4) == 0)
      return insertRun();
    const std::size_t At = Random.below(All.size());
    switch (Random.below(6)) {
    case 0:
      All.erase(All.begin() + static_cast<std::ptrdiff_t>(At),
                All.begin() + static_cast<std::ptrdiff_t>(endOfRun(All, At)));
      break;
    case 1: {
      const bool Deeper = Random.below(2);
      for (std::size_t I = At, End = endOfRun(All, At); I < End; ++I)
        if (Deeper)
          All[I].insert(0, "  ");
        else
          All[I].erase(0, std::min<std::size_t>(2, indentOf(All[I])));
      break;
    }
    default:
      exchangePiece(All[At]);
    }
  }
};

} // namespace

std::string septran::fuzz::mutate(std::string_view Text, std::string_view Other, Draw &Random) {
  Lines All = split(Text);
  const Lines Source = split(Other);
  Mutation M(Random, All, Source);
  for (std::size_t N = 1 + Random.below(3); N > 0; --N)
    M.once();
  std::string Result;
  for (const std::string &Line : All)
    Result += Line + "\n";
  return Result;
}
