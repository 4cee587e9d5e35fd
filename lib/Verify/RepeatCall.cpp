//===- RepeatCall.cpp - the command that repeats one call -----------------===//
#include "Verify/RepeatCall.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <iterator>

namespace septran::compiler {

std::string callText(const Case &C) {
  return std::string(name(C.Lies)) + ", " + std::string(name(C.Pattern)) + ", seed " +
         std::to_string(C.Seed) + ", " + std::to_string(C.Threads) +
         (C.Threads == 1 ? " thread" : " threads");
}

std::optional<Case> parseCall(const std::string &Text, std::string &Problem) {
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  llvm::StringRef(Text).split(Parts, ',');
  Case C;
  const auto Named = [](llvm::StringRef Part, auto &Choices, auto &Into) {
    const auto *Found =
        std::find_if(std::begin(Choices), std::end(Choices),
                     [&](auto Choice) { return Part == llvm::StringRef(name(Choice)); });
    if (Found == std::end(Choices))
      return false;
    Into = *Found;
    return true;
  };
  for (llvm::StringRef &Part : Parts)
    Part = Part.trim();
  llvm::StringRef Seed = Parts.size() == 4 ? Parts[2] : "", Threads = Parts.size() == 4 ? Parts[3] : "";
  const bool Good = Parts.size() == 4 && Named(Parts[0], AllArrangements, C.Lies) &&
                    Named(Parts[1], AllPatterns, C.Pattern) && Seed.consume_front("seed ") &&
                    !Seed.getAsInteger(10, C.Seed) &&
                    (Threads.consume_back(" threads") || Threads.consume_back(" thread")) &&
                    !Threads.getAsInteger(10, C.Threads) && C.Threads > 0;
  if (Good)
    return C;
  Problem = "expected a call as failures name it, such as '" + callText({}) + "', found '" + Text +
            "'";
  return std::nullopt;
}

namespace {

/// `1,3..5`
std::string valuesText(const std::vector<std::int64_t> &Sorted) {
  std::string Text;
  for (size_t From = 0, To = 0; From < Sorted.size(); From = To + 1) {
    for (To = From; To + 1 < Sorted.size() && Sorted[To + 1] == Sorted[To] + 1; ++To)
      continue;
    Text += (From ? "," : "") + std::to_string(Sorted[From]) +
            (To > From ? ".." + std::to_string(Sorted[To]) : "");
  }
  return Text;
}

} // namespace

std::vector<std::string> shapeArguments(const Case &C, const ShapeRelations &R) {
  std::vector<std::string> All;
  for (const EntryExtent &E : R.Extents)
    All.push_back(E.Name + "=" + std::to_string(C.Shape.at(E.Ref)));
  for (const auto &[Name, Value] : C.Scalars)
    All.push_back(Name + "=" + std::to_string(Value));
  for (const ElementValues &V : R.Values)
    if (!V.Stated.empty())
      All.push_back(R.Params[V.Param].Name + "=" + valuesText(V.Stated));
  return All;
}

namespace {

std::string quoted(const std::string &Word) {
  const bool Plain = !Word.empty() && std::all_of(Word.begin(), Word.end(), [](char Letter) {
    return llvm::isAlnum(Letter) || llvm::StringRef("_-+=./,:@%").contains(Letter);
  });
  if (Plain)
    return Word;
  std::string Text = "'";
  for (char Letter : Word)
    Text += Letter == '\'' ? "'\\''" : std::string(1, Letter);
  return Text + "'";
}

/// How many words from the first one on choose shapes, a call, or a mapping other than that one.
size_t wordsToDrop(llvm::ArrayRef<std::string> Words, llvm::StringRef Mapping) {
  llvm::StringRef Word = Words.front();
  if (!Word.consume_front("--") && !Word.consume_front("-"))
    return 0;
  auto [Option, Value] = Word.split('=');
  const bool ValueFollows = !Word.contains('=') && Words.size() > 1;
  if (ValueFollows)
    Value = Words[1];
  const bool IsOther = Option == "mapping" && Value != Mapping;
  if (!IsOther && Option != "shape" && Option != "shapes" && Option != "call")
    return 0;
  return ValueFollows ? 2 : 1;
}

} // namespace

std::string repeatCommand(const std::vector<std::string> &CommandLine, const std::string &Mapping,
                          const Case &C, const ShapeRelations &R) {
  std::string Options, Command;
  for (const std::string &Shape : shapeArguments(C, R))
    Options += " --shape " + quoted(Shape);
  Options += " --call " + quoted(callText(C));
  bool Placed = false;
  for (llvm::ArrayRef<std::string> Left = CommandLine; !Left.empty();) {
    if (const size_t Dropped = Placed ? 0 : wordsToDrop(Left, Mapping)) {
      Left = Left.drop_front(Dropped);
      continue;
    }
    if (!Placed && Left.front() == "--") {
      Command += Options;
      Placed = true;
    }
    Command += (Command.empty() ? "" : " ") + quoted(Left.front());
    Left = Left.drop_front();
  }
  return Placed ? Command : Command + Options;
}

} // namespace septran::compiler
