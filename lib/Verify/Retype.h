//===- Retype.h - what a reference copies, and what it changes -----*- C++ -*-===//
//
// Walks the AST of everything that the entry point reaches, as it is written and as it is
// instantiated, and records declarations to copy and edits to make.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Verify/CopiedDeclarations.h"

#include <optional>
#include <set>
#include <string>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace septran::compiler {

/// Fills `Copies` with what `Entry` reaches; `Tunables` with "function.name" of each. Returns what
/// stands in the way of a reference.
std::optional<NoCopy> retype(clang::ASTContext &Ast, const clang::FunctionDecl &Entry,
                             CopiedDeclarations &Copies, std::set<std::string> &Tunables);

} // namespace septran::compiler
