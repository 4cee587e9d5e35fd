//===- Parse.cpp - statements of loop nests written as text -----*- C++ -*-===//
#include "IR/Parse.h"

#include "IR/ParseExpr.h"
#include "IR/Rewrite.h"

#include <set>

namespace septran::compiler {

namespace {

/// Deeper than any loop nest; keeps the stack small whatever a file says.
constexpr unsigned MaxDepth = 64;

constexpr std::string_view CountedLoop = "for (int i = lo; i < hi; ++i)";

class Parser {
  TokenStream Tokens;
  ExprParser Exprs;
  std::set<VarRef> Constants; ///< declared const
  std::set<VarRef> Assigned;
  unsigned Depth = 0;

public:
  Parser(std::string_view Text, const ParseNames &Names, const TextOrigin &Origin, Diagnostics &D)
      : Tokens(Text, Origin, D), Exprs(Tokens, Names) {}

  std::optional<Block> nest() {
    Block Body;
    Exprs.enterScope();
    statements(Body, /*InLoop=*/false);
    if (Tokens.peek().K != Token::Kind::End)
      Tokens.failExpected("a statement"); // a brace too many
    if (Tokens.failed())
      return std::nullopt;
    walkStmts(Body, [&](Stmt &S) {
      if (Let *L = S.getIf<Let>())
        L->Mutable = !L->Value || Assigned.count(L->V);
    });
    return Body;
  }

  Expr single() {
    Exprs.enterScope();
    Expr E = Exprs.expression();
    if (E && Tokens.peek().K != Token::Kind::End)
      Tokens.failExpected("the end");
    return Tokens.failed() ? nullptr : E;
  }

private:
  bool atEnd() const { return Tokens.is("}") || Tokens.peek().K == Token::Kind::End; }

  /// Up to a closing brace or the end.
  void statements(Block &Out, bool InLoop) {
    while (!atEnd())
      statement(Out, InLoop);
  }

  /// A statement with a scope of its own: braces or a single one.
  Block body(bool InLoop) {
    Block Body;
    if (++Depth > MaxDepth)
      Tokens.fail(DiagID::NestTooDeep, Tokens.peek().Loc, MaxDepth);
    Exprs.enterScope();
    if (Tokens.accept("{")) {
      statements(Body, InLoop);
      Tokens.expect("}");
    } else if (atEnd()) {
      Tokens.failExpected("a statement");
    } else {
      statement(Body, InLoop);
    }
    Exprs.leaveScope();
    --Depth;
    return Body;
  }

  void statement(Block &Out, bool InLoop) {
    Location Loc = Tokens.peek().Loc;
    if (Tokens.accept(";"))
      return;
    if (Tokens.is("{")) {
      for (Stmt &S : body(InLoop))
        Out.push_back(std::move(S));
    } else if (Tokens.accept("for")) {
      loop(Out, Loc);
    } else if (Tokens.accept("if")) {
      conditional(Out, Loc, InLoop);
    } else if (!declaration(Out)) {
      assignment(Out);
      Tokens.expect(";");
    }
  }

  void loop(Block &Out, const Location &Loc) {
    For L;
    Tokens.expect("(");
    std::optional<ScalarType> Type = Exprs.acceptType();
    if (!Type || !isInteger(*Type))
      return failLoop();
    Token Name = Tokens.expectName("a name");
    Tokens.expect("=");
    L.Lo = Exprs.index();
    Tokens.expect(";");
    if (Tokens.failed())
      return;
    L.V = makeVar(std::string(Name.Text), *Type, VarKind::Loop, Name.Loc);
    Exprs.enterScope();
    Exprs.declare(L.V);
    bound(L);
    Tokens.expect(";");
    step(L);
    Tokens.expect(")");
    L.Body = body(/*InLoop=*/true);
    Exprs.leaveScope();
    if (!Tokens.failed())
      Out.push_back({std::move(L), Loc});
  }

  void failLoop() { Tokens.failExpected("a counted loop, '" + std::string(CountedLoop) + "'"); }

  /// `i < hi`, `i <= hi`, `i != hi`.
  void bound(For &L) {
    if (!Tokens.accept(L.V->Name))
      return failLoop();
    std::string_view Op = Tokens.peek().Text;
    if (Op != "<" && Op != "<=" && Op != "!=")
      return failLoop();
    Tokens.take();
    Location Loc = Tokens.peek().Loc;
    Expr Hi = Exprs.index();
    if (!Hi)
      return;
    if (mentions(Hi, L.V)) {
      Tokens.fail(DiagID::NestBound, Loc, L.V->Name);
      return;
    }
    L.Hi = Op == "<=" ? Hi + intLit(1) : Hi;
  }

  /// `++i`, `i++`, `i += constant`.
  void step(For &L) {
    if (Tokens.accept("++")) {
      if (!Tokens.accept(L.V->Name))
        failLoop();
      return;
    }
    if (!Tokens.accept(L.V->Name))
      return failLoop();
    if (Tokens.accept("++"))
      return;
    if (!Tokens.accept("+="))
      return failLoop();
    Location Loc = Tokens.peek().Loc;
    Expr Step = Exprs.index();
    if (!Step)
      return;
    std::optional<std::int64_t> Value = constantValue(Step);
    if (Value && *Value > 0)
      L.Step = *Value;
    else
      Tokens.fail(DiagID::NestStep, Loc, toString(Step));
  }

  /// `continue;` or `{ continue; }`.
  bool acceptContinue() {
    std::size_t Brace = Tokens.is("{");
    if (!Tokens.is("continue", Brace) || !Tokens.is(";", Brace + 1) ||
        (Brace && !Tokens.is("}", Brace + 2)))
      return false;
    for (std::size_t I = 0; I < 2 + 2 * Brace; ++I)
      Tokens.take();
    return true;
  }

  void conditional(Block &Out, const Location &Loc, bool InLoop) {
    If I;
    Tokens.expect("(");
    I.Condition = Exprs.condition();
    Tokens.expect(")");
    if (Tokens.failed())
      return;
    if (InLoop && acceptContinue()) {
      I.Condition = unary(UnaryOp::Not, I.Condition);
      statements(I.Then, InLoop); // the rest of the iteration
    } else {
      I.Then = body(/*InLoop=*/false);
      if (Tokens.accept("else"))
        I.Else = body(/*InLoop=*/false);
    }
    Out.push_back({std::move(I), Loc});
  }

  /// `const float x = 1, y = x;`. False if no declaration stands here.
  bool declaration(Block &Out) {
    bool Const = false;
    std::optional<ScalarType> Type;
    if (isAuto()) {
      Const = Tokens.accept("const");
      Tokens.take();
    } else {
      // `float(x)` begins an expression, which no statement does; say what is missing then.
      Type = Exprs.acceptType(&Const);
      if (!Type)
        return false;
    }
    do
      declarator(Type, Const, Out);
    while (Tokens.accept(","));
    Tokens.expect(";");
    return true;
  }

  bool isAuto() const { return Tokens.is("auto", Tokens.is("const")); }

  void declarator(std::optional<ScalarType> Type, bool Const, Block &Out) {
    Token Name = Tokens.expectName("a name");
    Expr Value;
    if (Tokens.accept("=")) {
      Value = Exprs.expression();
    } else if (Tokens.is("(") || Tokens.is("{")) {
      std::string_view Close = Tokens.take().Text == "(" ? ")" : "}";
      Value = Exprs.expression();
      Tokens.expect(Close);
    } else if (!Type || Const) {
      Tokens.expect("=");
    }
    if (Tokens.failed())
      return;
    if (!Type)
      Type = Value->Type;
    VarRef V = makeVar(std::string(Name.Text), *Type, VarKind::Scalar, Name.Loc);
    if (!Exprs.declare(V))
      return;
    if (Const)
      Constants.insert(V);
    Out.push_back({Let{V, Value ? convertTo(*Type, Value) : nullptr, false}, Name.Loc});
  }

  void assignment(Block &Out) {
    Location Loc = Tokens.peek().Loc;
    std::string_view Prefix =
        Tokens.is("++") || Tokens.is("--") ? Tokens.take().Text : std::string_view();
    if (Prefix.empty() && Tokens.peek().K != Token::Kind::Name)
      return Tokens.failExpected("a statement");
    Expr Target = Exprs.target();
    if (!Target)
      return;
    if (Target->Kind == ExprKind::Var) {
      if (Constants.count(Target->V))
        return Tokens.fail(DiagID::NestNotAssignable, Loc, Target->V->Name, "a constant");
      Assigned.insert(Target->V);
    }
    std::string_view Op = Prefix;
    if (Prefix.empty())
      Op = Tokens.peek().K == Token::Kind::Punctuation ? Tokens.peek().Text : std::string_view();
    if (Op == "++" || Op == "--") {
      if (Prefix.empty())
        Tokens.take();
      Expr One = cast(Target->Type, intLit(1, ScalarType::I32));
      return emit(Target, {Op == "++" ? UpdateOp::Add : UpdateOp::Sub, One}, Loc, Out);
    }
    std::optional<BinaryOp> Combine = compoundOp(Op);
    if (Op != "=" && !Combine)
      return Tokens.failExpected("'=' or another assignment");
    Tokens.take();
    Expr Value = Exprs.expression();
    if (!Value)
      return;
    for (UpdateOp U : {UpdateOp::Add, UpdateOp::Sub, UpdateOp::Mul, UpdateOp::Div})
      if (Combine == combiningOp(U) && Combine)
        return emit(Target, {U, Value}, Loc, Out);
    if (Combine) {
      if (isFloat(Target->Type) || isFloat(Value->Type))
        return Tokens.fail(DiagID::NestIntegerOperator, Loc, Op);
      Value = convertedBinary(*Combine, Target, Value);
      return emit(Target, {UpdateOp::Set, convertTo(Target->Type, Value)}, Loc, Out);
    }
    emit(Target, asUpdate(Target, convertTo(Target->Type, Value)), Loc, Out);
  }

  static std::optional<BinaryOp> compoundOp(std::string_view Op) {
    for (auto [Text, Combine] : {std::pair<std::string_view, BinaryOp>{"+=", BinaryOp::Add},
                                 {"-=", BinaryOp::Sub},
                                 {"*=", BinaryOp::Mul},
                                 {"/=", BinaryOp::Div},
                                 {"%=", BinaryOp::Rem},
                                 {"&=", BinaryOp::BitAnd},
                                 {"|=", BinaryOp::BitOr},
                                 {"^=", BinaryOp::BitXor},
                                 {"<<=", BinaryOp::Shl},
                                 {">>=", BinaryOp::Shr}})
      if (Op == Text)
        return Combine;
    return std::nullopt;
  }

  void emit(const Expr &Target, Update U, const Location &Loc, Block &Out) {
    if (Target->Kind == ExprKind::Var)
      Out.push_back({Assign{Target->V, U.Op, std::move(U.Value)}, Loc});
    else
      Out.push_back({Store{Target->T, Target->Args, U.Op, std::move(U.Value)}, Loc});
  }
};

} // namespace

std::optional<Block> parseLoopNest(std::string_view Text, const ParseNames &Names,
                                   const TextOrigin &Origin, Diagnostics &D) {
  return Parser(Text, Names, Origin, D).nest();
}

Expr parseExpr(std::string_view Text, const ParseNames &Names, const TextOrigin &Origin,
               Diagnostics &D) {
  return Parser(Text, Names, Origin, D).single();
}

} // namespace septran::compiler
