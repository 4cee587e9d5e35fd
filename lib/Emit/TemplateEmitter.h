//===- TemplateEmitter.h - Program -> C++ by a machine's templates -*- C++ -*-===//
//
// For machines with scratchpads: everything that touches hardware is written by templates of the
// machine file, so the emitter knows no interface. One object prints one entry point's body:
//
//   TemplateEmitter.cpp  the frame, scopes, buffers, calls of primitives, events and states
//   TemplateCopies.cpp   copies, in as many rows as a command takes
//   TemplateLaunch.cpp   loops, launches, reductions that processors share
//
// Tensors in memories without an `address` template are C++ pointers; all others are a base, as
// declared, and an offset from it.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Emit/CxxEmitter.h"
#include "Plan/ScalarValues.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

class TemplateEmitter : private CxxEmitter {
public:
  TemplateEmitter(const Program &P, Diagnostics &D);

  /// The text between the braces of the entry point's definition.
  std::string emitBody();

private:
  using Values = std::map<std::string, std::string>;

  //===--- TemplateEmitter.cpp ------------------------------------------------===//
  void emitParameters();
  void emitStmt(const Stmt &S) override;
  void emitScope(const Scope &S);
  void emitAlloc(const Alloc &A, const Location &Loc);
  /// The offset of a buffer whose size is only known at run time.
  std::string dynamicOffset(const Alloc &A, const Memory &M, const Expr &Bytes);
  void emitStore(const Store &S);
  void emitPrimitiveCall(const PrimitiveCall &C, const Location &Loc);
  void emitEvent(const EngineEvent &E);
  CxxText elementOf(const Expr &Load) const override;
  std::string placeDefinition(const std::string &Name, const TensorRef &T, const std::string &Base,
                              const Expr &Offset) const override;
  /// Lines of an expanded template; nothing for an empty one.
  void emitTemplate(const LocatedName &Template, const Values &V);
  /// The memory of a tensor, if its elements have no C++ addresses.
  const Memory *scratchpadOf(const TensorRef &T) const;
  /// Where the element at `Offset` from the tensor's base lies: a pointer, or what `address` makes.
  std::string locationOf(const TensorRef &T, const std::string &Base, const Expr &Offset) const;
  void attach(const std::string &Name, const std::string &TensorText, bool Writable);
  /// Why rows of these strides, from this offset on, do not start at granules; empty if they do.
  std::string misaligned(const TensorRef &T, const Expr &Offset,
                         const std::vector<Expr> &Strides) const;

  //===--- TemplateCopies.cpp -------------------------------------------------===//
  struct CopyPart;
  void emitCopy(const CopyStmt &C, const Location &Loc);
  void emitRows(CopyPart Part);
  void emitCommand(const CopyPart &Part);
  void openWindow(CopyPart &Part);
  std::string otherOrder(const CopyStmt &C) const;
  bool splitPanels(CopyPart &Part);
  /// Opens a loop over pieces of at most `Most` steps; the piece's start and length.
  std::pair<Expr, Expr> openPieces(const Expr &Extent, std::int64_t Most, const char *Name);

  //===--- TemplateLaunch.cpp -------------------------------------------------===//
  void emitLoop(const For &F);
  void emitHead(const For &F);
  void emitLaunch(const For &F);
  void emitPartials(const For &F, const std::string &Count);
  void emitCombination(const For &F, const std::string &Count);

  TensorTable Tensors;
  ScalarValues Sizes;
  struct PartialArray {
    std::string Base, Size;
  };
  std::map<TensorRef, PartialArray> Partials;
  bool InLaunch = false;
  /// Per memory: where buffers whose size is only known at run time begin, and what is said about
  /// the end of those that are there.
  std::map<const Memory *, std::int64_t> StaticEnd;
  std::map<const Memory *, std::string> DynamicEnd;
};

} // namespace septran::compiler
