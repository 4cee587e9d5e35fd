//===- Place.cpp - copies wherever memory or layout differ ----------------===//
//
// Correct and naive: a parameter that lives in another memory than the tensor it is bound to
// becomes a Buffer that is copied in before its Scope and copied out after it. A parameter for
// which the mapping gives a layout gets a buffer too. Write-only parameters are copied in as well
// unless the Scope provably writes all of their elements: elements it leaves alone must keep their
// values.
//
// Tensors into which the iterations of a spread loop reduce together get a partial result per
// processor.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Defaults.h"
#include "Plan/Kernels.h"
#include "Plan/Passes.h"
#include "Plan/TensorTable.h"

#include <algorithm>
#include <functional>

namespace septran::compiler {

namespace {

class Placer {
  Diagnostics &D;
  TensorTable Tensors; ///< of the Program before place
  bool WindowsInPlace;
  std::set<TensorRef> Partials;
  /// An argument that a key of the mapping names.
  struct Wish {
    const LocatedName *Name;
    std::string Instance;
    bool Met; ///< for some scope of the instance
  };
  std::vector<Wish> Residents, ///< met if they are copied
      InPlace, Clips;          ///< met if they are windows, and are not

  static const Parameter *parameterOf(const InstanceInfo &I, const TensorRef &T) {
    for (const Parameter &Q : I.Task->Params)
      if (Q.isTensor() && Q.Name == T->Name)
        return &Q;
    return nullptr;
  }

  /// The parameter cannot be a mere view of the caller's tensor: it lives elsewhere, lies
  /// differently, or is a window, which may reach outside. Kernels read windows in place, under a
  /// condition, and clipped loops do not leave the tensor.
  bool needsBuffer(const InstanceInfo &I, const Define &Def) const {
    return Def.T->Memory != Def.Value.Base->Memory ||
           (Def.Value.Fill && !WindowsInPlace && !inPlaceOf(I, *Def.T)) ||
           (I.Settings && I.Settings->Layouts.find(Def.T->Name));
  }

  bool forbidden(const InstanceInfo &I, const TensorRef &T) const {
    const std::string *M = I.Settings ? I.Settings->Mems.find(T->Name) : nullptr;
    return M && *M == NoMemory;
  }

  /// Remembers the arguments that a key of I names, and that the wish for `Argument` is met.
  static void note(std::vector<Wish> &Wishes, const std::vector<LocatedName> &Names,
                   const InstanceInfo &I, std::string_view Argument = {}) {
    for (const LocatedName &N : Names) {
      auto It = std::find_if(Wishes.begin(), Wishes.end(),
                             [&](const Wish &Known) { return Known.Name == &N; });
      if (It == Wishes.end())
        It = Wishes.insert(It, {&N, I.Name, false});
      It->Met |= N.Value == Argument;
    }
  }

  void noteResidents(const InstanceInfo &I, std::string_view Argument = {}) {
    if (I.Settings)
      note(Residents, I.Settings->Resident, I, Argument);
  }
  void noteInPlace(const InstanceInfo &I, std::string_view Argument = {}) {
    if (!I.Settings)
      return;
    note(InPlace, I.Settings->InPlace, I, Argument);
    note(Clips, I.Settings->Clip, I, Argument);
  }

  /// Appends Sc with the copies that its parameters need.
  void placeScope(Scope Sc, const Location &Loc, Block &Out) {
    const InstanceInfo &I = *Sc.Instance;
    Block Kept, Before, After;
    noteResidents(I);
    noteInPlace(I);
    // The parameters' Defines stand first in the body; what they are bound to belongs to the
    // caller.
    for (Stmt &S : Sc.Body) {
      auto *Def = S.getIf<Define>();
      const Parameter *Param =
          Def && Def->T->Kind == TensorKind::Parameter ? parameterOf(I, Def->T) : nullptr;
      if (!Param || !needsBuffer(I, *Def)) {
        if (Param && Def->Value.Fill && !WindowsInPlace)
          noteInPlace(I, Def->T->Name);
        Kept.push_back(std::move(S));
        continue;
      }
      if (forbidden(I, Def->T))
        D.report(DiagID::NoneMaterialised, I.Settings->Mems.findEntry(Def->T->Name)->Value.Loc,
                 Def->T->Name, "its layout or memory differs from the caller's");
      TensorRef T = Def->T;
      View From = Def->Value;
      T->Kind = TensorKind::Buffer;
      noteResidents(I, T->Name);
      std::string Reason = argumentReason(I, T->Name);
      Alloc New{T, {}, T->Memory, requestedLayout(I, *T), -1, Reason, {}};
      for (unsigned Dim = 0; Dim < T->Rank; ++Dim)
        New.Extents.push_back(From.extent(Dim));
      const Location &Where = locationOf(I, T);
      Before.push_back({std::move(New), Where});
      if (Param->Access != Privilege::Write || !coversWrites(Sc.Body, T))
        Before.push_back({CopyStmt{wholeView(T), From, Reason}, Where});
      if (writes(Param->Access))
        After.push_back({CopyStmt{From, wholeView(T), Reason}, Where});
    }
    Sc.Body = placeBlock(std::move(Kept));
    for (Stmt &S : Before)
      Out.push_back(std::move(S));
    Out.push_back({std::move(Sc), Loc});
    for (Stmt &S : After)
      Out.push_back(std::move(S));
  }

  const Location &locationOf(const InstanceInfo &I, const TensorRef &T) const {
    if (I.Settings) {
      if (const auto *E = I.Settings->Mems.findEntry(T->Name))
        return E->Value.Loc;
      if (const auto *E = I.Settings->Layouts.findEntry(T->Name))
        return E->Value.Loc;
    }
    return I.where();
  }

  //===--- reductions that processors share ----------------------------------===//

  static void groupVars(const For &F, DefinedSymbols &Vars) {
    Vars.Vars.insert(F.V);
    if (F.Group && F.Body.size() == 1)
      if (const auto *Inner = F.Body.front().getIf<For>(); Inner && Inner->Group == F.Group)
        groupVars(*Inner, Vars);
  }

  /// Redirects the reductions inside the spread loop F that several iterations share.
  void shareReductions(For &F) {
    DefinedSymbols Vars;
    groupVars(F, Vars);
    DefinedSymbols Inside = definedIn(F.Body);
    redirect(F.Body, F, Vars, Inside);
  }

  /// Something in the loop reduces into Target by Op, and something else reads it, writes it or
  /// reduces into it by another operator. The iterations are independent: they do so in parts of
  /// their own.
  bool usedOtherwise(const Block &B, const TensorRef &Target, UpdateOp Op) const {
    for (const Stmt &S : B) {
      if (const auto *Sc = S.getIf<Scope>()) {
        for (const Stmt &Inner : Sc->Body)
          if (const auto *Def = Inner.getIf<Define>();
              Def && Def->T->Kind == TensorKind::Parameter) {
            const Parameter *Param = parameterOf(*Sc->Instance, Def->T);
            bool Alike = Param && Param->Access == Privilege::Reduce && Param->Reduction == Op;
            if (!Alike && Tensors.root(Def->Value.Base) == Tensors.root(Target))
              return true;
          }
        continue;
      }
      for (const Block *Nested : nestedBlocks(S))
        if (usedOtherwise(*Nested, Target, Op))
          return true;
    }
    return false;
  }

  void redirect(Block &B, For &F, const DefinedSymbols &Vars, const DefinedSymbols &Inside) {
    for (Stmt &S : B) {
      if (auto *L = S.getIf<For>())
        redirect(L->Body, F, Vars, Inside);
      else if (auto *C = S.getIf<If>()) {
        redirect(C->Then, F, Vars, Inside);
        redirect(C->Else, F, Vars, Inside);
      } else if (auto *Sc = S.getIf<Scope>()) {
        for (Stmt &Inner : Sc->Body)
          if (auto *Def = Inner.getIf<Define>())
            redirectDefine(*Def, *Sc->Instance, F, Vars, Inside);
      }
    }
  }

  /// True if every loop variable alone picks the view's block along some dimension: no sharing
  /// then.
  static bool ownBlock(const View &V, const DefinedSymbols &Vars) {
    for (const VarRef &Var : Vars.Vars) {
      bool Picked = false;
      for (const Slice &S : V.Slices) {
        const Expr &Pick = S.Index ? S.Index : S.Offset;
        Picked |= Pick && Pick->Kind == ExprKind::Var && Pick->V == Var;
      }
      if (!Picked)
        return false;
    }
    return true;
  }

  void redirectDefine(Define &Def, const InstanceInfo &I, For &F, const DefinedSymbols &Vars,
                      const DefinedSymbols &Inside) {
    const Parameter *Param = parameterOf(I, Def.T);
    TensorRef Target = Def.Value.Base;
    if (!Param || Param->Access != Privilege::Reduce || Inside.Tensors.count(Target) ||
        Partials.count(Target) || ownBlock(Def.Value, Vars) ||
        usedOtherwise(F.Body, Target, Param->Reduction))
      return;
    for (const SharedReduction &R : F.Reductions)
      if (R.Target == Target) {
        Def.Value = rebased(Def.Value, R.Partial);
        Def.T->Memory = Def.T->Memory == Target->Memory ? R.Partial->Memory : Def.T->Memory;
        return;
      }
    TensorRef Partial = makeTensor(Target->Name + "_partial", Target->Element, Target->Rank,
                                   TensorKind::Buffer, Target->Loc);
    Partial->Memory = Target->Memory;
    Partials.insert(Partial);
    F.Reductions.push_back({Partial, Target, Param->Reduction});
    Def.Value = rebased(Def.Value, Partial);
  }

  static View rebased(View V, const TensorRef &T) {
    V.Base = T;
    return V;
  }

public:
  Placer(const Block &B, bool WindowsInPlace, Diagnostics &D)
      : D(D), Tensors(B), WindowsInPlace(WindowsInPlace) {}

  Block placeBlock(Block B) {
    Block Out;
    for (Stmt &S : B) {
      if (auto *Sc = S.getIf<Scope>()) {
        placeScope(std::move(*Sc), S.Loc, Out);
        continue;
      }
      if (auto *F = S.getIf<For>()) {
        if (!F->Spread.empty())
          shareReductions(*F);
        F->Body = placeBlock(std::move(F->Body));
      } else if (auto *C = S.getIf<If>()) {
        C->Then = placeBlock(std::move(C->Then));
        C->Else = placeBlock(std::move(C->Else));
      }
      Out.push_back(std::move(S));
    }
    return Out;
  }

  /// An argument that nothing copies has nothing that could stay, and one that is no window or is
  /// copied is not read in place.
  void reportIdleWishes() const {
    for (const Wish &R : Residents)
      if (!R.Met)
        D.report(DiagID::ResidentNoCopy, R.Name->Loc, R.Instance, R.Name->Value);
    for (const auto &[Key, Wishes] : {std::pair("in_place", &InPlace), std::pair("clip", &Clips)})
      for (const Wish &W : *Wishes)
        if (!W.Met)
          D.report(DiagID::InPlaceNoWindow, W.Name->Loc, Key, W.Instance, W.Name->Value);
  }
};

/// Spells origins out down to the tensors of the caller, while views still lead there: a buffer
/// that is a copy of a block has no position of its own.
void resolveOrigins(Block &B) {
  TensorTable Tensors(B);
  std::function<Expr(const Expr &)> Resolve = [&](const Expr &E) -> Expr {
    if (E->Kind != ExprKind::Origin)
      return nullptr;
    if (const View *V = Tensors.definition(E->T))
      return rewriteExpr(V->origin(E->Dim), Resolve);
    return Tensors.allocated(E->T) ? intLit(0) : nullptr;
  };
  rewriteExprs(B, Resolve);
}

} // namespace

std::optional<Program> place(Program P, Diagnostics &D) {
  unsigned ErrorsBefore = D.errorCount();
  resolveOrigins(P.Body);
  Placer Copies(P.Body, gridDepth(*P.Target).has_value(), D);
  P.Body = Copies.placeBlock(std::move(P.Body));
  Copies.reportIdleWishes();
  if (D.errorCount() != ErrorsBefore)
    return std::nullopt;
  return P;
}

} // namespace septran::compiler
