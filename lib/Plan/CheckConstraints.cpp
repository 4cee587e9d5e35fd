//===- CheckConstraints.cpp - what a mapping demands of its tunables ------===//
#include "Plan/CheckConstraints.h"

#include "IR/Parse.h"

#include <algorithm>
#include <cctype>

namespace septran::compiler {

namespace {

using TunableValues = std::map<std::string, std::int64_t>; ///< -1 stands for full

/// Does `Word`, which may have dots in it, stand in the text by itself?
bool namesWord(const std::string &Text, const std::string &Word) {
  auto IsPart = [](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == '.';
  };
  for (size_t At = Text.find(Word); At != std::string::npos; At = Text.find(Word, At + 1)) {
    size_t End = At + Word.size();
    if ((At == 0 || !IsPart(Text[At - 1])) && (End == Text.size() || !IsPart(Text[End])))
      return true;
  }
  return false;
}

void checkConstraint(const LocatedName &C, const TunableValues &Tunables, Diagnostics &D) {
  ParseNames Names;
  std::string Text = C.Value, Values;
  for (const auto &[Name, Value] : Tunables) {
    if (Value < 0 && namesWord(Text, Name)) {
      D.report(DiagID::ConstraintFull, C.Loc, C.Value, Name);
      return;
    }
    if (Value < 0)
      continue;
    std::string Word = Name; // `instance.tunable` is one word to the parser, of the same length
    std::replace(Word.begin(), Word.end(), '.', '_');
    Names.Scalars[Word] = intLit(Value);
    for (size_t At = Text.find(Name); Word != Name && At != std::string::npos;
         At = Text.find(Name, At))
      Text.replace(At, Name.size(), Word);
    if (namesWord(C.Value, Name))
      Values += (Values.empty() ? "" : ", ") + Name + " is " + std::to_string(Value);
  }
  Expr Holds = parseExpr(Text, Names, {C.Loc.File, C.Loc.Line, C.Loc.Column}, D);
  if (Holds && constantValue(Holds) && *constantValue(Holds) == 0)
    D.report(DiagID::ConstraintFails, C.Loc, C.Value, Values);
}

} // namespace

void checkConstraints(const InstanceInfo &I, Diagnostics &D) {
  if (I.Settings)
    for (const LocatedName &C : I.Settings->Constraints)
      checkConstraint(C, I.Tunables, D);
}

void checkFileConstraints(const Program &P, Diagnostics &D) {
  TunableValues All;
  for (const InstanceRef &I : P.Instances)
    for (const auto &[Name, Value] : I->Tunables)
      All[I->Name + "." + Name] = Value;
  for (const LocatedName &C : P.Map->Constraints)
    checkConstraint(C, All, D);
}

} // namespace septran::compiler
