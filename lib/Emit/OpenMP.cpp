//===- OpenMP.cpp - the frame of generated OpenMP C++ ---------------------===//
#include "Emit/DropUnused.h"
#include "Emit/OpenMPEmitter.h"
#include "IR/Rewrite.h"
#include "Support/Template.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

ScalarType laneType(ScalarType T) { return isSmallFloat(T) ? ScalarType::F32 : T; }

OpenMPEmitter::OpenMPEmitter(const Program &P, Diagnostics &D) : CxxEmitter(P, D, "cpu") {}

//===--- text -----------------------------------------------------------------===//

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

CxxText OpenMPEmitter::elementOf(const Expr &Load) const {
  const Storage &S = storageFor(Load->T);
  return {S.IsTile ? tileElement(S, Load->Args) : elementText(S, clamped(Load->Args))};
}

std::string OpenMPEmitter::rootOrigin(const TensorRef &T, unsigned Dim) const {
  auto Param = ParameterNames.find(T);
  return Param == ParameterNames.end() ? "0"
                                       : Param->second + ".origin(" + std::to_string(Dim) + ")";
}

//===--- the frame --------------------------------------------------------------===//

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
      W.line(std::string(MaybeUnused) + "const cpu::unit_stride " + Object + "(" + Param.Name +
             ", cpu::privilege::" + Mode + ");");
      Object += ".tensor()";
    }
    S.Name = Names.fresh(Param.Name + "_p");
    std::string Element(cxxName(T->Element));
    W.line(MaybeUnused + std::string(writes(Param.Access) ? "" : "const ") + Element + " *const " +
           S.Name + " = " + Object + ".data();");
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
  std::string Types;
  for (const auto &[Alias, Type] : VectorTypes)
    Types += std::string(MaybeUnused) + "using " + Alias + " = " + Type + ";\n";
  const std::string Body = dropUnusedDefinitions(Types + W.text());
  std::string Head = "namespace cpu = septran::cpu;\n";
  // The signature is the user's. What it gives may be needed by the plain text only.
  for (const Parameter &Param : P.Params)
    if (!Param.Name.empty() && !mentions(Body, Param.Name))
      Head += "static_cast<void>(" + Param.Name + "); // not needed\n";
  return Head + Body;
}

//===--- statements ---------------------------------------------------------------===//

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
    S.Panels.push_back({Split, Split ? wide(A.Layout->panelStrideOf(Dim, S.Extents)) : nullptr});
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
