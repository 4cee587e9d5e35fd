//===- CopiedDeclarations.h - the text that a reference is made of -*- C++ -*-===//
//
// Collects declarations at namespace scope and writes their text, with edits, in the order of the
// translation unit and inside namespaces of the same names. Declarations that share text (`float a,
// b;`) are written once.
//
// The user's declarations go to namespace septran_reference. Standard leaves go to
// septran::reference, where they see the names of septran before any of the user's, and are made
// known to the user's copy as septran_reference::septran.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Support/Location.h"
#include "Verify/TextEdits.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class DeclContext;
class Preprocessor;
} // namespace clang

namespace septran::compiler {

/// Why something cannot be copied.
struct NoCopy {
  std::string Reason;
  clang::SourceLocation Loc;
};

class CopiedDeclarations {
  clang::ASTContext &Ast;
  clang::Preprocessor &PP;
  llvm::DenseSet<const clang::Decl *> Known;
  std::vector<const clang::Decl *> Decls;
  llvm::DenseMap<clang::FileID, TextEdits> Edits;

  std::optional<NoCopy> findUnstableMacro(clang::CharSourceRange Range) const;

public:
  CopiedDeclarations(clang::ASTContext &Ast, clang::Preprocessor &PP) : Ast(Ast), PP(PP) {}

  /// One redeclaration at namespace scope; a template with its head. False if it was added before.
  bool add(const clang::Decl *D);

  /// Edits of a range that ends with whole tokens. False if there is no such text (a macro makes
  /// only a part of it) or if it is already edited otherwise.
  bool replace(clang::SourceRange Tokens, const std::string &Text);
  bool wrap(clang::SourceRange Tokens, unsigned Level, const std::string &Before,
            const std::string &After);
  bool hasText(clang::SourceRange Tokens) const;

  /// All text, or why there is none.
  std::optional<NoCopy> write(std::string &Text) const;
};

/// `a::b::` of the named namespaces around `D`.
std::string namespacePrefix(const clang::DeclContext *Context);

} // namespace septran::compiler
