//===- Candidates.h - mappings that differ in one choice --------*- C++ -*-===//
//
// The choices that a search for a mapping makes, one function each: from the mapping that is the
// best so far to those that it is compared with. Nothing is checked here; the passes refuse what
// does not go together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/MappingTree.h"

#include <initializer_list>
#include <optional>

namespace septran::compiler {

/// From an instance to one below it: the number of the launch at each step.
using TreePath = std::vector<size_t>;

template <class Node> Node &nodeAt(Node &Root, const TreePath &Path) {
  Node *N = &Root;
  for (size_t At : Path)
    N = &N->Children[At];
  return *N;
}

/// Of an instance that is not the entry point's.
inline TreePath callerOf(const TreePath &Path) { return TreePath(Path.begin(), Path.end() - 1); }

/// All instances, callers first.
std::vector<TreePath> pathsOf(const MappingNode &Root);

/// It is an instance of F, or has one below it.
bool launches(const MappingNode &N, const FunctionRef &F);

/// What a machine has that choices are made of.
struct MachineChoices {
  size_t Core = 0, Lanes = 0; ///< processor levels of threads and of lanes
  std::int64_t SimdBytes = 16;
  std::string Registers, Buffers; ///< memories; empty if there is none
  /// Instructions and calls that compute what loops would, and the levels that execute them.
  std::vector<std::pair<std::string, size_t>> Primitives;
  std::set<std::string> Rated; ///< those of them that say what they cost
};

/// Nothing if loops of this machine do not run on threads and in lanes, in memory that all share.
std::optional<MachineChoices> choicesOf(const Machine &M);

/// Something is kept in registers, by N or below it.
bool hasRegisters(const MappingNode &N, const MachineChoices &M);

class Candidates {
  const TaskGraph &G;
  const MachineChoices &M;
  const MappingNode &Now;
  const bool ForMemory;

public:
  /// `Now` is what the candidates differ from; all arguments must outlive this. Where memory
  /// decides, blocks for cores may be long pieces of it.
  Candidates(const TaskGraph &G, const MachineChoices &M, const MappingNode &Now, bool ForMemory)
      : G(G), M(M), Now(Now), ForMemory(ForMemory) {}

  using List = std::vector<MappingNode>;
  List structures(const TreePath &Path) const;
  List without(const TreePath &Path) const;
  List processors(const TreePath &Path) const;
  List tileSizes(const TreePath &Path, const std::string &Tunable) const;
  List singles(const TreePath &Path) const;
  List swaps(const TreePath &Path) const;
  List tilePairs(const TreePath &Path) const;
  List whole(const TreePath &Path, const std::string &Tunable) const;
  List orders(const TreePath &Path) const;
  List buffers(const TreePath &Path, const std::string &Argument) const;
  List windows(const TreePath &Path, unsigned Param) const;
  List lanes(const TreePath &Path) const;
  List stores(const TreePath &Path, const std::string &Argument) const;
  List prefetches(const TreePath &Path, const std::string &Argument) const;
  List registerTiles() const;
  List tiles(const TreePath &Path) const;
  /// What is in registers while lines are walked side by side.
  struct StepTile {
    std::int64_t Rows; ///< 0: all
    std::int64_t Vectors;
  };
  List steps(const TreePath &Path, std::initializer_list<StepTile> Tiles) const;
  List bindings(const TreePath &Path) const;
  List ratedBindings() const;

  struct Start {
    MappingNode From;
    FunctionRef With; ///< what it has in place of another task; null: the same tasks
  };
  std::vector<Start> otherStarts() const;
  std::vector<Start> keptStarts() const;
  std::vector<Start> windowStarts() const;
  bool hasWindows() const;
  std::vector<Start> sharedStarts() const;
  std::vector<Start> unsizedStarts() const;

private:
  bool startsChain(const TreePath &Path) const;
  bool isConstant(const TreePath &Path, unsigned Param) const;
  bool isWindow(const TreePath &Path, unsigned Param) const;
  void lowerLeaves(MappingNode &N) const;
  void addLonger(const MappingNode &From, const TreePath &Cuts, List &Result) const;
  void addInside(const MappingNode &From, const TreePath &Around, std::optional<size_t> Link,
                 List &Result) const;
  List leavesAt(const TreePath &Path) const;
  static void clearHere(MappingNode &N, const std::string &Memory);
  static void clear(MappingNode &N, const std::string &Memory);
  std::int64_t lanesOf(const Function &F) const;
  std::vector<Extent> sizesFor(const Function &F) const;
  void addBlockedLeaves(const MappingNode &From, const TreePath &Path, List &Result) const;
  void addRegisterTiles(MappingNode Placed, const TreePath &Path,
                        const std::vector<std::string> &Tensors, List &Result) const;
  void addSteps(const MappingNode &Placed, const TreePath &Path, const TreePath &Blocks,
                const TreePath &Around, const Tunable &Lines, const Tunable &Columns,
                const StepTile &Tile, List &Result) const;
  void addTiles(const MappingNode &Placed, const TreePath &Cuts,
                std::initializer_list<std::int64_t> RowCounts,
                std::initializer_list<std::int64_t> Vectors, List &Result) const;
};

} // namespace septran::compiler
