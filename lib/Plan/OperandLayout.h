//===- OperandLayout.h - how a primitive wants its operands to lie -*- C++ -*-===//
//
// An operand's `layout` (row by default) says how its elements lie if it stood alone. The
// primitive's templates say which distances they take as arguments; those may be any, the others
// must be as in the layout. So an operand with
//
//   shape: [16, 4], and neither stride in the template      needs 64 elements in a row
//   shape: [16, 4], {B.stride0} in the template             needs its lines of 4 contiguous
//   shape: [K, 16], layout: panels(0, 4), {B.panel_stride0} needs groups of 4 by 16 contiguous
//
// and a tensor that several of its tiles cover needs a layout in which every tile lies so.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Machine/Machine.h"
#include "Plan/TensorTable.h"

#include <optional>
#include <set>
#include <string>

namespace septran::compiler {

/// `row`, `column` or `panels(dim, width)` for an operand of this rank; nothing for other texts.
std::optional<BufferLayout> operandLayout(const Operand &O);

/// The placeholder for the distance between steps of a mode: `B.stride0`, or `B.panel_stride0`
/// between the panels of a split dimension.
std::string distancePlaceholder(const Operand &O, const LayoutMode &M);

/// The modes whose distances `Placeholders` do not contain, as PrimitiveCall::Operand::Inner. On
/// failure `Problem` says what cannot be met.
std::optional<std::vector<LayoutMode>>
fixedModes(const Operand &O, const std::set<std::string> &Placeholders, std::string &Problem);

/// The layout of a tensor that suits one use of it by a primitive.
struct WantedLayout {
  TensorRef Root; ///< a buffer, or a tensor of the entry point
  BufferLayout Layout;
  size_t Fixed = 0; ///< how many of the innermost modes matter
};

/// For operands with Inner modes. The entry point's tensors have strides of their own, but
/// neighbours along the last dimension lie side by side. On failure (other strides are needed, or
/// tiles start anywhere) `Problem` says why.
std::optional<WantedLayout> wantedLayout(const PrimitiveCall::Operand &O,
                                         const TensorTable &Tensors, std::string &Problem);

/// Where a view's dimensions end up in the tensor at the end of its chain.
struct RootPath {
  TensorRef Root;
  std::vector<int> Dims;     ///< per dimension of the view; -1: repeated
  std::vector<Expr> Offsets; ///< per dimension of the root: of the view's first element
};
/// Nothing for reshapes, and for views of windows.
std::optional<RootPath> pathToRoot(const View &V, const TensorTable &Tensors);

/// E is a multiple of N, whatever its variables are. Extents are spelled out.
bool provablyMultiple(const Expr &E, std::int64_t N, const TensorTable &Tensors);

} // namespace septran::compiler
