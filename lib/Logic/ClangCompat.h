//===- ClangCompat.h - differences between clang versions -----------*- C++ -*-===//
//
// The one place for version tests. Written against clang 19; a newer clang that renames something
// gets its #if here, and nowhere else.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Version.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateDeduction.h"

#if CLANG_VERSION_MAJOR < 19
#error "SepTran needs clang 19 or newer"
#endif

namespace septran::compiler {

/// The specialization of `Template` whose type is exactly `Type`, its arguments deduced from that
/// type alone; null if there is none.
inline clang::FunctionDecl *deduceFromType(clang::Sema &S, clang::FunctionTemplateDecl *Template,
                                           clang::QualType Type, clang::SourceLocation Loc) {
  clang::sema::TemplateDeductionInfo Info(Loc);
  clang::FunctionDecl *Specialization = nullptr;
  clang::TemplateDeductionResult Result = S.DeduceTemplateArguments(
      Template, /*ExplicitTemplateArgs=*/nullptr, Type, Specialization, Info);
  return Result == clang::TemplateDeductionResult::Success ? Specialization : nullptr;
}

} // namespace septran::compiler
