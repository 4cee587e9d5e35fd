//===- InstanceSettings.h - some settings of one instance -------*- C++ -*-===//
//
// The part of a random mapping that one instance decides by itself: tile sizes, memories, layouts,
// the structure of its loops. Choices are plausible: memories that the level reaches, registers for
// what fits into them, sequential loops where a pipeline is asked for.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Machine/Machine.h"
#include "Mapping/Mapping.h"
#include "Verify/KnownExtents.h"
#include "Verify/MachineRules.h"
#include "Verify/Random.h"

namespace septran::compiler {

/// Where the caller of an instance has an argument, and how large it can be.
struct TensorPlace {
  std::string Memory;
  std::vector<ExtentBound> Bounds; ///< one per dimension
  bool IsWindow = false;           ///< always a copy
  bool IsScattered = false;        ///< elements of a row are no neighbours

  CopyForm form() const;
};

/// Where an instance runs.
struct InstancePlace {
  size_t Level = 0;
  size_t Site = 0; ///< level of what surrounds it: its caller's, or its own in a loop that spreads
};

class SettingsDraw {
  const Function &F;
  const Machine &M;
  const MachineRules &Rules;
  InstancePlace At;
  Random &R;
  std::optional<PrimitiveFit> Bound;
  std::int64_t RegistersLeft = 0;
  bool HasParallel = false, HasSequential = false;
  std::vector<std::string> LeafLoops;
  std::vector<std::int64_t> PrimitiveExtents;           ///< of primitives that suit launched leaves
  std::vector<std::pair<TensorRef, Privilege>> Tensors; ///< arguments, then locals
  std::map<TensorRef, std::vector<Expr>> LocalExtents;

  const std::string &levelName() const { return M.Processors[At.Level].Name.Value; }
  bool wholeInRegisters(const TensorRef &T) const;
  std::vector<const Memory *> choices(const TensorRef &T, Privilege P, const TensorPlace *Outside,
                                      const std::vector<ExtentBound> &Bounds) const;
  const Memory *drawMemory(const TensorRef &T, Privilege P, const std::vector<ExtentBound> &Bounds,
                           const TensorPlace *Outside);
  bool canBeLaidOut(const InstanceMapping &I, const TensorRef &T, Privilege P,
                    const TensorPlace *Outside) const;
  bool fits(const Memory &In, const Tensor &T, const std::vector<ExtentBound> &Bounds);
  Extent drawTile(const Tunable &T, bool Small);
  Layout drawLayout(unsigned Rank, const InstanceMapping &I);
  std::int64_t drawThreads();
  void drawLoops(InstanceMapping &I);
  void drawLeaf(InstanceMapping &I);
  void drawDevice(InstanceMapping &I);

public:
  /// `Bound`: the primitive that the caller binds the leaf to, or nothing.
  SettingsDraw(const Function &F, const Machine &M, const MachineRules &Rules,
               const InstancePlace &At, std::optional<PrimitiveFit> Bound, Random &R);

  /// Where locals live that the mapping does not place.
  std::string localMemory() const;

  /// The following are called in this order. `Args`: one per parameter of the task.
  void drawBinding(InstanceMapping &I, const std::vector<TensorPlace> &Args);
  void drawTunables(InstanceMapping &I, KnownExtents &Known);
  void drawMemories(InstanceMapping &I, const std::vector<TensorPlace> &Args,
                    const KnownExtents &Known);
  void drawStructure(InstanceMapping &I);
};

/// A way to execute the leaf on `At.Level` or further inside, with operands where they can be; nothing
/// if there is none.
std::optional<PrimitiveFit> drawPrimitive(const Function &Leaf, const Machine &M,
                                          const MachineRules &Rules, const InstancePlace &At,
                                          const std::vector<TensorPlace> &Args, Random &R);

} // namespace septran::compiler
