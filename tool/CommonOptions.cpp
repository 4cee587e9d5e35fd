//===- CommonOptions.cpp - what all tools ask for, and how they end -------===//
#include "CommonOptions.h"

#include "clang/Basic/Version.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <exception>
#include <unistd.h>

namespace septran::compiler {

MappingRequest InputOptions::request() const {
  return {Mappings.empty() ? "" : Mappings.front(),
          Machine,
          {MachinePath.begin(), MachinePath.end()},
          {Tune.begin(), Tune.end()},
          "",
          {}};
}

bool complain(const std::string &Tool, const std::string &Text) {
  llvm::errs() << Tool << ": " << Text << "\n";
  return false;
}

bool areGivenOnce(const std::string &Tool,
                  std::initializer_list<const llvm::cl::Option *> Options) {
  for (const llvm::cl::Option *O : Options)
    if (O->getNumOccurrences() > 1)
      return complain(Tool, (O->ArgStr.size() == 1 ? "-" : "--") + O->ArgStr.str() + " is given " +
                                std::to_string(O->getNumOccurrences()) + " times; expected once");
  return true;
}

bool checkTune(const std::string &Tool, const MappingRequest &Request) {
  for (const std::string &T : Request.Tune)
    if (T.find('=') == std::string::npos)
      return complain(Tool, "--tune: expected path=value, found '" + T + "'");
  return true;
}

bool readShapes(const std::string &Tool, const std::vector<std::string> &Texts,
                std::vector<ShapeSpec> &Shapes) {
  for (const std::string &Text : Texts) {
    std::string Problem;
    std::optional<ShapeSpec> Spec = parseShapeSpec(Text, Problem);
    if (!Spec)
      return complain(Tool, "--shape: " + Problem);
    Shapes.push_back(*std::move(Spec));
  }
  return true;
}

void printVersion(const std::string &Tool, llvm::raw_ostream &OS) {
  OS << Tool << " " << SEPTRAN_VERSION << " (" << clang::getClangFullVersion() << ")\n";
}

static void exitAsInternalError(void *) { _exit(int(ToolExit::InternalError)); }

int runTool(const std::string &Tool, int argc, const char **argv,
            ToolExit (*Run)(int argc, const char **argv)) {
  llvm::InitLLVM Init(argc, argv);
  llvm::sys::AddSignalHandler(exitAsInternalError, nullptr);
  try {
    return int(Run(argc, argv));
  } catch (const std::exception &E) {
    complain(Tool, std::string("internal error: ") + E.what());
    return int(ToolExit::InternalError);
  }
}

} // namespace septran::compiler
