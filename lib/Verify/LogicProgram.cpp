//===- LogicProgram.cpp - building and printing logic ---------------------===//
#include "Verify/LogicProgram.h"

#include <cctype>
#include <charconv>
#include <utility>

namespace septran::compiler {

//===--- builders ---------------------------------------------------------===//

using ExprKind = LogicExpr::Kind;
using StmtKind = LogicStmt::Kind;

LogicExpr text(std::string Text) { return {ExprKind::Text, std::move(Text), {}}; }
LogicExpr number(long long Value) { return text(std::to_string(Value)); }
LogicExpr element(std::string Tensor, std::vector<LogicExpr> Indices) {
  return {ExprKind::Element, std::move(Tensor), std::move(Indices)};
}
LogicExpr oper(std::string Operator, LogicExpr A, LogicExpr B) {
  return {ExprKind::Operator, std::move(Operator), {std::move(A), std::move(B)}};
}
LogicExpr callOf(std::string Callee, std::vector<LogicExpr> Args) {
  return {ExprKind::Call, std::move(Callee), std::move(Args)};
}
LogicExpr selectOf(LogicExpr Condition, LogicExpr Then, LogicExpr Else) {
  return {ExprKind::Select, "", {std::move(Condition), std::move(Then), std::move(Else)}};
}
LogicExpr castTo(ScalarType T, LogicExpr A) {
  return {ExprKind::Cast, std::string(cxxName(T)), {std::move(A)}};
}
LogicExpr listOf(std::vector<LogicExpr> Items) { return {ExprKind::List, "", std::move(Items)}; }
LogicExpr member(const std::string &Tensor, const std::string &Member, unsigned Dim) {
  return callOf(Tensor + "." + Member, {number(Dim)});
}

LogicExpr literal(ScalarType T, double Value) {
  if (!isFloat(T))
    return number(static_cast<long long>(Value));
  char Digits[32];
  std::string Text(
      Digits, std::to_chars(Digits, Digits + sizeof(Digits), Value, std::chars_format::fixed).ptr);
  if (Text.find('.') == std::string::npos)
    Text += ".0";
  if (T == ScalarType::F64)
    return text(Text);
  return T == ScalarType::F32 ? text(Text + "f") : castTo(T, text(Text + "f"));
}

LogicStmt forLoop(std::string Var, LogicExpr Low, LogicExpr High, LogicBlock Body, int Step) {
  LogicStmt S;
  S.K = StmtKind::For;
  S.Names = {std::move(Var)};
  S.Args = {std::move(Low), std::move(High)};
  S.Step = Step;
  S.Body = std::move(Body);
  return S;
}

LogicStmt parallelLoop(std::vector<std::string> Vars, std::vector<LogicExpr> Shape,
                       LogicBlock Body) {
  LogicStmt S;
  S.K = StmtKind::Parallel;
  S.Names = std::move(Vars);
  S.Args = std::move(Shape);
  S.Body = std::move(Body);
  return S;
}

LogicStmt ifThen(LogicExpr Condition, LogicBlock Then, LogicBlock Else) {
  LogicStmt S;
  S.K = StmtKind::If;
  S.Args = {std::move(Condition)};
  S.Body = std::move(Then);
  S.Else = std::move(Else);
  return S;
}

LogicStmt scalar(ScalarType T, std::string Name, LogicExpr Value, bool Const) {
  LogicStmt S;
  S.K = StmtKind::Scalar;
  S.Type = T;
  S.Names = {std::move(Name)};
  S.Args = {std::move(Value)};
  S.Const = Const;
  return S;
}

LogicStmt set(LogicExpr Target, std::string Operator, LogicExpr Value) {
  LogicStmt S;
  S.K = StmtKind::Set;
  S.Text = std::move(Operator);
  S.Args = {std::move(Target), std::move(Value)};
  return S;
}

LogicStmt tunable(std::string Name, long long Value) {
  LogicStmt S;
  S.K = StmtKind::Tunable;
  S.Names = {std::move(Name)};
  S.Args = {number(Value)};
  return S;
}

LogicStmt local(ScalarType T, std::string Name, std::vector<LogicExpr> Extents) {
  LogicStmt S;
  S.K = StmtKind::Local;
  S.Type = T;
  S.Names = {std::move(Name)};
  S.Args = std::move(Extents);
  return S;
}

LogicStmt define(std::string Name, LogicExpr Value) {
  LogicStmt S;
  S.K = StmtKind::Define;
  S.Names = {std::move(Name)};
  S.Args = {std::move(Value)};
  return S;
}

LogicStmt launch(std::string Callee, std::vector<LogicExpr> Args) {
  LogicStmt S;
  S.K = StmtKind::Launch;
  S.Names = {std::move(Callee)};
  S.Args = std::move(Args);
  return S;
}

//===--- words ------------------------------------------------------------===//

namespace {

/// `a.extent` has the words a and extent; `septran::fill` is one.
void addWords(const std::string &Text, std::map<std::string, unsigned> &Words) {
  std::string Word;
  for (char C : Text + " ")
    if (std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == ':') {
      Word += C;
    } else if (!Word.empty()) {
      ++Words[Word];
      Word.clear();
    }
}

void addWords(const LogicExpr &E, std::map<std::string, unsigned> &Words) {
  addWords(E.Text, Words);
  for (const LogicExpr &A : E.Args)
    addWords(A, Words);
}

void addWords(const LogicBlock &B, std::map<std::string, unsigned> &Words) {
  for (const LogicStmt &S : B) {
    for (const LogicExpr &E : S.Args)
      addWords(E, Words);
    addWords(S.Body, Words);
    addWords(S.Else, Words);
  }
}

} // namespace

std::map<std::string, unsigned> wordsOf(const LogicBlock &B) {
  std::map<std::string, unsigned> Words;
  addWords(B, Words);
  return Words;
}

//===--- printing ---------------------------------------------------------===//

namespace {

class Renderer {
  std::string Out;
  bool Opaque = false; ///< the function

  static std::string joined(const std::vector<LogicExpr> &Items) {
    std::string Text;
    for (const LogicExpr &E : Items)
      Text += (Text.empty() ? "" : ", ") + str(E);
    return Text;
  }

  /// As an operand.
  static std::string inner(const LogicExpr &E) {
    const bool Compound = E.K == ExprKind::Operator || E.K == ExprKind::Select ||
                          (E.K == ExprKind::Text && E.Text.starts_with("-"));
    return Compound ? "(" + str(E) + ")" : str(E);
  }

  static std::string str(const LogicExpr &E) {
    switch (E.K) {
    case ExprKind::Text:
      return E.Text;
    case ExprKind::Element:
    case ExprKind::Call:
    case ExprKind::Cast:
      return E.Text + "(" + joined(E.Args) + ")";
    case ExprKind::Operator:
      return E.Args.size() == 1 ? E.Text + inner(E.Args[0])
                                : inner(E.Args[0]) + " " + E.Text + " " + inner(E.Args[1]);
    case ExprKind::Select:
      return inner(E.Args[0]) + " ? " + inner(E.Args[1]) + " : " + inner(E.Args[2]);
    case ExprKind::List:
      return "{" + joined(E.Args) + "}";
    }
    return "";
  }

  void line(unsigned Depth, const std::string &Text) {
    Out += std::string(2 * Depth, ' ') + Text + "\n";
  }

  void braced(const std::string &Head, const LogicBlock &Body, unsigned Depth) {
    line(Depth, Head + " {");
    block(Body, Depth + 1);
    line(Depth, "}");
  }

  static std::string loopHead(const LogicStmt &S) {
    const std::string &V = S.name(), Low = str(S.Args[0]), High = str(S.Args[1]);
    if (S.Step < 0)
      return "for (int " + V + " = int(" + High + ") - 1; " + V + " >= " + Low + "; --" + V + ")";
    return "for (int " + V + " = " + Low + "; " + V + " < " + High + "; " +
           (S.Step == 1 ? "++" + V : V + " += " + std::to_string(S.Step)) + ")";
  }

  /// The same as a loop that may end anywhere, for all that the front end knows.
  void whileLoop(const LogicStmt &S, unsigned Depth) {
    const std::string &V = S.name(), Low = str(S.Args[0]), High = str(S.Args[1]);
    const bool Down = S.Step < 0;
    line(Depth, "{");
    line(Depth + 1, "int " + V + " = " + (Down ? "int(" + High + ") - 1" : Low) + ";");
    line(Depth + 1, "while (" + V + (Down ? " >= " + Low : " < " + High) + ") {");
    block(S.Body, Depth + 2);
    line(Depth + 2, V + " += " + std::to_string(S.Step) + ";");
    line(Depth + 1, "}");
    line(Depth, "}");
  }

  void statement(const LogicStmt &S, unsigned Depth) {
    switch (S.K) {
    case StmtKind::For:
      return Opaque ? whileLoop(S, Depth) : braced(loopHead(S), S.Body, Depth);
    case StmtKind::Parallel: {
      std::string Vars;
      for (const std::string &V : S.Names)
        Vars += (Vars.empty() ? "" : ", ") + V;
      return braced("for (auto [" + Vars + "] : septran::parallel(" + joined(S.Args) + "))", S.Body,
                    Depth);
    }
    case StmtKind::If:
      line(Depth, "if (" + str(S.Args[0]) + ") {");
      block(S.Body, Depth + 1);
      if (!S.Else.empty()) {
        line(Depth, "} else {");
        block(S.Else, Depth + 1);
      }
      return line(Depth, "}");
    case StmtKind::Continue:
      return line(Depth, "continue;");
    case StmtKind::Scalar:
      return line(Depth, (S.Const ? "const " : "") + std::string(cxxName(S.Type)) + " " + S.name() +
                             " = " + str(S.Args[0]) + ";");
    case StmtKind::Set:
      return line(Depth, str(S.Args[0]) + " " + S.Text + " " + str(S.Args[1]) + ";");
    case StmtKind::Tunable:
      return line(Depth,
                  "[[septran::tunable]] const int " + S.name() + " = " + str(S.Args[0]) + ";");
    case StmtKind::Local:
      return line(Depth, "septran::local<" + std::string(cxxName(S.Type)) + ", " +
                             std::to_string(S.Args.size()) + "> " + S.name() +
                             (S.Args.size() == 1 ? "(" + joined(S.Args) + ");"
                                                 : "({" + joined(S.Args) + "});"));
    case StmtKind::Define:
      return line(Depth, "auto " + S.name() + " = " + str(S.Args[0]) + ";");
    case StmtKind::Launch:
      return line(Depth, S.name() + "(" + joined(S.Args) + ");");
    }
  }

  void block(const LogicBlock &B, unsigned Depth) {
    for (const LogicStmt &S : B)
      statement(S, Depth);
  }

  static std::string parameter(const LogicParameter &P, const LogicFunction &F) {
    const std::string Type(cxxName(P.Type));
    if (!P.isTensor())
      return Type + " " + P.Name;
    const bool Read = P.Access == LogicAccess::Read;
    return (P.Access == LogicAccess::Write    ? "[[septran::write]] "
            : P.Access == LogicAccess::Reduce ? "[[septran::reduce(\"" + P.Reduction + "\")]] "
                                              : "") +
           "septran::tensor<" + (Read ? "const " : "") +
           (F.IsTemplate && P.Type == F.Deduced ? "T" : Type) + ", " + std::to_string(P.Rank) +
           "> " + P.Name;
  }

public:
  void function(const LogicFunction &F) {
    Out += "\n";
    if (F.IsTemplate)
      line(0, "template <class T>");
    line(0, std::string("[[septran::") + (F.IsLeaf ? "leaf" : "task") +
                (F.Family.empty() ? "" : "(\"" + F.Family + "\")") + "]]");
    std::string Params;
    const std::string Indent(F.Name.size() + 6, ' ');
    const auto Used = wordsOf(F.Body);
    for (const LogicParameter &P : F.Params)
      Params += (Params.empty() ? "" : ",\n" + Indent) +
                (Used.count(P.Name) ? "" : std::string("[[maybe_unused]] ")) + parameter(P, F);
    Opaque = F.IsOpaque;
    braced("void " + F.Name + "(" + Params + ")", F.Body, 0);
  }

  std::string program(const LogicProgram &P) {
    Out = "#include <septran/leaves.h>\n#include <septran/septran.h>\n\n"
          "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n";
    for (const LogicFunction &F : P.Functions)
      function(F);
    return std::move(Out);
  }
};

} // namespace

std::string render(const LogicProgram &P) { return Renderer().program(P); }

} // namespace septran::compiler
