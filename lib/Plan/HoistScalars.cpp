//===- HoistScalars.cpp - what all lanes share is computed once -----------===//
#include "Plan/HoistScalars.h"

#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>
#include <utility>

namespace septran::compiler {

namespace {

/// A scalar in front of a loop.
struct Hoisted {
  VarRef V;
  Expr Value;
  Expr Entered; ///< the loops that it left have iterations
};

/// What one loop leaves as it is.
class Unchanged {
  const TensorTable &Tensors;
  DefinedSymbols Own;
  std::set<TensorRef> Written;

public:
  Unchanged(const For &F, const TensorTable &Tensors)
      : Tensors(Tensors), Own(definedIn(F.Body)), Written(effectsOf(F.Body, Tensors).Writes) {
    Own.Vars.insert(F.V);
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *A = S.getIf<Assign>())
        Own.Vars.insert(A->V);
    });
  }

  /// V is defined before the loop, or in it, from now on.
  void moveOut(const VarRef &V) { Own.Vars.erase(V); }
  void moveIn(const VarRef &V) { Own.Vars.insert(V); }

  bool covers(const Expr &E) const {
    bool Same = !mentionsAny(E, Own);
    walkExprs(E, [&](const Expr &Part) {
      Same &= Part->Kind != ExprKind::Load || !Written.count(Tensors.root(Part->T));
    });
    return Same;
  }
};

class Hoister {
  const TensorTable &Tensors;
  const RegisterTiles &Tiles;

  bool touchesTile(const For &F) const {
    const std::vector<Access> Accesses = accessesOf(F.Body);
    return F.StaticTrip || std::any_of(Accesses.begin(), Accesses.end(),
                                       [&](const Access &A) { return Tiles.count(A.T) != 0; });
  }

  /// The name of what E is made of, of those things that are worth a scalar: elements, and scalars
  /// that have left. Null if there is none.
  static const std::string *nameFor(const Expr &E, const std::vector<Hoisted> &Out) {
    const std::string *Name = nullptr;
    walkExprs(E, [&](const Expr &Part) {
      if (Name)
        return;
      if (Part->Kind == ExprKind::Load)
        Name = &Part->T->Name;
      else if (Part->Kind == ExprKind::Var &&
               std::any_of(Out.begin(), Out.end(),
                           [&](const Hoisted &H) { return H.V == Part->V; }))
        Name = &Part->V->Name;
    });
    return Name;
  }

  /// E with what is the same in all iterations taken out. Lanes compute with wider numbers than
  /// small floats.
  Expr takeFrom(const Expr &E, const Unchanged &Same, std::vector<Hoisted> &Out) const {
    const std::string *Name = E->Kind == ExprKind::Var ? nullptr : nameFor(E, Out);
    if (!Name)
      return E;
    if (Same.covers(E) && !isSmallFloat(E->Type)) {
      for (const Hoisted &H : Out)
        if (equal(H.Value, E))
          return varExpr(H.V);
      Out.push_back({makeVar(*Name, E->Type, VarKind::Scalar, E->Loc), E, nullptr});
      return varExpr(Out.back().V);
    }
    const bool Decides =
        E->Kind == ExprKind::Select ||
        (E->Kind == ExprKind::Binary && (E->Bin == BinaryOp::And || E->Bin == BinaryOp::Or));
    std::vector<Expr> Args = E->Args;
    for (size_t I = 0; I < Args.size(); ++I)
      if (I == 0 || !Decides)
        Args[I] = takeFrom(Args[I], Same, Out);
    return Args == E->Args ? E : withOperands(E, std::move(Args));
  }

  /// What every iteration of the loop in lanes computes alike.
  std::vector<Hoisted> takeFromLanes(For &F) const {
    std::vector<Hoisted> Out;
    Unchanged Same(F, Tensors);
    std::erase_if(F.Body, [&](Stmt &S) {
      Expr *Value = nullptr;
      if (auto *L = S.getIf<Let>()) {
        Value = &L->Value;
        if (*Value && !L->Mutable && nameFor(*Value, Out) && Same.covers(*Value)) {
          Out.push_back({L->V, *Value, nullptr});
          Same.moveOut(L->V);
          return true;
        }
      } else if (auto *A = S.getIf<Assign>()) {
        Value = &A->Value;
      } else if (auto *St = S.getIf<Store>()) {
        Value = &St->Value;
      } else if (auto *I = S.getIf<If>()) {
        Value = &I->Condition;
      }
      if (Value && *Value)
        *Value = takeFrom(*Value, Same, Out);
      return false;
    });
    return Out;
  }

  static Stmt definition(const Hoisted &H) {
    Expr Value = H.Value;
    if (Value->Type == ScalarType::Bool)
      Value = binary(BinaryOp::And, H.Entered, Value);
    else
      Value = select(H.Entered, Value,
                     isFloat(Value->Type) ? floatLit(0, Value->Type) : intLit(0, Value->Type));
    return {Let{H.V, Value}, Value->Loc};
  }

  /// What leaves F, to where F stands.
  std::vector<Hoisted> visitLoop(For &F) const {
    std::vector<Hoisted> Leaving;
    if (F.Exec == LoopExec::Lanes) {
      if (!touchesTile(F) && !F.SumsAround)
        Leaving = takeFromLanes(F);
    } else {
      std::vector<Hoisted> Staying;
      const bool IsNest =
          F.Body.size() == 1 && F.Body.front().getIf<For>() && F.Exec == LoopExec::Plain;
      if (!IsNest) {
        visitBlock(F.Body);
        return {};
      }
      std::vector<Hoisted> Inner = visitLoop(*F.Body.front().getIf<For>());
      Unchanged Same(F, Tensors);
      for (Hoisted &H : Inner) {
        const bool Leaves = Same.covers(H.Value) && Same.covers(H.Entered);
        if (!Leaves)
          Same.moveIn(H.V);
        (Leaves ? Leaving : Staying).push_back(std::move(H));
      }
      for (auto H = Staying.rbegin(); H != Staying.rend(); ++H)
        F.Body.insert(F.Body.begin(), definition(*H));
    }
    const Expr Entered = binary(BinaryOp::Gt, F.Hi, F.Lo);
    for (Hoisted &H : Leaving)
      H.Entered = H.Entered ? binary(BinaryOp::And, Entered, H.Entered) : Entered;
    return Leaving;
  }

public:
  Hoister(const TensorTable &Tensors, const RegisterTiles &Tiles)
      : Tensors(Tensors), Tiles(Tiles) {}

  void visitBlock(Block &B) const {
    for (size_t I = 0; I < B.size(); ++I) {
      if (auto *F = B[I].getIf<For>()) {
        for (const Hoisted &H : visitLoop(*F))
          B.insert(B.begin() + std::ptrdiff_t(I++), definition(H));
        continue;
      }
      for (Block *Nested : nestedBlocks(B[I]))
        visitBlock(*Nested);
    }
  }
};

} // namespace

void hoistScalars(Block &Body, const TensorTable &Tensors, const RegisterTiles &Tiles) {
  Hoister(Tensors, Tiles).visitBlock(Body);
}

} // namespace septran::compiler
