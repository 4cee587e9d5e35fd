//===- RandomExpr.cpp - some expression over elements ---------------------===//
#include "Verify/RandomExpr.h"

namespace septran::compiler {

namespace {

bool isNarrow(ScalarType T) { return isInteger(T) && byteSize(T) == 1; }

/// The element as a value of the type. Small floats of two kinds convert by way of float.
LogicExpr converted(const LogicAtom &A, ScalarType Type) {
  if (A.Type == Type)
    return A.E;
  return castTo(Type, isSmallFloat(A.Type) && isSmallFloat(Type) ? castTo(ScalarType::F32, A.E)
                                                                 : A.E);
}

} // namespace

/// Draws are never made in two arguments of one call: compilers evaluate those in different orders.
LogicExpr ExprDraw::position() {
  LogicExpr At = R.pick(Positions);
  return castTo(Type, oper("%", std::move(At), number(R.between(2, 9))));
}

//===--- integers ---------------------------------------------------------===//

BoundedExpr ExprDraw::integerAtom(const LogicAtom &A) {
  if (isFloat(A.Type)) {
    // Conversion of what does not fit is undefined; comparisons are false for NaN.
    LogicExpr X = isSmallFloat(A.Type) ? castTo(ScalarType::F32, A.E) : A.E;
    const ScalarType T = isSmallFloat(A.Type) ? ScalarType::F32 : A.Type;
    return {selectOf(oper("&&", oper(">", X, literal(T, -8)), oper("<", X, literal(T, 8))),
                     castTo(Type, X), number(1)),
            8};
  }
  LogicExpr X = converted(A, Type);
  if (isNarrow(A.Type) && R.chance(40))
    return {std::move(X), 255};
  switch (R.below(3)) {
  case 0:
    return {oper("&", std::move(X), number(7)), 7};
  case 1:
    return {oper("%", std::move(X), number(11)), 10};
  default:
    return {callOf("std::min", {callOf("std::max", {std::move(X), castTo(Type, number(-9))}),
                                castTo(Type, number(9))}),
            9};
  }
}

BoundedExpr ExprDraw::integer(unsigned Depth) {
  if (Depth == 0 || R.chance(15)) {
    if (!Positions.empty() && R.chance(15))
      return {position(), 8};
    if (Atoms.empty() || R.chance(15)) {
      const auto Value = R.between(-5, 9);
      return {castTo(Type, number(Value)), 9};
    }
    return integerAtom(R.pick(Atoms));
  }
  BoundedExpr A = integer(Depth - 1), B = integer(Depth - 1);
  switch (R.below(9)) {
  case 0:
    return {oper("+", A.E, B.E), A.Bound + B.Bound};
  case 1:
    return {oper("-", A.E, B.E), A.Bound + B.Bound};
  case 2:
    if (A.Bound * B.Bound < 1e6)
      return {oper("*", A.E, B.E), A.Bound * B.Bound};
    return A;
  case 3:
    return {oper("/", A.E, number(R.pick({2, 3, 4, 7}))), A.Bound};
  case 4:
    return {oper("%", A.E, oper("+", oper("&", B.E, number(7)), number(2))), A.Bound};
  case 5:
    return {callOf(R.chance(50) ? "std::min" : "std::max", {A.E, B.E}), std::max(A.Bound, B.Bound)};
  case 6:
    return {selectOf(condition(), A.E, B.E), std::max(A.Bound, B.Bound)};
  case 7:
    return {oper(R.pick({"&", "|", "^"}), A.E, B.E), 2 * (A.Bound + B.Bound) + 1};
  default:
    return {oper(">>", A.E, number(R.between(1, 3))), A.Bound};
  }
}

//===--- floating point ---------------------------------------------------===//

LogicExpr ExprDraw::bounded(LogicExpr X) {
  switch (R.below(3)) {
  case 0:
    return callOf("std::min",
                  {callOf("std::max", {std::move(X), literal(Type, -4)}), literal(Type, 4)});
  case 1:
    return oper("/", X, oper("+", literal(Type, 1), callOf("std::abs", {X})));
  default:
    return callOf("std::tanh", {std::move(X)});
  }
}

LogicExpr ExprDraw::floatAtom(const LogicAtom &A) {
  if (isInteger(A.Type))
    return castTo(Type, oper("%", A.E, number(R.between(3, 13))));
  LogicExpr X = converted(A, Type);
  if (A.IsRaw && R.chance(75))
    return R.chance(20) ? oper("*", literal(Type, R.pick({0.5, 0.25, 2.0})), std::move(X)) : X;
  return bounded(std::move(X));
}

LogicExpr ExprDraw::floating(unsigned Depth) {
  if (Depth == 0 || R.chance(15)) {
    if (!Positions.empty() && R.chance(10))
      return position();
    if (Atoms.empty() || R.chance(12))
      return literal(Type, R.pick({0.25, 0.5, 1.0, 1.5, 2.0, -1.0, -0.75, 3.0}));
    return floatAtom(R.pick(Atoms));
  }
  LogicExpr A = floating(Depth - 1);
  if (R.chance(25))
    switch (R.below(9)) {
    case 0:
      return callOf("std::tanh", {A});
    case 1:
      return callOf("std::erf", {A});
    case 2:
      return callOf("std::atan", {A});
    case 3:
      return callOf("std::sqrt", {oper("+", literal(Type, 1), oper("*", A, A))});
    case 4:
      return callOf("std::exp", {{LogicExpr::Kind::Operator, "-", {callOf("std::abs", {A})}}});
    case 5:
      return callOf("std::log1p", {callOf("std::abs", {A})});
    case 6:
      return callOf("std::sin", {bounded(A)});
    case 7:
      return callOf("std::cos", {bounded(A)});
    default:
      return callOf("std::abs", {A});
    }
  LogicExpr B = floating(Depth - 1);
  switch (R.below(10)) {
  case 0:
  case 1:
    return oper("+", A, B);
  case 2:
    return oper("-", A, B);
  case 3:
  case 4:
  case 5:
    return oper("*", A, B);
  case 6:
    return callOf(R.chance(50) ? "std::min" : "std::max", {A, B});
  case 7:
    return selectOf(condition(), A, B);
  case 8:
    return oper("/", A, oper("+", literal(Type, 1), oper("*", B, B)));
  default:
    return callOf("std::fma", {A, B, floating(0)});
  }
}

/// 16-bit types compute in float and round after every operation.
LogicExpr ExprDraw::small(unsigned Depth) {
  std::vector<const LogicAtom *> Own;
  for (const LogicAtom &A : Atoms)
    if (A.Type == Type)
      Own.push_back(&A);
  if (Depth == 0 || R.chance(15))
    return Own.empty() || R.chance(15) ? literal(Type, R.pick({0.25, 0.5, 1.5, -1.0}))
                                       : R.pick(Own)->E;
  LogicExpr A = small(Depth - 1), B = small(Depth - 1);
  switch (R.below(5)) {
  case 0:
    return oper("+", A, B);
  case 1:
    return oper("-", A, B);
  case 2:
  case 3:
    return oper("*", A, B);
  default:
    return callOf(R.chance(50) ? "std::min" : "std::max", {A, B});
  }
}

//===--- for the leaf -----------------------------------------------------===//

LogicExpr ExprDraw::atom(const LogicAtom &A) {
  if (isSmallFloat(Type))
    return converted(A, Type);
  return isFloat(Type) ? floatAtom(A) : integerAtom(A).E;
}

LogicExpr ExprDraw::draw(unsigned Depth) {
  if (isSmallFloat(Type))
    return small(Depth);
  if (isFloat(Type))
    return floating(Depth);
  BoundedExpr E = integer(Depth);
  return E.Bound <= 100 ? E.E : oper("%", E.E, number(101));
}

LogicExpr ExprDraw::factor(const LogicExpr &X) const {
  if (!isFloat(Type))
    return oper("-", number(1), oper("*", number(2), oper("&", X, number(1))));
  return oper(
      "+", literal(Type, 1),
      oper("/", X,
           oper("*", literal(Type, 64), oper("+", literal(Type, 1), callOf("std::abs", {X})))));
}

LogicExpr ExprDraw::condition() {
  if (Positions.size() > 1 && R.chance(30)) {
    const size_t A = R.below(Positions.size()), B = (A + 1) % Positions.size();
    const std::string Compare = R.pick({"<", "<=", "!="});
    const bool Shifted = R.chance(30);
    LogicExpr Other = Shifted ? oper("+", Positions[B], number(R.between(1, 3))) : Positions[B];
    return oper(Compare, Positions[A], std::move(Other));
  }
  std::vector<const LogicAtom *> Exact;
  for (const LogicAtom &A : Atoms)
    if (A.IsExact)
      Exact.push_back(&A);
  if (Exact.empty() || (!Positions.empty() && R.chance(40))) {
    if (Positions.empty())
      return text("true");
    LogicExpr At = R.pick(Positions);
    if (R.chance(50)) {
      const std::string Compare = R.pick({"<", ">="});
      return oper(Compare, std::move(At), number(R.between(1, 20)));
    }
    At = oper("%", std::move(At), number(R.between(2, 5)));
    return oper("!=", std::move(At), number(R.between(0, 1)));
  }
  const LogicAtom &A = *R.pick(Exact);
  if (A.Type == ScalarType::Bool)
    return A.E;
  const bool Small = isSmallFloat(A.Type);
  LogicExpr X = Small ? castTo(ScalarType::F32, A.E) : A.E;
  const std::string Compare = R.pick({"<", ">", "<=", ">="});
  return oper(Compare, std::move(X),
              literal(Small ? ScalarType::F32 : A.Type, double(R.between(1, 4))));
}

} // namespace septran::compiler
