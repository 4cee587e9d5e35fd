//===- Candidates.cpp - mappings that differ in one choice ----------------===//
#include "Derive/Candidates.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

namespace {

/// Variants that launch their own family, one within the other.
constexpr unsigned MaxNesting = 2;
/// Instances, one within the other, below which none is put in between.
constexpr size_t MaxDepth = 8;
/// Elements of a dimension that a core takes at a time where the logic says nothing; a start.
constexpr std::int64_t BlockForCores = 64;
/// Lines of an operand that are walked side by side, and vectors of them.
constexpr std::int64_t LinesOfStep = 8;
/// Rows of a tile.
constexpr std::initializer_list<std::int64_t> TileRows = {1, 2, 4, 6, 7, 8, 12};
/// Vectors in the row of a tile.
constexpr std::initializer_list<std::int64_t> RowVectors = {1, 2, 3, 4, 6, 8};

void collectPaths(const MappingNode &N, TreePath &Here, std::vector<TreePath> &All) {
  All.push_back(Here);
  for (size_t At = 0; At < N.Children.size(); ++At) {
    Here.push_back(At);
    collectPaths(N.Children[At], Here, All);
    Here.pop_back();
  }
}

/// Nothing below runs on an outer processor.
void raiseLevels(MappingNode &N, size_t Level) {
  N.Level = std::max(N.Level, Level);
  for (MappingNode &C : N.Children)
    raiseLevels(C, N.Level);
}

/// What may live in registers: each written argument, each local, and all locals.
std::vector<std::vector<std::string>> resultTensors(const Function &F) {
  std::vector<std::vector<std::string>> Result;
  for (const Parameter &P : F.Params)
    if (P.isTensor() && writes(P.Access))
      Result.push_back({P.Name});
  std::vector<std::string> Locals;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Local>())
      Locals.push_back(L->T->Name);
  });
  for (const std::string &Name : Locals)
    Result.push_back({Name});
  if (Locals.size() > 1)
    Result.push_back(std::move(Locals));
  return Result;
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

/// The block sizes of a variant's parallel loops, outermost first, that it has none for itself: the loops
/// would be over one block.
std::vector<VarRef> sizesForCores(const Function &F) {
  std::vector<VarRef> Result;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *Loop = S.getIf<For>(); Loop && Loop->Kind == LoopKind::Parallel)
      for (const Tunable &T : F.Tunables)
        if (!T.Default && mentions(Loop->Hi, T.V))
          Result.push_back(T.V);
  });
  return Result;
}

/// The number of the launch by which the first of a chain launches the next.
size_t chainLink(const std::vector<FunctionRef> &Chain) {
  const std::vector<const Launch *> Launches = launchesOf(*Chain.front());
  size_t At = 0;
  while (Launches[At]->Callee->Family != Chain[1]->Family)
    ++At;
  return At;
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

/// What the instance launches further in: its launch `Link` or, without one, all of them. Where cores
/// share its blocks, it has some: those of its outermost loop, or of all.
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
    if (Sizes.empty())
      Result.push_back(Split);
    for (const VarRef &Size : Sizes) {
      nodeAt(Split, Around).Tunables.try_emplace(Size->Name, Extent{false, BlockForCores});
      if (Size == Sizes.front() || Size == Sizes.back())
        Result.push_back(Split);
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

/// In place of an instance that cuts nothing, since its blocks are whole, one that it launches and that
/// computes the same.
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

/// A constant packed where the copy is kept with it. What tiles gain by that shows only after they are
/// chosen for it.
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

/// All windows in place, with the blocks of the logic: copies of windows choose others for themselves.
std::vector<Candidates::Start> Candidates::windowStarts() const {
  Start S{Now, nullptr};
  bool Changes = false;
  for (const TreePath &Path : pathsOf(Now)) {
    const Function &F = *nodeAt(Now, Path).Task;
    for (unsigned I = 0; I < F.Params.size(); ++I)
      if (isWindow(Path, I)) {
        MappingNode &N = nodeAt(S.From, Path);
        unpack(N, F.Params[I].Name);
        Changes |= N.Clipped.insert(F.Params[I].Name).second;
        nodeAt(S.From, callerOf(Path)).Tunables.clear();
      }
  }
  return Changes ? std::vector<Start>{S} : std::vector<Start>();
}

Candidates::List Candidates::processors(const TreePath &Path) const {
  List Result;
  if (Path.empty())
    return Result;
  for (size_t Level = nodeAt(Now, callerOf(Path)).Level; Level <= M.Lanes; ++Level) {
    Result.push_back(Now);
    MappingNode &N = nodeAt(Result.back(), Path);
    N.Level = Level;
    raiseLevels(N, Level);
  }
  return Result;
}

//===--- loops ---------------------------------------------------------------------===//

/// Elements of a result that fill a vector.
std::int64_t Candidates::lanesOf(const Function &F) const {
  unsigned Bytes = 4;
  for (const Parameter &P : F.Params)
    if (P.isTensor() && writes(P.Access))
      Bytes = isSmallFloat(P.Tensor->Element) ? 4u : byteSize(P.Tensor->Element);
  return std::max<std::int64_t>(1, M.SimdBytes / Bytes);
}

std::vector<Extent> Candidates::sizesFor(const Function &F) const {
  std::set<std::int64_t> Values = {1, 2, 4, 6, 7, 8, 12, 14, 16, 32, 64, 96, 128, 256, 512, 4096};
  for (std::int64_t V : RowVectors)
    Values.insert(V * lanesOf(F));
  std::vector<Extent> Result;
  for (std::int64_t V : Values)
    Result.push_back({false, V});
  return Result;
}

Candidates::List Candidates::tileSizes(const TreePath &Path, const std::string &Tunable) const {
  List Result;
  for (const Extent &Size : sizesFor(*nodeAt(Now, Path).Task)) {
    Result.push_back(Now);
    nodeAt(Result.back(), Path).Tunables[Tunable] = Size;
  }
  return Result;
}

Candidates::List Candidates::whole(const TreePath &Path, const std::string &Tunable) const {
  List Result;
  const auto Given = nodeAt(Now, Path).Tunables.find(Tunable);
  if (Given != nodeAt(Now, Path).Tunables.end() && Given->second.Full)
    return Result;
  Result.push_back(Now);
  nodeAt(Result[0], Path).Tunables[Tunable] = {true, 0};
  return Result;
}

/// A leaf's loops in lanes, one at a time, or none: what the compiler chooses knows nothing of how often loops run.
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

/// An argument that is only read: in place, packed for every use, and packed once, with blocks of it
/// that are packed further in as before, or in place.
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
  // Blocks that are best in place need not suit a buffer: from those of the logic the climb goes on.
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

/// A window that the instance receives: in place, or copied.
Candidates::List Candidates::windows(const TreePath &Path, unsigned Param) const {
  List Result;
  if (isWindow(Path, Param)) {
    Result.push_back(Now);
    MappingNode &N = nodeAt(Result.back(), Path);
    const std::string &Argument = N.Task->Params[Param].Name;
    unpack(N, Argument);
    if (!N.Clipped.erase(Argument))
      N.Clipped.insert(Argument);
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

/// Results in registers, beside those that are there or instead of them, and tile sizes that make them
/// fit: those of the instance that cuts them, which may pack an operand too. Anywhere in the tree, since
/// one place excludes others.
Candidates::List Candidates::registerTiles() const {
  List Result;
  if (M.Registers.empty())
    return Result;
  MappingNode Cleared = Now, Bare = Now;
  clear(Cleared, M.Registers);
  Result.push_back(Cleared);
  clear(Bare, M.Registers);
  clear(Bare, M.Buffers);
  for (const TreePath &Path : pathsOf(Now)) {
    const Function &F = *nodeAt(Now, Path).Task;
    if (F.Kind == FunctionKind::OpaqueLeaf)
      continue;
    for (const std::vector<std::string> &Tensors : resultTensors(F)) {
      addRegisterTiles(Now, Path, Tensors, Result);
      addRegisterTiles(Cleared, Path, Tensors, Result);
    }
    addBlockedLeaves(Now, Path, Result);
    addBlockedLeaves(Bare, Path, Result);
  }
  return Result;
}

/// A leaf as loops, and as each primitive: with operands as they are, and with one packed by an instance
/// around the leaf, since primitives want their elements in an order of their own.
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

void Candidates::clearHere(MappingNode &N, const std::string &Memory) {
  std::erase_if(N.Mems, [&](const auto &Each) { return Each.second == Memory; });
  std::erase_if(N.Resident, [&](const std::string &Name) { return !N.Mems.count(Name); });
}

void Candidates::clear(MappingNode &N, const std::string &Memory) {
  clearHere(N, Memory);
  for (MappingNode &C : N.Children)
    clear(C, Memory);
}

/// A variant that cuts what this one works on into tiles, in between or instead of all that is there.
void Candidates::addBlockedLeaves(const MappingNode &From, const TreePath &Path,
                                  List &Result) const {
  if (Path.empty() || Path.size() > MaxDepth)
    return;
  const MappingNode &Here = nodeAt(Now, Path);
  const bool Starts = startsChain(Path);
  for (const std::vector<FunctionRef> &Chain : chainsFor(G, Here.Task, 1)) {
    if (Chain.size() < 2 || (!Starts && Chain.back() != Here.Task))
      continue;
    const size_t Around = Starts ? nodeAt(Now, callerOf(Path)).Level : Here.Level;
    for (size_t Level : std::set<size_t>{Around, std::max(Around, M.Core)}) {
      MappingNode Start = From;
      nodeAt(Start, Path) = chainNode(G, Chain, Level);
      TreePath Leaf = Path;
      Leaf.push_back(chainLink(Chain));
      for (const std::vector<std::string> &Tensors : resultTensors(*Chain.back()))
        addRegisterTiles(Start, Leaf, Tensors, Result);
    }
  }
}

void Candidates::addRegisterTiles(MappingNode Placed, const TreePath &Path,
                                  const std::vector<std::string> &Tensors, List &Result) const {
  MappingNode &N = nodeAt(Placed, Path);
  for (const std::string &T : Tensors)
    N.Mems[T] = M.Registers;
  raiseLevels(N, M.Lanes);
  Result.push_back(Placed);
  for (TreePath Cuts = Path;; Cuts.pop_back()) {
    if (!nodeAt(Placed, Cuts).Task->Tunables.empty()) {
      addTiles(Placed, Cuts, {1, 6}, {1, 2, 4}, Result);
      for (const Parameter &P : nodeAt(Placed, Cuts).Task->Params)
        if (P.isTensor() && !writes(P.Access) && !M.Buffers.empty()) {
          MappingNode Packed = Placed;
          nodeAt(Packed, Cuts).Mems[P.Name] = M.Buffers;
          nodeAt(Packed, Cuts).Resident.insert(P.Name);
          addTiles(Packed, Cuts, {6}, {1, 2, 4}, Result);
        }
      return;
    }
    if (Cuts.empty())
      return;
  }
}

/// A leaf that walks a few lines of an operand at a time, and along these by blocks with results in
/// registers, so that lines are long pieces of memory: two variants in place of the leaf, of which the
/// outer one cuts one dimension, and longer blocks around them.
Candidates::List Candidates::steps(const TreePath &Path) const {
  List Result;
  const MappingNode &Here = nodeAt(Now, Path);
  if (M.Registers.empty() || !startsChain(Path) || Path.size() > MaxDepth)
    return Result;
  MappingNode Bare = Now;
  clear(Bare, M.Registers);
  TreePath Around = callerOf(Path);
  while (!Around.empty() && nodeAt(Now, Around).Task->Tunables.empty())
    Around.pop_back();
  for (const std::vector<FunctionRef> &Chain : chainsFor(G, Here.Task, 1)) {
    if (Chain.size() < 2 || Chain.back()->Kind != FunctionKind::Leaf)
      continue;
    const std::vector<FunctionRef> Twice = {Chain.front(), Chain.front(), Chain.back()};
    MappingNode Start = Bare;
    nodeAt(Start, Path) = chainNode(G, Twice, nodeAt(Now, callerOf(Path)).Level);
    TreePath Blocks = Path, Leaf;
    Blocks.push_back(chainLink(Chain));
    Leaf = Blocks;
    Leaf.push_back(chainLink(Chain));
    for (const std::vector<std::string> &Tensors : resultTensors(*Chain.back())) {
      MappingNode Placed = Start;
      for (const std::string &T : Tensors)
        nodeAt(Placed, Leaf).Mems[T] = M.Registers;
      raiseLevels(nodeAt(Placed, Leaf), M.Lanes);
      for (const Tunable &Lines : Chain.front()->Tunables)
        for (const Tunable &Columns : Chain.front()->Tunables)
          if (&Lines != &Columns)
            addSteps(Placed, Path, Blocks, Around, Lines, Columns, Result);
    }
  }
  return Result;
}

void Candidates::addSteps(const MappingNode &Placed, const TreePath &Path, const TreePath &Blocks,
                          const TreePath &Around, const Tunable &Lines, const Tunable &Columns,
                          List &Result) const {
  MappingNode Steps = Placed;
  for (const Tunable &Each : nodeAt(Steps, Path).Task->Tunables) {
    nodeAt(Steps, Path).Tunables[Each.V->Name] = {true, 0};
    nodeAt(Steps, Blocks).Tunables[Each.V->Name] = {true, 0};
  }
  nodeAt(Steps, Path).Tunables[Lines.V->Name] = {false, LinesOfStep};
  nodeAt(Steps, Blocks).Tunables[Columns.V->Name] = {
      false, LinesOfStep * lanesOf(*nodeAt(Steps, Blocks).Task)};
  Result.push_back(Steps);
  for (const Tunable &Each : nodeAt(Steps, Around).Task->Tunables)
    for (std::int64_t Longer : {256, 1024}) {
      Result.push_back(Steps);
      const FunctionRef Cuts = nodeAt(Steps, Around).Task;
      // As long all the way out, where the same variant cuts several times.
      for (TreePath Out = Around;; Out.pop_back()) {
        if (MappingNode &N = nodeAt(Result.back(), Out); N.Task == Cuts)
          N.Tunables[Each.V->Name] = {false, Longer};
        if (Out.empty())
          break;
      }
    }
}

bool Candidates::hasRegisters(const MappingNode &N) const {
  return std::any_of(N.Mems.begin(), N.Mems.end(),
                     [&](const auto &Each) { return Each.second == M.Registers; }) ||
         std::any_of(N.Children.begin(), N.Children.end(),
                     [&](const MappingNode &C) { return hasRegisters(C); });
}

/// Other tiles for what is in registers. What is packed because narrow blocks of it are short pieces of
/// memory may stay where it is under wide ones.
Candidates::List Candidates::tiles(const TreePath &Path) const {
  List Result;
  if (!hasRegisters(nodeAt(Now, Path)))
    return Result;
  addTiles(Now, Path, TileRows, RowVectors, Result);
  MappingNode InPlace = Now;
  clearHere(nodeAt(InPlace, Path), M.Buffers);
  if (nodeAt(InPlace, Path).Mems != nodeAt(Now, Path).Mems)
    addTiles(InPlace, Path, TileRows, RowVectors, Result);
  return Result;
}

/// Some rows of some vectors each, or one row; other sizes as they are, or whole.
void Candidates::addTiles(const MappingNode &Placed, const TreePath &Cuts,
                          std::initializer_list<std::int64_t> RowCounts,
                          std::initializer_list<std::int64_t> Vectors, List &Result) const {
  const Function &F = *nodeAt(Placed, Cuts).Task;
  const std::int64_t Lanes = lanesOf(F);
  auto Add = [&](const Tunable *Rows, std::int64_t R, const Tunable &Columns, std::int64_t V) {
    const size_t Chosen = Rows ? 2 : 1;
    for (bool RestWhole : {false, true}) {
      if (RestWhole && F.Tunables.size() == Chosen)
        continue;
      Result.push_back(Placed);
      auto &Values = nodeAt(Result.back(), Cuts).Tunables;
      if (RestWhole)
        for (const Tunable &Each : F.Tunables)
          Values[Each.V->Name] = {true, 0};
      if (Rows)
        Values[Rows->V->Name] = {false, R};
      Values[Columns.V->Name] = {false, V * Lanes};
    }
  };
  for (const Tunable &Columns : F.Tunables)
    for (std::int64_t V : Vectors) {
      Add(nullptr, 0, Columns, V);
      for (const Tunable &Rows : F.Tunables)
        if (&Rows != &Columns)
          for (std::int64_t R : RowCounts)
            Add(&Rows, R, Columns, V);
    }
}

} // namespace septran::compiler
