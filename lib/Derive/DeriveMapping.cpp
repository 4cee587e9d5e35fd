//===- DeriveMapping.cpp - a mapping where the user gives none ------------===//
#include "Derive/DeriveMapping.h"

#include "Derive/ArgumentSizes.h"
#include "Derive/Search.h"
#include "Derive/SmallExtents.h"
#include "Derive/TypicalSizes.h"
#include "Derive/UsualWindows.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace septran::compiler {

namespace {

/// What an instance for small extents must cost at most, in what there is without it: it is more
/// code.
constexpr double WorthAnInstance = 0.8;
/// After so many mappings a search ends soon.
constexpr size_t EnoughMappings = 12288, EnoughForSmall = 2048;
/// Elements of small extents that instances are for.
constexpr std::int64_t SmallSizes[] = {16, 1};
/// Where all extents are small: at most, and what they usually are.
constexpr std::int64_t SmallProduct = 64, SmallProducts[] = {16, 32, 64};

struct Found {
  MappingNode Root;
  double Cost;
};

std::optional<Found> searchFor(SearchSpace &Space, const std::vector<NominalSizes> &Calls,
                               Asking Asks, size_t Enough = EnoughMappings) {
  Search S(Space, Calls, Asks, Enough);
  return S.run() ? std::optional<Found>({S.best(), S.bestCost()}) : std::nullopt;
}

/// For the shapes that the user names, or for what there usually is.
std::optional<MappingNode> searchGeneral(SearchSpace &Space,
                                         const std::vector<NominalSizes> &Calls) {
  std::optional<Found> Best = searchFor(Space, Calls, Asking::AsMapped);
  if (Best && !Space.Request.Shapes.empty())
    if (std::optional<Found> Ahead = searchFor(Space, Calls, Asking::WhereItHelps);
        Ahead && Ahead->Cost < Best->Cost * Better)
      Best = std::move(Ahead);
  return Best ? std::optional<MappingNode>(std::move(Best->Root)) : std::nullopt;
}

/// Instances for small extents beside `General`, those for the smallest first.
std::vector<SmallTree> searchSmall(SearchSpace &Space, const MappingNode &General,
                                   const ArgumentSizes &Arguments) {
  std::vector<SmallTree> Result;
  const ShapeRelations &R = Space.Request.Relations;
  // What windows are taken of moves with the result, whatever its extents are.
  if (!Arguments.Windows.empty() || !Arguments.Images.empty() ||
      Candidates(Space.G, Space.Choices, General, false).hasWindows())
    return Result;
  // Beside what there is for these calls so far.
  const auto Try = [&](const MappingNode &Now, const std::vector<NominalSizes> &Calls,
                       llvm::ArrayRef<SmallExtent> Extents, std::int64_t Most) {
    const std::optional<Program> P = Space.plan(toMapping(Now, *Space.Target));
    const double Cost = P ? estimateCost(*P, Calls) : Refused;
    std::optional<Found> Small = searchFor(Space, Calls, Asking::WhereItHelps, EnoughForSmall);
    if (!Small || !(Small->Cost < Cost * WorthAnInstance))
      return false;
    SmallTree T{std::move(Small->Root), {}};
    for (const SmallExtent &E : Extents)
      for (const std::string &Equal : E.Equal)
        T.AtMost.push_back({Equal, Most});
    Result.insert(Result.begin(), std::move(T));
    return true;
  };
  const std::vector<SmallExtent> Rows = smallExtents(R);
  for (const SmallExtent &E : Rows) {
    MappingNode Now = General;
    for (std::int64_t Most : SmallSizes)
      if (Try(Now, typicalSizes(R, Arguments, {{E.Name, {Most}}}), E, Most))
        Now = Result.front().Root;
  }
  if (Rows.empty())
    return Result;
  const std::vector<SmallExtent> All = freeExtents(R);
  std::vector<NominalSizes> Calls;
  for (std::int64_t Size : SmallProducts) {
    std::vector<ShapeSpec> Shape;
    for (const SmallExtent &E : All)
      Shape.push_back({E.Name, {Size}});
    llvm::append_range(Calls, typicalSizes(R, Arguments, Shape));
  }
  Try(General, Calls, All, SmallProduct);
  return Result;
}

} // namespace

bool canDeriveFor(const Machine &Target) { return choicesOf(Target).has_value(); }

std::optional<Mapping> deriveMapping(const TaskGraph &G, const FunctionRef &Entry,
                                     std::shared_ptr<const Machine> Target,
                                     const DeriveRequest &Request) {
  const std::optional<MachineChoices> Choices = choicesOf(*Target);
  if (!Choices)
    return std::nullopt;
  SearchSpace Space{G, Entry, Target, *Choices, Request};
  const std::optional<Program> Plain = Space.plan(toMapping(plainNode(G, Entry, 0), *Target));
  if (!Plain)
    return std::nullopt;
  Space.MayRoundSums = roundsSums(*Plain);
  const ArgumentSizes Arguments = argumentSizes(*Plain);
  const std::optional<MappingNode> General =
      searchGeneral(Space, typicalSizes(Request.Relations, Arguments, Request.Shapes));
  if (!General)
    return std::nullopt;
  Mapping Found = toMapping(*General, *Target);
  if (!Request.Shapes.empty())
    return Found;
  const std::vector<SmallTree> Small = searchSmall(Space, *General, Arguments);
  ExtentList Usual;
  if (const std::optional<Program> P = Space.plan(Found))
    Usual = usualWindows(*P, Request.Relations, Arguments);
  if (!Small.empty() || !Usual.empty())
    if (Mapping M = toMapping(*General, *Target, Small, Usual); Space.canEmit(M))
      return M;
  return Found;
}

} // namespace septran::compiler
