//===- ImpliedFunction.cpp - functions that the source does not have ------===//
#include "Logic/ImpliedFunction.h"

#include <algorithm>

namespace septran::compiler {

Function impliedFunction(const Function &Leaf, const std::string &Suffix) {
  Function F;
  F.Name = F.QualifiedName = F.CallName = F.Family = Leaf.Name + Suffix;
  // Template arguments behind the name.
  F.Signature = F.Name + Leaf.Signature.substr(std::min(Leaf.Name.size(), Leaf.Signature.size()));
  F.Loc = Leaf.Loc;
  F.IsTemplate = Leaf.IsTemplate;
  F.IsImplied = true;
  return F;
}

std::map<TensorRef, TensorRef> addParametersOf(const Function &Leaf, Function &F) {
  std::map<TensorRef, TensorRef> Own;
  F.Params = Leaf.Params;
  for (Parameter &P : F.Params)
    if (P.isTensor())
      P.Tensor = Own[P.Tensor] = std::make_shared<Tensor>(*P.Tensor);
    else
      P.Scalar = std::make_shared<Var>(*P.Scalar);
  return Own;
}

} // namespace septran::compiler
