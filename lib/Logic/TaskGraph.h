//===- TaskGraph.h - what a logic file says ---------------------*- C++ -*-===//
//
// The front end's result: every task and leaf instantiation that is reachable from the tasks of a
// translation unit, free of clang types. Everything behind lib/Logic works on these values.
//
//   family   the group of interchangeable variants, by default the function's own name
//   variant  one Function of a family; all variants of a family have the same signature
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include <memory>
#include <string>
#include <vector>

namespace septran::compiler {

enum class FunctionKind {
  Task,       ///< launches, partitions, loops; touches no element
  Leaf,       ///< loop-nest form
  OpaqueLeaf, ///< outside the loop-nest form: emitted as the user's own text
};

enum class Privilege { Read, ReadWrite, Write, Reduce };
bool reads(Privilege P);  ///< Read, ReadWrite
bool writes(Privilege P); ///< ReadWrite, Write, Reduce

/// As the attribute spells it: "+", "*", "min", "max".
std::string_view reductionName(UpdateOp Op);

struct Parameter {
  std::string Name;
  TensorRef Tensor; ///< tensor parameters
  VarRef Scalar;    ///< scalar parameters
  Privilege Access = Privilege::Read;
  UpdateOp Reduction = UpdateOp::Set; ///< of Privilege::Reduce
  Location Loc;
  bool IsNamed = true; ///< in the source; else Name is made up
  bool IsConstant = false; ///< a septran::constant
  bool isTensor() const { return Tensor != nullptr; }
};

struct Tunable {
  VarRef V;
  Expr Default; ///< may name extents and earlier tunables; null: the whole extent
  Location Loc;
};

/// A range of bytes in a source file, and the line it starts on.
struct SourceText {
  std::string File;
  unsigned Begin = 0, End = 0; ///< byte offsets
  unsigned Line = 0;
};

struct Function {
  std::string Name;          ///< plain name, "gemm_leaf"
  std::string Family;        ///< "gemm"
  std::string QualifiedName; ///< how generated code calls it, "septran::fill", "ns::leaf"
  /// How generated code calls exactly this function: QualifiedName, with all template arguments if
  /// it is an instantiation, "septran::fill<float>".
  std::string CallName;
  std::string Signature; ///< readable, with template arguments: "gemm_leaf<float, float>"
  FunctionKind Kind = FunctionKind::Task;
  std::string OpaqueReason; ///< OpaqueLeaf: what is outside the form
  Location OpaqueLoc;
  std::vector<Parameter> Params;
  std::vector<Tunable>
      Tunables; ///< in order; also defined in Body by nothing (the mapping gives values)
  Block Body;   ///< empty for opaque leaves
  Location Loc; ///< of the name
  /// The definition's body, braces included, in its file; entry points are rewritten there.
  SourceText BodyText;
  /// The whole definition (attributes and template head included).
  SourceText DefinitionText;
  bool InMainFile = false;
  bool IsTemplate = false;       ///< an instantiation
  bool IsEntryCandidate = false; ///< a task, not a template, defined in the main file
  bool IsImplied = false;        ///< not in the source: see ImpliedVariants.h
};

using FunctionRef = std::shared_ptr<const Function>;

/// Parameters of the same types, whatever the privileges: one can be launched where the other is.
bool sameSignature(const Function &A, const Function &B);

struct TaskGraph {
  std::string MainFile;
  /// Deterministic: order of first definition in the translation unit, callees discovered later
  /// after.
  std::vector<FunctionRef> Functions;
  /// Attributes [[septran::...]] in the main file, double brackets included, for blanking.
  std::vector<SourceText> Attributes;
  std::vector<std::string> Files; ///< all files read, for depfiles

  /// Functions whose Name or Family is Name.
  std::vector<FunctionRef> variants(const std::string &NameOrFamily) const;
};

/// The text that `septran-rewrite --print-tasks` prints.
std::string printTaskGraph(const TaskGraph &G);

} // namespace septran::compiler
