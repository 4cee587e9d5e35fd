//===- Search.h - the best mapping for some calls, by climbing --*- C++ -*-===//
//
// One choice after the other takes its best value, until no choice changes any more. Then the
// search starts again from what is several steps away: other tasks that compute the same, constants
// packed where the copies are kept, windows read in place, tiles in registers, cores in their
// place, and the logic's own tile sizes. Where there is little to choose from, it also starts with
// each first step. Where memory decides alone, leaves that walk a few lines side by side are a
// start from which details are enough (`runInSteps`). Candidates are planned by the passes that
// plan any mapping; what these refuse is no candidate, and the others are ranked by EstimateCost.h.
// No chance is involved: the same input gives the same mapping.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Candidates.h"
#include "Derive/DeriveMapping.h"
#include "Derive/EstimateCost.h"

#include <llvm/ADT/ArrayRef.h>

#include <limits>
#include <unordered_map>

namespace septran::compiler {

/// Differences of costs below this mean nothing in a model like this.
inline constexpr double Better = 0.995;
/// The cost of what is no candidate.
inline constexpr double Refused = std::numeric_limits<double>::infinity();

/// What mappings are searched for.
struct SearchSpace {
  const TaskGraph &G;
  const FunctionRef &Entry;
  std::shared_ptr<const Machine> Target;
  const MachineChoices &Choices;
  const DeriveRequest &Request;
  bool MayRoundSums = true; ///< more than once
  unsigned Tried = 0;       ///< mappings, by all searches

  /// By all passes up to `allocate`, which all that can be refused goes through.
  std::optional<Program> plan(const Mapping &M) const;
  /// Code can be written for it, too.
  bool canEmit(const Mapping &M) const;
  /// As estimated for these calls; Refused if no pass takes it.
  double costOf(const Mapping &M, const std::vector<NominalSizes> &Calls,
                Asking Asks = Asking::AsMapped) const;
};

/// Terms are added to elements of small floats, which round every sum.
bool roundsSums(const Program &P);

/// Threads share the iterations of a loop.
bool sharesLoops(const Program &P);

class Search {
public:
  /// Costs are the mean of those of the calls. After so many mappings the search starts nowhere
  /// else, after twice as many no climb goes on. All arguments must outlive this.
  Search(SearchSpace &Space, const std::vector<NominalSizes> &Calls, Asking Asks, size_t Enough)
      : Space(Space), G(Space.G), Choices(Space.Choices), Calls(Calls), Enough(Enough), Asks(Asks) {
  }

  /// False if there is no mapping.
  bool run();
  /// The same where memory decides, in fewer mappings; false if no leaf walks in steps.
  bool runInSteps();
  const MappingNode &best() const { return Best; }
  double bestCost() const { return BestCost; }

private:
  SearchSpace &Space;
  const TaskGraph &G;
  const MachineChoices &Choices;
  const std::vector<NominalSizes> &Calls;
  const size_t Enough;
  Asking Asks;
  std::unordered_map<std::string, double> Known; ///< by the mapping's text
  FunctionRef With;                              ///< that candidates must contain; null: any
  bool InRegisters = true;                       ///< may tiles be
  bool InPairs = false;                          ///< sizes are chosen so, too
  bool MaySwap = false;                          ///< those of two dimensions
  MappingNode Best;
  double BestCost = Refused;

  /// That differ from the best, or from N.
  Candidates candidates() const { return candidatesOf(Best); }
  Candidates candidatesOf(const MappingNode &N) const {
    return {G, Choices, N, Asks == Asking::WhereItHelps};
  }
  double costOf(const MappingNode &N);
  std::vector<double> costsOf(llvm::ArrayRef<const MappingNode *> Nodes);
  bool take(const MappingNode &N, double Cost);
  bool consider(const std::vector<MappingNode> &Candidates, double AtMost = Better);
  template <class ChooseFn> void forEachInstance(ChooseFn Choose);
  double atMostWhole(const TreePath &Path, const VarRef &Size) const;
  bool climbInStructure();
  bool climbInDetail();
  bool climb();
  void climbToTop();
  void climbFrom(const Candidates::Start &S);
  void climbFromCheapest(const std::vector<MappingNode> &From);
  bool climbInSteps();
  void askAhead();
  void tidy();
};

} // namespace septran::compiler
