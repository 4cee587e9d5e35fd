//===- ExprReader.h - expressions of logic files --------------------*- C++ -*-===//
//
// Turns clang expressions of tasks and leaves into scalar expressions, views, partitions, lists and
// element accesses. Works on instantiated code: types and template arguments are known.
//
// A reader that meets something outside the language records the first such thing and returns
// nothing; what that means is the caller's business: in a task it is an error, in a leaf it makes
// the leaf opaque.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"
#include "Logic/Locations.h"
#include "Logic/Names.h"
#include "Logic/Values.h"
#include "Support/Diagnostics.h"

#include "clang/AST/ExprCXX.h"

#include <map>
#include <optional>
#include <string>

namespace septran::compiler {

/// Something outside the language.
struct Failure {
  clang::SourceRange Range;
  std::string What; ///< a noun phrase: "a while loop"
  std::string Hint; ///< what would be accepted; may be empty
  /// The message for a task, if it is a special one: no argument, or What.
  DiagID ID = DiagID::NotInTask;
};

class ExprReader {
public:
  ExprReader(clang::ASTContext &Ast, const Locations &Places, bool InLeaf)
      : Ast(Ast), Places(Places), InLeaf(InLeaf) {}
  virtual ~ExprReader() = default;

  void bind(const clang::ValueDecl *D, Value V) { Names[D] = std::move(V); }
  const Value *lookup(const clang::ValueDecl *D) const;

  /// A value. In a task it has no elements in it.
  Expr scalar(const clang::Expr *E);
  /// An integer value in the domain of indices.
  Expr index(const clang::Expr *E);
  /// `E` is a tensor.
  std::optional<View> view(const clang::Expr *E);
  std::optional<Grid> grid(const clang::Expr *E);
  /// `E` is a list of extents: extents(), shape(), {a, b}.
  std::optional<List> list(const clang::Expr *E);
  /// `E` is an access of an element, T(i, j); null without a failure if it is something else.
  std::optional<Element> element(const clang::Expr *E);
  /// The variable that `E` names if it is bound to a scalar variable.
  VarRef variable(const clang::Expr *E) const;

  /// True if the declaration of `D` was rejected. What uses it then fails without words.
  bool isRejected(const clang::ValueDecl *D) const;

  /// Records the first failure. Returns null, for `return fail(...)`. One with an empty What
  /// follows from another that is reported.
  std::nullptr_t fail(clang::SourceRange Range, std::string What, std::string Hint = "",
                      DiagID ID = DiagID::NotInTask);
  const std::optional<Failure> &failure() const { return First; }
  void clearFailure() { First.reset(); }

  /// Notes what the extents of a local or alias are, beside being its extents.
  void setExtents(const TensorRef &T, List Extents) { KnownExtents[T] = std::move(Extents); }

  Location place(const clang::Stmt *S) const { return Places.range(S->getSourceRange()); }

protected:
  /// While it lives, expressions are read that may not be evaluated, or more than once: nothing of
  /// theirs may be computed ahead.
  class Conditionally {
    unsigned &Depth;

  public:
    explicit Conditionally(ExprReader &Reader) : Depth(Reader.ConditionalDepth) { ++Depth; }
    ~Conditionally() { --Depth; }
    Conditionally(const Conditionally &) = delete;
    Conditionally &operator=(const Conditionally &) = delete;
  };

  /// While it lives, names stand for what they are in one call of a function. A call of a function
  /// in itself binds the same ones again.
  class Frame {
    ExprReader &Reader;
    const Bindings Outer;

  public:
    explicit Frame(ExprReader &Reader) : Reader(Reader), Outer(Reader.Names) {
      ++Reader.InlineDepth;
    }
    ~Frame() {
      --Reader.InlineDepth;
      Reader.Names = Outer;
    }
    Frame(const Frame &) = delete;
    Frame &operator=(const Frame &) = delete;
  };

  /// The value of a call in a leaf of a function whose body takes statements: those go to Current.
  virtual Expr writtenOut(const clang::CallExpr *E, const clang::FunctionDecl &F,
                          llvm::ArrayRef<const clang::Expr *> Args) = 0;
  /// The definition of `F` if the call `E` of it with these arguments can be written out; null
  /// after a failure.
  const clang::FunctionDecl *writable(const clang::CallExpr *E, const clang::FunctionDecl *F,
                                      llvm::ArrayRef<const clang::Expr *> Args);
  /// Says at the call `E` of `F` what stands in the way inside of it.
  std::nullptr_t failInside(const clang::CallExpr *E, const clang::FunctionDecl &F);

  /// A scalar that holds `E` from here on. Called only where E is evaluated exactly once.
  virtual Expr held(const Expr &E, std::string Name) = 0;
  /// A view by a name that it can be cut by: the tensor itself, or an alias defined for it.
  virtual TensorRef named(View V, const clang::Expr *E) = 0;

  clang::ASTContext &Ast;
  const Locations &Places;
  const bool InLeaf;
  /// Where statements go that an expression needs.
  Block *Current = nullptr;
  unsigned ConditionalDepth = 0;
  /// What is read is evaluated again and again: no statements of it can go ahead.
  bool Repeats = false;

private:
  // ExprReader.cpp
  Expr scalarOf(const clang::Expr *E);
  Expr literal(const clang::Expr *E);
  Expr reference(const clang::DeclRefExpr *E);
  Expr conversion(const clang::CastExpr *E);
  Expr unaryOperator(const clang::UnaryOperator *E);
  Expr binaryOperator(const clang::BinaryOperator *E);
  Expr construction(const clang::CXXConstructExpr *E);
  Expr constant(const clang::Expr *E);
  static Expr number(const clang::APValue &V, ScalarType Type);
  /// An element of a constant array: null if that fails, none if it is something else.
  std::optional<Expr> tableElement(const clang::Expr *E);

  // ReadChoices.cpp
  /// A value that is computed on one of two ways only, behind the statements that it needs there.
  struct Arm {
    Block Before;
    Expr Value; ///< null if that failed
  };
  Arm arm(llvm::function_ref<Expr()> Read);
  Expr choice(const Expr &Condition, Arm Then, Arm Else);
  Expr conditional(const clang::ConditionalOperator *E);
  Expr logical(BinaryOp Op, const clang::BinaryOperator *E);

  // ReadCalls.cpp
  Expr call(const clang::CallExpr *E);
  Expr operatorCall(const clang::CXXOperatorCallExpr *E);
  Expr memberCall(const clang::CXXMemberCallExpr *E);
  Expr libraryCall(const clang::CallExpr *E, llvm::StringRef Name, ScalarType Type);
  Expr mathCall(const clang::CallExpr *E, llvm::StringRef Name, ScalarType Type);
  Expr minOrMax(const clang::CallExpr *E, BinaryOp Op, ScalarType Type);
  Expr inlined(const clang::CallExpr *E, const clang::FunctionDecl *F,
               llvm::ArrayRef<const clang::Expr *> Args);
  Expr valueOf(llvm::ArrayRef<const clang::Stmt *> Body, const clang::CallExpr *At);

  // ReadViews.cpp
  std::optional<View> viewOfCall(const clang::CallExpr *E);
  std::optional<View> block(const clang::CXXOperatorCallExpr *E);
  std::optional<View> subtensor(const clang::CallExpr *E);
  std::optional<View> broadcast(const clang::CallExpr *E);
  std::optional<View> reshape(const clang::CallExpr *E);
  std::optional<View> editable(const clang::Expr *E);
  std::optional<Grid> gridOfCall(const clang::CallExpr *E);
  std::optional<unsigned> dimension(const clang::Expr *E, unsigned Rank);

  /// `E` is the extent of dimension `Dim` of `T`, as far as can be told.
  bool isExtent(const Expr &E, const TensorRef &T, unsigned Dim) const;
  /// The extent of a block: `Size`, or all of dimension `Dim` of `T` if that is zero or less. A
  /// scalar of its own where only the call tells.
  Expr blockExtent(const Expr &Size, const TensorRef &T, unsigned Dim);

  Bindings Names;
  std::map<TensorRef, List> KnownExtents;
  std::optional<Failure> First;
  unsigned InlineDepth = 0;
};

/// `E` without what C++ wraps around it and we do not see: parentheses, temporaries, copies of
/// class objects, conversions between a class and its base, substituted template parameters.
const clang::Expr *peel(const clang::Expr *E);

/// Of the compiler, of the standard library, or of C's.
bool isLibraryFunction(const clang::FunctionDecl &F, const clang::ASTContext &Ast);

/// V is an array, also a std::array, of numbers that the compiler knows.
bool isConstantTable(const clang::VarDecl *V);

} // namespace septran::compiler
