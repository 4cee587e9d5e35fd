//===- ExprText.cpp - expressions and views as text -------------*- C++ -*-===//
#include "IR/Print.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

namespace septran::compiler {

namespace {

struct OpInfo {
  BinaryOp Op;
  std::string_view Text;
  unsigned Precedence; ///< of C++, larger binds tighter; 0 for what prints as a call
};

constexpr std::array<OpInfo, 19> Ops = {{
    {BinaryOp::Add, "+", 10},   {BinaryOp::Sub, "-", 10},
    {BinaryOp::Mul, "*", 11},   {BinaryOp::Div, "/", 11},
    {BinaryOp::Rem, "%", 11},   {BinaryOp::Min, "min", 0},
    {BinaryOp::Max, "max", 0},  {BinaryOp::CeilDiv, "ceil_div", 0},
    {BinaryOp::And, "&&", 3},   {BinaryOp::Or, "||", 2},
    {BinaryOp::BitAnd, "&", 6}, {BinaryOp::BitOr, "|", 4},
    {BinaryOp::BitXor, "^", 5}, {BinaryOp::Shl, "<<", 9},
    {BinaryOp::Shr, ">>", 9},   {BinaryOp::Lt, "<", 8},
    {BinaryOp::Le, "<=", 8},    {BinaryOp::Gt, ">", 8},
    {BinaryOp::Ge, ">=", 8},
}};
constexpr unsigned EqualityPrecedence = 7;
constexpr unsigned SelectPrecedence = 1;
constexpr unsigned UnaryPrecedence = 12;
constexpr unsigned PrimaryPrecedence = 13;

OpInfo infoOf(BinaryOp Op) {
  if (Op == BinaryOp::Eq)
    return {Op, "==", EqualityPrecedence};
  if (Op == BinaryOp::Ne)
    return {Op, "!=", EqualityPrecedence};
  const OpInfo &Info = Ops[static_cast<std::size_t>(Op)];
  assert(Info.Op == Op && "table out of order");
  return Info;
}

/// The shortest text that reads back as the same number.
template <class T> std::string shortest(T Value) {
  std::array<char, 40> Buffer;
  auto [End, Error] = std::to_chars(Buffer.data(), Buffer.data() + Buffer.size(), Value);
  assert(Error == std::errc());
  std::string Text(Buffer.data(), End);
  if (Text.find_first_of(".e") == std::string::npos)
    Text += ".0";
  return Text;
}

std::string floatText(double Value, ScalarType Type) {
  std::string Text;
  if (std::isnan(Value))
    Text = "nan";
  else if (std::isinf(Value))
    Text = Value < 0 ? "-inf" : "inf";
  else if (Type == ScalarType::F32)
    return shortest(static_cast<float>(Value)) + "f";
  else
    Text = shortest(Value);
  return Type == ScalarType::F64 ? Text : std::string(shortName(Type)) + "(" + Text + ")";
}

class ExprPrinter {
  NameTable *Names;
  std::string Out;

public:
  explicit ExprPrinter(NameTable *Names) : Names(Names) {}

  template <class Symbol> void name(const Symbol &S) { Out += Names ? Names->name(S) : S->Name; }

  void expr(const Expr &E, unsigned Context = 0) {
    bool Parens = precedence(E) < Context;
    if (Parens)
      Out += '(';
    bare(E);
    if (Parens)
      Out += ')';
  }

  void view(const View &V);
  std::string take() { return std::move(Out); }

private:
  static unsigned precedence(const Expr &E) {
    switch (E->Kind) {
    case ExprKind::Select:
      return SelectPrecedence;
    case ExprKind::Unary:
      return UnaryPrecedence;
    case ExprKind::Binary:
      if (unsigned P = infoOf(E->Bin).Precedence)
        return P;
      return PrimaryPrecedence;
    case ExprKind::IntLit:
      return E->Int < 0 ? UnaryPrecedence : PrimaryPrecedence;
    case ExprKind::FloatLit:
      return E->Float < 0 ? UnaryPrecedence : PrimaryPrecedence;
    default:
      return PrimaryPrecedence;
    }
  }

  void list(const std::vector<Expr> &Items) {
    for (std::size_t I = 0; I < Items.size(); ++I) {
      Out += I ? ", " : "";
      expr(Items[I]);
    }
  }

  void arguments(std::string_view Head, const std::vector<Expr> &Items) {
    Out += Head;
    Out += '(';
    list(Items);
    Out += ')';
  }

  void bare(const Expr &E) {
    switch (E->Kind) {
    case ExprKind::IntLit:
      Out += E->Type == ScalarType::Bool ? (E->Int ? "true" : "false") : std::to_string(E->Int);
      return;
    case ExprKind::FloatLit:
      Out += floatText(E->Float, E->Type);
      return;
    case ExprKind::Var:
      return name(E->V);
    case ExprKind::Extent:
    case ExprKind::Origin:
      name(E->T);
      Out += E->Kind == ExprKind::Extent ? ".extent(" : ".origin(";
      Out += std::to_string(E->Dim) + ")";
      return;
    case ExprKind::Load:
      name(E->T);
      return arguments("", E->Args);
    case ExprKind::Unary:
      return prefix(E);
    case ExprKind::Binary:
      return infix(E);
    case ExprKind::Select:
      expr(E->Args[0], SelectPrecedence + 1);
      Out += " ? ";
      expr(E->Args[1]);
      Out += " : ";
      return expr(E->Args[2], SelectPrecedence);
    case ExprKind::Cast:
      return arguments(shortName(E->Type), E->Args);
    case ExprKind::Call:
      return arguments(E->Callee, E->Args);
    }
  }

  void prefix(const Expr &E) {
    Out += spelling(E->Un);
    std::size_t Start = Out.size();
    expr(E->Args[0], UnaryPrecedence);
    if (Out[Start] == '-' && Out[Start - 1] == '-') // not a decrement
      Out.insert(Start, " ");
  }

  void infix(const Expr &E) {
    OpInfo Info = infoOf(E->Bin);
    if (!Info.Precedence)
      return arguments(Info.Text, E->Args);
    expr(E->Args[0], Info.Precedence);
    Out += ' ';
    Out += Info.Text;
    Out += ' ';
    expr(E->Args[1], Info.Precedence + 1);
  }

  static bool isInView(const View &V, int Dim) {
    for (int D : V.Dims)
      if (D == Dim)
        return true;
    return false;
  }

  void slice(const View &V, unsigned Dim);
  void dimensions(const View &V);
};

void ExprPrinter::slice(const View &V, unsigned Dim) {
  const Slice &S = V.Slices[Dim];
  const Expr &E = S.Extent;
  if (!isInView(V, static_cast<int>(Dim)) && isConstant(E, 1)) {
    Out += "at ";
    return expr(S.Offset);
  }
  if (S.Block && S.Index) {
    Out += "block ";
    expr(S.Index);
    Out += " of ";
    expr(S.Block);
  } else if (isConstant(S.Offset, 0) && E->Kind == ExprKind::Extent && E->T == V.Base &&
             E->Dim == Dim) {
    Out += "all";
  } else {
    expr(S.Offset);
    Out += " +: ";
    expr(E);
  }
  if (S.Low || S.High) {
    Expr Zero = intLit(0);
    arguments(" halo", {S.Low ? S.Low : Zero, S.High ? S.High : Zero});
  }
}

/// Prints the map from view to base dimensions, unless the reader would expect just this one.
void ExprPrinter::dimensions(const View &V) {
  std::vector<int> Expected;
  for (unsigned D = 0; D < V.Base->Rank; ++D)
    if (V.Slices.empty() || isInView(V, static_cast<int>(D)) || !isConstant(V.Slices[D].Extent, 1))
      Expected.push_back(static_cast<int>(D));
  if (V.Dims == Expected)
    return;
  Out += " -> (";
  for (std::size_t I = 0; I < V.Dims.size(); ++I) {
    Out += I ? ", " : "";
    if (V.Dims[I] >= 0) {
      Out += std::to_string(V.Dims[I]);
    } else {
      Out += "new ";
      expr(V.BroadcastExtents[I]);
    }
  }
  Out += ')';
}

void ExprPrinter::view(const View &V) {
  if (!V.Reshape.empty()) {
    Out += "reshape(";
    name(V.Base);
    Out += ", ";
    list(V.Reshape);
    Out += ')';
    return;
  }
  name(V.Base);
  if (V.isWhole())
    return;
  if (!V.Slices.empty()) {
    Out += '[';
    for (unsigned D = 0; D < V.Slices.size(); ++D) {
      Out += D ? ", " : "";
      slice(V, D);
    }
    Out += ']';
  }
  dimensions(V);
  if (V.Fill) {
    Out += " fill ";
    expr(V.Fill);
  }
}

std::string exprText(const Expr &E, NameTable *Names) {
  if (!E)
    return "<none>";
  ExprPrinter P(Names);
  P.expr(E);
  return P.take();
}

std::string viewText(const View &V, NameTable *Names) {
  if (!V.Base)
    return "<none>";
  ExprPrinter P(Names);
  P.view(V);
  return P.take();
}

} // namespace

std::string_view spelling(BinaryOp Op) { return infoOf(Op).Text; }

std::string_view spelling(UnaryOp Op) {
  switch (Op) {
  case UnaryOp::Neg:
    return "-";
  case UnaryOp::Not:
    return "!";
  case UnaryOp::BitNot:
    return "~";
  }
  return "-";
}

const std::string &NameTable::unique(const void *Symbol, const std::string &Wanted) {
  auto [Entry, IsNew] = Names.try_emplace(Symbol);
  if (IsNew) {
    std::string Name = Wanted;
    for (unsigned Suffix = 1; !Taken.insert(Name).second; ++Suffix)
      Name = Wanted + "_" + std::to_string(Suffix);
    Entry->second = std::move(Name);
  }
  return Entry->second;
}

std::string toString(const Expr &E) { return exprText(E, nullptr); }
std::string toString(const Expr &E, NameTable &Names) { return exprText(E, &Names); }
std::string toString(const View &V) { return viewText(V, nullptr); }
std::string toString(const View &V, NameTable &Names) { return viewText(V, &Names); }

} // namespace septran::compiler
