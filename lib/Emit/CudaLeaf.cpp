//===- CudaLeaf.cpp - element code that threads share ---------------------===//
//
// A divided loop becomes loops over the register digits of its index; the other digits come from
// the thread's number. What lies beyond the end is left out by a condition. Where threads have to
// do something together inside, as combining partial results, all of them go through the text, and
// the condition moves to the statements that touch elements.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"
#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Distribute.h"
#include "Plan/Kernels.h"
#include "Plan/ThreadGroups.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace septran::compiler {

std::string CudaEmitter::both(const std::string &A, const std::string &B) {
  return A.empty() ? B : B.empty() ? A : A + " && " + B;
}

std::string CudaEmitter::leadText() const {
  if (G.Free == 0)
    return "";
  if (G.Free == G.All)
    return G.Thread + " == 0";
  return "(" + G.Thread + " & " + std::to_string(G.Free) + ") == 0";
}

std::string CudaEmitter::digitText(const Digit &Part) const {
  std::string Text = G.Thread;
  if (Part.Stride > 1)
    Text += " / " + std::to_string(Part.Stride);
  if (std::uint64_t(Part.Stride) * std::uint64_t(Part.Size) <= G.All)
    Text += " % " + std::to_string(Part.Size);
  return Text;
}

std::string CudaEmitter::registerText(const Storage &S, const TensorRef &T,
                                      const std::vector<Expr> &Indices) const {
  if (isFragment(T))
    return fragmentElement(S, T, Indices);
  std::string Text = S.Name;
  const std::vector<Digits> &Of = Parts.at(T);
  for (size_t Dim = 0; Dim < Indices.size(); ++Dim) {
    const Expr I = simplify(cast(ScalarType::I64, Indices[Dim]));
    auto Walked = I->Kind == ExprKind::Var ? Registers.find(I->V) : Registers.end();
    if (Walked != Registers.end()) {
      for (const std::string &Name : Walked->second)
        Text += "[" + Name + "]";
      continue;
    }
    bool HasRegisters = false;
    for (const Digit &D : Of[Dim])
      HasRegisters |= !D.isThread();
    if (HasRegisters)
      Text += "[" + text(I) + "]";
  }
  return Text;
}

//===--- blocks -----------------------------------------------------------------===//

void CudaEmitter::emitLeafBlock(const Block &B) {
  const std::string Lead = leadText();
  if (Lead.empty() || !isForOne(B, Tensors, *P.Target)) {
    emitBlock(B);
    return;
  }
  const Group Outer = G;
  W.open("if (" + both(G.Condition, Lead) + ")");
  G.Free = 0;
  G.Condition.clear();
  emitBlock(B);
  G = Outer;
  W.close();
}

void CudaEmitter::emitLeafStmt(const Stmt &S) {
  const bool IsCompound = S.getIf<For>() || S.getIf<If>();
  if (IsCompound && G.Free && isForOne(S, Tensors, *P.Target)) {
    const Group Outer = G;
    W.open("if (" + both(G.Condition, leadText()) + ")");
    G.Free = 0;
    G.Condition.clear();
    emitLeafStmt(S);
    G = Outer;
    W.close();
    return;
  }
  if (const auto *F = S.getIf<For>())
    F->Exec == LoopExec::Threads ? emitThreadsLoop(*F) : emitPlainLoop(*F);
  else if (const auto *I = S.getIf<If>())
    emitLeafIf(*I);
  else if (const auto *L = S.getIf<Let>())
    emitLeafLet(*L);
  else if (const auto *A = S.getIf<Assign>())
    emitLeafAssign(*A);
  else if (const auto *St = S.getIf<Store>())
    emitLeafStore(*St);
  else if (const auto *B = S.getIf<Barrier>())
    emitBarrier(*B);
  else if (const auto *C = S.getIf<PrimitiveCall>())
    emitPrimitiveCall(*C, S.Loc);
  else
    reportInKernel(S.Loc, "this part of a leaf", "element code", D);
}

//===--- loops ------------------------------------------------------------------===//

void CudaEmitter::emitPlainLoop(const For &F) {
  const Group Outer = G;
  const bool Wrapped = !G.Condition.empty() && !needsAllThreads(F.Body, Tensors);
  if (Wrapped) {
    W.open("if (" + G.Condition + ")");
    G.Condition.clear();
  }
  std::string Lo = text(wide(F.Lo)), Hi = boundText(F.Hi);
  std::string V = Names.define(F.V);
  std::string Step = F.Step == 1 ? "++" + V : V + " += " + std::to_string(F.Step);
  W.open("for (std::ptrdiff_t " + V + " = " + Lo + "; " + V + " < " + Hi + "; " + Step + ")");
  emitLeafBlock(F.Body);
  W.close();
  if (Wrapped)
    W.close();
  G = Outer;
}

/// True if every thread walks the loop's whole length, by the number of threads that share it.
static bool isThreadStride(const For &F) {
  if (F.Parts.empty() || F.Parts.back().isThread() || F.Parts.back().Size != 0)
    return false;
  return std::all_of(F.Parts.begin(), std::prev(F.Parts.end()),
                     [](const Digit &Part) { return Part.isThread(); });
}

void CudaEmitter::emitThreadsLoop(const For &F) {
  const Group Outer = G;
  unsigned Open = 0;
  const bool Combines = combinesThreads(F, Tensors);
  if (Combines)
    openSums(F);
  if (!G.Condition.empty() && !needsAllThreads(F.Body, Tensors)) {
    W.open("if (" + G.Condition + ")");
    G.Condition.clear();
    ++Open;
  }
  const std::optional<VectorStore> Together = vectorStoreOf(F);
  // The loop's own condition keeps each thread within the end, and nothing inside depends on one: the
  // compiler of the source can take several iterations at a time, all of their loads first.
  const bool Strides = !Together && isThreadStride(F) && !needsAllThreads(F.Body, Tensors);
  const std::string V = Names.define(F.V);
  std::int64_t Weight = 1;
  std::vector<std::int64_t> Weights;
  for (const Digit &Part : F.Parts) {
    Weights.push_back(Weight);
    Weight *= std::max<std::int64_t>(Part.Size, 1);
  }
  const std::int64_t Covered = F.Parts.empty() || F.Parts.back().Size == 0 ? 0 : Weight;
  const Expr Length = wide(F.Hi - F.Lo);
  std::string Index;
  auto Add = [&](const std::string &Term) { Index += (Index.empty() ? "" : " + ") + Term; };
  std::vector<std::string> Digits;
  for (size_t I = F.Parts.size(); I > 0; --I) {
    const Digit &Part = F.Parts[I - 1];
    const std::int64_t Each = Weights[I - 1];
    if (Part.isThread()) {
      const std::string Text = digitText(Part);
      Add(Each == 1 ? Text : Text + " * " + std::to_string(Each));
      continue;
    }
    if (Together && I == 1)
      break;
    if (Strides)
      continue;
    const std::string Name = Names.fresh(V + "_r");
    if (Part.Size == 0) {
      Expr Trips = Length;
      if (F.Step != 1)
        Trips = ceilDiv(Trips, intLit(F.Step));
      W.open("for (std::ptrdiff_t " + Name + " = 0; " + Name + " < " + text(Trips) + "; " + Name +
             " += " + std::to_string(Each) + ")");
      Add(Name);
      ++Open;
      continue;
    }
    W.line("#pragma unroll");
    W.open("for (int " + Name + " = 0; " + Name + " < " + std::to_string(Part.Size) + "; ++" +
           Name + ")");
    Add(Each == 1 ? Name : Name + " * " + std::to_string(Each));
    Digits.push_back(Name);
    ++Open;
  }
  if (Index.empty())
    Index = "0";
  if (F.Step != 1)
    Index = "(" + Index + ") * " + std::to_string(F.Step);
  if (!isConstant(F.Lo, 0))
    Index = print(wide(F.Lo)).in(Binding::Sum) + " + " + Index;
  Registers[F.V] = Digits;
  G.Free &= ~threadBits(F.Parts);
  const bool Full = Covered > 0 && F.Step == 1 && constantValue(constantOr(Length)) == Covered;
  if (Together) {
    const std::string First = Names.fresh(V + "_first");
    W.line("const std::ptrdiff_t " + First + " = " + Index + ";");
    if (!Full)
      W.open("if (" + First + " < " + boundText(F.Hi) + ")");
    emitVectorStore(F, *Together, First, Digits, Full);
    for (Open += Full ? 0 : 1; Open > 0; --Open)
      W.close();
    G = Outer;
    Registers.erase(F.V);
    return;
  }
  if (Strides) {
    const std::int64_t Stride = Weights.back() * F.Step;
    W.open("for (std::ptrdiff_t " + V + " = " + Index + "; " + V + " < " + boundText(F.Hi) + "; " + V +
           (Stride == 1 ? "++)" : " += " + std::to_string(Stride) + ")"));
    ++Open;
  } else {
    W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + V + " = " + Index + ";");
  }
  if (!Full && !Strides) {
    const std::string Inside = V + " < " + boundText(F.Hi);
    if (needsAllThreads(F.Body, Tensors)) {
      const std::string Name = Names.fresh("has_" + V);
      W.line("const bool " + Name + " = " + both(G.Condition, Inside) + ";");
      G.Condition = Name;
    } else {
      W.open("if (" + Inside + ")");
      ++Open;
    }
  }
  emitLeafBlock(F.Body);
  for (; Open > 0; --Open)
    W.close();
  G = Outer;
  Registers.erase(F.V);
  if (Combines)
    closeSums(F);
}

//===--- reductions ---------------------------------------------------------------===//

/// What the iterations of F meet in gets a partial result of its own in each thread.
void CudaEmitter::openSums(const For &F) {
  const DefinedSymbols Inside = definedIn(F.Body);
  std::vector<Sum> Found;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Assign>(); A && !Inside.Vars.count(A->V)) {
      for (const Sum &Known : Found)
        if (Known.Scalar == A->V)
          return;
      Found.push_back({"", A->V, nullptr, A->Op, A->V->Type});
    }
    const auto *St = S.getIf<Store>();
    bool Moves = false;
    if (St)
      for (const Expr &I : St->Indices)
        Moves |= mentions(I, F.V);
    if (St && !Moves)
      Found.push_back({"", nullptr, St, St->Op, St->T->Element});
  });
  for (Sum &S : Found) {
    S.Partial = Names.fresh((S.Scalar ? S.Scalar->Name : S.Element->T->Name) + "_part");
    W.line(std::string(cxxName(S.Type)) + " " + S.Partial + " = " + identityText(S.Op, S.Type) +
           ";");
  }
  Sums.push_back(std::move(Found));
}

std::string CudaEmitter::reduceText(UpdateOp Op, const std::string &Value, std::uint64_t Bits) {
  const UpdateOp With = summing(Op);
  const std::string Combine = With == UpdateOp::Mul   ? "cuda::multiplies()"
                              : With == UpdateOp::Min ? "cuda::minimum()"
                              : With == UpdateOp::Max ? "cuda::maximum()"
                                                      : "cuda::plus()";
  if (Bits < 32)
    return "cuda::warp_reduce<" + std::to_string(Bits + 1) + ">(" + Value + ", " + Combine + ")";
  UsesScratch = true;
  return "cuda::block_reduce(" + Value + ", " + Combine + ", " +
         sharedText("decltype(" + Value + ")", ScratchOffset) + ")";
}

void CudaEmitter::closeSums(const For &F) {
  const std::vector<Sum> Closed = std::move(Sums.back());
  Sums.pop_back();
  for (const Sum &S : Closed) {
    const UpdateOp With = summing(S.Op);
    W.line(S.Partial + " = " + reduceText(S.Op, S.Partial, threadBits(F.Parts)) + ";");
    if (S.Scalar) {
      std::string Target = Names.name(S.Scalar);
      for (auto It = Sums.rbegin(); It != Sums.rend(); ++It)
        for (const Sum &Outer : *It)
          if (Outer.Scalar == S.Scalar)
            Target = Outer.Partial;
      W.line(updateText(With, Target, S.Partial, scalarCombine(With, Target, S.Partial, S.Type)));
      continue;
    }
    const Storage &To = storageFor(S.Element->T);
    const std::string Target = To.IsTile ? registerText(To, S.Element->T, S.Element->Indices)
                                         : elementText(To, S.Element->Indices);
    const std::string Condition = To.IsTile ? G.Condition : both(G.Condition, leadText());
    const std::string Text =
        updateText(With, Target, S.Partial, scalarCombine(With, Target, S.Partial, S.Type));
    W.line(Condition.empty() ? Text : "if (" + Condition + ")\n" + Text);
  }
}

//===--- statements -----------------------------------------------------------------===//

void CudaEmitter::emitLeafLet(const Let &L) {
  if (G.Condition.empty() || !L.Value) {
    emitLet(L);
    return;
  }
  const std::string Value = text(L.Value);
  const std::string Type =
      L.V->Type == ScalarType::I64 ? "std::ptrdiff_t" : std::string(cxxName(L.V->Type));
  const std::string Name = Names.define(L.V);
  W.line(Type + " " + Name + " = " + Type + "();");
  W.line("if (" + G.Condition + ")\n" + Name + " = " + Value + ";");
}

void CudaEmitter::emitLeafAssign(const Assign &A) {
  std::string Target = Names.name(A.V);
  for (auto It = Sums.rbegin(); It != Sums.rend(); ++It) {
    bool Found = false;
    for (const Sum &S : *It)
      if (S.Scalar == A.V) {
        Target = S.Partial;
        Found = true;
      }
    if (Found)
      break;
  }
  const std::string Value = text(A.Value);
  const std::string Text =
      updateText(A.Op, Target, Value, scalarCombine(A.Op, Target, Value, A.V->Type));
  W.line(G.Condition.empty() ? Text : "if (" + G.Condition + ")\n" + Text);
}

void CudaEmitter::emitLeafStore(const Store &S) {
  const Storage &To = storageFor(S.T);
  std::string Target = To.IsTile ? registerText(To, S.T, S.Indices) : elementText(To, S.Indices);
  std::string Condition = To.IsTile ? G.Condition : both(G.Condition, leadText());
  for (const std::vector<Sum> &Level : Sums)
    for (const Sum &Known : Level)
      if (Known.Element == &S) {
        Target = Known.Partial;
        Condition = G.Condition;
      }
  const bool Converts = S.Value->Type != S.T->Element && isSmallFloat(S.T->Element);
  const std::string Value = text(Converts ? cast(S.T->Element, S.Value) : S.Value);
  const std::string Text =
      isPacked(S.T)
          ? packedUpdate(S)
          : updateText(S.Op, Target, Value, scalarCombine(S.Op, Target, Value, S.T->Element));
  W.line(Condition.empty() ? Text : "if (" + Condition + ")\n" + Text);
}

void CudaEmitter::emitLeafIf(const If &I) {
  const Group Outer = G;
  const bool Together = needsAllThreads(I.Then, Tensors) || needsAllThreads(I.Else, Tensors);
  if (!Together && !G.Condition.empty()) {
    W.open("if (" + G.Condition + ")");
    G.Condition.clear();
  }
  W.open("if (" + text(I.Condition) + ")");
  emitLeafBlock(I.Then);
  if (!I.Else.empty()) {
    W.close(" else {", true);
    emitLeafBlock(I.Else);
  }
  W.close();
  if (!Together && !Outer.Condition.empty())
    W.close();
  G = Outer;
}

} // namespace septran::compiler
