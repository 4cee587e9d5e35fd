//===- CheckPrivileges.cpp - what a task and a leaf may do ----------*- C++ -*-===//
#include "IR/Rewrite.h"
#include "Logic/Checks.h"

#include <map>
#include <set>

namespace septran::compiler {

namespace {

std::string describe(const Parameter &P) {
  if (P.Access != Privilege::Reduce)
    return "read-only";
  return "reduced by \"" + std::string(reductionName(P.Reduction)) + '"';
}

class TaskChecker {
  const Function &Task;
  Diagnostics &D;
  std::map<TensorRef, const Parameter *> Params;
  std::map<TensorRef, TensorRef> Roots; ///< of aliases
  std::set<TensorRef> Unwritten; ///< write-only parameters and locals before their first write

  TensorRef rootOf(const TensorRef &T) const {
    auto It = Roots.find(T);
    return It == Roots.end() ? T : It->second;
  }

  void check(const Launch &L, bool Guarded) {
    std::set<TensorRef> Written;
    for (size_t I = 0; I < L.Args.size(); ++I) {
      if (!L.Args[I].isTensor())
        continue;
      const Parameter &Child = L.Callee->Params[I];
      const TensorRef Root = rootOf(L.Args[I].Tensor.Base);
      const Location &Where = L.Args[I].Tensor.Loc;
      auto Own = Params.find(Root);
      if (Own != Params.end() && exceeds(Child, *Own->second))
        D.report(DiagID::PrivilegeExceeded, Where, L.Callee->Name,
                 writes(Child.Access) && Own->second->Access == Privilege::Read ? 0 : 1, Root->Name,
                 describe(*Own->second), Task.Name)
            .note(DiagID::NoteDeclared, Child.Loc, Child.Name);
      if (Child.Access != Privilege::Write && !Guarded && Unwritten.contains(Root)) {
        auto &Error = D.report(DiagID::ReadBeforeWrite, Where, L.Callee->Name, Root->Name,
                               Root->Kind == TensorKind::Local);
        if (Child.Access == Privilege::ReadWrite)
          Error.note(DiagID::NoteReadWrite, Child.Loc, Child.Name);
      }
      if (writes(Child.Access))
        Written.insert(Root);
    }
    for (const TensorRef &T : Written)
      Unwritten.erase(T);
  }

  static bool exceeds(const Parameter &Child, const Parameter &Own) {
    switch (Own.Access) {
    case Privilege::Read:
      return writes(Child.Access);
    case Privilege::Reduce:
      return Child.Access != Privilege::Reduce || Child.Reduction != Own.Reduction;
    case Privilege::ReadWrite:
    case Privilege::Write:
      return false;
    }
    return false;
  }

public:
  TaskChecker(const Function &Task, Diagnostics &D) : Task(Task), D(D) {}

  void run() {
    for (const Parameter &P : Task.Params) {
      if (!P.isTensor())
        continue;
      Params[P.Tensor] = &P;
      if (P.Access == Privilege::Write)
        Unwritten.insert(P.Tensor);
    }
    visit(Task.Body, false, false);
  }

private:
  /// A condition inside a loop may hold back a read until a later iteration than that of the write.
  void visit(const Block &B, bool InLoop, bool Guarded) {
    for (const Stmt &S : B) {
      if (const auto *Alias = S.getIf<Define>())
        Roots[Alias->T] = rootOf(Alias->Value.Base);
      else if (const auto *Owned = S.getIf<Local>())
        Unwritten.insert(Owned->T);
      else if (const auto *L = S.getIf<Launch>())
        check(*L, Guarded);
      for (const Block *Inner : nestedBlocks(S))
        visit(*Inner, InLoop || S.getIf<For>(), Guarded || (InLoop && S.getIf<If>()));
    }
  }
};

class LeafChecker {
  const Function &Leaf;
  Diagnostics &D;
  std::map<TensorRef, const Parameter *> Guarded; ///< write-only ones before their first write, and
                                                  ///< reduce-only ones
  unsigned Guards = 0;                            ///< conditions around what is looked at

  void load(const Expr &E) {
    if (E->Kind == ExprKind::Load)
      access(E->T, std::nullopt, E->Loc);
    for (const Expr &Operand : E->Args) {
      // Only the condition of `c ? a : b` is certain to be evaluated.
      Guards += E->Kind == ExprKind::Select && Operand != E->Args.front();
      load(Operand);
      Guards -= E->Kind == ExprKind::Select && Operand != E->Args.front();
    }
  }

  void access(const TensorRef &T, std::optional<UpdateOp> Op, const Location &Where) {
    auto It = Guarded.find(T);
    if (It == Guarded.end())
      return;
    const Parameter &P = *It->second;
    if (P.Access == Privilege::Reduce) {
      const bool Adds = P.Reduction == UpdateOp::Add && Op == UpdateOp::Sub;
      if (Op != P.Reduction && !Adds)
        D.report(DiagID::LeafReduceOnly, Where, P.Name, spelling(P.Reduction))
            .note(DiagID::NoteDeclared, P.Loc, P.Name);
      return;
    }
    if (Guards > 0 && Op != UpdateOp::Set)
      return; // a later iteration's, perhaps
    if (Op != UpdateOp::Set)
      D.report(DiagID::LeafReadBeforeWrite, Where, P.Name)
          .note(DiagID::NoteDeclared, P.Loc, P.Name);
    Guarded.erase(It); // written now, or reported
  }

public:
  LeafChecker(const Function &Leaf, Diagnostics &D) : Leaf(Leaf), D(D) {}

  void run() {
    for (const Parameter &P : Leaf.Params)
      if (P.isTensor() && (P.Access == Privilege::Write || P.Access == Privilege::Reduce))
        Guarded[P.Tensor] = &P;
    if (Guarded.empty())
      return;
    visit(Leaf.Body);
  }

private:
  void visit(const Block &B) {
    for (const Stmt &S : B) {
      forEachExpr(S, [&](const Expr &E) { load(E); });
      if (const auto *St = S.getIf<Store>())
        access(St->T, St->Op, S.Loc);
      Guards += S.getIf<If>() != nullptr;
      for (const Block *Inner : nestedBlocks(S))
        visit(*Inner);
      Guards -= S.getIf<If>() != nullptr;
    }
  }
};

} // namespace

void checkPrivileges(const Function &Task, Diagnostics &D) { TaskChecker(Task, D).run(); }

void checkLeafAccesses(const Function &Leaf, Diagnostics &D) { LeafChecker(Leaf, D).run(); }

} // namespace septran::compiler
