//===- Support/OutputFile.h - All of a file or none of it -------*- C++ -*-===//
#ifndef SEPTRAN_SUPPORT_OUTPUTFILE_H
#define SEPTRAN_SUPPORT_OUTPUTFILE_H

#include "Support/Diagnostics.h"

#include <string>
#include <string_view>

namespace septran::compiler {

/// Writes `Contents` to a temporary file in the folder of `Path` and renames it: a reader sees the
/// old file or the new one, and an error leaves the old one as it was. Permissions of an existing
/// file are kept. A path that is no regular file (a device, a pipe) is written to directly, and
/// `-` is standard output. Reports and returns false on failure.
bool writeOutputFile(const std::string &Path, std::string_view Contents, Diagnostics &D);

/// To be asked before long work: whether `writeOutputFile` finds a folder, or a file, that it may
/// write to. Reports and returns false if not.
bool canWriteOutputFile(const std::string &Path, Diagnostics &D);

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_OUTPUTFILE_H
