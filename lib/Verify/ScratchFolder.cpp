//===- ScratchFolder.cpp - a place for generated files --------------------===//
#include "Verify/ScratchFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace septran::compiler {

ScratchFolder::ScratchFolder(const std::string &Kept) : Temporary(Kept.empty()) {
  llvm::SmallString<256> Folder(Kept);
  std::error_code Error = Temporary ? llvm::sys::fs::createUniqueDirectory("septran-verify", Folder)
                                    : llvm::sys::fs::create_directories(Folder);
  if (Error) {
    Problem = "cannot make the folder " + (Kept.empty() ? "for temporary files" : Kept) + ": " +
              Error.message();
    return;
  }
  llvm::sys::fs::make_absolute(Folder);
  Path = Folder.str().str();
}

ScratchFolder::~ScratchFolder() {
  if (Temporary && !Path.empty())
    llvm::sys::fs::remove_directories(Path);
}

} // namespace septran::compiler
