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

} // namespace septran::compiler
