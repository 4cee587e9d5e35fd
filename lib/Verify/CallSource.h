//===- CallSource.h - source files of the libraries to compare ----*- C++ -*-===//
//
// Each form of a program becomes a library with the one function of septran/verify/call.h. Its
// source includes the form's own text, so that an entry point in an unnamed namespace is reached,
// too.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Logic/TaskGraph.h"

#include <string>
#include <vector>

namespace septran::compiler {

/// The logic file as it is, or rewritten: `File` is included, and `Entry` called.
std::string callSource(const std::string &File, const Function &Entry);

/// CUDA source that is compiled for the emulator of GPUs. Kernels may use the memory of the tensors
/// that are `OnDevice`, by parameter, and no other memory of the caller. The number of threads that
/// a case asks for chooses the schedule: eager, lazy, or a random one.
std::string emulatedCallSource(const std::string &File, const Function &Entry,
                               const std::vector<bool> &OnDevice);

/// The same with the text of the retyped program, whose entry is `ReferenceEntry`, after it.
std::string referenceCallSource(const std::string &File, const std::string &Text,
                                const Function &Entry, const std::string &ReferenceEntry);

} // namespace septran::compiler
