//===- TemplateEmitter.cpp - the frame of code written by templates -------===//
#include "Emit/TemplateEmitter.h"

#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/OperandLayout.h"
#include "Support/Template.h"

#include <algorithm>

namespace septran::compiler {

TemplateEmitter::TemplateEmitter(const Program &P, Diagnostics &D)
    : CxxEmitter(P, D, "cpu"), Tensors(P.Body), Sizes(P.Body) {
  walkStmts(P.Body, [&](const Stmt &S) {
    const auto *A = S.getIf<Alloc>();
    const Memory *M = A ? scratchpadOf(A->T) : nullptr;
    if (!M || A->Offset < 0)
      return;
    const std::int64_t Elements = constantValue(A->Layout->sizeOf(A->Extents)).value_or(0);
    const std::int64_t Align = M->Alignment.Value;
    const std::int64_t End = A->Offset + Elements * byteSize(A->T->Element);
    StaticEnd[M] = std::max(StaticEnd[M], (End + Align - 1) / Align * Align);
  });
}

std::string TemplateEmitter::emitBody() {
  findUses();
  emitParameters();
  emitBlock(P.Body);
  return "namespace cpu = septran::cpu;\n" + dropUnusedDefinitions(W.text());
}

//===--- templates ----------------------------------------------------------------===//

void TemplateEmitter::emitTemplate(const LocatedName &Template, const Values &V) {
  if (Template.Value.empty())
    return;
  std::optional<std::string> Text = expandTemplate(Template, V, D);
  if (!Text)
    return;
  while (Text->ends_with('\n'))
    Text->pop_back();
  W.line(*Text);
}

const Memory *TemplateEmitter::scratchpadOf(const TensorRef &T) const {
  const Memory *M = P.Target->findMemory(T->Memory);
  return M && !M->Address.Value.empty() ? M : nullptr;
}

std::string TemplateEmitter::locationOf(const TensorRef &T, const std::string &Base,
                                        const Expr &Offset) const {
  const Memory *M = scratchpadOf(T);
  Expr Elements = wide(Offset);
  if (!M || isConstant(Elements, 0))
    return addressText(Base, Elements);
  const Values V = {
      {"base", Base},
      {"type", std::string(cxxName(T->Element))},
      {"elements", print(Elements).in(Binding::Sum)},
      {"bytes", print(wide(Elements * intLit(byteSize(T->Element)))).in(Binding::Sum)}};
  return expandTemplate(M->Address, V, D).value_or(Base);
}

std::string TemplateEmitter::misaligned(const TensorRef &T, const Expr &Offset,
                                        const std::vector<Expr> &Strides) const {
  const Memory *M = scratchpadOf(T);
  const std::int64_t Size = byteSize(T->Element);
  if (!M || M->Granule.Value <= Size)
    return "";
  const std::int64_t Elements = M->Granule.Value / Size;
  std::vector<Expr> All = Strides;
  All.push_back(Offset);
  for (const Expr &E : All)
    if (!provablyMultiple(simplify(E), Elements, Tensors))
      return "its rows would start at " + toString(simplify(E)) +
             ", which is not known to be a multiple of " + std::to_string(Elements) +
             " elements, the granule of " + M->Name.Value;
  return "";
}

void TemplateEmitter::attach(const std::string &Name, const std::string &TensorText,
                             bool Writable) {
  emitTemplate(P.Target->Memories.front().Attach, {{"name", Names.fresh(Name)},
                                                   {"tensor", TensorText},
                                                   {"writable", Writable ? "true" : "false"}});
}

//===--- tensors --------------------------------------------------------------------===//

void TemplateEmitter::emitParameters() {
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
    const bool Writable = writes(Param.Access);
    Storage S;
    std::string Object = Param.Name;
    if (T->Rank > 0) {
      // Copies move rows: a tensor with another last stride is worked on in a copy.
      Object = Names.fresh(Param.Name + "_unit");
      W.line("const cpu::unit_stride " + Object + "(" + Param.Name +
             ", cpu::privilege::" + (Writable ? "read_write" : "read") + ");");
      Object += ".tensor()";
    }
    attach(Param.Name + "_object", Object, Writable);
    S.Name = Names.fresh(Param.Name + "_p");
    W.line(std::string(Writable ? "" : "const ") + std::string(cxxName(T->Element)) + " *const " +
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

void TemplateEmitter::emitAlloc(const Alloc &A, const Location &Loc) {
  Storage S;
  S.Extents = A.Extents;
  defineExtents(A.T, S);
  S.Name = Names.fresh(A.T->Name);
  for (unsigned Dim = 0; Dim < A.T->Rank; ++Dim) {
    S.Strides.push_back(wide(A.Layout->strideOf(Dim, S.Extents)));
    const std::int64_t Split = A.Layout->splitOf(Dim);
    S.Panels.push_back({Split, Split ? wide(A.Layout->panelStrideOf(Dim, S.Extents)) : nullptr});
  }
  const std::string Element(cxxName(A.T->Element));
  const Expr Size = wide(A.Layout->sizeOf(S.Extents));
  W.comment(A.Reason + ", " + toString(*A.Layout) + " (" + place(Loc) + ")");
  if (const Memory *M = scratchpadOf(A.T)) {
    const Expr Bytes = wide(Size * intLit(byteSize(A.T->Element)));
    const std::string Offset =
        A.Offset >= 0 ? std::to_string(A.Offset) : dynamicOffset(A, *M, Bytes);
    emitTemplate(M->Declare, {{"name", S.Name},
                              {"type", Element},
                              {"offset", Offset},
                              {"elements", text(Size)},
                              {"bytes", text(Bytes)}});
  } else {
    const std::string Buffer = Names.fresh(S.Name + "_buffer");
    W.line("const cpu::scratch<" + Element + "> " + Buffer + "(" + text(Size) + ");");
    W.line(Element + " *const " + S.Name + " = " + Buffer + ".data();");
    Stores[A.T] = std::move(S);
    attach(A.T->Name + "_object", tensorText(wholeView(A.T), A.T->Element, true), true);
    return;
  }
  Stores[A.T] = std::move(S);
}

std::string TemplateEmitter::dynamicOffset(const Alloc &A, const Memory &M, const Expr &Bytes) {
  auto Before = DynamicEnd.find(&M);
  const std::string Offset = Before != DynamicEnd.end() ? Before->second
                             : StaticEnd.count(&M) != 0 ? std::to_string(StaticEnd.at(&M))
                                                        : "0";
  const std::string End = Names.fresh(A.T->Name + "_end");
  W.line("const std::ptrdiff_t " + End + " = cpu::round_up(" + Offset + " + " +
         print(Bytes).in(Binding::Sum) + ", " + std::to_string(M.Alignment.Value) + ");");
  if (M.Capacity)
    W.line("if (" + End + " > " + std::to_string(M.Capacity->Value) +
           ")\n  throw std::length_error(\"" + M.Name.Value + " of " + P.Target->Name.Value +
           " has no room for " + A.Reason + "\");");
  DynamicEnd[&M] = End;
  return Offset;
}

void TemplateEmitter::emitView(const Define &Def, const Location &Loc) {
  if (!scratchpadOf(Def.T))
    return emitDefine(Def, Loc);
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
  const Expr Offset = wide(V->Offset);
  if (!isConstant(Offset, 0)) {
    V->S.Name = Names.fresh(Def.T->Name + "_p");
    W.line(MaybeUnused + ("const auto " + V->S.Name) + " = " +
           locationOf(Def.T, Base.Name, Offset) + ";");
  }
  defineExtents(Def.T, V->S);
  Stores[Def.T] = std::move(V->S);
}

//===--- statements -------------------------------------------------------------------===//

void TemplateEmitter::emitStmt(const Stmt &S) {
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
    emitView(*Def, S.Loc);
  else if (const auto *Sc = S.getIf<Scope>())
    emitScope(*Sc);
  else if (const auto *A = S.getIf<Alloc>())
    emitAlloc(*A, S.Loc);
  else if (const auto *C = S.getIf<CopyStmt>())
    emitCopy(*C, S.Loc);
  else if (const auto *Prim = S.getIf<PrimitiveCall>())
    emitPrimitiveCall(*Prim, S.Loc);
  else if (const auto *E = S.getIf<EngineEvent>())
    emitEvent(*E);
  else if (const auto *State = S.getIf<SetState>())
    emitTemplate(P.Target->findState(State->State)->Set, {});
  else if (const auto *O = S.getIf<OpaqueCall>())
    emitOpaqueCall(*O);
}

void TemplateEmitter::emitScope(const Scope &S) {
  const bool Holds = std::any_of(S.Body.begin(), S.Body.end(), [](const Stmt &St) {
    return St.getIf<Alloc>() != nullptr; // buffers end with their block
  });
  W.comment(instanceComment(*S.Instance));
  if (Holds)
    W.open("");
  Instances.push_back(S.Instance.get());
  const auto Ends = DynamicEnd;
  emitBlock(S.Body);
  DynamicEnd = Ends;
  Instances.pop_back();
  if (Holds)
    W.close();
}

void TemplateEmitter::emitEvent(const EngineEvent &E) {
  for (const std::string &Serves : E.Serves)
    W.comment(Serves);
  const Sync &Way = *P.Target->findSync(E.Sync);
  emitTemplate(E.IsWait ? Way.Wait : Way.Record,
               {{"from", E.From}, {"to", E.To}, {"event", E.Event ? text(E.Event) : "0"}});
}

std::string TemplateEmitter::tensorText(const View &V, ScalarType Element, bool Writable) const {
  std::optional<ViewStorage> VS = storageOf(V, storageFor(V.Base));
  if (!VS || VS->S.Extents.empty())
    return "septran::tensor<" + std::string(Writable ? "" : "const ") +
           std::string(cxxName(Element)) + ", 0>(" + storageFor(V.Base).Name + ", {}, {}, {})";
  std::string Text = "septran::tensor<" + std::string(Writable ? "" : "const ") +
                     std::string(cxxName(Element)) + ", " + std::to_string(VS->S.Extents.size()) +
                     ">(" + addressText(VS->S.Name, VS->Offset) + ", {";
  for (const std::vector<Expr> *List : {&VS->S.Extents, &VS->S.Strides}) {
    for (size_t I = 0; I < List->size(); ++I)
      Text += (I ? ", " : "") + text(wide((*List)[I]));
    Text += "}, {";
  }
  for (unsigned Dim = 0; Dim < VS->S.Extents.size(); ++Dim)
    Text += (Dim ? ", " : "") + text(wide(V.origin(Dim)));
  return Text + "})";
}

/// On the host; which processors cannot call functions is known before.
void TemplateEmitter::emitOpaqueCall(const OpaqueCall &C) {
  std::string Text = C.Callee->CallName + "(";
  for (size_t I = 0; I < C.Args.size(); ++I) {
    const Parameter &Param = C.Callee->Params[I];
    Text += I ? ", " : "";
    Text += C.Args[I].isTensor()
                ? tensorText(C.Args[I].Tensor, Param.Tensor->Element, writes(Param.Access))
                : text(C.Args[I].Scalar);
  }
  W.line(Text + ");");
}

//===--- elements ----------------------------------------------------------------------===//

CxxText TemplateEmitter::elementOf(const Expr &Load) const {
  const Storage &S = storageFor(Load->T);
  const Memory *M = scratchpadOf(Load->T);
  if (!M)
    return {elementText(S, Load->Args)};
  const Values V = {{"type", std::string(cxxName(Load->T->Element))},
                    {"address", locationOf(Load->T, S.Name, S.offsetOf(Load->Args))}};
  return {expandTemplate(M->Read, V, D).value_or("0")};
}

void TemplateEmitter::emitStore(const Store &S) {
  const Storage &To = storageFor(S.T);
  const Memory *M = scratchpadOf(S.T);
  const std::string Type(cxxName(S.T->Element));
  std::string Value = text(S.Value);
  if (!M) {
    if (S.Value->Type != S.T->Element && isSmallFloat(S.T->Element))
      Value = Type + "(" + Value + ")";
    const std::string Element = elementText(To, S.Indices);
    W.line(updateText(S.Op, Element, Value, scalarCombine(S.Op, Element, Value, S.T->Element)));
    return;
  }
  const std::string Old = text(load(S.T, S.Indices));
  Value = scalarCombine(S.Op, Old, Value, S.T->Element);
  if (S.Op != UpdateOp::Set || S.Value->Type != S.T->Element)
    Value = Type + "(" + Value + ")";
  emitTemplate(M->Write, {{"type", Type},
                          {"address", locationOf(S.T, To.Name, To.offsetOf(S.Indices))},
                          {"value", Value}});
}

void TemplateEmitter::emitAssign(const Assign &A) {
  const std::string &Target = Names.name(A.V);
  const std::string Value = text(A.Value);
  W.line(updateText(A.Op, Target, Value, scalarCombine(A.Op, Target, Value, A.V->Type)));
}

/// The caller's tensors have origins of their own.
std::string TemplateEmitter::rootOrigin(const TensorRef &T, unsigned Dim) const {
  auto Param = ParameterNames.find(T);
  return Param == ParameterNames.end() ? "0"
                                       : Param->second + ".origin(" + std::to_string(Dim) + ")";
}

//===--- primitives ---------------------------------------------------------------------===//

/// Fills in the primitive's template; Plan/BindPrimitive.h says what the placeholders stand for.
void TemplateEmitter::emitPrimitiveCall(const PrimitiveCall &C, const Location &Loc) {
  const Primitive *Prim = P.Target->findPrimitive(C.Primitive);
  Values V;
  for (const PrimitiveCall::Operand &Op : C.Operands) {
    if (!Op.isTensor()) {
      V[Op.Name] = text(Op.Scalar);
      continue;
    }
    const TensorRef &T = Op.Tensor.Base;
    std::optional<ViewStorage> Part = storageOf(Op.Tensor, storageFor(T));
    if (!Part) {
      D.report(DiagID::ViewCutsPanels, Loc, Op.Name, T->Name);
      return;
    }
    std::vector<Expr> Rows;
    for (size_t Dim = 0; Dim < Part->S.Strides.size(); ++Dim) {
      const std::string Number = std::to_string(Dim);
      const Expr Stride = wide(Part->S.Strides[Dim]);
      V[Op.Name + ".extent" + Number] =
          print(wide(Op.Tensor.extent(unsigned(Dim)))).in(Binding::Product);
      V[Op.Name + ".stride" + Number] = print(Stride).in(Binding::Product);
      if (Dim < Part->S.Panels.size() && Part->S.Panels[Dim].Width)
        V[Op.Name + ".panel_stride" + Number] =
            print(wide(Part->S.Panels[Dim].Stride)).in(Binding::Product);
      if (!isConstant(Stride, 1))
        Rows.push_back(Stride);
    }
    if (std::string Why = misaligned(T, Part->Offset, Rows); !Why.empty())
      D.report(DiagID::BindingMismatch, Loc,
               Instances.empty() ? P.Entry->Name : Instances.back()->Task->Name, C.Primitive,
               "operand '" + Op.Name + "' is '" + T->Name + "', and " + Why);
    V[Op.Name] = locationOf(T, Part->S.Name, Part->Offset);
  }
  for (const auto &[Name, Value] : C.Sizes)
    V[Name] = print(wide(Value)).in(Binding::Product);
  emitTemplate(Prim->Emit, V);
}

} // namespace septran::compiler
