//===- RewriteTool.cpp - one run of septran-rewrite -----------------------===//
#include "RewriteTool.h"

#include "Emit/Checked.h"
#include "Plan/Explain.h"
#include "Plan/Passes.h"
#include "Support/OutputFile.h"
#include "Support/Sarif.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

namespace septran::compiler {

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

  bool printsAfter(std::string_view Pass) const {
    return std::any_of(Options.PrintAfter.begin(), Options.PrintAfter.end(),
                       [&](const std::string &P) { return P == Pass || P == "all"; });
  }

  void reportOpaque(DiagID Message, const Function &F) {
    if (F.Kind == FunctionKind::OpaqueLeaf)
      D.report(Message, F.OpaqueLoc.isValid() ? F.OpaqueLoc : F.Loc, F.Name, F.OpaqueReason);
  }

  void remarkOpaqueLeaves() {
    for (const FunctionRef &F : Result.Graph->Functions)
      reportOpaque(DiagID::OpaqueLeafRemark, *F);
  }

  void remarkScalarLeaves(const Program &P) {
    for (const auto &[Leaf, Why] : P.Scalar)
      D.report(DiagID::ScalarLeafRemark, Leaf->Task->Loc, Leaf->Task->Name, Why);
  }

  /// Nobody has chosen to run these leaves as they are.
  void warnOfOpaqueLeaves(const Program &P) {
    for (const InstanceRef &I : P.Instances)
      reportOpaque(DiagID::OpaqueLeafDerived, *I->Task);
  }

  bool writesFile() const { return !Options.Output.empty() && Options.Output != "-"; }

  void writeOutputs(const std::string &Text) {
    if (!writesFile()) {
      std::cout << Text;
      return;
    }
    if (writeOutputFile(Options.Output, Text, D))
      writeDepfile(Options.Output);
  }

  void writeDepfile(const std::string &Target) {
    if (Options.Depfile.empty())
      return;
    std::vector<std::string> All = Result.Files;
    All.insert(All.end(), Files.begin(), Files.end());
    writeOutputFile(Options.Depfile, depfileText(Target, All), D);
  }

  std::string mappingName() const {
    return Options.Inputs.derives() ? "derived" : Options.Inputs.Mapping;
  }

  void library(const Program &P, const ShapeRelations &Shapes) {
    const OutputLanguage Language = P.Target->Language.Value;
    const std::string Source = Options.Output + (Language == OutputLanguage::Cuda  ? ".cu"
                                                 : Language == OutputLanguage::Hip ? ".hip"
                                                                                   : ".cpp");
    std::optional<LibraryFiles> Text =
        emitLibrary(P, Shapes, Result, {Options.Source, Source, mappingName(), outputFolder()},
                    std::filesystem::path(Options.Output).filename().string(), D);
    if (!Text || D.hasErrors() || Options.Check)
      return;
    // The source last: it is what a build waits for.
    if (writeOutputFile(Options.Output + ".h", Text->Header, D) &&
        writeOutputFile(Source, Text->Source, D))
      writeDepfile(Source);
  }

  /// Includes of the output are relative to where it lies; standard output counts as lying here.
  std::string outputFolder() const {
    std::filesystem::path Folder = std::filesystem::current_path();
    if (writesFile())
      Folder /= std::filesystem::path(Options.Output).parent_path();
    std::string Text = Folder.lexically_normal().string();
    return Text.back() == '/' && Text.size() > 1 ? Text.substr(0, Text.size() - 1) : Text;
  }

  /// Reads the mapping or derives one, which is shown. --write-mapping writes either.
  MappedInputs inputs() {
    if (!Options.Inputs.derives()) {
      MappedInputs Inputs = readInputs(Options.Inputs, D, Files);
      if (Inputs.Map && !Options.WriteMapping.empty())
        writeOutputFile(Options.WriteMapping, printMapping(*Inputs.Map), D);
      return Inputs;
    }
    for (const std::string *File : {&Options.WriteMapping, &Options.Output})
      if (!File->empty() && !canWriteOutputFile(*File, D))
        return {};
    MappedInputs Inputs = deriveInputs(Options.Inputs, Result, D, Files, [](unsigned Tried) {
      if (Tried % 1024 == 0)
        std::cerr << "septran-rewrite: " << Tried << " mappings tried\n";
    });
    if (!Inputs.Map)
      return Inputs;
    std::string Shapes;
    for (const ShapeSpec &S : Options.Inputs.Shapes)
      Shapes += (Shapes.empty() ? "# For " : ", ") + toString(S);
    const std::string Text = "# Derived by septran-rewrite: a starting point.\n" + Shapes +
                             (Shapes.empty() ? "" : "\n") + printMapping(*Inputs.Map);
    if (!Options.WriteMapping.empty())
      writeOutputFile(Options.WriteMapping, Text, D);
    else if (writesFile() && !Options.PrintMapping)
      std::cout << Text;
    return Inputs;
  }

public:
  Rewriter(FrontendResult &Result, const RewriteOptions &Options)
      : Result(Result), Options(Options), D(Result.Messages) {}

  void check() {
    if (Result.Tree)
      writeOutputs(emitChecked(*Result.Tree, {Options.Source, outputFolder()}));
  }

  void run() {
    if (Result.Graph && Options.PrintTasks)
      std::cout << printTaskGraph(*Result.Graph);
    if (Options.Inputs.Mapping.empty() && !Options.Inputs.derives()) {
      if (!Options.PrintTasks && !Options.Check && !Options.AllowNothing && !D.hasErrors() &&
          Result.Graph)
        D.report(DiagID::NothingToRewrite, Location{Result.Graph->MainFile, 1, 1, 0, 0});
      return;
    }
    // Mistakes in the mapping are reported even if the logic has some too.
    MappedInputs Inputs = inputs();
    if (Inputs.Map && Options.PrintMapping)
      std::cout << printMapping(*Inputs.Map);
    if (!Result.Graph || !Inputs.Map || !Inputs.Target)
      return;
    if (Options.Remarks)
      remarkOpaqueLeaves();
    std::optional<ShapeRelations> Shapes;
    std::optional<Program> P = runPasses(
        *Result.Graph, Inputs.Map, Inputs.Target, D,
        [&](std::string_view Pass, const Program &After) {
          if (Pass == "resolve" && Options.Emit == EmitKind::Library)
            Shapes = shapeRelations(After);
          if (printsAfter(Pass))
            std::cout << "// after " << Pass << "\n" << printProgram(After);
        },
        Options.VerifyEach);
    if (!P)
      return;
    if (Options.Remarks)
      remarkScalarLeaves(*P);
    if (Options.Inputs.derives() && !Options.Remarks)
      warnOfOpaqueLeaves(*P);
    if (Options.Explain)
      std::cout << explain(*P);
    bool OnlyLooks = Options.Output.empty() &&
                     (Options.Explain || !Options.PrintAfter.empty() || Options.PrintTasks ||
                      Options.PrintMapping || !Options.WriteMapping.empty());
    if (OnlyLooks && !Options.Check)
      return;
    if (Options.Emit == EmitKind::Library) {
      library(*P, *Shapes);
      return;
    }
    OutputNames Names{Options.Source, writesFile() ? Options.Output : "septran-output.cpp",
                      mappingName()};
    std::optional<std::string> Text = emitSource(*P, Result, Names, D);
    if (Text && !D.hasErrors() && !Options.Check)
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

FrontendGoal goalOf(const RewriteOptions &Options) {
  return Options.Emit == EmitKind::Checked ? FrontendGoal::SourceTree : FrontendGoal::TaskGraph;
}

void rewriteFile(FrontendResult &Result, const RewriteOptions &Options) {
  Rewriter R(Result, Options);
  if (Options.Emit == EmitKind::Checked)
    R.check();
  else
    R.run();
  if (!Options.Sarif.empty())
    R.sarif();
}

bool printToolchain(const MappingRequest &Request) {
  Diagnostics D;
  std::vector<std::string> Files;
  const std::shared_ptr<const Machine> Target = Request.derives()
                                                    ? readRequestedMachine(Request, D, &Files)
                                                    : readInputs(Request, D, Files).Target;
  std::cerr << renderText(D);
  if (D.hasErrors() || !Target)
    return false;
  std::cout << "language: " << toString(Target->Language.Value) << "\n";
  for (const LocatedName &Flag : Target->Toolchain.Flags)
    std::cout << "flag: " << Flag.Value << "\n";
  for (const std::string &F : Files)
    std::cout << "file: " << std::filesystem::absolute(F).lexically_normal().string() << "\n";
  return true;
}

} // namespace septran::compiler
