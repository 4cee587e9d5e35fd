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
  // Offsets count from the start of a view that has a name; it has one of its own.
  for (const View *V = Tensors.definition(T); V; V = Tensors.definition(V->Base))
    if (std::optional<ViewStorage> Start = storageOf(*V, storageFor(V->Base)))
      All.push_back(Start->Offset);
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
  nameParameters();
  for (const Parameter &Param : P.Params) {
    if (!Param.isTensor() || !UsedTensors.count(Param.Tensor))
      continue;
    const std::string Object = unitStrideObject(Param); // copies move rows
    attach(Param.Name + "_object", Object, writes(Param.Access));
    defineParameter(Param, Object, true);
  }
}

void TemplateEmitter::emitAlloc(const Alloc &A, const Location &Loc) {
  Storage S = bufferStorage(A);
  const std::string Element(cxxName(A.T->Element));
  const Expr &Size = S.Size;
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
    Stores[A.T] = S;
    const std::string Whole = tensorText(wholeView(A.T), true);
    const std::string First = "septran::tensor<" + Element + ", 0>(" + S.Name + ", {}, {}, {})";
    attach(A.T->Name + "_object", Whole.empty() ? First : Whole, true);
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

std::string TemplateEmitter::placeDefinition(const std::string &Name, const TensorRef &T,
                                             const std::string &Base, const Expr &Offset) const {
  if (!scratchpadOf(T))
    return CxxEmitter::placeDefinition(Name, T, Base, Offset);
  return "const auto " + Name + " = " + locationOf(T, Base, Offset) + ";";
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
    emitDefine(*Def, S.Loc);
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
    emitOpaqueCall(*O); // on the host; which processors cannot call functions is known before
}

void TemplateEmitter::emitScope(const Scope &S) {
  const auto Ends = DynamicEnd;
  CxxEmitter::emitScope(S);
  DynamicEnd = Ends;
}

void TemplateEmitter::emitEvent(const EngineEvent &E) {
  for (const std::string &Serves : E.Serves)
    W.comment(Serves);
  const Sync &Way = *P.Target->findSync(E.Sync);
  emitTemplate(E.IsWait ? Way.Wait : Way.Record,
               {{"from", E.From}, {"to", E.To}, {"event", E.Event ? text(E.Event) : "0"}});
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
  if (!M)
    return CxxEmitter::emitStore(S);
  const std::string Type(cxxName(S.T->Element));
  const std::string Old = text(load(S.T, S.Indices));
  std::string Value = text(S.Value);
  Value = scalarCombine(S.Op, Old, Value, S.T->Element);
  if (S.Op != UpdateOp::Set || S.Value->Type != S.T->Element)
    Value = Type + "(" + Value + ")";
  emitTemplate(M->Write, {{"type", Type},
                          {"address", locationOf(S.T, To.Name, To.offsetOf(S.Indices))},
                          {"value", Value}});
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
