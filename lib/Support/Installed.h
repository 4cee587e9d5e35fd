//===- Installed.h - files that lie beside an installed tool -----*- C++ -*-===//
#pragma once

#include <string>

namespace septran::compiler {

/// `Relative`, such as "share/septran/machines", in the folder that this program or plugin is
/// installed in: at most three levels above its file, wherever that was moved to. Empty if there is
/// none, as in a build folder.
std::string installedPath(const std::string &Relative);

} // namespace septran::compiler
