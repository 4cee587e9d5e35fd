//===- Machine/ReadMachine.h - Machine file to Machine ----------*- C++ -*-===//
#ifndef SEPTRAN_MACHINE_READMACHINE_H
#define SEPTRAN_MACHINE_READMACHINE_H

#include "Machine/Machine.h"
#include "Support/Diagnostics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace septran::compiler {

/// Reads a machine file. `NameOrPath` is a path if a file is there or if it ends in `.yaml`; else
/// the machine `name` is the file `<dir>/name.yaml` in the first of `SearchDirs` that has it. A
/// message about a machine that cannot be found points at `Use`, where its name was written.
/// `Files` receives every file that was opened.
std::optional<Machine> readMachine(const std::string &NameOrPath,
                                   const std::vector<std::string> &SearchDirs, Diagnostics &D,
                                   const Location &Use = {},
                                   std::vector<std::string> *Files = nullptr);

/// The same for text that is already in memory.
std::optional<Machine> readMachineText(std::string_view Text, const std::string &Name,
                                       Diagnostics &D);

/// Names of the machines in `SearchDirs`, sorted: `cpu/generic`, `cpu/x86-avx2`, ...
std::vector<std::string> availableMachines(const std::vector<std::string> &SearchDirs);

} // namespace septran::compiler

#endif // SEPTRAN_MACHINE_READMACHINE_H
