//===- septran-rewrite.cpp - the command-line tool ------------------*- C++ -*-===//
//
// Exit codes: 0 everything is fine, 1 the input has errors, 2 the command line has, 70 a bug of ours.
//
//===----------------------------------------------------------------------===//
#include "Logic/Frontend.h"

#include "clang/Tooling/CommonOptionsParser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <iostream>

using namespace septran::compiler;
namespace cl = llvm::cl;

namespace {

enum ExitCode { Success = 0, InputError = 1, UsageError = 2 };

struct Options {
  cl::OptionCategory Category{"septran-rewrite options"};
  cl::opt<bool> PrintTasks{"print-tasks",
                           cl::desc("Print the tasks and leaves of the logic file, as understood"),
                           cl::cat(Category)};
};

void printTasks(FrontendResult &Result) {
  if (Result.Graph)
    std::cout << printTaskGraph(*Result.Graph);
}

} // namespace

int main(int argc, const char **argv) {
  Options Opts;
  auto Parser = clang::tooling::CommonOptionsParser::create(argc, argv, Opts.Category, cl::Required);
  if (!Parser) {
    llvm::errs() << llvm::toString(Parser.takeError());
    return UsageError;
  }
  bool Good = true;
  for (const std::string &File : Parser->getSourcePathList())
    Good &= runFrontend(Parser->getCompilations(), File, [&](FrontendResult &Result) {
      if (Opts.PrintTasks)
        printTasks(Result);
    });
  return Good ? Success : InputError;
}
