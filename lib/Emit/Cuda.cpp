//===- Cuda.cpp - the host's side of generated CUDA C++ -------------------===//
//
// Host code holds device pointers and never looks behind them. Buffers in device memory are objects
// that release it; what the mapping leaves in the host's memory is copied as whole tensors.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"

#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/MemoryUse.h"
#include "Plan/PadFragments.h"
#include "Plan/ReshapedBuffers.h"
#include "Plan/ThreadGroups.h"

namespace septran::compiler {

CudaEmitter::CudaEmitter(const Program &P, Diagnostics &D)
    : CxxEmitter(P, D, "cuda"), Tensors(P.Body), Reshaped(reshapedRoots(P.Body, Tensors)) {
  for (const char *Word : {"cuda", "thread", "lane", "block", "Vectors", "shared_bytes"})
    Names.reserve(Word);
  for (const MemoryUse &U : memoryUse(P))
    for (const BufferUse &B : U.Buffers)
      if (B.Offset >= 0 && B.Amount && U.In->Capacity && !U.inRegisters())
        SharedBytes[B.T] = B.Offset + *B.Amount;
  walkStmts(P.Body, [this](const Stmt &S) {
    if (const auto *A = S.getIf<Alloc>()) {
      Bounds[A->T] = A->Bounds;
      Parts[A->T] = A->Parts;
      if (A->Padded)
        IsPadded.insert(A->T);
      if (isFull(*A))
        AllFull.insert(A->T);
    } else if (const auto *St = S.getIf<Store>()) {
      Stored.insert(Tensors.root(St->T));
    } else if (const auto *C = S.getIf<PrimitiveCall>()) {
      for (const PrimitiveCall::Operand &O : C->Operands)
        if (O.isTensor() && O.Written)
          Stored.insert(Tensors.root(O.Tensor.Base));
    }
  });
}

bool CudaEmitter::isOnHost(const TensorRef &T) const {
  return isHostMemory(T->Memory, *P.Target);
}

/// A window's element, or its fill value where it reaches outside; the element of any other tensor.
CxxText CudaEmitter::elementOf(const Expr &Load) const {
  bool Window = false;
  for (auto It = Aliases.find(Load->T); It != Aliases.end(); It = Aliases.find(It->second.Base))
    Window |= It->second.Fill != nullptr;
  if (Window) {
    const View V = explicitView(Aliases.at(Load->T));
    std::vector<Expr> At = baseIndices(V, Load->Args);
    CxxText Inner = elementOf(load(V.Base, At));
    if (!V.Fill)
      return Inner;
    const std::string Inside = insideText(V, At);
    if (Inside.empty())
      return Inner;
    return {Inside + " ? " + Inner.in(Binding::Or) + " : " + std::string(cxxName(V.Base->Element)) +
                "(" + text(V.Fill) + ")",
            Binding::Ternary, Load->Type};
  }
  const Storage &S = storageFor(Load->T);
  return {S.IsTile ? registerText(S, Load->T, Load->Args) : elementText(S, Load->Args)};
}

std::string CudaEmitter::insideText(const View &V, const std::vector<Expr> &At) const {
  std::string Text;
  const Storage &Base = storageFor(V.Base);
  for (size_t Dim = 0; Dim < At.size(); ++Dim) {
    const Slice &S = V.Slices[Dim];
    if (isConstant(S.Offset, 0) && equal(wide(S.Extent), wide(Base.Extents[Dim])))
      continue;
    const std::string Index = print(wide(At[Dim])).in(Binding::Shift);
    Text = both(Text, Index + " >= 0 && " + Index + " < " + boundText(Base.Extents[Dim]));
  }
  return Text;
}

std::string CudaEmitter::rootOrigin(const TensorRef &T, unsigned Dim) const {
  auto It = Origins.find(T);
  return It == Origins.end() ? "0" : It->second[Dim];
}

void CudaEmitter::declarePointer(const std::string &Name, const TensorRef &T, bool Const) {
  Pointers[Name] = (Const ? "const " : "") + std::string(cxxName(T->Element)) + " *";
}

void CudaEmitter::emitParameters() {
  nameParameters();
  for (const Parameter &Param : P.Params) {
    if (!Param.isTensor() || !UsedTensors.count(Param.Tensor))
      continue;
    const TensorRef &T = Param.Tensor;
    defineParameter(Param, Param.Name, false);
    declarePointer(storageFor(T).Name, T, !writes(Param.Access));
    for (unsigned Dim = 0; Dim < T->Rank; ++Dim) { // names, because kernels take them
      const std::string Number = std::to_string(Dim);
      Origins[T].push_back(Names.name(
          defineSize(Param.Name + "_o" + Number, Param.Name + ".origin(" + Number + ")")));
    }
  }
}

CudaEmitter::Text CudaEmitter::emit() {
  findUses();
  emitParameters();
  emitBlock(P.Body);
  return {Kernels, "namespace cuda = septran::cuda;\n" + dropUnusedDefinitions(W.text())};
}

//===--- statements ---------------------------------------------------------------===//

void CudaEmitter::emitStmt(const Stmt &S) {
  if (!InKernel && isKernel(S, *P.Target)) {
    emitKernel(S);
    return;
  }
  if (InKernel && G.InLeaf && !S.getIf<Define>() && !S.getIf<Scope>()) {
    emitLeafStmt(S);
    return;
  }
  if (const auto *F = S.getIf<For>())
    InKernel && !F->Spread.empty() ? emitInnerLoop(*F) : emitHostLoop(*F);
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
    emitScope(*Sc, S.Loc);
  else if (const auto *A = S.getIf<Alloc>())
    InKernel ? emitKernelAlloc(*A, S.Loc) : emitHostAlloc(*A, S.Loc);
  else if (const auto *C = S.getIf<CopyStmt>())
    InKernel ? emitGroupCopy(*C, S.Loc) : emitHostCopy(*C, S.Loc);
  else if (const auto *O = S.getIf<OpaqueCall>())
    emitOpaqueCall(*O, S.Loc);
  else if (const auto *B = S.getIf<Barrier>())
    emitBarrier(*B);
  else if (const auto *St = S.getIf<Stage>())
    emitStage(*St);
  else
    reportInKernel(S.Loc, "a primitive", "a leaf without a binding", D);
}

void CudaEmitter::emitScope(const Scope &S, const Location &Loc) {
  const bool IsLeaf = S.Instance->Task->Kind == FunctionKind::Leaf;
  if (!InKernel && IsLeaf)
    checkHostLeaf(S, Loc);
  if (InKernel && S.Instance->Depth > G.Depth) {
    emitInnerScope(S, Loc);
    return;
  }
  const Group Outer = G;
  G.InLeaf = InKernel && IsLeaf;
  CxxEmitter::emitScope(S);
  G = Outer;
}

void CudaEmitter::emitScopeBody(const Block &B) { G.InLeaf ? emitLeafBlock(B) : emitBlock(B); }

void CudaEmitter::checkHostLeaf(const Scope &S, const Location &Loc) {
  std::set<TensorRef> Said;
  for (const Access &A : accessesOf(S.Body))
    if (!isOnHost(Tensors.root(A.T)) && Said.insert(A.T).second)
      D.report(DiagID::MemoryUnreachable, S.Instance->Settings ? S.Instance->where() : Loc,
               S.Instance->Proc, A.Write ? 1 : 0, A.T->Memory, A.T->Name);
}

void CudaEmitter::emitView(const Define &Def, const Location &Loc) {
  auto Base = Stores.find(Def.Value.Base);
  if (Base != Stores.end() && Base->second.IsTile) {
    reportInKernel(Loc, "a part of '" + Def.Value.Base->Name + "', which lies in registers",
                   "the whole tensor", D);
    Stores[Def.T] = Base->second;
    return;
  }
  const std::string Before = Base == Stores.end() ? "" : Base->second.Name;
  emitDefine(Def, Loc);
  auto Now = Stores.find(Def.T);
  if (!InKernel && Now != Stores.end() && Now->second.Name != Before)
    Pointers[Now->second.Name] = Pointers[Before];
}

void CudaEmitter::emitHostLoop(const For &F) {
  std::string Lo = text(wide(F.Lo)), Hi = boundText(F.Hi);
  std::string V = Names.define(F.V);
  std::string Step = F.Step == 1 ? "++" + V : V + " += " + std::to_string(F.Step);
  if (F.Exec == LoopExec::Unrolled)
    W.line("#pragma unroll");
  W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
  emitBlock(F.Body);
  W.close();
}

void CudaEmitter::emitHostAlloc(const Alloc &A, const Location &Loc) {
  Storage S = bufferStorage(A);
  const std::string Element(cxxName(A.T->Element)), Buffer = Names.fresh(S.Name + "_buffer");
  const std::string Size = text(S.Size);
  const bool Host = isOnHost(A.T);
  W.comment(A.Reason + ", " + toString(*A.Layout) + " (" + place(Loc) + ")");
  W.line((Host ? "std::vector<" : "cuda::device_buffer<") + Element + "> " + Buffer +
         "(static_cast<std::size_t>(" + Size + "));");
  W.line(Element + " *const " + S.Name + " = " + Buffer + ".data();");
  declarePointer(S.Name, A.T, false);
  Stores[A.T] = std::move(S);
}

void CudaEmitter::emitHostCopy(const CopyStmt &C, const Location &Loc) {
  const bool FromHost = isOnHost(C.Src.Base), ToHost = isOnHost(C.Dst.Base);
  W.comment("copy " + C.Dst.Base->Name + " <- " + C.Src.Base->Name + ": " + C.Reason + " (" +
            place(Loc) + ")");
  const std::string To = tensorText(C.Dst, true), From = tensorText(C.Src, false);
  if (C.Src.Fill || To.empty() || From.empty() || FromHost == ToHost) {
    reportInKernel(Loc,
                   "a copy from " + C.Src.Base->Memory + " to " + C.Dst.Base->Memory + " of " +
                       C.Reason + " outside of kernels",
                   "the argument placed by an instance inside", D);
    return;
  }
  const std::string Types =
      "<" + std::string(cxxName(C.Dst.Base->Element)) + ", " + std::to_string(C.Dst.rank()) + ">";
  W.line((ToHost ? "cuda::copy_tensor_to_host" : "cuda::copy_tensor_to_device") + Types + "(" + To +
         ", " + From + ");");
}

void CudaEmitter::emitOpaqueCall(const OpaqueCall &C, const Location &Loc) {
  if (InKernel) {
    reportInKernel(Loc, "leaf '" + C.Callee->Name + "', which is opaque", "an instance on HOST", D);
    return;
  }
  for (size_t I = 0; I < C.Args.size(); ++I) {
    if (!C.Args[I].isTensor())
      continue;
    const Parameter &Param = C.Callee->Params[I];
    const TensorRef &Base = C.Args[I].Tensor.Base;
    if (!isOnHost(Tensors.root(Base)))
      D.report(DiagID::MemoryUnreachable, Loc, P.Target->Processors.front().Name.Value,
               writes(Param.Access) ? 1 : 0, Base->Memory, Param.Name);
  }
  CxxEmitter::emitOpaqueCall(C);
}

} // namespace septran::compiler
