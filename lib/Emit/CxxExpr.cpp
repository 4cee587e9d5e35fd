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

OperandBindings operandBindings(Binding Operator) {
  switch (Operator) {
  case Binding::BitAnd:
  case Binding::BitOr:
  case Binding::BitXor:
  case Binding::Shift:
    return {Binding::Unary, Binding::Unary};
  case Binding::Or: // && in || is clearer in parentheses
    return {Binding::Equality, Binding::Equality};
  default: // left-associative
    return {Operator, Binding(int(Operator) + 1)};
  }
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

namespace {

/// The type that a literal's text has in C++.
ScalarType literalType(const ExprNode &E) {
  bool Plain = isInteger(E.Type) && E.Type != ScalarType::U32 && E.Type != ScalarType::U64;
  if (!Plain)
    return E.Type;
  return E.Int == std::int32_t(E.Int) ? ScalarType::I32 : ScalarType::I64;
}

/// The text as a value of Type, converted if it is another integer.
CxxText converted(const CxxText &T, ScalarType Type) {
  if (T.Type == Type || isFloat(T.Type) || isFloat(Type))
    return T;
  std::string Name = Type == ScalarType::I64 ? "std::ptrdiff_t" : std::string(cxxName(Type));
  return {Name + "(" + T.Text + ")", Binding::Primary, Type};
}

/// C++ may compute in Has what is meant to be computed in Wanted: only wider signed integers will
/// do.
bool computesAlike(ScalarType Has, ScalarType Wanted) {
  return Has == Wanted || isFloat(Wanted) || Wanted == ScalarType::Bool ||
         (isSigned(Has) && isSigned(Wanted) && byteSize(Has) >= byteSize(Wanted));
}

/// One operand converted, if the operation on both would be done in too narrow or too unsigned a
/// type.
void matchOperands(CxxText &A, const CxxText &B, ScalarType Wanted) {
  if (!computesAlike(commonType(A.Type, B.Type), Wanted) && byteSize(A.Type) <= byteSize(Wanted))
    A = converted(A, Wanted);
}

} // namespace

std::string scalarCallee(std::string_view Name) {
  return "std::" + std::string(Name == "fabs" ? "abs" : Name);
}

CxxText CxxExprPrinter::binary(const Expr &E) const {
  CxxText A = print(E->Args[0]), B = print(E->Args[1]);
  const std::string Type(cxxName(E->Type));
  if (E->Bin == BinaryOp::CeilDiv)
    return {Library + "::ceil_div(" + A.Text + ", " + B.Text + ")"};
  if (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::Max) {
    const std::string Name = E->Bin == BinaryOp::Min ? "min" : "max";
    const bool ByValue =
        E->Type == ScalarType::I64 && (isInRegister(E->Args[0]) || isInRegister(E->Args[1]));
    return {(ByValue ? Library + "::" + Name + "_index(" : "std::" + Name + "<" + Type + ">(") +
                A.Text + ", " + B.Text + ")",
            Binding::Primary, E->Type};
  }
  const bool Shifts = E->Bin == BinaryOp::Shl || E->Bin == BinaryOp::Shr;
  const bool Logic = E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or;
  ScalarType Result = E->Type;
  if (isComparison(E->Bin)) {
    // Narrower signed operands compare alike.
    ScalarType Operands = commonType(E->Args[0]->Type, E->Args[1]->Type);
    if (isSigned(Operands) != isSigned(commonType(A.Type, B.Type)))
      matchOperands(A, B, Operands);
  } else if (!Logic) {
    const CxxText Left = A;
    // Quotients are no larger than what is divided.
    const bool Divides = E->Bin == BinaryOp::Div || E->Bin == BinaryOp::Rem;
    if (!Divides || !isSigned(commonType(A.Type, B.Type)) ||
        constantValue(E->Args[1]).value_or(0) <= 0)
      matchOperands(A, Shifts ? Left : B, E->Type);
    Result = commonType(A.Type, Shifts ? A.Type : B.Type);
  }
  BinarySpelling S = infix(E->Bin);
  const OperandBindings Least = operandBindings(S.Binds);
  CxxText Text{A.in(Least.Left) + " " + std::string(S.Text) + " " + B.in(Least.Right), S.Binds,
               Result};
  // Unsigned arithmetic of std::ptrdiff_t variables: it wraps.
  return isSigned(E->Type) || computesAlike(Result, E->Type) ? Text : converted(Text, E->Type);
}

CxxText CxxExprPrinter::print(const Expr &E) const {
  switch (E->Kind) {
  case ExprKind::IntLit:
  case ExprKind::FloatLit: {
    CxxText Literal = literalText(*E);
    Literal.Type = literalType(*E);
    return Literal;
  }
  case ExprKind::Var:
    return {Names.name(E->V), Binding::Primary,
            E->V->Kind == VarKind::Loop ? ScalarType::I64 : E->Type};
  case ExprKind::Extent:
  case ExprKind::Origin:
    return ResolveTensor(E);
  case ExprKind::Load: {
    CxxText Element = ResolveTensor(E);
    Element.Type = E->Type;
    return Element;
  }
  case ExprKind::Unary: {
    const char *Op = E->Un == UnaryOp::Neg ? "-" : E->Un == UnaryOp::Not ? "!" : "~";
    CxxText Operand = print(E->Args[0]);
    if (E->Un != UnaryOp::Not)
      matchOperands(Operand, Operand, E->Type);
    std::string A = Operand.in(Binding::Unary);
    CxxText Text{Op + (A[0] == Op[0] ? "(" + A + ")" : A), Binding::Unary,
                 E->Un == UnaryOp::Not ? E->Type : commonType(Operand.Type, Operand.Type)};
    return isSigned(E->Type) || computesAlike(Text.Type, E->Type) ? Text : converted(Text, E->Type);
  }
  case ExprKind::Binary:
    return binary(E);
  case ExprKind::Select: {
    CxxText A = print(E->Args[1]), B = print(E->Args[2]);
    matchOperands(A, B, E->Type);
    return {print(E->Args[0]).in(Binding::Or) + " ? " + A.in(Binding::Or) + " : " +
                B.in(Binding::Or),
            Binding::Ternary, commonType(A.Type, B.Type)};
  }
  case ExprKind::Cast: {
    const Expr &A = E->Args[0];
    // Who computes with it converts it, where that makes a difference.
    if (E->Type == ScalarType::I64 && !isFloat(A->Type) && A->Type != ScalarType::U64)
      return print(A);
    // Device code converts 16-bit floats with one instruction.
    const bool OnDevice = Library == "cuda";
    if (OnDevice && E->Type == ScalarType::F32 && isSmallFloat(A->Type) && byteSize(A->Type) == 2)
      return {"cuda::widen(" + print(A).Text + ")", Binding::Primary, E->Type};
    if (OnDevice && A->Type == ScalarType::F32 && isSmallFloat(E->Type) && byteSize(E->Type) == 2)
      return {"cuda::narrow<" + std::string(cxxName(E->Type)) + ">(" + print(A).Text + ")",
              Binding::Primary, E->Type};
    return {std::string(cxxName(E->Type)) + "(" + print(A).Text + ")", Binding::Primary, E->Type};
  }
  case ExprKind::Call: {
    std::string Text =
        (isTeamBlock(E) ? Library + "::" + E->Callee : scalarCallee(E->Callee)) + "(";
    for (size_t I = 0; I < E->Args.size(); ++I)
      Text += (I ? ", " : "") + print(E->Args[I]).Text;
    return {Text + ")", Binding::Primary, E->Type};
  }
  }
  return {};
}

} // namespace septran::compiler
