//===- TaskScope.h - a task of random logic while it is written -*- C++ -*-===//
#pragma once

#include "Verify/LogicTensor.h"
#include "Verify/Random.h"

#include <set>
#include <string>
#include <vector>

namespace septran::compiler {

struct TaskScope {
  std::vector<LogicTensor> Tensors; ///< visible here, arguments first
  std::vector<LogicParameter> Scalars;
  LogicBlock Tunables;
  /// Dimensions along which every statement so far works element by element: cutting them into
  /// blocks around the task changes nothing.
  std::set<int> LocalDims;
  unsigned Depth = 0;
  unsigned Conditions = 0; ///< around what is being written

  static std::set<int> dimsOf(const LogicTensor &View) {
    return {View.Dims.begin(), View.Dims.end()};
  }
  /// An access under a condition says less about extents than one that is always made, so there
  /// must have been one of those.
  bool isUsable(const LogicTensor &T) const { return Conditions == 0 || T.IsAnchored; }
  /// What the view is of.
  LogicTensor &root(const LogicTensor &View);
  void keepLocal(const std::set<int> &Dims);
  std::vector<int> visibleSymbols() const;
  /// What can be read while Out is written: floating-point values do not go into integers unless
  /// they are exact.
  std::vector<LogicTensor> readable(const LogicTensor &Out) const;

  /// `Walked`: symbols of its dimensions that are walked.
  void markRead(const LogicTensor &View, const std::set<int> &Walked);
  /// `Full`: whatever was there is gone.
  void markWritten(const LogicTensor &View, const std::set<int> &Walked, bool Full, bool IsExact,
                   const std::string &Reduction = "?");
  void markWalked(const LogicTensor &View, const std::set<int> &Walked);
};

/// Appends a launch of a standard leaf that writes Out; false if none suits.
bool addStandardLaunch(TaskScope &S, LogicBlock &B, const LogicTensor &Out, Random &R);

} // namespace septran::compiler
