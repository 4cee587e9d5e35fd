//===- Search.cpp - the best mapping for some calls, by climbing ----------===//
#include "Derive/Search.h"

#include "IR/Rewrite.h"
#include "Plan/Passes.h"
#include "Plan/RegisterTiles.h"
#include "Support/StableSort.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Parallel.h>

#include <algorithm>
#include <mutex>

namespace septran::compiler {

namespace {

constexpr unsigned MaxRounds = 8;
/// Until so many have been tried, the search starts with each first step, too, and ends with sizes
/// in pairs: where there is little to choose from, steps exclude each other.
constexpr size_t FewMappings = 1024;
/// What costs must be with two other sizes at once, in those without: small differences are the
/// model's.
constexpr double WorthAPair = 0.9;
/// What a whole extent must be better by where the logic cuts it for cores: smaller parts spread
/// better, and some may have less to do.
constexpr double WorthBeingWhole = 0.95;

} // namespace

bool sharesLoops(const Program &P) {
  bool Shares = false;
  walkStmts(P.Body, [&](const Stmt &S) {
    const auto *Loop = S.getIf<For>();
    Shares |= Loop && !Loop->Spread.empty();
  });
  return Shares;
}

bool roundsSums(const Program &P) {
  bool Found = false;
  walkStmts(P.Body, [&](const Stmt &S) {
    const auto *Element = S.getIf<Store>();
    Found |= Element && isReduction(Element->Op) && isSmallFloat(Element->T->Element);
  });
  return Found;
}

//===--- one candidate ---------------------------------------------------------------===//

/// Most candidates want more registers than there are, which shows early; `simplify` can make such
/// a buffer fit, but then one further in does as well.
std::optional<Program> SearchSpace::plan(const Mapping &M) const {
  Diagnostics D;
  std::optional<Program> P = planToPlace(G, std::make_shared<const Mapping>(M), Target, D);
  if (P && (exceedsRegisters(*P) || (!MayRoundSums && roundsSums(*P))))
    return std::nullopt;
  P = planToAllocate(std::move(P), D);
  if (P)
    P = allocate(*std::move(P), D);
  if (P)
    P = keepConstants(*std::move(P));
  return !P || D.hasErrors() ? std::nullopt : std::move(P);
}

bool SearchSpace::canEmit(const Mapping &M) const {
  std::optional<Program> P = plan(M);
  Diagnostics D;
  if (P)
    P = synchronise(std::move(*P), D);
  return P && Request.CanEmit(*P);
}

double SearchSpace::costOf(const Mapping &M, const std::vector<NominalSizes> &Calls,
                           Asking Asks) const {
  const std::optional<Program> P = plan(M);
  return P ? estimateCost(*P, Calls, Asks) : Refused;
}

double Search::costOf(const MappingNode &N) { return costsOf({&N}).front(); }

/// Those that have not been tried are planned at the same time.
std::vector<double> Search::costsOf(llvm::ArrayRef<const MappingNode *> Nodes) {
  std::vector<const double *> Costs;
  std::vector<std::pair<Mapping, double *>> New;
  for (const MappingNode *N : Nodes) {
    Mapping M = toMapping(*N, *Space.Target);
    auto [At, IsNew] = Known.try_emplace(printMapping(M), Refused);
    Costs.push_back(&At->second);
    if (IsNew)
      New.emplace_back(std::move(M), &At->second);
  }
  std::mutex InTurn;
  llvm::parallelFor(0, New.size(), [&](size_t I) {
    *New[I].second = Space.costOf(New[I].first, Calls, Asks);
    const std::lock_guard<std::mutex> Mine(InTurn);
    if (++Space.Tried; Space.Request.Progress)
      Space.Request.Progress(Space.Tried);
  });
  std::vector<double> Result;
  for (const double *Cost : Costs)
    Result.push_back(*Cost);
  return Result;
}

/// Becomes the best one, if code can be written for it.
bool Search::take(const MappingNode &N, double Cost) {
  const Mapping M = toMapping(N, *Space.Target);
  if (!Space.canEmit(M)) {
    Known[printMapping(M)] = Refused;
    return false;
  }
  Best = N;
  BestCost = Cost;
  return true;
}

/// Takes the best of the candidates if it is better than what there is: costs at most so much of
/// it.
bool Search::consider(const std::vector<MappingNode> &Candidates, double AtMost) {
  std::vector<const MappingNode *> Allowed;
  for (const MappingNode &N : Candidates)
    if (!With || launches(N, With))
      Allowed.push_back(&N);
  std::vector<std::pair<double, const MappingNode *>> Ranked;
  for (const auto &[Cost, N] : llvm::zip_equal(costsOf(Allowed), Allowed))
    Ranked.push_back({Cost, N});
  stableSort(Ranked, [](const auto &A, const auto &B) { return A.first < B.first; });
  for (const auto &[Cost, N] : Ranked) {
    if (!(Cost <= BestCost * AtMost))
      return false;
    if (take(*N, Cost))
      return true;
  }
  return false;
}

//===--- the climb ---------------------------------------------------------------===//

/// `Choose` for every instance that is there when its turn comes.
template <class ChooseFn> void Search::forEachInstance(ChooseFn Choose) {
  for (size_t I = 0; I < pathsOf(Best).size(); ++I) {
    const TreePath Path = pathsOf(Best)[I];
    Choose(Path, FunctionRef(nodeAt(Best, Path).Task));
  }
}

/// What the costs of a whole extent may be, in those of its blocks.
double Search::atMostWhole(const TreePath &Path, const VarRef &Size) const {
  const MappingNode &N = nodeAt(Best, Path);
  bool IsForLeaf = std::all_of(N.Children.begin(), N.Children.end(), [](const MappingNode &C) {
    return C.Task->Kind != FunctionKind::Task;
  });
  walkStmts(N.Task->Body, [&](const Stmt &S) {
    const auto *Loop = S.getIf<For>();
    IsForLeaf &= !Loop || Loop->Kind != LoopKind::Parallel || !mentions(Loop->Hi, Size);
  });
  if (IsForLeaf) // one block after the other, all of them: whole is simpler
    return 1;
  return N.Level < Choices.Core ? WorthBeingWhole : Better;
}

/// Which tasks there are, where, and what is in registers.
bool Search::climbInStructure() {
  bool Changed = false;
  const Candidates Other = candidates();
  forEachInstance([&](const TreePath &Path, const FunctionRef &) {
    Changed |= consider(Other.structures(Path));
    Changed |= consider(Other.without(Path), 1); // what is simpler need not be better
    Changed |= consider(Other.processors(Path));
  });
  forEachInstance(
      [&](const TreePath &Path, const FunctionRef &) { Changed |= consider(Other.swaps(Path)); });
  if (InRegisters)
    Changed |= consider(Other.registerTiles());
  forEachInstance([&](const TreePath &Path, const FunctionRef &) {
    Changed |= consider(Other.tiles(Path));
    Changed |= consider(Other.bindings(Path));
    Changed |= consider(Other.steps(Path, {{0, 8}}));
  });
  return Changed;
}

/// Sizes, and how what is there is read and written.
bool Search::climbInDetail() {
  bool Changed = false;
  const Candidates Other = candidates();
  forEachInstance([&](const TreePath &Path, const FunctionRef &F) {
    for (const Tunable &T : F->Tunables) {
      Changed |= consider(Other.tileSizes(Path, T.V->Name));
      Changed |= consider(Other.whole(Path, T.V->Name), atMostWhole(Path, T.V));
    }
    Changed |= consider(Other.singles(Path));
    if (!F->Tunables.empty())
      Changed |= consider(Other.orders(Path));
    if (InPairs)
      Changed |= consider(Other.tilePairs(Path), WorthAPair);
  });
  forEachInstance([&](const TreePath &Path, const FunctionRef &F) {
    Changed |= consider(Other.lanes(Path));
    for (unsigned I = 0; I < F->Params.size(); ++I)
      if (const Parameter &P = F->Params[I]; P.isTensor() && !writes(P.Access)) {
        Changed |= consider(Other.buffers(Path, P.Name));
        Changed |= consider(Other.windows(Path, I));
      } else if (P.isTensor() && F->Kind == FunctionKind::Leaf) {
        Changed |= consider(Other.stores(Path, P.Name));
      }
  });
  return Changed;
}

/// Every choice once.
bool Search::climb() {
  bool Changed = climbInStructure();
  Changed |= climbInDetail();
  return Changed;
}

void Search::climbToTop() {
  for (unsigned Round = 0; Round < MaxRounds && Known.size() < 2 * Enough && climb(); ++Round)
    ;
}

//===--- other ways to compute the same ----------------------------------------------===//

/// Goes to the top without leaving out the task, and back if what there is was better.
void Search::climbFrom(const Candidates::Start &S) {
  const MappingNode Before = Best;
  const double CostBefore = BestCost;
  BestCost = Refused;
  With = S.With;
  if (const double Cost = costOf(S.From); Cost != Refused && take(S.From, Cost))
    climbToTop();
  With = nullptr;
  if (!(BestCost < CostBefore * Better)) {
    Best = Before;
    BestCost = CostBefore;
  }
}

/// From the cheapest of the candidates, though it is no better than what there is.
void Search::climbFromCheapest(const std::vector<MappingNode> &From) {
  std::vector<const MappingNode *> Allowed;
  for (const MappingNode &N : From)
    Allowed.push_back(&N);
  const std::vector<double> Costs = costsOf(Allowed);
  const auto Least = std::min_element(Costs.begin(), Costs.end());
  if (Least != Costs.end() && *Least < Refused)
    climbFrom({*Allowed[size_t(Least - Costs.begin())], nullptr});
}

/// Takes back what makes no difference, so that the mapping says what matters.
void Search::tidy() {
  for (const TreePath &Path : pathsOf(Best)) {
    auto Without = [&](auto Change) {
      MappingNode N = Best;
      Change(nodeAt(N, Path));
      if (const double Cost = costOf(N); Cost <= BestCost)
        take(N, Cost);
    };
    const MappingNode Here = nodeAt(Best, Path);
    for (const auto &[Name, Value] : Here.Tunables)
      Without([&](MappingNode &N) { N.Tunables.erase(Name); });
    for (const std::string &Name : Here.Resident)
      Without([&](MappingNode &N) { N.Resident.erase(Name); });
    for (const auto &[Name, Value] : Here.Mems)
      if (!nodeAt(Best, Path).Resident.count(Name))
        Without([&](MappingNode &N) { N.Mems.erase(Name); });
    for (const std::string &Name : Here.InPlace)
      Without([&](MappingNode &N) { N.InPlace.erase(Name); });
    for (const std::string &Name : Here.Streams)
      Without([&](MappingNode &N) { N.Streams.erase(Name); });
    for (const auto &[Name, Iterations] : Here.Prefetch)
      Without([&](MappingNode &N) { N.Prefetch.erase(Name); });
    if (Here.Lanes)
      Without([&](MappingNode &N) { N.Lanes.reset(); });
    if (Here.ColumnOrder)
      Without([&](MappingNode &N) { N.ColumnOrder = false; });
    if (!Path.empty() && Here.Children.empty())
      Without([&](MappingNode &N) { N.Level = nodeAt(Best, callerOf(Path)).Level; });
  }
}

/// From here on costs are those of what is asked for ahead, argument by argument.
void Search::askAhead() {
  Asks = Asking::AsMapped;
  Known.clear();
  BestCost = costOf(Best);
  const Candidates Other = candidates();
  forEachInstance([&](const TreePath &Path, const FunctionRef &F) {
    for (const Parameter &P : F->Params)
      if (P.isTensor() && !writes(P.Access) && F->Kind == FunctionKind::Leaf)
        consider(Other.prefetches(Path, P.Name));
  });
}

/// From the best, whose leaves get lines of memory side by side, as few as prefetchers follow, and
/// then details alone. False if no leaf can, not in parts either.
bool Search::climbInSteps() {
  std::vector<MappingNode> From = {Best};
  for (Candidates::Start &InParts : candidates().otherStarts())
    From.push_back(std::move(InParts.From));
  bool HasSteps = false;
  for (const MappingNode &N : From)
    for (const TreePath &Path : pathsOf(N))
      HasSteps |= consider(candidatesOf(N).steps(Path, {{0, 8}, {1, 8}, {4, 4}, {8, 2}}));
  for (bool Changed = HasSteps; Changed && Known.size() < Enough;) {
    Changed = false;
    forEachInstance([&](const TreePath &Path, const FunctionRef &) {
      Changed |= consider(candidates().processors(Path));
    });
    Changed |= climbInDetail();
  }
  return HasSteps;
}

bool Search::runInSteps() {
  const MappingNode Plain = plainNode(G, Space.Entry, 0);
  if (const double Cost = costOf(Plain); Cost == Refused || !take(Plain, Cost))
    return false;
  if (!climbInSteps())
    return false;
  askAhead();
  tidy();
  return true;
}

bool Search::run() {
  const MappingNode Plain = plainNode(G, Space.Entry, 0);
  if (const double Cost = costOf(Plain); Cost == Refused || !take(Plain, Cost))
    return false;
  climbToTop();
  climbFromCheapest(candidates().ratedBindings());
  for (const Candidates::Start &S : candidates().otherStarts())
    if (Known.size() < Enough)
      climbFrom(S);
  for (const Candidates::Start &S : candidates().keptStarts())
    climbFrom(S);
  for (const Candidates::Start &S : candidates().windowStarts())
    climbFrom(S);
  for (const TreePath &Path : pathsOf(Plain))
    for (const MappingNode &N : candidatesOf(Plain).structures(Path))
      if (Known.size() < FewMappings)
        climbFrom({N, nullptr});
  if (!hasRegisters(Best, Choices)) {
    Candidates::List Tiles = candidates().registerTiles();
    std::erase_if(Tiles, [&](const MappingNode &N) { return !hasRegisters(N, Choices); });
    climbFromCheapest(Tiles);
  }
  InRegisters = false;
  for (const Candidates::Start &S : candidates().sharedStarts())
    climbFrom(S);
  MaySwap = true;
  for (const Candidates::Start &S : candidates().unsizedStarts())
    climbFrom(S);
  InPairs = Known.size() < FewMappings;
  climbToTop();
  if (Asks == Asking::WhereItHelps)
    askAhead();
  tidy();
  return true;
}

} // namespace septran::compiler
