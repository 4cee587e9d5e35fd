//===- Support/InputFile.h - Reading a whole file ---------------*- C++ -*-===//
#ifndef SEPTRAN_SUPPORT_INPUTFILE_H
#define SEPTRAN_SUPPORT_INPUTFILE_H

#include "Support/Diagnostics.h"

#include <optional>
#include <string>

namespace septran::compiler {

/// The contents of a file of at most `MaxBytes`. A message about a file that cannot be read points
/// at `Use`, the place that names it, or at nothing if the command line did.
std::optional<std::string> readInputFile(const std::string &Path, size_t MaxBytes,
                                         const Location &Use, Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_INPUTFILE_H
