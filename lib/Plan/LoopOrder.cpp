//===- LoopOrder.cpp - in which order blocks are visited ------------------===//
#include "Plan/LoopOrder.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

std::vector<const For *> parallelGroup(const For &F) {
  std::vector<const For *> Group{&F};
  while (F.Group && Group.back()->Body.size() == 1) {
    const For *Inner = Group.back()->Body.front().getIf<For>();
    if (!Inner || Inner->Group != F.Group)
      break;
    Group.push_back(Inner);
  }
  return Group;
}

std::vector<For *> parallelGroup(For &F) {
  std::vector<For *> Group;
  for (const For *L : parallelGroup(std::as_const(F)))
    Group.push_back(const_cast<For *>(L));
  return Group;
}

namespace {

void reverseLoops(std::vector<For *> &Group) {
  for (size_t I = 0, J = Group.size() - 1; I < J; ++I, --J) {
    std::swap(Group[I]->V, Group[J]->V);
    std::swap(Group[I]->Lo, Group[J]->Lo);
    std::swap(Group[I]->Hi, Group[J]->Hi);
    std::swap(Group[I]->Step, Group[J]->Step);
  }
}

/// for i { for j { B } }  =>  for g { for j { for r in n { i = g * n + r; if (i < I) B } } }
void groupRows(std::vector<For *> &Group, std::int64_t Rows) {
  For &Outer = *Group[0], &Inner = *Group[1];
  VarRef Row = Outer.V;
  Expr Count = Outer.Hi;
  For Within = Inner;
  Within.V = makeVar(Row->Name + "_in_group", Row->Type, VarKind::Loop, Row->Loc);
  Within.Lo = intLit(0);
  Within.Hi = intLit(Rows);
  VarRef Index = makeVar(Row->Name, Row->Type, VarKind::Scalar, Row->Loc);
  Substitution S;
  S.Vars[Row] = varExpr(Index);
  Block Body = substitute(Inner.Body, S);
  Outer.V = makeVar(Row->Name + "_group", Row->Type, VarKind::Loop, Row->Loc);
  Outer.Hi = ceilDiv(Count, intLit(Rows));
  Location Loc = Row->Loc;
  Within.Body = {{Let{Index, varExpr(Outer.V) * intLit(Rows) + varExpr(Within.V), false}, Loc},
                 {If{binary(BinaryOp::Lt, varExpr(Index), Count), std::move(Body), {}}, Loc}};
  Inner.Body = {{std::move(Within), Loc}};
}

} // namespace

void applyOrder(Block &B, const InstanceInfo &I, const Machine &Target, Diagnostics &D) {
  if (!I.Settings || !I.Settings->Order)
    return;
  const Located<Order> &Wanted = *I.Settings->Order;
  for (Stmt &S : B) {
    auto *F = S.getIf<For>();
    if (!F || F->Kind != LoopKind::Parallel) {
      if (!S.getIf<Scope>())
        for (Block *Nested : nestedBlocks(S))
          applyOrder(*Nested, I, Target, D);
      continue;
    }
    std::vector<For *> Group = parallelGroup(*F);
    switch (Wanted.Value.K) {
    case Order::Kind::Row:
      break;
    case Order::Kind::Column:
      reverseLoops(Group);
      break;
    case Order::Kind::Grouped:
      if (Group.size() >= 2)
        groupRows(Group, Wanted.Value.Group);
      break;
    case Order::Kind::Hilbert:
    case Order::Kind::Morton:
      D.report(DiagID::WrongTarget, Wanted.Loc, "order " + toString(Wanted.Value),
               Target.Name.Value, "expected row, column or grouped(N)");
      break;
    }
  }
}

} // namespace septran::compiler
