//===- OpenMP.cpp - the frame of generated OpenMP C++ ---------------------===//
#include "Emit/DropUnused.h"
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Support/Template.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

ScalarType laneType(ScalarType T) { return isSmallFloat(T) ? ScalarType::F32 : T; }

OpenMPEmitter::OpenMPEmitter(const Program &P, Diagnostics &D)
    : P(P), D(D), Printer(Names, [this](const Expr &E) { return resolveTensor(E); }) {}

//===--- text -----------------------------------------------------------------===//

std::string OpenMPEmitter::place(const Location &Loc) {
  std::string File = Loc.File.str();
  size_t Slash = File.find_last_of('/');
  if (Slash != std::string::npos)
    File = File.substr(Slash + 1);
  return File + ":" + std::to_string(Loc.Line);
}

std::string OpenMPEmitter::addressText(const std::string &Pointer, const Expr &Offset) const {
  Expr Simple = wide(Offset);
  if (isConstant(Simple, 0))
    return Pointer;
  return Pointer + " + " + print(Simple).in(Binding::Sum);
}

std::string OpenMPEmitter::elementText(const Storage &S, const std::vector<Expr> &Indices) const {
  return S.Name + "[" + text(wide(S.offsetOf(Indices))) + "]";
}

std::string OpenMPEmitter::tileElement(const Storage &S, const std::vector<Expr> &Indices) const {
  std::string Text = S.Name;
  for (size_t Dim = 0; Dim < Indices.size(); ++Dim)
    if (int(Dim) != S.LaneDim)
      Text += "[" + text(Indices[Dim]) + "]";
  if (S.LaneDim < 0)
    return Text;
  const Expr &Lane = Indices[S.LaneDim];
  if (std::optional<std::int64_t> C = constantValue(Lane))
    return Text + "[" + std::to_string(*C / S.Width) + "][" + std::to_string(*C % S.Width) + "]";
  std::string Width = std::to_string(S.Width);
  return Text + "[" + print(Lane).in(Binding::Product) + " / " + Width + "][" +
         print(Lane).in(Binding::Product) + " % " + Width + "]";
}

CxxText OpenMPEmitter::resolveTensor(const Expr &E) const {
  if (E->Kind == ExprKind::Load) {
    const Storage &S = storageFor(E->T);
    std::string Text = S.IsTile ? tileElement(S, E->Args) : elementText(S, clamped(E->Args));
    return {Text};
  }
  if (E->Kind == ExprKind::Extent)
    return print(storageFor(E->T).Extents[E->Dim]);
  auto Alias = Aliases.find(E->T);
  if (Alias != Aliases.end())
    return print(wide(Alias->second.origin(E->Dim)));
  auto Param = ParameterNames.find(E->T);
  if (Param != ParameterNames.end())
    return {Param->second + ".origin(" + std::to_string(E->Dim) + ")"};
  return {"0"};
}

namespace {

/// The operations of clipped extents and block counts.
bool isClip(const Expr &E) {
  return E->Kind == ExprKind::Binary && isInteger(E->Type) &&
         (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::CeilDiv);
}

} // namespace

/// Outer values first: what is inside them may have a name too.
Expr OpenMPEmitter::named(const Expr &E) const {
  if (NamedValues.empty())
    return E;
  if (isClip(E)) {
    Expr Canonical = simplify(E);
    for (const auto &[Value, Name] : NamedValues)
      if (equal(Value, Canonical))
        return varExpr(Name);
  }
  std::vector<Expr> Args;
  bool Changed = false;
  for (const Expr &A : E->Args) {
    Args.push_back(named(A));
    Changed |= Args.back() != A;
  }
  return Changed ? withOperands(E, Args) : E;
}

void OpenMPEmitter::nameExtents(const Block &B) {
  struct Candidate {
    Expr Value;
    unsigned Count;
    std::string Hint;
    size_t Size;     ///< of the text
    size_t Position; ///< in textual order
  };
  std::vector<Candidate> Found;
  auto Computable = [this](const Expr &E) {
    bool Good = true;
    walkExprs(E, [&](const Expr &N) {
      if (N->Kind == ExprKind::Var)
        Good &= Names.known(N->V);
      else if (N->T)
        Good &= N->Kind == ExprKind::Extent && Stores.count(N->T) != 0;
    });
    return Good;
  };
  auto Add = [&](const Expr &E, const std::string &Hint) {
    if (!isClip(E) || !Computable(E))
      return;
    Expr Value = simplify(E);
    if (!isClip(Value))
      return;
    for (Candidate &C : Found)
      if (equal(C.Value, Value)) {
        ++C.Count;
        if (C.Hint.empty())
          C.Hint = Hint;
        return;
      }
    Found.push_back({Value, 1, Hint, toString(Value).size(), Found.size()});
  };
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Alloc>())
      for (size_t Dim = 0; Dim < A->Extents.size(); ++Dim)
        Add(A->Extents[Dim], A->T->Name + "_n" + std::to_string(Dim));
  });
  walkStmts(B, [&](const Stmt &S) {
    // Of a view only the extents that are asked for are printed.
    if (const auto *Def = S.getIf<Define>()) {
      for (unsigned Dim = 0; Dim < Def->T->Rank; ++Dim)
        if (UsedExtents.count({Def->T, Dim}))
          Add(Def->Value.extent(Dim), "");
      return;
    }
    forEachExpr(S, [&](const Expr &E) { walkExprs(E, [&](const Expr &N) { Add(N, ""); }); });
  });
  std::sort(Found.begin(), Found.end(), [](const Candidate &A, const Candidate &B) {
    return A.Size != B.Size ? A.Size < B.Size : A.Position < B.Position; // inner values first
  });
  for (const Candidate &C : Found) {
    bool Known = std::any_of(NamedValues.begin(), NamedValues.end(),
                             [&](const auto &N) { return equal(N.first, C.Value); });
    if (C.Count < 2 || Known)
      continue;
    VarRef V = makeVar(C.Hint.empty() ? "n" : C.Hint, ScalarType::I64, VarKind::Scalar);
    std::string Value = text(C.Value);
    W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(V) + " = " + Value +
           ";");
    NamedValues.push_back({C.Value, V});
  }
}

//===--- the frame --------------------------------------------------------------===//

void OpenMPEmitter::findUses() {
  walkExprs(P.Body, [this](const Expr &E) {
    if (E->Kind == ExprKind::Extent)
      UsedExtents.insert({E->T, E->Dim});
    if (E->T)
      UsedTensors.insert(E->T);
  });
  walkStmts(P.Body, [this](const Stmt &S) {
    forEachView(S, [this](const View &V) { UsedTensors.insert(V.Base); });
    if (const auto *St = S.getIf<Store>())
      UsedTensors.insert(St->T);
    if (const auto *F = S.getIf<For>())
      for (const SharedReduction &R : F->Reductions)
        UsedTensors.insert(R.Target);
  });
}

void OpenMPEmitter::emitParameters() {
  for (const Parameter &Param : P.Params) {
    if (!Param.isTensor()) {
      Names.bind(Param.Scalar, Param.Name);
      continue;
    }
    Names.reserve(Param.Name);
    ParameterNames[Param.Tensor] = Param.Name;
  }
  for (const Parameter &Param : P.Params) {
    if (!Param.isTensor() || !UsedTensors.count(Param.Tensor))
      continue;
    const TensorRef &T = Param.Tensor;
    Storage S;
    std::string Object = Param.Name;
    if (T->Rank > 0) {
      // Lanes need neighbours in memory: a tensor with another last stride is worked on in a copy.
      Object = Names.fresh(Param.Name + "_unit");
      const char *Mode = !writes(Param.Access) ? "read" : "read_write";
      W.line("const cpu::unit_stride " + Object + "(" + Param.Name + ", cpu::privilege::" + Mode +
             ");");
      Object += ".tensor()";
    }
    S.Name = Names.fresh(Param.Name + "_p");
    std::string Element(cxxName(T->Element));
    W.line((writes(Param.Access) ? "" : "const ") + Element + " *const " + S.Name + " = " + Object +
           ".data();");
    for (unsigned Dim = 0; Dim < T->Rank; ++Dim) {
      VarRef N = makeVar(Param.Name + "_n" + std::to_string(Dim), ScalarType::I64, VarKind::Scalar);
      W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(N) + " = " +
             Param.Name + ".extent(" + std::to_string(Dim) + ");");
      S.Extents.push_back(varExpr(N));
      if (Dim + 1 == T->Rank) {
        S.Strides.push_back(intLit(1));
        continue;
      }
      VarRef Stride =
          makeVar(Param.Name + "_s" + std::to_string(Dim), ScalarType::I64, VarKind::Scalar);
      W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(Stride) + " = " +
             Object + ".stride(" + std::to_string(Dim) + ");");
      S.Strides.push_back(varExpr(Stride));
    }
    Stores[T] = std::move(S);
  }
}

std::string OpenMPEmitter::emitBody() {
  findUses();
  emitParameters();
  emitBlock(P.Body);
  std::string Head = "namespace cpu = septran::cpu;\n";
  for (const auto &[Alias, Type] : VectorTypes)
    Head += "using " + Alias + " = " + Type + ";\n";
  return Head + dropUnusedDefinitions(W.text());
}

//===--- statements ---------------------------------------------------------------===//

void OpenMPEmitter::emitBlock(const Block &B) {
  size_t Known = NamedValues.size();
  nameExtents(B);
  for (const Stmt &S : B)
    emitStmt(S);
  NamedValues.erase(NamedValues.begin() + std::ptrdiff_t(Known), NamedValues.end());
}

void OpenMPEmitter::emitStmt(const Stmt &S) {
  if (const auto *F = S.getIf<For>())
    emitLoop(*F);
  else if (const auto *I = S.getIf<If>())
    emitIf(*I);
  else if (const auto *L = S.getIf<Let>())
    emitLet(*L);
  else if (const auto *A = S.getIf<Assign>())
    emitAssign(*A);
  else if (const auto *St = S.getIf<Store>())
    emitStore(*St);
  else if (const auto *Def = S.getIf<Define>())
    emitDefine(*Def, S.Loc);
  else if (const auto *Sc = S.getIf<Scope>())
    emitScope(*Sc);
  else if (const auto *A = S.getIf<Alloc>())
    emitAlloc(*A, S.Loc);
  else if (const auto *C = S.getIf<CopyStmt>())
    emitCopy(*C, S.Loc);
  else if (const auto *O = S.getIf<OpaqueCall>())
    emitOpaqueCall(*O);
  else if (const auto *Prim = S.getIf<PrimitiveCall>())
    emitPrimitiveCall(*Prim, S.Loc);
}

std::string OpenMPEmitter::instanceComment(const InstanceInfo &I) const {
  std::string Text = I.Name;
  if (I.Name != I.Task->Name)
    Text += ": " + I.Task->Name;
  Text += " on " + I.Proc + " (" + place(I.CallLoc);
  if (I.Settings)
    Text += ", " + place(I.Settings->Name.Loc);
  return Text + ")";
}

void OpenMPEmitter::emitScope(const Scope &S) {
  bool Holds = std::any_of(S.Body.begin(), S.Body.end(), [](const Stmt &St) {
    return St.getIf<Alloc>() != nullptr; // buffers end with their block
  });
  W.comment(instanceComment(*S.Instance));
  if (Holds)
    W.open("");
  Instances.push_back(S.Instance.get());
  std::vector<LeafPrefetch> Outer = std::exchange(Prefetches, leafPrefetches(S));
  emitBlock(S.Body);
  Prefetches = std::move(Outer);
  Instances.pop_back();
  if (Holds)
    W.close();
}

void OpenMPEmitter::emitLet(const Let &L) {
  std::string Value = L.Value ? " = " + text(L.Value) : "";
  std::string Type =
      L.V->Type == ScalarType::I64 ? "std::ptrdiff_t" : std::string(cxxName(L.V->Type));
  std::string Name = Names.define(L.V);
  W.line(MaybeUnused + std::string(L.Mutable || !L.Value ? "" : "const ") + Type + " " + Name +
         Value + ";");
}

void OpenMPEmitter::emitIf(const If &I) {
  W.open("if (" + text(I.Condition) + ")");
  emitBlock(I.Then);
  if (!I.Else.empty()) {
    W.close(" else {", true);
    emitBlock(I.Else);
  }
  W.close();
}

void OpenMPEmitter::defineExtents(const TensorRef &T, Storage &S) {
  for (unsigned Dim = 0; Dim < S.Extents.size(); ++Dim) {
    S.Extents[Dim] = wide(S.Extents[Dim]);
    const Expr &E = S.Extents[Dim];
    if (!UsedExtents.count({T, Dim}) || constantValue(E) || E->Kind == ExprKind::Var)
      continue;
    VarRef V = makeVar(T->Name + "_n" + std::to_string(Dim), ScalarType::I64, VarKind::Scalar);
    std::string Value = text(E);
    if (Value.find_first_of(" (") == std::string::npos)
      continue; // it has a name already
    W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(V) + " = " + Value +
           ";");
    S.Extents[Dim] = varExpr(V);
  }
}

void OpenMPEmitter::emitDefine(const Define &Def, const Location &Loc) {
  Aliases[Def.T] = Def.Value;
  if (!UsedTensors.count(Def.T))
    return;
  const Storage &Base = storageFor(Def.Value.Base);
  std::optional<ViewStorage> V = storageOf(Def.Value, Base);
  if (!V) {
    D.report(DiagID::ViewCutsPanels, Loc, Def.T->Name, Def.Value.Base->Name);
    Stores[Def.T] = Base; // What follows is emitted only to find further errors.
    return;
  }
  Expr Offset = wide(V->Offset);
  if (!isConstant(Offset, 0)) {
    V->S.Name = Names.fresh(Def.T->Name + "_p");
    W.line(MaybeUnused + ("auto *const " + V->S.Name) + " = " + addressText(Base.Name, Offset) +
           ";");
  }
  defineExtents(Def.T, V->S);
  Stores[Def.T] = std::move(V->S);
}

void OpenMPEmitter::emitAlloc(const Alloc &A, const Location &Loc) {
  Storage S;
  S.Extents = A.Extents;
  defineExtents(A.T, S);
  S.Name = Names.fresh(A.T->Name);
  const Memory *M = P.Target->findMemory(A.Memory);
  std::string Element(cxxName(A.T->Element));
  if (M && M->Registers) {
    S.IsTile = true;
    S.Bounds = A.Bounds;
    const LayoutMode &Inner = A.Layout->Modes.empty() ? LayoutMode{} : A.Layout->Modes.back();
    bool HasLanes = !A.Layout->Modes.empty() && Inner.P == LayoutMode::Part::Remainder;
    std::string Dims;
    for (unsigned Dim = 0; Dim < A.Bounds.size(); ++Dim)
      if (!HasLanes || Dim != Inner.Dim)
        Dims += "[" + std::to_string(A.Bounds[Dim]) + "]";
    std::string Type = Element;
    if (HasLanes) {
      S.LaneDim = int(Inner.Dim);
      S.Width = unsigned(Inner.Split);
      Dims += "[" + std::to_string((A.Bounds[Inner.Dim] + S.Width - 1) / S.Width) + "]";
      Type = vectorType(laneType(A.T->Element), S.Width);
    } else {
      BufferLayout Row = rowLayout(A.T->Rank);
      std::vector<Expr> Bounds;
      for (std::int64_t Bound : A.Bounds)
        Bounds.push_back(intLit(Bound));
      for (unsigned Dim = 0; Dim < A.T->Rank; ++Dim)
        S.Strides.push_back(wide(Row.strideOf(Dim, Bounds)));
    }
    W.line(Type + " " + S.Name + Dims + "; // " + A.Reason + " (" + place(Loc) + ")");
    Stores[A.T] = std::move(S);
    return;
  }
  for (unsigned Dim = 0; Dim < A.T->Rank; ++Dim) {
    S.Strides.push_back(wide(A.Layout->strideOf(Dim, S.Extents)));
    std::int64_t Split = A.Layout->splitOf(Dim);
    S.Panels.push_back(
        {Split, Split ? wide(A.Layout->panelStrideOf(Dim, S.Extents)) : nullptr});
  }
  std::string Buffer = Names.fresh(S.Name + "_buffer");
  std::string Note = A.Reason + ", " + toString(*A.Layout) + " (" + place(Loc) + ")";
  W.comment(Note);
  W.line("const cpu::scratch<" + Element + "> " + Buffer + "(" +
         text(wide(A.Layout->sizeOf(S.Extents))) + ");");
  W.line(Element + " *const " + S.Name + " = " + Buffer + ".data();");
  Stores[A.T] = std::move(S);
}

std::string OpenMPEmitter::tensorArgument(const View &V, const Parameter &Param) {
  std::optional<ViewStorage> VS = storageOf(V, storageFor(V.Base));
  std::string Text = "septran::tensor<" + std::string(writes(Param.Access) ? "" : "const ") +
                     std::string(cxxName(Param.Tensor->Element)) + ", " +
                     std::to_string(VS->S.Extents.size()) + ">(" +
                     addressText(VS->S.Name, VS->Offset) + ", {";
  for (const std::vector<Expr> *List : {&VS->S.Extents, &VS->S.Strides}) {
    for (size_t I = 0; I < List->size(); ++I)
      Text += (I ? ", " : "") + text(wide((*List)[I]));
    Text += List == &VS->S.Extents ? "}, {" : "}, {";
  }
  for (unsigned Dim = 0; Dim < VS->S.Extents.size(); ++Dim)
    Text += (Dim ? ", " : "") + text(wide(V.origin(Dim)));
  return Text + "})";
}

void OpenMPEmitter::emitOpaqueCall(const OpaqueCall &C) {
  std::string Text = C.Callee->CallName + "(";
  for (size_t I = 0; I < C.Args.size(); ++I) {
    Text += I ? ", " : "";
    const Parameter &Param = C.Callee->Params[I];
    Text += C.Args[I].isTensor() ? tensorArgument(C.Args[I].Tensor, Param) : text(C.Args[I].Scalar);
  }
  W.line(Text + ");");
}

/// The register of a tile that holds the view's first element: `acc[i][0]`.
std::string OpenMPEmitter::tileRegister(const View &V) const {
  const Storage &S = storageFor(V.Base);
  View Full = explicitView(V);
  std::string Text = S.Name, Lanes;
  for (size_t Dim = 0; Dim < Full.Slices.size(); ++Dim) {
    Expr Offset = wide(Full.Slices[Dim].Offset);
    if (int(Dim) == S.LaneDim)
      Lanes = "[" + text(wide(binary(BinaryOp::Div, Offset, intLit(S.Width)))) + "]";
    else
      Text += "[" + text(Offset) + "]";
  }
  return Text + Lanes;
}

/// Fills in the primitive's template; Plan/BindPrimitive.h says what the placeholders stand for.
void OpenMPEmitter::emitPrimitiveCall(const PrimitiveCall &C, const Location &Loc) {
  const Primitive *Prim = P.Target->findPrimitive(C.Primitive);
  std::map<std::string, std::string> Values;
  for (const PrimitiveCall::Operand &Op : C.Operands) {
    if (!Op.isTensor()) {
      Values[Op.Name] = text(Op.Scalar);
      continue;
    }
    for (unsigned Dim = 0; Dim < Op.Tensor.rank(); ++Dim)
      Values[Op.Name + ".extent" + std::to_string(Dim)] = text(wide(Op.Tensor.extent(Dim)));
    const Storage &Base = storageFor(Op.Tensor.Base);
    if (Base.IsTile) {
      Values[Op.Name] = tileRegister(Op.Tensor);
      continue;
    }
    std::optional<ViewStorage> V = storageOf(Op.Tensor, Base);
    if (!V) {
      D.report(DiagID::ViewCutsPanels, Loc, Op.Name, Op.Tensor.Base->Name);
      return;
    }
    Values[Op.Name] = addressText(V->S.Name, V->Offset);
    for (size_t Dim = 0; Dim < V->S.Strides.size(); ++Dim) {
      std::string Number = std::to_string(Dim);
      Values[Op.Name + ".stride" + Number] = text(wide(V->S.Strides[Dim]));
      if (Dim < V->S.Panels.size() && V->S.Panels[Dim].Width)
        Values[Op.Name + ".panel_stride" + Number] = text(wide(V->S.Panels[Dim].Stride));
    }
  }
  for (const auto &[Name, Value] : C.Sizes)
    Values[Name] = text(wide(Value));
  if (std::optional<std::string> Text = expandTemplate(Prim->Emit, Values, D)) {
    while (Text->ends_with('\n'))
      Text->pop_back();
    W.line(*Text);
  }
}

} // namespace septran::compiler
