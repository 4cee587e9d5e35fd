//===- CandidateTiles.cpp - sizes of tiles, and tiles in registers --------===//
#include "Derive/Candidates.h"

#include "IR/Rewrite.h"
#include "Plan/LaneWidth.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// Instances, one within the other, below which none is put in between.
constexpr size_t MaxDepth = 8;
/// Lines of an operand that are walked side by side.
constexpr std::int64_t LinesOfStep = 8;
/// Rows of a tile.
constexpr std::initializer_list<std::int64_t> TileRows = {1, 2, 4, 6, 7, 8, 12};
/// Vectors in the row of a tile.
constexpr std::initializer_list<std::int64_t> RowVectors = {1, 2, 3, 4, 6, 8};

/// What may live in registers: each written argument, but not the caller's whole tensors, all of
/// these, each local, and all locals.
std::vector<std::vector<std::string>> resultTensors(const Function &F, bool IsEntry) {
  std::vector<std::vector<std::string>> Result;
  auto AddEachAndAll = [&](std::vector<std::string> Names) {
    for (const std::string &Name : Names)
      Result.push_back({Name});
    if (Names.size() > 1)
      Result.push_back(std::move(Names));
  };
  std::vector<std::string> Written, Locals;
  for (const Parameter &P : F.Params)
    if (P.isTensor() && writes(P.Access) && !IsEntry)
      Written.push_back(P.Name);
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Local>())
      Locals.push_back(L->T->Name);
  });
  AddEachAndAll(std::move(Written));
  AddEachAndAll(std::move(Locals));
  return Result;
}

} // namespace

/// Elements of a result that fill a vector.
std::int64_t Candidates::lanesOf(const Function &F) const {
  unsigned Bytes = 4;
  for (const Parameter &P : F.Params)
    if (P.isTensor() && writes(P.Access))
      Bytes = computedBytes(P.Tensor->Element);
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

/// Blocks of one element in the outermost dimensions, such as images and groups: of one alone they cut nothing that
/// fits better.
Candidates::List Candidates::singles(const TreePath &Path) const {
  List Result;
  MappingNode Single = Now;
  const std::vector<Tunable> &Tunables = nodeAt(Now, Path).Task->Tunables;
  for (size_t I = 0; I + 1 < Tunables.size(); ++I) {
    nodeAt(Single, Path).Tunables[Tunables[I].V->Name] = {false, 1};
    Result.push_back(Single);
  }
  return Result;
}

/// The sizes of two dimensions in each other's place: of windows, those along one exclude some of
/// another.
Candidates::List Candidates::swaps(const TreePath &Path) const {
  List Result;
  if (!hasWindows())
    return Result;
  const MappingNode &Here = nodeAt(Now, Path);
  const std::vector<Tunable> &Tunables = Here.Task->Tunables;
  for (size_t A = 0; A < Tunables.size(); ++A)
    for (size_t B = A + 1; B < Tunables.size(); ++B) {
      const std::optional<Extent> OfA = sizeOf(Here, Tunables[A]);
      const std::optional<Extent> OfB = sizeOf(Here, Tunables[B]);
      if (!OfA || !OfB || *OfA == *OfB)
        continue;
      Result.push_back(Now);
      MappingNode &N = nodeAt(Result.back(), Path);
      N.Tunables[Tunables[A].V->Name] = *OfB;
      N.Tunables[Tunables[B].V->Name] = *OfA;
    }
  return Result;
}

/// With the logic's own sizes in one of the instances: blocks of windows within others exclude some
/// of their sizes.
std::vector<Candidates::Start> Candidates::unsizedStarts() const {
  std::vector<Start> Result;
  if (!hasWindows())
    return Result;
  for (const TreePath &Path : pathsOf(Now)) {
    Start S = {Now, nullptr};
    std::map<std::string, Extent> &Sizes = nodeAt(S.From, Path).Tunables;
    if (Sizes.empty())
      continue;
    Sizes.clear();
    Result.push_back(std::move(S));
  }
  return Result;
}

/// Sizes of two dimensions at a time, in both orders of the blocks.
Candidates::List Candidates::tilePairs(const TreePath &Path) const {
  List Result;
  const std::vector<Tunable> &Tunables = nodeAt(Now, Path).Task->Tunables;
  const std::vector<Extent> Sizes = sizesFor(*nodeAt(Now, Path).Task);
  for (size_t A = 0; A < Tunables.size(); ++A)
    for (size_t B = A + 1; B < Tunables.size(); ++B)
      for (const Extent &OfA : Sizes)
        for (const Extent &OfB : Sizes)
          for (bool Flip : {false, true}) {
            Result.push_back(Now);
            MappingNode &N = nodeAt(Result.back(), Path);
            N.Tunables[Tunables[A].V->Name] = OfA;
            N.Tunables[Tunables[B].V->Name] = OfB;
            N.ColumnOrder ^= Flip;
          }
  return Result;
}

/// Results in registers, beside those that are there or instead of them, and tile sizes that make
/// them fit: those of the instance that cuts them, which may pack an operand too. Anywhere in the
/// tree, since one place excludes others.
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
    for (const std::vector<std::string> &Tensors : resultTensors(F, Path.empty())) {
      addRegisterTiles(Now, Path, Tensors, Result);
      addRegisterTiles(Cleared, Path, Tensors, Result);
    }
    addBlockedLeaves(Now, Path, Result);
    addBlockedLeaves(Bare, Path, Result);
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

/// A variant that cuts what this one works on into tiles, in between or instead of all that is
/// there.
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
      for (const std::vector<std::string> &Tensors : resultTensors(*Chain.back(), false))
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
/// registers, so that lines are long pieces of memory: two variants in place of the leaf, of which
/// the outer one cuts one dimension, and longer blocks around them.
Candidates::List Candidates::steps(const TreePath &Path,
                                   std::initializer_list<StepTile> Tiles) const {
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
    for (const std::vector<std::string> &Tensors : resultTensors(*Chain.back(), false)) {
      MappingNode Placed = Start;
      for (const std::string &T : Tensors)
        nodeAt(Placed, Leaf).Mems[T] = M.Registers;
      raiseLevels(nodeAt(Placed, Leaf), M.Lanes);
      for (const Tunable &Lines : Chain.front()->Tunables)
        for (const Tunable &Columns : Chain.front()->Tunables)
          if (&Lines != &Columns)
            for (const StepTile &Tile : Tiles)
              addSteps(Placed, Path, Blocks, Around, Lines, Columns, Tile, Result);
    }
  }
  return Result;
}

void Candidates::addSteps(const MappingNode &Placed, const TreePath &Path, const TreePath &Blocks,
                          const TreePath &Around, const Tunable &Lines, const Tunable &Columns,
                          const StepTile &Tile, List &Result) const {
  MappingNode Steps = Placed;
  for (const Tunable &Each : nodeAt(Steps, Path).Task->Tunables) {
    nodeAt(Steps, Path).Tunables[Each.V->Name] = {true, 0};
    nodeAt(Steps, Blocks).Tunables[Each.V->Name] =
        &Each == &Lines || !Tile.Rows ? Extent{true, 0} : Extent{false, Tile.Rows};
  }
  nodeAt(Steps, Path).Tunables[Lines.V->Name] = {false, LinesOfStep};
  nodeAt(Steps, Blocks).Tunables[Columns.V->Name] = {
      false, Tile.Vectors * lanesOf(*nodeAt(Steps, Blocks).Task)};
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

bool hasRegisters(const MappingNode &N, const MachineChoices &M) {
  return std::any_of(N.Mems.begin(), N.Mems.end(),
                     [&](const auto &Each) { return Each.second == M.Registers; }) ||
         std::any_of(N.Children.begin(), N.Children.end(),
                     [&](const MappingNode &C) { return hasRegisters(C, M); });
}

/// Other tiles for what is in registers. What is packed because narrow blocks of it are short
/// pieces of memory may stay where it is under wide ones.
Candidates::List Candidates::tiles(const TreePath &Path) const {
  List Result;
  if (!hasRegisters(nodeAt(Now, Path), M))
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
