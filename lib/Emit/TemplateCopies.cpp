//===- TemplateCopies.cpp - copies by a machine's commands ----------------===//
//
// A command copies rows of neighbouring elements. Of the dimensions of a copy, one whose elements
// are neighbours on both sides becomes the row, another one the rows, and the rest are loops around
// the command, as are pieces of what is larger than the command takes, and panels.
//
// A window reaches outside its tensor: along each of its dimensions the first `Low` elements, and
// those behind the next `Inside`, are the fill value. Commands with a border make them.
//
//===----------------------------------------------------------------------===//
#include "Emit/TemplateEmitter.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Support/Template.h"

#include <algorithm>

namespace septran::compiler {

/// What is left to copy inside the loops printed so far.
struct TemplateEmitter::CopyPart {
  const CopyStmt *C;
  const Copy *Way;
  Location Loc;
  struct Side {
    TensorRef T;
    std::string Name;
    Expr Offset;
    std::vector<Expr> Strides; ///< per dimension left
    std::vector<Storage::Panel> Panels;
  } To, From;
  std::vector<Expr> Extents;                       ///< per dimension left
  std::vector<std::optional<std::int64_t>> Bounds; ///< constants that they do not exceed
  /// Windows: what of each dimension left lies inside the tensor. The source starts with that.
  struct Inner {
    Expr Low, Inside;
  };
  std::vector<Inner> Window;
  std::string Within; ///< windows: the condition that all loops are inside; empty: they are

  bool isWindow() const { return !Window.empty(); }
  void drop(size_t Dim) {
    Extents.erase(Extents.begin() + std::ptrdiff_t(Dim));
    Bounds.erase(Bounds.begin() + std::ptrdiff_t(Dim));
    if (isWindow())
      Window.erase(Window.begin() + std::ptrdiff_t(Dim));
    for (Side *S : {&To, &From}) {
      S->Strides.erase(S->Strides.begin() + std::ptrdiff_t(Dim));
      S->Panels.erase(S->Panels.begin() + std::ptrdiff_t(Dim));
    }
  }
  void advance(size_t Dim, const Expr &Steps) {
    To.Offset = To.Offset + Steps * To.Strides[Dim];
    const Expr Source = isWindow() ? maxExpr(Steps - Window[Dim].Low, intLit(0)) : Steps;
    From.Offset = From.Offset + Source * From.Strides[Dim];
  }
  /// A piece of a dimension: it and what of it lies inside, counted from its start.
  void cut(size_t Dim, const Expr &Start, const Expr &Length) {
    advance(Dim, Start);
    Extents[Dim] = Length;
    if (!isWindow() || isConstant(Start, 0))
      return;
    Inner &W = Window[Dim];
    const Expr First = minExpr(maxExpr(W.Low - Start, intLit(0)), Length);
    const Expr Last = minExpr(maxExpr(W.Low + W.Inside - Start, intLit(0)), Length);
    W = {simplify(First), simplify(Last - First)};
  }
  bool isRow(size_t Dim) const {
    return isConstant(simplify(To.Strides[Dim]), 1) && isConstant(simplify(From.Strides[Dim]), 1);
  }
};

/// A primitive that differs from the one of this name by the order of one operand's dimensions.
static const Primitive *transposing(const Machine &M, const std::string &Name,
                                    const std::string &Turned) {
  const Primitive &Like = *M.findPrimitive(Name);
  auto Matches = [&](const Primitive &Q) {
    if (Q.Operands.size() != Like.Operands.size() || Q.Processor.Value != Like.Processor.Value)
      return false;
    for (size_t I = 0; I < Q.Operands.size(); ++I) {
      const Operand &Has = Like.Operands[I], &Other = Q.Operands[I];
      std::vector<OperandExtent> Shape, OtherShape;
      for (const Located<OperandExtent> &E : Has.Shape)
        Shape.push_back(E.Value);
      for (const Located<OperandExtent> &E : Other.Shape)
        OtherShape.push_back(E.Value);
      if (Has.Name.Value == Turned)
        std::reverse(Shape.begin(), Shape.end());
      if (Has.Name.Value != Other.Name.Value || Has.DType.Value != Other.DType.Value ||
          Has.Memory.Value != Other.Memory.Value || Shape != OtherShape)
        return false;
    }
    return true;
  };
  for (const Primitive &Q : M.Primitives)
    if (&Q != &Like && Matches(Q))
      return &Q;
  return nullptr;
}

void TemplateEmitter::emitCopy(const CopyStmt &C, const Location &Loc) {
  CopyPart Part{
      &C, P.Target->findCopy(C.Src.Base->Memory, C.Dst.Base->Memory), Loc, {}, {}, {}, {}, {}, ""};
  auto Refuse = [&](const std::string &Why) {
    D.report(DiagID::CopyNotPossible, Loc,
             C.Reason.empty() ? "'" + C.Dst.Base->Name + "'" : C.Reason, C.Src.Base->Memory,
             C.Dst.Base->Memory, P.Target->Name.Value, Why);
  };
  if (!Part.Way || Part.Way->Call.Value.empty())
    return Refuse("the machine has no copy between these memories");
  if (C.Src.Fill && (Part.Way->Border.Value.empty() || C.Src.isWhole()))
    return Refuse("it is a window, and the copy adds no border");
  for (auto [S, V] : {std::pair(&Part.To, &C.Dst), std::pair(&Part.From, &C.Src)}) {
    std::optional<ViewStorage> Found = storageOf(*V, storageFor(V->Base));
    if (!Found) {
      D.report(DiagID::ViewCutsPanels, Loc, V->Base->Name, V->Base->Name);
      return;
    }
    *S = {V->Base, Found->S.Name, Found->Offset, Found->S.Strides, Found->S.Panels};
    S->Panels.resize(S->Strides.size());
  }
  for (unsigned Dim = 0; Dim < C.Dst.rank(); ++Dim) {
    Part.Extents.push_back(wide(C.Dst.extent(Dim)));
    Part.Bounds.push_back(plannedBound(Sizes.expand(C.Dst.extent(Dim))));
  }
  if (C.Src.Fill)
    openWindow(Part);
  for (size_t Dim = Part.Extents.size(); Dim > 0; --Dim)
    if (isConstant(Part.Extents[Dim - 1], 1) && !Part.isWindow())
      Part.drop(Dim - 1);
  const unsigned Depth = W.depth();
  if (!splitPanels(Part))
    Refuse("both sides lie in panels");
  else if (!Part.Extents.empty() &&
           std::none_of(Part.Extents.begin(), Part.Extents.end(), [&](const Expr &E) {
             return Part.isRow(size_t(&E - Part.Extents.data()));
           }))
    Refuse("along no dimension are its elements neighbours on both sides; " + otherOrder(C));
  else
    emitRows(std::move(Part));
  while (W.depth() > Depth)
    W.close();
}

/// What would be accepted in place of a copy that has rows on one side and columns on the other.
std::string TemplateEmitter::otherOrder(const CopyStmt &C) const {
  std::string Found;
  walkStmts(P.Body, [&](const Stmt &S) {
    const auto *Call = S.getIf<PrimitiveCall>();
    if (!Call || !Found.empty())
      return;
    for (const PrimitiveCall::Operand &Op : Call->Operands) {
      if (!Op.isTensor() || Op.Inner.empty() ||
          (Tensors.root(Op.Tensor.Base) != Tensors.root(C.Dst.Base) &&
           Tensors.root(Op.Tensor.Base) != Tensors.root(C.Src.Base)))
        continue;
      Found = "primitive '" + Call->Primitive + "' needs them so";
      if (const Primitive *Other = transposing(*P.Target, Call->Primitive, Op.Name))
        Found += "; bind '" + Other->Name.Value + "', which takes '" + Op.Name + "' transposed";
      else
        Found += ", and no other takes '" + Op.Name +
                 "' transposed; without a binding, any order is accepted";
    }
  });
  return Found.empty() ? "a layout in the order of the source, such as column, can be copied" : Found;
}

/// Names what of each dimension lies inside the tensor, and starts the source there.
void TemplateEmitter::openWindow(CopyPart &Part) {
  const View Src = explicitView(Part.C->Src);
  const Storage &From = storageFor(Src.Base);
  auto Name = [&](const char *Hint, const Expr &Value) -> Expr {
    if (std::optional<std::int64_t> Known = constantValue(simplify(Value)))
      return intLit(*Known);
    VarRef V = makeVar(Hint, ScalarType::I64, VarKind::Scalar);
    const std::string Text = text(wide(Value));
    W.line("const std::ptrdiff_t " + Names.define(V) + " = " + Text + ";");
    return varExpr(V);
  };
  for (size_t Dim = 0; Dim < Part.Extents.size(); ++Dim) {
    const int Base = Src.Dims[Dim];
    const Expr &Extent = Part.Extents[Dim];
    if (Base < 0 || (isConstant(Src.Slices[size_t(Base)].Offset, 0) &&
                     equal(Extent, wide(From.Extents[size_t(Base)])))) {
      Part.Window.push_back({intLit(0), Extent});
      continue;
    }
    const Expr Offset = cast(ScalarType::I64, Src.Slices[size_t(Base)].Offset);
    const Expr Low = Name("low", minExpr(maxExpr(intLit(0), intLit(0) - Offset), Extent));
    const Expr High = maxExpr(minExpr(Extent, From.Extents[size_t(Base)] - Offset), Low);
    Part.Window.push_back({Low, Name("inside", High - Low)});
    Part.From.Offset = Part.From.Offset + Low * Part.From.Strides[Dim];
  }
}

/// Panels are copied one by one.
bool TemplateEmitter::splitPanels(CopyPart &Part) {
  for (size_t Dim = 0; Dim < Part.Extents.size(); ++Dim) {
    const std::int64_t Width = std::max(Part.To.Panels[Dim].Width, Part.From.Panels[Dim].Width);
    if (!Width)
      continue;
    if (Part.To.Panels[Dim].Width && Part.From.Panels[Dim].Width)
      return false;
    VarRef V = makeVar("panel", ScalarType::I64, VarKind::Loop);
    const std::string Name = Names.define(V);
    const Expr Count = simplify(ceilDiv(Part.Extents[Dim], intLit(Width)));
    W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " + boundText(Count) + "; ++" +
           Name + ")");
    for (CopyPart::Side *S : {&Part.To, &Part.From}) {
      const Expr Step =
          S->Panels[Dim].Width ? S->Panels[Dim].Stride : Expr(intLit(Width) * S->Strides[Dim]);
      S->Offset = S->Offset + varExpr(V) * Step;
      S->Panels[Dim] = {};
    }
    Part.Extents[Dim] =
        simplify(minExpr(intLit(Width), Part.Extents[Dim] - varExpr(V) * intLit(Width)));
    Part.Bounds[Dim] = Width;
  }
  return true;
}

std::pair<Expr, Expr> TemplateEmitter::openPieces(const Expr &Extent, std::int64_t Most,
                                                  const char *Name) {
  VarRef V = makeVar(Name, ScalarType::I64, VarKind::Loop);
  const std::string Text = Names.define(V);
  const Expr Start = varExpr(V) * intLit(Most);
  W.open("for (std::ptrdiff_t " + Text + " = 0; " + Text + " < " +
         boundText(simplify(ceilDiv(Extent, intLit(Most)))) + "; ++" + Text + ")");
  return {Start, simplify(minExpr(intLit(Most), Extent - Start))};
}

void TemplateEmitter::emitRows(CopyPart Part) {
  // The row: the last dimension that can be one.
  size_t Row = Part.Extents.size();
  for (size_t Dim = 0; Dim < Part.Extents.size(); ++Dim)
    if (Part.isRow(Dim))
      Row = Dim;
  // The rows: the last other dimension. The rest are loops.
  size_t Rows = Part.Extents.size();
  for (size_t Dim = 0; Dim < Part.Extents.size(); ++Dim)
    if (Dim != Row)
      Rows = Dim;
  for (size_t Dim = 0; Dim < Part.Extents.size();) {
    if (Dim == Row || Dim == Rows) {
      ++Dim;
      continue;
    }
    VarRef V = makeVar("c" + std::to_string(Dim), ScalarType::I64, VarKind::Loop);
    const std::string Name = Names.define(V);
    W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " + boundText(Part.Extents[Dim]) +
           "; ++" + Name + ")");
    if (Part.isWindow() &&
        !(isConstant(Part.Window[Dim].Low, 0) && equal(Part.Window[Dim].Inside, Part.Extents[Dim])))
      Part.Within += (Part.Within.empty() ? "" : " && ") + Name +
                     " >= " + boundText(Part.Window[Dim].Low) + " && " + Name + " < " +
                     boundText(Part.Window[Dim].Low + Part.Window[Dim].Inside);
    Part.advance(Dim, varExpr(V));
    Part.drop(Dim);
    Row -= Row > Dim;
    Rows -= Rows > Dim;
  }
  auto Limit = [&](const char *Dimension) {
    const std::int64_t *Most = Part.Way->MaxShape.find(Dimension);
    return Most ? *Most : std::int64_t(0);
  };
  for (auto [Dim, Name, Piece] : {std::tuple(Rows, "d1", "rows"), std::tuple(Row, "d0", "columns")})
    if (Dim < Part.Extents.size() && Limit(Name) &&
        Part.Bounds[Dim].value_or(Limit(Name) + 1) > Limit(Name)) {
      auto [Start, Length] = openPieces(Part.Extents[Dim], Limit(Name), Piece);
      Part.cut(Dim, Start, Length);
    }
  // In the order rows, row.
  if (Rows < Part.Extents.size() && Row < Rows) {
    for (auto *List : {&Part.Extents, &Part.To.Strides, &Part.From.Strides})
      std::swap((*List)[Row], (*List)[Rows]); // Bounds have served
    if (Part.isWindow())
      std::swap(Part.Window[Row], Part.Window[Rows]);
  }
  emitCommand(Part);
}

void TemplateEmitter::emitCommand(const CopyPart &Part) {
  const Expr One = intLit(1), Size = intLit(byteSize(Part.To.T->Element));
  const bool HasRows = Part.Extents.size() > 1;
  const Expr Columns = Part.Extents.empty() ? One : Part.Extents.back();
  Values V = {{"type", std::string(cxxName(Part.To.T->Element))},
              {"rows", HasRows ? text(Part.Extents.front()) : "1"},
              {"columns", text(Columns)},
              {"row_bytes", text(wide(Columns * Size))}};
  for (auto [Name, S] : {std::pair("to", &Part.To), std::pair("from", &Part.From)}) {
    const Expr Pitch = HasRows ? S->Strides.front() : Expr(intLit(0));
    if (std::string Why = misaligned(S->T, S->Offset, {Pitch}); !Why.empty()) {
      D.report(DiagID::CopyNotPossible, Part.Loc,
               Part.C->Reason.empty() ? "'" + S->T->Name + "'" : Part.C->Reason,
               Part.From.T->Memory, Part.To.T->Memory, P.Target->Name.Value, Why);
      return;
    }
    V[Name] = locationOf(S->T, S->Name, S->Offset);
    V[std::string(Name) + "_pitch"] = text(wide(Pitch * Size));
    V[std::string(Name) + "_stride"] = text(wide(Pitch));
  }
  if (!Part.isWindow())
    return emitTemplate(Part.Way->Call, V);
  const CopyPart::Inner Line = Part.Window.back();
  const CopyPart::Inner Lines = HasRows ? Part.Window.front() : CopyPart::Inner{intLit(0), One};
  const Expr AllRows = HasRows ? Part.Extents.front() : One;
  std::string Inside = text(wide(Lines.Inside)), Above = text(wide(Lines.Low));
  if (!Part.Within.empty()) {
    const std::string Here = Names.fresh("within");
    W.line("const bool " + Here + " = " + Part.Within + ";");
    Inside = "(" + Here + " ? " + Inside + " : 0)";
    Above = "(" + Here + " ? " + Above + " : " + text(wide(AllRows)) + ")";
  }
  V["rows"] = Inside;
  V["above"] = Above;
  V["below"] = text(wide(AllRows)) + " - (" + Above + ") - (" + Inside + ")";
  V["before"] = text(wide(Line.Low));
  V["columns"] = text(wide(Line.Inside));
  V["row_bytes"] = text(wide(Line.Inside * Size));
  V["after"] = text(wide(Columns - Line.Low - Line.Inside));
  V["value"] = text(Part.C->Src.Fill);
  emitTemplate(Part.Way->Border, V);
}

} // namespace septran::compiler
