//===- TeamBlocks.cpp - block sizes that depend on the team ---------------===//
#include "Plan/TeamBlocks.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Machine/Machine.h"
#include "Plan/LoopOrder.h"
#include "Plan/TensorTable.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// What is divided into blocks of V, if the loop goes over these.
Expr dividedBy(const VarRef &V, const For &F) {
  const Expr &Hi = withoutCasts(F.Hi);
  if (!isConstant(F.Lo, 0) || Hi->Kind != ExprKind::Binary || Hi->Bin != BinaryOp::CeilDiv)
    return nullptr;
  const std::optional<Affine> Size = affineForm(Hi->Args[1]);
  if (!Size || Size->Terms.size() != 1 || Size->Constant != 0)
    return nullptr;
  const std::int64_t Factor = coefficientOf(*Size, V).value_or(0);
  if (Factor < 1)
    return nullptr;
  const Expr &Of = Hi->Args[0];
  return Factor == 1 ? Of : ceilDiv(Of, intLit(Factor, Of->Type));
}

/// A loop over blocks, and how many iterations those around and inside it have that belong to it.
struct SharedLoop {
  Expr Elements, Others;
};

std::optional<SharedLoop> sharedLoop(const Block &Body, const VarRef &V) {
  std::optional<SharedLoop> Result;
  walkStmts(Body, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    if (Result || !F || F->Kind != LoopKind::Parallel)
      return;
    const std::vector<const For *> Group = parallelGroup(*F);
    for (const For *Loop : Group)
      if (const Expr Elements = dividedBy(V, *Loop)) {
        Expr Others = intLit(1);
        for (const For *Other : Group)
          if (Other != Loop)
            Others = Others * cast(ScalarType::I64, Other->Hi - Other->Lo);
        Result = {cast(ScalarType::I64, Elements), Others};
        return;
      }
  });
  return Result;
}

} // namespace

Block applyTeamTunables(Block Body, const std::vector<TeamTunable> &Tunables,
                        std::optional<std::int64_t> Threads, VarRef &Failed) {
  for (const auto &[V, Size] : Tunables) {
    const std::optional<SharedLoop> Loop = sharedLoop(Body, V);
    // Sizes that follow depend on this one.
    const auto First = std::find_if(Body.begin(), Body.end(), [&](const Stmt &S) {
      return std::any_of(Tunables.begin(), Tunables.end(),
                         [&](const TeamTunable &T) { return mentions(Stmts(S), T.V); });
    });
    const size_t At = size_t(First - Body.begin());
    const DefinedSymbols Later = definedIn(Stmts(Body).drop_front(At));
    if (!Loop || mentionsAny(Loop->Elements, Later) || mentionsAny(Loop->Others, Later)) {
      Failed = V;
      return Body;
    }
    // Sizes that follow are what they are at most.
    Substitution AtMost;
    for (const auto &[Other, Most] : Tunables)
      AtMost.Vars[Other] = intLit(Most.Value, Other->Type);
    const Expr Value =
        teamBlock(Loop->Elements, substitute(Loop->Others, AtMost), Size.Value, Size.Step,
                  Size.PerCore, Threads ? intLit(*Threads) : nullptr, V->Type);
    Var Number = *V;
    Number.Name += Size.Step == 1 ? "" : "_steps";
    Number.Most = Size.Value / Size.Step;
    const auto Steps = std::make_shared<const Var>(std::move(Number));
    Substitution Sub;
    Sub.Vars[V] = varExpr(Steps) * intLit(Size.Step, V->Type);
    const Location Loc = First->Loc;
    Body = substitute(Body, Sub);
    Body.insert(Body.begin() + std::ptrdiff_t(At), {Let{Steps, Value, false}, Loc});
  }
  return Body;
}

bool sharesTeamBlocks(const Block &Code, const Machine &Target) {
  std::vector<VarRef> Sizes;
  bool Shares = true;
  auto Visit = [&](const Block &B, auto &Self) -> void {
    for (const Stmt &S : B) {
      if (const auto *L = S.getIf<Let>(); L && L->Value && isTeamBlock(L->Value))
        Sizes.push_back(L->V);
      if (const auto *F = S.getIf<For>()) {
        const Processor *Proc = F->Spread.empty() ? nullptr : Target.findProcessor(F->Spread);
        const bool OverTeam = Proc && Proc->LoopSpread.Value == Processor::Spread::Team;
        for (const VarRef &V : Sizes)
          Shares &= OverTeam || !mentions(F->Hi, V);
      }
      if (!S.getIf<Scope>())
        for (const Block *Nested : nestedBlocks(S))
          Self(*Nested, Self);
    }
  };
  Visit(Code, Visit);
  return Shares;
}

} // namespace septran::compiler
