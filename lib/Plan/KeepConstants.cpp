//===- KeepConstants.cpp - what is made of constants alone is made once ---===//
//
// Elements of a septran::constant do not change as long as it lives. A buffer or local of the
// entry's own processor whose extents and elements follow from one constant is therefore the same
// in every call that gets this constant, and it is kept with it: the statements that fill it run in
// the first call only. They are put under one If, at the place of the last of them.
//
// Looked at are blocks that run at most once per call, outside of loops: there a buffer has one
// place in the text that the constant can know it by. Fills may lie under conditions on anything,
// since the first call that gets there makes what later ones find.
//
// Conservative: opaque calls may do anything; what two constants are needed for is made anew.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/Passes.h"
#include "Plan/TensorTable.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class Keeper {
  const TensorTable Tensors;
  std::map<TensorRef, TensorRef>
      Constants;          ///< constants, and kept buffers, with the constant they follow from
  std::set<VarRef> Fixed; ///< scalars that follow from extents of these
  std::vector<RewriteRecord> &Log;

  /// Alone decides the value: extents and elements of constants, and what `Inside` defines itself.
  bool isFixed(const Expr &E, const DefinedSymbols &Inside) const {
    bool Result = true;
    walkExprs(E, [&](const Expr &N) {
      if (N->V)
        Result &= Fixed.count(N->V) || Inside.Vars.count(N->V);
      if (N->T)
        Result &= isFixed(N->T, Inside);
    });
    return Result;
  }

  bool isFixed(const TensorRef &T, const DefinedSymbols &Inside) const {
    if (Inside.Tensors.count(T) || Constants.count(T))
      return true;
    const View *Is = Tensors.definition(T);
    return Is && isFixed(*Is, Inside);
  }

  bool isFixed(const View &V, const DefinedSymbols &Inside) const {
    bool Result = isFixed(V.Base, Inside);
    forEachExpr(V, [&](const Expr &E) { Result &= isFixed(E, Inside); });
    return Result;
  }

  /// The one constant that S makes elements of T from, if it does nothing else.
  TensorRef fills(const Stmt &S, const TensorRef &T) const {
    DefinedSymbols Inside = definedIn(S);
    const Effects Of = effectsOf(S, Tensors);
    auto IsOwn = [&](const TensorRef &Root) { return Root == T || Inside.Tensors.count(Root); };
    TensorRef From;
    for (const TensorRef &Root : Of.Reads)
      if (!IsOwn(Root)) {
        auto Known = Constants.find(Root);
        if (Known == Constants.end() || (From && From != Known->second))
          return nullptr;
        From = Known->second;
      }
    if (!From || !std::all_of(Of.Writes.begin(), Of.Writes.end(), IsOwn))
      return nullptr;
    Inside.Tensors.insert(T);
    bool Depends = false;
    walkStmts(Stmts(S), [&](const Stmt &Inner) {
      Depends |= Inner.getIf<OpaqueCall>() != nullptr;
      forEachExpr(Inner, [&](const Expr &E) { Depends |= !isFixed(E, Inside); });
      forEachView(Inner, [&](const View &V) { Depends |= !isFixed(V, Inside); });
    });
    return Depends ? nullptr : From;
  }

  static bool touches(const Effects &Of, const TensorRef &T) {
    return Of.Reads.count(T) || Of.Writes.count(T);
  }

  /// Keeps the buffer that B[At] allocates, if all that writes it follows from one constant and
  /// comes before all that only reads it.
  bool keep(Block &B, size_t At) {
    const Alloc &A = *B[At].getIf<Alloc>();
    if (!std::all_of(A.Extents.begin(), A.Extents.end(),
                     [&](const Expr &E) { return isFixed(E, {}); }))
      return false;
    TensorRef From;
    std::vector<size_t> Fills;
    bool IsUsed = false;
    for (size_t I = At + 1; I < B.size(); ++I) {
      const Effects Of = effectsOf(B[I], Tensors);
      if (!touches(Of, A.T))
        continue;
      if (!Of.Writes.count(A.T)) {
        IsUsed = true;
        continue;
      }
      const TensorRef Source = fills(B[I], A.T);
      if (IsUsed || !Source || (From && Source != From))
        return false;
      From = Source;
      Fills.push_back(I);
    }
    if (!From)
      return false;
    Log.push_back({"keep", "constants",
                   A.Reason + " is made once for constant '" + From->Name + "'", B[At].Loc});
    Constants[A.T] = From;
    If New{boolLit(true), {}, {}};
    New.Fills = A.T;
    B[At].getIf<Alloc>()->KeptWith = From;
    for (size_t I : Fills)
      New.Then.push_back(std::move(B[I]));
    const Location Where = New.Then.back().Loc;
    B[Fills.back()] = {std::move(New), Where};
    Fills.pop_back();
    for (; !Fills.empty(); Fills.pop_back())
      B.erase(B.begin() + std::ptrdiff_t(Fills.back()));
    return true;
  }

public:
  Keeper(const Program &P, std::vector<RewriteRecord> &Log) : Tensors(P.Body), Log(Log) {
    for (const Parameter &Param : P.Params)
      if (Param.IsConstant)
        Constants[Param.Tensor] = Param.Tensor;
  }

  bool hasConstants() const { return !Constants.empty(); }

  void block(Block &B) {
    for (const Stmt &S : B)
      if (const auto *L = S.getIf<Let>(); L && !L->Mutable && L->Value && isFixed(L->Value, {}))
        Fixed.insert(L->V);
    // One kept buffer may be what another is made from, whatever their order.
    for (size_t At = 0; At < B.size(); ++At)
      if (const auto *A = B[At].getIf<Alloc>(); A && !A->KeptWith && keep(B, At))
        At = size_t(-1);
    for (Stmt &S : B)
      if (auto *Sc = S.getIf<Scope>())
        block(Sc->Body);
      else if (auto *I = S.getIf<If>(); I && !I->Fills)
        for (Block *Nested : nestedBlocks(S))
          block(*Nested);
  }
};

} // namespace

Program keepConstants(Program P) {
  if (P.Target->hasScratchpads() || gridDepth(*P.Target))
    return P;
  if (Keeper K(P, P.Log); K.hasConstants())
    K.block(P.Body);
  return P;
}

} // namespace septran::compiler
