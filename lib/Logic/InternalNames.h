//===- InternalNames.h - what only one translation unit can use -----*- C++ -*-===//
#pragma once

namespace clang {
class CompilerInstance;
} // namespace clang

namespace septran::compiler {

/// The user's files define functions or constants with internal linkage. Compilers warn about those
/// that nothing uses; of some, the only use may be in a task whose text is replaced.
bool hasInternalNames(const clang::CompilerInstance &CI);

} // namespace septran::compiler
