//===- MappedLogic.h - logic + mapping + machine ------------------*- C++ -*-===//
//
// What every tool does with the three inputs: find and read the files, run the passes, emit source.
// Options, outputs and exit codes are the tools' own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/Frontend.h"
#include "Plan/Program.h"
#include "Plan/ShapeRelations.h"
#include "Plan/ShapeSpec.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace septran::compiler {

/// How a command line names the mapping and the machine.
struct MappingRequest {
  std::string Mapping;                  ///< file
  std::string Machine;                  ///< name or path; empty: the mapping says
  std::vector<std::string> MachinePath; ///< searched before the shipped machine files
  std::vector<std::string> Tune;        ///< path=value
  std::string Entry;                    ///< without a mapping: the task to derive one for
  std::vector<ShapeSpec> Shapes;        ///< without a mapping: the shapes to derive one for

  /// There is a machine to derive a mapping for.
  bool derives() const { return Mapping.empty() && !Machine.empty(); }
};

struct MappedInputs {
  std::shared_ptr<const compiler::Mapping> Map;
  std::shared_ptr<const Machine> Target; ///< null after an error that is reported
};

/// Reads the mapping, then the machine that it or the request names. A mapping that can be read is
/// returned whatever becomes of the machine. Every file that is opened is added to `Files`.
MappedInputs readInputs(const MappingRequest &Request, Diagnostics &D,
                        std::vector<std::string> &Files);

/// Without a mapping: the machine that the request names, and a mapping derived for it
/// (Derive/DeriveMapping.h). `Progress` is told how many mappings have been tried, with each.
MappedInputs deriveInputs(const MappingRequest &Request, const FrontendResult &Result, Diagnostics &D,
                          std::vector<std::string> &Files,
                          const std::function<void(unsigned)> &Progress);

/// The machine that the request names; null after a report. Files that are opened are added to
/// `Files`.
std::shared_ptr<const Machine> readRequestedMachine(const MappingRequest &Request, Diagnostics &D,
                                                    std::vector<std::string> *Files = nullptr);

/// Folders of the shipped machine files, in search order: beside an installed tool, in the source
/// tree.
std::vector<std::string> shippedMachineFolders();

/// The logic file as clang read it: the buffer, so that what is emitted is what was parsed.
std::string mainFileText(const FrontendResult &Result);

/// Source text for the machine's output language. The names go into comments and #line directives.
struct OutputNames {
  std::string Source, Output, Mapping;
  std::string OutputFolder = {}; ///< absolute; of libraries, whose includes are found from there
};
std::optional<std::string> emitSource(const Program &P, const FrontendResult &Result,
                                      const OutputNames &Names, Diagnostics &D);

/// The same as a library with a C interface, whose symbols begin with `Library`.
struct LibraryFiles {
  std::string Header, Source;
};
std::optional<LibraryFiles> emitLibrary(const Program &P, const ShapeRelations &Shapes,
                                        const FrontendResult &Result, const OutputNames &Names,
                                        const std::string &Library, Diagnostics &D);

} // namespace septran::compiler
