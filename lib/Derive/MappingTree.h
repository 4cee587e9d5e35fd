//===- MappingTree.h - a mapping as the tree of its instances ---*- C++ -*-===//
//
// What a search for a mapping works on: one node per instance and launch, with the choices that the
// search makes. Whether all of them go together only the passes know.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Machine/Machine.h"
#include "Mapping/Mapping.h"

#include <map>
#include <optional>
#include <set>

namespace septran::compiler {

struct MappingNode {
  FunctionRef Task;
  size_t Level = 0;                        ///< of the machine's processors, 0 outermost
  std::map<std::string, Extent> Tunables;  ///< those that differ from the logic's defaults
  std::map<std::string, std::string> Mems; ///< argument or local -> memory
  std::set<std::string> Resident;          ///< arguments that are copied once
  std::set<std::string> InPlace;           ///< windows that are read in place
  std::set<std::string> Streams;           ///< results that pass by the caches if they are large
  std::map<std::string, std::int64_t> Prefetch; ///< arguments of a leaf -> iterations ahead
  bool ColumnOrder = false;
  /// Loop of a leaf that runs in lanes; of an empty name: none does. Not given: what the compiler
  /// chooses.
  std::optional<std::string> Lanes;
  std::string Binding;               ///< the primitive that computes the leaf; empty: loops do
  std::vector<MappingNode> Children; ///< one per launch of the task, in textual order
};

/// What N says of the size, or the logic's default; nothing if that is made of other values.
std::optional<Extent> sizeOf(const MappingNode &N, const Tunable &T);

/// The launches of a task, in textual order.
std::vector<const Launch *> launchesOf(const Function &F);

/// A node for each launch below `Task`: the functions that the logic names, unless they launch
/// their own family again: then the variant that ends it.
MappingNode plainNode(const TaskGraph &G, const FunctionRef &Task, size_t Level);

/// What can stand where `Callee` is launched: chains of up to `Depth` variants that launch their
/// own family, and one that does not.
std::vector<std::vector<FunctionRef>> chainsFor(const TaskGraph &G, const FunctionRef &Callee,
                                                unsigned Depth);

/// The chain as nodes, one launched by the other.
MappingNode chainNode(const TaskGraph &G, const std::vector<FunctionRef> &Chain, size_t Level);

/// The number of the launch by which the first of a chain launches the next.
size_t chainLink(const std::vector<FunctionRef> &Chain);

/// Nothing below runs on an outer processor.
void raiseLevels(MappingNode &N, size_t Level);

/// Extents of arguments, `W.extent(0)`, and elements.
using ExtentList = std::vector<std::pair<std::string, std::int64_t>>;

/// A tree for calls with some extents of at most so many elements.
struct SmallTree {
  MappingNode Root;
  ExtentList AtMost;
};

/// The mapping that the tree stands for. Instances are called after their tasks. Calls that the
/// others are for are theirs; the first that takes one has it. Calls with the usual extents get
/// code of their own from the same tree.
Mapping toMapping(const MappingNode &Root, const Machine &M,
                  const std::vector<SmallTree> &Smaller = {}, const ExtentList &Usual = {});

} // namespace septran::compiler
