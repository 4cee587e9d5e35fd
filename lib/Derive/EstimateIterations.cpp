//===- EstimateIterations.cpp - what differs between iterations -----------===//
//
// Blocks at the ends of tensors are clipped, windows at borders too. What depends on that is looked
// at in the first, a middle and the last iteration of each loop around that it depends on, and
// those of the loops inside it there: as many iterations as each of these stands for is its weight.
//
//===----------------------------------------------------------------------===//
#include "Derive/Estimator.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace septran::compiler {

namespace {

/// Of the loops around, outermost first, that many innermost ones are gone through.
constexpr std::ptrdiff_t MaxLoops = 5;

bool overlap(const std::set<VarRef> &A, const std::set<VarRef> &B) {
  return std::any_of(A.begin(), A.end(), [&](const VarRef &V) { return B.count(V) != 0; });
}

} // namespace

std::set<VarRef> Estimator::movedBy(const Expr &E) const {
  std::set<VarRef> Vars, Result;
  Values.collectVars(E, Vars);
  for (int L = Innermost; L >= 0; L = Loops[L].Parent)
    if (const auto F = Sources.find(size_t(L)); F != Sources.end() && Vars.count(Loops[L].V)) {
      Result.insert(Loops[L].V);
      Values.collectVars(F->second->Lo, Vars);
      Values.collectVars(F->second->Hi, Vars);
    }
  return Result;
}

std::vector<Estimator::LoopAround> Estimator::loopsAround(const std::set<VarRef> &Moving) const {
  std::vector<LoopAround> Result;
  for (int L = Innermost; L >= 0; L = Loops[L].Parent)
    if (const auto F = Sources.find(size_t(L)); F != Sources.end())
      Result.push_back({F->second, Moving.count(Loops[L].V) != 0});
  std::reverse(Result.begin(), Result.end());
  // A loop that has fewer iterations there is a weight.
  std::set<VarRef> Found = Moving;
  for (auto L = Result.begin(); L != Result.end();) {
    std::set<VarRef> Vars;
    Values.collectVars(L->F->Lo, Vars);
    Values.collectVars(L->F->Hi, Vars);
    const bool Counts = L->Moves || overlap(Vars, Found);
    if (Counts)
      Found.insert(L->F->V);
    L = Counts ? std::next(L) : Result.erase(L);
  }
  std::ptrdiff_t Moved = 0;
  for (auto L = Result.rbegin(); L != Result.rend(); ++L)
    if (L->Moves)
      L->Moves = ++Moved <= MaxLoops;
  return Result;
}

void Estimator::forIterations(llvm::ArrayRef<LoopAround> Around, double Weight,
                              llvm::function_ref<void(double)> Use) {
  if (Around.empty())
    return Use(Weight);
  const For &F = *Around.front().F;
  const double Before = Values.of(varExpr(F.V)), Lo = Values.of(F.Lo);
  const double Trip = std::ceil((Values.of(F.Hi) - Lo) / double(F.Step));
  const auto At = [&](double Iteration, double Times) {
    Values.set(F.V, Lo + double(F.Step) * Iteration);
    forIterations(Around.drop_front(), Weight * Times, Use);
  };
  const double Middle = std::max(0.0, std::floor((Trip - 1) / 2));
  if (Trip > 0 && !Around.front().Moves)
    At(Middle, Trip);
  else if (Trip > 0) {
    if (Trip > 2)
      At(Middle, Trip - 2);
    At(0, 1);
    if (Trip > 1)
      At(Trip - 1, 1);
  }
  Values.set(F.V, Before);
}

void Estimator::forIterations(const std::set<VarRef> &Moving,
                              llvm::function_ref<void(double)> Use) {
  double Total = 0;
  const std::vector<LoopAround> Around = loopsAround(Moving);
  forIterations(Around, 1, [&](double Weight) { Total += Weight; });
  if (Total > 0)
    forIterations(Around, 1, [&](double Weight) { Use(Weight / Total); });
  else // in no iteration of the loops around at all
    Use(1);
}

double Estimator::mean(const Expr &E) {
  double Sum = 0;
  forIterations(movedBy(E), [&](double Part) { Sum += Part * Values.of(E); });
  return Sum;
}

double Estimator::likelihood(const Expr &Condition) {
  if (Condition->Kind == ExprKind::Binary && Condition->Bin == BinaryOp::And &&
      !overlap(movedBy(Condition->Args[0]), movedBy(Condition->Args[1])))
    return likelihood(Condition->Args[0]) * likelihood(Condition->Args[1]);
  double Holds = 0;
  forIterations(movedBy(Condition),
                [&](double Part) { Holds += Values.of(Condition) != 0 ? Part : 0; });
  return Holds;
}

} // namespace septran::compiler
