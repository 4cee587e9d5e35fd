//===- WindowReads.h - what leaves read of windows in place -----*- C++ -*-===//
//
// A window with halos has elements outside its tensor, which the plain program reads as the fill value.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Defaults.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

/// `0 <= Index && Index < Extent`.
Expr isInside(const Expr &Index, const Expr &Extent);

/// Both conditions; the other one, where A is null.
Expr both(const Expr &A, const Expr &B);

/// An index of a tensor that a window leads to: the element is there if 0 <= Index < Extent, and is
/// Fill otherwise.
struct WindowPlace {
  Expr Index, Extent, Fill;
  const View *Window;

  /// Whether it is there.
  Expr condition() const;
};

class WindowReads {
public:
  /// Parameters that are windows, read in place.
  using Windows = std::map<TensorRef, WindowInPlace>;

  WindowReads(const Windows &InPlace, const TensorTable &Tensors)
      : InPlace(InPlace), Tensors(Tensors) {}

  /// The window that T is or is a view of; null if there is none.
  const WindowInPlace *windowOf(TensorRef T) const;
  bool isOne(const Expr &E) const { return E->Kind == ExprKind::Load && windowOf(E->T); }

  /// The loads of E from windows, inner ones after what they are part of.
  std::vector<Expr> in(const Expr &E) const;
  std::vector<Expr> in(const Block &B) const;

  /// Windows are read in loops over a register tile.
  bool areInTile(llvm::ArrayRef<Stmt> Stmts) const;

  /// Where the load must lie to be an element, for the innermost window first: of windows of windows, the
  /// first that it leaves has the fill.
  std::vector<WindowPlace> placesOf(const Expr &Load) const;

private:
  const Windows &InPlace;
  const TensorTable &Tensors;
};

} // namespace septran::compiler
