//===- VerifyTool.cpp - one run of septran-verify -------------------------===//
#include "VerifyTool.h"

#include "Support/JoinNames.h"
#include "Verify/Campaign.h"
#include "Verify/ElementRange.h"
#include "Verify/RepeatCall.h"
#include "Verify/ScratchFolder.h"
#include "Verify/Variants.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace septran::compiler {

namespace {

/// One line on the terminal that is written over and over; elsewhere a line a minute.
class ProgressLine {
  using Clock = std::chrono::steady_clock;
  const bool Terminal = isatty(2);
  Clock::time_point Last = Clock::now();

public:
  void show(const std::string &Text) {
    if (Terminal) {
      std::cerr << "\r\033[K" << Text << std::flush;
    } else if (!Text.empty() && Clock::now() - Last >= std::chrono::minutes(1)) {
      std::cerr << Text << std::endl;
      Last = Clock::now();
    }
  }
  ~ProgressLine() { show(""); }
};

volatile std::sig_atomic_t InterruptedBy = 0;

/// SIGINT and SIGTERM only set InterruptedBy. However often they come: timeout(1) sends two.
void catchInterrupts() {
  struct sigaction Catch = {};
  Catch.sa_handler = [](int Signal) { InterruptedBy = Signal; };
  for (int Signal : {SIGINT, SIGTERM})
    sigaction(Signal, &Catch, nullptr);
}

template <class Run> ToolExit inScratchFolder(const VerifyOptions &Options, Run Do) {
  ScratchFolder Scratch(Options.Keep);
  if (Scratch.problem().empty())
    return Do(Scratch.path());
  llvm::errs() << "septran-verify: " << Scratch.problem() << "\n";
  return ToolExit::UsageError;
}

template <class Run>
ToolExit campaign(const VerifyOptions &Options, std::shared_ptr<const Machine> Target,
                  const std::string &Folder, Run Do) {
  CampaignRequest R;
  R.Seed = Options.Request.Shapes.Seed;
  R.First = Options.FirstItem;
  R.Programs = Options.RandomLogic ? Options.RandomLogic : Options.RandomMappings;
  R.Jobs = Options.Jobs;
  R.Target = std::move(Target);
  R.MachineName = Options.Inputs.Machine;
  R.Verify = Options.Request;
  R.Compiler = Options.Compiler;
  R.Scratch = Folder;
  R.FailureFolder = Options.Failures;
  R.Interrupted = [] { return InterruptedBy != 0; };
  catchInterrupts();
  const auto Start = std::chrono::steady_clock::now();
  ProgressLine Line;
  CampaignReport Report = Do(R, [&](const CampaignReport &So) { Line.show(toString(So)); });
  Line.show("");
  for (const CampaignFailure &F : Report.Failures)
    std::cout << "item " << F.Item << ": " << F.What << "\n  "
              << (F.Folder.empty() ? "(no folder could be written)"
                                   : "repeat: " + F.Folder + "/run.sh")
              << "\n";
  if (!Report.FirstNote.empty())
    std::cout << "without a reference, for example: " << Report.FirstNote << "\n";
  if (const std::string Refusals = refusalText(Report); !Refusals.empty())
    std::cout << "mappings drawn in vain: " << Refusals << "\n";
  auto Seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - Start);
  std::cout << (Report.good() ? "verified: " : "NOT verified: ") << toString(Report) << ", seed "
            << R.Seed << ", items " << R.First << ".." << R.First + Report.Items << ", "
            << Seconds.count() << " s"
            << (InterruptedBy ? ", stopped by " + std::string(strsignal(InterruptedBy)) : "") << "\n";
  return Report.good() ? ToolExit::Success : ToolExit::Different;
}

class Verifier {
  const clang::tooling::CompilationDatabase &Flags;
  const VerifyOptions &Options;
  ToolExit Code = ToolExit::InputError;
  std::string Mapping; ///< that is verified

public:
  Verifier(const clang::tooling::CompilationDatabase &Flags, const VerifyOptions &Options)
      : Flags(Flags), Options(Options) {}

  ToolExit run() {
    return inScratchFolder(Options, [&](const std::string &Folder) {
      bool Good = runFrontend(Flags, Options.Source,
                              [&](FrontendResult &Result) { verify(Result, Folder); });
      return Good || Code == ToolExit::Different ? Code : ToolExit::InputError;
    });
  }

private:
  void verify(FrontendResult &Result, const std::string &Folder) {
    if (Options.Variants) {
      compareVariants(Result, Folder);
      return;
    }
    if (Options.RandomMappings) {
      drawMappings(Result, Folder);
      return;
    }
    BuildSettings Settings = settingsFor(Flags, Options.Source, Folder);
    Settings.Compiler = Options.Compiler;
    LogicUnderTest Logic(Result, std::move(Settings), Options.Request.Shapes.Specs);
    Code = ToolExit::Success;
    for (const std::string &File : Options.Mappings) {
      Mapping = File;
      Diagnostics D;
      const ToolExit One = verifyMapped(Result, Logic, D);
      if (One == ToolExit::Different || Code == ToolExit::Success)
        Code = One;
      for (const Diagnostic &Each : D)
        Result.Messages.add(Each);
    }
  }

  ToolExit verifyMapped(FrontendResult &Result, LogicUnderTest &Logic, Diagnostics &D) {
    MappingRequest Request = Options.Inputs;
    Request.Mapping = Mapping;
    std::vector<std::string> Files;
    MappedInputs Inputs = readInputs(Request, D, Files);
    if (!Result.Graph || !Inputs.Map || !Inputs.Target)
      return ToolExit::InputError;
    std::optional<MappedSource> Mapped = Logic.map(Inputs.Map, Inputs.Target, Mapping, D);
    if (!Mapped)
      return ToolExit::InputError;
    if (Options.PrintShapes) {
      std::cout << toString(Mapped->Relations);
      return ToolExit::Success;
    }
    return verifyCalls(*Mapped, Logic, D);
  }

  ToolExit verifyCalls(const MappedSource &Mapped, LogicUnderTest &Logic, Diagnostics &D) const {
    ProgressLine Progress;
    Progress.show("compiling the plain, checked, reference and mapped programs");
    std::string Problem;
    std::optional<ProgramForms> Forms = Logic.build(Mapped, true, Options.Jobs, Problem);
    Progress.show("");
    if (!Forms) {
      llvm::errs() << "septran-verify: " << Problem;
      return ToolExit::InputError;
    }
    VerifyRequest Request = Options.Request;
    Request.Compare = Mapped.Compare;
    VerifyReport Report =
        verifyMapping(*Forms, Mapped.Relations, Request, [&](size_t Done, size_t Of) {
          Progress.show("calls " + std::to_string(Done) + " of " + std::to_string(Of));
        });
    Progress.show("");
    print(Report, Mapped.Relations, Mapped.P, Logic.referenceNote());
    std::cout.flush(); // messages come behind it
    if (Report.NoneAccepted)
      reportNoneAccepted(Mapped.Relations, *Mapped.P.Entry, D);
    else if (Report.good() && !choosesShapes(Request, Mapped.Relations))
      warnOfFewShapes(Report, Mapped.Relations, *Mapped.P.Entry, D);
    if (!Report.Problem.empty())
      return ToolExit::InputError;
    return Report.good() ? ToolExit::Success : ToolExit::Different;
  }

  static bool choosesShapes(const VerifyRequest &Request, const ShapeRelations &R) {
    const std::vector<ShapeSpec> &Specs = Request.Shapes.Specs;
    return Request.Only || !std::all_of(Specs.begin(), Specs.end(),
                                        [&](const ShapeSpec &S) { return statesElements(R, S); });
  }

  /// A verdict of few or tiny calls says little, though the logic may have no others.
  void warnOfFewShapes(const VerifyReport &Report, const ShapeRelations &R, const Function &Entry,
                       Diagnostics &D) const {
    if (R.Extents.empty())
      return;
    std::int64_t Largest = 0;
    for (const ShapeRow &Row : Report.Rows)
      for (const auto &[Ref, Extent] : Row.Choice.Shape)
        Largest = std::max(Largest, Extent);
    constexpr unsigned Few = 3;
    const EntryExtent &First = R.Extents.front(); // free if any is
    if (Largest <= 1)
      D.report(DiagID::SmallShapes, Entry.Loc, Entry.Name, First.Name);
    else if (First.isFree() && Report.Rows.size() < std::min(Few, Options.Request.Shapes.Count))
      D.report(DiagID::FewShapes, Entry.Loc, Entry.Name, Report.Rows.size(), First.Name);
  }

  /// What is not known of the arguments may be the reason.
  static void reportNoneAccepted(const ShapeRelations &R, const Function &Entry, Diagnostics &D) {
    Diagnostic &Message = D.report(DiagID::NoAcceptedCall, Entry.Loc, Entry.Name);
    for (unsigned I = 0; I < R.Params.size(); ++I) {
      const Parameter &P = R.Params[I];
      const ElementValues *Known = R.valuesOf(I);
      if (!mayStateValues(P, P.Name) || (Known && !Known->Stated.empty()))
        continue;
      bool IsUnread = false;
      for (const UnreadIndex &U : R.Unread)
        if (U.Param == I && !std::exchange(IsUnread, true))
          Message.note(DiagID::NoteUnreadIndex, U.Loc, P.Name, U.Indexed);
      if (!IsUnread && !Known)
        Message.note(DiagID::NoteUnknownElements, P.Loc, P.Name);
    }
  }

  void compareVariants(FrontendResult &Result, const std::string &Folder) {
    if (!Result.Graph)
      return;
    std::vector<VariantPair> Pairs = variantPairs(*Result.Graph);
    BuildSettings Settings = settingsFor(Flags, Options.Source, Folder);
    Settings.Compiler = Options.Compiler;
    Code = ToolExit::Success;
    unsigned Agree = 0;
    for (const VariantPair &Pair : Pairs) {
      ProgressLine Progress;
      Progress.show(Pair.name());
      VariantReport Report = verifyVariants(Pair, referenceSource(Result, *Pair.First), Settings,
                                            Options.Request, Options.Jobs);
      Progress.show("");
      std::string Problem = Report.Problem.empty() ? Report.Calls.Problem : Report.Problem;
      Agree += Report.Calls.good();
      std::cout << (Report.Calls.good() ? "agree: " : "NOT verified: ") << Pair.name() << ", "
                << Report.Calls.cases() << " calls at " << Report.Calls.Rows.size() << " shapes\n";
      if (!Report.ReferenceNote.empty())
        std::cout << "  no reference in double precision: " << Report.ReferenceNote << "\n";
      if (!Problem.empty())
        std::cout << "  " << Problem << "\n";
      if (!Report.Calls.Failures.empty())
        std::cout << "  " << toString(Report.Calls.Failures.front().Which, Report.Relations.Params)
                  << "\n  " << Report.Calls.Failures.front().What << "\n";
      if (!Report.Calls.good())
        Code = ToolExit::Different;
    }
    std::cout << Agree << " of " << Pairs.size() << " pairs of variants agree\n";
  }

  void drawMappings(FrontendResult &Result, const std::string &Folder) {
    std::shared_ptr<const Machine> Target = readRequestedMachine(Options.Inputs, Result.Messages);
    if (!Target || !Result.Graph)
      return;
    std::vector<std::string> Entries;
    for (const FunctionRef &F : Result.Graph->Functions)
      if (F->IsEntryCandidate)
        Entries.push_back(F->Name);
    const std::string Entry =
        Options.Entry.empty() && Entries.size() == 1 ? Entries.front() : Options.Entry;
    if (std::find(Entries.begin(), Entries.end(), Entry) == Entries.end()) {
      llvm::errs() << "septran-verify: --entry: expected one of " << joinNames(Entries)
                   << ", found '" << Options.Entry << "'\n";
      Code = ToolExit::UsageError;
      return;
    }
    BuildSettings Settings = settingsFor(Flags, Options.Source, Folder);
    Settings.Compiler = Options.Compiler;
    Code = campaign(Options, Target, Folder, [&](const CampaignRequest &R, const auto &Progress) {
      return randomMappingCampaign(Result, Settings, Entry, R, Progress);
    });
  }

  void print(const VerifyReport &Report, const ShapeRelations &Relations, const Program &P,
             const std::string &ReferenceNote) const {
    if (!ReferenceNote.empty())
      std::cout << "no reference in double precision, results are compared with the plain "
                   "program's: "
                << ReferenceNote << "\n";
    if (!Report.Rows.empty())
      std::cout << toString(Report, Relations);
    constexpr size_t MostShown = 10;
    for (size_t I = 0; I < std::min(Report.Failures.size(), MostShown); ++I)
      std::cout << (Report.Failures[I].MappedIsWrong ? "wrong: " : "no verdict: ")
                << toString(Report.Failures[I].Which, Relations.Params) << "\n  "
                << Report.Failures[I].What << "\n  repeat: "
                << repeatCommand(Options.CommandLine, Mapping, Report.Failures[I].Which, Relations)
                << "\n";
    if (Report.Failures.size() > MostShown)
      std::cout << "and " << Report.Failures.size() - MostShown << " more\n";
    if (!Report.Problem.empty()) {
      std::cout << "not verified: " << Report.Problem << "\n";
      return;
    }
    std::cout << (Report.good() ? "verified: " : "NOT verified: ") << Mapping << ", "
              << P.Entry->Name << " on " << P.Target->Name.Value << ": " << Report.cases()
              << " calls at " << Report.Rows.size() << " shapes";
    if (Report.Refused)
      std::cout << " (" << Report.Refused << " more are not accepted by the plain program)";
    if (!Report.good())
      std::cout << ", " << Report.Failures.size() << " failed";
    std::cout << ", seed " << Options.Request.Shapes.Seed << "\n";
  }
};

} // namespace

ToolExit verifyRandomLogic(const VerifyOptions &Options) {
  Diagnostics D;
  std::shared_ptr<const Machine> Target = readRequestedMachine(Options.Inputs, D);
  if (!Target) {
    std::cerr << renderText(D);
    return ToolExit::InputError;
  }
  return inScratchFolder(Options, [&](const std::string &Folder) {
    return campaign(Options, Target, Folder, [&](const CampaignRequest &R, const auto &Progress) {
      return randomLogicCampaign(R, Progress);
    });
  });
}

ToolExit verifyFile(const clang::tooling::CompilationDatabase &Flags,
                    const VerifyOptions &Options) {
  return Verifier(Flags, Options).run();
}

} // namespace septran::compiler
