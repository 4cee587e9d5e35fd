//===- LaneWidth.cpp - how many lanes a loop has --------------------------===//
#include "Plan/LaneWidth.h"

#include "IR/Narrow.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

namespace {

class Widest {
  std::set<VarRef> FromElements;
  unsigned Bytes = 1;

  /// Whether the value comes from elements; its type, and those of what it is made of, count then.
  bool visit(const Expr &E) {
    if (const Expr InLess = narrowed(E))
      return visit(InLess);
    bool Comes =
        E->Kind == ExprKind::Load || (E->Kind == ExprKind::Var && FromElements.count(E->V));
    if (E->Kind != ExprKind::Load) // its operands are indices
      for (const Expr &Operand : E->Args)
        Comes |= visit(Operand);
    if (Comes)
      Bytes = std::max(Bytes, computedBytes(E->Type));
    return Comes;
  }

public:
  unsigned run(const Block &Body) {
    walkStmts(Body, [&](const Stmt &S) {
      if (const auto *L = S.getIf<Let>()) {
        if (L->Value && visit(L->Value))
          FromElements.insert(L->V);
      } else if (const auto *A = S.getIf<Assign>()) {
        if (visit(A->Value)) {
          FromElements.insert(A->V);
          Bytes = std::max(Bytes, computedBytes(A->V->Type));
        }
      } else if (const auto *St = S.getIf<Store>()) {
        visit(St->Value);
      } else if (const auto *I = S.getIf<If>()) {
        visit(I->Condition);
      }
    });
    return Bytes;
  }
};

} // namespace

unsigned computedBytes(ScalarType Type) { return isSmallFloat(Type) ? 4 : byteSize(Type); }

unsigned widestComputed(const Block &Body) { return Widest().run(Body); }

} // namespace septran::compiler
