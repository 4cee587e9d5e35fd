//===- Checked.h - the plain program, its tasks declared ---------*- C++ -*-===//
#pragma once

#include "Logic/SourceTree.h"

#include <string>

namespace septran::compiler {

struct CheckedRequest {
  std::string MainName;     ///< as #line directives name the logic file
  std::string OutputFolder; ///< absolute: where the output will lie
};

/// The logic file, in which every task and leaf begins with a septran::checked::task_scope that
/// names its tensors and their privileges. Headers that define tasks or leaves are copied into it.
/// The rest stays, and so do the lines and columns of all of it.
std::string emitChecked(const SourceTree &Tree, const CheckedRequest &Request);

} // namespace septran::compiler
