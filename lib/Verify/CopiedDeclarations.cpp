//===- CopiedDeclarations.cpp ----------------------------------------------===//
#include "Verify/CopiedDeclarations.h"

#include "Logic/Names.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

#include <algorithm>
#include <set>

using namespace clang;

namespace septran::compiler {

namespace {

/// The namespaces around a declaration, outermost first.
std::vector<const NamespaceDecl *> namespacesOf(const DeclContext *Context) {
  std::vector<const NamespaceDecl *> Path;
  for (; Context; Context = Context->getParent())
    if (const auto *N = dyn_cast<NamespaceDecl>(Context))
      Path.insert(Path.begin(), N);
  return Path;
}

struct Piece {
  FileID File;
  unsigned Begin, End;
  SourceLocation Loc;
  std::vector<const NamespaceDecl *> Path;
  bool IsLeafOfOurs;
};

std::string quotedPath(StringRef Path) {
  std::string Text;
  for (char C : Path)
    Text += C == '\\' || C == '"' ? std::string("\\") + C : std::string(1, C);
  return Text;
}

} // namespace

std::string namespacePrefix(const DeclContext *Context) {
  std::string Prefix;
  for (const NamespaceDecl *N : namespacesOf(Context))
    if (!N->isAnonymousNamespace() && !N->isInline())
      Prefix += N->getNameAsString() + "::";
  return Prefix;
}

bool CopiedDeclarations::add(const Decl *D) {
  if (!Known.insert(D).second)
    return false;
  Decls.push_back(D);
  return true;
}

bool CopiedDeclarations::hasText(SourceRange Tokens) const {
  return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Tokens), Ast.getSourceManager(),
                                  Ast.getLangOpts())
      .isValid();
}

bool CopiedDeclarations::replace(SourceRange Tokens, const std::string &Text) {
  const SourceManager &SM = Ast.getSourceManager();
  const CharSourceRange R =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Tokens), SM, Ast.getLangOpts());
  return R.isValid() && Edits[SM.getFileID(R.getBegin())].replace(
                            SM.getFileOffset(R.getBegin()), SM.getFileOffset(R.getEnd()), Text);
}

bool CopiedDeclarations::wrap(SourceRange Tokens, unsigned Level, const std::string &Before,
                              const std::string &After) {
  const SourceManager &SM = Ast.getSourceManager();
  const CharSourceRange R =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Tokens), SM, Ast.getLangOpts());
  return R.isValid() &&
         Edits[SM.getFileID(R.getBegin())].wrap(SM.getFileOffset(R.getBegin()),
                                                SM.getFileOffset(R.getEnd()), Level, Before, After);
}

/// The copy stands after the whole file: a macro must still mean there what it means here. And
/// another compiler may take another branch of an #if, which nobody has retyped.
std::optional<NoCopy> CopiedDeclarations::findUnstableMacro(CharSourceRange Range) const {
  const SourceManager &SM = Ast.getSourceManager();
  const auto [File, Begin] = SM.getDecomposedLoc(Range.getBegin());
  const unsigned End = SM.getFileOffset(Range.getEnd());
  const StringRef Buffer = SM.getBufferData(File);
  Lexer Lex(SM.getLocForStartOfFile(File), Ast.getLangOpts(), Buffer.begin(),
            Buffer.begin() + Begin, Buffer.end());
  bool Hash = false;
  for (Token T; !Lex.LexFromRawLexer(T) && SM.getFileOffset(T.getLocation()) < End;) {
    if (Hash && T.is(tok::raw_identifier) &&
        (T.getRawIdentifier().starts_with("if") || T.getRawIdentifier().starts_with("el")))
      return NoCopy{"'#" + T.getRawIdentifier().str() + "' inside of a declaration",
                    T.getLocation()};
    Hash = T.is(tok::hash) && T.isAtStartOfLine();
    if (!T.is(tok::raw_identifier))
      continue;
    const IdentifierInfo *Name = PP.getIdentifierInfo(T.getRawIdentifier());
    if (!Name->hadMacroDefinition())
      continue;
    const MacroDirective *Last = PP.getLocalMacroDirectiveHistory(Name);
    if (!Last)
      continue;
    const MacroDirective::DefInfo Here = Last->findDirectiveAtLoc(T.getLocation(), SM);
    const MacroInfo *Then = Here && !Here.isUndefined() ? Here.getMacroInfo() : nullptr;
    const MacroInfo *Now = Last->isDefined() ? Last->getMacroInfo() : nullptr;
    if (Then != Now)
      return NoCopy{"the macro '" + Name->getName().str() +
                        "', which means something else at the end of the file",
                    T.getLocation()};
  }
  return std::nullopt;
}

std::optional<NoCopy> CopiedDeclarations::write(std::string &Text) const {
  const SourceManager &SM = Ast.getSourceManager();
  std::vector<Piece> Pieces;
  for (const Decl *D : Decls) {
    const CharSourceRange R = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(D->getSourceRange()), SM, Ast.getLangOpts());
    const auto *Named = dyn_cast<NamedDecl>(D);
    const std::string Name = Named ? Named->getNameAsString() : "";
    if (R.isInvalid())
      return NoCopy{"'" + Name + "', which a macro declares", D->getLocation()};
    if (std::optional<NoCopy> Problem = findUnstableMacro(R))
      return Problem;
    Pieces.push_back({SM.getFileID(R.getBegin()), SM.getFileOffset(R.getBegin()),
                      SM.getFileOffset(R.getEnd()), R.getBegin(),
                      namespacesOf(D->getLexicalDeclContext()), isInSeptran(*D)});
  }
  std::sort(Pieces.begin(), Pieces.end(), [&](const Piece &A, const Piece &B) {
    if (A.IsLeafOfOurs != B.IsLeafOfOurs)
      return A.IsLeafOfOurs;
    if (A.Loc != B.Loc)
      return SM.isBeforeInTranslationUnit(A.Loc, B.Loc);
    return A.End > B.End;
  });

  std::set<std::string> Leaves, Namespaces;
  for (const Decl *D : Decls)
    if (const auto *Named = dyn_cast<NamedDecl>(D); Named && isInSeptran(*D))
      Leaves.insert(Named->getNameAsString());

  std::string LeafText, UserText;
  const Piece *Previous = nullptr;
  for (const Piece &P : Pieces) {
    if (Previous && Previous->File == P.File && P.Begin < Previous->End) {
      // `float a, b;`: the text of the longest goes for all.
      if (P.End <= Previous->End)
        continue;
      return NoCopy{"declarations that share a part of their text", P.Loc};
    }
    Previous = &P;
    const StringRef Buffer = SM.getBufferData(P.File);
    const auto Changed = Edits.find(P.File);
    std::string Copy = Changed == Edits.end() ? Buffer.substr(P.Begin, P.End - P.Begin).str()
                                              : Changed->second.apply(Buffer, P.Begin, P.End);
    std::string Line;
    if (const OptionalFileEntryRef Entry = SM.getFileEntryRefForID(P.File))
      Line = "#line " + std::to_string(SM.getLineNumber(P.File, P.Begin)) + " \"" +
             quotedPath(Entry->getName()) + "\"\n";
    if (P.IsLeafOfOurs) {
      LeafText += Line + Copy + ";\n";
      continue;
    }
    std::string Open = "namespace septran_reference {", Close = "}", Path;
    for (const NamespaceDecl *N : P.Path) {
      Open += std::string(N->isInline() ? " inline" : "") + " namespace " +
              (N->isAnonymousNamespace() ? "" : N->getNameAsString()) + " {";
      Close += " }";
      Path += N->isAnonymousNamespace() ? "" : "::" + N->getNameAsString();
    }
    // What is not copied is found behind the same qualifiers.
    if (!Path.empty() && Namespaces.insert(Path).second)
      UserText += Open + " using namespace " + Path + "; " + Close + "\n";
    UserText += Open + "\n" + Line + Copy + ";\n" + Close + "\n";
  }
  Text = "#include <septran/verify/reference.h>\n";
  if (!LeafText.empty())
    Text += "namespace septran::reference {\n" + LeafText + "}\n";
  for (const std::string &Name : Leaves)
    Text += "namespace septran_reference::septran { using ::septran::reference::" + Name + "; }\n";
  Text += UserText + "#line 1 \"after the reference\"\n";
  return std::nullopt;
}

} // namespace septran::compiler
