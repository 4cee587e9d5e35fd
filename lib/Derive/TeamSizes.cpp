//===- TeamSizes.cpp - blocks as many as a team needs ---------------------===//
#include "Derive/TeamSizes.h"

#include "llvm/ADT/STLExtras.h"

namespace septran::compiler {

namespace {

/// Blocks that nothing is known of are walked in pieces of so many elements, as vectors are.
constexpr std::int64_t UsualStep = 64;

/// The size of that name: `full` if it is not of numbers. Nothing if N has none.
std::optional<Extent> sizeIn(const MappingNode &N, const std::string &Name) {
  for (const Tunable &T : N.Task->Tunables)
    if (T.V->Name == Name)
      return sizeOf(N, T).value_or(Extent{true, 0});
  return std::nullopt;
}

/// That of the blocks which those of N are cut into: of the first instance below that cuts, or
/// `full` if none does.
std::optional<Extent> sizeBelow(const MappingNode &N, const std::string &Name) {
  std::optional<Extent> Result;
  for (const MappingNode &Child : N.Children) {
    std::optional<Extent> Size = sizeIn(Child, Name);
    if (!Size || Size->Full)
      if (const std::optional<Extent> Below = sizeBelow(Child, Name))
        Size = Below;
    if (Size && !Size->Full)
      return Size;
    Result = Result ? Result : Size;
  }
  return Result;
}

/// What blocks of at most so many elements are made of; nothing if they had better stay whole, such
/// as those that registers hold.
std::optional<std::int64_t> stepOf(const MappingNode &N, const std::string &Name, std::int64_t Most,
                                   const MachineChoices &M) {
  std::int64_t Step = std::min(Most & -Most, UsualStep);
  if (const std::optional<Extent> Below = sizeBelow(N, Name))
    Step = Below->Full ? Most : Below->Value;
  else if (hasRegisters(N, M))
    return std::nullopt;
  return 1 <= Step && Step < Most ? std::optional(Step) : std::nullopt;
}

/// What a longer block must cost at most in a shorter one: a team gets fewer of them.
constexpr double WorthLonger = 0.98;

/// A size that a team may choose.
struct TeamSize {
  TreePath Path;
  std::string Name;
  std::int64_t Most, Step;
};

std::vector<TeamSize> teamSizes(const SearchSpace &Space, MappingNode &Root) {
  std::vector<TeamSize> Result;
  for (const TreePath &Path : pathsOf(Root)) {
    const MappingNode &Here = nodeAt(Root, Path);
    if (Here.Level >= Space.Choices.Core)
      continue;
    for (const Tunable &T : Here.Task->Tunables) {
      const std::string &Name = T.V->Name;
      const std::optional<Extent> Most = sizeOf(Here, T);
      if (!Most || Most->Full)
        continue;
      if (const std::optional<std::int64_t> Step = stepOf(Here, Name, Most->Value, Space.Choices))
        Result.push_back({Path, Name, Most->Value, *Step});
    }
  }
  return Result;
}

/// Each twice as long as often as that is better.
void lengthen(std::vector<TeamSize> &Sizes, MappingNode Root, const SearchSpace &Space,
              const std::vector<NominalSizes> &Calls) {
  const auto CostOf = [&](const MappingNode &N) {
    return Space.costOf(toMapping(N, *Space.Target), Calls);
  };
  double Cost = CostOf(Root);
  for (TeamSize &Size : Sizes)
    for (;;) {
      MappingNode Longer = Root;
      nodeAt(Longer, Size.Path).Tunables[Size.Name] = {false, Size.Most * 2};
      const double Of = CostOf(Longer);
      if (!(Of < Cost * WorthLonger))
        break;
      Size.Most *= 2;
      Root = std::move(Longer);
      Cost = Of;
    }
}

} // namespace

void chooseSizesByTeam(const SearchSpace &Space, MappingNode &Root,
                       std::vector<NominalSizes> Calls) {
  llvm::erase_if(Calls, [](const NominalSizes &Sizes) { return Sizes.Cores > 1; });
  std::vector<TeamSize> Sizes = teamSizes(Space, Root);
  if (!Calls.empty())
    lengthen(Sizes, Root, Space, Calls);
  for (const TeamSize &Size : Sizes) {
    MappingNode Other = Root;
    nodeAt(Other, Size.Path).Tunables[Size.Name] = {
        false, (Size.Most + Size.Step - 1) / Size.Step * Size.Step, Size.Step};
    if (Space.canEmit(toMapping(Other, *Space.Target)))
      Root = std::move(Other);
  }
}

} // namespace septran::compiler
