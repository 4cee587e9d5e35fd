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
  virtual std::string rootOrigin(const TensorRef &T, unsigned Dim) const = 0;

  //===--- statements -----------------------------------------------------------===//
  /// Notes which tensors and extents the program names.
  void findUses();
  void emitBlock(const Block &B);
  void emitLet(const Let &L);
  void emitIf(const If &I);
  void emitDefine(const Define &Def, const Location &Loc);
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
  const Storage &storageFor(const TensorRef &T) const { return Stores.at(T); }
  /// `&A[offset]` as `A + offset`.
  std::string addressText(const std::string &Pointer, const Expr &Offset) const;
  /// `A[offset]`.
  std::string elementText(const Storage &S, const std::vector<Expr> &Indices) const;

  //===--- updates ----------------------------------------------------------------===//
  /// Operators that combine partial results; subtraction sums up what is subtracted.
  static UpdateOp summing(UpdateOp Op);
  std::string identityText(UpdateOp Op, ScalarType Type) const;
  std::string scalarCombine(UpdateOp Op, const std::string &A, const std::string &B,
                            ScalarType Type) const;
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
  std::set<std::pair<TensorRef, unsigned>> UsedExtents;
  std::set<TensorRef> UsedTensors;
  std::vector<const InstanceInfo *> Instances; ///< innermost scope last
  std::vector<std::pair<Expr, VarRef>>
      NamedValues; ///< in canonical form; those of inner blocks last

private:
  CxxText resolveTensor(const Expr &E) const;
};

} // namespace septran::compiler
