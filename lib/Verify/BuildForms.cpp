//===- BuildForms.cpp - from texts to libraries ---------------------------===//
#include "Verify/BuildForms.h"

#include "Logic/Frontend.h"
#include "Support/Installed.h"
#include "Verify/CallSource.h"

#include "clang/Tooling/ArgumentsAdjusters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fstream>

namespace septran::compiler {

BuildSettings settingsFor(const clang::tooling::CompilationDatabase &Flags,
                          const std::string &LogicFile, const std::string &Scratch) {
  BuildSettings S;
  llvm::SmallString<256> Absolute(LogicFile);
  llvm::sys::fs::make_absolute(Absolute);
  llvm::sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  S.LogicFile = Absolute.str().str();
  S.Scratch = Scratch;
  std::vector<clang::tooling::CompileCommand> Commands = Flags.getCompileCommands(LogicFile);
  if (Commands.empty())
    return S;
  S.Folder = Commands.front().Directory;
  const std::vector<std::string> Line =
      clang::tooling::combineAdjusters(clang::tooling::getClangStripOutputAdjuster(),
                                       clang::tooling::getClangStripDependencyFileAdjuster())(
          Commands.front().CommandLine, LogicFile);
  for (size_t I = 1; I < Line.size(); ++I) {
    llvm::StringRef Arg = Line[I];
    llvm::SmallString<256> AsFile(Arg);
    llvm::sys::fs::make_absolute(S.Folder, AsFile);
    llvm::sys::path::remove_dots(AsFile, /*remove_dot_dot=*/true);
    if (Arg != "-c" && Arg != "--" && Arg != "-fsyntax-only" && Arg != LogicFile &&
        AsFile != Absolute)
      S.Flags.push_back(Arg.str());
  }
  return S;
}

namespace {

PendingForm form(const BuildSettings &S, const std::string &Name, const std::string &Text,
                 const std::vector<std::string> &Extra) {
  PendingForm F;
  F.Source = S.Scratch + "/" + Name + ".cpp";
  F.Library = S.Scratch + "/" + Name + ".so";
  std::ofstream(F.Source) << Text;
  F.Compile.Folder = S.Folder;
  std::vector<std::string> &Args = F.Compile.Args;
  Args = {S.Compiler, "-std=c++20"};
  Args.insert(Args.end(), S.Flags.begin(), S.Flags.end());
  Args.insert(Args.end(), Extra.begin(), Extra.end());
  if (S.Quick)
    Args.push_back("-O1");
  // Libraries that are loaded side by side must not share inline functions: these differ.
  for (const char *Flag :
       {"-shared", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-w"})
    Args.push_back(Flag);
  Args.insert(Args.end(), {"-iquote", llvm::sys::path::parent_path(S.LogicFile).str(), "-isystem",
                           runtimeIncludeFolder(), F.Source, "-o", F.Library});
  return F;
}

} // namespace

/// Nothing else calls the tasks that a form of the logic defines: g++ leaves out those that the entry
/// point does not reach, and clang++ ignores the flag.
static const char WholeProgram[] = "-fwhole-program";

PendingForm plainForm(const BuildSettings &S, const Function &Entry, const std::string &Name) {
  return form(S, Name, callSource(S.LogicFile, Entry),
              {"-O2", "-ffp-contract=off", WholeProgram});
}

/// Most of its time goes to what watches the accesses, which is long to compile.
PendingForm checkedForm(const BuildSettings &S, const Function &Entry) {
  return form(S, "checked", callSource(S.LogicFile, Entry),
              {"-Og", "-DSEPTRAN_CHECKED", WholeProgram});
}

PendingForm referenceForm(const BuildSettings &S, const Function &Entry,
                          const ReferenceText &Text) {
  return form(S, "reference", referenceCallSource(S.LogicFile, Text.Text, Entry, Text.EntryName),
              {"-O2", "-ffp-contract=off", WholeProgram});
}

std::string referenceDoesNotCompile(const CommandResult &R) {
  return "its retyped source does not compile:\n" + R.Output;
}

/// Whether kernels, which run on the processors of a grid, may use a memory.
static bool kernelsReach(const Machine &Target, const std::string &MemoryName) {
  const Memory *M = Target.findMemory(MemoryName);
  return M && llvm::any_of(M->Readers, [&](const LocatedName &Reader) {
           const Processor *P = Target.findProcessor(Reader.Value);
           return P && P->LoopSpread.Value == Processor::Spread::Grid;
         });
}

/// Beside an installed tool, or where it was built.
static std::string emulatorLibrary() {
  const std::string Name = llvm::sys::path::filename(SEPTRAN_EMULATOR_LIBRARY).str();
  const std::string Installed = installedPath(SEPTRAN_INSTALLED_LIBRARIES "/" + Name);
  return Installed.empty() ? SEPTRAN_EMULATOR_LIBRARY : Installed;
}

/// Accesses are announced to the emulator as to ThreadSanitizer, whose own library stays out.
static PendingForm emulatedForm(const BuildSettings &S, const Program &P,
                                const std::string &Generated, const std::string &Name) {
  std::vector<bool> OnDevice;
  for (const Parameter &Param : P.Params)
    OnDevice.push_back(Param.isTensor() && kernelsReach(*P.Target, Param.Tensor->Memory));
  PendingForm F = form(S, Name, emulatedCallSource(Generated, *P.Entry, OnDevice),
                       {"-O1", "-g1", "-fsanitize=thread"});
  F.Compile.Args.push_back(emulatorLibrary());
  for (const char *Arg : {"-nodefaultlibs", "-lstdc++", "-lm", "-lc", "-lgcc_s", "-lgcc"})
    F.Compile.Args.push_back(Arg);
  return F;
}

PendingForm mappedForm(const BuildSettings &S, const Program &P, const std::string &Text,
                       const std::string &Name) {
  const Function &Entry = *P.Entry;
  const Machine &Target = *P.Target;
  std::string Generated = S.Scratch + "/" + Name + "_generated.cpp";
  std::ofstream(Generated) << Text;
  if (isGpuLanguage(Target.Language.Value))
    return emulatedForm(S, P, Generated, Name);
  std::vector<std::string> Extra;
  for (const LocatedName &Flag : Target.Toolchain.Flags)
    Extra.push_back(Flag.Value);
  return form(S, Name, callSource(Generated, Entry), Extra);
}

} // namespace septran::compiler
