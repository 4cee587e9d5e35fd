//===- RandomViews.cpp - what a step of random logic works on -------------===//
#include "Verify/RandomViews.h"

#include <algorithm>
#include <set>

namespace septran::compiler {

LogicExpr extentOf(int Symbol, const std::vector<LogicTensor> &Tensors) {
  const LogicTensor &Ruler = *rulerOf(Symbol, Tensors);
  return member(Ruler.Name, "extent", unsigned(Ruler.dimOf(Symbol)));
}

ScalarType ViewDraw::drawType() {
  using T = ScalarType;
  if (SmallTypes && R.chance(30))
    return R.pick({T::BF16, T::BF16, T::F16, T::F16, T::I8, T::I8, T::U8, T::U8, T::I16, T::U16,
                   T::F8E4M3, T::F8E5M2});
  return R.pick({T::F32, T::F32, T::F32, T::F32, T::F64, T::F64, T::I32, T::I32, T::I64});
}

std::vector<int> ViewDraw::someOf(std::vector<int> Symbols, size_t Most) {
  R.shuffle(Symbols);
  Symbols.resize(1 + R.below(std::min(Most, Symbols.size())));
  return Symbols;
}

LogicTensor &ViewDraw::newLocal(TaskScope &S, LogicBlock &B, ScalarType Type,
                                std::vector<int> Dims) {
  LogicTensor T;
  T.Name = T.Root = Fresh("t");
  T.Type = Type;
  T.CanWrite = T.IsLocal = T.IsAnchored = true;
  std::vector<LogicExpr> Extents;
  for (int Symbol : Dims) {
    Extents.push_back(extentOf(Symbol, S.Tensors));
    T.Orders[Symbol] = rulerOf(Symbol, S.Tensors)->orderOf(Symbol);
  }
  T.Dims = std::move(Dims);
  T.Walked = S.dimsOf(T);
  B.push_back(local(Type, T.Name, std::move(Extents)));
  S.Tensors.push_back(std::move(T));
  return S.Tensors.back();
}

std::optional<LogicTensor> ViewDraw::drawOut(TaskScope &S, LogicBlock &B, bool Guarded) {
  if (!Guarded && R.chance(30) && S.Tensors.size() < 10 && !S.visibleSymbols().empty()) {
    ScalarType Type = R.chance(60) ? R.pick(S.Tensors).Type : drawType();
    if (Type == ScalarType::Bool) // is only read
      Type = ScalarType::I8;
    return newLocal(S, B, Type, someOf(S.visibleSymbols(), 3));
  }
  std::vector<const LogicTensor *> Fitting;
  for (const LogicTensor &T : S.Tensors)
    if (T.CanWrite && S.isUsable(T) && (!Guarded || T.HasValues))
      Fitting.push_back(&T);
  if (Fitting.empty())
    return std::nullopt;
  return *R.pick(Fitting);
}

LogicTensor ViewDraw::viewOf(const LogicTensor &T, LogicBlock &B, LogicExpr Value,
                             std::vector<int> Dims) {
  LogicTensor V = T;
  V.Name = Fresh("v");
  V.Dims = std::move(Dims);
  B.push_back(define(V.Name, std::move(Value)));
  return V;
}

LogicTensor ViewDraw::fixedAt(const LogicTensor &T, LogicBlock &B, size_t Dim,
                              const LogicExpr &At) {
  std::vector<LogicExpr> Args = {text(T.Name)};
  for (size_t D = 0; D < T.Dims.size(); ++D)
    Args.push_back(D == Dim ? At : text("septran::all"));
  std::vector<int> Dims = T.Dims;
  Dims.erase(Dims.begin() + std::ptrdiff_t(Dim));
  return viewOf(T, B, callOf("septran::subtensor", std::move(Args)), std::move(Dims));
}

LogicTensor ViewDraw::transposed(const LogicTensor &T, LogicBlock &B) {
  return viewOf(T, B, callOf("septran::transpose", {text(T.Name)}),
                {T.Dims.rbegin(), T.Dims.rend()});
}

LogicTensor ViewDraw::drawView(const TaskScope &S, const LogicTensor &Out, const LogicTensor &T,
                               LogicBlock &B) {
  if (T.Dims.size() >= 2 && R.chance(18))
    return transposed(T, B);
  if (T.Dims.size() >= 2 && R.chance(12)) {
    const size_t Dim = R.below(T.Dims.size());
    const LogicExpr Extent = member(T.Name, "extent", unsigned(Dim));
    const std::vector<LogicExpr> Places = {number(0), oper("-", Extent, number(1)),
                                           oper("/", Extent, number(2))};
    return fixedAt(T, B, Dim, R.pick(Places));
  }
  if (T.Dims.size() <= 2 && R.chance(8))
    for (int Symbol : Out.Dims)
      if (T.dimOf(Symbol) < 0) {
        std::vector<LogicExpr> Extents = {extentOf(Symbol, S.Tensors)};
        std::vector<int> Dims = {Symbol};
        for (size_t D = 0; D < T.Dims.size(); ++D) {
          Extents.push_back(member(T.Name, "extent", unsigned(D)));
          Dims.push_back(T.Dims[D]);
        }
        LogicTensor V = viewOf(T, B, callOf("septran::broadcast", {text(T.Name), listOf(Extents)}),
                               std::move(Dims));
        V.Orders[Symbol] = rulerOf(Symbol, S.Tensors)->orderOf(Symbol);
        return V;
      }
  return T;
}

std::vector<LogicTensor> ViewDraw::drawIns(TaskScope &S, const LogicTensor &Out, LogicBlock &B) {
  std::vector<LogicTensor> All = S.readable(Out), Result;
  R.shuffle(All);
  const size_t Most = size_t(R.pick({1, 1, 2, 2, 2, 3}));
  std::set<int> Dims(Out.Dims.begin(), Out.Dims.end());
  const bool Pointwise = R.chance(40);
  for (const LogicTensor &T : All) {
    std::set<int> With = Dims;
    With.insert(T.Dims.begin(), T.Dims.end());
    if (Result.size() >= Most || With.size() > 4 || With.size() > Out.Dims.size() + 2 ||
        (Pointwise && With.size() > Out.Dims.size()))
      continue;
    Result.push_back(drawView(S, Out, T, B));
    Dims = With;
  }
  return Result;
}

} // namespace septran::compiler
