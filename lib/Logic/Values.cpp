//===- Values.cpp --------------------------------------------------*- C++ -*-===//
#include "Logic/Values.h"

namespace septran::compiler {

Expr Grid::extent(unsigned Dim) const {
  return ceilDiv(extentOf(Base, Dim), IsWindows ? Step[Dim] : Size[Dim]);
}

} // namespace septran::compiler
