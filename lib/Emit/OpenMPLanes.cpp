//===- OpenMPLanes.cpp - values and statements in vector lanes ------------===//
//
// A lane loop runs Width iterations at a time with values of vector type. What does not differ
// between lanes stays scalar. Elements beyond the loop's end are handled by a last, partial vector:
// its loads and stores touch the valid lanes only, and it adds the operator's identity to
// reductions.
//
// Over a dimension of a register tile the loop is `for (j = 0; j < Bound; j += Width)`, unrolled;
// elsewhere it is cpu::for_lanes, whose lambda serves whole vectors and the last one. What a
// statement touches is then said by a set of lanes (runtime/include/septran/cpu/lanes.h).
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Narrow.h"
#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/LaneLegality.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>

namespace septran::compiler {

namespace {

std::string widthText(unsigned Width) { return std::to_string(Width); }

/// The distance is one that a load knows.
bool isKnownCloseBy(const Expr &Stride) {
  const std::optional<std::int64_t> Known = constantValue(Stride);
  return Known && isCloseBy(*Known);
}

} // namespace

std::string OpenMPEmitter::vectorType(ScalarType Type, unsigned Width) {
  std::string Alias = std::string(shortName(Type)) + "x" + std::to_string(Width);
  VectorTypes[Alias] = "cpu::vec<" + std::string(cxxName(Type)) + ", " + widthText(Width) + ">";
  Names.reserve(Alias);
  return Alias;
}

std::string OpenMPEmitter::reduceCallee(UpdateOp Op) const {
  switch (summing(Op)) {
  case UpdateOp::Mul:
    return "cpu::reduce_mul";
  case UpdateOp::Min:
    return "cpu::reduce_min";
  case UpdateOp::Max:
    return "cpu::reduce_max";
  default:
    return "cpu::reduce_add";
  }
}

std::string OpenMPEmitter::laneCombine(UpdateOp Op, const std::string &A, const std::string &B) {
  switch (Op) {
  // Where one is NaN, std::min and std::max give their first argument, the instructions their second.
  case UpdateOp::Min:
    return "cpu::min(" + B + ", " + A + ")";
  case UpdateOp::Max:
    return "cpu::max(" + B + ", " + A + ")";
  default:
    return arithmeticText(Op, A, B);
  }
}

//===--- values -------------------------------------------------------------------===//

bool OpenMPEmitter::variesInLanes(const Expr &E) const {
  bool Found = false;
  walkExprs(
      E, [&](const Expr &N) { Found |= N->Kind == ExprKind::Var && Lanes->Varying.count(N->V); });
  return Found;
}

std::string OpenMPEmitter::asVector(const LaneValue &V, ScalarType Type) const {
  ScalarType Lane = laneType(Type);
  std::string T(cxxName(Lane));
  if (V.IsMask)
    return "cpu::select(" + V.Text + ", cpu::splat<" + T + ", " + widthText(Lanes->Width) +
           ">(1), cpu::splat<" + T + ", " + widthText(Lanes->Width) + ">(0))";
  if (!V.IsVector)
    return "cpu::splat<" + T + ", " + widthText(Lanes->Width) + ">(" + V.Text + ")";
  if (V.Type != Lane)
    return "cpu::convert<" + T + ">(" + V.Text + ")";
  return V.Text;
}

std::string OpenMPEmitter::asOperand(const LaneValue &V, ScalarType Type, UpdateOp Op) const {
  std::string Text = asVector(V, Type);
  bool IsOwn = V.IsVector && !V.IsMask && V.Type == laneType(Type); // its text as it is
  return Op == UpdateOp::Add && IsOwn && V.Binds < Binding::Sum ? "(" + Text + ")" : Text;
}

std::string OpenMPEmitter::asMask(const LaneValue &V, ScalarType Type) const {
  std::string Int = "cpu::int_like<" + std::string(cxxName(laneType(Type))) + ">";
  if (!V.IsVector)
    return "cpu::splat<" + Int + ", " + widthText(Lanes->Width) + ">(" + V.in(Binding::Or) +
           " ? -1 : 0)";
  if (!V.IsMask)
    return "(" + V.in(Binding::Relation) + " != 0)";
  // In parentheses: masks are inverted, and combined with others.
  return byteSize(V.Type) == byteSize(laneType(Type)) ? V.in(Binding::Unary)
                                                      : "cpu::convert<" + Int + ">(" + V.Text + ")";
}

OpenMPEmitter::LaneValue OpenMPEmitter::laneExpr(const Expr &E) {
  ScalarType Type = laneType(E->Type);
  if (!variesInLanes(E)) {
    if (auto All = Lanes->Broadcasts.find(toString(E)); All != Lanes->Broadcasts.end())
      return {All->second, Binding::Primary, true, Type, false};
    CxxText T = print(E);
    if (isSmallFloat(E->Type))
      T = {"float(" + T.Text + ")"};
    return {T.Text, T.Binds, false, Type, false};
  }
  switch (E->Kind) {
  case ExprKind::Var:
    if (E->V == Lanes->Loop->V)
      return {"cpu::iota<" + std::string(cxxName(Type)) + ", " + widthText(Lanes->Width) + ">(" +
                  std::string(cxxName(Type)) + "(" + Names.name(E->V) + "))",
              Binding::Primary, true, Type, false};
    if (auto Mask = Lanes->MaskTypes.find(E->V); Mask != Lanes->MaskTypes.end())
      return {Names.name(E->V), Binding::Primary, true, Mask->second, true};
    return {Names.name(E->V), Binding::Primary, true, Type, false};
  case ExprKind::Load:
    return laneLoad(E);
  case ExprKind::Unary: {
    LaneValue A = laneExpr(E->Args[0]);
    if (E->Un == UnaryOp::Not)
      return {"~" + asMask(A, A.Type), Binding::Unary, true, A.Type, true};
    std::string Op = E->Un == UnaryOp::Neg ? "-" : "~";
    A.Text = Op + "(" + A.Text + ")";
    A.Binds = Binding::Unary;
    return A;
  }
  case ExprKind::Binary:
    return laneBinary(E);
  case ExprKind::Select: {
    LaneValue C = laneExpr(E->Args[0]), A = laneExpr(E->Args[1]), B = laneExpr(E->Args[2]);
    if (!C.IsVector)
      return {C.in(Binding::Or) + " ? " + asVector(A, E->Type) + " : " + asVector(B, E->Type),
              Binding::Ternary, true, Type, false};
    return {"cpu::select(" + asMask(C, E->Type) + ", " + asVector(A, E->Type) + ", " +
                asVector(B, E->Type) + ")",
            Binding::Primary, true, Type, false};
  }
  case ExprKind::Cast:
    return laneCast(E);
  case ExprKind::Call:
    return laneCall(E);
  default:
    break;
  }
  CxxText T = print(E);
  return {T.Text, T.Binds, false, Type, false};
}

/// Lanes of a small float hold the rounded value as float.
OpenMPEmitter::LaneValue OpenMPEmitter::rounded(const LaneValue &V, ScalarType Type) {
  if (!isSmallFloat(Type))
    return V;
  return {"cpu::round_to<" + std::string(cxxName(Type)) + ">(" + V.Text + ")", Binding::Primary,
          true, V.Type, false, V.Text};
}

OpenMPEmitter::LaneValue OpenMPEmitter::laneCast(const Expr &E) {
  if (const Expr Narrow = narrowed(E))
    return laneExpr(Narrow);
  LaneValue A = laneExpr(E->Args[0]);
  ScalarType From = E->Args[0]->Type;
  std::string Text = A.Text;
  Binding Binds = A.Binds;
  if (A.IsMask || A.Type != laneType(E->Type)) {
    Text = asVector(A, E->Type);
    Binds = Binding::Primary;
  }
  const LaneValue Result = {Text, Binds, true, laneType(E->Type), false};
  return From == E->Type ? Result : rounded(Result, E->Type);
}

OpenMPEmitter::LaneValue OpenMPEmitter::laneCall(const Expr &E) {
  // isnan and the like are computed in their argument's type, and give a mask of its lanes.
  const bool Asks = E->Type == ScalarType::Bool;
  const ScalarType In = Asks ? E->Args[0]->Type : E->Type;
  std::string Name = E->Callee == "fabs" ? "abs" : E->Callee;
  std::string Text = "cpu::" + Name + "(";
  for (size_t I = 0; I < E->Args.size(); ++I)
    Text += (I ? ", " : "") + asVector(laneExpr(E->Args[I]), In);
  Text += ")";
  const LaneValue Result = {Text, Binding::Primary, true, laneType(In), Asks};
  return Asks ? Result : rounded(Result, E->Type);
}

OpenMPEmitter::LaneValue OpenMPEmitter::laneBinary(const Expr &E) {
  if (const Expr Narrow = narrowed(E))
    return laneExpr(Narrow);
  LaneValue A = laneExpr(E->Args[0]), B = laneExpr(E->Args[1]);
  if (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or) {
    ScalarType Mask = A.IsVector ? A.Type : B.Type;
    return {asMask(A, Mask) + (E->Bin == BinaryOp::And ? " & " : " | ") + asMask(B, Mask),
            Binding::BitOr, true, Mask, true};
  }
  // The other way round, as in laneCombine().
  if (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::Max)
    return {std::string("cpu::") + (E->Bin == BinaryOp::Min ? "min(" : "max(") +
                asVector(B, E->Type) + ", " + asVector(A, E->Type) + ")",
            Binding::Primary, true, laneType(E->Type), false};
  ScalarType Operands = laneType(E->Type);
  if (isComparison(E->Bin)) {
    const ScalarType Left = E->Args[0]->Type, Right = E->Args[1]->Type;
    Operands = laneType(Left == Right && isInteger(Left) ? Left : commonType(Left, Right));
  }
  BinarySpelling S = infix(E->Bin);
  // A scalar operand of the lanes' own type is spread over the lanes by the language. Integers are often
  // wider in C++ than they are here: loop variables are std::ptrdiff_t, and small ones are promoted.
  auto Operand = [&](const LaneValue &V, Binding Least) {
    if (!V.IsVector && V.Type == Operands && isFloat(Operands) && !isComparison(E->Bin))
      return V.in(Least);
    return V.IsVector && V.Type == Operands && !V.IsMask ? V.in(Least) : asVector(V, Operands);
  };
  OperandBindings Least = operandBindings(S.Binds);
  std::string Text =
      Operand(A, Least.Left) + " " + std::string(S.Text) + " " + Operand(B, Least.Right);
  if (isComparison(E->Bin))
    return {"(" + Text + ")", Binding::Primary, true, Operands, true};
  return rounded({Text, S.Binds, true, Operands, false}, E->Type);
}

//===--- memory -------------------------------------------------------------------===//

OpenMPEmitter::LaneAddress OpenMPEmitter::laneAddress(const Storage &S,
                                                      const std::vector<Expr> &Indices) const {
  Expr Stride = intLit(0);
  for (size_t Dim = 0; Dim < Indices.size(); ++Dim)
    if (std::optional<std::int64_t> C = coefficient(Indices[Dim], Lanes->Loop->V))
      Stride = Stride + intLit(*C) * S.Strides[Dim];
  // A tile that is an array of scalars has all of its elements, also those that a block lacks.
  std::string Pointer =
      S.IsTile ? "&" + tileElement(S, Indices) : addressText(S.Name, S.offsetOf(clamped(Indices)));
  return {Pointer, wide(Stride)};
}

/// Whether the buffer has memory for all vectors of a clipped register tile: what is beyond the
/// tensor is padding, and what is computed from it is never stored. A mask for every load costs
/// more than the rows and columns that the tile lacks.
bool OpenMPEmitter::hasWholeVectors(const Storage &S, const std::vector<Expr> &Indices,
                                    const For &Loop) const {
  const std::int64_t Width = Loop.Width;
  const std::int64_t Needed = (Loop.StaticTrip + Width - 1) / Width * Width;
  for (size_t Dim = 0; Dim < Indices.size(); ++Dim)
    if (mentions(Indices[Dim], Loop.V) &&
        (simplify(Indices[Dim])->V != Loop.V || S.paddedTo(Dim) < Needed))
      return false;
  return Loop.StaticTrip && isConstant(Loop.Lo, 0) && !Shifts;
}

std::string OpenMPEmitter::laneLoadText(const TensorRef &T, const std::vector<Expr> &Indices) {
  const Storage &S = storageFor(T);
  if (S.IsTile && S.LaneDim >= 0) {
    std::string Text = S.Name;
    for (size_t Dim = 0; Dim < Indices.size(); ++Dim)
      if (int(Dim) != S.LaneDim)
        Text += "[" + text(Indices[Dim]) + "]";
    return Text + "[" + Names.name(Lanes->Loop->V) + " / " + widthText(S.Width) + "]";
  }
  if (const std::string Field = fieldLoadText(T, Indices); !Field.empty())
    return Field;
  std::string Width = widthText(Lanes->Width);
  LaneAddress A = laneAddress(S, Indices);
  bool Contiguous = isConstant(A.Stride, 1);
  const bool Whole =
      Lanes->Set.empty() || (Contiguous && hasWholeVectors(S, Indices, *Lanes->Loop));
  const std::string Stride = isKnownCloseBy(A.Stride) ? "cpu::constant<" + text(A.Stride) + ">()" : text(A.Stride);
  return std::string("cpu::load") + (Contiguous ? "" : "_strided") +
         (Whole ? "<" + Width + ">(" : "(") + A.Pointer +
         (Contiguous ? "" : ", " + Stride) + (Whole ? "" : ", " + Lanes->Set) + ")";
}

OpenMPEmitter::LaneValue OpenMPEmitter::laneLoad(const Expr &E) {
  if (auto Found = Held.find(toString(E)); Found != Held.end())
    return {Found->second + "[" + Names.name(Lanes->Loop->V) + " / " + widthText(Lanes->Width) + "]",
            Binding::Primary, true, laneType(E->Type), false};
  return {laneLoadText(E->T, E->Args), Binding::Primary, true, laneType(E->Type), false};
}

//===--- statements ---------------------------------------------------------------===//

void OpenMPEmitter::emitLaneBlock(const Block &B) {
  for (const Stmt &S : B)
    emitLaneStmt(S);
}

void OpenMPEmitter::emitLaneStmt(const Stmt &S) {
  if (emitGuarded(S, [this](const Stmt &Inside) { emitLaneStmt(Inside); }))
    return;
  if (const auto *L = S.getIf<Let>()) {
    const Let Own = clampedLet(*L);
    if (!Lanes->Varying.count(L->V)) {
      emitLet(Own);
      return;
    }
    const bool Changes = L->Mutable || !L->Value;
    std::string Value = L->Value ? " = " + asVector(laneExpr(Own.Value), L->V->Type) : "";
    if (L->V->Type == ScalarType::Bool) {
      // What is set again gets masks of any lanes.
      const LaneValue C = laneExpr(L->Value ? Own.Value : boolLit(false));
      const ScalarType Mask = Changes ? ScalarType::Bool : C.Type;
      Lanes->MaskTypes[L->V] = Mask;
      W.line((Changes ? "auto " : "const auto ") + Names.define(L->V) + " = " + asMask(C, Mask) +
             ";");
      return;
    }
    if (Lanes->InOrder.count(L->V))
      Value = " = cpu::in_order(" + asVector(laneExpr(Own.Value), L->V->Type) + ")";
    W.line((Changes ? "" : "const ") +
           vectorType(laneType(L->V->Type), Lanes->Width) + " " + Names.define(L->V) + Value + ";");
  } else if (const auto *A = S.getIf<Assign>()) {
    emitLaneAssign(*A);
  } else if (const auto *St = S.getIf<Store>()) {
    emitLaneStore(*St);
  } else if (const auto *F = S.getIf<For>()) {
    openPlainLoop(*F);
    emitLaneBlock(F->Body);
    W.close();
  } else if (const auto *C = S.getIf<If>()) {
    if (!variesInLanes(C->Condition)) {
      W.open("if (" + text(C->Condition) + ")");
      emitLaneBlock(C->Then);
      if (!C->Else.empty()) {
        W.close(" else {", true);
        emitLaneBlock(C->Else);
      }
      W.close();
      return;
    }
    LaneValue Condition = laneExpr(C->Condition);
    std::string Outer = Lanes->Mask;
    ScalarType OuterType = Lanes->MaskType;
    auto Branch = [&](const std::string &Mask, const Block &B) {
      if (B.empty())
        return Mask;
      std::string Name = Names.fresh("mask");
      std::string Full = Mask;
      if (!Outer.empty())
        Full =
            asMask({Outer, Binding::Primary, true, OuterType, true}, Condition.Type) + " & " + Full;
      W.line("const auto " + Name + " = " + Full + ";");
      Lanes->Mask = Name;
      Lanes->MaskType = Condition.Type;
      emitLaneBlock(B);
      return Name;
    };
    // By its name: the first branch may change what the condition is about.
    const std::string Taken = Branch(asMask(Condition, Condition.Type), C->Then);
    Branch("~" + Taken, C->Else);
    Lanes->Mask = Outer;
    Lanes->MaskType = OuterType;
  }
}

void OpenMPEmitter::openPlainLoop(const For &F) {
  std::string Lo = text(wide(F.Lo)), Hi = boundText(F.Hi), V = Names.define(F.V);
  std::string Step = F.Step == 1 ? "++" + V : V + " += " + std::to_string(F.Step);
  emitUnroll(F);
  W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
}

/// The vector that the iteration at hand adds to.
std::string OpenMPEmitter::sumText(const LaneSums::Sum &Sum) const {
  return Lanes->Loop->Accumulators == 1 ? Sum.Name : Sum.Name + "[" + Lanes->Part + "]";
}

void OpenMPEmitter::emitLaneAssign(const Assign &A) {
  ScalarType Type = laneType(A.V->Type);
  LaneValue Value = laneExpr(clampedValue(A.Value));
  auto Sum = Sums.Scalars.find(A.V);
  if (Sum != Sums.Scalars.end()) {
    std::string V = asOperand(Value, A.V->Type, summing(A.Op));
    std::string Identity = "cpu::splat<" + std::string(cxxName(Type)) + ", " +
                           widthText(Lanes->Width) + ">(" + identityText(A.Op, Type) + ")";
    if (!Lanes->Mask.empty())
      V = "cpu::select(" +
          asMask({Lanes->Mask, Binding::Primary, true, Lanes->MaskType, true}, Type) + ", " + V +
          ", " + Identity + ")";
    if (!Lanes->Set.empty())
      V = "cpu::select(" + Lanes->Set + ", " + V + ", " + Identity + ")";
    const std::string Target = sumText(Sum->second);
    W.line(Target + " = " + laneCombine(summing(A.Op), Target, V) + ";");
    return;
  }
  const std::string &Name = Names.name(A.V);
  if (!Lanes->Varying.count(A.V)) {
    emitAssign(A);
    return;
  }
  std::string New;
  if (A.V->Type == ScalarType::Bool) {
    if (A.Op != UpdateOp::Set)
      Value = {laneCombine(A.Op, asVector(laneExpr(varExpr(A.V)), A.V->Type),
                           asVector(Value, A.V->Type)),
               Binding::Ternary, true, Type, false};
    New = asMask(Value, A.V->Type);
  } else {
    New = laneCombine(A.Op, Name, asOperand(Value, A.V->Type, A.Op));
  }
  if (isSmallFloat(A.V->Type))
    New = "cpu::round_to<" + std::string(cxxName(A.V->Type)) + ">(" + New + ")";
  if (!Lanes->Mask.empty())
    New = "cpu::select(" +
          asMask({Lanes->Mask, Binding::Primary, true, Lanes->MaskType, true}, Type) + ", " + New +
          ", " + Name + ")";
  W.line(Name + " = " + New + ";");
}

void OpenMPEmitter::emitLaneStore(const Store &S) {
  const Storage &To = storageFor(S.T);
  ScalarType Type = laneType(S.T->Element);
  std::string T(cxxName(Type)), Width = widthText(Lanes->Width);
  const Unguarded Free(*this, guardOf(S.Indices, To.IsTile));
  LaneValue Value = laneExpr(S.Value);
  bool Moves = false;
  for (const Expr &I : S.Indices)
    Moves |= mentions(I, Lanes->Loop->V);

  if (!Moves) { // a reduction over the lanes
    std::string V = asOperand(Value, S.T->Element, summing(S.Op));
    std::string Identity = "cpu::splat<" + T + ", " + Width + ">(" + identityText(S.Op, Type) + ")";
    if (!Lanes->Mask.empty())
      V = "cpu::select(" +
          asMask({Lanes->Mask, Binding::Primary, true, Lanes->MaskType, true}, Type) + ", " + V +
          ", " + Identity + ")";
    if (!Lanes->Set.empty())
      V = "cpu::select(" + Lanes->Set + ", " + V + ", " + Identity + ")";
    auto Sum = Sums.Elements.find(&S);
    if (Sum != Sums.Elements.end()) {
      const std::string Target = sumText(Sum->second);
      W.line(Target + " = " + laneCombine(summing(S.Op), Target, V) + ";");
      return;
    }
    std::string Element = To.IsTile ? tileElement(To, S.Indices) : elementText(To, S.Indices);
    W.line(Free.Prefix + Element + " = " + std::string(cxxName(S.T->Element)) + "(" +
           scalarCombine(S.Op, Element, reduceCallee(S.Op) + "(" + V + ")", S.T->Element) + ");");
    return;
  }

  std::string Old =
      S.Op == UpdateOp::Set && Lanes->Mask.empty() ? "" : laneLoadText(S.T, S.Indices);
  std::string New = laneCombine(S.Op, Old, asOperand(Value, S.T->Element, S.Op));
  bool IsTile = To.IsTile && To.LaneDim >= 0;
  // To memory, the store rounds.
  if (!IsTile && Lanes->Mask.empty() && S.Op == UpdateOp::Set && !Value.Exact.empty() &&
      S.Value->Type == S.T->Element)
    New = Value.Exact;
  if (isSmallFloat(S.T->Element) && IsTile)
    New = "cpu::round_to<" + std::string(cxxName(S.T->Element)) + ">(" + New + ")";
  if (!Lanes->Mask.empty())
    New = "cpu::select(" +
          asMask({Lanes->Mask, Binding::Primary, true, Lanes->MaskType, true}, Type) + ", " + New +
          ", " + Old + ")";
  if (IsTile) {
    std::string Target = laneLoadText(S.T, S.Indices);
    bool Plain = Lanes->Mask.empty() && !isSmallFloat(S.T->Element);
    if (Plain && S.Op == UpdateOp::Add)
      W.line(Free.Prefix + Target +
             " += " + (Value.IsVector ? Value.Text : asVector(Value, S.T->Element)) + ";");
    else
      W.line(Free.Prefix + Target + " = " + New + ";");
    return;
  }
  if (emitFieldStore(S, New))
    return;
  LaneAddress A = laneAddress(To, S.Indices);
  bool Contiguous = isConstant(A.Stride, 1);
  const bool Whole = Lanes->Set.empty();
  std::string Callee = Contiguous ? "cpu::store" : "cpu::store_strided", Past;
  if (auto Found = Streaming.find(&S); Found != Streaming.end() && Contiguous) {
    const std::string &Condition = Found->second.Condition;
    Callee = Condition.empty() ? "cpu::stream" : "cpu::stream_if";
    Past = Condition.empty() ? "" : Condition + ", ";
  } else if (Contiguous && !Whole && (!Old.empty() || mentions(S.Value, S.T))) {
    Callee = "cpu::update";
  }
  W.line(Free.Prefix + Callee + (Whole ? "<" + Width + ">(" : "(") + Past + A.Pointer +
         (Contiguous ? "" : ", " + text(A.Stride)) + ", " + New + (Whole ? "" : ", " + Lanes->Set) +
         ");");
}

} // namespace septran::compiler
