//===- Extract.cpp -------------------------------------------------*- C++ -*-===//
#include "Logic/Extract.h"

#include "Logic/Checks.h"
#include "Logic/ClangCompat.h"
#include "Logic/FunctionTable.h"
#include "Logic/ImpliedVariants.h"
#include "Logic/Names.h"
#include "Logic/ReadFunction.h"

#include "Support/DidYouMean.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace septran::compiler {

namespace {

/// A task or leaf as it is written: a function, or the template of functions.
struct WrittenFunction {
  FunctionDecl *F = nullptr;
  FunctionTemplateDecl *Template = nullptr;
};

class Extractor {
public:
  Extractor(CompilerInstance &CI, const SpelledAttributes &Spelled, Diagnostics &D)
      : CI(CI), Ast(CI.getASTContext()), Spelled(Spelled), D(D),
        Places(CI.getSourceManager(), CI.getLangOpts()), Table(Ast, Places, &Spelled, D) {}

  std::optional<TaskGraph> run();

private:
  void collect(Decl &Declared);
  void collect(FunctionDecl &F, FunctionTemplateDecl *Template);
  void declareRoots();
  void readBodies();
  bool declareVariants();
  bool instantiate(const WrittenFunction &Variant, const Function &Like, QualType Type);
  void reportUnused();
  TaskGraph finish();

  CompilerInstance &CI;
  ASTContext &Ast;
  const SpelledAttributes &Spelled;
  Diagnostics &D;
  Locations Places;
  FunctionTable Table;

  std::vector<WrittenFunction> Written; ///< in the order of the translation unit
  llvm::StringMap<std::vector<unsigned>> ByFamily;
  llvm::DenseSet<const Function *> Rejected; ///< whose body has errors
  size_t BodiesRead = 0;
  size_t VariantsSought = 0;
};

/// Tasks and leaves of the user's files. System headers hold thousands of declarations and none of
/// the user's; what they define of ours is found through launches.
void Extractor::collect(Decl &Declared) {
  if (CI.getSourceManager().isInSystemHeader(Declared.getLocation()))
    return;
  if (auto *Template = dyn_cast<FunctionTemplateDecl>(&Declared))
    collect(*Template->getTemplatedDecl(), Template);
  else if (auto *F = dyn_cast<FunctionDecl>(&Declared))
    collect(*F, nullptr);
  else if (isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(Declared) &&
           !Declared.isImplicit())
    for (Decl *Child : cast<DeclContext>(Declared).decls())
      collect(*Child);
}

void Extractor::collect(FunctionDecl &F, FunctionTemplateDecl *Template) {
  const bool Ours = F.hasAttrs() && isTaskOrLeaf(F);
  if (!Ours || !F.doesThisDeclarationHaveABody()) {
    if (F.doesThisDeclarationHaveABody())
      for (const ParmVarDecl *P : F.parameters())
        for (AttributeKind Kind : {AttributeKind::Write, AttributeKind::Reduce})
          if (const clang::AnnotateAttr *A = findAttribute(P, Kind); A && !isTaskOrLeaf(F))
            D.report(DiagID::StrayAttribute, Places.range(A->getRange()),
                     Kind == AttributeKind::Write ? "write" : "reduce", F.getNameAsString());
    return;
  }
  if (F.isDependentContext() && !Template)
    return; // a member of a class template: its instances are found through launches
  ByFamily[familyOf(F)].push_back(Written.size());
  Written.push_back({&F, Template});
}

void Extractor::declareRoots() {
  for (const WrittenFunction &W : Written) {
    if (!Places.isInMainFile(W.F->getLocation()))
      continue;
    const Location Use = Places.range(W.F->getNameInfo().getSourceRange());
    if (!W.Template) {
      Table.declare(*W.F, Use);
      continue;
    }
    for (FunctionDecl *Instance : W.Template->specializations())
      if (Instance->getDefinition())
        Table.declare(*Instance, Use);
  }
}

void Extractor::readBodies() {
  // Reading a task declares its callees, which makes the table grow.
  for (; BodiesRead < Table.entries().size(); ++BodiesRead) {
    const FunctionTable::Entry Next = Table.entries()[BodiesRead];
    if (!Next.F)
      continue;
    const unsigned Errors = D.errorCount();
    if (Next.F->Kind == FunctionKind::Task)
      readTask(*Next.Definition, *Next.F, Table, Ast, Places, D);
    else
      readLeaf(*Next.Definition, *Next.F, Ast, Places, D);
    if (D.errorCount() != Errors)
      Rejected.insert(Next.F.get());
  }
}

/// A mapping may put any variant in place of another, so all variants of the families in use must
/// be there, for the types in use. Returns true if the table grew.
bool Extractor::declareVariants() {
  const size_t Before = Table.entries().size();
  for (; VariantsSought < Before; ++VariantsSought) {
    const FunctionTable::Entry Like = Table.entries()[VariantsSought];
    if (!Like.F)
      continue;
    auto Family = ByFamily.find(Like.F->Family);
    if (Family == ByFamily.end())
      continue;
    const QualType Type = Like.Definition->getType();
    for (unsigned I : Family->second) {
      const WrittenFunction &W = Written[I];
      if (W.Template)
        instantiate(W, *Like.F, Type);
      else if (Ast.hasSameType(W.F->getType(), Type))
        Table.declare(*W.F, Places.range(W.F->getNameInfo().getSourceRange()));
    }
  }
  return Table.entries().size() != Before;
}

bool Extractor::instantiate(const WrittenFunction &Variant, const Function &Like, QualType Type) {
  if (Variant.F->getNumParams() != Like.Params.size())
    return false;
  Sema &S = CI.getSema();
  FunctionDecl *Instance = deduceFromType(S, Variant.Template, Type, Variant.F->getLocation());
  if (!Instance)
    return false;
  if (!Instance->getDefinition()) {
    S.InstantiateFunctionDefinition(Variant.F->getLocation(), Instance, /*Recursive=*/true,
                                    /*DefinitionRequired=*/true);
    S.PerformPendingInstantiations();
  }
  if (!Instance->getDefinition() || Instance->isInvalidDecl())
    return false;
  Table.declare(*Instance, Places.range(Variant.F->getNameInfo().getSourceRange()));
  return true;
}

/// A template that is never instantiated has no types to work with.
void Extractor::reportUnused() {
  llvm::DenseSet<const FunctionDecl *> Used;
  for (const FunctionTable::Entry &E : Table.entries())
    if (E.Definition)
      if (const FunctionDecl *Pattern = E.Definition->getTemplateInstantiationPattern())
        Used.insert(Pattern->getCanonicalDecl());
  for (const WrittenFunction &W : Written)
    if (W.Template && Places.isInMainFile(W.F->getLocation()) &&
        !Used.contains(W.F->getCanonicalDecl()))
      D.report(DiagID::NeverInstantiated, Places.range(W.F->getNameInfo().getSourceRange()),
               findOnFunction(*W.F, AttributeKind::Task) ? "task" : "leaf", W.F->getNameAsString());
}

TaskGraph Extractor::finish() {
  TaskGraph G;
  G.MainFile = Places.mainFile();
  G.Files = Places.files();
  for (const FunctionTable::Entry &E : Table.entries())
    if (E.F)
      G.Functions.push_back(E.F);
  for (const SpelledAttributes::Group &Group : Spelled.groups()) {
    if (!Places.isInMainFile(Group.Brackets.getBegin()))
      continue;
    // Together with other attributes only ours are to go; an empty place in the list is allowed.
    for (SourceRange Range : Group.OnlyOurs ? std::vector{Group.Brackets} : Group.Ours)
      if (std::optional<SourceText> Text = Places.text(Range))
        G.Attributes.push_back(*Text);
  }
  return G;
}

std::optional<TaskGraph> Extractor::run() {
  reportUnknownAttributes(CI, Spelled, D);
  for (Decl *Top : Ast.getTraversalScope()) // the translation unit, unless somebody has narrowed it
    collect(*Top);
  declareRoots();
  do
    readBodies();
  while (declareVariants());
  if (CI.getDiagnostics().hasErrorOccurred()) // from the instantiation of a variant
    return std::nullopt;
  reportUnused();
  TaskGraph G = finish();
  checkFamilies(G, D);
  for (const std::shared_ptr<const Function> &F : G.Functions) {
    // In a task of which a part was rejected, what is missing would look like further mistakes.
    if (Rejected.contains(F.get()))
      continue;
    if (F->Kind == FunctionKind::Task) {
      checkPrivileges(*F, D);
      checkParallelWrites(*F, D);
    } else {
      checkLeafAccesses(*F, D);
    }
  }
  // What launches itself is a cycle of shared pointers: it ends here.
  if (reportRecursion(G, D))
    for (const FunctionTable::Entry &E : Table.entries())
      if (E.F)
        E.F->Body.clear();
  if (D.hasErrors())
    return std::nullopt;
  addImpliedVariants(G);
  return G;
}

} // namespace

void reportUnknownAttributes(const CompilerInstance &CI, const SpelledAttributes &Spelled,
                             Diagnostics &D) {
  Locations Places(CI.getSourceManager(), CI.getLangOpts());
  for (const SpelledAttributes::Unknown &U : Spelled.unknown())
    D.report(DiagID::UnknownAttribute, Places.range(SourceRange(U.Loc)), U.Name,
             didYouMean(U.Name, attributeNames()));
}

std::optional<TaskGraph> extractTaskGraph(CompilerInstance &CI, const SpelledAttributes &Spelled,
                                          Diagnostics &D) {
  return Extractor(CI, Spelled, D).run();
}

} // namespace septran::compiler
