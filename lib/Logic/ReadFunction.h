//===- ReadFunction.h - the bodies of tasks and leaves --------------*- C++ -*-===//
#pragma once

#include "Logic/FunctionTable.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace septran::compiler {

/// Reads the body of a task into `F`: tunables and statements. Every statement outside the language
/// is reported; those around it are read all the same. Callees are declared in `Table`.
void readTask(const clang::FunctionDecl &Definition, Function &F, FunctionTable &Table,
              clang::ASTContext &Ast, const Locations &Places, Diagnostics &D);

/// Reads the body of a leaf into `F`, or makes it an opaque leaf with its reason.
void readLeaf(const clang::FunctionDecl &Definition, Function &F, clang::ASTContext &Ast,
              const Locations &Places, Diagnostics &D);

} // namespace septran::compiler
