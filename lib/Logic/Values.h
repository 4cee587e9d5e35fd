//===- Values.h - what the names of a logic function stand for ------*- C++ -*-===//
//
// While a function's body is read, every C++ variable is bound to one of these. Partitions, windows
// and lists of extents exist only here: the task graph holds the views and expressions that they
// are resolved into.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Tensor.h"

#include "llvm/ADT/DenseMap.h"

#include <variant>
#include <vector>

namespace clang {
class ValueDecl;
} // namespace clang

namespace septran::compiler {

/// One element of a tensor, as an lvalue.
struct Element {
  TensorRef T;
  std::vector<Expr> Indices;
};

/// Extents, shapes, positions.
using List = std::vector<Expr>;

/// A partition, or windows.
struct Grid {
  TensorRef Base;
  List Size;
  // Windows only.
  bool IsWindows = false;
  List Step, Low, High;
  Expr Fill;

  /// Number of blocks along a dimension.
  Expr extent(unsigned Dim) const;
};

/// `std::monostate`: known, but not usable (its declaration was rejected).
using Value = std::variant<std::monostate, Expr, View, Element, Grid, List>;

using Bindings = llvm::DenseMap<const clang::ValueDecl *, Value>;

/// An expression in the domain of indices and extents: integer conversions are dropped and
/// arithmetic is done in 64 bits. Right wherever the C++ does not overflow, which for indices of
/// elements that exist it may not.
Expr toIndex(const Expr &E);

/// `Condition ? Then : Else`, or the min or max that it is exactly.
Expr selectOrMinMax(const Expr &Condition, const Expr &Then, const Expr &Else);

} // namespace septran::compiler
