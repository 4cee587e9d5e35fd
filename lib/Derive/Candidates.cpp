//===- Candidates.cpp - mappings that differ in one choice ----------------===//
#include "Derive/Candidates.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

namespace {

/// Variants that launch their own family, one within the other.
constexpr unsigned MaxNesting = 2;
/// Elements of a dimension that a core takes at a time where the logic says nothing; a start. Few where there are no
/// more.
constexpr std::int64_t BlocksForCores[] = {64, 8};
/// Elements in a long piece of memory.
constexpr std::int64_t LongBlocks[] = {256, 1024};
/// Of a leaf, some dozens of cycles each: as long as memory takes.
constexpr std::int64_t IterationsAhead = 16;

void collectPaths(const MappingNode &N, TreePath &Here, std::vector<TreePath> &All) {
  All.push_back(Here);
  for (size_t At = 0; At < N.Children.size(); ++At) {
    Here.push_back(At);
    collectPaths(N.Children[At], Here, All);
    Here.pop_back();
  }
}

void unpack(MappingNode &N, const std::string &Argument) {
  N.Mems.erase(Argument);
  N.Resident.erase(Argument);
}

/// Arguments of one name are, as a rule, parts of one tensor.
void unpackAll(MappingNode &N, const std::string &Argument, const std::string &Memory) {
  if (auto At = N.Mems.find(Argument); At != N.Mems.end() && At->second == Memory)
    unpack(N, Argument);
  for (MappingNode &C : N.Children)
    unpackAll(C, Argument, Memory);
}

/// The bound counts blocks of a number of elements that the logic says itself, such as three
/// colours: too few to share.
bool isOfConstants(const Expr &Bound, const VarRef &Size, const TensorTable &Tensors) {
  bool Varies = false;
  walkExprs(simplify(expandExtents(Bound, Tensors)), [&](const Expr &Part) {
    Varies |= Part->Kind == ExprKind::Extent || (Part->Kind == ExprKind::Var && Part->V != Size);
  });
  return !Varies;
}

/// The block sizes of a variant's parallel loops, outermost first, that it has none for itself: the
/// loops would be over one block.
std::vector<VarRef> sizesForCores(const Function &F) {
  const TensorTable Tensors(F.Body);
  std::vector<VarRef> Result;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *Loop = S.getIf<For>(); Loop && Loop->Kind == LoopKind::Parallel)
      for (const Tunable &T : F.Tunables)
        if (!T.Default && mentions(Loop->Hi, T.V) && !isOfConstants(Loop->Hi, T.V, Tensors))
          Result.push_back(T.V);
  });
  return Result;
}

} // namespace

std::vector<TreePath> pathsOf(const MappingNode &Root) {
  std::vector<TreePath> All;
  TreePath Here;
  collectPaths(Root, Here, All);
  return All;
}

bool launches(const MappingNode &N, const FunctionRef &F) {
  return N.Task == F || std::any_of(N.Children.begin(), N.Children.end(),
                                    [&](const MappingNode &C) { return launches(C, F); });
}

std::optional<MachineChoices> choicesOf(const Machine &M) {
  std::optional<size_t> Core, Lanes;
  for (size_t L = 0; L < M.Processors.size(); ++L)
    if (M.Processors[L].LoopSpread.Value == Processor::Spread::Team)
      Core = L;
    else if (M.Processors[L].LoopSpread.Value == Processor::Spread::Lanes)
      Lanes = L;
  if (!Core || !Lanes || M.hasScratchpads())
    return std::nullopt;
  MachineChoices Result;
  Result.Core = *Core;
  Result.Lanes = *Lanes;
  if (const std::int64_t *Bytes = M.Limits.find("simd_bytes"))
    Result.SimdBytes = *Bytes;
  for (const Memory &Each : M.Memories)
    if (Each.Registers)
      Result.Registers = Each.Name.Value;
    else if (Each.Owner.Value == M.Processors[*Core].Name.Value)
      Result.Buffers = Each.Name.Value;
  for (const Primitive &Each : M.Primitives)
    if (Each.MultiplicandBits.Value == 0) // rounding factors is for the user to allow
      for (size_t L = 0; L < M.Processors.size(); ++L)
        if (M.Processors[L].Name.Value == Each.Processor.Value)
          Result.Primitives.push_back({Each.Name.Value, L});
  for (const auto &[Name, Level] : Result.Primitives)
    if (M.findPrimitive(Name)->Rate.Value)
      Result.Rated.insert(Name);
  return Result;
}

//===--- structure ---------------------------------------------------------------===//

/// The instance is not part of a chain of variants that began above it.
bool Candidates::startsChain(const TreePath &Path) const {
  if (Path.empty())
    return false;
  const MappingNode &Caller = nodeAt(Now, callerOf(Path));
  return Path.size() == 1 ||
         Caller.Task->Family != launchesOf(*Caller.Task)[Path.back()]->Callee->Family;
}

/// Leaves run in lanes.
void Candidates::lowerLeaves(MappingNode &N) const {
  if (N.Task->Kind == FunctionKind::Leaf && N.Level == M.Core)
    N.Level = M.Lanes;
  for (MappingNode &C : N.Children)
    lowerLeaves(C);
}

/// Blocks that are long pieces of memory, where it decides: those that suit one core need not suit
/// several.
void Candidates::addLonger(const MappingNode &From, const TreePath &Cuts, List &Result) const {
  if (!ForMemory)
    return;
  for (const Tunable &Each : nodeAt(From, Cuts).Task->Tunables)
    for (std::int64_t Longer : LongBlocks) {
      Result.push_back(From);
      nodeAt(Result.back(), Cuts).Tunables[Each.V->Name] = {false, Longer};
    }
}

/// What the instance launches further in: its launch `Link` or, without one, all of them. Where
/// cores share its blocks, it has some: those of its outermost loop, or of all.
void Candidates::addInside(const MappingNode &From, const TreePath &Around,
                           std::optional<size_t> Link, List &Result) const {
  const MappingNode &Here = nodeAt(From, Around);
  for (size_t Inner = Here.Level + 1; Inner <= M.Lanes; ++Inner) {
    MappingNode Split = From;
    std::vector<MappingNode> &Children = nodeAt(Split, Around).Children;
    for (size_t I = 0; I < Children.size(); ++I)
      if (!Link || *Link == I)
        raiseLevels(Children[I], Inner);
    std::vector<VarRef> Sizes;
    if (Here.Level < M.Core && Inner >= M.Core)
      Sizes = sizesForCores(*Here.Task);
    if (Sizes.empty()) {
      Result.push_back(Split);
      if (Here.Level < M.Core && Inner == M.Core)
        addLonger(Split, Around, Result);
    }
    for (const std::int64_t Block : BlocksForCores) {
      MappingNode Shared = Split;
      for (const VarRef &Size : Sizes) {
        nodeAt(Shared, Around).Tunables.try_emplace(Size->Name, Extent{false, Block});
        if (Size == Sizes.front() || Size == Sizes.back())
          Result.push_back(Shared);
      }
    }
  }
}

/// Other chains of variants at a launch: the outer part of a chain on one processor, the rest on it
/// or further in.
Candidates::List Candidates::structures(const TreePath &Path) const {
  List Result;
  if (!startsChain(Path))
    return Result;
  const MappingNode &Caller = nodeAt(Now, callerOf(Path));
  const FunctionRef Callee = launchesOf(*Caller.Task)[Path.back()]->Callee;
  for (const std::vector<FunctionRef> &Chain : chainsFor(G, Callee, MaxNesting))
    for (size_t First = Caller.Level; First <= M.Lanes; ++First) {
      MappingNode New = Now;
      nodeAt(New, Path) = chainNode(G, Chain, First);
      lowerLeaves(nodeAt(New, Path));
      Result.push_back(New);
      TreePath Around = Path;
      for (size_t I = 1; I < Chain.size(); ++I) {
        const size_t Link = chainLink({Chain[I - 1], Chain[I]});
        addInside(New, Around, Link, Result);
        Around.push_back(Link);
      }
      if (Chain.back()->Kind == FunctionKind::Task)
        addInside(New, Around, std::nullopt, Result);
    }
  return Result;
}

/// In place of an instance that cuts nothing, since its blocks are whole, one that it launches and
/// that computes the same.
Candidates::List Candidates::without(const TreePath &Path) const {
  List Result;
  const MappingNode &Here = nodeAt(Now, Path);
  const std::vector<Tunable> &Sizes = Here.Task->Tunables;
  const bool IsWhole =
      !Sizes.empty() && std::all_of(Sizes.begin(), Sizes.end(), [&](const Tunable &T) {
        const auto Given = Here.Tunables.find(T.V->Name);
        return Given == Here.Tunables.end() ? !T.Default : Given->second.Full;
      });
  for (const MappingNode &C : Here.Children)
    if (!Path.empty() && IsWhole && C.Task->Family == Here.Task->Family &&
        sameSignature(*C.Task, *Here.Task)) {
      Result.push_back(Now);
      nodeAt(Result.back(), Path) = C;
    }
  return Result;
}

/// Other tasks that launch no more of their family. What such a task is worth shows only after the
/// choices below it are made, so each is where a search of its own starts.
std::vector<Candidates::Start> Candidates::otherStarts() const {
  std::vector<Start> Result;
  for (const TreePath &Path : pathsOf(Now)) {
    if (!startsChain(Path))
      continue;
    const MappingNode &Caller = nodeAt(Now, callerOf(Path));
    const FunctionRef Callee = launchesOf(*Caller.Task)[Path.back()]->Callee;
    for (const std::vector<FunctionRef> &Chain : chainsFor(G, Callee, 0))
      if (Chain.back()->Kind == FunctionKind::Task && !launches(Now, Chain.back())) {
        Result.push_back({Now, Chain.back()});
        nodeAt(Result.back().From, Path) = chainNode(G, Chain, Caller.Level);
      }
  }
  return Result;
}

/// An argument that is a whole constant of the entry point.
bool Candidates::isConstant(const TreePath &Path, unsigned Param) const {
  if (Path.empty())
    return Now.Task->Params[Param].IsConstant;
  const Function &Caller = *nodeAt(Now, callerOf(Path)).Task;
  const Launch::Argument &Given = launchesOf(Caller)[Path.back()]->Args[Param];
  for (unsigned I = 0; I < Caller.Params.size(); ++I)
    if (Given.isTensor() && Given.Tensor.Base == Caller.Params[I].Tensor)
      return isConstant(callerOf(Path), I);
  return false;
}

/// A constant packed where the copy is kept with it. What tiles gain by that shows only after they
/// are chosen for it.
std::vector<Candidates::Start> Candidates::keptStarts() const {
  std::vector<Start> Result;
  for (const TreePath &Path : pathsOf(Now)) {
    const MappingNode &Here = nodeAt(Now, Path);
    if (Path.empty() || Here.Level >= M.Core || M.Buffers.empty())
      continue;
    for (unsigned I = 0; I < Here.Task->Params.size(); ++I)
      if (const Parameter &P = Here.Task->Params[I]; P.isTensor() && isConstant(Path, I)) {
        Result.push_back({Now, nullptr});
        MappingNode &N = nodeAt(Result.back().From, Path);
        for (MappingNode &C : N.Children)
          unpackAll(C, P.Name, M.Buffers);
        N.Mems[P.Name] = M.Buffers;
        N.Resident.insert(P.Name);
      }
  }
  return Result;
}

/// All windows in place, with the blocks of the logic: copies of windows choose others for
/// themselves.
std::vector<Candidates::Start> Candidates::windowStarts() const {
  Start S{Now, nullptr};
  bool Changes = false;
  for (const TreePath &Path : pathsOf(Now)) {
    const Function &F = *nodeAt(Now, Path).Task;
    for (unsigned I = 0; I < F.Params.size(); ++I)
      if (isWindow(Path, I)) {
        MappingNode &N = nodeAt(S.From, Path);
        unpack(N, F.Params[I].Name);
        Changes |= N.InPlace.insert(F.Params[I].Name).second;
        nodeAt(S.From, callerOf(Path)).Tunables.clear();
      }
  }
  return Changes ? std::vector<Start>{S} : std::vector<Start>();
}

/// Without tiles in registers, where these keep cores from sharing the work: a task that cuts once
/// has cores or tiles, and goes from one to the other in more than one step.
std::vector<Candidates::Start> Candidates::sharedStarts() const {
  bool HasCores = false;
  for (const TreePath &Path : pathsOf(Now))
    HasCores |= nodeAt(Now, Path).Level == M.Core;
  if (HasCores || M.Registers.empty() || !hasRegisters(Now, M))
    return {};
  Start S{Now, nullptr};
  clear(S.From, M.Registers);
  clear(S.From, M.Buffers);
  for (const TreePath &Path : pathsOf(Now)) {
    MappingNode &N = nodeAt(S.From, Path);
    N.Tunables.clear();
    if (!Path.empty())
      N.Level = std::min(N.Level, M.Core);
  }
  return {S};
}

Candidates::List Candidates::processors(const TreePath &Path) const {
  List Result;
  if (Path.empty())
    return Result;
  const MappingNode &Caller = nodeAt(Now, callerOf(Path));
  for (size_t Level = Caller.Level; Level <= M.Lanes; ++Level) {
    Result.push_back(Now);
    MappingNode &N = nodeAt(Result.back(), Path);
    N.Level = Level;
    raiseLevels(N, Level);
    if (Level == M.Core && Caller.Level < Level)
      addLonger(MappingNode(Result.back()), callerOf(Path), Result);
  }
  return Result;
}

//===--- loops ---------------------------------------------------------------------===//

Candidates::List Candidates::whole(const TreePath &Path, const std::string &Tunable) const {
  List Result;
  const auto Given = nodeAt(Now, Path).Tunables.find(Tunable);
  if (Given != nodeAt(Now, Path).Tunables.end() && Given->second.Full)
    return Result;
  Result.push_back(Now);
  nodeAt(Result[0], Path).Tunables[Tunable] = {true, 0};
  return Result;
}

/// A leaf's loops in lanes, one at a time, or none: what the compiler chooses knows nothing of how
/// often loops run.
Candidates::List Candidates::lanes(const TreePath &Path) const {
  List Result;
  const MappingNode &Here = nodeAt(Now, Path);
  if (Here.Task->Kind != FunctionKind::Leaf || !Here.Binding.empty())
    return Result;
  std::set<std::optional<std::string>> Choices = {std::nullopt, ""};
  walkStmts(Here.Task->Body, [&](const Stmt &S) {
    if (const auto *Loop = S.getIf<For>())
      Choices.insert(Loop->V->Name);
  });
  for (const std::optional<std::string> &Choice : Choices) {
    Result.push_back(Now);
    nodeAt(Result.back(), Path).Lanes = Choice;
  }
  return Result;
}

Candidates::List Candidates::orders(const TreePath &Path) const {
  List Result(1, Now);
  nodeAt(Result[0], Path).ColumnOrder ^= true;
  return Result;
}

//===--- memories --------------------------------------------------------------------===//

/// An argument that is only read: in place, packed for every use, and packed once, with blocks of
/// it that are packed further in as before, or in place.
Candidates::List Candidates::buffers(const TreePath &Path, const std::string &Argument) const {
  List Result;
  if (M.Buffers.empty())
    return Result;
  MappingNode InPlace = Now;
  unpack(nodeAt(InPlace, Path), Argument);
  Result.push_back(InPlace);
  MappingNode Outermost = InPlace;
  for (MappingNode &C : nodeAt(Outermost, Path).Children)
    unpackAll(C, Argument, M.Buffers);
  for (const MappingNode *From : {&InPlace, &Outermost})
    for (bool Once : {false, true}) {
      Result.push_back(*From);
      MappingNode &N = nodeAt(Result.back(), Path);
      N.Mems[Argument] = M.Buffers;
      if (Once)
        N.Resident.insert(Argument);
    }
  // Blocks that are best in place need not suit a buffer: from those of the logic the climb goes
  // on.
  MappingNode Start = InPlace;
  nodeAt(Start, Path).Mems[Argument] = M.Buffers;
  nodeAt(Start, Path).Tunables.clear();
  if (!Path.empty())
    nodeAt(Start, callerOf(Path)).Tunables.clear();
  Result.push_back(std::move(Start));
  return Result;
}

bool Candidates::isWindow(const TreePath &Path, unsigned Param) const {
  if (Path.empty())
    return false;
  const Launch::Argument &Given =
      launchesOf(*nodeAt(Now, callerOf(Path)).Task)[Path.back()]->Args[Param];
  return Given.isTensor() && Given.Tensor.Fill;
}

/// Somewhere an argument is a window.
bool Candidates::hasWindows() const {
  for (const TreePath &Path : pathsOf(Now))
    for (unsigned I = 0; I < nodeAt(Now, Path).Task->Params.size(); ++I)
      if (isWindow(Path, I))
        return true;
  return false;
}

/// A window that the instance receives: in place, or copied.
Candidates::List Candidates::windows(const TreePath &Path, unsigned Param) const {
  List Result;
  if (isWindow(Path, Param)) {
    Result.push_back(Now);
    MappingNode &N = nodeAt(Result.back(), Path);
    const std::string &Argument = N.Task->Params[Param].Name;
    unpack(N, Argument);
    if (!N.InPlace.erase(Argument))
      N.InPlace.insert(Argument);
  }
  return Result;
}

/// A result of a leaf by the caches, or past them where it is large.
Candidates::List Candidates::stores(const TreePath &Path, const std::string &Argument) const {
  List Result(1, Now);
  std::set<std::string> &Streams = nodeAt(Result[0], Path).Streams;
  if (!Streams.erase(Argument))
    Streams.insert(Argument);
  return Result;
}

/// An argument that a leaf reads as it comes, or asked for ahead.
Candidates::List Candidates::prefetches(const TreePath &Path, const std::string &Argument) const {
  List Result(1, Now);
  MappingNode &N = nodeAt(Result[0], Path);
  if (!N.Prefetch.erase(Argument))
    N.Prefetch[Argument] = IterationsAhead;
  return Result;
}

/// A leaf as loops, and as each primitive: with operands as they are, and with one packed by an
/// instance around the leaf, since primitives want their elements in an order of their own.
Candidates::List Candidates::bindings(const TreePath &Path) const {
  List Result;
  if (Path.empty() || nodeAt(Now, Path).Task->Kind != FunctionKind::Leaf)
    return Result;
  auto Add = [&](MappingNode From, const std::string &Primitive, size_t Level) {
    MappingNode &N = nodeAt(From, Path);
    N.Binding = Primitive;
    N.Level = Level;
    Result.push_back(std::move(From));
  };
  Add(Now, "", nodeAt(Now, Path).Level);
  for (const auto &[Primitive, Level] : M.Primitives) {
    if (Level < nodeAt(Now, callerOf(Path)).Level)
      continue;
    Add(Now, Primitive, Level);
    for (TreePath Packs = callerOf(Path); !Packs.empty() && !M.Buffers.empty(); Packs.pop_back())
      for (const Parameter &P : nodeAt(Now, Packs).Task->Params)
        if (P.isTensor() && !writes(P.Access)) {
          MappingNode Packed = Now;
          nodeAt(Packed, Packs).Mems[P.Name] = M.Buffers;
          nodeAt(Packed, Packs).Resident.insert(P.Name);
          Add(std::move(Packed), Primitive, Level);
        }
  }
  return Result;
}

/// Chains that end in a leaf, at a launch.
Candidates::List Candidates::leavesAt(const TreePath &Path) const {
  List Result = structures(Path);
  std::erase_if(Result, [&](const MappingNode &N) {
    const MappingNode *At = &nodeAt(N, Path);
    while (At->Children.size() == 1)
      At = &At->Children[0];
    return At->Task->Kind != FunctionKind::Leaf || At->Task->Family != nodeAt(N, Path).Task->Family;
  });
  return Result;
}

/// Leaves as primitives that say what they cost, with operands in memory. What these are worth
/// shows only with all that they need.
Candidates::List Candidates::ratedBindings() const {
  List Result;
  if (M.Rated.empty())
    return Result;
  for (const TreePath &Path : pathsOf(Now))
    for (MappingNode &From : leavesAt(Path)) {
      clear(From, M.Registers);
      clear(From, M.Buffers);
      TreePath Leaf = Path;
      while (!nodeAt(From, Leaf).Children.empty())
        Leaf.push_back(0);
      for (MappingNode &Bound : Candidates(G, M, From, ForMemory).bindings(Leaf))
        if (M.Rated.count(nodeAt(Bound, Leaf).Binding))
          Result.push_back(std::move(Bound));
    }
  return Result;
}

} // namespace septran::compiler
