//===- FitMemory.cpp - the smallest change with which buffers fit ---------===//
//
// Where a tunable ends up in the extents of buffers is a matter of the whole middle end (views
// compose, tails clip, layouts pad), so the only honest answer comes from planning the program with
// the other value. That happens on the way to an error message only, and a bounded number of times.
//
//===----------------------------------------------------------------------===//
#include "Plan/FitMemory.h"

#include "Plan/MemoryUse.h"
#include "Plan/Passes.h"

#include <algorithm>

namespace septran::compiler {

namespace {

constexpr unsigned MaxTrials = 48;
constexpr unsigned MaxHalvings = 12;

struct Candidate {
  std::string Instance, Tunable;
  std::int64_t Value;
};

/// What does not fit into the memory, if anything.
std::optional<MemoryUse> overflowOf(const Program &P, const std::string &Name) {
  for (MemoryUse &U : memoryUse(P))
    if (U.In->Name.Value == Name && U.available() && U.Needed > *U.available())
      return std::move(U);
  return std::nullopt;
}

/// Tunables of the instances around the buffers, the largest buffer's first, from inside outwards.
std::vector<Candidate> candidatesFor(const MemoryUse &U) {
  std::vector<size_t> BySize = U.Worst;
  std::sort(BySize.begin(), BySize.end(), [&](size_t A, size_t B) {
    std::int64_t X = *U.Buffers[A].Amount, Y = *U.Buffers[B].Amount;
    return X != Y ? X > Y : A < B;
  });
  std::vector<Candidate> Result;
  std::set<std::pair<std::string, std::string>> Seen;
  for (size_t I : BySize)
    for (const InstanceInfo *Info = U.Buffers[I].Owner; Info; Info = Info->Caller)
      for (const auto &[Name, Value] : Info->Tunables)
        if (Info->Settings && Value > 1 && Seen.insert({Info->Name, Name}).second)
          Result.push_back({Info->Name, Name, Value});
  return Result;
}

std::shared_ptr<const Mapping> withTunable(const Mapping &Map, const Candidate &C,
                                           std::int64_t Value) {
  auto Changed = std::make_shared<Mapping>(Map);
  for (InstanceMapping &I : Changed->Instances) {
    if (I.Name.Value != C.Instance)
      continue;
    for (auto &E : I.Tunables)
      if (E.Name.Value == C.Tunable) {
        E.Value.Value = {false, Value};
        return Changed;
      }
    I.Tunables.Entries.push_back({{C.Tunable, I.Name.Loc}, {Extent{false, Value}, I.Name.Loc}});
  }
  return Changed;
}

} // namespace

std::string smallestFit(const std::string &Name, const TaskGraph &Graph,
                        std::shared_ptr<const Mapping> Map, std::shared_ptr<const Machine> Target) {
  Diagnostics Ignored;
  std::optional<Program> P = planToAllocate(planToPlace(Graph, Map, Target, Ignored), Ignored);
  std::optional<MemoryUse> Use = P ? overflowOf(*P, Name) : std::nullopt;
  if (!Use)
    return "";
  std::vector<Candidate> Candidates = candidatesFor(*Use);
  unsigned Trials = 0;
  for (unsigned Halvings = 1; Halvings <= MaxHalvings; ++Halvings)
    for (const Candidate &C : Candidates) {
      std::int64_t Value = C.Value >> Halvings;
      if (Value < 1)
        continue;
      if (++Trials > MaxTrials)
        return "";
      std::optional<Program> Other = planToAllocate(
          planToPlace(Graph, withTunable(*Map, C, Value), Target, Ignored), Ignored);
      if (Other && !overflowOf(*Other, Name))
        return C.Tunable + ": " + std::to_string(Value) + " in '" + C.Instance + "' fits";
    }
  return "";
}

} // namespace septran::compiler
