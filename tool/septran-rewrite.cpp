//===- septran-rewrite.cpp - the command-line tool ------------------*- C++ -*-===//
//
// Exit codes: 0 everything is fine, 1 the input has errors, 2 the command line has, 70 a bug of
// ours.
//
//===----------------------------------------------------------------------===//
#include "CommonOptions.h"
#include "Driver/CompilerFlags.h"
#include "Emit/Library.h"
#include "Plan/Passes.h"
#include "RewriteTool.h"
#include "Support/InputFile.h"
#include "Support/JoinNames.h"
#include "Support/OutputFile.h"
#include "Support/Sarif.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <memory>
#include <filesystem>
#include <sstream>

using namespace septran::compiler;
namespace cl = llvm::cl;

namespace {

constexpr const char *ToolName = "septran-rewrite";

constexpr const char *Overview =
    R"(septran-rewrite: plain C++ tasks and a mapping file -> fast source for a machine

Compiler flags come after --, or from compile_commands.json (-p FOLDER).
Exit codes: 0 ok, 1 errors in the input, 2 errors on the command line, 70 a bug of septran-rewrite.
)";

constexpr const char *Examples = R"(
Examples:

  septran-rewrite LOGIC.cpp --mapping MAPPING.yaml -o OUTPUT.cpp -- COMPILER-FLAGS
      rewrites the entry point that the mapping names; the output replaces the
      logic file in the build, with the same compiler flags
  septran-rewrite LOGIC.cpp --machine MACHINE --write-mapping MAPPING.yaml -o OUTPUT.cpp -- ...
      derives a mapping for the machine, and writes it as a starting point
  septran-rewrite LOGIC.cpp --machine MACHINE --shape M=1 --shape K=4096 --write-mapping MAPPING.yaml -- ...
      the same for shapes that are known
  septran-rewrite LOGIC.cpp --mapping MAPPING.yaml --check -- COMPILER-FLAGS
      only checks logic and mapping
  septran-rewrite LOGIC.cpp --mapping MAPPING.yaml --explain -- COMPILER-FLAGS
      shows the mapped tree, every copy, and why the others are gone
  septran-rewrite LOGIC.cpp --emit=checked -o OUTPUT.cpp -- COMPILER-FLAGS
      writes the plain program; compiled with -DSEPTRAN_CHECKED it finds accesses
      that privileges do not allow
  septran-rewrite LOGIC.cpp --mapping MAPPING.yaml --emit=library -o NAME -- COMPILER-FLAGS
      writes NAME.cpp (NAME.cu in CUDA) and NAME.h: a library whose C functions take
      DLPack tensors
)";

struct CommandLine {
  InputOptions Input;
  cl::OptionCategory Output{"Output options"};
  cl::OptionCategory Looking{"Options for looking inside"};

  cl::opt<std::string> Entry{
      "entry", cl::desc("Without --mapping: the entry point to map (default: the only one)"),
      cl::value_desc("task"), cl::cat(Input.Category)};
  cl::list<std::string> Shapes{
      "shape",
      cl::desc("Without --mapping: extents and integer arguments to derive one for: M=1, K[2]=512,4096"),
      cl::value_desc("name=values"), cl::cat(Input.Category)};
  cl::opt<unsigned> Jobs{
      "jobs", cl::desc("Without --mapping: mappings tried at once (default: one a processor)"),
      cl::init(0), cl::value_desc("n"), cl::cat(Input.Category)};
  cl::list<std::string> ExtraArg{"extra-arg", cl::desc("Compiler flag to add at the end"),
                                 cl::value_desc("flag"), cl::cat(Input.Category)};
  cl::list<std::string> ExtraArgBefore{"extra-arg-before",
                                       cl::desc("Compiler flag to add at the front"),
                                       cl::value_desc("flag"), cl::cat(Input.Category)};
  cl::opt<EmitKind> Emit{
      "emit", cl::desc("What to write:"), cl::init(EmitKind::Mapped), cl::cat(Output),
      cl::values(
          clEnumValN(EmitKind::Mapped, "mapped", "the program as the mapping says (default)"),
          clEnumValN(EmitKind::Checked, "checked",
                     "the plain program, its tasks declared for -DSEPTRAN_CHECKED"),
          clEnumValN(EmitKind::Library, "library",
                     "the mapped program behind a C interface: -o NAME writes NAME.h and NAME.cpp, or NAME.cu"))};
  cl::opt<std::string> OutputFile{"o", cl::desc("Generated file (default: standard output)"),
                                  cl::value_desc("file"), cl::cat(Output)};
  cl::opt<std::string> Depfile{"depfile",
                               cl::desc("Write what the output depends on, in make's syntax"),
                               cl::value_desc("file"), cl::cat(Output)};
  cl::opt<std::string> WriteMapping{"write-mapping",
                                    cl::desc("Write the effective mapping, or the one that is derived"),
                                    cl::value_desc("file"), cl::cat(Output)};
  cl::opt<std::string> Sarif{"sarif", cl::desc("Write diagnostics as SARIF 2.1.0"),
                             cl::value_desc("file"), cl::cat(Output)};
  cl::opt<bool> Check{"check", cl::desc("Check logic and mapping, emit nothing"), cl::cat(Output)};
  cl::opt<bool> AllowNothing{"allow-nothing",
                             cl::desc("Accept a run without a mapping: nothing is rewritten"),
                             cl::cat(Output)};
  cl::opt<bool> Remarks{"remarks", cl::desc("Tell which leaves run as written, or one element at a time, and why"),
                        cl::cat(Output)};
  cl::opt<bool> Explain{"explain",
                        cl::desc("Show the mapped tree, copies, buffers, and the rules applied"),
                        cl::cat(Looking)};
  cl::opt<bool> PrintTasks{"print-tasks",
                           cl::desc("Print the tasks and leaves of the logic file, as understood"),
                           cl::cat(Looking)};
  cl::opt<bool> PrintMapping{"print-mapping",
                             cl::desc("Print the effective mapping, after include and defaults"),
                             cl::cat(Looking)};
  cl::opt<bool> PrintToolchain{
      "print-toolchain",
      cl::desc("Print the language of the output and the flags it is compiled with"),
      cl::cat(Looking)};
  cl::list<std::string> PrintAfter{"print-after",
                                   cl::desc("Print the program after a pass, or after all"),
                                   cl::value_desc("pass"), cl::CommaSeparated, cl::cat(Looking)};
  cl::opt<bool> VerifyEach{"verify-each", cl::desc("Verify the program after each pass"),
                           cl::cat(Looking)};
};

RewriteOptions optionsFrom(const CommandLine &CL) {
  RewriteOptions O;
  O.Emit = CL.Emit;
  O.Source = CL.Input.Sources.empty() ? "" : CL.Input.Sources.front();
  O.Output = CL.OutputFile;
  O.Inputs = CL.Input.request();
  O.Inputs.Entry = CL.Entry;
  O.WriteMapping = CL.WriteMapping;
  O.Depfile = CL.Depfile;
  O.Sarif = CL.Sarif;
  O.Check = CL.Check;
  O.Explain = CL.Explain;
  O.PrintTasks = CL.PrintTasks;
  O.PrintMapping = CL.PrintMapping;
  O.AllowNothing = CL.AllowNothing;
  O.Remarks = CL.Remarks;
  O.VerifyEach = CL.VerifyEach;
  O.PrintAfter = {CL.PrintAfter.begin(), CL.PrintAfter.end()};
  return O;
}

/// An option that is given and needs the mapped program, or null.
const char *needsMapped(const RewriteOptions &O) {
  return !O.Inputs.Mapping.empty()       ? "--mapping"
         : !O.Inputs.Machine.empty()     ? "--machine"
         : !O.Inputs.MachinePath.empty() ? "--machine-path"
         : !O.Inputs.Tune.empty()        ? "--tune"
         : !O.Inputs.Entry.empty()       ? "--entry"
         : !O.Inputs.Shapes.empty()      ? "--shape"
         : !O.WriteMapping.empty()       ? "--write-mapping"
         : O.Check                       ? "--check"
         : O.AllowNothing                ? "--allow-nothing"
         : O.Remarks                     ? "--remarks"
         : O.Explain                     ? "--explain"
         : O.PrintTasks                  ? "--print-tasks"
         : O.PrintMapping                ? "--print-mapping"
         : !O.PrintAfter.empty()         ? "--print-after"
         : O.VerifyEach                  ? "--verify-each"
                                         : nullptr;
}

/// A logic file that cannot be read is reported as any other file is, before clang looks for it.
bool isReadable(const RewriteOptions &Options) {
  constexpr size_t MaxBytes = 256 << 20;
  Diagnostics D;
  std::error_code EC;
  // What a pipe gives can be read only once.
  const std::filesystem::file_type Type = std::filesystem::status(Options.Source, EC).type();
  const bool IsPipe = Type == std::filesystem::file_type::fifo;
  if (IsPipe || readInputFile(Options.Source, MaxBytes, Location{}, D))
    return true;
  llvm::errs() << renderText(D);
  if (!Options.Sarif.empty()) {
    std::ostringstream Report;
    writeSarif(D, Report, "septran-rewrite", SEPTRAN_VERSION);
    Diagnostics Own;
    writeOutputFile(Options.Sarif, Report.str(), Own);
    llvm::errs() << renderText(Own);
  }
  return false;
}

/// The symbols of a library are named for its files.
bool acceptsLibrary(const RewriteOptions &O) {
  if (O.Inputs.Mapping.empty() && !O.Inputs.derives())
    return complain(ToolName, "--emit=library needs --mapping, or --machine to derive one for");
  const std::string Name = std::filesystem::path(O.Output).filename().string();
  if (!isLibraryName(Name))
    return complain(ToolName,
                    "--emit=library: -o '" + O.Output +
                        "' does not end in a name for C functions; expected letters, digits and "
                        "'_', such as -o folder/gemm");
  return true;
}

/// Names of files stand in comments and directives of the output, which end with their line.
bool areLines(const RewriteOptions &O) {
  for (const std::string *Name : {&O.Source, &O.Output, &O.Inputs.Mapping, &O.Inputs.Machine})
    if (Name->find_first_of("\n\r") != std::string::npos)
      return complain(ToolName, "a file name has a line break in it, which no output can name");
  return true;
}

/// What the options say together must make sense before any file is read.
bool consistent(const RewriteOptions &O, size_t Sources) {
  if (Sources != 1)
    return complain(ToolName, "expected one logic file, found " + std::to_string(Sources));
  if (!O.Depfile.empty() && (O.Output.empty() || O.Output == "-"))
    return complain(ToolName, "--depfile needs -o: it says what the output file depends on");
  if (!O.Inputs.Entry.empty() && !O.Inputs.derives())
    return complain(ToolName, "--entry needs --machine, and no --mapping");
  if (!O.Inputs.Shapes.empty() && !O.Inputs.derives())
    return complain(ToolName, "--shape needs --machine, and no --mapping");
  if (!O.WriteMapping.empty() && !O.Inputs.derives() && O.Inputs.Mapping.empty())
    return complain(ToolName, "--write-mapping needs --mapping, or --machine to derive one for");
  if (const char *Wrong = O.Emit == EmitKind::Checked ? needsMapped(O) : nullptr)
    return complain(ToolName, std::string(Wrong) + " has no meaning with --emit=checked");
  if (!areLines(O) || (O.Emit == EmitKind::Library && !acceptsLibrary(O)))
    return false;
  std::vector<std::string_view> Passes = passNames();
  for (const std::string &P : O.PrintAfter)
    if (P != "all" && std::find(Passes.begin(), Passes.end(), P) == Passes.end())
      return complain(ToolName, "--print-after: no pass '" + P + "'; expected all or one of " +
                                    joinNames(Passes));
  return checkTune(ToolName, O.Inputs);
}

ToolExit run(int argc, const char **argv) {
  std::string Error;
  auto Fixed = takeFixedFlags(argc, argv, Error);
  dropForeignOptions();
  CommandLine CL;
  cl::SetVersionPrinter([](llvm::raw_ostream &OS) { printVersion(ToolName, OS); });
  cl::extrahelp MoreHelp(Examples);
  cl::HideUnrelatedOptions({&CL.Input.Category, &CL.Output, &CL.Looking});
  // With a stream of our own for errors the parser returns instead of exiting with 1.
  if (!cl::ParseCommandLineOptions(argc, argv, Overview, &llvm::errs()))
    return ToolExit::UsageError;
  RewriteOptions Options = optionsFrom(CL);
  if (!readShapes(ToolName, {CL.Shapes.begin(), CL.Shapes.end()}, Options.Inputs.Shapes))
    return ToolExit::UsageError;
  if (!areGivenOnce(ToolName, {&CL.Input.BuildPath, std::addressof(CL.Input.Mappings), &CL.Input.Machine,
                               &CL.Emit, &CL.OutputFile, &CL.Depfile, &CL.Sarif, &CL.Entry,
                               &CL.WriteMapping}))
    return ToolExit::UsageError;
  if (CL.PrintToolchain) {
    if ((Options.Inputs.Mapping.empty() && !Options.Inputs.derives()) ||
        !CL.Input.Sources.empty()) {
      complain(ToolName, "--print-toolchain needs --mapping or --machine, and no logic file");
      return ToolExit::UsageError;
    }
    if (!checkTune(ToolName, Options.Inputs))
      return ToolExit::UsageError;
    return printToolchain(Options.Inputs) ? ToolExit::Success : ToolExit::InputError;
  }
  if (!consistent(Options, CL.Input.Sources.size()))
    return ToolExit::UsageError;
  if (CL.Jobs.getNumOccurrences() && !Options.Inputs.derives()) {
    complain(ToolName, "--jobs needs --machine, and no --mapping");
    return ToolExit::UsageError;
  }
  llvm::parallel::strategy = llvm::hardware_concurrency(CL.Jobs);
  FlagRequest Request{CL.Input.BuildPath,
                      {CL.ExtraArgBefore.begin(), CL.ExtraArgBefore.end()},
                      {CL.ExtraArg.begin(), CL.ExtraArg.end()}};
  auto Flags = flagsFor(CL.Input.Sources.front(), std::move(Fixed), Request, Error);
  if (!Flags) {
    complain(ToolName, Error);
    return ToolExit::UsageError;
  }
  if (!isReadable(Options))
    return ToolExit::InputError;
  bool Good = runFrontend(
      *Flags, CL.Input.Sources.front(),
      [&](FrontendResult &Result) { rewriteFile(Result, Options); }, goalOf(Options));
  return Good ? ToolExit::Success : ToolExit::InputError;
}

} // namespace

int main(int argc, const char **argv) { return runTool(ToolName, argc, argv, run); }
