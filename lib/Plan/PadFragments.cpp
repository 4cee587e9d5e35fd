//===- PadFragments.cpp - zeros behind clipped fragments ------------------===//
#include "Plan/PadFragments.h"

#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/FragmentUses.h"
#include "Plan/PrimitiveTiles.h"
#include "Plan/TensorTable.h"

namespace septran::compiler {

bool isFull(const Alloc &A) {
  if (A.Bounds.size() != A.Extents.size())
    return false;
  for (size_t Dim = 0; Dim < A.Extents.size(); ++Dim)
    if (!isConstant(A.Extents[Dim], A.Bounds[Dim]))
      return false;
  return true;
}

namespace {

class Padder {
  Program &P;
  TensorTable Tensors;
  std::map<TensorRef, Alloc *> Allocs;
  std::set<TensorRef> WrittenOtherwise; ///< not by copies of the whole

  bool isFragment(const PrimitiveCall &C) const {
    const Primitive *Prim = P.Target->findPrimitive(C.Primitive);
    return Prim && usesFragments(*Prim);
  }

  void noteWrites(const Stmt &S) {
    if (const auto *St = S.getIf<Store>())
      WrittenOtherwise.insert(Tensors.root(St->T));
    if (const auto *C = S.getIf<CopyStmt>(); C && !isIdentity(C->Dst))
      WrittenOtherwise.insert(Tensors.root(C->Dst.Base));
    if (const auto *C = S.getIf<PrimitiveCall>())
      for (const PrimitiveCall::Operand &O : C->Operands)
        if (O.isTensor() && O.Written)
          WrittenOtherwise.insert(Tensors.root(O.Tensor.Base));
    if (const auto *C = S.getIf<OpaqueCall>())
      for (const Launch::Argument &A : C->Args)
        if (A.isTensor())
          WrittenOtherwise.insert(Tensors.root(A.Tensor.Base));
  }

public:
  explicit Padder(Program &P) : P(P), Tensors(P.Body) {}

  void run() {
    std::set<TensorRef> Fragments;
    walkStmts(P.Body, [&](Stmt &S) {
      if (auto *A = S.getIf<Alloc>())
        Allocs[A->T] = A;
      if (const auto *C = S.getIf<PrimitiveCall>(); C && isFragment(*C))
        for (const PrimitiveCall::Operand &O : C->Operands)
          if (O.isTensor())
            Fragments.insert(O.Tensor.Base);
      noteWrites(S);
    });
    for (const TensorRef &T : Fragments)
      if (auto It = Allocs.find(T); It != Allocs.end())
        It->second->Padded = !isFull(*It->second);
    walkStmts(P.Body, [&](Stmt &S) {
      const auto *C = S.getIf<CopyStmt>();
      if (!C || !Fragments.count(C->Dst.Base))
        return;
      const TensorRef From = Tensors.root(C->Src.Base);
      auto It = Allocs.find(From);
      if (It == Allocs.end() || Fragments.count(From) || WrittenOtherwise.count(From))
        return;
      Alloc &A = *It->second;
      A.Padded = !isFull(A) && A.Bounds.size() == A.Extents.size();
    });
  }
};

} // namespace

namespace {

/// Steps of a sum whose number is at most a small constant run that often: what they load beyond the
/// end is zero. The loop then has no end of its own, and its body is written out.
class StepPadder {
  const Machine &M;
  TensorTable Tensors;
  std::map<TensorRef, const Alloc *> Allocs;

  static constexpr std::int64_t MostSteps = 16;

  bool isPadded(const TensorRef &T) const {
    auto It = Allocs.find(T);
    return It != Allocs.end() && It->second->Padded;
  }

  /// All that the loop does is to load fragments of block V and to add their products.
  bool onlyAdds(const Block &B, const VarRef &V, std::set<TensorRef> &Loaded) const {
    for (const Stmt &S : B) {
      bool Good = false;
      if (const auto *Sc = S.getIf<Scope>())
        Good = onlyAdds(Sc->Body, V, Loaded);
      else if (const auto *F = S.getIf<For>())
        Good = F->Spread.empty() && onlyAdds(F->Body, V, Loaded);
      else if (const auto *C = S.getIf<CopyStmt>())
        Good = loads(*C, V, Loaded);
      else if (const auto *C = S.getIf<PrimitiveCall>())
        Good = addsLoaded(*C, Loaded);
      else
        Good = S.getIf<Alloc>() || S.getIf<Define>();
      if (!Good)
        return false;
    }
    return true;
  }

  /// A block of a buffer that has room for all steps, and zeros beyond its end.
  bool loads(const CopyStmt &C, const VarRef &V, std::set<TensorRef> &Loaded) const {
    const View Src = explicitView(C.Src);
    auto Root = Allocs.find(Src.Base), Tile = Allocs.find(C.Dst.Base);
    if (Root == Allocs.end() || Tile == Allocs.end() || !isIdentity(C.Dst) ||
        !isPadded(C.Dst.Base) || !isPadded(Src.Base))
      return false;
    for (size_t Dim = 0; Dim < Src.Dims.size(); ++Dim) {
      if (Src.Dims[Dim] < 0)
        return false;
      const Slice &S = Src.Slices[Src.Dims[Dim]];
      const std::int64_t Bound = Tile->second->Bounds[Dim],
                         Room = Root->second->Bounds[Src.Dims[Dim]];
      if (S.Index && S.Index->Kind == ExprKind::Var && S.Index->V == V && S.Block &&
          isConstant(S.Block, Bound) && Room % Bound == 0)
        Loaded.insert(C.Dst.Base);
      else if (!isConstant(S.Offset, 0) || Bound > Room)
        return false;
    }
    return Loaded.count(C.Dst.Base) != 0;
  }

  static bool addsLoaded(const PrimitiveCall &C, const std::set<TensorRef> &Loaded) {
    for (const PrimitiveCall::Operand &O : C.Operands)
      if (O.isTensor() && !O.Written && !Loaded.count(O.Tensor.Base))
        return false;
    return true;
  }

  bool zerosAdd(const Block &B) const {
    bool Good = true;
    walkStmts(B, [&](const Stmt &S) {
      const auto *C = S.getIf<PrimitiveCall>();
      if (!C)
        return;
      Diagnostics Ignored;
      const std::optional<PrimitiveForm> Form =
          primitiveForm(*M.findPrimitive(C->Primitive), Ignored);
      for (unsigned L = 0; Form && L < Form->Form.Loops.size(); ++L)
        if (Form->Form.Loops[L].Facts.Class == LoopClass::Reduction)
          Good &= zerosAddNothing(*Form, L);
    });
    return Good;
  }

public:
  StepPadder(Program &P) : M(*P.Target), Tensors(P.Body) {
    walkStmts(P.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Alloc>())
        Allocs[A->T] = A;
    });
  }

  void run(Block &B) {
    walkStmts(B, [&](Stmt &S) {
      auto *F = S.getIf<For>();
      std::set<TensorRef> Loaded;
      if (!F || F->Exec != LoopExec::Plain || !F->Spread.empty() || !isConstant(F->Lo, 0) ||
          F->Step != 1 || !onlyAdds(F->Body, F->V, Loaded) || Loaded.empty() || !zerosAdd(F->Body))
        return;
      const std::optional<std::int64_t> Most = upperBound(expandExtents(F->Hi, Tensors));
      if (!Most || *Most < 1 || *Most > MostSteps)
        return;
      F->Hi = intLit(*Most);
      F->Exec = LoopExec::Unrolled;
      F->StaticTrip = *Most;
    });
  }
};

} // namespace

void padFragments(Program &P) {
  Padder(P).run();
  StepPadder(P).run(P.Body);
}

} // namespace septran::compiler
