//===- ShrinkFailure.cpp - the smallest program that still fails ----------===//
#include "Verify/ShrinkFailure.h"

#include "Verify/Shrink.h"
#include "Verify/ShrinkText.h"

#include "clang/Tooling/CompilationDatabase.h"

#include <fcntl.h>
#include <fstream>
#include <unistd.h>

namespace septran::compiler {

namespace {

/// Nobody wants to read the compiler's messages about candidates.
class SilentErrors {
  int Saved = dup(2);

public:
  SilentErrors() {
    int Null = open("/dev/null", O_WRONLY);
    dup2(Null, 2);
    close(Null);
  }
  ~SilentErrors() {
    dup2(Saved, 2);
    close(Saved);
  }
  SilentErrors(const SilentErrors &) = delete;
  SilentErrors &operator=(const SilentErrors &) = delete;
};

bool sameParameters(const std::vector<Parameter> &A, const std::vector<Parameter> &B) {
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I)
    if (A[I].Name != B[I].Name || A[I].isTensor() != B[I].isTensor() ||
        (A[I].isTensor() && A[I].Tensor->Rank != B[I].Tensor->Rank))
      return false;
  return true;
}

std::optional<MappedSource> mapQuietly(LogicUnderTest &Logic, const std::string &Mapping,
                                       const ShrinkSettings &Settings) {
  Diagnostics Unread;
  return Logic.map(Mapping, Settings.Target, Unread);
}

/// Whether the mapped logic fails at the call, or at all if there is none.
bool fails(LogicUnderTest &Logic, const MappedSource &Mapped, const FailingProgram &F,
           const ShrinkSettings &Settings) {
  if (!sameParameters(Mapped.P.Params, F.Params))
    return false;
  std::string Problem;
  std::optional<ProgramForms> Forms = Logic.build(Mapped, true, 4, Problem);
  if (!Forms || !F.Which)
    return !Forms && !F.Which;
  VerifyRequest Verify = Settings.Verify;
  Verify.Compare = Mapped.Compare;
  std::optional<CaseFailure> Found = verifyCase(*Forms, Mapped.Relations, *F.Which, Verify);
  return Found && Found->MappedIsWrong;
}

void shrinkShape(LogicUnderTest &Logic, FailingProgram &F, const ShrinkSettings &Settings) {
  std::optional<MappedSource> Mapped = mapQuietly(Logic, F.Mapping, Settings);
  std::string Problem;
  std::optional<ProgramForms> Forms =
      Mapped ? Logic.build(*Mapped, true, 4, Problem) : std::nullopt;
  if (!Forms)
    return;
  auto StillFails = [&](const Case &C) {
    std::optional<CaseFailure> Found = verifyCase(*Forms, Mapped->Relations, C, Settings.Verify);
    return Found && Found->MappedIsWrong;
  };
  bool Any = true;
  while (Any) {
    Any = false;
    for (const EntryExtent &E : Mapped->Relations.Extents) {
      std::int64_t Now = F.Which->Shape.at(E.Ref);
      for (std::int64_t Smaller : {std::int64_t(1), Now / 2, Now - 1}) {
        if (!E.isFree() || Smaller < 1 || Smaller >= Now)
          continue;
        Extents Given;
        for (const EntryExtent &Other : Mapped->Relations.Extents)
          if (Other.isFree())
            Given[Other.Ref] = F.Which->Shape.at(Other.Ref);
        Given[E.Ref] = Smaller;
        Case C = *F.Which;
        std::optional<Extents> Shape = completeShape(Mapped->Relations, Given, C.Scalars);
        if (!Shape)
          continue;
        C.Shape = *Shape;
        if (StillFails(C)) {
          F.Which = C;
          Any = true;
          break;
        }
      }
    }
  }
}

} // namespace

void shrinkMapping(LogicUnderTest &Logic, FailingProgram &F, const ShrinkSettings &Settings) {
  SilentErrors Silent;
  // Most candidates are refused before anything is compiled: asking is cheap, building is not.
  unsigned Builds = 0;
  auto StillFails = [&](const std::string &Candidate) {
    if (Builds >= Settings.Builds)
      return false;
    std::optional<MappedSource> Mapped = mapQuietly(Logic, Candidate, Settings);
    Builds += Mapped.has_value();
    return Mapped && fails(Logic, *Mapped, F, Settings);
  };
  F.Mapping = shrinkMapping(F.Mapping, StillFails, {2000, {}});
  if (F.Which)
    shrinkShape(Logic, F, Settings);
}

std::string shrinkLogic(const LogicProgram &Program, const FailingProgram &F,
                        const BuildSettings &Build, const ShrinkSettings &Settings) {
  SilentErrors Silent;
  BuildSettings Own = Build;
  Own.LogicFile = Build.Scratch + "/candidate.cpp";
  clang::tooling::FixedCompilationDatabase Flags(Build.Scratch, {"-std=c++20"});
  unsigned Builds = 0;
  auto StillFails = [&](const std::string &Candidate) {
    if (Builds >= Settings.Builds)
      return false;
    std::ofstream(Own.LogicFile) << Candidate;
    bool Failed = false;
    bool Good = runFrontend(Flags, Own.LogicFile, [&](FrontendResult &Result) {
      if (!Result.Graph)
        return;
      ++Builds;
      LogicUnderTest Logic(Result, Own);
      std::optional<MappedSource> Mapped = mapQuietly(Logic, F.Mapping, Settings);
      Failed = Mapped && fails(Logic, *Mapped, F, Settings);
    });
    return Good && Failed;
  };
  // Statements and operands first; what is left may still lose lines and digits.
  LogicProgram Small = shrinkLogic(
      Program, [&](const LogicProgram &Candidate) { return StillFails(render(Candidate)); },
      {1000, {}});
  Builds = 0;
  return shrinkText(render(Small), 1000, StillFails).Text;
}

} // namespace septran::compiler
