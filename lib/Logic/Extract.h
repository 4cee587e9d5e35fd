//===- Extract.h - from clang's AST to the task graph ---------------*- C++ -*-===//
//
// Reads every task and leaf that the main file defines, in the instantiations that exist, and all
// that they launch, wherever it is defined; then every variant of the families met so far,
// instantiating templates for the signatures in use. Headers that nothing launches into are not
// looked at.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"
#include "Support/Diagnostics.h"

#include <optional>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace septran::compiler {

class SpelledAttributes;

/// The task graph of the translation unit that `CI` has parsed without errors; nothing after an
/// error in the logic. `Spelled` watched the preprocessor, see attrs/SpelledAttributes.h.
std::optional<TaskGraph> extractTaskGraph(clang::CompilerInstance &CI,
                                          const SpelledAttributes &Spelled, Diagnostics &D);

/// Reports names behind `septran::` that are no attribute.
void reportUnknownAttributes(const clang::CompilerInstance &CI, const SpelledAttributes &Spelled,
                             Diagnostics &D);

} // namespace septran::compiler
