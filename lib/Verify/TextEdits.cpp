//===- TextEdits.cpp -------------------------------------------------------===//
#include "Verify/TextEdits.h"

#include <algorithm>
#include <vector>

namespace septran::compiler {

bool TextEdits::replace(unsigned Begin, unsigned End, const std::string &Text) {
  auto Next = Replaced.upper_bound(Begin);
  if (Next != Replaced.end() && Next->first < End)
    return false;
  if (Next != Replaced.begin()) {
    auto Before = std::prev(Next);
    if (Before->first == Begin)
      return Before->second == std::pair(End, Text);
    if (Before->second.first > Begin)
      return false;
  }
  Replaced.emplace(Begin, std::pair(End, Text));
  return true;
}

bool TextEdits::wrap(unsigned Begin, unsigned End, unsigned Level, const std::string &Before,
                     const std::string &After) {
  const auto [It, New] = Wrapped.try_emplace({Begin, End, Level}, Before, After);
  return New || It->second == std::pair(Before, After);
}

std::string TextEdits::apply(std::string_view Source, unsigned Begin, unsigned End) const {
  struct Insertion {
    unsigned At;
    bool Closes;
    unsigned Other; ///< the other end of the range
    unsigned Level;
    std::string Text;
  };
  std::vector<Insertion> Insertions;
  for (const auto &[Range, Texts] : Wrapped) {
    const auto [From, To, Level] = Range;
    if (From >= Begin && To <= End) {
      Insertions.push_back({From, false, To, ~Level, Texts.first});
      Insertions.push_back({To, true, From, Level, Texts.second});
    }
  }
  // At one place: what ends there before what begins there; the inner end first, the outer begin
  // first.
  std::sort(Insertions.begin(), Insertions.end(), [](const Insertion &A, const Insertion &B) {
    return std::tuple(A.At, !A.Closes, ~A.Other, A.Level) <
           std::tuple(B.At, !B.Closes, ~B.Other, B.Level);
  });

  std::string Result;
  unsigned At = Begin;
  auto Next = Insertions.begin();
  auto Change = Replaced.lower_bound(Begin);
  while (At < End || Next != Insertions.end()) {
    for (; Next != Insertions.end() && Next->At <= At; ++Next)
      Result += Next->Text;
    if (At >= End)
      break;
    if (Change != Replaced.end() && Change->first == At && Change->second.first <= End) {
      Result += Change->second.second;
      At = Change->second.first;
      ++Change;
      continue;
    }
    unsigned Stop = End;
    if (Next != Insertions.end())
      Stop = std::min(Stop, Next->At);
    if (Change != Replaced.end() && Change->first > At)
      Stop = std::min(Stop, Change->first);
    Result += Source.substr(At, Stop - At);
    At = Stop;
  }
  return Result;
}

} // namespace septran::compiler
