//===- Reproducer.h - a failure to take away ----------------------*- C++ -*-===//
#pragma once

#include "Verify/RunCase.h"

#include <string>
#include <vector>

namespace septran::compiler {

struct Reproducer {
  std::string LogicFile; ///< is copied
  std::string MappingText;
  std::string Machine;            ///< name or path
  std::string What;               ///< what goes wrong
  std::vector<std::string> Shape; ///< `C[0]=5`: the shape at which it does
  std::string Call;               ///< as --call takes it; empty: all calls of the shape
};

/// Writes logic.cpp, mapping.yaml, problem.txt and run.sh, which shows the failure, into Folder.
/// Returns the folder; empty if it cannot be written.
std::string writeReproducer(const std::string &Folder, const Reproducer &R);

/// The same from an item's own files: what there is of logic.cpp and mapping.yaml.
std::string keepItem(const std::string &Folder, const std::string &ItemFolder,
                     const std::string &Machine, const std::string &What);

} // namespace septran::compiler
