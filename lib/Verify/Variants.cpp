//===- Variants.cpp - do the variants of a family agree -------------------===//
#include "Verify/Variants.h"

#include "Support/StableSort.h"
#include "Verify/ElementRange.h"

#include <algorithm>

namespace septran::compiler {

namespace {

bool interchangeable(const Function &A, const Function &B) {
  return A.Family == B.Family && sameSignature(A, B) &&
         std::equal(A.Params.begin(), A.Params.end(), B.Params.begin(), B.Params.end(),
                    [](const Parameter &P, const Parameter &Q) {
                      return P.Access == Q.Access && P.Reduction == Q.Reduction;
                    });
}

/// The accesses of one function, without those of what it launches.
ShapeRelations relationsOf(const FunctionRef &F) {
  Program P;
  P.Entry = F;
  P.Params = F->Params;
  P.Body = F->Body;
  return shapeRelations(P);
}

} // namespace

std::string VariantPair::name() const {
  return First->Family + ": " + Second->Signature + " and " + First->Signature;
}

std::vector<VariantPair> variantPairs(const TaskGraph &Graph) {
  std::vector<std::vector<FunctionRef>> Groups;
  for (const FunctionRef &F : Graph.Functions) {
    if (F->IsImplied) // no program to compare with
      continue;
    auto Group = std::find_if(Groups.begin(), Groups.end(),
                              [&](const auto &G) { return interchangeable(*G.front(), *F); });
    if (Group == Groups.end())
      Groups.push_back({F});
    else
      Group->push_back(F);
  }
  std::vector<VariantPair> Pairs;
  for (std::vector<FunctionRef> &Members : Groups) {
    stablePartition(Members, [](const FunctionRef &F) { return F->Kind == FunctionKind::Leaf; });
    for (size_t I = 1; I < Members.size(); ++I)
      Pairs.push_back({Members[0], Members[I]});
  }
  return Pairs;
}

VariantReport verifyVariants(const VariantPair &Pair, const ReferenceText &Reference,
                             const BuildSettings &Settings, const VerifyRequest &Request,
                             unsigned Jobs) {
  VariantReport Report;
  Report.Relations = relationsOf(Pair.First);
  for (const ShapeSpec &S : Request.Shapes.Specs)
    stateValues(Report.Relations, S.Name, S.Values);
  // Both must accept the arguments: the second one's checked program is asked, whose loops may be
  // the stricter ones.
  std::vector<PendingForm> Forms = {plainForm(Settings, *Pair.First, "first"),
                                    plainForm(Settings, *Pair.Second, "second"),
                                    checkedForm(Settings, *Pair.Second)};
  const size_t Required = Forms.size();
  if (Reference.Reason.empty())
    Forms.push_back(referenceForm(Settings, *Pair.First, Reference));
  std::vector<Command> Commands;
  for (const PendingForm &F : Forms)
    Commands.push_back(F.Compile);
  std::vector<CommandResult> Results = runCommands(Commands, Jobs);
  for (size_t I = 0; I < Required; ++I)
    if (!Results[I].Good) {
      Report.Problem =
          Settings.Compiler + " does not compile " + Forms[I].Source + ":\n" + Results[I].Output;
      return Report;
    }
  // Without error bounds, which not all have, only inputs are fair whose sums do not cancel to
  // nothing.
  VerifyRequest Fair = Request;
  Fair.Patterns = {InputPattern::Integers, InputPattern::Uniform, InputPattern::OneHot};
  const bool HasReference = Forms.size() > Required && Results[Required].Good;
  Report.ReferenceNote = Reference.Reason;
  if (Reference.Reason.empty() && !HasReference)
    Report.ReferenceNote = referenceDoesNotCompile(Results[Required]);
  Report.Calls = verifyMapping({Forms[0].Library, Forms[1].Library,
                                HasReference ? Forms[Required].Library : "", Forms[2].Library},
                               Report.Relations, Fair);
  return Report;
}

} // namespace septran::compiler
