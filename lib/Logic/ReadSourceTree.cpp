//===- ReadSourceTree.cpp ------------------------------------------*- C++ -*-===//
#include "Logic/ReadSourceTree.h"

#include "Logic/IncludeRecorder.h"
#include "Logic/Locations.h"
#include "Logic/Names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <map>

using namespace clang;

namespace septran::compiler {

namespace {

/// Every definition of a task or leaf, templates once, wherever it stands: in namespaces, classes,
/// class templates, and inside functions.
class BodyFinder : public RecursiveASTVisitor<BodyFinder> {
public:
  std::vector<const FunctionDecl *> Found;

  bool VisitFunctionDecl(FunctionDecl *F) {
    if (F->doesThisDeclarationHaveABody() && F->getBody() && isTaskOrLeaf(*F) && !isInSeptran(*F))
      Found.push_back(F);
    return true;
  }
};

/// The brace that opens the body; of a function-try-block, that of the block.
SourceLocation openingBrace(const FunctionDecl &F) {
  const clang::Stmt *Body = F.getBody();
  if (const auto *Try = dyn_cast<CXXTryStmt>(Body))
    Body = Try->getTryBlock();
  const auto *Block = dyn_cast<CompoundStmt>(Body);
  return Block ? Block->getLBracLoc() : SourceLocation();
}

std::string absolutePath(const SourceManager &SM, StringRef Path) {
  llvm::SmallString<256> Absolute(Path);
  SM.getFileManager().makeAbsolutePath(Absolute);
  llvm::sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  return Absolute.str().str();
}

/// The absolute path of what was found in the folder of the including file, else nothing.
std::string besideIncluder(const SourceManager &SM, const IncludeRecorder::Directive &Include) {
  OptionalFileEntryRef Includer = SM.getFileEntryRefForID(SM.getFileID(Include.Hash));
  if (Include.Angled || !Include.File || !Includer ||
      llvm::sys::path::is_absolute(Include.Spelled))
    return {};
  llvm::SmallString<256> Beside(llvm::sys::path::parent_path(Includer->getName()));
  llvm::sys::path::append(Beside, Include.Spelled);
  std::string Found = absolutePath(SM, Include.File->getName());
  return absolutePath(SM, Beside) == Found ? Found : std::string();
}

WrittenInclude placeOf(const SourceManager &SM, const IncludeRecorder::Directive &Include) {
  WrittenInclude Written;
  Written.Begin = SM.getFileOffset(Include.Hash);
  Written.End = SM.getFileOffset(SM.getFileLoc(Include.NameEnd));
  return Written;
}

class TreeReader {
public:
  TreeReader(CompilerInstance &CI, const IncludeRecorder &Includes, Diagnostics &D)
      : SM(CI.getSourceManager()), Ast(CI.getASTContext()), Includes(Includes), D(D),
        Places(SM, CI.getLangOpts()) {}

  SourceTree run();

private:
  void findBodies();
  void addBody(const FunctionDecl &F);
  WrittenBody bodyOf(const FunctionDecl &F) const;
  void chooseFiles();
  bool isCopied(const IncludeRecorder::Directive &Include) const {
    return Include.Entered.isValid() ? Copied.contains(Include.Entered)
                                     : Include.File && CopiedFiles.contains(*Include.File);
  }
  SourceTree treeOf(FileID File);

  const SourceManager &SM;
  ASTContext &Ast;
  const IncludeRecorder &Includes;
  Diagnostics &D;
  Locations Places;
  llvm::DenseMap<FileID, std::map<unsigned, WrittenBody>> Bodies; ///< by their place
  struct Place {
    FileID File;
    Location Loc;
    std::string Name;
  };
  std::vector<Place> BodyPlaces;
  llvm::DenseMap<FileID, std::vector<const IncludeRecorder::Directive *>> Directives;
  llvm::DenseSet<FileID> Copied;           ///< files to take the text of
  llvm::DenseSet<FileEntryRef> CopiedFiles; ///< those, as files
};

WrittenBody TreeReader::bodyOf(const FunctionDecl &F) const {
  WrittenBody Body;
  Body.Name = F.getNameAsString();
  for (const ParmVarDecl *P : F.parameters()) {
    const QualType Type = P->getType().getNonReferenceType();
    const TypeKind Kind = classify(Type);
    if (!P->getIdentifier() ||
        !(Type->isDependentType() || Kind == TypeKind::Tensor || Kind == TypeKind::Local))
      continue;
    Body.Params.push_back({P->getNameAsString(),
                           findAttribute(P, AttributeKind::Write)    ? WrittenParameter::Write
                           : findAttribute(P, AttributeKind::Reduce) ? WrittenParameter::Reduce
                                                                     : WrittenParameter::OfItsType,
                           P->isParameterPack()});
  }
  return Body;
}

void TreeReader::addBody(const FunctionDecl &F) {
  SourceLocation Brace = openingBrace(F);
  const bool InMacro = Brace.isMacroID();
  if (InMacro && SM.isMacroArgExpansion(Brace))
    Brace = SM.getSpellingLoc(Brace);
  if (!Brace.isFileID()) {
    D.report(DiagID::NotWatched, Places.range(F.getNameInfo().getSourceRange()),
             F.getNameAsString(), 0);
    return;
  }
  auto [File, Offset] = SM.getDecomposedLoc(Brace);
  WrittenBody Body = bodyOf(F);
  Body.Inside = Offset + Lexer::MeasureTokenLength(Brace, SM, Ast.getLangOpts());
  Body.InMacro = InMacro;
  if (Bodies[File].try_emplace(Body.Inside, std::move(Body)).second)
    BodyPlaces.push_back(
        {File, Places.range(F.getNameInfo().getSourceRange()), F.getNameAsString()});
}

void TreeReader::findBodies() {
  BodyFinder Finder;
  // System headers hold thousands of declarations and none of the user's.
  for (Decl *Child : Ast.getTranslationUnitDecl()->decls())
    if (!SM.isInSystemHeader(Child->getLocation()))
      Finder.TraverseDecl(Child);
  for (const FunctionDecl *F : Finder.Found)
    addBody(*F);
}

/// Files with bodies are copied, and all that lies between them and the main file. So is every file
/// that names a copied one: for the compiler, the header that it includes is not read yet.
void TreeReader::chooseFiles() {
  for (const IncludeRecorder::Directive &Include : Includes.directives())
    Directives[SM.getFileID(Include.Hash)].push_back(&Include);
  for (const auto &[File, Found] : Bodies)
    Copied.insert(File);
  Copied.insert(SM.getMainFileID());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (FileID File : Copied)
      if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File))
        CopiedFiles.insert(*Entry);
    for (const IncludeRecorder::Directive &Include : Includes.directives())
      if (isCopied(Include))
        Changed |= Copied.insert(SM.getFileID(Include.Hash)).second;
  }
}

SourceTree TreeReader::treeOf(FileID File) {
  SourceTree Tree;
  if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File))
    Tree.Name = Entry->getName();
  Tree.Text = SM.getBufferData(File).str();
  if (auto Found = Bodies.find(File); Found != Bodies.end()) {
    for (auto &[Offset, Body] : Found->second)
      Tree.Bodies.push_back(Body);
    Bodies.erase(Found);
  }
  for (SourceLocation Pragma : Includes.oncePragmas())
    if (SM.getFileID(Pragma) == File)
      Tree.OncePragmas.push_back(SM.getFileOffset(Pragma));
  for (const IncludeRecorder::Directive *Include : Directives.lookup(File)) {
    WrittenInclude Written = placeOf(SM, *Include);
    if (Include->Entered.isValid() && isCopied(*Include)) {
      Written.Child = Tree.Children.size();
      Tree.Children.push_back(treeOf(Include->Entered));
    } else if (isCopied(*Include)) {
      Written.IsRepeated = true;
    } else {
      Written.Beside = besideIncluder(SM, *Include);
      if (Written.Beside.empty())
        continue;
    }
    Tree.Includes.push_back(std::move(Written));
  }
  return Tree;
}

SourceTree TreeReader::run() {
  findBodies();
  chooseFiles();
  SourceTree Tree = treeOf(SM.getMainFileID());
  // What is left has been read, but not through the main file.
  for (const Place &P : BodyPlaces)
    if (Bodies.count(P.File))
      D.report(DiagID::NotWatched, P.Loc, P.Name, 1);
  return Tree;
}

} // namespace

SourceTree readSourceTree(CompilerInstance &CI, const IncludeRecorder &Includes, Diagnostics &D) {
  return TreeReader(CI, Includes, D).run();
}

std::vector<WrittenInclude> readIncludesBeside(CompilerInstance &CI,
                                               const IncludeRecorder &Includes) {
  const SourceManager &SM = CI.getSourceManager();
  std::vector<WrittenInclude> Found;
  for (const IncludeRecorder::Directive &Include : Includes.directives()) {
    if (SM.getFileID(Include.Hash) != SM.getMainFileID())
      continue;
    WrittenInclude Written = placeOf(SM, Include);
    Written.Beside = besideIncluder(SM, Include);
    if (!Written.Beside.empty())
      Found.push_back(std::move(Written));
  }
  return Found;
}

} // namespace septran::compiler
