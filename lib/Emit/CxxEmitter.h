//===- CxxEmitter.h - what all targets of the C family print alike -*- C++ -*-===//
//
// Base of the emitters: names, expressions, views, extents, scopes. An emitter adds how the elements
// of its memories are spelled, and the statements that are its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emit/CxxExpr.h"
#include "Emit/SourceWriter.h"
#include "Emit/Storage.h"
#include "Plan/Program.h"

#include <map>
#include <set>

namespace septran::compiler {

class CxxEmitter {
protected:
  /// `Library` is the namespace of the target's run-time functions, such as ceil_div.
  CxxEmitter(const Program &P, Diagnostics &D, std::string Library);
  ~CxxEmitter() = default;

  virtual void emitStmt(const Stmt &S) = 0;
  /// The text of a tensor element that is read.
  virtual CxxText elementOf(const Expr &Load) const = 0;
  /// Where the caller's tensor, or a buffer, begins in its root tensor.
  virtual std::string rootOrigin(const TensorRef &T, unsigned Dim) const;
  /// The definition of Name as the place `Offset` elements behind `Base`, where T begins.
  virtual std::string placeDefinition(const std::string &Name, const TensorRef &T,
                                      const std::string &Base, const Expr &Offset) const;
  /// What a scope holds, between the braces that end its buffers.
  virtual void emitScopeBody(const Block &B) { emitBlock(B); }
  /// What runs where a condition holds, or does not.
  virtual void emitBranch(const Block &B) { emitBlock(B); }

  //===--- statements -----------------------------------------------------------===//
  /// Notes which tensors and extents the program names.
  void findUses();
  /// Defines a constant of the generated code, named by the hint or nearly so.
  VarRef defineSize(const std::string &Hint, const std::string &Value);
  /// Binds the names that the user gave to the entry's parameters.
  void nameParameters();
  /// A tensor parameter whose neighbours in the last dimension are neighbours in memory: the user's
  /// object, or a copy of it that is written back.
  std::string unitStrideObject(const Parameter &Param);
  /// Defines pointer, extents and strides of a tensor parameter that is accessed by `Object`.
  void defineParameter(const Parameter &Param, const std::string &Object, bool UnitStride);
  void emitBlock(const Block &B);
  void emitLet(const Let &L);
  void emitIf(const If &I);
  /// What runs where the condition of I holds: a size that it chooses by is not clipped there.
  void emitThen(const If &I, llvm::function_ref<void()> EmitBody);
  /// The end of an If, with what runs where its condition does not hold. Chains of choices between
  /// sizes stay on one level.
  void emitElse(const Block &B);
  void emitScope(const Scope &S);
  void emitDefine(const Define &Def, const Location &Loc);
  void emitAssign(const Assign &A);
  /// To an element of a tensor that is not a register tile.
  void emitStore(const Store &S);
  void emitOpaqueCall(const OpaqueCall &C);
  /// Name, extents and strides of a buffer, whose definition the caller prints.
  Storage bufferStorage(const Alloc &A);

  /// Gives names to strides that are products, and writes the size in terms of them.
  void nameStrides(const TensorRef &T, Storage &S);
  /// Strides of a buffer with that layout, whose dimensions have room for `Room` elements.
  static void setStrides(Storage &S, const BufferLayout &Layout, const std::vector<Expr> &Room);
  /// Gives names to those extents of T that are used and no names yet.
  void defineExtents(const TensorRef &T, Storage &S);
  std::string instanceComment(const InstanceInfo &I) const;
  /// `file:line` with the file's name alone.
  static std::string place(const Location &Loc);

  //===--- text -----------------------------------------------------------------===//
  std::string text(const Expr &E) const { return print(E).Text; }
  CxxText print(const Expr &E) const { return Printer.print(named(E)); }
  /// The end of a loop, as it stands in comparisons and differences.
  std::string boundText(const Expr &Hi) const { return print(wide(Hi)).in(Binding::Sum); }
  /// E with the values that already have a name in the generated code replaced by it.
  Expr named(const Expr &E) const;
  /// Gives names to clipped extents that the block mentions more than once.
  void nameExtents(const Block &B);
  /// After an error, what is emitted only to find further ones may name tensors that have no storage.
  const Storage &storageFor(const TensorRef &T) const;
  /// `&A[offset]` as `A + offset`.
  std::string addressText(const std::string &Pointer, const Expr &Offset) const;
  /// `A[offset]`.
  std::string elementText(const Storage &S, const std::vector<Expr> &Indices) const;
  /// A septran::tensor of the view; "" if the view cuts panels in the middle.
  std::string tensorText(const View &V, bool Writable) const;

  //===--- updates ----------------------------------------------------------------===//
  /// Operators that combine partial results; subtraction sums up what is subtracted.
  static UpdateOp summing(UpdateOp Op);
  std::string identityText(UpdateOp Op, ScalarType Type) const;
  /// `A + B`, for operators other than min and max.
  static std::string arithmeticText(UpdateOp Op, const std::string &A, const std::string &B);
  static std::string scalarCombine(UpdateOp Op, const std::string &A, const std::string &B,
                                   ScalarType Type);
  /// `x += v;`, or `x = std::max<float>(x, v);`.
  static std::string updateText(UpdateOp Op, const std::string &Target, const std::string &Value,
                                const std::string &Combined);

  const Program &P;
  Diagnostics &D;
  SourceWriter W;
  CxxNames Names;
  CxxExprPrinter Printer;
  std::map<TensorRef, Storage> Stores;
  std::map<TensorRef, View> Aliases;
  std::map<TensorRef, std::string> ParameterNames; ///< entry parameters: the user's object
  std::map<VarRef, Expr> SizeValues; ///< of names that defineExtents gave
  std::set<std::pair<TensorRef, unsigned>> UsedExtents;
  std::set<TensorRef> UsedTensors;
  std::vector<const InstanceInfo *> Instances; ///< innermost scope last
  std::vector<std::pair<Expr, Expr>>
      NamedValues; ///< in canonical form, and what stands for them; those of inner blocks last

private:
  mutable std::map<TensorRef, Storage> WithoutStorage;
  CxxText resolveTensor(const Expr &E) const;
};

} // namespace septran::compiler
