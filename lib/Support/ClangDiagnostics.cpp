//===- Support/ClangDiagnostics.cpp ----------------------------*- C++ -*-===//
#include "Support/ClangDiagnostics.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/FileManager.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

#include <sstream>

namespace septran::compiler {

void nameFile(clang::SourceManager &SM, clang::FileID File, const std::string &Name,
              clang::SrcMgr::CharacteristicKind Kind) {
  // A directive in line 0 would say that line 1 comes next; this one stands in line 1.
  SM.AddLineNote(SM.getLocForStartOfFile(File), 2, int(SM.getLineTableFilenameID(Name)),
                 /*IsFileEntry=*/false, /*IsFileExit=*/false, Kind);
}

clang::FileID LocationMap::fileOf(const std::string &Path) {
  auto [It, New] = Files.try_emplace(Path);
  if (!New)
    return It->second;
  clang::FileManager &FM = SM.getFileManager();
  // Our paths start in the current folder; clang's, where the compiler is said to run.
  llvm::SmallString<256> Here(Path), There(Path);
  FM.makeAbsolutePath(There);
  if (!llvm::sys::fs::make_absolute(Here) && Here != There)
    if (clang::OptionalFileEntryRef File = FM.getOptionalFileRef(Here)) {
      It->second = SM.translateFile(*File);
      if (It->second.isInvalid()) {
        It->second = SM.createFileID(*File, clang::SourceLocation(), clang::SrcMgr::C_User);
        nameFile(SM, It->second, Path, clang::SrcMgr::C_User);
      }
      return It->second;
    }
  if (clang::OptionalFileEntryRef File = FM.getOptionalFileRef(Path))
    It->second = SM.getOrCreateFileID(*File, clang::SrcMgr::C_User);
  return It->second;
}

clang::SourceLocation LocationMap::translate(const Location &Loc, unsigned Line, unsigned Column) {
  if (Loc.File.empty())
    return {};
  clang::FileID File = fileOf(Loc.File);
  if (File.isInvalid())
    return {};
  // A place in a whole file: its first character.
  return SM.translateLineCol(File, Line ? Line : 1, Line ? Column : 1);
}

clang::SourceLocation LocationMap::translate(const Location &Loc) {
  return translate(Loc, Loc.Line, Loc.Column);
}

clang::CharSourceRange LocationMap::translateRange(const Location &Loc) {
  clang::SourceLocation Begin = translate(Loc);
  clang::SourceLocation End =
      Loc.hasRange() ? translate(Loc, Loc.EndLine, Loc.EndColumn) : clang::SourceLocation();
  return clang::CharSourceRange::getCharRange(Begin, End.isValid() ? End : Begin);
}

namespace {

using clang::DiagnosticIDs;

DiagnosticIDs::Level clangLevel(DiagLevel Level) {
  switch (Level) {
  case DiagLevel::Note:
    return DiagnosticIDs::Note;
  case DiagLevel::Remark:
    return DiagnosticIDs::Remark;
  case DiagLevel::Warning:
    return DiagnosticIDs::Warning;
  case DiagLevel::Error:
    return DiagnosticIDs::Error;
  }
  return DiagnosticIDs::Error;
}

/// Our texts are complete before clang sees them: as an argument, so that their percent signs are
/// not taken for its own placeholders.
void report(clang::DiagnosticsEngine &DE, LocationMap &Places, DiagLevel Level, std::string Text,
            const Location &Loc, const FixIt *Fix) {
  unsigned ID = DE.getDiagnosticIDs()->getCustomDiagID(clangLevel(Level), "%0");
  clang::SourceLocation Place = Places.translate(Loc);
  if (Place.isInvalid() && !Loc.File.empty()) {
    std::ostringstream Prefix;
    Prefix << Loc << ": ";
    Text = Prefix.str() + Text;
  }
  auto Builder = DE.Report(Place, ID);
  Builder << Text;
  if (Place.isValid() && Loc.hasRange())
    Builder << Places.translateRange(Loc);
  if (!Fix)
    return;
  clang::CharSourceRange Range = Places.translateRange(Fix->Range);
  if (Range.isValid())
    Builder << clang::FixItHint::CreateReplacement(Range, Fix->Text);
}

} // namespace

void emitThroughClang(const Diagnostics &D, clang::DiagnosticsEngine &DE) {
  LocationMap Places(DE.getSourceManager());
  for (const Diagnostic &Diag : D) {
    report(DE, Places, levelOf(Diag.ID),
           formatMessage(Diag.ID, Diag.Args) + " [septran-" + nameOf(Diag.ID) + "]", Diag.Loc,
           Diag.Fix ? &*Diag.Fix : nullptr);
    for (const Note &N : Diag.Notes)
      report(DE, Places, DiagLevel::Note, formatMessage(N.ID, N.Args), N.Loc, nullptr);
  }
}

} // namespace septran::compiler
