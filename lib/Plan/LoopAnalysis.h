//===- LoopAnalysis.h - what the loops of a leaf carry ----------*- C++ -*-===//
//
// A loop of a leaf is parallel if no iteration reads or writes what another one writes, a reduction
// if its iterations only meet in updates by one associative operator, and sequential otherwise. The
// analysis is conservative: an index it cannot compare makes the loop sequential.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Plan/TensorTable.h"

#include <string>
#include <vector>

namespace septran::compiler {

enum class LoopClass { Parallel, Reduction, Sequential };

struct LoopFacts {
  LoopClass Class = LoopClass::Sequential;
  std::string Reason; ///< why it is not parallel, in the user's terms
};

/// `Tensors` knows the aliases around the leaf.
LoopFacts analyzeLoop(const For &F, const TensorTable &Tensors);

/// One element access of a leaf.
struct Access {
  TensorRef T;
  std::vector<Expr> Indices;
  bool Write = false;
  UpdateOp Op = UpdateOp::Set; ///< of writes
};
/// Every access in the block, nested statements included.
std::vector<Access> accessesOf(Stmts B);

/// The coefficient of V in E if E is affine in V: 0 if V does not occur, nothing if not affine.
std::optional<std::int64_t> coefficient(const Expr &E, const VarRef &V);

} // namespace septran::compiler
