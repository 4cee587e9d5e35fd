//===- LeafStores.h - results that pass by the caches -----------*- C++ -*-===//
//
// `stores` of a leaf's instance: whole vectors of an argument that the leaf is done with go to memory
// without being read into the caches first, always or where the tensor that the argument is a part of
// is large. What the leaf reads or writes again stays in the caches, as do elements outside whole
// vectors.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/Program.h"
#include "Plan/TensorTable.h"

#include <set>
#include <vector>

namespace septran::compiler {

struct LeafStores {
  std::string Argument;
  TensorRef T; ///< what the leaf's accesses name
  View Value;  ///< what the argument is
  StoreKind Kind = StoreKind::Cached;
  std::set<const Store *> Last; ///< in lanes, those after which the leaf does not use the elements
};

/// Parameter `Name` of I's leaf has stores that may pass by the caches.
bool wantsLeafStores(const InstanceInfo &I, const std::string &Name);

/// What the mapping wants of this scope, if it is a leaf that keeps its loops.
std::vector<LeafStores> leafStores(const Scope &S);

/// Tensors of so many bytes are likely to leave the caches before they are used: `by_size`.
std::int64_t streamingBytes(const Machine &M);

/// Some leaf in B has stores that may pass by the caches.
bool holdsLeafStores(const Block &B);

/// How S, and the leaves in it, store what is in Root at the latest.
StoreKind storesTo(const Scope &S, const TensorRef &Root, const TensorTable &Tensors);

} // namespace septran::compiler
