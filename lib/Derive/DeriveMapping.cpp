//===- DeriveMapping.cpp - a mapping where the user gives none ------------===//
#include "Derive/DeriveMapping.h"

#include "Derive/ArgumentSizes.h"
#include "Derive/Candidates.h"
#include "Derive/EstimateCost.h"
#include "Derive/TypicalSizes.h"
#include "IR/Rewrite.h"
#include "Plan/Passes.h"
#include "Plan/RegisterTiles.h"
#include "Support/StableSort.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace septran::compiler {

namespace {

constexpr double Refused = std::numeric_limits<double>::infinity();
constexpr unsigned MaxRounds = 8;
/// After so many the search starts nowhere else.
constexpr size_t EnoughMappings = 12288;
/// Differences below this mean nothing in a model like this.
constexpr double Better = 0.995;
/// What a whole extent must be better by where the logic cuts it for cores: smaller parts spread better,
/// and some may have less to do.
constexpr double WorthBeingWhole = 0.95;

/// Terms are added to elements of small floats, which round every sum.
bool roundsSums(const Program &P) {
  bool Found = false;
  walkStmts(P.Body, [&](const Stmt &S) {
    const auto *Element = S.getIf<Store>();
    Found |= Element && isReduction(Element->Op) && isSmallFloat(Element->T->Element);
  });
  return Found;
}

class Search {
  const TaskGraph &G;
  const FunctionRef &Entry;
  std::shared_ptr<const Machine> Target;
  const MachineChoices &Choices;
  const DeriveRequest &Request;
  std::unordered_map<std::string, double> Known; ///< by the mapping's text
  std::vector<NominalSizes> Calls; ///< that costs are the mean of
  bool MayRoundSums = true; ///< as the plain program does
  FunctionRef With; ///< that candidates must contain; null: any
  MappingNode Best;
  double BestCost = Refused;

  //===--- one candidate --------------------------------------------------------===//

  /// By all passes up to `allocate`, which all that can be refused goes through. Most candidates want
  /// more registers than there are, which shows early; `simplify` can make such a buffer fit, but then
  /// one further in does as well.
  std::optional<Program> plan(const MappingNode &N) const {
    Diagnostics D;
    auto Map = std::make_shared<const Mapping>(toMapping(N, *Target));
    std::optional<Program> P = planToPlace(G, std::move(Map), Target, D);
    if (P && (exceedsRegisters(*P) || (!MayRoundSums && roundsSums(*P))))
      return std::nullopt;
    P = planToAllocate(std::move(P), D);
    if (P)
      P = allocate(*std::move(P), D);
    if (P)
      P = keepConstants(*std::move(P));
    return !P || D.hasErrors() || P->TakesFactorsAsFinite ? std::nullopt : std::move(P);
  }

  double costOf(const MappingNode &N) {
    auto [At, IsNew] = Known.try_emplace(printMapping(toMapping(N, *Target)), Refused);
    if (!IsNew)
      return At->second;
    if (Request.Progress)
      Request.Progress(unsigned(Known.size()));
    if (std::optional<Program> P = plan(N))
      At->second = estimateCost(*P, Calls);
    return At->second;
  }

  /// Becomes the best one, if code can be written for it.
  bool take(const MappingNode &N, double Cost) {
    std::optional<Program> P = plan(N);
    Diagnostics D;
    if (P)
      P = synchronise(std::move(*P), D);
    if (!P || !Request.CanEmit(*P)) {
      Known[printMapping(toMapping(N, *Target))] = Refused;
      return false;
    }
    Best = N;
    BestCost = Cost;
    return true;
  }

  /// Takes the best of the candidates if it is better than what there is: costs at most so much of it.
  bool consider(const std::vector<MappingNode> &Candidates, double AtMost = Better) {
    std::vector<std::pair<double, const MappingNode *>> Ranked;
    for (const MappingNode &N : Candidates)
      if (!With || launches(N, With))
        Ranked.push_back({costOf(N), &N});
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
  template <class ChooseFn> void forEachInstance(ChooseFn Choose) {
    for (size_t I = 0; I < pathsOf(Best).size(); ++I) {
      const TreePath Path = pathsOf(Best)[I];
      Choose(Path, FunctionRef(nodeAt(Best, Path).Task));
    }
  }

  /// What the costs of a whole extent may be, in those of its blocks.
  double atMostWhole(const TreePath &Path, const VarRef &Size) const {
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

  /// Every choice once.
  bool climb() {
    bool Changed = false;
    const Candidates Other(G, Choices, Best);
    forEachInstance([&](const TreePath &Path, const FunctionRef &) {
      Changed |= consider(Other.structures(Path));
      Changed |= consider(Other.without(Path), 1); // what is simpler need not be better
      Changed |= consider(Other.processors(Path));
    });
    Changed |= consider(Other.registerTiles());
    forEachInstance([&](const TreePath &Path, const FunctionRef &) {
      Changed |= consider(Other.tiles(Path));
      Changed |= consider(Other.bindings(Path));
      Changed |= consider(Other.steps(Path));
    });
    forEachInstance([&](const TreePath &Path, const FunctionRef &F) {
      for (const Tunable &T : F->Tunables) {
        Changed |= consider(Other.tileSizes(Path, T.V->Name));
        Changed |= consider(Other.whole(Path, T.V->Name), atMostWhole(Path, T.V));
      }
      if (!F->Tunables.empty())
        Changed |= consider(Other.orders(Path));
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

  void climbToTop() {
    for (unsigned Round = 0; Round < MaxRounds && climb(); ++Round)
      ;
  }

  //===--- other ways to compute the same ----------------------------------------------===//

  /// Goes to the top without leaving out the task, and back if what there is was better.
  void climbFrom(const Candidates::Start &S) {
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

  /// Takes back what makes no difference, so that the mapping says what matters.
  void tidy() {
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
      for (const std::string &Name : Here.Clipped)
        Without([&](MappingNode &N) { N.Clipped.erase(Name); });
      for (const std::string &Name : Here.Streams)
        Without([&](MappingNode &N) { N.Streams.erase(Name); });
      if (Here.Lanes)
        Without([&](MappingNode &N) { N.Lanes.reset(); });
      if (Here.ColumnOrder)
        Without([&](MappingNode &N) { N.ColumnOrder = false; });
      if (!Path.empty() && Here.Children.empty())
        Without([&](MappingNode &N) { N.Level = nodeAt(Best, callerOf(Path)).Level; });
    }
  }

public:
  Search(const TaskGraph &G, const FunctionRef &Entry, std::shared_ptr<const Machine> Target,
         const MachineChoices &Choices, const DeriveRequest &Request)
      : G(G), Entry(Entry), Target(std::move(Target)), Choices(Choices), Request(Request) {}

  std::optional<Mapping> run() {
    const MappingNode Plain = plainNode(G, Entry, 0);
    if (std::optional<Program> P = plan(Plain)) {
      Calls = typicalSizes(Request.Relations, argumentSizes(*P), Request.Shapes);
      MayRoundSums = roundsSums(*P);
    }
    if (const double Cost = costOf(Plain); Cost == Refused || !take(Plain, Cost))
      return std::nullopt;
    climbToTop();
    for (const Candidates::Start &S : Candidates(G, Choices, Best).otherStarts())
      if (Known.size() < EnoughMappings)
        climbFrom(S);
    for (const Candidates::Start &S : Candidates(G, Choices, Best).keptStarts())
      climbFrom(S);
    for (const Candidates::Start &S : Candidates(G, Choices, Best).windowStarts())
      climbFrom(S);
    tidy();
    return toMapping(Best, *Target);
  }
};

} // namespace

bool canDeriveFor(const Machine &Target) { return choicesOf(Target).has_value(); }

std::optional<Mapping> deriveMapping(const TaskGraph &G, const FunctionRef &Entry,
                                     std::shared_ptr<const Machine> Target,
                                     const DeriveRequest &Request) {
  const std::optional<MachineChoices> Choices = choicesOf(*Target);
  return Choices ? Search(G, Entry, Target, *Choices, Request).run() : std::nullopt;
}

} // namespace septran::compiler
