//===- TeamSizes.cpp - blocks as many as a team needs ---------------------===//
#include "Derive/TeamSizes.h"

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

} // namespace

void chooseSizesByTeam(const SearchSpace &Space, MappingNode &Root) {
  for (const TreePath &Path : pathsOf(Root)) {
    if (nodeAt(Root, Path).Level >= Space.Choices.Core)
      continue;
    const FunctionRef Task = nodeAt(Root, Path).Task;
    for (const Tunable &T : Task->Tunables) {
      const std::string &Name = T.V->Name;
      const MappingNode &Here = nodeAt(Root, Path);
      const std::optional<Extent> Most = sizeOf(Here, T);
      if (!Most || Most->Full)
        continue;
      const std::optional<std::int64_t> Step = stepOf(Here, Name, Most->Value, Space.Choices);
      if (!Step)
        continue;
      MappingNode Other = Root;
      nodeAt(Other, Path).Tunables[Name] = {false, (Most->Value + *Step - 1) / *Step * *Step,
                                            *Step};
      if (Space.canEmit(toMapping(Other, *Space.Target)))
        Root = std::move(Other);
    }
  }
}

} // namespace septran::compiler
