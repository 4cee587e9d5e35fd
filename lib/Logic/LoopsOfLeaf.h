//===- LoopsOfLeaf.h - the outer loops of a leaf ----------------*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"

#include <optional>
#include <utility>
#include <vector>

namespace septran::compiler {

/// The only term of the integer, if it is a term without a factor.
Expr onlyTerm(const Expr &E);

using Dimension = std::pair<TensorRef, unsigned>;

/// A definition of a scalar that is the same wherever it stands: of arguments alone.
bool isFixed(const Let &Definition);

/// The block sets scalars that it does not introduce.
bool assignsOutside(const Block &B);

/// Loops directly in each other, in steps of 1, each with bounds that nothing in the leaf changes, and what
/// they enclose. Before them there may be definitions that are fixed. None if a scalar keeps what an
/// iteration leaves in it.
class LoopsOfLeaf {
public:
  struct Loop {
    VarRef V;
    Expr Lo, Hi;
    LoopKind Kind = LoopKind::Sequential;
    unsigned Group = 0;
    Location Loc;

    /// What the loop walks from its first element to its last, if that is all it says.
    std::optional<Dimension> whole() const;
  };

  explicit LoopsOfLeaf(const Block &Body);

  const std::vector<Loop> &loops() const { return Loops; } ///< outermost first
  const Block &definitions() const { return Definitions; }
  const Block &inner() const { return Inner; }

private:
  Block Definitions, Inner;
  std::vector<Loop> Loops;
};

/// The loops, outermost first, around a body.
Block around(const std::vector<LoopsOfLeaf::Loop> &Loops, Block Body);

} // namespace septran::compiler
