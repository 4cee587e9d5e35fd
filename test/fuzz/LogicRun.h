//===- LogicRun.h - the front end on generated logic files ----------------===//
//
// Runs the front end in this process, as often as possible: <septran/septran.h> is a precompiled
// header made at the start. Beside that it is the front end that users get, all headers included.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace septran::fuzz {

/// Prepares a temporary folder with the precompiled header; once per process.
void prepareLogicRuns();

/// Reads `Source`, which begins as if <septran/septran.h> were included: ends with a task graph,
/// which prints, or with messages.
void runLogic(const std::string &Source);

/// Whether clang alone answers this text, wherever it stands: directives, which can name other
/// files, and brackets that do not match. (After the latter, clang 19 crashes now and then.)
bool clangAnswers(const std::string &Text);

} // namespace septran::fuzz
