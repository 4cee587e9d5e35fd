//===- Installed.cpp - files that lie beside an installed tool ------------===//
#include "Support/Installed.h"

#include <dlfcn.h>
#include <filesystem>

namespace septran::compiler {

std::string installedPath(const std::string &Relative) {
  static const char Anchor = 0;
  Dl_info Info;
  std::error_code EC;
  if (!dladdr(&Anchor, &Info) || !Info.dli_fname)
    return "";
  // A program is named as it was called, which is no path if it was found on the PATH.
  const std::string Name = Info.dli_fname;
  const std::string File = Name.find('/') == std::string::npos ? "/proc/self/exe" : Name;
  std::filesystem::path Folder = std::filesystem::canonical(File, EC).parent_path();
  for (int Level = 0; Level < 3 && Folder.has_relative_path(); ++Level) {
    Folder = Folder.parent_path();
    if (std::filesystem::exists(Folder / Relative, EC))
      return (Folder / Relative).string();
  }
  return "";
}

} // namespace septran::compiler
