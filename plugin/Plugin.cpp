//===- Plugin.cpp - SepTran inside clang's own compilation ----------------===//
//
// Before the compiler reads its main file, a second compiler with the same options parses it, and the
// mapped text takes the file's place. Whatever the main compilation is to give -- an object, assembly,
// dependencies, debug information, coverage -- it then gives of the mapped program. Where the C++ has
// errors nothing is replaced: the compiler itself reports them.
//
//   -fplugin-arg-septran-mapping=FILE        what septran-rewrite calls --mapping
//   -fplugin-arg-septran-machine=NAME, -machine-path=FOLDER, -tune=PATH=VALUE
//   -fplugin-arg-septran-check               checks logic, and mapping if there is one; the plain
//                                            program is compiled
//
//===----------------------------------------------------------------------===//
#include "Driver/MappedLogic.h"
#include "Plan/Passes.h"
#include "attrs/Attributes.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>

using namespace clang;

namespace septran::compiler {

namespace {

/// Shows our messages and counts clang's, which the main compilation reports.
class OwnMessages : public DiagnosticConsumer {
  TextDiagnosticPrinter Printer;

public:
  bool Showing = false;

  explicit OwnMessages(DiagnosticOptions &Options) : Printer(llvm::errs(), &Options) {}
  void BeginSourceFile(const LangOptions &LO, const Preprocessor *PP) override {
    Printer.BeginSourceFile(LO, PP);
  }
  void EndSourceFile() override { Printer.EndSourceFile(); }
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const clang::Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Showing)
      Printer.HandleDiagnostic(Level, Info);
  }
};

struct PluginOptions {
  MappingRequest Inputs;
  bool Check = false;
};

/// What the second compiler made of the main file.
struct Outcome {
  bool ReadWell = false; ///< the C++ has no errors
  bool Failed = false;   ///< we reported errors
  std::optional<std::string> Text;
  std::vector<std::string> Files; ///< mapping and machine files
};

class Mapper {
  const PluginOptions &Options;
  std::string File;
  Outcome Made;

  void map(FrontendResult &Result) {
    compiler::Diagnostics &D = Result.Messages;
    if (Options.Inputs.Mapping.empty())
      return;
    MappedInputs Inputs = readInputs(Options.Inputs, D, Made.Files);
    if (!Result.Graph || !Inputs.Map || !Inputs.Target)
      return;
    if (Inputs.Target->Language.Value != OutputLanguage::Cxx) {
      D.report(DiagID::PluginLanguage, Inputs.Map->Loc, Inputs.Target->Name.Value,
               toString(Inputs.Target->Language.Value));
      return;
    }
    std::optional<Program> P = runPasses(
        *Result.Graph, Inputs.Map, Inputs.Target, D, [](std::string_view, const Program &) {});
    if (!P || D.hasErrors())
      return;
    const std::string Mapped = std::filesystem::path(File).stem().string() + ".mapped.cpp";
    std::optional<std::string> Text =
        emitSource(*P, Result, {File, Mapped, Options.Inputs.Mapping}, D);
    if (Text && !D.hasErrors() && !Options.Check)
      Made.Text = std::move(Text);
  }

public:
  Mapper(const PluginOptions &Options, std::string File)
      : Options(Options), File(std::move(File)) {}

  /// Parses the main file in a compiler of its own, set up as `CI` is.
  Outcome run(CompilerInstance &CI, bool FromStandardInput) {
    auto Invocation = std::make_shared<CompilerInvocation>(CI.getInvocation());
    FrontendOptions &FO = Invocation->getFrontendOpts();
    FO.Plugins.clear();
    FO.AddPluginActions.clear();
    FO.ProgramAction = frontend::ParseSyntaxOnly;
    FO.OutputFile.clear();
    Invocation->getDependencyOutputOpts() = DependencyOutputOptions();
    Invocation->getDiagnosticOpts().VerifyDiagnostics = false;
    Invocation->getDiagnosticOpts().DiagnosticSerializationFile.clear();
    // A checked build has other classes in it: the logic is read from the plain one.
    Invocation->getPreprocessorOpts().addMacroUndef("SEPTRAN_CHECKED");
    // All of a preprocessed file counts as the user's own.
    if (FO.Inputs[0].isPreprocessed())
      Invocation->getDiagnosticOpts().IgnoreWarnings = true;
    if (FromStandardInput) { // It can be read only once.
      SourceManager &SM = CI.getSourceManager();
      File = "<stdin>";
      FO.Inputs[0] = FrontendInputFile(File, FO.Inputs[0].getKind());
      Invocation->getPreprocessorOpts().addRemappedFile(
          File, llvm::MemoryBuffer::getMemBufferCopy(
                    SM.getBufferOrFake(SM.getMainFileID()).getBuffer(), File).release());
    }
    CompilerInstance Second(CI.getPCHContainerOperations());
    Second.setInvocation(Invocation);
    OwnMessages Messages(Invocation->getDiagnosticOpts());
    Second.createDiagnostics(&Messages, /*ShouldOwnClient=*/false);
    runFrontend(Second, File, [&](FrontendResult &Result) {
      Made.ReadWell = Result.Graph.has_value() || Result.Messages.hasErrors();
      if (Made.ReadWell)
        map(Result);
      Made.Failed = Result.Messages.hasErrors();
      Messages.Showing = true; // What is reported after this is ours.
    });
    return std::move(Made);
  }
};

class Plugin : public PluginASTAction {
  PluginOptions Options;

  /// The registry is one for the process: the second compiler finds this plugin too.
  static inline bool InSecond = false;

  static unsigned custom(CompilerInstance &CI, DiagnosticsEngine::Level Level, const char *Text) {
    return CI.getDiagnostics().getDiagnosticIDs()->getCustomDiagID(
        static_cast<DiagnosticIDs::Level>(Level), Text);
  }

  /// The compiler lists a file that is asked for like this among the dependencies.
  static std::string dependencies(const std::vector<std::string> &Files) {
    std::string Text;
    for (const std::string &F : Files)
      Text += "#if __has_include(\"" + std::filesystem::absolute(F).string() + "\")\n#endif\n";
    return Text;
  }

  /// For preprocessed files, which hold already what the text includes.
  static std::string withoutIncludes(StringRef Text) {
    std::string Rest;
    for (StringRef Line : llvm::split(Text, '\n'))
      Rest += (Line.starts_with("#include") ? "" : Line).str() + "\n";
    return Rest;
  }

public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef File) override {
    registerAttributes();
    SourceManager &SM = CI.getSourceManager();
    const FileID Main = SM.getMainFileID();
    if (!SM.getBufferOrFake(Main).getBuffer().contains("septran::"))
      return std::make_unique<ASTConsumer>();
    const bool FromStandardInput = File == "-";
    const bool Preprocessed = CI.getFrontendOpts().Inputs[0].isPreprocessed();
    if (Preprocessed && !Options.Check &&
        !SM.getBufferOrFake(Main).getBuffer().contains("septran/cpu/cpu.h")) {
      CI.getDiagnostics().Report(
          custom(CI, DiagnosticsEngine::Error,
                 "septran: the preprocessed '%0' lacks what mapped programs include; add -include "
                 "septran/cpu/cpu.h to the flags it is preprocessed with"))
          << File;
      return std::make_unique<ASTConsumer>();
    }
    InSecond = true;
    Outcome Made = Mapper(Options, File.str()).run(CI, FromStandardInput);
    InSecond = false;
    if (Made.Failed) {
      CI.getDiagnostics().Report(
          custom(CI, DiagnosticsEngine::Error, "septran: '%0' cannot be mapped; see above"))
          << File;
      return std::make_unique<ASTConsumer>();
    }
    if (!Made.Text)
      return std::make_unique<ASTConsumer>();
    if (!CI.getLangOpts().OpenMP)
      CI.getDiagnostics().Report(custom(CI, DiagnosticsEngine::Warning,
                                        "septran: without -fopenmp '%0' runs on one thread"))
          << File;
    const std::string Text = Preprocessed ? withoutIncludes(*Made.Text)
                                          : *Made.Text + dependencies(Made.Files);
    if (FromStandardInput) {
      SM.setMainFileID(SM.createFileID(llvm::MemoryBuffer::getMemBufferCopy(Text, "<stdin>")));
      return std::make_unique<ASTConsumer>();
    }
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Main);
    SM.overrideFileContents(*Entry,
                            llvm::MemoryBuffer::getMemBufferCopy(Text, Entry->getName()));
    SM.setMainFileID(SM.createFileID(*Entry, SourceLocation(), SrcMgr::C_User));
    return std::make_unique<ASTConsumer>();
  }

  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Args) override {
    for (const std::string &Arg : Args) {
      const auto [Name, Value] = StringRef(Arg).split('=');
      if (Name == "mapping")
        Options.Inputs.Mapping = Value.str();
      else if (Name == "machine")
        Options.Inputs.Machine = Value.str();
      else if (Name == "machine-path")
        Options.Inputs.MachinePath.push_back(Value.str());
      else if (Name == "tune" && Value.contains('='))
        Options.Inputs.Tune.push_back(Value.str());
      else if (Arg == "check")
        Options.Check = true;
      else {
        DiagnosticsEngine &D = CI.getDiagnostics();
        D.Report(D.getCustomDiagID(
            DiagnosticsEngine::Error,
            "septran: unknown argument '%0' of the plugin; expected mapping=FILE, machine=NAME, "
            "machine-path=FOLDER, tune=PATH=VALUE or check"))
            << Arg;
        return false;
      }
    }
    if (!Options.Check && Options.Inputs.Mapping.empty()) {
      DiagnosticsEngine &D = CI.getDiagnostics();
      D.Report(D.getCustomDiagID(
          DiagnosticsEngine::Error,
          "septran: the plugin needs -fplugin-arg-septran-mapping=FILE or "
          "-fplugin-arg-septran-check"));
      return false;
    }
    return true;
  }

  ActionType getActionType() override {
    return InSecond ? CmdlineBeforeMainAction : AddBeforeMainAction;
  }
};

} // namespace

} // namespace septran::compiler

static FrontendPluginRegistry::Add<septran::compiler::Plugin>
    Registered("septran", "compiles logic as a mapping says");
