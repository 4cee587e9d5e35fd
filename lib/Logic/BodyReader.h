//===- BodyReader.h - statements that tasks and leaves share --------*- C++ -*-===//
//
// Blocks, conditions, counted loops and parallel loops read alike in tasks and leaves. An early
// `continue` or `return` becomes a condition around the rest of its block, so that no jump is left.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Logic/ExprReader.h"

#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"

namespace septran::compiler {

using DeclSet = llvm::DenseSet<const clang::ValueDecl *>;

/// The arguments of a call, without the object of an operator that is its member.
llvm::ArrayRef<const clang::Expr *> argumentsOf(const clang::CallExpr *E);

/// The variables that `S` assigns, increments, or hands to something that might.
DeclSet assignedIn(const clang::Stmt *S);

/// A `return`, or `continue`, that leaves the block around `S`.
bool containsJump(const clang::Stmt *S, bool Continue, bool Return);

class BodyReader : public ExprReader {
public:
  using ExprReader::ExprReader;

protected:
  /// The statements of a function. Returns false if reading was given up.
  bool functionBody(const clang::Stmt *Body, Block &Out);

  virtual bool declaration(const clang::VarDecl *V, Block &Out) = 0;
  virtual bool expression(const clang::Expr *E, Block &Out) = 0;
  /// Adds an `if`, or something simpler that means the same.
  virtual void condition(If Node, Location Loc, Block &Out);
  /// Called when a statement failed; true to go on with the next one.
  virtual bool recover() = 0;

  bool isAssigned(const clang::ValueDecl *V) const { return Assigned.contains(V); }
  /// True if `E` keeps its value for the rest of the function: no element, no variable that is
  /// assigned again.
  bool isStable(const Expr &E) const;
  /// Binds `V`, which is not assigned again, to its initial value if that is an integer expression
  /// of stable parts. So the offsets and bounds that users name reach the analyses as what they
  /// are.
  bool bindStable(const clang::VarDecl *V, const Expr &Init);
  /// A variable of the task graph for `V`.
  VarRef variableFor(const clang::ValueDecl *V, VarKind Kind);
  /// The variable or element that the reference `V` to `To` is another name of; none for a
  /// temporary, and after a failure.
  std::optional<Value> referent(const clang::VarDecl *V, const clang::Expr *To);
  /// A call that is a statement: what it does to variables and elements counts.
  bool callAlone(const clang::CallExpr *E, const clang::FunctionDecl &F, Block &Out);
  void markMutable(const VarRef &V) { MutableVars.insert(V.get()); }

  Expr held(const Expr &E, std::string Name) override;

private:
  enum class Jump { None, Continue, Return };
  using Stmts = llvm::SmallVector<const clang::Stmt *, 16>;

  bool statements(llvm::ArrayRef<const clang::Stmt *> List, Jump Way, Block &Out);
  bool statement(const clang::Stmt *S, Block &Out);
  bool block(llvm::ArrayRef<const clang::Stmt *> List, Jump Way, Block &Out);
  bool branch(const clang::IfStmt *S, llvm::ArrayRef<const clang::Stmt *> Rest, Jump Way,
              Block &Out);
  static bool dropJump(Stmts &List, Jump Way);

  // ReadHelpers.cpp
  Expr writtenOut(const clang::CallExpr *E, const clang::FunctionDecl &F,
                  llvm::ArrayRef<const clang::Expr *> Args) override;
  std::vector<Value> parameters(const clang::FunctionDecl &F,
                                llvm::ArrayRef<const clang::Expr *> Args, bool Alone);
  Value parameter(const clang::ParmVarDecl *P, const clang::Expr *Arg, bool Alone);
  Expr returned(const clang::FunctionDecl &F, Block &Out);

  // ReadLoops.cpp
  struct Header;
  bool loop(const clang::ForStmt *S, Block &Out);
  bool readHeader(const clang::ForStmt *S, Header &H, Block &Out);
  bool readIncrement(const clang::Expr *E, Header &H);
  bool readCondition(const clang::Expr *E, Header &H);
  bool parallelLoop(const clang::CXXForRangeStmt *S, Block &Out);

  /// What `V` stands for all along if its initial value is an integer expression of stable parts;
  /// null if that is not so.
  Expr stableValue(const clang::VarDecl *V, const Expr &Init) const;

  DeclSet Assigned;
  VarRef Returned; ///< what a function that is written out sets where it returns
  llvm::DenseSet<const Var *> MutableVars;
  unsigned Groups = 0;
};

} // namespace septran::compiler
