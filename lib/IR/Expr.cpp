//===- Expr.cpp - scalar expressions ----------------------------*- C++ -*-===//
#include "IR/Expr.h"

#include "IR/Fold.h"
#include "IR/Tensor.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace septran::compiler {

VarRef makeVar(std::string Name, ScalarType Type, VarKind Kind, Location Loc) {
  return std::make_shared<const Var>(Var{std::move(Name), Type, Kind, std::move(Loc)});
}

VarRef makeTileVar(const Var &V) {
  return std::make_shared<const Var>(
      Var{V.Name + "_tile", ScalarType::I64, VarKind::Loop, V.Loc, V.Name});
}

bool isComparison(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Lt:
  case BinaryOp::Le:
  case BinaryOp::Gt:
  case BinaryOp::Ge:
  case BinaryOp::Eq:
  case BinaryOp::Ne:
    return true;
  default:
    return false;
  }
}

namespace {

ExprNode node(ExprKind Kind, ScalarType Type) {
  ExprNode N;
  N.Kind = Kind;
  N.Type = Type;
  return N;
}

Expr share(ExprNode N) { return std::make_shared<const ExprNode>(std::move(N)); }

/// Two's complement, as C++20 converts integers.
std::int64_t wrapped(std::int64_t Value, ScalarType Type) {
  switch (Type) {
  case ScalarType::Bool:
    return Value != 0;
  case ScalarType::I8:
    return static_cast<std::int8_t>(Value);
  case ScalarType::I16:
    return static_cast<std::int16_t>(Value);
  case ScalarType::I32:
    return static_cast<std::int32_t>(Value);
  case ScalarType::U8:
    return static_cast<std::uint8_t>(Value);
  case ScalarType::U16:
    return static_cast<std::uint16_t>(Value);
  case ScalarType::U32:
    return static_cast<std::uint32_t>(Value);
  default:
    return Value;
  }
}

/// Integers up to this magnitude are exact in every float type (E5M2 has three significant bits).
constexpr std::int64_t ExactEverywhere = 8;

bool isExactIn(double Value, ScalarType Type) {
  if (Type == ScalarType::F64)
    return true;
  if (Type == ScalarType::F32)
    return static_cast<double>(static_cast<float>(Value)) == Value;
  return Value >= -ExactEverywhere && Value <= ExactEverywhere &&
         Value == static_cast<double>(static_cast<std::int64_t>(Value));
}

} // namespace

Expr intLit(std::int64_t Value, ScalarType Type) {
  assert(!isFloat(Type));
  ExprNode N = node(ExprKind::IntLit, Type);
  N.Int = Value;
  return share(std::move(N));
}

Expr boolLit(bool Value) { return intLit(Value, ScalarType::Bool); }

Expr floatLit(double Value, ScalarType Type) {
  assert(isFloat(Type));
  ExprNode N = node(ExprKind::FloatLit, Type);
  N.Float = Value;
  return share(std::move(N));
}

Expr varExpr(const VarRef &V) {
  assert(V);
  ExprNode N = node(ExprKind::Var, V->Type);
  N.V = V;
  return share(std::move(N));
}

Expr extentOf(const TensorRef &T, unsigned Dim) {
  assert(T && Dim < T->Rank);
  ExprNode N = node(ExprKind::Extent, ScalarType::I64);
  N.T = T;
  N.Dim = Dim;
  return share(std::move(N));
}

Expr originOf(const TensorRef &T, unsigned Dim) {
  assert(T && Dim < T->Rank);
  ExprNode N = node(ExprKind::Origin, ScalarType::I64);
  N.T = T;
  N.Dim = Dim;
  return share(std::move(N));
}

Expr load(const TensorRef &T, std::vector<Expr> Indices) {
  assert(T);
  ExprNode N = node(ExprKind::Load, T->Element);
  N.T = T;
  N.Args = std::move(Indices);
  return share(std::move(N));
}

Expr unary(UnaryOp Op, Expr A) {
  if (Expr Folded = foldUnary(Op, A))
    return Folded;
  ScalarType Type = A->Type;
  if (Op == UnaryOp::Not)
    Type = ScalarType::Bool;
  else if (!isFloat(Type))
    Type = commonType(Type, Type);
  ExprNode N = node(ExprKind::Unary, Type);
  N.Un = Op;
  N.Args = {std::move(A)};
  return share(std::move(N));
}

Expr binary(BinaryOp Op, Expr A, Expr B) {
  ScalarType Type = ScalarType::Bool;
  if (Op == BinaryOp::Shl || Op == BinaryOp::Shr)
    Type = commonType(A->Type, A->Type);
  else if ((Op == BinaryOp::Min || Op == BinaryOp::Max) && A->Type == B->Type)
    Type = A->Type; // std::min and std::max do not promote
  else if (!isComparison(Op) && Op != BinaryOp::And && Op != BinaryOp::Or)
    Type = commonType(A->Type, B->Type);
  return binary(Op, std::move(A), std::move(B), Type);
}

Expr binary(BinaryOp Op, Expr A, Expr B, ScalarType Type) {
  assert(A && B);
  if (Expr Folded = foldBinary(Op, A, B, Type))
    return Folded;
  ExprNode N = node(ExprKind::Binary, Type);
  N.Bin = Op;
  N.Args = {std::move(A), std::move(B)};
  return share(std::move(N));
}

Expr select(Expr Condition, Expr Then, Expr Else) {
  if (std::optional<std::int64_t> Known = constantValue(Condition))
    return *Known ? Then : Else;
  if (equal(Then, Else))
    return Then;
  ScalarType Type = Then->Type == Else->Type ? Then->Type : commonType(Then->Type, Else->Type);
  ExprNode N = node(ExprKind::Select, Type);
  N.Args = {std::move(Condition), std::move(Then), std::move(Else)};
  return share(std::move(N));
}

Expr cast(ScalarType Type, Expr A) {
  if (A->Type == Type)
    return A;
  if (A->Kind == ExprKind::IntLit) {
    if (!isFloat(Type))
      return withLocation(intLit(wrapped(A->Int, Type), Type), A->Loc);
    if (A->Int >= -ExactEverywhere && A->Int <= ExactEverywhere)
      return withLocation(floatLit(static_cast<double>(A->Int), Type), A->Loc);
  }
  if (A->Kind == ExprKind::FloatLit && isFloat(Type) && isExactIn(A->Float, Type))
    return withLocation(floatLit(A->Float, Type), A->Loc);
  ExprNode N = node(ExprKind::Cast, Type);
  N.Args = {std::move(A)};
  return share(std::move(N));
}

namespace {

constexpr std::string_view TeamBlock = "team_block";

} // namespace

Expr call(std::string Callee, std::vector<Expr> Args, ScalarType Type) {
  assert(Callee == TeamBlock || mathFunctionArity(Callee) == Args.size());
  ExprNode N = node(ExprKind::Call, Type);
  N.Callee = std::move(Callee);
  N.Args = std::move(Args);
  return share(std::move(N));
}

Expr teamBlock(Expr Elements, Expr Others, std::int64_t Most, std::int64_t Step,
               std::int64_t PerThread, Expr Threads, ScalarType Type) {
  std::vector<Expr> Args = {std::move(Elements), std::move(Others), intLit(Most), intLit(Step)};
  if (PerThread != 1 || Threads)
    Args.push_back(intLit(PerThread));
  if (Threads)
    Args.push_back(std::move(Threads));
  return call(std::string(TeamBlock), std::move(Args), Type);
}

bool isTeamBlock(const Expr &E) { return E->Kind == ExprKind::Call && E->Callee == TeamBlock; }

Expr withLocation(const Expr &E, Location Loc) {
  if (E->Loc == Loc)
    return E;
  ExprNode N = *E;
  N.Loc = std::move(Loc);
  return share(std::move(N));
}

Expr minExpr(Expr A, Expr B) { return binary(BinaryOp::Min, std::move(A), std::move(B)); }
Expr maxExpr(Expr A, Expr B) { return binary(BinaryOp::Max, std::move(A), std::move(B)); }
Expr ceilDiv(Expr A, Expr B) { return binary(BinaryOp::CeilDiv, std::move(A), std::move(B)); }

bool equal(const Expr &A, const Expr &B) {
  if (A == B)
    return true;
  if (!A || !B || A->Kind != B->Kind || A->Type != B->Type || A->Args.size() != B->Args.size())
    return false;
  switch (A->Kind) {
  case ExprKind::IntLit:
    return A->Int == B->Int;
  case ExprKind::FloatLit: // by bits: NaN is itself, 0 and -0 differ
    return std::bit_cast<std::uint64_t>(A->Float) == std::bit_cast<std::uint64_t>(B->Float);
  case ExprKind::Var:
    return A->V == B->V;
  case ExprKind::Extent:
  case ExprKind::Origin:
    return A->T == B->T && A->Dim == B->Dim;
  case ExprKind::Load:
    if (A->T != B->T)
      return false;
    break;
  case ExprKind::Unary:
    if (A->Un != B->Un)
      return false;
    break;
  case ExprKind::Binary:
    if (A->Bin != B->Bin)
      return false;
    break;
  case ExprKind::Call:
    if (A->Callee != B->Callee)
      return false;
    break;
  case ExprKind::Select:
  case ExprKind::Cast:
    break;
  }
  return std::equal(A->Args.begin(), A->Args.end(), B->Args.begin(),
                    [](const Expr &X, const Expr &Y) { return equal(X, Y); });
}

std::optional<std::int64_t> constantValue(const Expr &E) {
  if (E && E->Kind == ExprKind::IntLit)
    return E->Int;
  return std::nullopt;
}

const Expr &withoutCasts(const Expr &E) {
  return E->Kind == ExprKind::Cast ? withoutCasts(E->Args[0]) : E;
}

bool isConstant(const Expr &E, std::int64_t Value) { return constantValue(E) == Value; }

namespace {

struct MathFunction {
  std::string_view Name;
  unsigned Arity;
};

constexpr MathFunction MathFunctions[] = {
    {"abs", 1},   {"acos", 1},     {"asin", 1},  {"atan", 1},      {"atan2", 2}, {"cbrt", 1},
    {"ceil", 1},  {"copysign", 2}, {"cos", 1},   {"cosh", 1},      {"erf", 1},   {"erfc", 1},
    {"exp", 1},   {"exp2", 1},     {"expm1", 1}, {"fabs", 1},      {"floor", 1}, {"fma", 3},
    {"fmod", 2},  {"isfinite", 1}, {"isinf", 1}, {"isnan", 1},     {"log", 1},   {"log10", 1},
    {"log1p", 1}, {"log2", 1},     {"pow", 2},   {"nearbyint", 1}, {"round", 1}, {"sin", 1},
    {"sinh", 1},  {"sqrt", 1},     {"tan", 1},   {"tanh", 1},      {"trunc", 1},
};

const MathFunction *findMathFunction(std::string_view Name) {
  auto *Found = std::find_if(std::begin(MathFunctions), std::end(MathFunctions),
                             [&](const MathFunction &F) { return F.Name == Name; });
  return Found == std::end(MathFunctions) ? nullptr : Found;
}

} // namespace

bool isMathFunction(std::string_view Name) { return findMathFunction(Name); }

unsigned mathFunctionArity(std::string_view Name) {
  const MathFunction *F = findMathFunction(Name);
  assert(F && "not a math function");
  return F ? F->Arity : 0;
}

} // namespace septran::compiler
