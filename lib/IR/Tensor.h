//===- Tensor.h - tensors and views -----------------------------*- C++ -*-===//
//
// Tensor  a named, ranked array: parameter, local, alias of another one, or a
//         buffer that the compiler made. Identity is the pointer.
// View    which part of a base tensor an argument or alias denotes. Blocks of
//         partitions, windows, sub-tensors, transposes and broadcasts are all one
//         form: a slice per base dimension, and a map from the view's dimensions
//         to base dimensions. Views compose; they never copy.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

namespace septran::compiler {

enum class TensorKind {
  Parameter, ///< of a task or leaf
  Local,     ///< septran::local
  Alias,     ///< a named view of another tensor
  Buffer,    ///< storage made by the compiler for a copy of a tensor
};

struct Tensor {
  std::string Name;
  ScalarType Element = ScalarType::F32;
  unsigned Rank = 0;
  TensorKind Kind = TensorKind::Parameter;
  bool Const = false; ///< tensor<const T>
  std::string Memory; ///< in a Program: the memory it lives in, by the resolve pass; else empty
  Location Loc;
};
TensorRef makeTensor(std::string Name, ScalarType Element, unsigned Rank, TensorKind Kind,
                     Location Loc = {});

/// The part of one base dimension that a view covers: elements [Offset, Offset + Extent).
struct Slice {
  Expr Offset;
  Expr Extent;
  /// Blocks of a partition only: the nominal size and the block's index, Offset = Index * Block and
  /// Extent = min(Block, base extent - Offset). Null otherwise.
  Expr Block;
  Expr Index;
  /// Windows only: how many elements before and after the core [Offset+Low, Offset+Extent-High) were
  /// added as halo. Null for none. Parts outside the base tensor read the view's Fill.
  Expr Low;
  Expr High;
};

struct View {
  TensorRef Base;
  /// One per base dimension. Empty means the whole base, dimension by dimension.
  std::vector<Slice> Slices;
  /// Per view dimension: the base dimension it walks, or -1 for a broadcast one.
  std::vector<int> Dims;
  /// Per view dimension: its extent if Dims is -1, else null.
  std::vector<Expr> BroadcastExtents;
  /// What windows read outside the base; null when the view lies inside.
  Expr Fill;
  /// Not empty for reshape(base, extents): row-major reinterpretation of a contiguous base; Slices
  /// and Dims are then empty and the rank is that of this list.
  std::vector<Expr> Reshape;
  Location Loc;

  unsigned rank() const;
  Expr extent(unsigned Dim) const;
  /// Origin of the view's dimension in the root tensor, given the base's own origin.
  Expr origin(unsigned Dim) const;
  bool isWhole() const { return Slices.empty() && Reshape.empty() && Dims.empty(); }
};

View wholeView(const TensorRef &T);
/// The view with identity slices spelled out, so that callers may treat every view alike.
View explicitView(View V);
/// V is its base, dimension by dimension. If the base stands for the view BaseIs, its extents may also
/// be spelled as those of BaseIs.
bool isIdentity(const View &V, const View *BaseIs = nullptr);
/// Inner is a view of a tensor that itself is Outer: the same part as a view of Outer.Base. Extents
/// and origins of Inner.Base inside Inner become those of Outer.
/// Needs canCompose(Outer, Inner). A slice keeps its block of a partition where Inner takes all of
/// Outer's dimension, or where Outer takes all of its base's; otherwise it is a plain range.
View compose(const View &Outer, const View &Inner);
/// The same where Inner's expressions are already in terms of what surrounds Outer.
View composeSubstituted(const View &Outer, const View &Inner);
/// False where the result is no View: parts of a reshape, a reshape of a part, and windows (with a
/// Fill) that may read outside Outer but inside its base.
bool canCompose(const View &Outer, const View &Inner);
/// The element of V.Base that is V(Indices...). Needs a view without Reshape; with a Fill the result
/// may lie outside the base.
std::vector<Expr> baseIndices(const View &V, const std::vector<Expr> &Indices);
bool equal(const View &A, const View &B);
std::string toString(const View &V);

} // namespace septran::compiler
