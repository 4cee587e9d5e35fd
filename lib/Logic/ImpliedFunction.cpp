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

std::set<TensorRef> readBy(const Block &B) {
  std::set<TensorRef> Result;
  walkExprs(B, [&](const Expr &E) {
    if (E->Kind == ExprKind::Load)
      Result.insert(E->T);
  });
  return Result;
}

std::set<TensorRef> writtenBy(const Block &B) {
  std::set<TensorRef> Result;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *Element = S.getIf<Store>())
      Result.insert(Element->T);
  });
  return Result;
}

void PartOfLeaf::addParameters(const Function &Leaf, const Function &Task, const Block &Body) {
  const std::set<TensorRef> Written = writtenBy(Body);
  for (size_t I = 0; I < Leaf.Params.size(); ++I) {
    Parameter P = Leaf.Params[I];
    if (P.isTensor() ? !uses(Body, P.Tensor) : !mentions(Body, P.Scalar))
      continue;
    if (P.isTensor()) {
      const bool IsWritten = Written.count(P.Tensor) != 0;
      L.Args.push_back({wholeView(Task.Params[I].Tensor), nullptr});
      P.Tensor = Fresh.Tensors[P.Tensor] = std::make_shared<Tensor>(*P.Tensor);
      if (!IsWritten) {
        P.Access = Privilege::Read;
        P.Tensor->Const = true;
      }
    } else {
      L.Args.push_back({View(), varExpr(Task.Params[I].Scalar)});
      const VarRef Old = P.Scalar;
      P.Scalar = std::make_shared<Var>(*Old);
      Fresh.Vars[Old] = varExpr(P.Scalar);
    }
    F.Params.push_back(std::move(P));
  }
}

FunctionRef PartOfLeaf::finish(const Block &Body) {
  F.Kind = FunctionKind::Leaf;
  F.Body = freshCopy(Body, Fresh);
  L.Callee = std::make_shared<const Function>(std::move(F));
  return L.Callee;
}

} // namespace septran::compiler
