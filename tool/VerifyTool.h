//===- VerifyTool.h - one run of septran-verify ------------------*- C++ -*-===//
#pragma once

#include "CommonOptions.h"
#include "Verify/VerifyMapping.h"

#include "clang/Tooling/CompilationDatabase.h"

#include <string>
#include <vector>

namespace septran::compiler {

struct VerifyOptions {
  std::vector<std::string> CommandLine; ///< as given, to say how a call is repeated
  std::string Source;
  MappingRequest Inputs;             ///< of the first mapping
  std::vector<std::string> Mappings; ///< files
  VerifyRequest Request;
  bool PrintShapes = false;
  bool Variants = false;                        ///< compare the variants of each family, no mapping
  unsigned RandomMappings = 0, RandomLogic = 0; ///< programs to verify; 0: neither
  std::string Entry;                            ///< of random mappings
  unsigned FirstItem = 0;
  std::string Failures; ///< folder of reproducers
  std::string Compiler;
  std::string Keep; ///< folder; empty: files are removed
  unsigned Jobs = 1;
};

ToolExit verifyFile(const clang::tooling::CompilationDatabase &Flags, const VerifyOptions &Options);
ToolExit verifyRandomLogic(const VerifyOptions &Options);

} // namespace septran::compiler
