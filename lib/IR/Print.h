//===- Print.h - the IR as text ---------------------------------*- C++ -*-===//
//
// C-like text for people and for tests:
//
//   parallel for (i : 0 .. ceil_div(C.extent(0), 64)) spread CORE {
//     alloc A_1 : CACHE f32[min(C.extent(0) - i * 64, 64), K] layout(panels(0, 16))
//     copy A_1 <- A[block i of 64, all]
//     define Cb : GLOBAL = C[block i of 64, all]
//     for (k : 0 .. 4 step 2) lanes 16 {
//       Cb(i, j) += A_1(i, k) * B(k, j)
//     }
//   }
//
// A view prints one entry per base dimension: `all`, `offset +: extent`,
// `block index of size`, each with ` halo(low, high)` for windows, or `at index`
// for a dimension that the view does not have. ` -> (1, 0)` gives the base
// dimension of each view dimension where that is not the order of the base;
// `new n` stands for a broadcast one. ` fill f` closes windows.
//
// The end of a spread loop may say what it is for: `} serves "C is read by softmax"`.
//
// `threads [4, 16@1, 2]` are the digits of an index that threads share (Digits.h).
//
// Identity is by pointer, so names may repeat; a NameTable makes them unique.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Stmt.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace septran::compiler {

/// Unique names in order of first appearance: the second symbol named `A` becomes `A_1`. The
/// symbols must live as long as the table.
class NameTable {
  std::map<const void *, std::string> Names;
  std::set<std::string> Taken;

  const std::string &unique(const void *Symbol, const std::string &Wanted);

public:
  NameTable() = default;
  /// Names that no symbol may get, as keywords.
  explicit NameTable(std::set<std::string> Reserved) : Taken(std::move(Reserved)) {}

  const std::string &name(const VarRef &V) { return unique(V.get(), V->Name); }
  const std::string &name(const TensorRef &T) { return unique(T.get(), T->Name); }
};

/// What follows `scope `: `gemm_ksteps (gemm_blocked on CORE)`. Instances are not known here.
using ScopeText = std::function<std::string(const InstanceInfo &)>;

std::string toString(const Expr &E, NameTable &Names);
std::string toString(const View &V, NameTable &Names);

/// One line per statement, two spaces per level, Indent levels to begin with.
std::string printBlock(const Block &B, unsigned Indent = 0, const ScopeText &TextOf = {});
std::string printBlock(const Block &B, NameTable &Names, unsigned Indent = 0,
                       const ScopeText &TextOf = {});

} // namespace septran::compiler
