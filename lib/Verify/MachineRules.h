//===- MachineRules.h - where instances of a random mapping can be -*- C++ -*-===//
//
// What a machine file says about levels and memories, as questions that a random choice asks: may
// this level run such code, reach such elements, make such a copy? Machines fall into three kinds by
// what they describe. Where no level is started, as on CPUs, all code is alike. Levels that spread
// as a grid run kernels, whose buffers belong to one processor of the grid. Levels with a launch
// template have scratchpads, and move data by the machine's own copies only. No machine is known by
// its name, and the compiler has the last word.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Machine/Machine.h"

#include <map>
#include <set>
#include <vector>

namespace septran::compiler {

/// A way to execute a leaf: the memory in which each tensor must be; "" is any with addresses.
struct PrimitiveFit {
  const Primitive *P = nullptr;
  std::map<TensorRef, std::string> Memories;
};

/// Primitives that compute what the leaf computes.
std::vector<PrimitiveFit> fittingPrimitives(const Function &Leaf, const Machine &M);

/// Neighbours along the view's last dimension are not neighbours in its base.
bool isScattered(const View &V);

/// What a copy has to do beside moving elements.
struct CopyForm {
  bool IsWindow = false;    ///< fill what lies outside of the tensor
  bool IsScattered = false; ///< gather elements that are no neighbours along the last dimension
  bool IsBounded = false;   ///< constants limit its extents
};

class MachineRules {
  const Machine &M;
  size_t Device;      ///< depth of the outermost level that is started; one too many if there is none
  bool Grid = false;  ///< it spreads as a grid

  bool insideOnly(const TaskGraph &G, const Function &F, std::set<const Function *> &Path) const;
  bool movesViews(const Launch &L) const;
  size_t ownerDepth(const Memory &In) const;
  bool isHostOnly(const Memory &In) const;

public:
  explicit MachineRules(const Machine &M);

  /// Some levels run what the host starts there.
  bool hasDevice() const { return Device < M.Processors.size(); }
  bool onDevice(size_t Level) const { return Level >= Device; }
  bool runsKernels() const { return Grid; }
  size_t deviceLevel() const { return Device; }
  bool spreads(size_t Level) const;

  /// F and all that it launches can be compiled for levels that are started: nothing of it is opaque,
  /// and machines with copies of their own have a copy for every view that it passes on.
  bool runsInside(const TaskGraph &G, const Function &F) const;

  /// Leaves on the level may use elements of the memory.
  bool touches(size_t Level, const Memory &In, Privilege P) const;
  /// What runs on level `Site` may hold a buffer; `Bounded`: constants limit its extents.
  bool holds(size_t Site, const Memory &In, bool Bounded) const;
  /// It may also fill one from a tensor in `From`, if P reads, and write it back, if P writes.
  bool copies(size_t Site, const Memory &From, const Memory &To, Privilege P,
              const CopyForm &Form) const;
  bool pipelines() const; ///< asking for stages makes sense
};

} // namespace septran::compiler
