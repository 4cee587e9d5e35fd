//===- LogicProgram.h - a logic file as a structure -------------*- C++ -*-===//
//
// What the random logic generator makes and what is shrunk when it fails: functions, statements and
// expressions close to the text, without C++ types or scopes. Rendering is total; whether the text
// is a valid program is the generator's business, and after a shrinking step that of the caller.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Type.h"

#include <map>
#include <string>
#include <vector>

namespace septran::compiler {

struct LogicExpr {
  enum class Kind {
    Text,     ///< a literal or a name
    Element,  ///< Text(Args...): an element, a block, a view
    Operator, ///< Args[0] Text Args[1], or Text Args[0]
    Call,     ///< Text(Args...)
    Select,   ///< Args[0] ? Args[1] : Args[2]
    Cast,     ///< Text(Args[0])
    List,     ///< {Args...}
  };
  Kind K = Kind::Text;
  std::string Text;
  std::vector<LogicExpr> Args;
  friend bool operator==(const LogicExpr &, const LogicExpr &) = default;
};

LogicExpr text(std::string Text);
LogicExpr number(long long Value);
LogicExpr element(std::string Tensor, std::vector<LogicExpr> Indices);
LogicExpr oper(std::string Operator, LogicExpr A, LogicExpr B);
LogicExpr callOf(std::string Callee, std::vector<LogicExpr> Args);
LogicExpr selectOf(LogicExpr Condition, LogicExpr Then, LogicExpr Else);
LogicExpr castTo(ScalarType T, LogicExpr A);
LogicExpr listOf(std::vector<LogicExpr> Items);
/// `Tensor.Member(Dim)`: extent, origin.
LogicExpr member(const std::string &Tensor, const std::string &Member, unsigned Dim);
/// A literal of the type; Value is a multiple of a power of two.
LogicExpr literal(ScalarType T, double Value);

struct LogicStmt {
  enum class Kind {
    For,      ///< for (int Name = Args[0]; Name < Args[1]; Name += Step), downwards if Step < 0
    Parallel, ///< for (auto [Names...] : septran::parallel(Args...))
    If,       ///< if (Args[0]) Body else Else
    Continue,
    Scalar,  ///< [const] Type Name = Args[0]
    Set,     ///< Args[0] Text Args[1]; Text is "=", "+=", ...
    Tunable, ///< [[septran::tunable]] const int Name = Args[0]
    Local,   ///< septran::local<Type, Args.size()> Name({Args...})
    Define,  ///< auto Name = Args[0]
    Launch,  ///< Name(Args...)
  };
  Kind K = Kind::Set;
  std::vector<std::string> Names;
  std::string Text;
  ScalarType Type = ScalarType::F32;
  bool Const = true;
  int Step = 1;
  std::vector<LogicExpr> Args;
  std::vector<LogicStmt> Body, Else;
  const std::string &name() const { return Names.front(); }
  friend bool operator==(const LogicStmt &, const LogicStmt &) = default;
};

using LogicBlock = std::vector<LogicStmt>;

LogicStmt forLoop(std::string Var, LogicExpr Low, LogicExpr High, LogicBlock Body, int Step = 1);
LogicStmt parallelLoop(std::vector<std::string> Vars, std::vector<LogicExpr> Shape,
                       LogicBlock Body);
LogicStmt ifThen(LogicExpr Condition, LogicBlock Then, LogicBlock Else = {});
LogicStmt scalar(ScalarType T, std::string Name, LogicExpr Value, bool Const = true);
LogicStmt set(LogicExpr Target, std::string Operator, LogicExpr Value);
LogicStmt tunable(std::string Name, long long Value);
LogicStmt local(ScalarType T, std::string Name, std::vector<LogicExpr> Extents);
LogicStmt define(std::string Name, LogicExpr Value);
LogicStmt launch(std::string Callee, std::vector<LogicExpr> Args);

enum class LogicAccess { Read, ReadWrite, Write, Reduce };

struct LogicParameter {
  std::string Name;
  ScalarType Type = ScalarType::F32;
  int Rank = -1; ///< -1: a scalar
  LogicAccess Access = LogicAccess::Read;
  std::string Reduction; ///< of Reduce: "+", "*", "min", "max"
  /// Of the entry point: a symbol per dimension. Dimensions of one symbol are equally long.
  std::vector<int> Symbols = {};
  bool isTensor() const { return Rank >= 0; }
  friend bool operator==(const LogicParameter &, const LogicParameter &) = default;
};

struct LogicFunction {
  std::string Name;
  std::string Family; ///< empty: the name
  bool IsLeaf = false;
  /// Loops are written so that the front end does not read them.
  bool IsOpaque = false;
  /// A template over this element type: tensors of it are deduced.
  bool IsTemplate = false;
  ScalarType Deduced = ScalarType::F32;
  std::vector<LogicParameter> Params;
  LogicBlock Body;
  friend bool operator==(const LogicFunction &, const LogicFunction &) = default;
};

struct LogicProgram {
  std::vector<LogicFunction> Functions; ///< callees first; the last one is the entry point
  friend bool operator==(const LogicProgram &, const LogicProgram &) = default;
};

/// How often each word (a name, `septran::fill`) stands in the block.
std::map<std::string, unsigned> wordsOf(const LogicBlock &B);

/// The logic file. Parameters without use are marked as such.
std::string render(const LogicProgram &P);

/// Takes away what nothing uses: functions that no launch reaches and that are no variants of one
/// that is, parameters, scalars, locals and definitions that are never named.
void dropUnused(LogicProgram &P);

} // namespace septran::compiler
