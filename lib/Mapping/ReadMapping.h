//===- Mapping/ReadMapping.h - Mapping file to Mapping ----------*- C++ -*-===//
#ifndef SEPTRAN_MAPPING_READMAPPING_H
#define SEPTRAN_MAPPING_READMAPPING_H

#include "Mapping/Mapping.h"
#include "Support/Diagnostics.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace septran::compiler {

struct ReadMappingOptions {
  /// Values for tune points by path, instead of their defaults.
  std::map<std::string, std::string> Choices;
  /// Receives every file that was opened, the mapping itself first: the inputs of a depfile.
  std::vector<std::string> *Files = nullptr;
};

/// Reads a mapping file and everything it includes or extends. Reports all mistakes it finds and
/// returns nothing if one of them is an error.
std::optional<Mapping> readMapping(const std::string &Path, Diagnostics &D,
                                   const ReadMappingOptions &Options = {});

/// The same for text that is already in memory; `Name` stands in the messages, and its folder is
/// where relative `include` and `extends` look.
std::optional<Mapping> readMappingText(std::string_view Text, const std::string &Name,
                                       Diagnostics &D, const ReadMappingOptions &Options = {});

} // namespace septran::compiler

#endif // SEPTRAN_MAPPING_READMAPPING_H
