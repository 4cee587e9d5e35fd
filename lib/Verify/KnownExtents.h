//===- KnownExtents.h - extents that tunables decide ------------*- C++ -*-===//
//
// Upper bounds of extents, as far as numbers of the mapping fix them: a block of 4 has at most 4
// elements whatever the tensor's extent is. Registers hold only what has such bounds. The bounds
// guide a random choice; whether it is right decides the compiler, so an unknown sign of a
// subtrahend is taken for positive.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Tensor.h"

#include <map>
#include <optional>
#include <vector>

namespace septran::compiler {

using ExtentBound = std::optional<std::int64_t>;

class KnownExtents {
  std::map<VarRef, std::int64_t> Values;
  std::map<TensorRef, std::vector<ExtentBound>> Bounds;

public:
  void setValue(const VarRef &V, std::int64_t Value) { Values[V] = Value; }
  void setBounds(const TensorRef &T, std::vector<ExtentBound> B) { Bounds[T] = std::move(B); }

  ExtentBound bound(const Expr &E) const;
  /// Of each dimension of the view.
  std::vector<ExtentBound> bounds(const View &V) const;
};

} // namespace septran::compiler
