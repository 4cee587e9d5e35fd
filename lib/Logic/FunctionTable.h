//===- FunctionTable.h - declared functions of a task graph ---------*- C++ -*-===//
//
// Launches refer to functions before their bodies are read. The table makes a Function, with its
// parameters, when a function is first named, and remembers which bodies are still to be read.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/Locations.h"
#include "Logic/TaskGraph.h"
#include "Support/Diagnostics.h"

#include "attrs/SpelledAttributes.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace septran::compiler {

class FunctionTable {
public:
  struct Entry {
    const clang::FunctionDecl *Definition = nullptr;
    std::shared_ptr<Function> F; ///< null if the signature was rejected
  };

  FunctionTable(clang::ASTContext &Ast, const Locations &Places, const SpelledAttributes *Spelled,
                Diagnostics &D)
      : Ast(Ast), Places(Places), Spelled(Spelled), D(D) {}

  /// The function that `F` is; `Use` is where it is named. Null, after a message the first time, if
  /// its signature is outside the language or it has no definition.
  std::shared_ptr<const Function> declare(const clang::FunctionDecl &F, const Location &Use);

  /// All that was declared, in that order.
  const std::vector<Entry> &entries() const { return Entries; }

private:
  std::shared_ptr<Function> make(const clang::FunctionDecl &Definition);
  bool addParameter(const clang::FunctionDecl &Definition, unsigned Index, Function &Result);
  std::optional<SourceText> definitionText(const clang::FunctionDecl &Definition) const;

  clang::ASTContext &Ast;
  const Locations &Places;
  const SpelledAttributes *Spelled;
  Diagnostics &D;
  std::vector<Entry> Entries;
  llvm::DenseMap<const clang::FunctionDecl *, unsigned> Known;
};

} // namespace septran::compiler
