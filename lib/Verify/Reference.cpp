//===- Reference.cpp -------------------------------------------------------===//
#include "Verify/Reference.h"

#include "Verify/Retype.h"

#include "Logic/Locations.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace septran::compiler {

namespace {

/// The definition whose name stands at `Loc`, in namespaces and linkage specifications.
const FunctionDecl *findFunction(const DeclContext &Context, const Locations &Places,
                                 const Location &Loc) {
  for (const Decl *D : Context.decls()) {
    if (!Places.isInMainFile(D->getLocation()))
      continue;
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      if (F->isThisDeclarationADefinition() &&
          Places.point(F->getLocation()).start() == Loc.start())
        return F;
    } else if (isa<NamespaceDecl, LinkageSpecDecl>(D)) {
      if (const FunctionDecl *F = findFunction(*cast<DeclContext>(D), Places, Loc))
        return F;
    }
  }
  return nullptr;
}

} // namespace

ReferenceText referenceSource(FrontendResult &R, const septran::compiler::Function &Entry) {
  ASTContext &Ast = R.CI.getASTContext();
  const Locations Places(Ast.getSourceManager(), Ast.getLangOpts());
  ReferenceText Result;
  const auto Fail = [&](const std::string &Reason, const Location &Loc) {
    Result.Reason = Reason;
    Result.ReasonLoc = Loc;
    return Result;
  };
  const FunctionDecl *F = findFunction(*Ast.getTranslationUnitDecl(), Places, Entry.Loc);
  if (!F)
    return Fail("'" + Entry.Name + "', which has no text of its own", Entry.Loc);

  CopiedDeclarations Copies(Ast, R.CI.getPreprocessor());
  std::set<std::string> Tunables;
  std::optional<NoCopy> Problem = retype(Ast, *F, Copies, Tunables);
  if (!Problem)
    Problem = Copies.write(Result.Text);
  if (Problem) {
    Result.Text.clear();
    return Fail(Problem->Reason, Places.point(Problem->Loc));
  }
  Result.EntryName = "septran_reference::" + namespacePrefix(F->getDeclContext()) + Entry.Name;
  Result.Tunables.assign(Tunables.begin(), Tunables.end());
  return Result;
}

} // namespace septran::compiler
