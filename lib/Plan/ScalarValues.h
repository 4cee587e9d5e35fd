//===- ScalarValues.h - extents and scalars, spelled out --------*- C++ -*-===//
#pragma once

#include "IR/Affine.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

/// Spells expressions in terms of what is known on entry, loop variables and scalars that change.
class ScalarValues {
  TensorTable Tensors;
  std::map<VarRef, Expr> Values; ///< of scalars that are defined once

public:
  explicit ScalarValues(const Block &B);

  /// Extents of aliases and allocations become those of parameters, scalars become their values,
  /// but for sizes that depend on the team: their bounds are all that is known.
  Expr expand(const Expr &E) const;
};

/// A constant that E never exceeds. Unlike upperBound, knows nothing of a variable's type: that an
/// `int n` ends somewhere is no size that anybody planned with.
std::optional<std::int64_t> plannedBound(const Expr &E, const Facts &Known = {});

} // namespace septran::compiler
