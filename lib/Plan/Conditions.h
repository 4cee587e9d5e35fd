//===- Conditions.h - what is known to hold where something stands -*- C++ -*-===//
//
// The conditions around a place of the program, innermost last, each known to be true there or not
// to be.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Expr.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace septran::compiler {

class Conditions {
  struct Condition {
    Expr C;
    bool Holds; ///< false: where it is not true
  };
  std::vector<Condition> All;

public:
  bool empty() const { return All.empty(); }
  void push(Expr C, bool Holds) { All.push_back({std::move(C), Holds}); }
  /// From `then` to `else`.
  void failsNow() { All.back().Holds = false; }
  void pop() { All.pop_back(); }

  void forEach(llvm::function_ref<void(const Expr &)> F) const;
  /// Every condition without `and`, `or` and `not`, and whether it is true.
  void forEachFact(llvm::function_ref<void(const Expr &, bool)> F) const;
  /// Whether V has a bound there, from above or from below. What cannot be taken apart is believed to do
  /// both.
  bool bounds(const VarRef &V, bool FromAbove) const;
};

} // namespace septran::compiler
