//===- ElementCode.cpp - what a processor does element by element ---------===//
#include "Plan/ElementCode.h"

#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

/// Nothing but loops over elements, as leaves have them.
static bool isElementCode(const Stmt &S) {
  if (S.getIf<CopyStmt>() || S.getIf<PrimitiveCall>() || S.getIf<Stage>() ||
      S.getIf<OpaqueCall>() || S.getIf<Scope>())
    return false;
  for (const Block *Nested : nestedBlocks(S))
    if (!std::all_of(Nested->begin(), Nested->end(), isElementCode))
      return false;
  return true;
}

bool isElements(const Stmt &S) {
  const auto *Sc = S.getIf<Scope>();
  return Sc ? std::all_of(Sc->Body.begin(), Sc->Body.end(), isElementCode) : isElementCode(S);
}

std::vector<TensorRef> elements(const Stmt &S) {
  std::vector<TensorRef> Found;
  auto Add = [&](const TensorRef &T) {
    if (std::find(Found.begin(), Found.end(), T) == Found.end())
      Found.push_back(T);
  };
  const Block Alone = {S};
  walkStmts(Alone, [&](const Stmt &Inner) {
    if (const auto *St = Inner.getIf<Store>())
      Add(St->T);
  });
  walkExprs(Alone, [&](const Expr &E) {
    if (E->Kind == ExprKind::Load)
      Add(E->T);
  });
  return Found;
}

} // namespace septran::compiler
