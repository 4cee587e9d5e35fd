//===- RewriteTool.cpp - one run of septran-rewrite -----------------------===//
#include "RewriteTool.h"

#include "Emit/Emit.h"
#include "Machine/ReadMachine.h"
#include "Mapping/ReadMapping.h"
#include "Plan/Explain.h"
#include "Plan/Passes.h"
#include "Support/OutputFile.h"
#include "Support/Sarif.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <iostream>
#include <sstream>

namespace septran::compiler {

std::vector<std::string> shippedMachineFolders() {
  static const char Anchor = 0;
  llvm::SmallString<256> Installed(llvm::sys::path::parent_path(
      llvm::sys::fs::getMainExecutable("", const_cast<char *>(&Anchor))));
  llvm::sys::path::append(Installed, "..", "share", "septran", "machines");
  llvm::sys::path::remove_dots(Installed, true);
  return {Installed.str().str(), SEPTRAN_SOURCE_MACHINES};
}

namespace {

/// A depfile in make's syntax: the output depends on every file that was read.
std::string depfileText(const std::string &Target, const std::vector<std::string> &Files) {
  auto Escaped = [](const std::string &Path) {
    std::string Text;
    for (char C : Path) {
      if (C == ' ' || C == '#' || C == '\\')
        Text += '\\';
      Text += C == '$' ? "$$" : std::string(1, C);
    }
    return Text;
  };
  std::string Text = Escaped(Target) + ":";
  for (const std::string &F : Files)
    Text += " \\\n  " + Escaped(F);
  return Text + "\n";
}

class Rewriter {
  FrontendResult &Result;
  const RewriteOptions &Options;
  Diagnostics &D;
  std::vector<std::string> Files; ///< everything read

  std::optional<Mapping> readTheMapping() {
    ReadMappingOptions Reading;
    Reading.Files = &Files;
    for (const std::string &T : Options.Tune) {
      size_t Equals = T.find('=');
      Reading.Choices[T.substr(0, Equals)] =
          Equals == std::string::npos ? "" : T.substr(Equals + 1);
    }
    return readMapping(Options.Mapping, D, Reading);
  }

  std::optional<Machine> readTheMachine(const Mapping &Map) {
    std::string Name = Options.Machine;
    Location Use;
    if (Name.empty() && Map.Machine) {
      Name = Map.Machine->Value;
      Use = Map.Machine->Loc;
    }
    if (Name.empty()) {
      D.report(DiagID::NoMachine, Map.Loc);
      return std::nullopt;
    }
    std::vector<std::string> Folders = Options.MachinePath;
    // A mapping may name a machine file by a path relative to itself.
    llvm::SmallString<256> Own(llvm::sys::path::parent_path(Options.Mapping));
    Folders.push_back(Own.empty() ? "." : Own.str().str());
    for (std::string &F : shippedMachineFolders())
      Folders.push_back(std::move(F));
    return readMachine(Name, Folders, D, Use, &Files);
  }

  bool printsAfter(std::string_view Pass) const {
    return std::any_of(Options.PrintAfter.begin(), Options.PrintAfter.end(),
                       [&](const std::string &P) { return P == Pass || P == "all"; });
  }

  /// The logic file as clang read it: the buffer, so that what is emitted is what was parsed.
  std::string mainText() const {
    clang::SourceManager &SM = Result.CI.getSourceManager();
    return SM.getBufferData(SM.getMainFileID()).str();
  }

  std::optional<std::string> emitted(const Program &P, const Mapping &Map, const Machine &Target) {
    EmitRequest Request;
    Request.MainText = mainText();
    Request.MainName = Options.Source;
    Request.OutputName =
        Options.Output.empty() || Options.Output == "-" ? "septran-output.cpp" : Options.Output;
    Request.MappingName = Options.Mapping;
    Request.MachineName = Target.Name.Value;
    (void)Map;
    if (Target.Language.Value != OutputLanguage::Cxx) {
      D.report(DiagID::NoEmitter, Target.Loc, Target.Name.Value, toString(Target.Language.Value));
      return std::nullopt;
    }
    return emitOpenMP(P, *Result.Graph, Request, D);
  }

  void remarkOpaqueLeaves() {
    for (const auto &F : Result.Graph->Functions)
      if (F->Kind == FunctionKind::OpaqueLeaf)
        D.report(DiagID::OpaqueLeafRemark, F->OpaqueLoc.isValid() ? F->OpaqueLoc : F->Loc, F->Name,
                 F->OpaqueReason);
  }

  void writeOutputs(const std::string &Text) {
    if (Options.Output.empty() || Options.Output == "-") {
      std::cout << Text;
      return;
    }
    if (!writeOutputFile(Options.Output, Text, D) || Options.Depfile.empty())
      return;
    std::vector<std::string> All = Result.Graph->Files;
    All.insert(All.end(), Files.begin(), Files.end());
    writeOutputFile(Options.Depfile, depfileText(Options.Output, All), D);
  }

public:
  Rewriter(FrontendResult &Result, const RewriteOptions &Options)
      : Result(Result), Options(Options), D(Result.Messages) {}

  void run() {
    if (Result.Graph && Options.PrintTasks)
      std::cout << printTaskGraph(*Result.Graph);
    if (Options.Mapping.empty()) {
      if (!Options.PrintTasks && !Options.Check && !Options.AllowNothing && !D.hasErrors() &&
          Result.Graph)
        D.report(DiagID::NothingToRewrite, Location{Result.Graph->MainFile, 1, 1, 0, 0});
      return;
    }
    // Mistakes in the mapping are reported even if the logic has some too.
    std::optional<Mapping> Map = readTheMapping();
    std::optional<Machine> Target = Map ? readTheMachine(*Map) : std::nullopt;
    if (Map && Options.PrintMapping)
      std::cout << printMapping(*Map);
    if (!Result.Graph || !Map || !Target)
      return;
    if (Options.Remarks)
      remarkOpaqueLeaves();
    auto SharedMap = std::make_shared<const Mapping>(std::move(*Map));
    auto SharedTarget = std::make_shared<const Machine>(std::move(*Target));
    std::optional<Program> P = runPasses(
        *Result.Graph, SharedMap, SharedTarget, D,
        [&](std::string_view Pass, const Program &After) {
          if (printsAfter(Pass))
            std::cout << "// after " << Pass << "\n" << printProgram(After);
        },
        Options.VerifyEach);
    if (!P)
      return;
    if (Options.Explain)
      std::cout << explain(*P);
    bool OnlyLooks = Options.Output.empty() && (Options.Explain || !Options.PrintAfter.empty() ||
                                                Options.PrintTasks || Options.PrintMapping);
    if (Options.Check || OnlyLooks)
      return;
    std::optional<std::string> Text = emitted(*P, *SharedMap, *SharedTarget);
    if (Text && !D.hasErrors())
      writeOutputs(*Text);
  }

  void sarif() {
    std::ostringstream OS;
    writeSarif(D, OS, "septran-rewrite", SEPTRAN_VERSION);
    Diagnostics Own;
    if (!writeOutputFile(Options.Sarif, OS.str(), Own))
      for (const Diagnostic &M : Own)
        D.add(M);
  }
};

} // namespace

void rewriteFile(FrontendResult &Result, const RewriteOptions &Options) {
  Rewriter R(Result, Options);
  R.run();
  if (!Options.Sarif.empty())
    R.sarif();
}

} // namespace septran::compiler
