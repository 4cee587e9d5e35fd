//===- LeafForm.cpp - what a loop nest computes ---------------------------===//
//
// One walk in textual order. Every step returns false after the first thing that has no normal
// form; what it was is kept in Why.
//
//===----------------------------------------------------------------------===//
#include "Plan/LeafForm.h"

#include "IR/Affine.h"
#include "IR/Print.h"
#include "IR/Rewrite.h"
#include "Plan/LeafValue.h"
#include "Plan/NormalLoops.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace septran::compiler {

namespace {

bool isNumber(const Expr &E, double Value) {
  if (E->Kind == ExprKind::FloatLit)
    return E->Float == Value;
  return E->Kind == ExprKind::IntLit && static_cast<double>(E->Int) == Value;
}

} // namespace

bool isNeutral(UpdateOp Op, const Expr &Value) {
  switch (Op) {
  case UpdateOp::Add:
    return isNumber(Value, 0);
  case UpdateOp::Mul:
    return isNumber(Value, 1);
  case UpdateOp::Min:
    return isNumber(Value, INFINITY);
  case UpdateOp::Max:
    return isNumber(Value, -INFINITY);
  default:
    return false;
  }
}

namespace {

UpdateOp withoutSub(UpdateOp Op) { return Op == UpdateOp::Sub ? UpdateOp::Add : Op; }

std::string quoted(std::string_view Text) { return "'" + std::string(Text) + "'"; }

bool hasLoad(const Expr &E) {
  bool Found = false;
  walkExprs(E, [&](const Expr &Part) { Found |= Part->Kind == ExprKind::Load; });
  return Found;
}

bool readsVar(const Stmt &S, const VarRef &V) {
  bool Found = false;
  walkExprs(S, [&](const Expr &Part) { Found |= Part->Kind == ExprKind::Var && Part->V == V; });
  return Found;
}

/// The element that a scalar stands for while it accumulates.
struct Element {
  TensorRef T;
  std::vector<Expr> Indices; ///< in the variables of the form
  ScalarType Sum;            ///< as in FormStmt
};

class FormBuilder {
  const TensorTable &Tensors;
  Substitution Known; ///< loop variables by those of the form, definitions by their values
  std::vector<unsigned> Around; ///< loops around the current statement
  std::map<VarRef, Element> Accumulators;
  std::set<VarRef> Assigned;       ///< scalars that are assigned somewhere
  std::set<VarRef> Locals;         ///< scalars defined after the prologue
  std::set<const Stmt *> Consumed; ///< stores of accumulators, dealt with at their definition

public:
  LeafForm Form;
  NoLeafForm Why;

  explicit FormBuilder(const TensorTable &Tensors) : Tensors(Tensors) {}

  bool run(const Block &Body) {
    walkStmts(Body, [this](const Stmt &S) {
      if (const auto *A = S.getIf<Assign>())
        Assigned.insert(A->V);
    });
    size_t First = 0;
    while (First < Body.size() && isPrologue(Body[First]))
      Form.Prologue.push_back(Body[First++]);
    walkStmts(Block(Body.begin() + First, Body.end()), [this](const Stmt &S) {
      if (const auto *L = S.getIf<Let>())
        Locals.insert(L->V);
    });
    if (!block(Body, First))
      return false;
    if (Form.Stmts.empty())
      return fail("it updates no element", Body.empty() ? Location() : Body.front().Loc);
    normaliseLoops(Form);
    return sharedLoopsMayBeSplit();
  }

private:
  bool fail(std::string Reason, const Location &Loc) {
    Why = {std::move(Reason), Loc};
    return false;
  }

  bool isPrologue(const Stmt &S) const {
    if (const auto *L = S.getIf<Let>())
      return L->Value && !Assigned.count(L->V);
    return S.getIf<Define>() || S.getIf<Alloc>() || S.getIf<CopyStmt>();
  }

  bool block(const Block &B, size_t First = 0) {
    for (size_t I = First; I < B.size(); ++I)
      if (!Consumed.count(&B[I]) && !statement(B, I))
        return false;
    return true;
  }

  bool statement(const Block &B, size_t At) {
    const Stmt &S = B[At];
    if (const auto *F = S.getIf<For>())
      return loop(*F, S.Loc);
    if (const auto *St = S.getIf<Store>()) {
      std::optional<std::vector<Expr>> Indices = indices(St->Indices, S.Loc);
      return Indices &&
             update({St->T, std::move(*Indices), St->T->Element}, St->Op, St->Value, S.Loc);
    }
    if (const auto *L = S.getIf<Let>())
      return Assigned.count(L->V) ? accumulator(*L, B, At) : definition(*L, B, At);
    if (const auto *A = S.getIf<Assign>()) {
      auto Found = Accumulators.find(A->V);
      if (Found == Accumulators.end())
        return carries(A->V, S.Loc);
      return update(Found->second, A->Op, A->Value, S.Loc);
    }
    if (S.getIf<If>())
      return fail("it has a condition", S.Loc);
    return fail("it does more than update elements in loops", S.Loc);
  }

  //===--- loops --------------------------------------------------------------===//

  bool mentionsLoop(const Expr &E) const {
    return std::any_of(Form.Loops.begin(), Form.Loops.end(),
                       [&](const FormLoop &L) { return mentions(E, L.V); });
  }

  /// Names a scalar that has not been replaced by its value.
  bool mentionsLocal(const Expr &E) const {
    return std::any_of(Locals.begin(), Locals.end(),
                       [&](const VarRef &V) { return mentions(E, V); });
  }

  bool loop(const For &F, const Location &Loc) {
    Expr Lo = substitute(F.Lo, Known), Hi = substitute(F.Hi, Known);
    for (const Expr &Bound : {Lo, Hi})
      if (mentionsLoop(Bound) || mentionsLocal(Bound) || hasLoad(Bound))
        return fail("loop " + quoted(F.V->Name) + " does not run to the same bounds each time",
                    Loc);
    FormLoop L;
    L.Loc = Loc;
    L.Facts = analyzeLoop(F, Tensors);
    L.Extent = simplify(Hi - Lo);
    if (F.Step != 1)
      L.Extent = ceilDiv(maxExpr(L.Extent, intLit(0)), intLit(F.Step));
    if (isConstant(Lo, 0) && F.Step == 1) {
      L.V = F.V;
    } else {
      L.V = makeVar(F.V->Name, F.V->Type, VarKind::Loop, F.V->Loc);
      Known.Vars[F.V] = Lo + varExpr(L.V) * intLit(F.Step);
    }
    Around.push_back(static_cast<unsigned>(Form.Loops.size()));
    Form.Loops.push_back(std::move(L));
    bool Good = block(F.Body);
    Around.pop_back();
    return Good;
  }

  /// Each of several updates in a loop may get a loop of its own.
  bool sharedLoopsMayBeSplit() {
    for (unsigned I = 0; I < Form.Loops.size(); ++I) {
      const FormLoop &L = Form.Loops[I];
      auto Uses = std::count_if(Form.Stmts.begin(), Form.Stmts.end(), [&](const FormStmt &S) {
        return std::find(S.Loops.begin(), S.Loops.end(), I) != S.Loops.end();
      });
      if (Uses > 1 && L.Facts.Class == LoopClass::Sequential)
        return fail("loop " + quoted(L.V->Name) + " runs several updates in order, because " +
                        L.Facts.Reason,
                    L.Loc);
    }
    return true;
  }

  //===--- updates ------------------------------------------------------------===//

  bool carries(const VarRef &V, const Location &Loc) {
    return fail("scalar " + quoted(V->Name) + " carries a value from statement to statement", Loc);
  }

  std::optional<std::vector<Expr>> indices(const std::vector<Expr> &Written, const Location &Loc) {
    std::vector<Expr> Result;
    for (const Expr &E : Written) {
      Expr Index = simplify(substitute(E, Known));
      std::optional<Affine> A = affineForm(Index);
      bool IsAffine = A && !hasLoad(Index) && !mentionsLocal(Index);
      for (const FormLoop &L : Form.Loops)
        IsAffine = IsAffine && coefficientOf(*A, L.V);
      if (!IsAffine) {
        fail("index " + quoted(toString(Index)) + " is not linear in the loops", Loc);
        return std::nullopt;
      }
      Result.push_back(std::move(Index));
    }
    return Result;
  }

  /// What the form can say of a value: its loads are at linear indices, its scalars are constant.
  bool check(const Expr &E, const Location &Loc) {
    if (E->Kind == ExprKind::Var && Locals.count(E->V))
      return carries(E->V, Loc);
    if (E->Kind == ExprKind::Load)
      return indices(E->Args, Loc).has_value();
    return std::all_of(E->Args.begin(), E->Args.end(),
                       [&](const Expr &A) { return check(A, Loc); });
  }

  bool update(Element Target, UpdateOp Op, const Expr &Written, const Location &Loc) {
    Expr Value = substitute(Written, Known);
    if (!check(Value, Loc))
      return false;
    const ScalarType Type = Target.Sum;
    if (Op == UpdateOp::Set) {
      Update U = asUpdate(load(Target.T, Target.Indices), normalValue(Value->Type, Value));
      Op = U.Op;
      Value = U.Value;
    }
    FormStmt S;
    S.Compute = Op == UpdateOp::Set ? Type : commonType(Type, Value->Type);
    // Integers narrower than int are promoted and cut back, which leaves what the type itself
    // computes.
    if (isInteger(Type) && holdsExactly(Type, Value->Type) && Op != UpdateOp::Div)
      S.Compute = Type;
    if (Op == UpdateOp::Sub)
      Value = unary(UnaryOp::Neg, valueAs(S.Compute, Value));
    S.Value = normalValue(S.Compute, Value);
    S.Op = withoutSub(Op);
    S.Loops = Around;
    S.T = Target.T;
    S.Sum = Type;
    S.Indices = std::move(Target.Indices);
    S.Loc = Loc;
    Form.Stmts.push_back(std::move(S));
    return true;
  }

  //===--- definitions --------------------------------------------------------===//

  bool writesWhatIsRead(const Stmt &S, const Expr &Value) const {
    Effects E = effectsOf(S, Tensors);
    bool Found = false;
    walkExprs(Value, [&](const Expr &Part) {
      Found |= Part->Kind == ExprKind::Load && E.Writes.count(Tensors.root(Part->T));
    });
    return Found;
  }

  /// The value takes the name's place, if what it reads is not written in between.
  bool definition(const Let &L, const Block &B, size_t At) {
    if (!L.Value)
      return fail("scalar " + quoted(L.V->Name) + " has no value", B[At].Loc);
    Expr Value = substitute(L.Value, Known);
    bool Written = false;
    for (size_t I = At + 1; I < B.size(); ++I) {
      bool Writes = writesWhatIsRead(B[I], Value);
      // A store reads before it writes; in a loop the next iteration reads again.
      if (mentions(B[I], L.V) && (Written || (Writes && !B[I].getIf<Store>())))
        return fail("what " + quoted(L.V->Name) + " was read from is written before its use",
                    B[I].Loc);
      Written |= Writes;
    }
    Known.Vars[L.V] = std::move(Value);
    return true;
  }

  //===--- accumulators -------------------------------------------------------===//

  /// `acc = start; for (...) acc op= e; T(...) = acc;` updates T(...) itself.
  bool accumulator(const Let &L, const Block &B, size_t At) {
    const std::string Name = "scalar " + quoted(L.V->Name);
    auto Reads = [&](const Stmt &S) { return S.getIf<Store>() && readsVar(S, L.V); };
    size_t End = std::find_if(B.begin() + At + 1, B.end(), Reads) - B.begin();
    if (End == B.size())
      return fail(Name + " is not stored in one element", B[At].Loc);
    const Store &Final = *B[End].getIf<Store>();
    const ScalarType Sum = L.V->Type, Type = Final.T->Element;
    Expr Stored = normalValue(Type, Final.Value);
    const bool Converts =
        Sum != Type && Final.Op == UpdateOp::Set && Stored->Kind == ExprKind::Cast;
    if (Converts)
      Stored = Stored->Args[0];
    if (Sum != Type && !Converts)
      return fail(Name + " accumulates in " + std::string(shortName(Sum)) + ", " +
                      quoted(Final.T->Name) + " is " + std::string(shortName(Type)),
                  B[End].Loc);
    if (Stored->Kind != ExprKind::Var || Stored->V != L.V)
      return fail(Name + " is changed on its way to " + quoted(Final.T->Name), B[End].Loc);
    for (size_t I = At + 1; I < End; ++I)
      if (!accumulates(B[I], L.V, Final))
        return false;
    for (size_t I = End + 1; I < B.size(); ++I)
      if (mentions(B[I], L.V))
        return fail(Name + " is used again after it is stored", B[I].Loc);
    std::optional<std::vector<Expr>> Indices = indices(Final.Indices, B[End].Loc);
    if (!Indices)
      return false;
    Element Target = {Final.T, std::move(*Indices), Sum};
    Accumulators[L.V] = Target;
    Consumed.insert(&B[End]);
    if (Final.Op == UpdateOp::Set)
      return !L.Value || update(std::move(Target), UpdateOp::Set, L.Value, B[At].Loc);
    if (!L.Value || !isNeutral(Final.Op, L.Value))
      return fail(Name + " does not start at what is neutral for " + quoted(spelling(Final.Op)),
                  B[At].Loc);
    return true;
  }

  /// S may stand between the definition of V and `Final`, which stores it.
  bool accumulates(const Stmt &S, const VarRef &V, const Store &Final) {
    const std::string Name = "scalar " + quoted(V->Name);
    if (readsVar(S, V))
      return fail(Name + " is read while it accumulates", S.Loc);
    Effects E = effectsOf(S, Tensors);
    TensorRef Root = Tensors.root(Final.T);
    if (E.Reads.count(Root) || E.Writes.count(Root))
      return fail(quoted(Final.T->Name) + " is used while " + Name + " accumulates", S.Loc);
    bool Good = true;
    walkStmts(Stmts(S), [&](const Stmt &Inner) {
      const auto *A = Inner.getIf<Assign>();
      if (A && A->V == V && Final.Op != UpdateOp::Set && withoutSub(A->Op) != Final.Op)
        Good = fail(Name + " accumulates by " + quoted(spelling(A->Op)) + " and is stored by " +
                        quoted(spelling(Final.Op)),
                    Inner.Loc);
    });
    return Good;
  }
};

} // namespace

std::variant<LeafForm, NoLeafForm> leafForm(const Block &Body, const TensorTable &Tensors) {
  FormBuilder Builder(Tensors);
  if (Builder.run(Body))
    return std::move(Builder.Form);
  return std::move(Builder.Why);
}

//===--- text -----------------------------------------------------------------===//

namespace {

std::string textOf(const FormStmt &S, NameTable &Names) {
  std::string Target = toString(load(S.T, S.Indices), Names);
  if (S.Op == UpdateOp::Min || S.Op == UpdateOp::Max)
    return Target + " = " + std::string(spelling(*combiningOp(S.Op))) + "(" + Target + ", " +
           toString(S.Value, Names) + ")";
  bool Subtracts =
      S.Op == UpdateOp::Add && S.Value->Kind == ExprKind::Unary && S.Value->Un == UnaryOp::Neg;
  const std::string In = S.Sum == S.T->Element ? "" : " in " + std::string(shortName(S.Sum));
  return Target + " " + std::string(spelling(Subtracts ? UpdateOp::Sub : S.Op)) + " " +
         toString(Subtracts ? S.Value->Args[0] : S.Value, Names) + In;
}

} // namespace

std::string toString(const FormStmt &S) {
  NameTable Names;
  return textOf(S, Names);
}

std::string toString(const LeafForm &F) {
  NameTable Names;
  std::string Text;
  for (const FormStmt &S : F.Stmts)
    Text += (Text.empty() ? "" : "; ") + textOf(S, Names);
  return Text;
}

} // namespace septran::compiler
