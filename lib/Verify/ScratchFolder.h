//===- ScratchFolder.h - a place for generated files --------------*- C++ -*-===//
#pragma once

#include <string>

namespace septran::compiler {

/// A new folder of the user's alone, removed with all that is in it; or one that stays.
class ScratchFolder {
  std::string Path, Problem;
  bool Temporary;

public:
  /// An empty name: a temporary folder.
  explicit ScratchFolder(const std::string &Kept);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  const std::string &path() const { return Path; }
  const std::string &problem() const { return Problem; }
};

} // namespace septran::compiler
