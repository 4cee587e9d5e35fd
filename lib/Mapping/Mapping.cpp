//===- Mapping/Mapping.cpp - Look-ups and spellings -------------*- C++ -*-===//
#include "Mapping/Mapping.h"
#include "Mapping/Spellings.h"

namespace septran::compiler {

const CallMapping *InstanceMapping::findCall(std::string_view Callee, unsigned Site) const {
  const CallMapping *Any = nullptr;
  for (const CallMapping &C : Calls) {
    if (C.Key.Value.Callee != Callee)
      continue;
    if (C.Key.Value.Site == Site)
      return &C;
    if (!C.Key.Value.Site)
      Any = &C;
  }
  return Any;
}

std::optional<std::pair<std::string, unsigned>> parseExtentName(std::string_view Text) {
  constexpr std::string_view Middle = ".extent(";
  const size_t At = Text.find(Middle);
  if (At == 0 || At == std::string_view::npos || !Text.ends_with(")"))
    return std::nullopt;
  const std::string_view Number = Text.substr(At + Middle.size(), Text.size() - At - Middle.size() - 1);
  if (Number.size() != 1 || Number[0] < '0' || Number[0] > '9')
    return std::nullopt;
  return std::pair(std::string(Text.substr(0, At)), unsigned(Number[0] - '0'));
}

const InstanceMapping *Mapping::find(std::string_view Instance) const {
  for (const InstanceMapping &I : Instances)
    if (I.Name.Value == Instance)
      return &I;
  return nullptr;
}

const TunePoint *Mapping::findTunePoint(std::string_view Path) const {
  for (const TunePoint &T : TunePoints)
    if (T.Path == Path)
      return &T;
  return nullptr;
}

std::vector<std::string> Mapping::instanceNames() const {
  std::vector<std::string> Names;
  for (const InstanceMapping &I : Instances)
    Names.push_back(I.Name.Value);
  return Names;
}

std::vector<std::string> TunePoint::candidates() const {
  std::vector<std::string> Result;
  switch (K) {
  case Kind::Choice:
    for (const LocatedName &V : Values)
      Result.push_back(V.Value);
    break;
  case Kind::Range:
    for (int64_t V = Min;; V += Step) {
      Result.push_back(std::to_string(V));
      if (Max - V < Step)
        break;
    }
    break;
  case Kind::Pow2:
    for (int64_t V = 1;; V *= 2) {
      if (V >= Min && V <= Max)
        Result.push_back(std::to_string(V));
      if (V > Max / 2)
        break;
    }
    break;
  case Kind::Bool:
    Result = {"false", "true"};
    break;
  }
  return Result;
}

std::string toString(const Extent &E) {
  if (!E.isForTeam())
    return E.Full ? "full" : std::to_string(E.Value);
  const std::string Step = E.Step == 1 ? "" : ", multiple_of: " + std::to_string(E.Step);
  const std::string PerCore =
      E.PerCore == 1 ? "" : ", blocks_per_core: " + std::to_string(E.PerCore);
  return "{at_most: " + std::to_string(E.Value) + Step + PerCore + "}";
}

std::string toString(const CallKey &K) {
  return K.Site ? K.Callee + "#" + std::to_string(*K.Site) : K.Callee;
}

std::string toString(const Layout &L) {
  std::string Text = spell(LayoutSpellings, L.K);
  for (size_t I = 0; I < L.Ints.size(); ++I)
    Text += (I == 0 ? "(" : ", ") + std::to_string(L.Ints[I]);
  return L.Ints.empty() ? Text : Text + ")";
}

std::string toString(const Order &O) {
  std::string Text = spell(OrderSpellings, O.K);
  return O.K == Order::Kind::Grouped ? Text + "(" + std::to_string(O.Group) + ")" : Text;
}

std::string toString(Parallelize::Schedule S) { return spell(ScheduleSpellings, S); }

std::string toString(StoreKind K) { return spell(StoreSpellings, K); }

} // namespace septran::compiler
