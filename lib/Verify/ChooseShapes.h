//===- ChooseShapes.h - shapes at which mappings break ------------*- C++ -*-===//
//
// Around every block size, primes, 1, multiples, one large shape; or what the user asks for. The
// relations between extents come from the logic (ShapeRelations.h); what they miss is learned by
// asking whether the plain program accepts a shape: values that it refuses are left out, and
// extents that it accepts only together stay together.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/ShapeRelations.h"
#include "Plan/ShapeSpec.h"
#include "Verify/RunCase.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

/// It chooses no shape: it names a tensor of integers.
bool statesElements(const ShapeRelations &R, const ShapeSpec &S);

struct ShapeChoice {
  Extents Shape;
  ScalarValues Scalars;
  friend auto operator<=>(const ShapeChoice &, const ShapeChoice &) = default;
};

struct ShapeRequest {
  std::vector<ShapeSpec> Specs;
  unsigned Count = 24;              ///< about so many
  std::int64_t Work = 1 << 18;      ///< bound on the product of all free extents
  std::int64_t LargeWork = 1 << 22; ///< the same for the one large shape; 0: none
  std::uint64_t Seed = 1;
};

struct ShapePlan {
  std::vector<ShapeChoice> Shapes;
  unsigned Refused = 0; ///< shapes tried that the plain program does not accept
  std::string Problem;  ///< why there are no shapes
  bool NoneAccepted = false; ///< that is why
};

/// Why the plain program does not accept a shape.
struct Refusal {
  std::string Why;
  bool InTime = true; ///< not: whether it accepts the shape is not known
};

/// For each choice the refusal; none if the plain program accepts it within so many seconds.
using AcceptShapes = llvm::function_ref<std::vector<std::optional<Refusal>>(
    const std::vector<ShapeChoice> &, unsigned Seconds)>;

ShapePlan chooseShapes(const ShapeRelations &R, const ShapeRequest &Request, AcceptShapes Accepts);

} // namespace septran::compiler
