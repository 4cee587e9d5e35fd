//===- RegisterTiles.h - tensors that live in vector registers --*- C++ -*-===//
//
// A tensor placed in a register memory has constant bounds, and at most one dimension that runs
// along vector lanes. Its layout says so: [0, 1/16, 1%16] is a tile whose rows are made of 16-lane
// vectors; a layout without a remainder mode is an array of scalars.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/TensorTable.h"

#include <map>

namespace septran::compiler {

struct RegisterTile {
  std::vector<std::int64_t> Bounds;
  int LaneDim = -1;
  unsigned Width = 1;    ///< lanes per vector
  bool Conflict = false; ///< leaves disagree about the lane dimension: an array of scalars
  std::vector<Digits> Parts = {}; ///< where threads share it: which one has what
  bool Guarded = false;      ///< one version serves full and clipped tiles
};
using RegisterTiles = std::map<TensorRef, RegisterTile>;

/// As it stands, a buffer of the program in registers has more bytes than all of these, whatever lanes
/// it takes.
bool exceedsRegisters(const Program &P);

/// The register tensors of the program, with constant bounds; reports those without.
RegisterTiles findRegisterTiles(Program &P, Diagnostics &D);

/// E with extents of aliases and allocations spelled out, so that bounds can be compared.
Expr expandExtents(const Expr &E, const TensorTable &Tensors);

/// Splits the code around register tiles of clipped blocks in two: full tiles, whose extents are
/// constants, and the rest, whose loops keep the constant trip counts but guard their accesses. The
/// tiles of the copies are added to Tiles.
void versionTails(Block &B, const TensorTable &Tensors, RegisterTiles &Tiles);

} // namespace septran::compiler
