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
    : CxxEmitter(P, D, "cpu"), Tensors(P.Body) {
  walkStmts(P.Body, [this](const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      Ranges[F->V] = {F->Lo, F->Hi};
  });
}

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
  if (std::string OfRow = elementOfRow(Load); !OfRow.empty())
    return {OfRow};
  return {S.IsTile ? tileElement(S, Load->Args) : elementText(S, clamped(Load->Args))};
}

//===--- the frame --------------------------------------------------------------===//

void OpenMPEmitter::emitParameters() {
  nameParameters();
  // Lanes need neighbours in memory.
  for (const Parameter &Param : P.Params)
    if (Param.isTensor() && UsedTensors.count(Param.Tensor))
      defineParameter(Param, unitStrideObject(Param), true);
}

/// Arguments that are literals stand where they are used.
static void inlineLiterals(Block &B) {
  std::map<VarRef, Expr> Literals;
  walkStmts(B, [&](const Stmt &S) {
    const auto *L = S.getIf<Let>();
    if (L && !L->Mutable && L->Value && L->Value->Type == L->V->Type &&
        (L->Value->Kind == ExprKind::IntLit || L->Value->Kind == ExprKind::FloatLit))
      Literals[L->V] = L->Value;
  });
  rewriteExprs(B, [&](const Expr &N) -> Expr {
    auto Found = N->Kind == ExprKind::Var ? Literals.find(N->V) : Literals.end();
    return Found == Literals.end() ? nullptr : Found->second;
  });
}

std::string OpenMPEmitter::emitBody() {
  findUses();
  emitParameters();
  LanesName = Names.fresh("lanes");
  PartName = Names.fresh("part");
  Block Body = P.Body;
  inlineLiterals(Body);
  nameBlockSizes(Body);
  emitBlock(Body);
  std::string Types;
  for (const auto &[Alias, Type] : VectorTypes)
    Types += std::string(MaybeUnused) + "using " + Alias + " = " + Type + ";\n";
  const std::string Text = dropUnusedDefinitions(Types + W.text());
  std::string Head = "namespace cpu = septran::cpu;\n";
  // The signature is the user's. What it gives may be needed by the plain text only.
  const std::set<std::string_view> Mentioned = identifiersIn(Text);
  for (const Parameter &Param : P.Params)
    if (Param.IsNamed && !Mentioned.count(Param.Name))
      Head += "static_cast<void>(" + Param.Name + "); // not needed\n";
  return Head + Text;
}

//===--- statements ---------------------------------------------------------------===//

void OpenMPEmitter::emitStmt(const Stmt &S) {
  if (emitGuarded(S, [this](const Stmt &Inside) { emitStmt(Inside); }))
    return;
  if (const auto *F = S.getIf<For>())
    emitLoop(*F);
  else if (const auto *I = S.getIf<If>())
    BlockSizes.count(I) ? emitVersions(*I)
    : I->Fills          ? emitFill(*I)
    : I->ChoosesSizes   ? emitForSizes(*I)
                        : emitIf(*I);
  else if (const auto *L = S.getIf<Let>())
    emitLet(clampedLet(*L));
  else if (const auto *A = S.getIf<Assign>())
    emitAssign(*A);
  else if (const auto *St = S.getIf<Store>())
    emitStore(*St);
  else if (const auto *Def = S.getIf<Define>()) {
    emitDefine(*Def, S.Loc);
    if (Innermost && fetchesAtStart(*Innermost, Def->T, *P.Target, Tensors))
      emitPrefetchAtStart(Def->T);
  } else if (const auto *Sc = S.getIf<Scope>())
    emitScope(*Sc);
  else if (const auto *A = S.getIf<Alloc>())
    emitAlloc(*A, S.Loc);
  else if (const auto *C = S.getIf<CopyStmt>())
    emitCopy(*C, S.Loc);
  else if (const auto *O = S.getIf<OpaqueCall>())
    emitOpaqueCall(*O);
  else if (const auto *Prim = S.getIf<PrimitiveCall>())
    emitPrimitiveCall(*Prim, S.Loc);
  else if (const auto *State = S.getIf<SetState>()) {
    const LocatedName &Set = P.Target->findState(State->State)->Set;
    if (std::optional<std::string> Text = expandTemplate(Set, {}, D))
      W.line(*Text);
  }
}

void OpenMPEmitter::emitScope(const Scope &S) {
  std::vector<LeafPrefetch> Outer = std::exchange(Prefetches, leafPrefetches(S));
  auto OuterStreaming = std::exchange(Streaming, {});
  const Scope *Outside = std::exchange(Innermost, &S);
  findStreaming(S);
  const bool OuterShifts = std::exchange(Shifts, shiftsElements(S.Body));
  const bool OuterOnTile = std::exchange(OnTile, InParallel && !Shifts && worksOnTile(S.Body));
  CxxEmitter::emitScope(S);
  OnTile = OuterOnTile;
  Shifts = OuterShifts;
  if (!Streaming.empty() && !InParallel)
    W.line("cpu::stream_fence();");
  Prefetches = std::move(Outer);
  Streaming = std::move(OuterStreaming);
  Innermost = Outside;
}

TensorRef OpenMPEmitter::rootOf(const View &V) const {
  TensorRef T = V.Base;
  for (auto It = Aliases.find(T); It != Aliases.end(); It = Aliases.find(T))
    T = It->second.Base;
  return T;
}

/// Of a whole tensor.
Expr OpenMPEmitter::bytesOf(const TensorRef &Root) const {
  Expr Bytes = intLit(byteSize(Root->Element));
  for (const Expr &E : storageFor(Root).Extents)
    Bytes = wide(E) * Bytes;
  return Bytes;
}

/// How far rows of a tensor with neighbours along its last dimension lie apart.
static std::vector<Expr> rowStrides(const Storage &S) {
  std::vector<Expr> Result = S.Strides;
  if (!Result.empty())
    Result.pop_back();
  return Result;
}

void OpenMPEmitter::findStreaming(const Scope &S) {
  for (const LeafStores &L : leafStores(S)) {
    if (L.Last.empty())
      continue;
    std::string Condition;
    if (L.Kind == StoreKind::BySize) {
      const TensorRef Root = rootOf(L.Value);
      std::string Rows = text(wide(L.Value.extent(L.Value.rank() - 1)));
      for (const Expr &Apart : rowStrides(storageFor(Root)))
        Rows += ", " + text(wide(Apart));
      Condition = Names.fresh("past_" + L.Argument);
      W.line("const bool " + Condition + " = " + text(bytesOf(Root)) +
             " >= " + std::to_string(streamingBytes(*P.Target)) + " && cpu::fill_lines<" +
             std::string(cxxName(Root->Element)) + ">(" + Rows + ");");
    }
    for (const Store *Each : L.Last)
      Streaming[Each] = {Condition, Condition.empty()};
  }
}

OpenMPEmitter::PastCaches OpenMPEmitter::whenLarge() const {
  PastCaches First{"", true};
  for (const auto &[S, Past] : Streaming) {
    if (Past.Condition.empty())
      return {"", true};
    if (First.Condition.empty() || Past.Condition < First.Condition)
      First = Past;
  }
  return First;
}

/// Buffers of a known size up to this one are arrays on the stack, which compilers see through.
static constexpr std::int64_t MaxArrayBytes = 256;

/// Of the logic's own tensors, which loops with lanes walk: where less than a vector lies there, g++
/// 12 warns of code for whole vectors, which never runs.
static constexpr std::int64_t MinLocalArrayBytes = 64;

/// The elements of a buffer that becomes such an array; none if it does not.
std::optional<std::int64_t> OpenMPEmitter::arrayElements(const Alloc &A) const {
  const Memory *M = P.Target->findMemory(A.Memory);
  if (M && M->Registers)
    return std::nullopt;
  const auto Known = constantValue(simplify(A.Layout->sizeOf(A.Extents) + intLit(A.Slack)));
  const std::int64_t Bytes = Known ? *Known * byteSize(A.T->Element) : 0;
  const std::int64_t Least = A.T->Kind == TensorKind::Local ? MinLocalArrayBytes : 1;
  return Bytes >= Least && Bytes <= MaxArrayBytes ? Known : std::nullopt;
}

void OpenMPEmitter::emitAlloc(const Alloc &A, const Location &Loc) {
  const Memory *M = P.Target->findMemory(A.Memory);
  std::string Element(cxxName(A.T->Element));
  if (M && M->Registers) {
    Storage S;
    S.Extents = A.Extents;
    defineExtents(A.T, S);
    S.Name = Names.fresh(A.T->Name);
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
    Changing.push_back(S.Name);
    Stores[A.T] = std::move(S);
    return;
  }
  Storage S = bufferStorage(A);
  std::string Note = A.Reason + ", " + toString(*A.Layout) + " (" + place(Loc) + ")";
  W.comment(Note);
  if (const std::optional<std::int64_t> Elements = arrayElements(A); Elements && !A.KeptWith) {
    W.line("alignas(64) " + Element + " " + S.Name + "[" + std::to_string(*Elements) + "];");
    Changing.push_back(S.Name);
    Stores[A.T] = std::move(S);
    return;
  }
  nameStrides(A.T, S);
  const std::string Buffer = Names.fresh(S.Name + (A.KeptWith ? "_kept" : "_buffer"));
  const std::string Size = text(A.Slack ? wide(S.Size + intLit(A.Slack)) : S.Size);
  if (A.KeptWith) {
    const std::string Place = Names.fresh(S.Name + "_place");
    W.line("static char " + Place + ";");
    W.line("const cpu::kept<" + Element + "> " + Buffer + "(" + ParameterNames.at(A.KeptWith) + ", &" + Place +
           ", " + Size + ");");
    KeptBuffers[A.T] = Buffer;
  } else {
    W.line("const cpu::scratch<" + Element + "> " + Buffer + "(" + Size + ");");
  }
  W.line(Element + " *const " + S.Name + " = " + Buffer + ".data();");
  Stores[A.T] = std::move(S);
}

void OpenMPEmitter::emitFill(const If &I) {
  const std::string Filling = Names.fresh("filling");
  W.open("if (const auto " + Filling + " = " + KeptBuffers.at(I.Fills) + ".fill())");
  emitBlock(I.Then);
  W.close();
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
