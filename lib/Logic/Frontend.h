//===- Frontend.h - clang with our attributes, as a tool ------------*- C++ -*-===//
//
// Runs clang on a logic file and hands over what was found while everything clang knows is still
// alive: the source manager for places, the diagnostics engine for messages.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/SourceTree.h"
#include "Logic/TaskGraph.h"
#include "Support/Diagnostics.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
namespace tooling {
class CompilationDatabase;
} // namespace tooling
} // namespace clang

namespace septran::compiler {

/// What the front end is to find.
enum class FrontendGoal {
  TaskGraph,  ///< what the logic means
  SourceTree, ///< where it stands; the logic may have errors
};

/// What a run of the front end found. Lives while the action runs.
struct FrontendResult {
  clang::CompilerInstance &CI;
  /// Nothing if the C++ or the logic in it has errors; messages are in Messages, clang's own are
  /// out.
  std::optional<TaskGraph> Graph;
  /// Nothing if the C++ or an attribute in it has errors.
  std::optional<SourceTree> Tree;
  std::vector<std::string> Files; ///< all files read, for depfiles
  /// Directives of the logic file that name a file in its own folder.
  std::vector<WrittenInclude> IncludesBeside;
  /// To be shown by emitThroughClang before the action ends; more may be added.
  Diagnostics &Messages;
};

/// The folder of <septran/septran.h>: beside an installed tool, else in the source tree.
std::string runtimeIncludeFolder();

/// Parses `File` as the compilation database says and calls `Then` with the result. Clang's builtin
/// headers and <septran/septran.h> are found wherever the tool is installed; flags of the user's
/// that name other places come first. Returns false if there was any error: in the C++, in the
/// logic, or added by Then.
bool runFrontend(const clang::tooling::CompilationDatabase &Compilations, const std::string &File,
                 const std::function<void(FrontendResult &)> &Then,
                 FrontendGoal Goal = FrontendGoal::TaskGraph);

/// The same in a compiler that is set up already, for clang as the host: `CI` has its invocation and
/// its diagnostics. `File` is the input as the user named it.
bool runFrontend(clang::CompilerInstance &CI, const std::string &File,
                 const std::function<void(FrontendResult &)> &Then,
                 FrontendGoal Goal = FrontendGoal::TaskGraph);

} // namespace septran::compiler
