//===- Rewrite.h - walking, substituting and copying IR ---------*- C++ -*-===//
//
// Passes are written with these functions instead of switches over node kinds.
// Walks visit in textual order, parents first. Substitution is simultaneous: what
// it puts in is not substituted again.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <vector>

namespace septran::compiler {

/// Bottom-up: F sees every node with its operands already rewritten and returns what replaces it,
/// or null to keep it. Nodes are rebuilt by the builders, hence fold.
Expr rewriteExpr(const Expr &E, llvm::function_ref<Expr(const Expr &)> F);

/// E with other operands (indices, for a Load), built by the builders.
Expr withOperands(const Expr &E, std::vector<Expr> Args);

struct Substitution {
  std::map<VarRef, Expr> Vars;
  std::map<TensorRef, TensorRef> Tensors;
  /// What an alias or parameter stands for. Extents, origins, loads, stores and views of it become
  /// those of the view's base. Loads and stores through a view with Fill or Reshape, and views that
  /// cannot be composed with it (canCompose), keep naming the tensor.
  std::map<TensorRef, View> Views;
};

/// A statement that introduces a Var or Tensor is renamed with it if the Substitution maps it to
/// another Var or Tensor, and otherwise left alone.
Expr substitute(const Expr &E, const Substitution &S);
View substitute(const View &V, const Substitution &S);
Block substitute(const Block &B, const Substitution &S);

/// A deep copy in which every Var and Tensor that B introduces (introducedVar, introducedTensors)
/// is a new symbol. S says what to do with the others; the new symbols are added to it.
Block freshCopy(const Block &B, Substitution &S);

/// Every statement, those in nested blocks included.
void walkStmts(Stmts B, llvm::function_ref<void(const Stmt &)> F);
/// F may change the statement it is given, whose blocks are then walked.
void walkStmts(Block &B, llvm::function_ref<void(Stmt &)> F);

/// Every expression and sub-expression of the statements, nested ones included: bounds, values,
/// indices, offsets and extents of views and buffers.
void walkExprs(Stmts B, llvm::function_ref<void(const Expr &)> F);
void walkExprs(const Expr &E, llvm::function_ref<void(const Expr &)> F);

/// Every expression that S (without its nested statements) or V holds, not its sub-expressions. No
/// null ones.
void forEachExpr(Stmt &S, llvm::function_ref<void(Expr &)> F);
void forEachExpr(const Stmt &S, llvm::function_ref<void(const Expr &)> F);
void forEachExpr(View &V, llvm::function_ref<void(Expr &)> F);
void forEachExpr(const View &V, llvm::function_ref<void(const Expr &)> F);

/// Every view that S (without its nested statements) holds.
void forEachView(Stmt &S, llvm::function_ref<void(View &)> F);
void forEachView(const Stmt &S, llvm::function_ref<void(const View &)> F);

/// Replaces every expression of the block by rewriteExpr of it.
void rewriteExprs(Block &B, llvm::function_ref<Expr(const Expr &)> F);

/// The blocks nested in S.
llvm::SmallVector<Block *, 2> nestedBlocks(Stmt &S);
llvm::SmallVector<const Block *, 2> nestedBlocks(const Stmt &S);

/// What S introduces, for its body (loop variables, partials of reductions) or for what follows it.
VarRef introducedVar(const Stmt &S); ///< null if none
std::vector<TensorRef> introducedTensors(const Stmt &S);

bool mentions(const Expr &E, const VarRef &V);
bool mentions(const View &View, const VarRef &V);
bool mentions(Stmts B, const VarRef &V);
/// Names the tensor in any way: element, extent, origin.
bool mentions(const Expr &E, const TensorRef &T);

/// The Vars of E in order of first appearance, each once.
std::vector<VarRef> collectVars(const Expr &E);

/// B reads, writes, views or measures T. The statement that introduces T is no use.
bool uses(Stmts B, const TensorRef &T);

} // namespace septran::compiler
