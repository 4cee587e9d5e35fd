//===- InternalNames.cpp -------------------------------------------*- C++ -*-===//
#include "Logic/InternalNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"

using namespace clang;

namespace septran::compiler {

namespace {

/// Of variables, compilers mind those of the main file only.
bool isInternal(const Decl &D, const SourceManager &SM) {
  if (const auto *F = dyn_cast<FunctionDecl>(&D))
    return F->getFormalLinkage() == Linkage::Internal && !F->isInlined();
  const auto *V = dyn_cast<VarDecl>(&D);
  return V && V->getFormalLinkage() == Linkage::Internal &&
         SM.getFileID(SM.getExpansionLoc(V->getLocation())) == SM.getMainFileID();
}

bool hasInternal(const DeclContext &Context, const SourceManager &SM) {
  for (const Decl *Child : Context.decls()) {
    if (SM.isInSystemHeader(Child->getLocation()))
      continue;
    if (isInternal(*Child, SM))
      return true;
    if (isa<NamespaceDecl, LinkageSpecDecl>(Child) && hasInternal(*cast<DeclContext>(Child), SM))
      return true;
  }
  return false;
}

} // namespace

bool hasInternalNames(const CompilerInstance &CI) {
  return hasInternal(*CI.getASTContext().getTranslationUnitDecl(), CI.getSourceManager());
}

} // namespace septran::compiler
