//===- TaskScope.cpp - a task of random logic while it is written ---------===//
#include "Verify/TaskScope.h"

#include <algorithm>

namespace septran::compiler {

LogicTensor &TaskScope::root(const LogicTensor &View) {
  for (LogicTensor &T : Tensors)
    if (T.Name == View.Root)
      return T;
  return Tensors.front(); // views have roots
}

void TaskScope::keepLocal(const std::set<int> &Dims) {
  std::erase_if(LocalDims, [&](int S) { return !Dims.count(S); });
}

std::vector<int> TaskScope::visibleSymbols() const {
  std::vector<int> All;
  for (const LogicTensor &T : Tensors)
    for (int Symbol : T.Dims)
      if (std::find(All.begin(), All.end(), Symbol) == All.end())
        All.push_back(Symbol);
  return All;
}

std::vector<LogicTensor> TaskScope::readable(const LogicTensor &Out) const {
  std::vector<LogicTensor> Result;
  for (const LogicTensor &T : Tensors)
    if (isUsable(T) && T.HasValues && T.Root != Out.Root &&
        (isFloat(Out.Type) || !isFloat(T.Type) || T.IsExact))
      Result.push_back(T);
  return Result;
}

void TaskScope::markWalked(const LogicTensor &View, const std::set<int> &Walked) {
  if (Conditions > 0)
    return;
  LogicTensor &T = root(View);
  for (int Symbol : Walked)
    if (T.dimOf(Symbol) >= 0)
      T.Walked.insert(Symbol);
  T.IsAnchored |= T.Walked.size() == T.Dims.size();
}

void TaskScope::markRead(const LogicTensor &View, const std::set<int> &Walked) {
  LogicTensor &T = root(View);
  T.IsTouched = true;
  T.ReadFirst |= !T.IsWritten;
  T.Reductions = std::string("?");
  markWalked(View, Walked);
}

void TaskScope::markWritten(const LogicTensor &View, const std::set<int> &Walked, bool Full,
                            bool IsExact, const std::string &Reduction) {
  LogicTensor &T = root(View);
  T.ReadFirst |= !T.IsWritten && !Full;
  T.IsTouched = T.IsWritten = true;
  if (T.Reductions.empty())
    T.Reductions = Reduction;
  else if (T.Reductions != Reduction)
    T.Reductions = std::string("?");
  if (Full)
    T.IsRaw = false;
  T.HasValues |= Full;
  T.IsExact = !isFloat(T.Type) || (Full && IsExact);
  markWalked(View, Walked);
}

//===--- standard leaves --------------------------------------------------===//

bool addStandardLaunch(TaskScope &S, LogicBlock &B, const LogicTensor &Out, Random &R) {
  if (Out.Dims.empty() || Out.Dims.size() > 3)
    return false;
  const LogicExpr To = text(Out.Name);
  std::vector<LogicTensor> Alike, SameType;
  for (const LogicTensor &T : S.readable(Out)) {
    if (T.Dims == Out.Dims && T.Type != ScalarType::Bool)
      Alike.push_back(T);
    if (T.Dims == Out.Dims && T.Type == Out.Type)
      SameType.push_back(T);
  }
  const bool Real = Out.Type == ScalarType::F32 || Out.Type == ScalarType::F64;
  std::set<int> Local(Out.Dims.begin(), Out.Dims.end());
  std::vector<LogicTensor> Reads;
  bool Exact = false, Full = true;
  if (!SameType.empty() && R.chance(35)) {
    Reads = {R.pick(SameType)};
    Exact = Reads[0].IsExact;
    B.push_back(launch("septran::copy", {To, text(Reads[0].Name)}));
  } else if (!Alike.empty() && R.chance(35)) {
    Reads = {R.pick(Alike)};
    if (isFloat(Reads[0].Type) && !isFloat(Out.Type))
      return false; // what does not fit has no defined conversion
    B.push_back(launch("septran::convert", {To, text(Reads[0].Name)}));
  } else if (Real && !SameType.empty() && R.chance(70)) {
    Reads = {R.pick(SameType)};
    if (R.chance(50)) {
      const std::string Name = R.pick({"septran::tanh", "septran::erf", "septran::abs",
                                       "septran::neg", "septran::sigmoid", "septran::relu"});
      B.push_back(launch(Name, {To, text(Reads[0].Name)}));
    } else {
      Reads.push_back(R.pick(SameType));
      const std::string Name =
          R.pick({"septran::add", "septran::sub", "septran::mul", "septran::max", "septran::min"});
      B.push_back(launch(Name, {To, text(Reads[0].Name), text(Reads[1].Name)}));
    }
  } else if (Real && Out.HasValues && R.chance(50)) {
    Full = false;
    B.push_back(launch("septran::scale", {To, literal(Out.Type, 0.5)}));
  } else {
    Exact = true;
    B.push_back(launch("septran::fill", {To, literal(Out.Type, double(R.between(0, 3)))}));
  }
  for (const LogicTensor &T : Reads)
    S.markRead(T, S.dimsOf(T));
  S.markWritten(Out, S.dimsOf(Out), Full, Exact);
  S.keepLocal(Local);
  return true;
}

} // namespace septran::compiler
