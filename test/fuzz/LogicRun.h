//===- LogicRun.h - the front end on generated logic files ----------------===//
//
// Runs the front end in this process, as often as possible: one compiler has read
// <septran/septran.h> and reads a thousand inputs after each other, as clang's interpreter does,
// but each on its own: it forgets the one before. That is ten times as fast as a precompiled
// header. A failure can in theory come from what clang has not forgotten; repeating its input alone
// tells.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace septran::fuzz {

/// Makes the compiler; once per process.
void prepareLogicRuns();

/// Reads `Source`, which begins as if <septran/septran.h> and <cmath> were included: ends with a
/// task graph, which prints, or with messages. Every thousandth run looks for leaks; clang's own do
/// not count.
void runLogic(const std::string &Source);

/// Whether clang alone answers this text, wherever it stands: directives, which can name other
/// files, and what does not end: brackets, literals, lines. (Clang's interpreter waits for the end,
/// and its parser crashes now and then.) Comments, too, end a line that is not theirs.
bool clangAnswers(const std::string &Text);

} // namespace septran::fuzz
