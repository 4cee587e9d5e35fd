//===- Campaign.cpp - many random programs --------------------------------===//
#include "Verify/Campaign.h"

#include "Support/StableSort.h"
#include "Verify/Isolated.h"
#include "Verify/RandomLogic.h"
#include "Verify/RandomMapping.h"
#include "Verify/RepeatCall.h"
#include "Verify/Reproducer.h"
#include "Verify/ShrinkFailure.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace septran::compiler {

namespace {

/// The report of one item, on its way between processes.
std::string encodeReport(const CampaignReport &R) {
  llvm::json::Array Failures;
  for (const CampaignFailure &F : R.Failures)
    Failures.push_back(
        llvm::json::Object{{"what", llvm::json::fixUTF8(F.What)}, {"folder", F.Folder}});
  llvm::json::Object Refusals;
  for (const auto &[ID, Count] : R.Refusals)
    Refusals[ID] = Count;
  llvm::json::Object All{{"drawn", R.Drawn},
                         {"mappings", R.Mappings},
                         {"programs", R.Programs},
                         {"calls", R.Calls},
                         {"blind", R.WithoutReference},
                         {"note", llvm::json::fixUTF8(R.FirstNote)},
                         {"refusals", std::move(Refusals)},
                         {"failures", std::move(Failures)}};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << llvm::json::Value(std::move(All));
  return Text;
}

void addItem(CampaignReport &To, std::uint64_t Item, const std::string &Text) {
  ++To.Items;
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
  if (!Parsed) {
    llvm::consumeError(Parsed.takeError());
    To.Failures.push_back({Item, "the result of the item cannot be read", ""});
    return;
  }
  const llvm::json::Object &O = *Parsed->getAsObject();
  auto Number = [&](const char *Key) {
    return static_cast<std::uint64_t>(O.getInteger(Key).value_or(0));
  };
  To.Drawn += Number("drawn");
  To.Mappings += Number("mappings");
  To.Programs += Number("programs");
  To.Calls += Number("calls");
  To.WithoutReference += Number("blind");
  if (To.FirstNote.empty())
    To.FirstNote = O.getString("note").value_or("").str();
  for (const auto &[ID, Count] : *O.getObject("refusals"))
    To.Refusals[ID.str()] += std::uint64_t(Count.getAsInteger().value_or(0));
  for (const llvm::json::Value &F : *O.getArray("failures"))
    To.Failures.push_back({Item, F.getAsObject()->getString("what")->str(),
                           F.getAsObject()->getString("folder")->str()});
}

/// A stream of random numbers for each item.
Random randomOf(const CampaignRequest &Request, std::uint64_t Item) {
  Random Seeds(Request.Seed);
  Random Mixed(Seeds.next() ^ (Item * 0x9e3779b97f4a7c15u + 0x1234567));
  return Mixed.split();
}

std::string itemFolder(const CampaignRequest &Request, std::uint64_t Item) {
  return Request.Scratch + "/item" + std::to_string(Item);
}

/// Where a failure of the item is kept.
std::string failureFolder(const CampaignRequest &Request, std::uint64_t Item) {
  return Request.FailureFolder + "/seed" + std::to_string(Request.Seed) + "-item" +
         std::to_string(Item);
}

/// What is known of an item that ended before a mapping failed: its files.
CampaignFailure keptItem(const CampaignRequest &Request, std::uint64_t Item,
                         const std::string &What) {
  return {
      Item, What,
      keepItem(failureFolder(Request, Item), itemFolder(Request, Item), Request.MachineName, What)};
}

/// Opaque leaves tell nothing of extents.
void tieEqualExtents(ShapeRelations &R, const LogicProgram &Program) {
  std::map<int, std::vector<ExtentRef>> Equal;
  const std::vector<LogicParameter> &Params = Program.Functions.back().Params;
  for (unsigned I = 0; I < Params.size(); ++I)
    for (unsigned D = 0; D < Params[I].Symbols.size(); ++D)
      Equal[Params[I].Symbols[D]].push_back({I, D});
  for (const auto &[Symbol, Extents] : Equal)
    tie(R, Extents);
}

/// Mappings of one logic file until Count of them have been verified.
class CampaignItem {
  LogicUnderTest &Logic;
  const CampaignRequest &Request;
  const std::string &LogicFile, &Entry;
  Random &R;
  CampaignReport &Report;
  std::string Folder; ///< of the item
  std::uint64_t Item;
  const LogicProgram *Program = nullptr; ///< random logic, which may be changed

public:
  CampaignItem(LogicUnderTest &Logic, const CampaignRequest &Request, const std::string &LogicFile,
               const std::string &Entry, Random &R, CampaignReport &Report, std::uint64_t Item)
      : Logic(Logic), Request(Request), LogicFile(LogicFile), Entry(Entry), R(R), Report(Report),
        Folder(itemFolder(Request, Item)), Item(Item) {}

  /// Random logic accepts every shape from 1 on.
  void run(unsigned Count, const LogicProgram *RandomLogic) {
    Program = RandomLogic;
    unsigned Tries = 0;
    for (unsigned Done = 0; Done < Count && Tries < 30 * Count; ++Tries) {
      std::string Text = randomMapping(Logic.graph(), *Request.Target, Entry, R);
      std::uint64_t CaseSeed = R.next() % 1000000;
      ++Report.Drawn;
      // Should the compiler crash on it, the file is what is left.
      std::ofstream(Folder + "/mapping.yaml") << Text;
      Diagnostics D;
      std::optional<MappedSource> Mapped = Logic.map(Text, Request.Target, D);
      if (!Mapped) {
        noteRefusal(D);
        continue;
      }
      ++Done;
      ++Report.Mappings;
      verify(*Mapped, Text, CaseSeed, Program != nullptr);
      if (!Report.Failures.empty())
        return;
    }
  }

private:
  void noteRefusal(const Diagnostics &D) {
    for (const Diagnostic &Message : D)
      if (levelOf(Message.ID) == DiagLevel::Error) {
        ++Report.Refusals[nameOf(Message.ID)];
        return;
      }
  }

  void verify(const MappedSource &Mapped, const std::string &Text, std::uint64_t CaseSeed,
              bool TrustShapes) {
    std::string Problem;
    // The checks of plain programs are tested on some: they must accept what the logic accepts.
    const bool WithChecked = !TrustShapes || Item % 8 == 0;
    std::optional<ProgramForms> Forms = Logic.build(Mapped, WithChecked, 1, Problem);
    if (!Forms) {
      fail(Problem, Text, std::nullopt, Mapped);
      return;
    }
    if (!Logic.referenceNote().empty()) {
      ++Report.WithoutReference;
      Report.FirstNote = Logic.referenceNote();
    }
    VerifyRequest Verify = Request.Verify;
    Verify.Shapes.Seed = CaseSeed;
    Verify.Compare = Mapped.Compare;
    ShapeRelations Relations = Mapped.Relations;
    if (Program)
      tieEqualExtents(Relations, *Program);
    VerifyReport Result = verifyMapping(*Forms, Relations, Verify);
    Report.Programs += Result.Rows.size();
    Report.Calls += Result.cases();
    if (TrustShapes && !Result.FirstRefusal.empty())
      fail("the checked plain program refuses " + Result.FirstRefusal, Text, std::nullopt, Mapped);
    else if (!Result.Problem.empty())
      fail(Result.Problem, Text, std::nullopt, Mapped);
    else if (!Result.good())
      fail(toString(Result.Failures.front().Which, Mapped.Relations.Params) + "\n" +
               Result.Failures.front().What,
           Text, Result.Failures.front().Which, Mapped);
  }

  void fail(const std::string &What, const std::string &MappingText,
            const std::optional<Case> &Which, const MappedSource &Mapped) {
    std::ofstream(Folder + "/found.txt") << What; // should making it small take too long
    FailingProgram F{MappingText, Which, Mapped.P.Params};
    ShrinkSettings Settings{Request.Target, Request.Verify};
    shrinkMapping(Logic, F, Settings);
    Reproducer Files{LogicFile, F.Mapping, Request.MachineName, What, {}, ""};
    if (F.Which) {
      Files.Shape = shapeArguments(*F.Which, Mapped.Relations);
      Files.Call = callText(*F.Which);
    }
    if (Program) {
      std::ofstream(Folder + "/small.cpp") << shrinkLogic(*Program, F, Logic.settings(), Settings);
      Files.LogicFile = Folder + "/small.cpp";
    }
    Report.Failures.push_back({Item, What, writeReproducer(failureFolder(Request, Item), Files)});
  }
};

/// Why an item has no result: a failure that could not be made small, or the compiler itself.
std::string whatEnded(const CampaignRequest &Request, std::uint64_t Item,
                      const IsolatedResult &R) {
  if (auto Found = llvm::MemoryBuffer::getFile(itemFolder(Request, Item) + "/found.txt"))
    return (*Found)->getBuffer().str() + "\nmaking it small: " + describe(R);
  return "the compiler: " + describe(R);
}

/// Items in parallel until enough programs have been verified.
CampaignReport runCampaign(const CampaignRequest &Request, const CampaignProgress &Progress,
                           llvm::function_ref<CampaignReport(std::uint64_t)> DoItem) {
  CampaignReport Report;
  constexpr std::uint64_t AtOnce = 100000;
  auto Enough = [&] {
    return Report.Programs >= Request.Programs || Report.Failures.size() >= Request.MaxFailures;
  };
  runIsolated(
      AtOnce, {15 * 60, Request.Jobs, Request.Interrupted}, [] {},
      [&](size_t I) {
        std::uint64_t Item = Request.First + I;
        llvm::sys::fs::create_directories(itemFolder(Request, Item));
        CampaignReport R = DoItem(Item);
        llvm::sys::fs::remove_directories(itemFolder(Request, Item));
        return encodeReport(R);
      },
      [&](size_t I, const IsolatedResult &R) {
        std::uint64_t Item = Request.First + I;
        if (R.done()) {
          addItem(Report, Item, R.Text);
        } else {
          Report.Failures.push_back(keptItem(Request, Item, whatEnded(Request, Item, R)));
        }
        if (Progress)
          Progress(Report);
        return !Enough();
      });
  return Report;
}

} // namespace

CampaignReport randomMappingCampaign(FrontendResult &Result, const BuildSettings &Settings,
                                     const std::string &Entry, const CampaignRequest &Request,
                                     const CampaignProgress &Progress) {
  return runCampaign(Request, Progress, [&](std::uint64_t Item) {
    CampaignReport Report;
    Random R = randomOf(Request, Item);
    BuildSettings Own = Settings;
    Own.Scratch = itemFolder(Request, Item);
    Own.Quick = true;
    LogicUnderTest Logic(Result, Own, Request.Verify.Shapes.Specs);
    CampaignItem(Logic, Request, Settings.LogicFile, Entry, R, Report, Item).run(1, nullptr);
    return Report;
  });
}

CampaignReport randomLogicCampaign(const CampaignRequest &Request,
                                   const CampaignProgress &Progress) {
  return runCampaign(Request, Progress, [&](std::uint64_t Item) {
    CampaignReport Report;
    Random R = randomOf(Request, Item);
    std::string Folder = itemFolder(Request, Item), File = Folder + "/logic.cpp";
    const LogicProgram Program = randomLogicProgram(R);
    std::ofstream(File) << render(Program);
    clang::tooling::FixedCompilationDatabase Flags(Folder, {"-std=c++20"});
    bool Good = runFrontend(Flags, File, [&](FrontendResult &Result) {
      if (!Result.Graph)
        return;
      BuildSettings Settings = settingsFor(Flags, File, Folder);
      Settings.Compiler = Request.Compiler;
      Settings.Quick = true;
      LogicUnderTest Logic(Result, std::move(Settings));
      CampaignItem(Logic, Request, File, RandomEntry, R, Report, Item)
          .run(Request.MappingsPerLogic, &Program);
    });
    if (!Good && Report.Failures.empty())
      Report.Failures.push_back(keptItem(Request, Item, "the front end refuses the logic"));
    return Report;
  });
}

std::string toString(const CampaignReport &R) {
  std::string Text = std::to_string(R.Programs) + " programs (logic, mapping, shape), " +
                     std::to_string(R.Mappings) + " mappings of " + std::to_string(R.Drawn) +
                     " drawn, " + std::to_string(R.Calls) + " calls, " +
                     std::to_string(R.Failures.size()) +
                     (R.Failures.size() == 1 ? " failure" : " failures");
  if (R.WithoutReference)
    Text += "; " + std::to_string(R.WithoutReference) + " mappings without a reference";
  return Text;
}

std::string refusalText(const CampaignReport &R) {
  std::vector<std::pair<std::string, std::uint64_t>> Sorted(R.Refusals.begin(), R.Refusals.end());
  stableSort(Sorted, [](const auto &A, const auto &B) { return A.second > B.second; });
  std::string Text;
  for (const auto &[ID, Count] : Sorted)
    Text += (Text.empty() ? "" : ", ") + std::to_string(Count) + " " + ID;
  return Text;
}

} // namespace septran::compiler
