//===- TensorTable.h - what the tensors of a block stand for ----*- C++ -*-===//
//
// Defines form chains of views; every chain ends at a root, which is a parameter of the entry point or
// an Alloc. Two tensors can only share elements if they have the same root.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include <map>
#include <set>

namespace septran::compiler {

class TensorTable {
  std::map<TensorRef, View> Views;
  std::map<TensorRef, std::vector<Expr>> Sizes;

public:
  explicit TensorTable(const Block &B);

  TensorRef root(TensorRef T) const;
  /// The view that a Define gives to T; null for roots.
  const View *definition(const TensorRef &T) const;
  /// The extents of an Alloc or of a partial result; null for everything else.
  const std::vector<Expr> *allocated(const TensorRef &T) const;
};

/// Roots that the block writes or reads, element accesses and copies and opaque calls alike.
struct Effects {
  std::set<TensorRef> Reads, Writes;
};
Effects effectsOf(Stmts B, const TensorTable &Tensors);

/// Buffers that nothing writes but copies of all their elements, each of which is there to be
/// copied.
std::set<TensorRef> copiedWhole(Stmts B, const TensorTable &Tensors);

/// The symbols (loop variables, scalars, tensors) that statements of the block define.
struct DefinedSymbols {
  std::set<VarRef> Vars;
  std::set<TensorRef> Tensors;
};
DefinedSymbols definedIn(Stmts B);
bool mentionsAny(const Expr &E, const DefinedSymbols &Symbols);
bool mentionsAny(const View &V, const DefinedSymbols &Symbols);

/// True if `B` writes every element of `T`, whatever the extents are, before it reads any. Conservative:
/// looks for unconditional stores and blocks that tile T.
bool coversWrites(const Block &B, const TensorRef &T);

} // namespace septran::compiler
