//===- TeamSizes.h - blocks as many as a team needs -------------*- C++ -*-===//
//
// A size is chosen for one core and for eight. Where cores share its blocks, and smaller ones are
// still made of whole blocks inside, it is the most that the program may choose for its team.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Search.h"

namespace septran::compiler {

void chooseSizesByTeam(const SearchSpace &Space, MappingNode &Root);

} // namespace septran::compiler
