//===- EstimateLoops.cpp - iterations and what they cost ------------------===//
#include "Derive/Estimator.h"

#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/LoopNest.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace septran::compiler {

namespace {

/// Of an addition that needs the one before.
constexpr double SumLatency = 4;
/// Vectors that take turns in a sum along the lanes.
constexpr double LaneSums = 4;
/// What a vector costs that is not full, in full ones: masks are made, and what is missing filled in.
constexpr double PartialVectors = 2;
/// Further cycles of a loop that ends with such a vector.
constexpr double MaskCycles = 5;
/// C++ compilers write the body of a loop so often instead, with those of loops in it, if its iterations are a
/// constant. Sums in it do not wait for those of the iterations around.
constexpr std::int64_t MaxPeeled = 16;
/// Starting a team and meeting again at the end of its loop.
constexpr double TeamCycles = 8000;

} // namespace

int Estimator::enter(LoopAt L) {
  L.Parent = Innermost;
  Loops.push_back(std::move(L));
  return Innermost = int(Loops.size()) - 1;
}

double Estimator::vectors(double Elements, double Width) {
  const double Whole = std::floor(Elements / Width);
  return Whole + (Whole * Width < Elements ? PartialVectors : 0);
}

double Estimator::loopCycles(const For &F) {
  LoopAt L;
  L.V = F.V;
  L.Lanes = F.Exec == LoopExec::Lanes;
  L.Width = L.Lanes ? F.Width : 1;
  const double Share = countIterations(F, L);
  if (Share == 0)
    return 0;
  if (Share < 1)
    return partly(Share, [&] { return iterations(F, std::move(L)); });
  return iterations(F, std::move(L));
}

double Estimator::computed(const For &F, double Size, double Width) const {
  const double Whole = double(F.StaticTrip);
  for (const TileDim &D : TileDims)
    if (equal(D.Extent, withoutCasts(F.Hi)) && Size < Whole) {
      const double Step = double(D.Step);
      const double Partial = std::fmod(Size, Width) != 0 ? PartialVectors - 1 : 0;
      return std::min(std::ceil(Size / Step) * Step, Whole) / Width + Partial;
    }
  return std::ceil(Whole / Width);
}

double Estimator::countIterations(const For &F, LoopAt &L) {
  double Some = 0, Trip = 0, Effective = 0, Vectors = 0, Most = 0;
  std::set<VarRef> Moving = movedBy(F.Lo);
  Moving.merge(movedBy(F.Hi));
  forIterations(Moving, [&](double Part) {
    const double Here = std::ceil((Values.of(F.Hi) - Values.of(F.Lo)) / double(F.Step));
    if (Here <= 0)
      return;
    const double OnCores =
        F.Spread.empty() ? 1 : std::min(Here, std::max(1.0, Sizes.Cores / Cores));
    const double OfOne = OnCores > 1 ? perCore(Here, OnCores) : Here;
    Some += Part;
    Most = std::max(Most, Here);
    Trip += Part * Here;
    Effective += Part * OfOne;
    Vectors += Part * (F.StaticTrip ? computed(F, Here, L.Width) : vectors(OfOne, L.Width));
  });
  if (Some <= 0)
    return 0;
  L.Trip = Trip / Some;
  L.Most = Most;
  L.Effective = std::min(Effective / Some, L.Trip);
  L.Vectors = Vectors / Some;
  return Some > 0.999 ? 1 : Some;
}

double Estimator::iterations(const For &F, LoopAt L) {
  L.Step = double(F.Step);
  const double Outside = Cores;
  const bool HadTeam = InTeam;
  double Start = 0;
  if (!F.Spread.empty()) {
    Cores *= L.Trip / L.Effective;
    Start = HadTeam ? 0 : TeamCycles;
    InTeam = true;
  }
  L.Unrolled = F.Exec == LoopExec::Unrolled || F.StaticTrip != 0 || isPeeled(F);
  const double Vectors = L.Vectors;
  const bool Unrolled = L.Unrolled;
  if (L.Lanes && !Unrolled && std::fmod(L.Effective, L.Width) != 0)
    Start += MaskCycles;
  // Where there are fewer vectors, one after the other.
  const double StepsOfLoop = L.Effective < F.InStep * L.Width ? 1 : F.InStep;
  Values.set(F.V, Values.of(F.Lo));
  const int Before = Innermost;
  Sources[size_t(enter(std::move(L)))] = &F;
  std::optional<Records> Fields;
  if (F.Exec == LoopExec::Lanes)
    Fields.emplace(F.Body, F.V, Tensors, !F.StaticTrip);
  const Records *Around = std::exchange(InLanes, Fields ? &*Fields : InLanes);
  const double Together = std::exchange(InStep, std::max(InStep, StepsOfLoop));
  const size_t FirstAccess = Accesses.size();
  const int Here = Innermost;
  const double Body = blockCycles(F.Body);
  if (StepsOfLoop > 1)
    putStepsInside(Here, StepsOfLoop, FirstAccess);
  InStep = Together;
  InLanes = Around;
  Innermost = Before;
  Cores = Outside;
  InTeam = HadTeam;
  if (Unrolled)
    return Start + Vectors * Body;
  const bool InLanes = F.Exec == LoopExec::Lanes;
  const double Sums = sumsOf(F);
  const double Waits = Sums == 0 ? 0 : SumLatency / (InLanes ? F.Accumulators : InStep);
  const For *Summing = InLanes && F.SumsAround == 0 ? &F : sumsThroughout(F);
  return Start + Vectors * std::max(Body + LoopCycles / InStep, Waits) +
         (Summing ? lanesToOne(Summing->Width, sumsOf(*Summing)) : 0);
}

void Estimator::putStepsInside(int Loop, double Steps, size_t FirstAccess) {
  const double Elements = Steps * Loops[size_t(Loop)].Width;
  std::map<int, int> Inside; // by the loop around
  for (size_t I = FirstAccess; I < Accesses.size(); ++I) {
    AccessAt &A = Accesses[I];
    if (!movesWith(A, Loop))
      continue;
    const auto [At, IsNew] = Inside.try_emplace(A.Loop, int(Loops.size()));
    if (IsNew) {
      LoopAt Together = Loops[size_t(Loop)];
      Together.Trip = Together.Most = Together.Effective = Elements;
      Together.Vectors = Steps;
      Together.Parent = A.Loop;
      Together.Unrolled = true;
      Loops.push_back(std::move(Together));
    }
    for (std::map<int, double> &Moves : A.Moves)
      if (const auto By = Moves.find(Loop); By != Moves.end()) {
        Moves[At->second] = By->second;
        By->second *= Elements;
      }
    Rows[{A.Number, At->second}] = Rows[{A.Number, A.Loop}];
    A.Loop = At->second;
  }
  LoopAt &Groups = Loops[size_t(Loop)];
  for (double *Count : {&Groups.Trip, &Groups.Most, &Groups.Effective})
    *Count = std::max(1.0, *Count / Elements);
  Groups.Vectors = std::max(1.0, Groups.Vectors / Steps);
  Groups.Lanes = false;
  Groups.Width = 1;
}

bool Estimator::isPeeled(const For &F) {
  constexpr std::int64_t Never = MaxPeeled + 1;
  std::int64_t Times = 1;
  const auto Count = [&](const For &Loop) {
    const std::int64_t Trip = Loop.Exec == LoopExec::Lanes ? Never : constantTrip(Loop).value_or(Never);
    Times = std::min(Never, Times * std::max<std::int64_t>(1, std::min(Never, Trip)));
  };
  Count(F);
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *Inside = S.getIf<For>())
      Count(*Inside);
  });
  return Times <= MaxPeeled;
}

double Estimator::lanesToOne(double Width, double Sums) {
  if (Sums == 0)
    return 0;
  return std::max(0.0, LaneSums - Sums) * Operation + Sums * std::log2(Width) * (InsertCycles + Operation);
}

double Estimator::sumsOf(const For &F) const {
  const DefinedSymbols Inside = definedIn(F.Body);
  double Found = 0;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Assign>())
      Found += (A->Op != UpdateOp::Set || mentions(A->Value, A->V)) && !Inside.Vars.count(A->V);
    else if (const auto *St = S.getIf<Store>())
      Found += St->Op != UpdateOp::Set &&
               std::none_of(St->Indices.begin(), St->Indices.end(),
                            [&](const Expr &I) { return mentions(I, F.V); });
  });
  return Found;
}

double Estimator::partly(double Share, llvm::function_ref<double()> Code, double Instructions) {
  LoopAt Part;
  Part.Trip = Part.Most = Part.Effective = Share;
  Part.Vectors = Share * Instructions;
  const int Before = Innermost;
  enter(std::move(Part));
  const double Body = Code();
  Innermost = Before;
  return Share * Instructions * Body;
}

double Estimator::partly(double Share, const Block &B, double Instructions) {
  return partly(
      Share, [&] { return blockCycles(B); }, Instructions);
}

} // namespace septran::compiler
