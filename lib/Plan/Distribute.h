//===- Distribute.h - leaf loops over the threads of a processor -*- C++ -*-===//
//
// In a kernel a leaf runs on all threads of its processor together. This pass decides which thread
// does what, and with it which thread holds which elements of a tensor in REGISTER:
//
//   axis   a dimension of a register tensor together with all loops of leaves that walk it, and all
//          dimensions that these loops walk in turn. All of them are divided among the threads
//          alike, so that a thread finds the elements that it needs in its own registers
//
// Axes are divided first, the largest tensor's first: its last dimension gets neighbouring threads,
// its other dimensions the rest, so that the part of one thread is about square. A tensor with
// fewer dimensions is held alike by all threads that differ in the others only. A column of rows whose
// leaves walk memory along the rows leaves the lanes of a warp to these loops. Loops without
// register tensors are divided nest by nest: the loop that walks memory contiguously gets
// neighbouring threads. Where loops lie inside of the nest, the nest takes all threads if it keeps
// them busy and walks memory contiguously, else one warp for each of its rows.
//
// Threads are told apart by bits of their number, so every share is a power of two. What no bit
// tells apart is done alike by several threads; the emitter lets one of them write to memory.
//
// Leaves bound to matrix instructions come first: they say which thread holds what of their tensors
// (FragmentAxes.h).
//
// A reduction is divided only where its partial results can be combined: among neighbouring lanes
// of one warp, or among all threads.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/RegisterTiles.h"

namespace septran::compiler {

/// Sets Exec and Parts of the leaves' loops and Parts of the register tensors in all kernels.
void distribute(Program &P, const TensorTable &Tensors, RegisterTiles &Tiles, Diagnostics &D);

/// The loop is divided among threads although its iterations meet in a reduction: the parts have to
/// be combined behind it.
bool combinesThreads(const For &F, const TensorTable &Tensors);

/// The bits of a thread's number that tell the loop's iterations apart.
std::uint64_t threadBits(const Digits &Parts);

} // namespace septran::compiler
