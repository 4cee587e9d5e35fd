//===- ParseExpr.cpp - expressions of loop nests written as text -*- C++ -*-===//
#include "IR/ParseExpr.h"

#include "IR/Canonical.h"
#include "IR/Tensor.h"
#include "Support/DidYouMean.h"

#include <charconv>
#include <limits>

namespace septran::compiler {

namespace {

/// Deeper nesting than any formula; keeps the stack small whatever a file says.
constexpr unsigned MaxDepth = 200;

constexpr unsigned SelectPrecedence = 1;

struct Operator {
  std::string_view Text;
  BinaryOp Op;
  unsigned Precedence;
};

constexpr Operator Operators[] = {
    {"||", BinaryOp::Or, 2},    {"&&", BinaryOp::And, 3},   {"|", BinaryOp::BitOr, 4},
    {"^", BinaryOp::BitXor, 5}, {"&", BinaryOp::BitAnd, 6}, {"==", BinaryOp::Eq, 7},
    {"!=", BinaryOp::Ne, 7},    {"<", BinaryOp::Lt, 8},     {"<=", BinaryOp::Le, 8},
    {">", BinaryOp::Gt, 8},     {">=", BinaryOp::Ge, 8},    {"<<", BinaryOp::Shl, 9},
    {">>", BinaryOp::Shr, 9},   {"+", BinaryOp::Add, 10},   {"-", BinaryOp::Sub, 10},
    {"*", BinaryOp::Mul, 11},   {"/", BinaryOp::Div, 11},   {"%", BinaryOp::Rem, 11},
};

const Operator *operatorOf(const Token &T) {
  for (const Operator &O : Operators)
    if (T.K == Token::Kind::Punctuation && T.Text == O.Text)
      return &O;
  return nullptr;
}

/// Keywords and library types of integers that take more than one word or mean other than their
/// name.
std::optional<ScalarType> typeOfWords(const std::vector<std::string_view> &Words) {
  bool Unsigned = false, Signed = false;
  unsigned Longs = 0, Shorts = 0, Chars = 0, Ints = 0;
  for (std::string_view W : Words) {
    Unsigned |= W == "unsigned";
    Signed |= W == "signed";
    Longs += W == "long";
    Shorts += W == "short";
    Chars += W == "char";
    Ints += W == "int";
  }
  if ((Unsigned && Signed) || Longs > 2 || Shorts + Chars + (Longs != 0) > 1 || Ints + Chars > 1 ||
      (Chars && !Unsigned && !Signed))
    return std::nullopt;
  if (Chars)
    return Unsigned ? ScalarType::U8 : ScalarType::I8;
  if (Shorts)
    return Unsigned ? ScalarType::U16 : ScalarType::I16;
  if (Longs)
    return Unsigned ? ScalarType::U64 : ScalarType::I64;
  return Unsigned ? ScalarType::U32 : ScalarType::I32;
}

bool isTypeWord(std::string_view Text) {
  return Text == "unsigned" || Text == "signed" || Text == "long" || Text == "short" ||
         Text == "char" || Text == "int";
}

} // namespace

Expr convertTo(ScalarType Type, const Expr &E) {
  if (Type != ScalarType::Bool || E->Type == ScalarType::Bool)
    return cast(Type, E);
  Expr Zero = isFloat(E->Type) ? floatLit(0, E->Type) : intLit(0, E->Type);
  return binary(BinaryOp::Ne, E, Zero);
}

Expr convertedBinary(BinaryOp Op, const Expr &A, const Expr &B) {
  if (Op == BinaryOp::And || Op == BinaryOp::Or)
    return binary(Op, convertTo(ScalarType::Bool, A), convertTo(ScalarType::Bool, B));
  if (Op == BinaryOp::Shl || Op == BinaryOp::Shr)
    return binary(Op, cast(commonType(A->Type, A->Type), A), cast(commonType(B->Type, B->Type), B));
  bool Promotes = Op != BinaryOp::Min && Op != BinaryOp::Max;
  if (!Promotes && A->Type == B->Type)
    return binary(Op, A, B);
  ScalarType Common = commonType(A->Type, B->Type);
  return binary(Op, cast(Common, A), cast(Common, B));
}

bool ExprParser::declare(const VarRef &V) {
  if (Scopes.back().emplace(V->Name, V).second)
    return true;
  Tokens.fail(DiagID::NestRedeclared, V->Loc, V->Name);
  return false;
}

VarRef ExprParser::findVar(std::string_view Name) const {
  for (auto Scope = Scopes.rbegin(); Scope != Scopes.rend(); ++Scope)
    if (auto Found = Scope->find(Name); Found != Scope->end())
      return Found->second;
  return nullptr;
}

const TensorRef *ExprParser::findTensor(std::string_view Name) const {
  auto Found = Known.Tensors.find(Name);
  return Found == Known.Tensors.end() || findVar(Name) ? nullptr : &Found->second;
}

/// How many tokens from Ahead on spell a type; 0 if none do.
std::size_t ExprParser::typeLength(std::size_t Ahead, std::optional<ScalarType> &Type) const {
  std::vector<std::string_view> Words;
  while (isTypeWord(Tokens.peek(Ahead + Words.size()).Text))
    Words.push_back(Tokens.peek(Ahead + Words.size()).Text);
  if (!Words.empty()) {
    Type = typeOfWords(Words);
    return Type ? Words.size() : 0;
  }
  const Token &T = Tokens.peek(Ahead);
  if (T.K != Token::Kind::Name || findVar(T.Text))
    return 0;
  if (auto Found = Known.Types.find(T.Text); Found != Known.Types.end())
    Type = Found->second;
  else
    Type = parseScalarType(T.Text);
  return Type ? 1 : 0;
}

std::optional<ScalarType> ExprParser::acceptType(bool *Const) {
  std::size_t Leading = Const && Tokens.is("const");
  std::optional<ScalarType> Type;
  std::size_t Length = typeLength(Leading, Type);
  if (Length == 0)
    return std::nullopt;
  for (std::size_t I = 0; I < Leading + Length; ++I)
    Tokens.take();
  if (Const)
    *Const = Leading || Tokens.accept("const");
  return Type;
}

Expr ExprParser::expression() {
  if (++Depth > MaxDepth)
    Tokens.fail(DiagID::NestTooDeep, Tokens.peek().Loc, MaxDepth);
  Expr Left = prefix();
  if (Left)
    Left = binaryFrom(Left, SelectPrecedence);
  --Depth;
  return Left;
}

Expr ExprParser::index() {
  Location Loc = Tokens.peek().Loc;
  Expr E = expression();
  if (!E)
    return nullptr;
  if (!isInteger(E->Type) && E->Type != ScalarType::Bool) {
    Tokens.fail(DiagID::NestIndexType, Loc, toString(E), shortName(E->Type));
    return nullptr;
  }
  // C++ promotes a truth value to int.
  return toIndex(E->Type == ScalarType::Bool ? withLocation(cast(ScalarType::I32, E), Loc) : E);
}

Expr ExprParser::condition() {
  Expr E = expression();
  return E ? convertTo(ScalarType::Bool, E) : nullptr;
}

Expr ExprParser::target() {
  Token Name = Tokens.expectName("a name");
  if (Tokens.failed())
    return nullptr;
  if (VarRef V = findVar(Name.Text)) {
    if (V->Kind != VarKind::Scalar)
      Tokens.fail(DiagID::NestNotAssignable, Name.Loc, Name.Text, "a loop variable");
    return Tokens.failed() ? nullptr : withLocation(varExpr(V), Name.Loc);
  }
  if (Known.Scalars.count(Name.Text)) {
    Tokens.fail(DiagID::NestNotAssignable, Name.Loc, Name.Text, "a parameter");
    return nullptr;
  }
  const TensorRef *T = findTensor(Name.Text);
  if (!T) {
    failUnknown(Name.Text, Name.Loc);
    return nullptr;
  }
  if ((*T)->Const) {
    Tokens.fail(DiagID::NestNotAssignable, Name.Loc, Name.Text, "a tensor of constants");
    return nullptr;
  }
  return element(*T, Name.Loc);
}

Expr ExprParser::binaryFrom(Expr Left, unsigned MinPrecedence) {
  while (Left) {
    const Operator *Op = operatorOf(Tokens.peek());
    if (Op && Op->Precedence >= MinPrecedence) {
      Location Loc = Tokens.take().Loc;
      Expr Right = prefix();
      for (const Operator *Next = operatorOf(Tokens.peek());
           Right && Next && Next->Precedence > Op->Precedence; Next = operatorOf(Tokens.peek()))
        Right = binaryFrom(Right, Next->Precedence);
      if (!Right)
        return nullptr;
      bool NeedsIntegers = Op->Op == BinaryOp::Rem || Op->Precedence == 9 ||
                           (Op->Precedence >= 4 && Op->Precedence <= 6);
      if (NeedsIntegers && (isFloat(Left->Type) || isFloat(Right->Type))) {
        Tokens.fail(DiagID::NestIntegerOperator, Loc, Op->Text);
        return nullptr;
      }
      Left = withLocation(convertedBinary(Op->Op, Left, Right), Loc);
      continue;
    }
    if (MinPrecedence > SelectPrecedence || !Tokens.is("?"))
      return Left;
    Location Loc = Tokens.take().Loc;
    Expr Then = expression();
    Expr Else = Then && Tokens.expect(":") ? expression() : nullptr;
    if (!Else)
      return nullptr;
    if (Then->Type != Else->Type) {
      ScalarType Common = commonType(Then->Type, Else->Type);
      Then = cast(Common, Then);
      Else = cast(Common, Else);
    }
    return withLocation(selectOrMinMax(convertTo(ScalarType::Bool, Left), Then, Else), Loc);
  }
  return nullptr;
}

Expr ExprParser::prefix() {
  if (++Depth > MaxDepth)
    Tokens.fail(DiagID::NestTooDeep, Tokens.peek().Loc, MaxDepth);
  Location Loc = Tokens.peek().Loc;
  Expr Result;
  if (Tokens.accept("+")) {
    Result = prefix();
  } else if (Tokens.accept("-")) {
    Expr E = prefix();
    if (E && E->Kind == ExprKind::FloatLit)
      Result = floatLit(-E->Float, E->Type); // exact
    else if (E)
      Result = unary(UnaryOp::Neg, isFloat(E->Type) ? E : cast(commonType(E->Type, E->Type), E));
  } else if (Tokens.accept("!")) {
    if (Expr E = prefix())
      Result = unary(UnaryOp::Not, convertTo(ScalarType::Bool, E));
  } else if (Tokens.accept("~")) {
    Expr E = prefix();
    if (E && isFloat(E->Type))
      Tokens.fail(DiagID::NestIntegerOperator, Loc, "~");
    else if (E)
      Result = unary(UnaryOp::BitNot, cast(commonType(E->Type, E->Type), E));
  } else if (std::optional<ScalarType> Type; Tokens.is("(") && typeLength(1, Type) &&
                                             Tokens.is(")", 1 + typeLength(1, Type))) { // (float)x
    Tokens.take();
    acceptType();
    Tokens.take();
    if (Expr E = prefix())
      Result = convertTo(*Type, E);
  } else {
    Result = primary();
  }
  --Depth;
  return Result && !Result->Loc.isValid() ? withLocation(Result, Loc) : Result;
}

Expr ExprParser::primary() {
  const Token &T = Tokens.peek();
  if (T.K == Token::Kind::Number)
    return number();
  if (Tokens.accept("(")) {
    Expr E = expression();
    return E && Tokens.expect(")") ? E : nullptr;
  }
  if (std::optional<ScalarType> Type = acceptType())
    return conversion(*Type);
  if (T.K == Token::Kind::Name)
    return named();
  Tokens.failExpected("an expression");
  return nullptr;
}

/// After the type: `(e)`, `{e}`, or nothing between them, which is zero.
Expr ExprParser::conversion(ScalarType Type) {
  std::string_view Close = Tokens.is("{") ? "}" : ")";
  if (!Tokens.accept("{") && !Tokens.expect("("))
    return nullptr;
  if (Tokens.accept(Close))
    return isFloat(Type) ? floatLit(0, Type) : intLit(0, Type);
  Expr E = expression();
  return E && Tokens.expect(Close) ? convertTo(Type, E) : nullptr;
}

Expr ExprParser::number() {
  Token T = Tokens.take();
  std::string_view Text = T.Text;
  bool Hexadecimal = Text.starts_with("0x") || Text.starts_with("0X");
  auto endsWith = [&](char Lower) {
    return !Text.empty() && (Text.back() == Lower || Text.back() == Lower - 'a' + 'A');
  };
  const char *End = Text.data() + Text.size();
  if (!Hexadecimal && Text.find_first_of(".eE") != std::string_view::npos) {
    bool Single = endsWith('f');
    End -= Single;
    double Value = 0;
    float Narrow = 0; // rounded once, as the compiler does
    auto [Rest, Error] = Single ? std::from_chars(Text.data(), End, Narrow)
                                : std::from_chars(Text.data(), End, Value);
    if (Error == std::errc() && Rest == End)
      return floatLit(Single ? Narrow : Value, Single ? ScalarType::F32 : ScalarType::F64);
    Tokens.fail(DiagID::NestNumber, T.Loc, T.Text);
    return nullptr;
  }
  bool Unsigned = false, Long = false;
  for (; endsWith('u') || endsWith('l'); Text.remove_suffix(1)) {
    Unsigned |= endsWith('u');
    Long |= endsWith('l');
  }
  if (Hexadecimal)
    Text.remove_prefix(2);
  bool Octal = !Hexadecimal && Text.size() > 1 && Text[0] == '0';
  std::int64_t Value = 0;
  End = Text.data() + Text.size();
  auto [Rest, Error] = std::from_chars(Text.data(), End, Value, Hexadecimal ? 16 : Octal ? 8 : 10);
  if (Error != std::errc() || Rest != End) {
    Tokens.fail(DiagID::NestNumber, T.Loc, T.Text);
    return nullptr;
  }
  // A decimal literal takes the first of int and long that holds it; others may be unsigned.
  bool MayBeUnsigned = Unsigned || Hexadecimal || Octal;
  ScalarType Type = Unsigned ? ScalarType::U32 : ScalarType::I32;
  if (Value > std::numeric_limits<std::uint32_t>::max() || Long ||
      (Value > std::numeric_limits<std::int32_t>::max() && !MayBeUnsigned))
    Type = Unsigned ? ScalarType::U64 : ScalarType::I64;
  else if (Value > std::numeric_limits<std::int32_t>::max())
    Type = ScalarType::U32;
  return intLit(Value, Type);
}

Expr ExprParser::named() {
  Token T = Tokens.take();
  if (T.Text == "true" || T.Text == "false")
    return boolLit(T.Text == "true");
  if (VarRef V = findVar(T.Text))
    return withLocation(varExpr(V), T.Loc);
  if (auto Found = Known.Scalars.find(T.Text); Found != Known.Scalars.end())
    return withLocation(Found->second, T.Loc);
  if (const TensorRef *Tensor = findTensor(T.Text))
    return Tokens.is(".") ? member(*Tensor, T.Loc) : element(*Tensor, T.Loc);
  if (T.Text == "inf" || T.Text == "nan") // as printed
    return floatLit(T.Text == "inf" ? std::numeric_limits<double>::infinity()
                                    : std::numeric_limits<double>::quiet_NaN(),
                    ScalarType::F64);
  if (T.Text == "static_cast") {
    if (!Tokens.expect("<"))
      return nullptr;
    std::optional<ScalarType> Type = acceptType();
    if (!Type) {
      Tokens.failExpected("a type");
      return nullptr;
    }
    return Tokens.expect(">") ? conversion(*Type) : nullptr;
  }
  if (Tokens.is("("))
    return function(T.Text, T.Loc);
  failUnknown(T.Text, T.Loc);
  return nullptr;
}

bool ExprParser::arguments(std::vector<Expr> &Args) {
  if (!Tokens.expect("("))
    return false;
  if (Tokens.accept(")"))
    return true;
  do {
    Args.push_back(expression());
    if (!Args.back())
      return false;
  } while (Tokens.accept(","));
  return Tokens.expect(")");
}

Expr ExprParser::element(const TensorRef &T, const Location &Loc) {
  std::vector<Expr> Indices;
  if (!Tokens.expect("("))
    return nullptr;
  while (!Tokens.is(")")) {
    Expr I = index();
    if (!I)
      return nullptr;
    Indices.push_back(I);
    if (!Tokens.accept(","))
      break;
  }
  if (!Tokens.expect(")"))
    return nullptr;
  if (Indices.size() != T->Rank) {
    Tokens.fail(DiagID::NestRank, Loc, T->Name, T->Rank, Indices.size());
    return nullptr;
  }
  return withLocation(load(T, std::move(Indices)), Loc);
}

Expr ExprParser::member(const TensorRef &T, const Location &Loc) {
  Tokens.take();
  Token Name = Tokens.expectName("'extent' or 'origin'");
  if (Tokens.failed())
    return nullptr;
  if (Name.Text != "extent" && Name.Text != "origin") {
    Tokens.fail(DiagID::NestSyntax, Name.Loc, "'extent' or 'origin'",
                "'" + std::string(Name.Text) + "'");
    return nullptr;
  }
  std::vector<Expr> Args;
  if (!arguments(Args))
    return nullptr;
  std::optional<std::int64_t> Dim = Args.size() == 1 ? constantValue(Args[0]) : std::nullopt;
  if (!Dim || *Dim < 0 || *Dim >= static_cast<std::int64_t>(T->Rank)) {
    Tokens.fail(DiagID::NestDimension, Name.Loc, T->Name, T->Rank);
    return nullptr;
  }
  unsigned D = static_cast<unsigned>(*Dim);
  return withLocation(Name.Text == "extent" ? extentOf(T, D) : originOf(T, D), Loc);
}

Expr ExprParser::function(std::string_view Name, const Location &Loc) {
  std::string_view Plain = Name;
  for (std::string_view Prefix : {"::", "std::"})
    if (Plain.starts_with(Prefix))
      Plain.remove_prefix(Prefix.size());
  bool IsMinMax = Plain == "min" || Plain == "max", IsCeilDiv = Plain == "ceil_div";
  if (!IsMinMax && !IsCeilDiv && !isMathFunction(Plain)) {
    Tokens.fail(DiagID::NestFunction, Loc, Name);
    return nullptr;
  }
  std::vector<Expr> Args;
  if (!arguments(Args))
    return nullptr;
  unsigned Arity = IsMinMax || IsCeilDiv ? 2 : mathFunctionArity(Plain);
  if (Args.size() != Arity) {
    Tokens.fail(DiagID::NestArity, Loc, Name, Arity, Args.size());
    return nullptr;
  }
  if (IsMinMax)
    return withLocation(
        convertedBinary(Plain == "min" ? BinaryOp::Min : BinaryOp::Max, Args[0], Args[1]), Loc);
  if (IsCeilDiv) {
    for (Expr &A : Args) {
      if (isFloat(A->Type)) {
        Tokens.fail(DiagID::NestIntegerOperator, Loc, Name);
        return nullptr;
      }
      A = cast(ScalarType::I64, toIndex(A));
    }
    return withLocation(ceilDiv(Args[0], Args[1]), Loc);
  }
  // <cmath> takes integers as doubles and small floats as floats; abs of an integer is one.
  ScalarType Type = Args[0]->Type;
  for (const Expr &A : Args)
    Type = commonType(Type, A->Type);
  if (isSmallFloat(Type))
    Type = ScalarType::F32;
  else if (!isFloat(Type) && Plain != "abs")
    Type = ScalarType::F64;
  for (Expr &A : Args)
    A = cast(Type, A);
  bool IsTest = Plain == "isnan" || Plain == "isinf" || Plain == "isfinite";
  return withLocation(call(std::string(Plain), std::move(Args), IsTest ? ScalarType::Bool : Type),
                      Loc);
}

void ExprParser::failUnknown(std::string_view Name, const Location &Loc) {
  std::vector<std::string> Candidates;
  for (const auto &[Tensor, Ref] : Known.Tensors)
    Candidates.push_back(Tensor);
  for (const auto &[Scalar, Value] : Known.Scalars)
    Candidates.push_back(Scalar);
  for (const auto &Scope : Scopes)
    for (const auto &[Local, V] : Scope)
      Candidates.push_back(Local);
  Tokens.fail(DiagID::NestUnknownName, Loc, Name, didYouMean(Name, Candidates));
}

} // namespace septran::compiler
