//===- NamesFromHere.cpp -------------------------------------------*- C++ -*-===//
#include "Logic/NamesFromHere.h"

#include "Support/ClangDiagnostics.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace septran::compiler {

namespace {

class Namer : public PPCallbacks {
  SourceManager &SM;
  std::string Here, File;

  std::string nameOf(FileID Entered, FileEntryRef Entry) const {
    if (Entered == SM.getMainFileID())
      return File;
    llvm::SmallString<256> Path(Entry.getName());
    SM.getFileManager().makeAbsolutePath(Path);
    llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    llvm::StringRef Inside = Path;
    return (Inside.consume_front(Here) && Inside.consume_front("/") ? Inside : Path.str()).str();
  }

public:
  Namer(SourceManager &SM, std::string Here, std::string File)
      : SM(SM), Here(std::move(Here)), File(std::move(File)) {}

  void FileChanged(SourceLocation Loc, FileChangeReason Reason, SrcMgr::CharacteristicKind Kind,
                   FileID) override {
    if (Reason != EnterFile)
      return;
    const FileID Entered = SM.getFileID(Loc);
    if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Entered))
      nameFile(SM, Entered, nameOf(Entered, *Entry), Kind);
  }
};

} // namespace

void nameFilesFromHere(CompilerInstance &CI, const std::string &File) {
  llvm::SmallString<256> Here;
  auto There = CI.getVirtualFileSystem().getCurrentWorkingDirectory();
  if (llvm::sys::fs::current_path(Here) || !There || *There == Here)
    return;
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<Namer>(CI.getSourceManager(), Here.str().str(), File));
}

} // namespace septran::compiler
