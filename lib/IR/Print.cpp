//===- Print.cpp - statements as text ---------------------------*- C++ -*-===//
#include "IR/Print.h"

#include "IR/BufferLayout.h"
#include "Logic/TaskGraph.h"

#include <initializer_list>

namespace septran::compiler {

namespace {

/// The parts in order. Operands of + may be evaluated in any order, which would number names
/// differently from compiler to compiler; those of a braced list may not.
std::string join(std::initializer_list<std::string> Parts) {
  std::string Result;
  for (const std::string &P : Parts)
    Result += P;
  return Result;
}

class BlockPrinter {
  NameTable &Names;
  const ScopeText &TextOf;
  unsigned Level;
  std::string Out;

public:
  BlockPrinter(NameTable &Names, const ScopeText &TextOf, unsigned Level)
      : Names(Names), TextOf(TextOf), Level(Level) {}

  void block(const Block &B) {
    for (const Stmt &S : B) {
      indent();
      std::visit([this](const auto &Node) { print(Node); }, S.Node);
    }
  }

  std::string take() { return std::move(Out); }

private:
  void indent() { Out.append(2 * Level, ' '); }
  std::string text(const Expr &E) { return toString(E, Names); }
  std::string text(const View &V) { return toString(V, Names); }

  std::string text(const std::vector<Expr> &Items) {
    std::string Result;
    for (std::size_t I = 0; I < Items.size(); ++I)
      Result += (I ? ", " : "") + text(Items[I]);
    return Result;
  }

  std::string text(const std::vector<Launch::Argument> &Args) {
    std::string Result;
    for (std::size_t I = 0; I < Args.size(); ++I)
      Result +=
          (I ? ", " : "") + (Args[I].isTensor() ? text(Args[I].Tensor) : text(Args[I].Scalar));
    return Result;
  }

  /// `f32[64, K]`.
  std::string storage(const TensorRef &T, const std::vector<Expr> &Extents) {
    return join({std::string(shortName(T->Element)), "[", text(Extents), "]"});
  }

  void line(const std::string &Text) { Out += Text + "\n"; }

  void nested(const std::string &Head, const Block &Body, const std::string &Tail = "") {
    line(Head + " {");
    body(Body);
    indent();
    line("}" + Tail);
  }

  void body(const Block &B) {
    ++Level;
    block(B);
    --Level;
  }

  /// `x += value`, and `x = max(x, value)` for what C++ has no operator for.
  void update(const std::string &Target, UpdateOp Op, const Expr &Value) {
    if (Op == UpdateOp::Min || Op == UpdateOp::Max)
      line(Target + " = " + std::string(spelling(*combiningOp(Op))) + "(" + Target + ", " +
           text(Value) + ")");
    else
      line(Target + " " + std::string(spelling(Op)) + " " + text(Value));
  }

  void print(const For &L) {
    std::string Head = L.Kind == LoopKind::Parallel ? "parallel for (" : "for (";
    Head += join({Names.name(L.V), " : ", text(L.Lo), " .. ", text(L.Hi)});
    if (L.Step != 1)
      Head += " step " + std::to_string(L.Step);
    Head += ")";
    if (L.Group)
      Head += " group " + std::to_string(L.Group);
    if (L.Exec == LoopExec::Lanes)
      Head += " lanes " + std::to_string(L.Width);
    if (L.Accumulators > 1)
      Head += " accumulators " + std::to_string(L.Accumulators);
    if (L.InStep > 1)
      Head += " in step " + std::to_string(L.InStep);
    if (L.SumsAround)
      Head += " in " + std::to_string(L.SumsAround);
    if (L.Exec == LoopExec::Unrolled)
      Head += " unrolled";
    if (L.Exec == LoopExec::Threads)
      Head += " threads [" + toString(L.Parts) + "]";
    if (L.StaticTrip)
      Head += " trip " + std::to_string(L.StaticTrip);
    if (!L.Spread.empty())
      Head += " spread " + L.Spread;
    for (const SharedReduction &R : L.Reductions)
      Head += join({" reduce(", Names.name(R.Target), " ", std::string(spelling(R.Op)), " ",
                    Names.name(R.Partial), ")"});
    if (L.Nowait)
      Head += " nowait";
    std::string Tail;
    for (const std::string &Edge : L.Serves)
      Tail += (Tail.empty() ? " serves \"" : ", \"") + Edge + "\"";
    if (L.Finish.empty())
      return nested(Head, L.Body, Tail);
    line(Head + " {");
    body(L.Body);
    indent();
    line("} finish" + Tail + " {");
    body(L.Finish);
    indent();
    line("}");
  }

  void print(const If &I) {
    line(I.Fills ? "once for " + Names.name(I.Fills) + " {" : "if (" + text(I.Condition) + ") {");
    body(I.Then);
    indent();
    if (!I.Else.empty()) {
      line("} else {");
      body(I.Else);
      indent();
    }
    line("}");
  }

  void print(const Let &L) {
    std::string Text =
        (L.Mutable ? "var " : "let ") + Names.name(L.V) + " : " + std::string(shortName(L.V->Type));
    line(L.Value ? Text + " = " + text(L.Value) : Text);
  }

  void print(const Assign &A) { update(Names.name(A.V), A.Op, A.Value); }
  void print(const Store &S) {
    update(join({Names.name(S.T), "(", text(S.Indices), ")"}), S.Op, S.Value);
  }

  void print(const Define &D) {
    std::string Memory = D.T->Memory.empty() ? "" : " : " + D.T->Memory;
    line(join({"define ", Names.name(D.T), Memory, " = ", text(D.Value)}));
  }

  void print(const Local &L) {
    std::string Memory = L.T->Memory.empty() ? "" : L.T->Memory + " ";
    line(join({"local ", Names.name(L.T), " : ", Memory, storage(L.T, L.Extents)}));
  }

  void print(const Launch &L) {
    std::string Text = "launch " + (L.Callee ? L.Callee->Name : "<none>");
    if (L.Site)
      Text += "#" + std::to_string(L.Site);
    line(Text + "(" + text(L.Args) + ")");
  }

  void print(const Scope &S) {
    nested(S.Instance && TextOf ? "scope " + TextOf(*S.Instance) : "scope", S.Body);
  }

  void print(const Alloc &A) {
    std::string Text =
        join({"alloc ", Names.name(A.T), " : ", A.Memory, " ", storage(A.T, A.Extents)});
    if (A.Layout)
      Text += " layout(" + toString(*A.Layout) + ")";
    if (!A.Parts.empty()) {
      std::string Parts;
      for (const Digits &D : A.Parts)
        Parts += (Parts.empty() ? "[" : ", [") + toString(D) + "]";
      Text += " threads(" + Parts + ")";
    }
    if (A.Padded)
      Text += " padded";
    if (A.Slack)
      Text += " slack " + std::to_string(A.Slack);
    if (A.Offset >= 0)
      Text += " offset " + std::to_string(A.Offset);
    if (A.KeptWith)
      Text += " kept with " + Names.name(A.KeptWith);
    line(Text);
  }

  void print(const CopyStmt &C) {
    std::string Text = join({"copy ", text(C.Dst), " <- ", text(C.Src)});
    if (C.Parallel)
      Text += " parallel";
    if (C.Prefetch)
      Text += " prefetch " + std::to_string(C.Prefetch);
    if (C.Async)
      Text += " async";
    line(Text);
  }

  void print(const OpaqueCall &C) {
    line("call " + (C.Callee ? C.Callee->Name : "<none>") + "(" + text(C.Args) + ")");
  }

  void print(const Barrier &B) {
    std::string Text = "barrier " + B.Level;
    for (const std::string &Edge : B.Serves)
      Text += (&Edge == &B.Serves.front() ? " serves \"" : ", \"") + Edge + "\"";
    line(Text);
  }

  void print(const Stage &S) {
    std::string Rings;
    for (const TensorRef &T : S.Rings)
      Rings = join({Rings, Rings.empty() ? "" : ", ", Names.name(T)});
    line(join({"stage ", std::string(spelling(S.K)), " ", text(S.Index), " of ", Rings, " depth ",
               std::to_string(S.Depth)}));
  }

  void print(const EngineEvent &E) {
    std::string Text = join({E.IsWait ? "wait " : "record ", E.Sync});
    if (E.Event)
      Text = join({Text, " ", text(E.Event), " from ", E.From, " to ", E.To});
    for (const std::string &Edge : E.Serves)
      Text += (&Edge == &E.Serves.front() ? " serves \"" : ", \"") + Edge + "\"";
    line(Text);
  }

  void print(const SetState &S) { line("set " + S.State); }

  void print(const PrimitiveCall &C) {
    std::string Text;
    auto argument = [&](const std::string &Name, const std::string &Value) {
      Text += (Text.empty() ? "" : ", ") + Name + " = " + Value;
    };
    for (const PrimitiveCall::Operand &O : C.Operands)
      argument(O.Name, O.isTensor() ? text(O.Tensor) : text(O.Scalar));
    for (const auto &[Name, Extent] : C.Sizes)
      argument(Name, text(Extent));
    line("primitive " + C.Primitive + "(" + Text + ")");
  }
};

} // namespace

std::string printBlock(const Block &B, NameTable &Names, unsigned Indent, const ScopeText &TextOf) {
  BlockPrinter P(Names, TextOf, Indent);
  P.block(B);
  return P.take();
}

std::string printBlock(const Block &B, unsigned Indent, const ScopeText &TextOf) {
  NameTable Names;
  return printBlock(B, Names, Indent, TextOf);
}

} // namespace septran::compiler
