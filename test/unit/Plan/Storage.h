//===- Storage.h - the tensors of the interpreter ---------------*- C++ -*-===//
//
// Values   the storage of a tensor, or a view of another one. Elements lie where the layout says.
// Accesses in what runs side by side are checked against each other: iterations of one such loop
// must not touch the same element, unless all only read it or all reduce into it by one operator.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/BufferLayout.h"
#include "IR/Stmt.h"

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace septran::compiler {

using Index = std::vector<std::int64_t>;

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Which iteration of a loop whose iterations run side by side touched an element last, and how.
struct Touch {
  static constexpr unsigned Nobody = 0, Several = ~0u;
  unsigned Loop = 0; ///< this execution of the loop
  unsigned Writer = Nobody, Reader = Nobody, Reducer = Nobody;
  UpdateOp Op = UpdateOp::Set; ///< of the reducers
};

/// Loops around a loop whose own accesses are told apart.
constexpr size_t MaxTouchDepth = 3;

struct Values {
  Index Extents, Origins;
  // Storage.
  std::vector<double> Elements;
  std::vector<bool> Written;
  std::vector<std::array<Touch, MaxTouchDepth>> Touches;
  bool Shared = false; ///< by the processors that reduce into it: no conflicts
  Index Strides, PanelStrides, Splits;
  // View.
  std::shared_ptr<Values> Base;
  Index Offsets; ///< per base dimension
  std::vector<int> Dims;
  bool Reshaped = false, Filled = false;
  double Fill = 0;
};
using ValuesRef = std::shared_ptr<Values>;

std::int64_t countOf(const Index &Extents);
/// Position N of the row-major order, as indices.
Index unlinear(std::int64_t N, const Index &Extents);

/// Storage without values. A null layout is row-major.
ValuesRef storage(Index Extents, const BufferLayout *Layout = nullptr);
/// All elements, row-major.
std::vector<double> elementsOf(const Values &Storage);

/// Where an element lies; no storage for one that a window fills.
struct Place {
  Values *In = nullptr;
  size_t At = 0;
  double Fill = 0;
};
/// `Name` is the tensor's, for failures.
Place locate(const ValuesRef &V, const Index &At, const std::string &Name);

/// The loops around the statement that runs, as far as their iterations run side by side.
class SideBySide {
  struct Level {
    unsigned Loop, Iteration;
  };
  std::vector<Level> Levels;
  unsigned Loops = 0, Iterations = 0;

public:
  enum class Kind { Read, Write, Reduce };

  void enter() { Levels.push_back({++Loops, Touch::Nobody}); }
  void iterate() { Levels.back().Iteration = ++Iterations; }
  void leave() { Levels.pop_back(); }

  /// Fails if another iteration's access to the element conflicts.
  void touch(const Place &P, Kind K, UpdateOp Op, const std::string &Name) const;
};

} // namespace septran::compiler
