//===- Format.h - generated code in the project's style ----------*- C++ -*-===//
#pragma once

#include <string>

namespace septran::compiler {

/// C++ text laid out as clang-format would (LLVM style, 100 columns). Text that does not parse
/// comes back as it is.
std::string formatCxx(const std::string &Text);

} // namespace septran::compiler
