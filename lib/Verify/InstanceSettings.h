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
#include "Verify/Random.h"

namespace septran::compiler {

/// Where the caller of an instance has an argument, and how large it can be.
struct TensorPlace {
  std::string Memory;
  std::vector<ExtentBound> Bounds; ///< one per dimension
  bool IsWindow = false;           ///< always a copy
};

class SettingsDraw {
  const Function &F;
  const Machine &M;
  size_t Level;
  Random &R;
  const Primitive *Bound = nullptr;
  std::int64_t RegistersLeft = 0;
  bool HasParallel = false, HasSequential = false;
  std::vector<std::string> LeafLoops;
  std::vector<std::int64_t> PrimitiveExtents;           ///< of primitives that suit launched leaves
  std::vector<std::pair<TensorRef, Privilege>> Tensors; ///< arguments, then locals
  std::map<TensorRef, std::vector<Expr>> LocalExtents;

  const std::string &levelName() const { return M.Processors[Level].Name.Value; }
  std::vector<const Memory *> reachable(Privilege P) const;
  const Memory *drawMemory(const Tensor &T, Privilege P, const std::vector<ExtentBound> &Bounds,
                           const std::string &Inherited);
  const Operand *operandFor(const Tensor &T) const;
  bool fits(const Memory &In, const Tensor &T, const std::vector<ExtentBound> &Bounds);
  Extent drawTile(const Tunable &T, bool Small);
  Layout drawLayout(unsigned Rank, const InstanceMapping &I);
  void drawLoops(InstanceMapping &I);
  void drawLeaf(InstanceMapping &I);
  void drawDevice(InstanceMapping &I);

public:
  /// `Bound`: the primitive that the caller binds the leaf to, or null.
  SettingsDraw(const Function &F, const Machine &M, size_t Level, const Primitive *Bound,
               Random &R);

  /// Where locals live that the mapping does not place.
  std::string localMemory() const;

  /// The following are called in this order.
  void drawBinding(InstanceMapping &I);
  void drawTunables(InstanceMapping &I, KnownExtents &Known);
  /// `Args`: one per parameter of the task.
  void drawMemories(InstanceMapping &I, const std::vector<TensorPlace> &Args,
                    const KnownExtents &Known);
  void drawStructure(InstanceMapping &I);
};

/// A primitive of `Level` or further inside whose operands have the element types of the leaf's
/// parameters; null if there is none.
const Primitive *drawPrimitive(const Function &Leaf, const Machine &M, size_t Level, Random &R);

} // namespace septran::compiler
