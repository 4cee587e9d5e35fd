//===- Vectorize.h - lanes and unrolling for the loops of a leaf -*- C++ -*-===//
//
// Chooses how the loop nest of a leaf runs on a processor with vector lanes. A parallel or
// reduction loop becomes the lane loop and moves innermost of its perfect nest; loops that walk
// register tiles are unrolled inside all others. Everything else stays as written, and a nest
// without a suitable loop stays scalar.
//
// Interchange is sound because only loops that are parallel or reductions are crossed, and only
// with bounds that do not depend on each other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/RegisterTiles.h"

namespace septran::compiler {

struct VectorTarget {
  std::int64_t SimdBytes = 16;
};

/// What the mapping asks of one leaf.
struct VectorRequest {
  bool Enabled = true;
  std::string Loop;       ///< lane loop by name; empty: chosen
  std::int64_t Width = 0; ///< elements per vector; 0: the machine's
  const Location *Loc = nullptr;
};

VectorRequest vectorRequest(const InstanceInfo &I);

/// Neighbours along this dimension of T are neighbours in memory, as far as the order of dimensions
/// tells: a transposed view has the last dimension of its base in another place.
bool isLastInMemory(TensorRef T, int Dim, const TensorTable &Tensors);

/// Lets every leaf that touches register tiles vote for their lane dimension, deepest nests first. A
/// leaf whose loop the mapping names votes for that loop.
void chooseRegisterLanes(const Block &B, const TensorTable &Tensors, const VectorTarget &Target,
                         RegisterTiles &Tiles);

/// Marks the loops of one leaf's body. `Leaf` names it in messages. Returns why none runs in lanes; nothing if
/// one does, or if none should.
std::string vectorizeLeaf(Block &Body, const std::string &Leaf, const VectorRequest &Request,
                          const VectorTarget &Target, const TensorTable &Tensors,
                          const RegisterTiles &Tiles, Diagnostics &D);

} // namespace septran::compiler
