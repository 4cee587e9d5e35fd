//===- InStep.cpp - iterations that wait for themselves, several at once -===//
#include "Plan/InStep.h"

#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/LaneWidth.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/LoopNest.h"
#include "Plan/Unroll.h"

#include <algorithm>
#include <map>

namespace septran::compiler {

namespace {

/// An addition takes about four cycles.
constexpr std::int64_t Most = 4;
/// Code of so many operations has enough to do while one of them waits, and is long.
constexpr std::int64_t MostOperations = 64;
/// C++ compilers write out loops of so many iterations, and processors begin the next one
/// meanwhile.
constexpr std::int64_t WrittenOut = 16;

/// How often statements of the block set or use scalars.
void countUses(const Stmt &S, std::map<VarRef, unsigned> &Uses) {
  walkExprs(S, [&](const Expr &E) {
    if (E->Kind == ExprKind::Var)
      ++Uses[E->V];
  });
  auto Target = [&](const Stmt &Each) {
    if (const auto *A = Each.getIf<Assign>())
      ++Uses[A->V];
  };
  Target(S);
  for (const Block *Nested : nestedBlocks(S))
    walkStmts(*Nested, Target);
}

void collectKept(const Block &B, const std::map<VarRef, unsigned> &Everywhere,
                 std::set<VarRef> &Kept) {
  for (const StepPart &Part : stepParts(B)) {
    if (Part.isLoop()) {
      collectKept(Part.Statements.front()->getIf<For>()->Body, Everywhere, Kept);
      continue;
    }
    std::map<VarRef, unsigned> Here;
    for (const Stmt *S : Part.Statements)
      countUses(*S, Here);
    for (const Stmt *S : Part.Statements)
      if (const auto *L = S->getIf<Let>())
        if (const auto All = Everywhere.find(L->V);
            All != Everywhere.end() && All->second != Here[L->V])
          Kept.insert(L->V);
  }
}

/// Loops whose bounds no iteration of F decides, and between them nothing but scalars and elements.
bool hasOnlyParts(const Block &B, const std::set<VarRef> &OfIteration, bool InIf = false) {
  for (const Stmt &S : B) {
    if (const auto *F = S.getIf<For>()) {
      const auto IsOwn = [&](const VarRef &V) { return OfIteration.count(V) != 0; };
      const std::vector<VarRef> Lo = collectVars(F->Lo), Hi = collectVars(F->Hi);
      if (InIf || F->StaticTrip || F->Exec != LoopExec::Plain || !F->Spread.empty() ||
          std::any_of(Lo.begin(), Lo.end(), IsOwn) || std::any_of(Hi.begin(), Hi.end(), IsOwn) ||
          !hasOnlyParts(F->Body, OfIteration))
        return false;
    } else if (const auto *I = S.getIf<If>()) {
      if (!hasOnlyParts(I->Then, OfIteration, true) || !hasOnlyParts(I->Else, OfIteration, true))
        return false;
    } else if (!S.getIf<Let>() && !S.getIf<Assign>() && !S.getIf<Store>()) {
      return false;
    }
  }
  return true;
}

/// A loop in an iteration of F goes on with a scalar of the iteration.
bool recurs(const For &F) {
  std::set<VarRef> Own;
  for (const Stmt &S : F.Body)
    if (const auto *L = S.getIf<Let>())
      Own.insert(L->V);
  bool Found = false;
  for (const Stmt &S : F.Body)
    if (const auto *Inner = S.getIf<For>();
        Inner && constantTrip(*Inner).value_or(WrittenOut + 1) > WrittenOut)
      walkStmts(Inner->Body, [&](const Stmt &In) {
        const auto *A = In.getIf<Assign>();
        Found |= A && Own.count(A->V);
      });
  return Found;
}

std::int64_t operationsOf(const Block &B) {
  std::int64_t Result = 0;
  walkExprs(B, [&](const Expr &E) { Result += !E->Args.empty(); });
  return Result;
}

bool holdsLanes(const Block &B) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) {
    const auto *F = S.getIf<For>();
    Found |= F && F->Exec == LoopExec::Lanes;
  });
  return Found;
}

class StepChooser {
  const InstanceInfo &I;
  const std::int64_t Registers, SimdBytes;
  const TensorTable &Tensors;
  const RegisterTiles &Tiles;

  bool mayBe(const For &F) const {
    const bool InLanes = F.Exec == LoopExec::Lanes;
    if ((!InLanes && F.Exec != LoopExec::Plain) || F.StaticTrip || F.Step != 1 ||
        !F.Spread.empty() || F.Group != 0 || !holdsLoops(F.Body) || holdsLanes(F.Body))
      return false;
    for (const Access &A : accessesOf(F.Body))
      if (Tiles.count(Tensors.root(A.T)))
        return false;
    std::set<VarRef> OfIteration = {F.V};
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *L = S.getIf<Let>())
        OfIteration.insert(L->V);
    });
    if (!hasOnlyParts(F.Body, OfIteration))
      return false;
    return InLanes ? laneReductions(F).empty()
                   : analyzeLoop(F, Tensors).Class == LoopClass::Parallel;
  }

  /// What fits into registers, next to as much again for what is computed.
  std::int64_t fitting(const For &F) const {
    std::int64_t Each = 0;
    for (const VarRef &V : keptBetweenParts(F)) {
      if (V->Type == ScalarType::Bool) // a mask, whose lanes are those of what is compared
        return 1;
      Each += std::max<std::int64_t>(1, F.Width * computedBytes(V->Type) / SimdBytes);
    }
    return Each == 0 ? 1 : Registers / 2 / Each;
  }

public:
  StepChooser(const InstanceInfo &I, std::int64_t Registers, std::int64_t SimdBytes,
              const TensorTable &Tensors, const RegisterTiles &Tiles)
      : I(I), Registers(Registers), SimdBytes(SimdBytes), Tensors(Tensors), Tiles(Tiles) {}

  /// Whether several iterations of F run in step; then those of loops in it do not.
  bool choose(For &F) const {
    const std::int64_t Wanted = unrollCount(F, I);
    if (!mayBe(F) || Wanted == 1)
      return false;
    std::int64_t Count = Wanted;
    if (!Wanted) {
      if (!recurs(F) || operationsOf(F.Body) > MostOperations)
        return false;
      Count = std::min(Most, fitting(F));
      Count = Count >= 4 ? 4 : Count >= 2 ? 2 : 1;
    } else if (fitting(F) == 1) {
      return false;
    }
    if (const std::optional<std::int64_t> Trip = constantTrip(F))
      Count = std::min(Count, *Trip / std::int64_t(F.Width));
    F.InStep = unsigned(std::max<std::int64_t>(1, Count));
    return F.InStep > 1;
  }

  void visit(Block &B) const {
    for (Stmt &S : B)
      if (auto *F = S.getIf<For>(); !F || !choose(*F))
        for (Block *Nested : nestedBlocks(S))
          visit(*Nested);
  }
};

} // namespace

std::vector<StepPart> stepParts(const Block &B) {
  std::vector<StepPart> Result;
  for (const Stmt &S : B) {
    if (Result.empty() || S.getIf<For>() || Result.back().isLoop())
      Result.emplace_back();
    Result.back().Statements.push_back(&S);
  }
  return Result;
}

std::set<VarRef> keptBetweenParts(const For &F) {
  std::map<VarRef, unsigned> Everywhere;
  for (const Stmt &S : F.Body)
    countUses(S, Everywhere);
  std::set<VarRef> Kept;
  collectKept(F.Body, Everywhere, Kept);
  return Kept;
}

void chooseInStep(Block &Body, const InstanceInfo &I, std::int64_t Registers,
                  std::int64_t SimdBytes, const TensorTable &Tensors, const RegisterTiles &Tiles) {
  StepChooser(I, Registers, SimdBytes, Tensors, Tiles).visit(Body);
}

} // namespace septran::compiler
