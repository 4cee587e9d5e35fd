//===- SmallInstances.h - instances for some calls --------------*- C++ -*-===//
//
// What suits most calls does not suit all. Rows that are few read a large argument once, products
// of small matrices are over before cores have begun to share them, and what one core does best in
// caches several do faster in memory: such calls get instances of their own, where these are worth
// the code.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Derive/Search.h"
#include "Derive/SmallExtents.h"

namespace septran::compiler {

class SmallInstances {
  SearchSpace &Space;
  const ArgumentSizes &Arguments;
  const ShapeRelations &R;
  struct SmallInstance {
    SmallTree Tree;
    std::vector<NominalSizes> Calls; ///< that it was found for
  };
  std::vector<SmallInstance> Found; ///< those for the smallest first

  bool isWorthIt(double Cost, const MappingNode &Now, const std::vector<NominalSizes> &Calls) const;
  bool keep(MappingNode &Now, const Search &Small, const std::vector<NominalSizes> &Calls,
            const ExtentList &AtMost);
  bool add(MappingNode &Now, const std::vector<NominalSizes> &Calls, Asking Asks,
           const ExtentList &AtMost);
  void addForCaches(MappingNode &General);
  void addFewRows(const MappingNode &General, const SmallExtent &Rows);
  void addSmallProducts(MappingNode General);

public:
  /// Both arguments must outlive this.
  SmallInstances(SearchSpace &Space, const ArgumentSizes &Arguments)
      : Space(Space), Arguments(Arguments), R(Space.Request.Relations) {}

  /// Beside `General`, which is for the calls that are left, and becomes another one where it
  /// suits them less than those.
  std::vector<SmallTree> search(MappingNode &General);
};

} // namespace septran::compiler
