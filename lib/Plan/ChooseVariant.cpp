//===- ChooseVariant.cpp - which function an instance stands for ----------===//
#include "Plan/ChooseVariant.h"

#include "Support/DidYouMean.h"
#include "Support/JoinNames.h"

#include <algorithm>
#include <vector>

namespace septran::compiler {

namespace {

std::vector<std::string> allNames(const TaskGraph &Graph) {
  std::vector<std::string> Names;
  for (const FunctionRef &F : Graph.Functions)
    for (const std::string &N : {F->Name, F->Family})
      if (std::find(Names.begin(), Names.end(), N) == Names.end())
        Names.push_back(N);
  return Names;
}

/// Functions of this name; if there are none, those of this family that the logic has. Empty after a report.
std::vector<FunctionRef> candidates(const TaskGraph &Graph, const LocatedName &Name,
                                    Diagnostics &D) {
  std::vector<FunctionRef> All = Graph.variants(Name.Value), ByName;
  if (All.empty())
    D.report(DiagID::UnknownTask, Name.Loc, Name.Value, didYouMean(Name.Value, allNames(Graph)));
  for (const FunctionRef &F : All)
    if (F->Name == Name.Value)
      ByName.push_back(F);
  if (!ByName.empty())
    return ByName;
  std::erase_if(All, [](const FunctionRef &F) { return F->IsImplied; });
  return All;
}

} // namespace

FunctionRef chooseVariant(const TaskGraph &Graph, const LocatedName &Name, const Function &Callee,
                          Diagnostics &D) {
  const std::vector<FunctionRef> Candidates = candidates(Graph, Name, D);
  if (Candidates.empty())
    return nullptr;
  const Function &First = *Candidates.front();
  if (First.Family != Callee.Family) {
    D.report(DiagID::NotOfFamily, Name.Loc, Name.Value, First.Family, Callee.Name, Callee.Family)
        .note(DiagID::NoteDeclared, Callee.Loc, Callee.Name);
    return nullptr;
  }
  std::vector<FunctionRef> Fitting;
  for (const FunctionRef &F : Candidates)
    if (sameSignature(*F, Callee))
      Fitting.push_back(F);
  if (Fitting.empty()) {
    D.report(DiagID::VariantSignature, Name.Loc, Name.Value, Callee.Signature)
        .note(DiagID::NoteDeclared, First.Loc, First.Signature);
    return nullptr;
  }
  // Instantiations of one template share its name. The one that is launched is meant by it.
  for (const FunctionRef &F : Fitting)
    if (F.get() == &Callee && F->Name == Name.Value)
      return F;
  if (Fitting.size() > 1) {
    std::vector<std::string> Names;
    for (const FunctionRef &F : Fitting)
      Names.push_back(F->Name);
    D.report(DiagID::AmbiguousVariant, Name.Loc, Name.Value, joinNames(Names));
    return nullptr;
  }
  return Fitting.front();
}

FunctionRef chooseEntry(const TaskGraph &Graph, const LocatedName &Name, Diagnostics &D) {
  const std::vector<FunctionRef> Candidates = candidates(Graph, Name, D);
  for (const FunctionRef &F : Candidates)
    if (F->IsEntryCandidate && !F->BodyText.File.empty()) // else a macro wrote part of it
      return F;
  if (!Candidates.empty())
    D.report(DiagID::EntryNotTask, Name.Loc, Name.Value)
        .note(DiagID::NoteDeclared, Candidates.front()->Loc, Candidates.front()->Name);
  return nullptr;
}

} // namespace septran::compiler
