//===- LoopsOfLeaf.h - the outer loops of a leaf ----------------*- C++ -*-===//
#pragma once

#include "IR/Stmt.h"

#include <map>
#include <utility>
#include <vector>

namespace septran::compiler {

/// The only term of the integer, if it is a term without a factor.
Expr onlyTerm(const Expr &E);

/// Loops directly in each other, each from 0 to the extent of a tensor, in steps of 1.
class LoopsOfLeaf {
public:
  struct Loop {
    VarRef V;
    TensorRef T; ///< it ends where this tensor's dimension does
    unsigned Dim = 0;
    LoopKind Kind = LoopKind::Sequential;
    unsigned Group = 0;
    Location Loc;
  };

  /// `Body` must outlive this.
  explicit LoopsOfLeaf(const Block &Body);

  const std::vector<Loop> &loops() const { return Loops; } ///< outermost first
  const Block &inner() const { return *Inner; }
  /// The loops around another body, with other ends.
  Block around(Block Body, const std::vector<Expr> &Ends) const;

private:
  const Block *Inner;
  std::vector<Loop> Loops;
};

} // namespace septran::compiler
