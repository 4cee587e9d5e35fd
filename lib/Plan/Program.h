//===- Program.h - the mapped program ---------------------------*- C++ -*-===//
//
// The IR of the middle end: the entry point's task tree, expanded along the mapping, as one Block of
// statements (IR/Stmt.h). Each pass is a function from Program to Program; the IR prints after every
// pass and is verified after every pass.
//
//   after      the Block holds
//   resolve    a Scope per instance; its parameters are Defines (views of the caller's tensors)
//   place      Alloc and CopyStmt around every Scope whose parameter lives in another memory or layout
//   simplify   the same copies, fewer and further out (rules are recorded in Log)
//   bind       leaf loops with their execution chosen (lanes, unrolled), or primitive calls
//   layout     every Alloc with a BufferLayout
//   pipeline   prefetches
//   allocate   every Alloc in a bounded memory checked against its capacity
//   synchronise  every spread loop with the dependences that its end serves
//   keep       what is made of constants alone marked, and under an If that fills it once
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/BufferLayout.h"
#include "IR/Stmt.h"
#include "Logic/TaskGraph.h"
#include "Machine/Machine.h"
#include "Mapping/Mapping.h"
#include "Support/Diagnostics.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace septran::compiler {

/// One node of the mapped task tree. An instance of the mapping file that is launched at two places
/// gives two of these.
struct InstanceInfo {
  std::string Name; ///< of the instance in the mapping, or of the function if it has none
  std::shared_ptr<const Function> Task;
  std::shared_ptr<const Function> Called; ///< in the C++, whose place Task takes; the entry's own
  std::string Proc;
  unsigned Depth = 0; ///< of Proc in the machine's hierarchy, 0 outermost
  const InstanceMapping *Settings = nullptr; ///< null: everything inherited from the caller
  std::string Binding; ///< primitive, for leaves; "" for generic loops
  Location CallLoc;    ///< the launch in the C++; the task itself for the entry
  const InstanceInfo *Caller = nullptr;
  std::map<std::string, std::int64_t> Tunables; ///< values; -1 stands for full, and for a team's

  /// Where the mapping file speaks of this instance; the call if it does not.
  const Location &where() const { return Settings ? Settings->Name.Loc : CallLoc; }
};
using InstanceRef = std::shared_ptr<const InstanceInfo>;

/// The Reason of the buffers and copies that an argument of an instance is the cause of.
inline std::string argumentReason(const InstanceInfo &I, const std::string &Argument) {
  return "argument '" + Argument + "' of " + I.Name;
}

/// What a pass did, for --explain. Rule is the name in mapping.md's list: streaming, hoisting,
/// duplicates, dropped, ...
struct RewriteRecord {
  std::string Pass, Rule, Text;
  Location Loc;
};

struct Program {
  std::shared_ptr<const Function> Entry;
  std::vector<Parameter> Params; ///< the entry's, with tensors placed in memory
  Block Body;                    ///< one Scope, the entry's instance, or a choice between several
  std::shared_ptr<const Machine> Target;
  std::shared_ptr<const Mapping> Map;
  std::vector<InstanceRef> Instances; ///< in launch order
  std::vector<RewriteRecord> Log;
  /// Leaves none of whose loops runs in lanes, though the processor has some, each with the reason.
  std::vector<std::pair<InstanceRef, std::string>> Scalar;
};

std::string printProgram(const Program &P);

} // namespace septran::compiler
