//===- Locations.cpp -----------------------------------------------*- C++ -*-===//
#include "Logic/Locations.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace septran::compiler {

FileName Locations::nameOf(FileID File) const {
  auto [It, New] = Names.try_emplace(File);
  // The name that the first byte has: a #line directive of the user's comes later.
  if (New && SM.getFileEntryRefForID(File))
    It->second =
        FileName(std::string_view(SM.getPresumedLoc(SM.getLocForStartOfFile(File)).getFilename()));
  return It->second;
}

Location Locations::point(SourceLocation Loc) const {
  if (Loc.isInvalid())
    return {};
  auto [File, Offset] = SM.getDecomposedExpansionLoc(Loc);
  Location L;
  L.File = nameOf(File);
  L.Line = SM.getLineNumber(File, Offset);
  L.Column = SM.getColumnNumber(File, Offset);
  return L;
}

Location Locations::range(SourceRange Range) const {
  Location L = point(Range.getBegin());
  if (!L.isValid())
    return L;
  SourceLocation End = SM.getExpansionRange(Range.getEnd()).getEnd();
  auto [File, Offset] = SM.getDecomposedLoc(End);
  if (File != SM.getDecomposedExpansionLoc(Range.getBegin()).first)
    return L;
  Offset += Lexer::MeasureTokenLength(End, SM, LangOpts);
  L.EndLine = SM.getLineNumber(File, Offset);
  L.EndColumn = SM.getColumnNumber(File, Offset);
  return L;
}

std::optional<SourceText> Locations::text(SourceRange Range) const {
  CharSourceRange Chars =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(Range), SM, LangOpts);
  if (Chars.isInvalid())
    return std::nullopt;
  auto [File, Begin] = SM.getDecomposedLoc(Chars.getBegin());
  SourceText Text;
  Text.File = nameOf(File);
  Text.Begin = Begin;
  Text.End = SM.getFileOffset(Chars.getEnd());
  Text.Line = SM.getLineNumber(File, Begin);
  return Text;
}

bool Locations::isInMainFile(SourceLocation Loc) const {
  return SM.getFileID(SM.getExpansionLoc(Loc)) == SM.getMainFileID();
}

std::string Locations::mainFile() const { return nameOf(SM.getMainFileID()); }

std::vector<std::string> Locations::files() const {
  std::vector<std::string> Files;
  llvm::StringSet<> Seen;
  for (unsigned I = 0, E = SM.local_sloc_entry_size(); I != E; ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
    if (File && Seen.insert(File->getName()).second)
      Files.push_back(SM.hasLineTable() ? nameOf(SM.translateFile(*File)).str()
                                        : File->getName().str());
  }
  return Files;
}

} // namespace septran::compiler
