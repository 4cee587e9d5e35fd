//===- Defaults.cpp - what holds where the mapping is silent --------------===//
#include "Plan/Defaults.h"

#include "Plan/Kernels.h"

namespace septran::compiler {

std::string defaultMemory(const Machine &Target, const InstanceInfo &I) {
  std::string Best = Target.Memories.front().Name.Value;
  size_t BestDepth = 0;
  for (const Memory &M : Target.Memories) {
    std::optional<size_t> Owner = Target.depthOf(M.Owner.Value);
    if (M.Registers || !Owner || *Owner > I.Depth || *Owner < BestDepth || !M.writableBy(I.Proc) ||
        !M.readableBy(I.Proc))
      continue;
    Best = M.Name.Value;
    BestDepth = *Owner;
  }
  return Best;
}

namespace {

bool kernelsReach(const Machine &Target, const Memory &M) {
  std::optional<size_t> Grid = gridDepth(Target);
  return !Grid || M.readableBy(Target.Processors[*Grid].Name.Value);
}

} // namespace

std::string callersMemory(const Machine &Target, const Located<std::string> *Mapped) {
  const Memory &First = Target.Memories.front();
  const Memory *M =
      Mapped && !kernelsReach(Target, First) ? Target.findMemory(Mapped->Value) : nullptr;
  return M && M->InitialState.Value == Memory::Initial::Preserved ? M->Name.Value
                                                                  : First.Name.Value;
}

std::string reachableMemory(const Machine &Target, const std::string &Name) {
  const Memory *Wanted = Target.findMemory(Name);
  if (!Wanted || kernelsReach(Target, *Wanted))
    return Name;
  for (const Memory &M : Target.Memories)
    if (M.readableBy(Target.Processors.front().Name.Value) && kernelsReach(Target, M))
      return M.Name.Value;
  return Name;
}

std::optional<WindowInPlace> inPlaceOf(const InstanceInfo &I, const Tensor &T) {
  if (!I.Settings)
    return std::nullopt;
  for (bool MayLeaveOut : {true, false})
    for (const LocatedName &Name : MayLeaveOut ? I.Settings->Clip : I.Settings->InPlace)
      if (Name.Value == T.Name)
        return WindowInPlace{&Name, MayLeaveOut};
  return std::nullopt;
}

std::shared_ptr<const BufferLayout> requestedLayout(const InstanceInfo &I, const Tensor &T) {
  const Layout *L = I.Settings ? I.Settings->Layouts.find(T.Name) : nullptr;
  if (!L)
    return nullptr;
  switch (L->K) {
  case Layout::Kind::Packed: // whatever suits the leaves
    return nullptr;
  case Layout::Kind::Column:
    return std::make_shared<BufferLayout>(columnLayout(T.Rank));
  case Layout::Kind::Panels:
    return std::make_shared<BufferLayout>(panelLayout(T.Rank, unsigned(L->Ints[0]), L->Ints[1]));
  case Layout::Kind::Pad: {
    BufferLayout Padded = rowLayout(T.Rank);
    Padded.Pad = L->Ints[0];
    return std::make_shared<BufferLayout>(Padded);
  }
  case Layout::Kind::Swizzle: { // checked against the machine before, and against lines later
    BufferLayout Swizzled = rowLayout(T.Rank);
    Swizzled.Swizzle = L->Ints[0];
    return std::make_shared<BufferLayout>(Swizzled);
  }
  case Layout::Kind::Row:
    break;
  }
  return std::make_shared<BufferLayout>(rowLayout(T.Rank));
}

} // namespace septran::compiler
