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

/// The mean of what is usual, less or more in one part of the iterations.
static double withEnd(double Mean, double Usual, double AtEnd, double Part) {
  if (Usual <= 0)
    return Mean + Part * AtEnd;
  return Mean * (1 + Part * (AtEnd / Usual - 1));
}

double Estimator::countIterations(const For &F, LoopAt &L) {
  struct Counts {
    double Some, Trip, Effective, Vectors;
  };
  std::optional<Counts> Middle;
  Counts Sum{};
  forUsualIterations([&](double Part) {
    Counts Here{};
    Here.Trip = std::max(0.0, std::ceil((Values.of(F.Hi) - Values.of(F.Lo)) / double(F.Step)));
    Here.Some = Here.Trip > 0;
    const double OnCores =
        F.Spread.empty() ? 1 : std::min(Here.Trip, std::max(1.0, Sizes.Cores / Cores));
    Here.Effective = OnCores > 1 ? perCore(Here.Trip, OnCores) : Here.Trip;
    // Of a tile that is clipped all rows are computed.
    Here.Vectors = Here.Some * (F.StaticTrip ? std::ceil(double(F.StaticTrip) / L.Width)
                                             : vectors(Here.Effective, L.Width));
    if (!Middle)
      Sum = *(Middle = Here);
    else // blocks at the ends of several loops are as small as all of these make them
      for (double Counts::*Count :
           {&Counts::Some, &Counts::Trip, &Counts::Effective, &Counts::Vectors})
        Sum.*Count = withEnd(Sum.*Count, *Middle.*Count, Here.*Count, Part);
  });
  const double Share = std::min(1.0, Sum.Some);
  if (Share <= 0 || Sum.Trip <= 0 || Sum.Vectors <= 0)
    return 0;
  L.Trip = std::max(1.0, Sum.Trip / Share);
  L.Effective = std::clamp(Sum.Effective / Share, 1.0, L.Trip);
  L.Vectors = Sum.Vectors / Share;
  return Share > 0.999 ? 1 : Share;
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
  const double Waits = Sums == 0 ? 0 : SumLatency / (InLanes ? LaneSums : InStep);
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
      Together.Trip = Together.Effective = Elements;
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
  for (double *Count : {&Groups.Trip, &Groups.Effective})
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

std::vector<size_t> Estimator::loopsAround() const {
  std::vector<size_t> Result;
  for (int L = Innermost; L >= 0; L = Loops[L].Parent)
    if (Sources.count(size_t(L)) && Loops[L].Trip > 1)
      Result.push_back(size_t(L));
  std::reverse(Result.begin(), Result.end());
  return Result;
}

bool Estimator::goTo(const std::vector<size_t> &Around, size_t Loop, bool Last) {
  for (size_t L : Around) {
    const For &F = *Sources.at(L);
    const double Lo = Values.of(F.Lo), Step = double(F.Step);
    const double Trip = std::ceil((Values.of(F.Hi) - Lo) / Step);
    if (Trip <= 0)
      return false;
    Values.set(F.V, Lo + Step * (L != Loop ? std::floor((Trip - 1) / 2) : Last ? Trip - 1 : 0));
  }
  return true;
}

void Estimator::forUsualIterations(llvm::function_ref<void(double)> Use) {
  const std::vector<size_t> Around = loopsAround();
  std::vector<double> Here;
  for (size_t L : Around)
    Here.push_back(Values.of(varExpr(Loops[L].V)));
  goTo(Around, Loops.size(), false);
  Use(1);
  for (size_t L : Around)
    for (bool Last : {false, true})
      if (goTo(Around, L, Last))
        Use(1 / Loops[L].Trip);
  for (size_t I = 0; I < Around.size(); ++I)
    Values.set(Loops[Around[I]].V, Here[I]);
}

Estimator::Likelihood Estimator::usually(const Expr &Condition) {
  std::optional<bool> Holds;
  double Same = 1;
  forUsualIterations([&](double Part) {
    const bool Here = Values.of(Condition) != 0;
    if (!Holds)
      Holds = Here;
    else if (Here != *Holds)
      Same *= 1 - Part;
  });
  return {*Holds, 1 - Same};
}

double Estimator::partly(double Share, llvm::function_ref<double()> Code) {
  LoopAt Part;
  Part.Trip = Part.Effective = Part.Vectors = Share;
  const int Before = Innermost;
  enter(std::move(Part));
  const double Body = Code();
  Innermost = Before;
  return Share * Body;
}

double Estimator::partly(double Share, const Block &B) {
  return partly(Share, [&] { return blockCycles(B); });
}

} // namespace septran::compiler
