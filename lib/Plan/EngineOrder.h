//===- EngineOrder.h - which engine knows what another has done -*- C++ -*-===//
//
// The state of a program point, for one processor: per tensor, the accesses of each engine so far
// and which engines are not known to come after them. States only grow where control flow joins, so
// a loop is followed until its state stays.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Tensor.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

/// Engines by position in Machine order.
using EngineSet = std::set<unsigned>;

class EngineOrder {
public:
  struct Key {
    TensorRef T;
    unsigned Engine;
    bool Write;
    auto operator<=>(const Key &) const = default;
  };

  /// `Program`: the engine that gives commands and waits by itself, if there is one.
  EngineOrder(unsigned Engines, std::optional<unsigned> Program)
      : Engines(Engines), Program(Program) {}

  /// Engine touches T: nobody else knows.
  void access(const TensorRef &T, unsigned Engine, bool Write);
  /// To now waits for all that From was given.
  void order(unsigned From, unsigned To);
  /// To waits for the accesses of From to T alone.
  void orderOne(const TensorRef &T, unsigned From, unsigned To);
  /// Engine comes after everything.
  void orderAll(unsigned Engine);

  /// Engines that To must wait for before it touches one of the tensors, latest access first; what
  /// for, as an access.
  std::vector<Key> missing(const std::vector<TensorRef> &Tensors, unsigned To, bool Write) const;
  /// Engines with accesses that To does not know of.
  std::vector<unsigned> unknownTo(unsigned To) const;

  /// What holds on either of two ways. True if this has grown.
  bool join(const EngineOrder &Other);

private:
  struct Seen {
    EngineSet Unaware; ///< engines that may run before the access has ended
    unsigned Age = 0;
  };
  unsigned Engines;
  std::optional<unsigned> Program;
  unsigned Now = 0;
  std::map<Key, Seen> Accesses;
};

} // namespace septran::compiler
