//===- LeafPrefetch.h - elements that a leaf will need soon -----*- C++ -*-===//
//
// `prefetch: {B: 16}` of a leaf's instance: while the leaf works on an element of B, the cache line
// of the element that the same access needs 16 iterations later is fetched. An iteration is one of
// the innermost loop that moves the access, where loops over register tiles do not count; in lanes
// it is a vector. One line per access and iteration: this is for arguments that are walked across,
// such as panels, whose next line the hardware would fetch too late.
//
// Where that loop is known to end before, the line is for a later call of the leaf: until then
// others come to the first cache, and rows that lie a power of two apart share lines of it. Such a
// line is fetched into the second.
//
// `prefetch: {X: {i: 1}}` counts iterations of a loop further out: while a row is worked on, the
// next one comes, however long rows are. These lines are wanted of small tensors, too, whose next
// row the second cache has. Of several loops that walk the same row one asks: the last of those
// that store nothing, as stores wait for lines themselves.
//
// `prefetch: {C: start}` of any instance: all lines of its part of C, when it starts, so that what
// a tile in registers writes at its end has come by then. Of tensors that the second cache has,
// stores do not wait.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

struct LeafPrefetch {
  std::string Argument;
  TensorRef T; ///< what the leaf's accesses name
  std::int64_t Iterations = 0;
  std::string Loop;       ///< whose iterations count; "": the innermost one that moves the access
  std::set<VarRef> Along; ///< of the loops of that name
  std::set<VarRef> In;    ///< of the loops inside those in which it stands
};

/// Tensors of that size are not in the second cache: `second_cache_bytes` of the machine's costs.
std::int64_t secondCacheBytes(const Machine &M);

/// The part T of an argument is to be fetched when S starts: it lies in memory behind caches, and S
/// does not store it past them.
bool fetchesAtStart(const Scope &S, const TensorRef &T, const Machine &Target,
                    const TensorTable &Tensors);

/// Parameter `Name` of I's leaf is to be prefetched in place.
bool wantsLeafPrefetch(const InstanceInfo &I, const std::string &Name);

/// Reports loops that `Body`, the leaf of `I`, does not have.
void checkPrefetch(const Block &Body, const InstanceInfo &I, Diagnostics &D);

/// What the mapping wants of this scope, if it is a leaf that keeps its loops.
std::vector<LeafPrefetch> leafPrefetches(const Scope &S);

/// An access whose innermost moving loop is F and whose place in a later iteration follows from the
/// loop variables, and the loops over register tiles inside F that move it as well, outermost
/// first.
struct MovingAccess {
  std::vector<Expr> Indices;
  std::vector<const For *> TileLoops;
};
std::vector<MovingAccess> accessesMovedBy(const For &F, const TensorRef &T);

/// What is asked for at the start of an iteration of F.
struct AccessesAhead {
  const For *Loop = nullptr; ///< whose later iteration needs it: F, or one further out
  std::vector<MovingAccess> Accesses;
};
/// `Around`: the loops around F, outermost first.
AccessesAhead accessesAhead(const LeafPrefetch &L, const For &F,
                            llvm::ArrayRef<const For *> Around);

/// No iteration of F comes `Distance` of its variable after another, whatever the extents are.
bool endsWithin(const For &F, std::int64_t Distance, const TensorTable &Tensors);

} // namespace septran::compiler
