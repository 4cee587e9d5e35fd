//===- Mapping/Tune.cpp ----------------------------------------*- C++ -*-===//
#include "Mapping/Tune.h"
#include "Mapping/Spellings.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

namespace {

constexpr int64_t MaxCandidates = 4096;

std::shared_ptr<YamlNode> scalar(std::string Text, const Location &Loc) {
  auto Node = std::make_shared<YamlNode>();
  Node->K = YamlNode::Kind::Scalar;
  Node->Text = std::move(Text);
  Node->Loc = Loc;
  return Node;
}

/// Tuned values are scalars of any type; the reader of the setting decides whether they fit.
std::optional<std::string> readCandidate(const YamlNode &N, std::string_view What, Diagnostics &D) {
  return readString(N, What, D);
}

void readChoice(const YamlNode &List, TunePoint &Point, Diagnostics &D) {
  auto Values = readItems<std::string>(List, "values", D, readCandidate);
  if (!Values)
    return;
  std::set<std::string> Seen;
  for (LocatedName &V : *Values) {
    if (Seen.insert(V.Value).second)
      Point.Values.push_back(std::move(V));
    else
      D.report(DiagID::DuplicateValue, V.Loc, "values", V.Value);
  }
  if (Values->empty())
    D.report(DiagID::TuneNoValues, Point.Loc, "'values' with at least one value");
}

void readBounds(YamlMap &Map, TunePoint &Point, Diagnostics &D) {
  // Bounds keep the number of candidates and their arithmetic far from overflow.
  constexpr int64_t Bound = int64_t(1) << 48;
  const bool IsPow2 = Point.K == TunePoint::Kind::Pow2;
  Located<int64_t> Min(1), Max, Step(1);
  bool HaveMin = Map.readRequired("min", Min, integerReader(IsPow2 ? 1 : -Bound, Bound));
  bool HaveMax = Map.readRequired("max", Max, integerReader(IsPow2 ? 1 : -Bound, Bound));
  if (!IsPow2)
    Map.read("step", Step, integerReader(1, Bound));
  Point.Min = Min.Value;
  Point.Max = Max.Value;
  Point.Step = Step.Value;
  if (!HaveMin || !HaveMax)
    return;
  if (Point.Max < Point.Min || (IsPow2 && Point.candidates().empty()))
    D.report(DiagID::TuneRange, Max.Loc, Point.Min, Point.Max);
  else if ((Point.Max - Point.Min) / Point.Step >= MaxCandidates && !IsPow2)
    D.report(DiagID::TuneTooMany, Point.Loc, MaxCandidates);
}

/// Reads what stands after the tag. Nothing if it offers no value.
std::optional<TunePoint> readTunePoint(const YamlNode &N, std::string Path, Diagnostics &D) {
  TunePoint Point;
  Point.Path = std::move(Path);
  Point.Loc = N.Loc;
  unsigned Errors = D.errorCount();
  if (N.isSequence()) {
    readChoice(N, Point, D);
  } else if (N.isMap()) {
    YamlMap Map(N, "'!tune'", D);
    Located<TunePoint::Kind> Kind;
    Map.read("type", Kind, enumReader(TuneSpellings));
    Point.K = Kind.Value;
    if (Point.K == TunePoint::Kind::Choice) {
      if (const YamlEntry *Values = Map.require("values"))
        readChoice(*Values->Value, Point, D);
    } else if (Point.K != TunePoint::Kind::Bool) {
      readBounds(Map, Point, D);
    }
    Map.read("default", Point.Default, readCandidate);
    Map.finish();
  } else {
    D.report(DiagID::TuneNoValues, N.Loc, "'!tune [values]' or '!tune {type: ..., ...}'");
  }
  if (D.errorCount() != Errors)
    return std::nullopt;
  return Point;
}

/// Puts `Default`, an override or the first candidate in `Chosen`.
void choose(TunePoint &Point, const std::map<std::string, std::string> &Choices, Diagnostics &D) {
  std::vector<std::string> Candidates = Point.candidates();
  auto Offers = [&](const std::string &Value) {
    return std::find(Candidates.begin(), Candidates.end(), Value) != Candidates.end();
  };
  Point.Chosen = Candidates.front();
  if (Point.Default && Offers(Point.Default->Value))
    Point.Chosen = Point.Default->Value;
  else if (Point.Default)
    D.report(DiagID::TuneDefault, Point.Default->Loc, Point.Default->Value)
        .note(DiagID::NoteTunePoint, Point.Loc);
  auto Choice = Choices.find(Point.Path);
  if (Choice == Choices.end())
    return;
  if (!Offers(Choice->second)) {
    constexpr size_t MaxShown = 16;
    if (Candidates.size() > MaxShown)
      Candidates.resize(MaxShown);
    D.report(DiagID::TuneChoice, Point.Loc, Choice->second, Point.Path,
             listAlternatives(Candidates));
    return;
  }
  // An override becomes the default, so that the printed mapping says the same as the value.
  Point.Chosen = Choice->second;
  Point.Default = LocatedName(Choice->second, Point.Loc);
}

/// What stands in the tree for a tuned value: the chosen scalar, with the others beside it. Of a
/// range only the ends are checked; the readers of integers accept intervals.
YamlPtr replacement(const YamlNode &N, const TunePoint &Point) {
  auto LocationOf = [&](const std::string &Value) {
    for (const LocatedName &V : Point.Values)
      if (V.Value == Value)
        return V.Loc;
    return Point.Loc;
  };
  auto Result = scalar(Point.Chosen, LocationOf(Point.Chosen));
  Result->AliasUse = N.AliasUse;
  std::vector<std::string> Candidates = Point.candidates();
  if (Point.K == TunePoint::Kind::Range || Point.K == TunePoint::Kind::Pow2)
    Candidates = {Candidates.front(), Candidates.back()};
  for (const std::string &Value : Candidates)
    if (Value != Point.Chosen)
      Result->Alternatives.push_back(scalar(Value, LocationOf(Value)));
  return Result;
}

} // namespace

YamlPtr chooseTuned(const YamlPtr &Node, const std::string &Path,
                    const std::map<std::string, std::string> &Choices,
                    std::vector<TunePoint> &Points, Diagnostics &D) {
  if (Node->Tag == "!tune") {
    YamlNode Bare = *Node;
    Bare.Tag.clear();
    std::optional<TunePoint> Point = readTunePoint(Bare, Path, D);
    if (!Point)
      return nullptr;
    choose(*Point, Choices, D);
    Points.push_back(*Point);
    return replacement(*Node, *Point);
  }
  if (!Node->isMap() && !Node->isSequence())
    return Node;
  auto Result = std::make_shared<YamlNode>(*Node);
  Result->Entries.clear();
  Result->Items.clear();
  for (const YamlEntry &E : Node->Entries)
    if (YamlPtr Value = chooseTuned(E.Value, Path + "." + E.Key.Value, Choices, Points, D))
      Result->Entries.push_back({E.Key, std::move(Value)});
  for (size_t I = 0; I < Node->Items.size(); ++I)
    if (YamlPtr Value =
            chooseTuned(Node->Items[I], Path + "." + std::to_string(I), Choices, Points, D))
      Result->Items.push_back(std::move(Value));
  return Result;
}

} // namespace septran::compiler
