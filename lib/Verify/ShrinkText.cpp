//===- ShrinkText.cpp - the smallest text that still fails ----------------===//
#include "Verify/ShrinkText.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <vector>

namespace septran::compiler {

namespace {

std::vector<std::string> linesOf(const std::string &Text) {
  std::vector<std::string> Lines;
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size() - 1);
    Lines.push_back(Text.substr(At, End + 1 - At));
    At = End + 1;
  }
  return Lines;
}

size_t indent(const std::string &Line) { return Line.find_first_not_of(' '); }

class Shrinker {
  unsigned Budget;
  llvm::function_ref<bool(const std::string &)> Fails;
  unsigned Asked = 0;
  std::vector<std::string> Lines;

  bool keeps(const std::vector<std::string> &Candidate) {
    if (Asked >= Budget || Candidate == Lines)
      return false;
    ++Asked;
    std::string Text;
    for (const std::string &L : Candidate)
      Text += L;
    if (!Fails(Text))
      return false;
    Lines = Candidate;
    return true;
  }

  /// A line together with those below it that are indented further: an instance, a function.
  size_t endOfBlock(size_t Line) const {
    size_t Depth = indent(Lines[Line]), End = Line + 1;
    while (End < Lines.size() && indent(Lines[End]) != std::string::npos &&
           indent(Lines[End]) > Depth)
      ++End;
    return End;
  }

  bool withoutRange(size_t From, size_t To) {
    std::vector<std::string> Candidate(Lines.begin(), Lines.begin() + From);
    Candidate.insert(Candidate.end(), Lines.begin() + To, Lines.end());
    return keeps(Candidate);
  }

  bool dropBlocks() {
    bool Any = false;
    for (size_t L = Lines.size(); L-- > 0;)
      if (L < Lines.size() && endOfBlock(L) > L + 1)
        Any |= withoutRange(L, endOfBlock(L));
    return Any;
  }

  /// Chunks of lines, halved until they are single lines.
  bool dropLines() {
    bool Any = false;
    for (size_t Size = std::max<size_t>(Lines.size() / 4, 1); Size > 0; Size /= 2)
      for (size_t From = Lines.size(); From > 0;) {
        From = From > Size ? From - Size : 0;
        Any |= From < Lines.size() && withoutRange(From, std::min(From + Size, Lines.size()));
      }
    return Any;
  }

  /// `key: {a: 1, b: 2}`: the parts of a list in one line.
  bool dropItems() {
    bool Any = false;
    for (size_t L = 0; L < Lines.size(); ++L)
      for (size_t At = Lines[L].size(); At-- > 0;) {
        if (At >= Lines[L].size() || (Lines[L][At] != ',' && Lines[L][At] != '{'))
          continue;
        size_t End = Lines[L].find_first_of(",}", At + 1);
        if (End == std::string::npos)
          continue;
        std::vector<std::string> Candidate = Lines;
        size_t From = Lines[L][At] == '{' ? At + 1 : At;
        size_t To = Lines[L][At] == '{' && Lines[L][End] == ',' ? End + 1 : End;
        Candidate[L].erase(From, To - From);
        Any |= keeps(Candidate);
      }
    return Any;
  }

  bool lowerNumbers() {
    bool Any = false;
    for (size_t L = 0; L < Lines.size(); ++L)
      for (size_t At = 0; At < Lines[L].size(); ++At) {
        auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; };
        if (!llvm::isDigit(Lines[L][At]) || (At > 0 && IsWord(Lines[L][At - 1])))
          continue;
        size_t End = At;
        while (End < Lines[L].size() && llvm::isDigit(Lines[L][End]))
          ++End;
        if (End - At > 9 || (End < Lines[L].size() && IsWord(Lines[L][End])))
          continue;
        unsigned long Value = std::stoul(Lines[L].substr(At, End - At));
        for (unsigned long Smaller : {1ul, 2ul, Value / 2}) {
          if (Smaller >= Value)
            continue;
          std::vector<std::string> Candidate = Lines;
          Candidate[L].replace(At, End - At, std::to_string(Smaller));
          if (keeps(Candidate)) {
            Any = true;
            break;
          }
        }
      }
    return Any;
  }

public:
  Shrinker(const std::string &Text, unsigned Budget,
           llvm::function_ref<bool(const std::string &)> Fails)
      : Budget(Budget), Fails(Fails), Lines(linesOf(Text)) {}

  ShrunkText run() {
    bool Any = true;
    while (Any && Asked < Budget) {
      Any = dropBlocks();
      Any |= dropLines();
      Any |= dropItems();
      Any |= lowerNumbers();
    }
    ShrunkText Result{"", Asked};
    for (const std::string &L : Lines)
      Result.Text += L;
    return Result;
  }
};

} // namespace

ShrunkText shrinkText(std::string Text, unsigned Budget,
                      llvm::function_ref<bool(const std::string &)> Fails) {
  return Shrinker(Text, Budget, Fails).run();
}

} // namespace septran::compiler
