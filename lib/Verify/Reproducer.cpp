//===- Reproducer.cpp - a failure to take away ----------------------------===//
#include "Verify/Reproducer.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fstream>

namespace septran::compiler {

std::string writeReproducer(const std::string &Folder, const Reproducer &R) {
  static const char Anchor = 0;
  if (llvm::sys::fs::create_directories(Folder))
    return "";
  llvm::sys::fs::copy_file(R.LogicFile, Folder + "/logic.cpp");
  std::ofstream(Folder + "/mapping.yaml") << R.MappingText;
  std::ofstream(Folder + "/problem.txt") << R.What << "\n";
  std::string Script = Folder + "/run.sh";
  std::ofstream OS(Script);
  OS << "#!/bin/sh\n# Shows the failure. Compiler flags of the logic file are its arguments.\n"
        "cd \"$(dirname \"$0\")\"\n"
        "verify='"
     << llvm::sys::fs::getMainExecutable("", const_cast<char *>(&Anchor))
     << "'\n[ -x \"$verify\" ] || verify=septran-verify\n"
        "exec \"${SEPTRAN_VERIFY:-$verify}\" logic.cpp --mapping mapping.yaml --machine '"
     << R.Machine << "'";
  for (const std::string &S : R.Shape)
    OS << " \\\n  --shape '" << S << "'";
  if (!R.Call.empty())
    OS << " \\\n  --call '" << R.Call << "'";
  OS << " \\\n  -- -std=c++20 \"$@\"\n";
  OS.close();
  llvm::sys::fs::setPermissions(Script, llvm::sys::fs::all_read | llvm::sys::fs::all_exe |
                                            llvm::sys::fs::owner_write);
  return Folder;
}

std::string keepItem(const std::string &Folder, const std::string &ItemFolder,
                     const std::string &Machine, const std::string &What) {
  Reproducer R{ItemFolder + "/logic.cpp", "", Machine, What, {}, ""};
  if (auto Mapping = llvm::MemoryBuffer::getFile(ItemFolder + "/mapping.yaml"))
    R.MappingText = (*Mapping)->getBuffer().str();
  return writeReproducer(Folder, R);
}

} // namespace septran::compiler
