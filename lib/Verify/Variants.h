//===- Variants.h - do the variants of a family agree --------------*- C++ -*-===//
//
// A mapping may put any variant of a family in place of any other. Whether they compute the same is
// up to who wrote them; here they are called with the same arguments, as plain C++, and compared.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/BuildForms.h"
#include "Verify/VerifyMapping.h"

#include <memory>
#include <string>
#include <vector>

namespace septran::compiler {

struct VariantPair {
  FunctionRef First, Second;
  /// `gemm: gemm_blocked<float, float> and gemm_leaf<float, float>`
  std::string name() const;
};

/// For each family and signature with several variants, each of them beside the first; a leaf whose
/// loops tell how extents hang together comes first where there is one.
std::vector<VariantPair> variantPairs(const TaskGraph &Graph);

struct VariantReport {
  VerifyReport Calls;
  ShapeRelations Relations;
  std::string Problem; ///< what the C++ compiler says
  std::string ReferenceNote; ///< why there is no reference program; empty if there is one
};

/// Holds the second one to the error bounds of the first one's reference, or to a guess if there is
/// none.
VariantReport verifyVariants(const VariantPair &Pair, const ReferenceText &Reference,
                             const BuildSettings &Settings, const VerifyRequest &Request,
                             unsigned Jobs);

} // namespace septran::compiler
