//===- Stmt.h - statements ----------------------------------------*- C++ -*-===//
//
// Statements of tasks, leaves and of the compiled Program. Blocks are values:
// copying one copies the tree (expressions, Vars and Tensors stay shared).
//
//   in tasks     For, If, Let, Define, Local, Launch
//   in leaves    For, If, Let, Assign, Store
//   in Programs  all of the above, with Scope in place of Launch, and
//                Alloc, CopyStmt, OpaqueCall, PrimitiveCall, Barrier, Stage,
//                EngineEvent, SetState
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/BufferLayout.h"
#include "IR/Digits.h"
#include "IR/Tensor.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace septran::compiler {

struct Function;
struct InstanceInfo;
struct Stmt;
using Block = std::vector<Stmt>;
/// To look at: a block, a part of one, or one statement.
using Stmts = llvm::ArrayRef<Stmt>;

enum class LoopKind {
  Sequential,
  Parallel, ///< iterations are independent
};

/// How a loop of a leaf is executed; decided by the bind pass.
enum class LoopExec {
  Plain,    ///< a loop, as written
  Lanes,    ///< over vector lanes, Width at a time
  Unrolled, ///< constant trip count, every iteration spelled out (register tiles)
  Threads,  ///< shared by the threads of the processor that runs the leaf, as Parts says
};

/// How a value is combined with what is already there.
enum class UpdateOp { Set, Add, Sub, Mul, Div, Min, Max };
bool isReduction(UpdateOp Op); ///< Add, Mul, Min, Max (and Sub, which sums negated terms)
std::string_view spelling(UpdateOp Op);
/// The operator that combines old and new value; none for Set.
std::optional<BinaryOp> combiningOp(UpdateOp Op);

/// `Target = Value` in normal form: `x = x + e`, `x = std::max(x, e)` and the like become updates of
/// x, where that gives the same value in every case. Target is a Var or a Load.
struct Update {
  UpdateOp Op = UpdateOp::Set;
  Expr Value;
};
Update asUpdate(const Expr &Target, const Expr &Value);

/// A tensor that the iterations of a spread loop reduce into together: each processor accumulates into
/// its own Partial (same shape, starts at the operator's identity), and the partials are combined into
/// Target in a fixed order when the loop ends.
struct SharedReduction {
  TensorRef Partial, Target;
  UpdateOp Op;
};

/// for (V = Lo; V < Hi; V += Step). Step is a positive constant.
struct For {
  VarRef V;
  Expr Lo, Hi;
  std::int64_t Step = 1;
  LoopKind Kind = LoopKind::Sequential;
  /// Loops that were written as one septran::parallel over several dimensions share a non-zero group;
  /// they are nested directly in each other, first dimension outermost.
  unsigned Group = 0;
  Block Body;

  // Set by passes.
  LoopExec Exec = LoopExec::Plain;
  unsigned Width = 1;         ///< Lanes: elements per vector
  unsigned Accumulators = 1;  ///< Lanes: vectors of partial results that each reduction is kept in
  unsigned InStep = 1;        ///< iterations, or vectors, that run together, statement by statement
  unsigned SumsAround = 0;    ///< Lanes: loops directly around it that these outlive
  std::int64_t StaticTrip = 0; ///< over a dimension of a tile: constant bound of the variable
  Digits Parts;               ///< Threads: which thread does what
  std::string Spread;         ///< processor level whose instances share the iterations, or ""
  std::vector<SharedReduction> Reductions; ///< of the outermost loop of a spread group
  /// Outermost loop of a spread group: the dependences that its end serves, in words.
  std::vector<std::string> Serves;
  bool Nowait = false; ///< nothing before the end of the next spread loop needs this one's end
  Block Finish;        ///< of a spread loop: EngineEvents of each processor after its last iteration
};

struct If {
  Expr Condition;
  Block Then, Else;
  /// Then does for some sizes what Else does for all.
  bool ChoosesSizes = false;
  /// Else does what Then does, which is Else with constants for the extents that Condition compares.
  bool ChoosesWhole = false;
  /// A buffer that is KeptWith a constant: Then fills it, in the first call that gets here. Condition
  /// is true, for who only wants to know what is computed. Set by the last pass.
  TensorRef Fills{};
};

/// A scalar definition. In leaves Mutable scalars may be assigned again.
struct Let {
  VarRef V;
  Expr Value; ///< null: defined without a value (leaves only)
  bool Mutable = false;
};

/// V op= Value, for a mutable scalar of a leaf.
struct Assign {
  VarRef V;
  UpdateOp Op = UpdateOp::Set;
  Expr Value;
};

/// T(Indices...) op= Value.
struct Store {
  TensorRef T;
  std::vector<Expr> Indices;
  UpdateOp Op = UpdateOp::Set;
  Expr Value;
};

/// A named view: `auto Ab = Ap(i, 0);`, and in Programs the binding of a parameter without a copy.
struct Define {
  TensorRef T;
  View Value;
};

/// septran::local: a tensor the task owns.
struct Local {
  TensorRef T;
  std::vector<Expr> Extents;
};

/// A call of a task or leaf. Arguments in parameter order; tensor parameters take Views, scalar ones
/// Exprs (the other member is empty).
struct Launch {
  std::shared_ptr<const Function> Callee;
  struct Argument {
    View Tensor;
    Expr Scalar;
    bool isTensor() const { return Tensor.Base != nullptr; }
  };
  std::vector<Argument> Args;
  unsigned Site = 0; ///< number of this call among those of the same callee in the task, from 0
};

/// The body of a mapped task or leaf, expanded at its launch.
struct Scope {
  std::shared_ptr<const InstanceInfo> Instance;
  Block Body;
};

/// Storage for a Buffer or Local in a memory. Lives until the end of the enclosing block.
struct Alloc {
  TensorRef T;
  std::vector<Expr> Extents;
  std::string Memory;
  std::shared_ptr<const BufferLayout> Layout; ///< null until the layout pass
  std::int64_t Offset = -1;                    ///< in bounded memories, set by allocate
  std::string Reason;                          ///< for explain: which argument of which instance
  std::vector<std::int64_t> Bounds{};          ///< constant upper bounds of Extents; empty: unknown
  /// Registers of several threads: per dimension, which thread holds what. Threads that no digit
  /// tells apart hold the same elements.
  std::vector<Digits> Parts{};
  /// What lies between the extents and the Bounds is zero, for instructions that read all of it:
  /// registers begin so, and copies into the buffer write so.
  bool Padded = false;
  /// Elements behind the last one that may be read, whatever they are: a primitive takes a whole tile
  /// where the tensor ends within one.
  std::int64_t Slack = 0;
  TensorRef KeptWith{}; ///< constant parameter of the entry: lives, with its elements, as long as that
};

/// Dst = Src, element by element; both views have the same rank. Where Dst is larger than Src (padded
/// layouts) or Src has a Fill, the rest is set to the fill value.
struct CopyStmt { // named apart from a machine file's Copy
  View Dst, Src;
  std::string Reason;
  bool Parallel = false; ///< spread over the processors of the enclosing parallel level
  unsigned Prefetch = 0; ///< iterations ahead
  bool Async = false;    ///< only started here: a Stage says who waits for it
};

/// A leaf outside the loop-nest form: the user's function is called on the views.
struct OpaqueCall {
  std::shared_ptr<const Function> Callee;
  std::vector<Launch::Argument> Args;
};

/// A primitive of the machine on tiles of tensors. Its meaning and its text stand in the machine file.
struct PrimitiveCall {
  struct Operand {
    std::string Name;
    View Tensor; ///< one dimension per dimension of the operand
    Expr Scalar; ///< operands without dimensions that are only read: the value; Tensor is then empty
    bool Read = false, Written = false;
    /// How the elements must lie: the innermost modes of the tensor's layout, as dimensions of the
    /// operand. Other distances are passed to the primitive. Empty: all of them are.
    std::vector<LayoutMode> Inner;
    bool isTensor() const { return Tensor.Base != nullptr; }
  };
  std::string Primitive;         ///< name in the machine file
  std::vector<Operand> Operands; ///< in the machine file's order
  std::vector<std::pair<std::string, Expr>> Sizes; ///< symbolic extents
};

/// The threads of one processor of this level meet: what each did before is seen by all after.
struct Barrier {
  std::string Level;
  std::vector<std::string> Serves; ///< the dependences, in words
};

/// Rings are buffers with one more, outermost dimension: the blocks of Depth iterations of a loop, that
/// of iteration i at i % Depth. Asynchronous copies fill them ahead of the loop; the points of one
/// iteration's block are, in this order:
struct Stage {
  enum class Kind {
    Acquire, ///< before its copies start: whoever used the place before is done
    Commit,  ///< its copies have been started
    Wait,    ///< before it is used: its copies have ended
    Release, ///< it was used for the last time
  };
  Kind K = Kind::Acquire;
  std::vector<TensorRef> Rings;
  Expr Index; ///< the iteration
  Expr Lo, Hi; ///< those of the loop
  std::int64_t Depth = 2;
};
std::string_view spelling(Stage::Kind K);

/// Orders two engines of a processor by a way of the machine file's `sync`. Fences order all engines
/// and name none.
struct EngineEvent {
  std::string Sync; ///< its name in the machine file
  bool IsWait = false;
  std::string From, To;
  Expr Event; ///< its number; null for fences
  std::vector<std::string> Serves; ///< the dependences, in words
};

/// Sets a sticky state of the machine.
struct SetState {
  std::string State; ///< name in the machine file
};

struct Stmt {
  std::variant<For, If, Let, Assign, Store, Define, Local, Launch, Scope, Alloc, CopyStmt,
               OpaqueCall, PrimitiveCall, Barrier, Stage, EngineEvent, SetState> Node;
  Location Loc;

  template <class T> T *getIf() { return std::get_if<T>(&Node); }
  template <class T> const T *getIf() const { return std::get_if<T>(&Node); }
};

} // namespace septran::compiler
