//===- RandomViews.h - what a step of random logic works on -----*- C++ -*-===//
#pragma once

#include "Verify/LogicBlocks.h"
#include "Verify/TaskScope.h"

#include <optional>
#include <vector>

namespace septran::compiler {

/// The extent that the symbol stands for, as a task can write it.
LogicExpr extentOf(int Symbol, const std::vector<LogicTensor> &Tensors);

/// Draws tensors to write and to read: those of a task, locals, views. What defines them is
/// appended to a block.
class ViewDraw {
  Random &R;
  BlockNames Fresh;
  bool SmallTypes;

  /// Perhaps a view of an input instead of the input.
  LogicTensor drawView(const TaskScope &S, const LogicTensor &Out, const LogicTensor &T,
                       LogicBlock &B);

public:
  ViewDraw(Random &R, BlockNames Fresh, bool SmallTypes)
      : R(R), Fresh(std::move(Fresh)), SmallTypes(SmallTypes) {}

  ScalarType drawType();
  std::vector<int> someOf(std::vector<int> Symbols, size_t Most);
  LogicTensor &newLocal(TaskScope &S, LogicBlock &B, ScalarType Type, std::vector<int> Dims);
  /// Something to write. In code that may run never or twice: something that has values.
  std::optional<LogicTensor> drawOut(TaskScope &S, LogicBlock &B, bool Guarded);
  /// Up to three inputs or views of them, with at most four dimensions in the whole leaf.
  std::vector<LogicTensor> drawIns(TaskScope &S, const LogicTensor &Out, LogicBlock &B);

  LogicTensor viewOf(const LogicTensor &T, LogicBlock &B, LogicExpr Value, std::vector<int> Dims);
  /// The slice at one index of a dimension.
  LogicTensor fixedAt(const LogicTensor &T, LogicBlock &B, size_t Dim, const LogicExpr &At);
  LogicTensor transposed(const LogicTensor &T, LogicBlock &B);
};

} // namespace septran::compiler
