//===- TeamSizes.h - blocks as many as a team needs -------------*- C++ -*-===//
//
// A size is chosen for one core and for eight. Where cores share its blocks, and smaller ones are
// still made of whole blocks inside, it is the most that the program may choose for its team, or
// even more where that suits one core.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Search.h"

namespace septran::compiler {

/// For the calls that `Root` was found for.
void chooseSizesByTeam(const SearchSpace &Space, MappingNode &Root,
                       std::vector<NominalSizes> Calls);

} // namespace septran::compiler
