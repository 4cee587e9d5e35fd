//===- LeafCuts.h - which loops of a leaf can be cut ------------*- C++ -*-===//
#pragma once

#include "Logic/LoopsOfLeaf.h"
#include "Logic/TaskGraph.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace septran::compiler {

using Dimension = std::pair<TensorRef, unsigned>;

/// A loop that can be cut.
struct Cut {
  VarRef V;
  Dimension Bound; ///< it ends where this does
  bool IsParallel = false;
};

/// Which loops of a leaf can be cut, which dimensions they walk, and what else the leaf computes from
/// them. A dimension is walked by a loop if all its elements are selected by the loop's variable, and
/// blocks of the loop then need blocks of it.
class LeafCuts {
public:
  explicit LeafCuts(const Function &Leaf);

  /// The loops to cut, outermost first: those that give something to use again or, for a leaf that is
  /// to be spread over cores, those whose blocks are independent. Of loops that do not select what is
  /// written only the outermost, or elements would see the iterations in another order.
  std::vector<Cut> cuts(bool ForCores) const;

  /// Null: no loop, or not one of those directly in each other.
  VarRef walkerOf(const Dimension &D) const;

  /// The leaf computes something from the number of the iteration that a block would change.
  bool isPositional(const VarRef &V) const { return Positional.count(V) != 0; }
  /// Of a positional loop: the parameter that is only ever added to the variable, so that a block can
  /// say by it where it begins. Null: none.
  VarRef companionOf(const VarRef &V) const;
  /// Dimensions that are walked and whose extents the leaf uses as values.
  const std::set<Dimension> &measured() const { return Measured; }

  /// The leaf with its loops' variables replaced wherever blocks would change them: the variables
  /// become `Position` of them, origins of what they walk are moved back, and extents of what they
  /// walk become those of `Extents`.
  Block placed(const std::map<VarRef, Expr> &Position, const std::map<Dimension, Expr> &Extents) const;

private:
  const LoopsOfLeaf Loops;
  std::vector<Cut> Nest;             ///< loops directly in each other, outermost first
  std::map<Dimension, VarRef> Walks; ///< null: not by one of these loops
  std::map<VarRef, VarRef> Walking;  ///< stand for the variables where they walk
  std::set<VarRef> Positional;
  std::map<VarRef, VarRef> Companions;
  std::set<Dimension> Measured;
  std::set<TensorRef> Read, Written;
  bool HasOtherLoops = false; ///< within the nest

  bool isInNest(const VarRef &V) const { return Walking.count(V) != 0; }
  bool walksAll(const VarRef &V, const std::set<TensorRef> &Tensors) const;
  void access(const TensorRef &T, const std::vector<Expr> &Indices);
  Expr markedIndex(const TensorRef &T, unsigned D, const Expr &Index) const;
  Expr marked(const Expr &E) const;
  Block markedBody() const;
  Expr fromOrigins(const Expr &E) const;
};

} // namespace septran::compiler
