//===- RandomLogic.h - random tasks, mappings and arguments -----*- C++ -*-===//
#pragma once

#include "Compare.h"
#include "TaskGraphs.h"

namespace septran::compiler {

/// How a function's arguments belong together.
enum class Shape {
  Same,    ///< O, A and B have one shape
  Halo,    ///< A has two more rows and columns
  Rows,    ///< O has one column, for what becomes of the rows of A and B
  Columns, ///< O has one row
  Product, ///< O(i, j) takes part in A(i, k) and B(k, j)
  Vectors, ///< one dimension
};

/// A function of (O, A, B, n) and what a caller must know of it.
struct Callable {
  FunctionRef F;
  Privilege Out;
  Shape Form = Shape::Same;
  bool Elementwise = false;           ///< O may be the same tensor as A
  UpdateOp Reduction = UpdateOp::Set; ///< of Privilege::Reduce
};

/// The blocks with two more elements along every dimension, `Low` of them before the block.
View windowOf(const TensorRef &T, const std::vector<BlockAt> &At, int Low = 1);

/// Row `Row` of T, a vector.
View rowOf(const TensorRef &T, const Expr &Row);

/// The leaves that random tasks launch.
std::vector<Callable> randomLeaves();

/// Tasks of (O, A, B, n): matrices of one shape, or blocks of them, and a small number. Their
/// bodies are launches of leaves and of further tasks on whole tensors, blocks, rows, windows and
/// other views, below parallel and sequential loops and conditions, with locals. Some read what was
/// never written or let iterations of a parallel loop interfere: these are no valid logic.
class LogicMaker : public Dice {
  std::vector<Callable> Known;
  std::vector<FunctionRef> Tasks;                         ///< callers first
  std::map<std::string, std::vector<std::int64_t>> Tiles; ///< of each task: rows, columns
  bool Square;                                            ///< matrices have as many rows as columns

  struct Scene;
  using Blocks = std::vector<BlockAt>;

  Callable callable(Scene &S, std::initializer_list<Shape> Forms);
  TensorRef input(const Scene &S);
  View inputBlock(Scene &S, const Blocks &At);
  void launchOn(Scene &S, const Callable &C, const Blocks &At);
  void whole(Scene &S);
  void blocks(Scene &S);
  void subBlocks(Scene &S);
  void product(Scene &S);
  void rowByRow(Scene &S);
  void flat(Scene &S);
  void viaLocal(Scene &S);
  void simple(Scene &S);
  void statement(Scene &S);
  void task(unsigned Level);
  void reducer(unsigned Level);
  Expr number(const Scene &S, const Blocks &At);
  std::string instance(const Function &F, unsigned Level, bool Bold);

public:
  explicit LogicMaker(unsigned Seed) : Dice(Seed), Square(maybe()) {}

  TaskGraph graph();
  /// One instance per function, each at least as far inside as its callers. Leaves of the innermost
  /// level may use registers if `Registers` says so.
  std::string mapping(const TaskGraph &G, bool Bold);
  std::vector<std::vector<TestArgument>> inputs();
};

} // namespace septran::compiler
