//===- LeafParts.cpp - a leaf as several, one after another ---------------===//
#include "Logic/LeafParts.h"

#include "IR/Rewrite.h"
#include "Logic/ImpliedFunction.h"
#include "Logic/LoopsOfLeaf.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

namespace septran::compiler {

std::optional<std::vector<Block>> partsOfLeaf(const Block &Body) {
  std::vector<Block> Parts;
  Block Definitions;
  for (const Stmt &S : Body) {
    if (const auto *L = S.getIf<Let>()) {
      if (!isFixed(*L))
        return std::nullopt;
      Definitions.push_back(S);
      continue;
    }
    if (Parts.empty() || S.getIf<For>() || Parts.back().back().getIf<For>())
      Parts.emplace_back();
    Parts.back().push_back(S);
    if (assignsOutside(Parts.back()))
      return std::nullopt;
  }
  for (Block &Part : Parts)
    for (auto D = Definitions.rbegin(); D != Definitions.rend(); ++D)
      if (mentions(Part, introducedVar(*D)))
        Part.insert(Part.begin(), *D);
  return Parts;
}

std::vector<FunctionRef> leafParts(const FunctionRef &Leaf) {
  const std::optional<std::vector<Block>> Parts = partsOfLeaf(Leaf->Body);
  if (!Parts || Parts->size() < 2)
    return {};
  Function Task = impliedFunction(*Leaf, "_parts");
  Task.Family = Leaf->Family;
  addParametersOf(*Leaf, Task);
  std::vector<FunctionRef> Result(1);
  std::set<std::string> Written; ///< by a part before
  for (const Block &Body : *Parts) {
    PartOfLeaf Part{impliedFunction(*Leaf, "_" + std::to_string(Result.size())), {}, {}};
    Part.addParameters(*Leaf, Task, Body);
    for (Parameter &P : Part.F.Params)
      if (P.isTensor() && P.Access == Privilege::Write && !Written.insert(P.Name).second)
        P.Access = Privilege::ReadWrite;
    Result.push_back(Part.finish(Body));
    Task.Body.push_back({std::move(Part.L), Leaf->Loc});
  }
  Result[0] = std::make_shared<const Function>(std::move(Task));
  return Result;
}

} // namespace septran::compiler
