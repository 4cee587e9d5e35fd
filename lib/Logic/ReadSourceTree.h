//===- ReadSourceTree.h - from clang's AST to the files --------------*- C++ -*-===//
#pragma once

#include "Logic/SourceTree.h"
#include "Support/Diagnostics.h"

namespace clang {
class CompilerInstance;
} // namespace clang

namespace septran::compiler {

class IncludeRecorder;

/// The tree of the translation unit that `CI` has parsed without errors. Which tasks are well
/// formed does not matter here. Warns about bodies that no file of the tree has.
SourceTree readSourceTree(clang::CompilerInstance &CI, const IncludeRecorder &Includes,
                          Diagnostics &D);

/// The include directives of the main file that name a file beside it, without its text.
std::vector<WrittenInclude> readIncludesBeside(clang::CompilerInstance &CI,
                                               const IncludeRecorder &Includes);

} // namespace septran::compiler
