//===- TensorTable.cpp - what the tensors of a block stand for ------------===//
#include "Plan/TensorTable.h"

#include "IR/Rewrite.h"
#include "Logic/TaskGraph.h"
#include "Plan/LoopNest.h"

namespace septran::compiler {

TensorTable::TensorTable(const Block &B) {
  walkStmts(B, [this](const Stmt &S) {
    if (const auto *D = S.getIf<Define>())
      Views[D->T] = D->Value;
    else if (const auto *A = S.getIf<Alloc>())
      Sizes[A->T] = A->Extents;
    else if (const auto *F = S.getIf<For>())
      for (const SharedReduction &R : F->Reductions)
        for (unsigned Dim = 0; Dim < R.Target->Rank; ++Dim)
          Sizes[R.Partial].push_back(extentOf(R.Target, Dim));
  });
}

TensorRef TensorTable::root(TensorRef T) const {
  for (auto It = Views.find(T); It != Views.end(); It = Views.find(T))
    T = It->second.Base;
  return T;
}

const View *TensorTable::definition(const TensorRef &T) const {
  auto It = Views.find(T);
  return It == Views.end() ? nullptr : &It->second;
}

const std::vector<Expr> *TensorTable::allocated(const TensorRef &T) const {
  auto It = Sizes.find(T);
  return It == Sizes.end() ? nullptr : &It->second;
}

Effects effectsOf(Stmts B, const TensorTable &Tensors) {
  Effects E;
  walkExprs(B, [&](const Expr &X) {
    if (X->Kind == ExprKind::Load)
      E.Reads.insert(Tensors.root(X->T));
  });
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *St = S.getIf<Store>()) {
      E.Writes.insert(Tensors.root(St->T));
      if (St->Op != UpdateOp::Set)
        E.Reads.insert(Tensors.root(St->T));
    } else if (const auto *C = S.getIf<CopyStmt>()) {
      E.Reads.insert(Tensors.root(C->Src.Base));
      E.Writes.insert(Tensors.root(C->Dst.Base));
    } else if (const auto *O = S.getIf<OpaqueCall>()) {
      for (size_t I = 0; I < O->Args.size(); ++I) {
        if (!O->Args[I].isTensor())
          continue;
        TensorRef Root = Tensors.root(O->Args[I].Tensor.Base);
        Privilege P = O->Callee->Params[I].Access;
        if (P != Privilege::Write)
          E.Reads.insert(Root);
        if (writes(P))
          E.Writes.insert(Root);
      }
    } else if (const auto *P = S.getIf<PrimitiveCall>()) {
      for (const PrimitiveCall::Operand &Op : P->Operands) {
        if (Op.isTensor() && Op.Read)
          E.Reads.insert(Tensors.root(Op.Tensor.Base));
        if (Op.isTensor() && Op.Written)
          E.Writes.insert(Tensors.root(Op.Tensor.Base));
      }
    } else if (const auto *F = S.getIf<For>()) {
      for (const SharedReduction &R : F->Reductions) {
        E.Reads.insert(Tensors.root(R.Target));
        E.Writes.insert(Tensors.root(R.Target));
      }
    }
  });
  return E;
}

std::set<TensorRef> copiedWhole(Stmts B, const TensorTable &Tensors) {
  std::set<TensorRef> Copied, Others;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *C = S.getIf<CopyStmt>(); C && isIdentity(C->Dst) && !C->Src.Fill) {
      Copied.insert(C->Dst.Base);
    } else if (const auto *F = S.getIf<For>()) {
      for (const SharedReduction &R : F->Reductions)
        Others.insert(Tensors.root(R.Target));
    } else if (!S.getIf<Scope>() && !S.getIf<If>()) {
      Others.merge(effectsOf(S, Tensors).Writes);
    }
  });
  std::erase_if(Copied,
                [&](const TensorRef &T) { return !Tensors.allocated(T) || Others.count(T); });
  return Copied;
}

DefinedSymbols definedIn(Stmts B) {
  DefinedSymbols Result;
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *F = S.getIf<For>())
      Result.Vars.insert(F->V);
    else if (const auto *L = S.getIf<Let>())
      Result.Vars.insert(L->V);
    else if (const auto *D = S.getIf<Define>())
      Result.Tensors.insert(D->T);
    else if (const auto *A = S.getIf<Alloc>())
      Result.Tensors.insert(A->T);
  });
  return Result;
}

bool mentionsAny(const Expr &E, const DefinedSymbols &Symbols) {
  if (!E)
    return false;
  if (E->V && Symbols.Vars.count(E->V))
    return true;
  if (E->T && Symbols.Tensors.count(E->T))
    return true;
  for (const Expr &A : E->Args)
    if (mentionsAny(A, Symbols))
      return true;
  return false;
}

bool mentionsAny(const View &V, const DefinedSymbols &Symbols) {
  if (Symbols.Tensors.count(V.Base) || mentionsAny(V.Fill, Symbols))
    return true;
  for (const Slice &S : V.Slices)
    for (const Expr *E : {&S.Offset, &S.Extent, &S.Block, &S.Index, &S.Low, &S.High})
      if (mentionsAny(*E, Symbols))
        return true;
  for (const std::vector<Expr> *List : {&V.BroadcastExtents, &V.Reshape})
    for (const Expr &E : *List)
      if (mentionsAny(E, Symbols))
        return true;
  return false;
}

//===--- coverage -----------------------------------------------------------===//

namespace {

/// Loops around a statement, innermost last; all of them unconditional.
using Loops = std::vector<const For *>;

const For *loopOf(const Loops &Around, const Expr &E) {
  if (E && E->Kind == ExprKind::Var)
    for (const For *F : Around)
      if (F->V == E->V && F->Step == 1 && isConstant(F->Lo, 0))
        return F;
  return nullptr;
}

/// Loops that do not walk T must run: without an iteration nothing is written.
bool othersRun(const Loops &Around, const std::set<const For *> &Walking) {
  for (const For *F : Around)
    if (!Walking.count(F) && constantTrip(*F).value_or(0) == 0)
      return false;
  return true;
}

/// T(i, j) = ... with each index its own loop over the whole extent.
bool storeCovers(const Store &S, const TensorRef &T, const Loops &Around) {
  if (S.T != T || S.Op != UpdateOp::Set)
    return false;
  std::set<const For *> Seen;
  for (unsigned D = 0; D < S.Indices.size(); ++D) {
    const For *F = loopOf(Around, S.Indices[D]);
    if (!F || !Seen.insert(F).second || !equal(F->Hi, extentOf(T, D)))
      return false;
  }
  return othersRun(Around, Seen);
}

/// A view of T whose blocks, over the loops around, tile T.
bool viewTiles(const View &V, const TensorRef &T, const Loops &Around) {
  if (V.Base != T || !V.Reshape.empty())
    return false;
  std::set<const For *> Seen;
  for (unsigned D = 0; D < V.Slices.size(); ++D) {
    const Slice &S = V.Slices[D];
    if (isConstant(S.Offset, 0) && equal(S.Extent, extentOf(T, D)))
      continue;
    const For *F = loopOf(Around, S.Index ? S.Index : S.Offset);
    if (!F || !Seen.insert(F).second)
      return false;
    Expr Count = S.Block ? ceilDiv(extentOf(T, D), S.Block) : extentOf(T, D);
    if (!equal(F->Hi, Count) || (!S.Block && !isConstant(S.Extent, 1)))
      return false;
  }
  return othersRun(Around, Seen);
}

/// The first statements of B write all of T, and nothing reads it before: what a copy brings into T
/// may come from T itself, where the copy's buffer was only written in part.
bool covers(const Block &B, const TensorRef &T, Loops &Around, const TensorTable &Tensors) {
  for (const Stmt &S : B) {
    if (const auto *St = S.getIf<Store>()) {
      if (storeCovers(*St, T, Around))
        return true;
    } else if (const auto *F = S.getIf<For>()) {
      Around.push_back(F);
      bool Found = covers(F->Body, T, Around, Tensors);
      Around.pop_back();
      if (Found)
        return true;
    } else if (const auto *Sc = S.getIf<Scope>()) {
      for (const Stmt &Inner : Sc->Body)
        if (const auto *D = Inner.getIf<Define>(); D && viewTiles(D->Value, T, Around)) {
          Loops None;
          if (covers(Sc->Body, D->T, None, Tensors))
            return true;
        }
    } else if (const auto *C = S.getIf<CopyStmt>()) {
      if (viewTiles(C->Dst, T, Around))
        return true;
    }
    if (effectsOf(S, Tensors).Reads.count(Tensors.root(T)))
      return false;
  }
  return false;
}

} // namespace

bool coversWrites(const Block &B, const TensorRef &T) {
  Loops Around;
  return covers(B, T, Around, TensorTable(B));
}

} // namespace septran::compiler
