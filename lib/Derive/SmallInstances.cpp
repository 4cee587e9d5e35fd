//===- SmallInstances.cpp - instances for some calls ----------------------===//
#include "Derive/SmallInstances.h"

#include "Derive/TeamSizes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace septran::compiler {

namespace {

/// What an instance must cost at most, in what there is without it: it is more code.
constexpr double WorthAnInstance = 0.8;
/// After so many mappings a search ends soon.
constexpr size_t EnoughMappings = 2048;
/// Rows that are few, and what calls with at most so many have.
struct RowCounts {
  std::int64_t Most;
  std::vector<std::int64_t> Usual;
};
const RowCounts FewRows[] = {{16, {4, 16}}, {1, {1}}};
/// Elements of extents, at most, where all is in caches.
constexpr std::int64_t SizeInCaches = 512;
/// Where all extents are small: at most, and what they usually are.
constexpr std::int64_t SmallProduct = 64, SmallProducts[] = {16, 32, 64};

/// That none of the extents has more elements.
ExtentList atMost(llvm::ArrayRef<SmallExtent> Extents, std::int64_t Most) {
  ExtentList Result;
  for (const SmallExtent &E : Extents)
    for (const std::string &Equal : E.Equal)
      Result.push_back({Equal, Most});
  return Result;
}

std::vector<SmallExtent> without(const SmallExtent &One, std::vector<SmallExtent> Extents) {
  llvm::erase_if(Extents, [&](const SmallExtent &E) { return E.Name == One.Name; });
  return Extents;
}

struct UsualCalls {
  std::vector<NominalSizes> InCaches, InMemory;
};

UsualCalls byPlace(const std::vector<NominalSizes> &Calls) {
  UsualCalls Result;
  for (const NominalSizes &Sizes : Calls)
    (Sizes.InMemory ? Result.InMemory : Result.InCaches).push_back(Sizes);
  return Result;
}

} // namespace

/// So much for these calls, beside what they have now.
bool SmallInstances::isWorthIt(double Cost, const MappingNode &Now,
                               const std::vector<NominalSizes> &Calls) const {
  return Cost < Space.costOf(toMapping(Now, *Space.Target), Calls) * WorthAnInstance;
}

/// In front of what these calls have now, which becomes it.
bool SmallInstances::keep(MappingNode &Now, const Search &Small,
                          const std::vector<NominalSizes> &Calls, const ExtentList &AtMost) {
  if (!isWorthIt(Small.bestCost(), Now, Calls))
    return false;
  Now = Small.best();
  Found.insert(Found.begin(), SmallInstance{{Now, AtMost}, Calls});
  return true;
}

bool SmallInstances::add(MappingNode &Now, const std::vector<NominalSizes> &Calls, Asking Asks,
                         const ExtentList &AtMost) {
  Search Small(Space, Calls, Asks, EnoughMappings);
  return Small.run() && keep(Now, Small, Calls, AtMost);
}

/// Starting a team takes longer than what is in caches, so that one core may do it all in what is
/// best for all calls. Then that is for these, and another one for calls in memory.
void SmallInstances::addForCaches(MappingNode &General) {
  const std::optional<Program> P = Space.plan(toMapping(General, *Space.Target));
  if (!P || sharesLoops(*P))
    return;
  const auto [InCaches, InMemory] = byPlace(typicalSizes(R, Arguments, {}));
  Search Large(Space, InMemory, Asking::WhereItHelps, EnoughMappings);
  if (!Large.run() || !isWorthIt(Large.bestCost(), General, InMemory))
    return;
  Found.push_back({{std::move(General), atMost(freeExtents(R), SizeInCaches)}, InCaches});
  General = Large.best();
}

/// Steps through a large argument, which is read once, suit none that is in caches.
void SmallInstances::addFewRows(const MappingNode &General, const SmallExtent &Rows) {
  const std::vector<SmallExtent> Others = without(Rows, freeExtents(R));
  MappingNode InMemory = General, InCaches = General;
  for (const auto &[Most, Usual] : FewRows) {
    const std::vector<NominalSizes> All = typicalSizes(R, Arguments, {{Rows.Name, Usual}});
    const UsualCalls Calls = byPlace(All);
    ExtentList AtMost = atMost(Rows, Most);
    Search Steps(Space, Calls.InMemory, Asking::WhereItHelps, EnoughMappings);
    if (!Steps.runInSteps()) {
      add(InMemory, All, Asking::WhereItHelps, AtMost);
      continue;
    }
    if (keep(InMemory, Steps, Calls.InMemory, AtMost))
      InCaches = InMemory;
    llvm::append_range(AtMost, atMost(Others, SizeInCaches));
    add(InCaches, Calls.InCaches, Asking::AsMapped, AtMost);
  }
}

void SmallInstances::addSmallProducts(MappingNode General) {
  const std::vector<SmallExtent> All = freeExtents(R);
  std::vector<NominalSizes> Calls;
  for (std::int64_t Size : SmallProducts) {
    std::vector<ShapeSpec> Shape;
    for (const SmallExtent &E : All)
      Shape.push_back({E.Name, {Size}});
    llvm::append_range(Calls, typicalSizes(R, Arguments, Shape));
  }
  add(General, Calls, Asking::AsMapped, atMost(All, SmallProduct));
}

std::vector<SmallTree> SmallInstances::search(MappingNode &General) {
  // What windows are taken of moves with the result, whatever its extents are.
  if (!Arguments.Windows.empty() || !Arguments.Images.empty() ||
      Candidates(Space.G, Space.Choices, General, false).hasWindows())
    return {};
  addForCaches(General);
  const std::vector<SmallExtent> Rows = smallExtents(R);
  for (const SmallExtent &E : Rows)
    addFewRows(General, E);
  if (!Rows.empty())
    addSmallProducts(General);
  std::vector<SmallTree> Result;
  for (auto &[Tree, Calls] : Found) {
    chooseSizesByTeam(Space, Tree.Root, std::move(Calls));
    Result.push_back(std::move(Tree));
  }
  return Result;
}

} // namespace septran::compiler
