//===- LeafCuts.h - which loops of a leaf can be cut ------------*- C++ -*-===//
#pragma once

#include "Logic/LoopsOfLeaf.h"
#include "Logic/TaskGraph.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace septran::compiler {

/// A loop that can be cut.
struct Cut {
  VarRef V;
  Dimension Bound; ///< what it walks, one for all
  bool IsInner = false; ///< from Lo to Hi, not from the first element of Bound to the last
  Expr Lo, Hi;
  bool IsParallel = false;
};

/// Null: the loop is not cut.
const Cut *cutOf(const std::vector<Cut> &Cuts, const VarRef &V);

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

  /// Every iteration of the loop that walks the dimension selects an element of it.
  bool isCovered(const Dimension &D) const { return Covered.count(D) != 0; }

  /// Null: no loop, or not one of those directly in each other.
  VarRef walkerOf(const Dimension &D) const;

  /// The leaf computes something from the number of the iteration that a block would change.
  bool isPositional(const VarRef &V) const { return Positional.count(V) != 0; }
  /// Of a positional loop: the parameter that is only ever added to the variable, so that a block can
  /// say by it where it begins. Null: none.
  VarRef companionOf(const VarRef &V) const;
  /// Dimensions that these loops walk and whose extents the leaf uses as values.
  std::vector<Dimension> measured(const std::vector<Cut> &Cuts) const;

  /// The leaf of blocks of these loops, with the variables replaced wherever blocks would change them:
  /// they become `Position` of them, origins of what they walk are moved back, and extents of what
  /// they walk become those of `Extents`.
  Block placed(const std::vector<Cut> &Cuts, const std::map<VarRef, Expr> &Position,
               const std::map<Dimension, Expr> &Extents) const;

private:
  const Function &Leaf;
  /// One, or several after each other. Loops of the others that walk what one of the first does, from and
  /// to the same, have its variable.
  const std::vector<LoopsOfLeaf> Nests;
  std::map<Dimension, VarRef> Walks; ///< null: not by one of these loops
  std::map<VarRef, VarRef> Walking;  ///< stand for the variables where they walk
  std::set<VarRef> Positional;
  std::map<VarRef, VarRef> Companions;
  std::set<Dimension> Covered; ///< all iterations of their loops select an element of them
  std::set<TensorRef> Read, Written;
  bool HasOtherLoops = false; ///< within the nest

  bool isInNest(const VarRef &V) const { return Walking.count(V) != 0; }
  std::vector<Dimension> walkedBy(const VarRef &V) const;
  bool isInEveryNest(const VarRef &V) const;
  bool walksAll(const VarRef &V, const std::set<TensorRef> &Tensors) const;
  std::optional<Cut> cut(const LoopsOfLeaf::Loop &L) const;
  void access(const TensorRef &T, const std::vector<Expr> &Indices, bool Always);
  void accesses(const Expr &E, bool Always);
  void accesses(const Block &B, bool Always);
  Expr markedIndex(const TensorRef &T, unsigned D, const Expr &Index) const;
  Expr marked(const Expr &E) const;
  Block marked(Block Body) const;
  Expr fromOrigins(const Expr &E) const;
};

} // namespace septran::compiler
