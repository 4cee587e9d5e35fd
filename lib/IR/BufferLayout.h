//===- BufferLayout.h - where the elements of a buffer lie ------*- C++ -*-===//
//
// One representation for every memory: an ordered list of modes, outermost first. A mode walks a
// dimension, or the quotient or remainder of a dimension split by a constant. The address of an
// element is found by counting through the modes like digits of a number.
//
//   row-major [M, N]            modes (0) (1)
//   transposed                  modes (1) (0)
//   panels(1, 64)               modes (1 / 64) (0) (1 % 64)
//
// A swizzle then permutes the chunks of 16 bytes of a line, the run of the innermost mode: by
// exclusive or of a chunk's number with the line's, so that the same chunk of neighbouring lines
// lies in other banks. It repeats after a number of bytes that divides the line.
//
// Where the innermost mode is a remainder, a copy into the buffer sets what its last run lacks to
// zero.
//
// Needs: splits are positive constants; a dimension appears once whole, or once divided and once as
// remainder by the same split, the remainder inside.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

struct LayoutMode {
  enum class Part { Whole, Quotient, Remainder };
  unsigned Dim = 0;
  Part P = Part::Whole;
  std::int64_t Split = 0; ///< Quotient and Remainder: the divisor
  friend bool operator==(const LayoutMode &, const LayoutMode &) = default;
};

struct BufferLayout {
  std::vector<LayoutMode> Modes;
  std::int64_t Pad = 0; ///< unused elements after each run of the innermost mode
  std::int64_t Swizzle = 0; ///< bytes within which chunks change places; 0: none
  friend bool operator==(const BufferLayout &, const BufferLayout &) = default;

  /// The divisor of `Dim`, or 0 if it is whole.
  std::int64_t splitOf(unsigned Dim) const;
  /// Elements between neighbours along `Dim` (within a panel for split dimensions).
  Expr strideOf(unsigned Dim, const std::vector<Expr> &Extents) const;
  /// Elements between panels of a split dimension.
  Expr panelStrideOf(unsigned Dim, const std::vector<Expr> &Extents) const;
  /// Elements of storage, padding included.
  Expr sizeOf(const std::vector<Expr> &Extents) const;
};

/// Which chunks of a swizzled line change places: chunk c of line l goes to c ^ (l / Lines % Count).
struct SwizzleSteps {
  std::int64_t Chunk = 1; ///< elements
  std::int64_t Count = 1; ///< chunks that change places
  std::int64_t Lines = 1; ///< neighbouring lines alike, since together they fill all banks once
};
/// Nothing if lines of so many elements cannot be swizzled so.
std::optional<SwizzleSteps> swizzleSteps(std::int64_t Swizzle, std::int64_t LineElements,
                                         std::int64_t ElementBytes);

BufferLayout rowLayout(unsigned Rank);
BufferLayout columnLayout(unsigned Rank);
/// Row order with `Dim` moved innermost.
BufferLayout innermostLayout(unsigned Rank, unsigned Dim);
/// Panels of `Width` along `Dim`; the remainder innermost, the other dimensions in row order.
BufferLayout panelLayout(unsigned Rank, unsigned Dim, std::int64_t Width);

/// `row`, `column`, `panels(1, 64)`, or the modes spelled out: `[1/64, 0, 1%64]`.
std::string toString(const BufferLayout &L);

} // namespace septran::compiler
