//===- Frontend.cpp ------------------------------------------------*- C++ -*-===//
#include "Logic/Frontend.h"

#include "Logic/Extract.h"
#include "Logic/IncludeRecorder.h"
#include "Logic/Locations.h"
#include "Logic/NamesFromHere.h"
#include "Logic/ReadSourceTree.h"
#include "Support/ClangDiagnostics.h"
#include "Support/Installed.h"

#include "attrs/Attributes.h"
#include "attrs/SpelledAttributes.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <dlfcn.h>

using namespace clang;
using namespace clang::tooling;

namespace septran::compiler {

namespace {

using Callback = std::function<void(FrontendResult &)>;

struct Watchers {
  SpelledAttributes Spelled;
  IncludeRecorder Includes;
};

class Consumer : public ASTConsumer {
  CompilerInstance &CI;
  const Watchers &Seen;
  const Callback &Then;
  FrontendGoal Goal;

  void readInto(FrontendResult &Result, Diagnostics &Messages) {
    Result.Files = Locations(CI.getSourceManager(), CI.getLangOpts()).files();
    // After an error of the C++ the AST has holes.
    if (CI.getDiagnostics().hasErrorOccurred())
      return;
    if (Goal == FrontendGoal::TaskGraph) {
      Result.IncludesBeside = readIncludesBeside(CI, Seen.Includes);
      Result.Graph = extractTaskGraph(CI, Seen.Spelled, Messages);
      return;
    }
    reportUnknownAttributes(CI, Seen.Spelled, Messages);
    SourceTree Tree = readSourceTree(CI, Seen.Includes, Messages);
    if (!Messages.hasErrors())
      Result.Tree = std::move(Tree);
  }

public:
  Consumer(CompilerInstance &CI, const Watchers &Seen, const Callback &Then, FrontendGoal Goal)
      : CI(CI), Seen(Seen), Then(Then), Goal(Goal) {}

  void HandleTranslationUnit(ASTContext &) override {
    Diagnostics Messages;
    FrontendResult Result{CI, std::nullopt, std::nullopt, {}, {}, Messages};
    readInto(Result, Messages);
    Then(Result);
    emitThroughClang(Messages, CI.getDiagnostics());
  }
};

class Action : public ASTFrontendAction {
  const Callback &Then;
  FrontendGoal Goal;
  const std::string &File;
  Watchers Seen;

public:
  Action(const Callback &Then, FrontendGoal Goal, const std::string &File)
      : Then(Then), Goal(Goal), File(File) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef) override {
    nameFilesFromHere(CI, File);
    Seen.Spelled.attachTo(CI.getPreprocessor());
    Seen.Includes.attachTo(CI.getPreprocessor());
    return std::make_unique<Consumer>(CI, Seen, Then, Goal);
  }
};

class ActionFactory : public FrontendActionFactory {
  const Callback &Then;
  FrontendGoal Goal;
  const std::string &File;

public:
  ActionFactory(const Callback &Then, FrontendGoal Goal, const std::string &File)
      : Then(Then), Goal(Goal), File(File) {}
  std::unique_ptr<FrontendAction> create() override {
    return std::make_unique<Action>(Then, Goal, File);
  }
};

std::string join(llvm::StringRef Folder, llvm::StringRef Rest) {
  llvm::SmallString<256> Path(Folder);
  llvm::sys::path::append(Path, Rest);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// The real file behind the object that holds `Symbol`.
std::string objectOf(const void *Symbol) {
  Dl_info Info;
  if (!dladdr(Symbol, &Info) || !Info.dli_fname)
    return {};
  llvm::SmallString<256> Real;
  return llvm::sys::fs::real_path(Info.dli_fname, Real) ? Info.dli_fname : Real.str().str();
}

/// Clang's builtin headers belong to libclang-cpp, which lies beside them; this tool may lie
/// anywhere.
std::string resourceFolder() {
  const std::string Library = objectOf(reinterpret_cast<const void *>(&clang::getClangFullVersion));
  const std::string Version = std::to_string(CLANG_VERSION_MAJOR);
  const std::string Here = llvm::sys::path::parent_path(Library).str();
  for (const std::string &Folder :
       {join(Here, "clang/" + Version), join(Here, "../llvm-" + Version + "/lib/clang/" + Version),
        join(Here, "../lib/clang/" + Version), std::string(SEPTRAN_CLANG_RESOURCE_DIR)})
    if (llvm::sys::fs::exists(join(Folder, "include/stddef.h")))
      return Folder;
  return SEPTRAN_CLANG_RESOURCE_DIR;
}

/// Clang's tools make the name of the logic file absolute. Messages are about the name that the
/// user gave, wherever that leads to the same file.
CommandLineArguments nameAsGiven(CommandLineArguments Args, const std::string &File) {
  if (llvm::sys::path::is_absolute(File))
    return Args;
  for (std::string &A : Args)
    if (llvm::sys::path::is_absolute(A) && llvm::sys::fs::equivalent(A, File))
      A = File;
  return Args;
}

CommandLineArguments adjust(CommandLineArguments Args, StringRef) {
  auto has = [&](llvm::StringRef Flag) {
    return llvm::any_of(Args,
                        [&](const std::string &A) { return llvm::StringRef(A).starts_with(Flag); });
  };
  std::vector<std::string> Extra;
  if (!has("-resource-dir"))
    Extra.push_back("-resource-dir=" + resourceFolder());
  // After the user's own -I folders. As a system folder, since its warnings are not the user's.
  Extra.push_back("-isystem" + runtimeIncludeFolder());
  // A checked build has other classes in it: the logic is read from the plain one.
  Extra.push_back("-USEPTRAN_CHECKED");
  // Extra arguments must stand before `--`, which ends the options.
  auto End = llvm::find(Args, "--");
  Args.insert(End, Extra.begin(), Extra.end());
  return Args;
}

} // namespace

std::string runtimeIncludeFolder() {
  const std::string Installed = installedPath("include/septran/septran.h");
  if (Installed.empty())
    return SEPTRAN_SOURCE_INCLUDE_DIR;
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(Installed)).str();
}

bool runFrontend(CompilerInstance &CI, const std::string &File, const Callback &Then,
                 FrontendGoal Goal) {
  registerAttributes();
  Action A(Then, Goal, File);
  return CI.ExecuteAction(A);
}

bool runFrontend(const CompilationDatabase &Compilations, const std::string &File,
                 const Callback &Then, FrontendGoal Goal) {
  registerAttributes();
  // With a current folder of its own: clang's default would change that of the process, from which
  // mapping files and outputs are named.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk(llvm::vfs::createPhysicalFileSystem());
  ClangTool Tool(Compilations, {File}, std::make_shared<PCHContainerOperations>(), Disk);
  Tool.appendArgumentsAdjuster(adjust);
  llvm::SmallString<256> Here;
  llvm::sys::fs::current_path(Here);
  Tool.appendArgumentsAdjuster([&](const CommandLineArguments &Args, StringRef Path) {
    // A command of compile_commands.json runs in its own folder; see NamesFromHere.h.
    for (const CompileCommand &C : Compilations.getCompileCommands(Path))
      if (C.Directory != "." && C.Directory != Here)
        return Args;
    return nameAsGiven(Args, File);
  });
  Tool.setPrintErrorMessage(false); // the diagnostics have said it
  ActionFactory Factory(Then, Goal, File);
  return Tool.run(&Factory) == 0;
}

} // namespace septran::compiler
