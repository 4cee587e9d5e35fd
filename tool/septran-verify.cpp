//===- septran-verify.cpp - tests a mapping against the plain program -*- C++ -*-===//
//
// Exit codes: 0 every call agreed, 1 the input has errors, 2 the command line has, 3 the mapped
// program is wrong somewhere, 70 a bug of ours.
//
//===----------------------------------------------------------------------===//
#include "CommonOptions.h"
#include "Driver/CompilerFlags.h"
#include "Verify/RepeatCall.h"
#include "VerifyTool.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <thread>

using namespace septran::compiler;
namespace cl = llvm::cl;

namespace {

constexpr const char *ToolName = "septran-verify";

constexpr const char *Overview =
    R"(septran-verify: does a mapped program compute what the plain program computes?

  septran-verify LOGIC.cpp --mapping MAPPING.yaml -- COMPILER-FLAGS
      builds both, calls them over shapes around every block size, over inputs that bring
      mistakes to light and over several layouts of the arguments, and compares
  septran-verify LOGIC.cpp --mapping MAPPING.yaml --shape M=1..300 --shape K=7,64 -- ...
      chooses these values; names of extents are shown by --print-shapes
  septran-verify LOGIC.cpp --mapping A.yaml --mapping B.yaml -- ...
      each of them; the plain program is built once

  septran-verify LOGIC.cpp --variants -- ...
      do the variants of each family, which mappings may exchange, agree?
  septran-verify LOGIC.cpp --random-mappings 100 --entry f --machine cpu/generic -- ...
      draws mappings of f and verifies those that the compiler accepts
  septran-verify --random-logic 1000 --machine cpu/generic
      draws the logic, too, until so many programs (logic, mapping, shape) are verified;
      every failure becomes a folder that shows it

Results may differ from the plain program's only by rounding: they must lie within a bound that is
computed with the exact values, by running the same logic in double precision.
Exit codes: 0 ok, 1 errors in the input, 2 errors on the command line, 3 a difference was found,
70 a bug of septran-verify.
)";

struct CommandLine {
  InputOptions Input;
  cl::OptionCategory Calls{"What is called"};
  cl::OptionCategory Drawing{"Random programs"};
  cl::OptionCategory Building{"How programs are built"};

  cl::list<std::string> Shapes{
      "shape",
      cl::desc("Values of an extent, an integer argument or its elements: M=64, C[0]=1..300, "
               "stride=1,2, I=0..7"),
      cl::value_desc("name=values"), cl::cat(Calls)};
  cl::opt<std::string> Call{
      "call", cl::desc("One call of each shape, as failures name it"),
      cl::value_desc("text"), cl::cat(Calls)};
  cl::opt<unsigned> Count{"shapes", cl::desc("About how many shapes (default 24)"), cl::init(24),
                          cl::value_desc("n"), cl::cat(Calls)};
  cl::opt<unsigned> Seeds{"seeds", cl::desc("Random inputs for each shape (default 2)"),
                          cl::init(2), cl::value_desc("n"), cl::cat(Calls)};
  cl::opt<unsigned> Seed{"seed", cl::desc("Where random choices start (default 1)"), cl::init(1),
                         cl::value_desc("n"), cl::cat(Calls)};
  cl::opt<unsigned> Threads{"threads", cl::desc("Most threads (default: those of this machine)"),
                            cl::init(0), cl::value_desc("n"), cl::cat(Calls)};
  cl::opt<unsigned> Timeout{"timeout", cl::desc("Seconds a call may take (default 120)"),
                            cl::init(120), cl::value_desc("s"), cl::cat(Calls)};
  cl::opt<bool> PrintShapes{"print-shapes",
                            cl::desc("Print how the extents of the arguments hang together"),
                            cl::cat(Calls)};
  cl::opt<bool> Variants{
      "variants", cl::desc("Compare the variants of every family with each other, as plain C++"),
      cl::cat(Input.Category)};
  cl::opt<unsigned> RandomMappings{"random-mappings",
                                   cl::desc("Verify random mappings, so many programs"),
                                   cl::init(0), cl::value_desc("n"), cl::cat(Drawing)};
  cl::opt<unsigned> RandomLogic{"random-logic",
                                cl::desc("Verify random logic and mappings, so many programs"),
                                cl::init(0), cl::value_desc("n"), cl::cat(Drawing)};
  cl::opt<std::string> Entry{"entry",
                             cl::desc("Entry point (default: the mapping's, or the only one)"),
                             cl::value_desc("function"), cl::cat(Drawing)};
  cl::opt<unsigned> FirstItem{"first-item", cl::desc("Number of the first item of a campaign"),
                              cl::init(0), cl::value_desc("n"), cl::cat(Drawing)};
  cl::opt<std::string> Failures{
      "failures", cl::desc("Folder for failures (default septran-failures)"),
      cl::init("septran-failures"), cl::value_desc("folder"), cl::cat(Drawing)};

  cl::opt<std::string> Compiler{"compiler", cl::desc("C++ compiler (default c++)"), cl::init("c++"),
                                cl::value_desc("program"), cl::cat(Building)};
  cl::opt<std::string> Keep{"keep", cl::desc("Keep sources and libraries in this folder"),
                            cl::value_desc("folder"), cl::cat(Building)};
  cl::opt<unsigned> Jobs{"jobs", cl::desc("Compilers at once (default: one a processor)"),
                         cl::init(0), cl::value_desc("n"), cl::cat(Building)};
};

bool complain(const std::string &Text) { return septran::compiler::complain(ToolName, Text); }

bool optionsFrom(const CommandLine &CL, VerifyOptions &O) {
  const bool Draws = CL.RandomMappings || CL.RandomLogic;
  if (CL.Variants && Draws)
    return complain("--variants and random programs exclude each other");
  if (CL.RandomMappings && CL.RandomLogic)
    return complain("--random-mappings and --random-logic exclude each other");
  if (CL.Input.Sources.size() != (CL.RandomLogic ? 0 : 1))
    return complain("expected " + std::string(CL.RandomLogic ? "no" : "one") +
                    " logic file, found " + std::to_string(CL.Input.Sources.size()));
  O.Source = CL.Input.Sources.empty() ? "" : CL.Input.Sources.front();
  O.Inputs = CL.Input.request();
  O.Mappings.assign(CL.Input.Mappings.begin(), CL.Input.Mappings.end());
  const bool NeedsMapping = !Draws && !CL.Variants;
  if (O.Mappings.empty() == NeedsMapping)
    return complain(NeedsMapping  ? "expected --mapping FILE"
                    : CL.Variants ? "--mapping has no meaning for --variants"
                                  : "--mapping has no meaning where mappings are drawn");
  if (Draws && O.Inputs.Machine.empty())
    return complain("expected --machine NAME, for which mappings are drawn");
  if (!checkTune(ToolName, O.Inputs))
    return false;
  if (!readShapes(ToolName, {CL.Shapes.begin(), CL.Shapes.end()}, O.Request.Shapes.Specs))
    return false;
  if (!CL.Call.empty()) {
    std::string Problem;
    if (!(O.Request.Only = parseCall(CL.Call, Problem)))
      return complain("--call: " + Problem);
  }
  const unsigned Processors = std::max(std::thread::hardware_concurrency(), 1u);
  O.Request.Shapes.Count = CL.Count;
  O.Request.Shapes.Seed = CL.Seed;
  O.Request.Seeds = CL.Seeds;
  O.Request.Threads = CL.Threads ? CL.Threads : Processors;
  O.Request.SecondsPerCase = CL.Timeout;
  O.RandomMappings = CL.RandomMappings;
  O.RandomLogic = CL.RandomLogic;
  O.Entry = CL.Entry;
  O.FirstItem = CL.FirstItem;
  O.Failures = CL.Failures;
  // Many programs, few calls of each.
  if (Draws && !CL.Count.getNumOccurrences())
    O.Request.Shapes.Count = 20;
  if (Draws && !CL.Seeds.getNumOccurrences())
    O.Request.Seeds = 1;
  if (Draws) {
    O.Request.Shapes.LargeWork = 0;
    O.Request.Shapes.Work = 1 << 14;
  }
  O.Variants = CL.Variants;
  O.PrintShapes = CL.PrintShapes;
  O.Compiler = CL.Compiler;
  O.Keep = CL.Keep;
  O.Jobs = CL.Jobs ? CL.Jobs : Processors;
  for (auto [Name, Value] : {std::pair("shapes", CL.Count.getValue()),
                             {"seeds", CL.Seeds.getValue()},
                             {"timeout", CL.Timeout.getValue()}})
    if (Value == 0)
      return complain(std::string("--") + Name + ": expected a positive number");
  return true;
}

ToolExit run(int argc, const char **argv) {
  std::string Error;
  VerifyOptions Options;
  Options.CommandLine.assign(argv, argv + argc);
  auto Fixed = takeFixedFlags(argc, argv, Error);
  dropForeignOptions();
  CommandLine CL;
  cl::SetVersionPrinter([](llvm::raw_ostream &OS) { printVersion(ToolName, OS); });
  cl::HideUnrelatedOptions({&CL.Input.Category, &CL.Calls, &CL.Drawing, &CL.Building});
  if (!cl::ParseCommandLineOptions(argc, argv, Overview, &llvm::errs()))
    return ToolExit::UsageError;
  if (!areGivenOnce(ToolName, {&CL.Input.BuildPath, &CL.Input.Machine, &CL.Call,
                               &CL.Count, &CL.Seeds, &CL.Seed, &CL.Threads, &CL.Timeout,
                               &CL.RandomMappings, &CL.RandomLogic, &CL.Entry, &CL.FirstItem,
                               &CL.Failures, &CL.Compiler, &CL.Keep, &CL.Jobs}))
    return ToolExit::UsageError;
  if (!optionsFrom(CL, Options))
    return ToolExit::UsageError;
  if (Options.RandomLogic)
    return verifyRandomLogic(Options);
  auto Flags = flagsFor(Options.Source, std::move(Fixed), {CL.Input.BuildPath, {}, {}}, Error);
  if (!Flags) {
    complain(Error);
    return ToolExit::UsageError;
  }
  return verifyFile(*Flags, Options);
}

} // namespace

int main(int argc, const char **argv) { return runTool(ToolName, argc, argv, run); }
