//===- Nominal.cpp - numbers for a program's expressions ------------------===//
#include "Derive/Nominal.h"

#include "IR/Rewrite.h"

#include <cmath>

namespace septran::compiler {

namespace {

/// What the caller passes, such as a number of steps.
constexpr double NominalScalar = 16;
/// Those that share one of something, such as queries the keys of their group.
constexpr double SharedBy = 4;

} // namespace

Nominal::Nominal(const std::vector<Parameter> &Params, double ParameterExtent,
                 const ArgumentSizes &Arguments)
    : ParameterExtent(ParameterExtent) {
  for (const Parameter &Param : Params)
    if (Param.isTensor())
      Extents[Param.Tensor].assign(Param.Tensor->Rank, ParameterExtent);
  for (unsigned Param : Arguments.Extents)
    Vars[Params[Param].Scalar] = ParameterExtent;
  const auto Set = [&](const std::pair<unsigned, unsigned> &At, double Value) {
    if (const Parameter &Param = Params[At.first]; Param.isTensor())
      Extents[Param.Tensor][At.second] = Value;
    else
      Vars[Param.Scalar] = Value;
  };
  for (const auto &Window : Arguments.Windows)
    Set(Window, WindowExtent);
  for (const auto &Image : Arguments.Images)
    Set(Image, Arguments.ImageExtent);
  for (const auto &Each : Arguments.Shared)
    Set(Each, std::max(1.0, std::round(ParameterExtent / SharedBy)));
  for (const auto &[At, Value] : Arguments.Known)
    Set(At, Value);
}

double Nominal::extent(const TensorRef &T, unsigned Dim) {
  if (auto V = Views.find(T); V != Views.end())
    return of(V->second.extent(Dim));
  if (auto A = Allocated.find(T); A != Allocated.end())
    return of(A->second[Dim]);
  auto Known = Extents.find(T);
  return Known == Extents.end() ? ParameterExtent : Known->second[Dim];
}

namespace {

double binaryValue(BinaryOp Op, double A, double B) {
  switch (Op) {
  case BinaryOp::Add:
    return A + B;
  case BinaryOp::Sub:
    return A - B;
  case BinaryOp::Mul:
    return A * B;
  case BinaryOp::Div:
    return B == 0 ? 0 : std::trunc(A / B);
  case BinaryOp::Rem:
    return B == 0 ? 0 : std::fmod(A, B);
  case BinaryOp::Min:
    return std::min(A, B);
  case BinaryOp::Max:
    return std::max(A, B);
  case BinaryOp::CeilDiv:
    return B == 0 ? 0 : std::ceil(A / B);
  case BinaryOp::And:
    return A != 0 && B != 0;
  case BinaryOp::Or:
    return A != 0 || B != 0;
  case BinaryOp::Lt:
    return A < B;
  case BinaryOp::Le:
    return A <= B;
  case BinaryOp::Gt:
    return A > B;
  case BinaryOp::Ge:
    return A >= B;
  case BinaryOp::Eq:
    return A == B;
  case BinaryOp::Ne:
    return A != B;
  default: // bits say nothing about sizes
    return A;
  }
}

} // namespace

double Nominal::of(const Expr &E) {
  switch (E->Kind) {
  case ExprKind::IntLit:
    return double(E->Int);
  case ExprKind::FloatLit:
    return E->Float;
  case ExprKind::Var: {
    if (auto L = Lets.find(E->V); L != Lets.end())
      return of(L->second);
    auto V = Vars.find(E->V);
    return V == Vars.end() ? NominalScalar : V->second;
  }
  case ExprKind::Extent:
    return extent(E->T, E->Dim);
  case ExprKind::Origin:
    return 0;
  case ExprKind::Load:
  case ExprKind::Call:
    return 1;
  case ExprKind::Unary:
    return E->Un == UnaryOp::Not ? double(of(E->Args[0]) == 0) : -of(E->Args[0]);
  case ExprKind::Binary:
    return binaryValue(E->Bin, of(E->Args[0]), of(E->Args[1]));
  case ExprKind::Select:
    return of(E->Args[of(E->Args[0]) != 0 ? 1 : 2]);
  case ExprKind::Cast:
    return of(E->Args[0]);
  }
  return 0;
}

void Nominal::collectVars(const Expr &E, std::set<VarRef> &Found) const {
  walkExprs(E, [&](const Expr &Part) {
    if (Part->Kind == ExprKind::Var) {
      const auto L = Lets.find(Part->V);
      if (L != Lets.end())
        collectVars(L->second, Found);
      else
        Found.insert(Part->V);
    } else if (Part->Kind == ExprKind::Extent) {
      if (const auto V = Views.find(Part->T); V != Views.end())
        collectVars(V->second.extent(Part->Dim), Found);
      else if (const auto A = Allocated.find(Part->T); A != Allocated.end())
        collectVars(A->second[Part->Dim], Found);
    }
  });
}

double Nominal::difference(const Expr &E, const VarRef &V) {
  const double Here = of(E);
  double &Value = Vars.try_emplace(V, NominalScalar).first->second;
  Value += 1;
  const double Next = of(E);
  Vars[V] -= 1;
  return Next - Here;
}

Nominal::Element Nominal::through(const View &V, const std::vector<Expr> &Indices) const {
  if (!V.Reshape.empty()) { // a row of the elements in order
    std::vector<Expr> Flat(V.Base->Rank, intLit(0));
    Expr Position = intLit(0);
    for (size_t D = 0; D < Indices.size(); ++D)
      Position = Position * V.Reshape[D] + Indices[D];
    if (!Flat.empty())
      Flat.back() = Position;
    return rootElement(V.Base, std::move(Flat));
  }
  const View Full = explicitView(V);
  std::vector<Expr> Result;
  for (const Slice &S : Full.Slices)
    Result.push_back(S.Offset);
  for (size_t D = 0; D < Full.Dims.size() && D < Indices.size(); ++D)
    if (Full.Dims[D] >= 0)
      Result[size_t(Full.Dims[D])] = Result[size_t(Full.Dims[D])] + Indices[D];
  return rootElement(V.Base, std::move(Result));
}

Nominal::Element Nominal::rootElement(TensorRef T, std::vector<Expr> Indices) const {
  auto V = Views.find(T);
  return V == Views.end() ? Element{std::move(T), std::move(Indices)} : through(V->second, Indices);
}

} // namespace septran::compiler
