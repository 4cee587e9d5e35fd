//===- Storage.h - where generated code finds a tensor's elements -*- C++ -*-===//
//
// A tensor in the generated function is a pointer with a stride per dimension, or a register tile,
// an array of vectors that the compiler keeps in registers. Strides and offsets are IR expressions
// over variables of the generated code, so that they fold and print like any other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/BufferLayout.h"
#include "IR/Tensor.h"

#include <map>
#include <string>
#include <vector>

namespace septran::compiler {

struct Storage {
  std::string Name;          ///< of the pointer, or of the array of vectors
  std::vector<Expr> Strides; ///< per dimension, in elements
  Expr Origin; ///< how far from the first element the pointer is; null: it points there
  /// Per dimension that is split into panels: the panel's width and the distance between panels;
  /// the stride then holds within a panel. Width 0: not split.
  struct Panel {
    std::int64_t Width = 0;
    Expr Stride;
  };
  std::vector<Panel> Panels;
  Panel panelsOf(size_t Dim) const { return Dim < Panels.size() ? Panels[Dim] : Panel(); }
  std::vector<Expr> Extents;
  Expr Size; ///< of a buffer, in elements
  std::vector<std::pair<Expr, Expr>> NamedStrides; ///< of a buffer: canonical values, their names
  /// Per dimension, how many elements from the first on are memory of the buffer even where the
  /// tensor ends before: the width of the panels, whose last one is padded. 0, or nothing: not
  /// known.
  std::vector<std::int64_t> Padded;

  // Swizzled buffers (IR/BufferLayout.h): which chunk changes places follows from where an element
  // lies in the whole buffer, so the pointer is always the buffer's, and parts of it begin at a line
  // and a column.
  std::int64_t Line = 0; ///< elements of a line; 0: not swizzled
  SwizzleSteps Steps;
  Expr FirstLine, FirstColumn;

  // Register tiles.
  bool IsTile = false;
  std::vector<std::int64_t> Bounds;
  int LaneDim = -1; ///< -1: an array of scalars
  unsigned Width = 1;

  /// A pointer to the first element; of a register tile, if it is an array of scalars.
  std::string pointer() const;
  /// Distance of the element from the pointer; no Origin where the buffer is swizzled. Where panels
  /// are crossed, by division.
  Expr offsetOf(const std::vector<Expr> &Indices) const;
  /// Elements of the last dimension are neighbours in memory, whichever.
  bool hasPlainRows() const;
  std::int64_t paddedTo(size_t Dim) const { return Dim < Padded.size() ? Padded[Dim] : 0; }
  /// Makes this a buffer with such a layout; strides are set and constant.
  void swizzle(const BufferLayout &L, const std::vector<std::int64_t> &Bounds, ScalarType Element);

private:
  Expr swizzledOffset(const std::vector<Expr> &Indices) const;
};

/// An extent, offset or bound in canonical form, computed in std::ptrdiff_t whatever its parts are.
Expr wide(const Expr &E);

/// The storage of a view of a tensor stored as `Base`, named by Base's pointer, and how far its first
/// element lies from Base's. Nothing if the view cuts panels in the middle.
struct ViewStorage {
  Storage S;
  Expr Offset;
};
std::optional<ViewStorage> storageOf(const View &V, const Storage &Base);

} // namespace septran::compiler
