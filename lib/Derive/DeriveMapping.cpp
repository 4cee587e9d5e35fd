//===- DeriveMapping.cpp - a mapping where the user gives none ------------===//
#include "Derive/DeriveMapping.h"

#include "Derive/ArgumentSizes.h"
#include "Derive/Search.h"
#include "Derive/SmallInstances.h"
#include "Derive/TeamSizes.h"
#include "Derive/TypicalSizes.h"
#include "Derive/UsualWindows.h"

namespace septran::compiler {

namespace {

/// After so many mappings a search ends soon.
constexpr size_t EnoughMappings = 12288;

struct Found {
  MappingNode Root;
  double Cost;
};

std::optional<Found> searchFor(SearchSpace &Space, const std::vector<NominalSizes> &Calls,
                               Asking Asks) {
  Search S(Space, Calls, Asks, EnoughMappings);
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
  const std::vector<NominalSizes> Calls =
      typicalSizes(Request.Relations, Arguments, Request.Shapes);
  std::optional<MappingNode> General = searchGeneral(Space, Calls);
  if (!General)
    return std::nullopt;
  std::vector<SmallTree> Small;
  if (Request.Shapes.empty())
    Small = SmallInstances(Space, Arguments).search(*General);
  chooseSizesByTeam(Space, *General, Calls);
  if (!Request.Shapes.empty())
    return toMapping(*General, *Target);
  Mapping Found = toMapping(*General, *Target);
  ExtentList Usual;
  if (const std::optional<Program> P = Space.plan(Found))
    Usual = usualWindows(*P, Request.Relations, Arguments);
  if (!Small.empty() || !Usual.empty())
    if (Mapping M = toMapping(*General, *Target, Small, Usual); Space.canEmit(M))
      return M;
  return Found;
}

} // namespace septran::compiler
