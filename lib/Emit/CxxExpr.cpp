//===- CxxExpr.cpp - scalar expressions as C++ ----------------------------===//
#include "Emit/CxxExpr.h"

#include <array>
#include <charconv>
#include <cmath>

namespace septran::compiler {

BinarySpelling infix(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Add:
    return {"+", Binding::Sum};
  case BinaryOp::Sub:
    return {"-", Binding::Sum};
  case BinaryOp::Mul:
    return {"*", Binding::Product};
  case BinaryOp::Div:
    return {"/", Binding::Product};
  case BinaryOp::Rem:
    return {"%", Binding::Product};
  case BinaryOp::And:
    return {"&&", Binding::And};
  case BinaryOp::Or:
    return {"||", Binding::Or};
  case BinaryOp::BitAnd:
    return {"&", Binding::BitAnd};
  case BinaryOp::BitOr:
    return {"|", Binding::BitOr};
  case BinaryOp::BitXor:
    return {"^", Binding::BitXor};
  case BinaryOp::Shl:
    return {"<<", Binding::Shift};
  case BinaryOp::Shr:
    return {">>", Binding::Shift};
  case BinaryOp::Lt:
    return {"<", Binding::Relation};
  case BinaryOp::Le:
    return {"<=", Binding::Relation};
  case BinaryOp::Gt:
    return {">", Binding::Relation};
  case BinaryOp::Ge:
    return {">=", Binding::Relation};
  case BinaryOp::Eq:
    return {"==", Binding::Equality};
  case BinaryOp::Ne:
    return {"!=", Binding::Equality};
  case BinaryOp::Min:
  case BinaryOp::Max:
  case BinaryOp::CeilDiv:
    break;
  }
  return {"", Binding::Primary};
}

namespace {

std::string limits(ScalarType Type, const char *Member) {
  return "std::numeric_limits<" + std::string(cxxName(Type)) + ">::" + Member + "()";
}

/// The shortest decimal text that reads back as the same value.
template <class Float> std::string shortest(Float Value) {
  std::array<char, 64> Buffer;
  auto End = std::to_chars(Buffer.data(), Buffer.data() + Buffer.size(), Value).ptr;
  std::string Text(Buffer.data(), End);
  if (Text.find_first_of(".e") == std::string::npos)
    Text += ".0";
  return Text;
}

CxxText floatText(double Value, ScalarType Type) {
  if (std::isnan(Value))
    return {limits(Type, "quiet_NaN")};
  if (std::isinf(Value))
    return {(Value < 0 ? "-" : "") + limits(Type, "infinity"),
            Value < 0 ? Binding::Unary : Binding::Primary};
  Binding B = std::signbit(Value) ? Binding::Unary : Binding::Primary;
  if (Type == ScalarType::F64)
    return {shortest(Value), B};
  std::string Single = shortest(float(Value)) + "F";
  if (Type == ScalarType::F32)
    return {Single, B};
  return {std::string(cxxName(Type)) + "(" + Single + ")"};
}

} // namespace

CxxText literalText(const ExprNode &E) {
  if (E.Kind == ExprKind::FloatLit)
    return floatText(E.Float, E.Type);
  if (E.Type == ScalarType::Bool)
    return {E.Int ? "true" : "false"};
  if (isFloat(E.Type))
    return floatText(double(E.Int), E.Type);
  if (E.Int == INT64_MIN)
    return {limits(ScalarType::I64, "min")};
  std::string Text = std::to_string(E.Int);
  if (E.Type == ScalarType::U32 || E.Type == ScalarType::U64)
    Text = std::string(cxxName(E.Type)) + "(" + Text + ")";
  return {Text, E.Int < 0 ? Binding::Unary : Binding::Primary};
}

std::string scalarCallee(std::string_view Name) {
  return "std::" + std::string(Name == "fabs" ? "abs" : Name);
}

CxxText CxxExprPrinter::print(const Expr &E) const {
  switch (E->Kind) {
  case ExprKind::IntLit:
  case ExprKind::FloatLit:
    return literalText(*E);
  case ExprKind::Var:
    return {Names.name(E->V)};
  case ExprKind::Extent:
  case ExprKind::Origin:
  case ExprKind::Load:
    return ResolveTensor(E);
  case ExprKind::Unary: {
    const char *Op = E->Un == UnaryOp::Neg ? "-" : E->Un == UnaryOp::Not ? "!" : "~";
    std::string A = print(E->Args[0]).in(Binding::Unary);
    return {Op + (A[0] == Op[0] ? "(" + A + ")" : A), Binding::Unary};
  }
  case ExprKind::Binary: {
    CxxText A = print(E->Args[0]), B = print(E->Args[1]);
    std::string Type(cxxName(E->Type));
    if (E->Bin == BinaryOp::CeilDiv)
      return {"cpu::ceil_div(" + A.Text + ", " + B.Text + ")"};
    if (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::Max)
      return {"std::" + std::string(E->Bin == BinaryOp::Min ? "min" : "max") + "<" + Type + ">(" +
              A.Text + ", " + B.Text + ")"};
    BinarySpelling S = infix(E->Bin);
    // Left-associative; mixed && and ||, and shifts in sums, are clearer in parentheses.
    Binding Right = Binding(int(S.Binds) + 1);
    Binding Left = S.Binds == Binding::Or ? Binding::Equality : S.Binds;
    return {A.in(Left) + " " + std::string(S.Text) + " " +
                B.in(S.Binds == Binding::Or ? Binding::Equality : Right),
            S.Binds};
  }
  case ExprKind::Select:
    return {print(E->Args[0]).in(Binding::Or) + " ? " + print(E->Args[1]).in(Binding::Or) + " : " +
                print(E->Args[2]).in(Binding::Or),
            Binding::Ternary};
  case ExprKind::Cast: {
    const Expr &A = E->Args[0];
    // Index arithmetic is done in std::ptrdiff_t anyway.
    if (E->Type == ScalarType::I64 && !isFloat(A->Type) && A->Type != ScalarType::U64)
      return print(A);
    return {std::string(cxxName(E->Type)) + "(" + print(A).Text + ")"};
  }
  case ExprKind::Call: {
    std::string Text = scalarCallee(E->Callee) + "(";
    for (size_t I = 0; I < E->Args.size(); ++I)
      Text += (I ? ", " : "") + print(E->Args[I]).Text;
    return {Text + ")"};
  }
  }
  return {};
}

} // namespace septran::compiler
