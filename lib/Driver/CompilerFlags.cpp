//===- CompilerFlags.cpp - how the logic file is compiled -----------------===//
#include "Driver/CompilerFlags.h"

#include "clang/Tooling/ArgumentsAdjusters.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CommandLine.h"

using namespace clang::tooling;

namespace septran::compiler {

namespace {

class Adjusted : public CompilationDatabase {
  std::unique_ptr<CompilationDatabase> Base;
  ArgumentsAdjuster Adjuster;

public:
  Adjusted(std::unique_ptr<CompilationDatabase> Base, ArgumentsAdjuster Adjuster)
      : Base(std::move(Base)), Adjuster(std::move(Adjuster)) {}

  std::vector<CompileCommand> getCompileCommands(llvm::StringRef File) const override {
    std::vector<CompileCommand> Commands = Base->getCompileCommands(File);
    for (CompileCommand &C : Commands)
      C.CommandLine = Adjuster(C.CommandLine, File);
    return Commands;
  }
};

} // namespace

void dropForeignOptions() {
  std::vector<llvm::cl::Option *> Foreign;
  for (auto &Entry : llvm::cl::getRegisteredOptions())
    if (!Entry.first().starts_with("help") && Entry.first() != "version")
      Foreign.push_back(Entry.second);
  for (llvm::cl::Option *O : Foreign)
    O->removeArgument();
}

std::unique_ptr<CompilationDatabase> takeFixedFlags(int &Argc, const char **Argv,
                                                    std::string &Error) {
  return FixedCompilationDatabase::loadFromCommandLine(Argc, Argv, Error);
}

std::unique_ptr<CompilationDatabase> flagsFor(const std::string &File,
                                              std::unique_ptr<CompilationDatabase> Fixed,
                                              const FlagRequest &Request, std::string &Error) {
  std::unique_ptr<CompilationDatabase> Base = std::move(Fixed);
  if (!Base && !Request.BuildPath.empty()) {
    Base = CompilationDatabase::autoDetectFromDirectory(Request.BuildPath, Error);
    if (!Base)
      return nullptr;
    Base = inferTargetAndDriverMode(inferMissingCompileCommands(
        expandResponseFiles(std::move(Base), llvm::vfs::getRealFileSystem())));
  }
  if (!Base) {
    std::string Ignored;
    Base = CompilationDatabase::autoDetectFromSource(File, Ignored);
  }
  if (!Base)
    Base = std::make_unique<FixedCompilationDatabase>(".", std::vector<std::string>{"-std=c++20"});
  ArgumentsAdjuster Adjuster =
      combineAdjusters(getInsertArgumentAdjuster(Request.Before, ArgumentInsertPosition::BEGIN),
                       getInsertArgumentAdjuster(Request.After, ArgumentInsertPosition::END));
  return std::make_unique<Adjusted>(std::move(Base), std::move(Adjuster));
}

} // namespace septran::compiler
