//===- Variants.cpp - do the variants of a family agree -------------------===//
#include "Verify/Variants.h"

#include <algorithm>
#include <map>

namespace septran::compiler {

namespace {

/// Types and privileges, by which variants can stand for each other.
std::string signatureOf(const Function &F) {
  std::string Text = F.Family;
  for (const Parameter &P : F.Params) {
    Text += P.isTensor()
                ? " " + std::string(shortName(P.Tensor->Element)) + std::to_string(P.Tensor->Rank)
                : " " + std::string(shortName(P.Scalar->Type));
    Text += std::to_string(int(P.Access)) + std::to_string(int(P.Reduction));
  }
  return Text;
}

/// The accesses of one function, without those of what it launches.
ShapeRelations relationsOf(const std::shared_ptr<const Function> &F) {
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
  std::map<std::string, std::vector<std::shared_ptr<const Function>>> Groups;
  std::vector<std::string> Order;
  for (const auto &F : Graph.Functions) {
    std::string Key = signatureOf(*F);
    if (Groups[Key].empty())
      Order.push_back(Key);
    Groups[Key].push_back(F);
  }
  std::vector<VariantPair> Pairs;
  for (const std::string &Key : Order) {
    auto &Members = Groups[Key];
    std::stable_partition(Members.begin(), Members.end(),
                          [](const auto &F) { return F->Kind == FunctionKind::Leaf; });
    for (size_t I = 1; I < Members.size(); ++I)
      Pairs.push_back({Members[0], Members[I]});
  }
  return Pairs;
}

VariantReport verifyVariants(const VariantPair &Pair, const BuildSettings &Settings,
                             const VerifyRequest &Request, unsigned Jobs) {
  VariantReport Report;
  Report.Relations = relationsOf(Pair.First);
  // Both must accept the arguments: the second one's checked program is asked, whose loops may be
  // the stricter ones.
  PendingForm Forms[] = {plainForm(Settings, *Pair.First, "first"),
                         plainForm(Settings, *Pair.Second, "second"),
                         checkedForm(Settings, *Pair.Second)};
  std::vector<Command> Commands;
  for (const PendingForm &F : Forms)
    Commands.push_back(F.Compile);
  std::vector<CommandResult> Results = runCommands(Commands, Jobs);
  for (size_t I = 0; I < Results.size(); ++I)
    if (!Results[I].Good) {
      Report.Problem =
          Settings.Compiler + " does not compile " + Forms[I].Source + ":\n" + Results[I].Output;
      return Report;
    }
  // Without error bounds only inputs are fair whose sums do not cancel to nothing.
  VerifyRequest Fair = Request;
  Fair.Patterns = {InputPattern::Integers, InputPattern::Uniform, InputPattern::OneHot};
  Report.Calls = verifyMapping({Forms[0].Library, Forms[1].Library, "", Forms[2].Library},
                               Report.Relations, Fair);
  return Report;
}

} // namespace septran::compiler
