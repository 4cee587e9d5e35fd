//===- Support/Sarif.h - Diagnostics for machines ---------------*- C++ -*-===//
//
// SARIF 2.1.0 (OASIS standard, 2020): what editors and code-review tools read. Ours is written from
// the collected values, so it needs no clang and covers C++ and YAML alike.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_SARIF_H
#define SEPTRAN_SUPPORT_SARIF_H

#include "Support/Diagnostics.h"

#include <ostream>
#include <string_view>

namespace septran::compiler {

/// Writes one run of the tool `ToolName` of version `ToolVersion`.
void writeSarif(const Diagnostics &D, std::ostream &OS, std::string_view ToolName,
                std::string_view ToolVersion);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_SARIF_H
