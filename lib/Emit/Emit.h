//===- Emit.h - Program -> source text --------------------------*- C++ -*-===//
#pragma once

#include "Emit/Splice.h"
#include "Plan/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

struct EmitRequest {
  std::string MainText;                 ///< of the logic file
  std::string MainName;                 ///< as #line directives name it
  std::string OutputName;               ///< as #line directives name the generated file
  std::string MappingName, MachineName; ///< for the file's first comment
  /// Functions or constants of the user's may have been used by the entry point alone.
  bool HasInternalNames = false;
  std::vector<std::string> Headers; ///< more that the output includes, as `<septran/...>`
  std::vector<Edit> Edits;          ///< more of the logic file's own text
  /// -DSEPTRAN_CHECKED chooses the plain entry point again, whose accesses are checked.
  bool KeepsPlain = false;
};

/// The logic file with the entry point's body replaced by the mapped program. Everything else
/// stays: other functions, includes, comments; #line directives keep errors in user text at their
/// place.
std::optional<std::string> emitOpenMP(const Program &P, const TaskGraph &Graph,
                                      const EmitRequest &Request, Diagnostics &D);

/// Whether `emitOpenMP` has an output for P, in less time.
bool canEmitOpenMP(const Program &P);

/// The same as `emitOpenMP` for CUDA and HIP: the kernels stand before the entry point's
/// definition.
std::optional<std::string> emitCuda(const Program &P, const TaskGraph &Graph,
                                    const EmitRequest &Request, Diagnostics &D);

} // namespace septran::compiler
