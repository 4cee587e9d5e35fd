//===- LogicRun.cpp -------------------------------------------------------===//
#include "test/fuzz/LogicRun.h"

#include "Logic/Frontend.h"
#include "attrs/Attributes.h"
#include "test/fuzz/Require.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace septran::compiler;

namespace septran::fuzz {

namespace {

/// A folder of this process, removed at its end.
class Folder {
  std::filesystem::path Path;

public:
  Folder()
      : Path(std::filesystem::temp_directory_path() /
             ("septran-fuzz-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(Path);
  }
  ~Folder() {
    std::error_code Ignored;
    std::filesystem::remove_all(Path, Ignored);
  }
  std::string file(const char *Name) const { return (Path / Name).string(); }
  void write(const char *Name, const std::string &Text) const {
    std::ofstream(Path / Name, std::ios::binary) << Text;
  }
  std::string name() const { return Path.string(); }
};

const Folder &folder() {
  static const Folder Mine;
  return Mine;
}

class Precompile : public clang::GeneratePCHAction {
protected:
  bool BeginInvocation(clang::CompilerInstance &CI) override {
    CI.getFrontendOpts().OutputFile = folder().file("septran.pch");
    return GeneratePCHAction::BeginInvocation(CI);
  }
};

/// Limits keep one run short, whatever templates and constants an input makes clang compute.
std::vector<std::string> flags() {
  return {"-std=c++20",          "-w",
          "-ferror-limit=3",     "-ftemplate-depth=64",
          "-fbracket-depth=128", "-fconstexpr-steps=20000",
          "-fconstexpr-depth=64"};
}

} // namespace

void prepareLogicRuns() {
  registerAttributes();
  folder().write("septran.h", "#include <septran/septran.h>\n");
  std::vector<std::string> Flags = flags();
  Flags.insert(Flags.end(),
               {"-isystem" SEPTRAN_FUZZ_INCLUDE, "-resource-dir=" SEPTRAN_FUZZ_RESOURCE_DIR,
                "-USEPTRAN_CHECKED", "-xc++-header"});
  const clang::tooling::FixedCompilationDatabase Database(folder().name(), Flags);
  clang::tooling::ClangTool Tool(Database, {folder().file("septran.h")});
  require(Tool.run(clang::tooling::newFrontendActionFactory<Precompile>().get()) == 0,
          "the precompiled header can be made");
}

void runLogic(const std::string &Source) {
  folder().write("logic.cpp", Source);
  std::vector<std::string> Flags = flags();
  Flags.insert(Flags.end(), {"-include-pch", folder().file("septran.pch")});
  const clang::tooling::FixedCompilationDatabase Database(folder().name(), Flags);
  bool Read = false;
  const bool Good = runFrontend(Database, folder().file("logic.cpp"), [&](FrontendResult &Result) {
    Read = Result.Graph.has_value();
    if (Read)
      printTaskGraph(*Result.Graph);
    require(!Read || !Result.Messages.hasErrors(), "no task graph after an error", Source);
  });
  require(Read == Good, "a task graph or an error", Source);
}

bool clangAnswers(const std::string &Text) {
  for (const char *Directive : {"#", "%:", "_Pragma", "__has_", "??"})
    if (Text.find(Directive) != std::string::npos)
      return true;
  std::string Open;
  for (const char C : Text) {
    if (C == '(' || C == '[' || C == '{')
      Open.push_back(C == '(' ? ')' : C == '[' ? ']' : '}');
    if (C != ')' && C != ']' && C != '}')
      continue;
    if (Open.empty() || Open.back() != C)
      return true;
    Open.pop_back();
  }
  return !Open.empty();
}

} // namespace septran::fuzz
