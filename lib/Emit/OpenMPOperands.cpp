//===- OpenMPOperands.cpp - what innermost loops read, held in registers --===//
//
// What an innermost loop on a register tile needs in every iteration, beside rows of which each has
// a pointer (OpenMPRows.cpp): the loop's end, where other operands begin, and how far they step.
// C++ compilers compute such numbers again in every iteration, or keep multiples of them in memory;
// cpu::in_register, behind which their origin is out of sight, has one of each in a register.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Rewrite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace septran::compiler {

static std::string held(const std::string &Value) { return "cpu::in_register(" + Value + ")"; }

/// The stride of T that is computed so, held under a name that equal ones share.
Expr OpenMPEmitter::heldStride(const TensorRef &T, const std::string &Stride,
                               std::map<std::string, VarRef> &Known) {
  VarRef &V = Known[Stride];
  if (!V)
    V = defineSize(T->Name + "_step", held(Stride));
  return varExpr(V);
}

/// Whether F is an innermost loop of a leaf on register tiles, in whose body no further lambda
/// begins.
bool OpenMPEmitter::isInnermostOnTile(const For &F) const {
  bool Innermost = !F.StaticTrip && F.Exec != LoopExec::Lanes && !partOf(F.Body).Tile, Tile = false;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *Inner = S.getIf<For>();
    Innermost &= !S.getIf<Scope>() && (!Inner || Inner->StaticTrip != 0);
    Tile |= Inner && isUnrolledTile(*Inner);
  });
  return Innermost && Tile && !Shifts;
}

/// Before F, an innermost loop of a lambda on register tiles. What the lambda has captured is
/// memory, for all that clang++ knows: it would read the loop's end, pointers and strides again in
/// every iteration.
std::map<TensorRef, Storage> OpenMPEmitter::holdOperands(const For &F, std::string &End) {
  std::map<TensorRef, Storage> Saved;
  if (!InLambda || !isInnermostOnTile(F))
    return Saved;
  // Extents are numbers in code for exact sizes.
  auto isNumber = [](llvm::StringRef Text) { return llvm::all_of(Text, llvm::isDigit); };
  std::set<VarRef> Moving = definedIn(F.Body).Vars;
  std::set<TensorRef> FromFirst; // views and pointers to rows begin where the tensor does
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Assign>())
      Moving.insert(A->V);
    forEachView(S, [&](const View &V) { FromFirst.insert(V.Base); });
  });
  Moving.insert(F.V);
  Substitution First;
  for (const VarRef &V : Moving)
    First.Vars[V] = intLit(0);
  auto moves = [&](const Expr &E) {
    return llvm::any_of(collectVars(E), [&](const VarRef &V) { return Moving.count(V) != 0; });
  };
  auto isGathered = [](const Expr &Load) {
    return llvm::any_of(Load->Args, [](const Expr &Index) {
      bool Found = false;
      walkExprs(Index, [&](const Expr &E) { Found |= E->Kind == ExprKind::Load; });
      return Found;
    });
  };
  for (const RowPointers &R : Rows)
    FromFirst.insert(R.T);
  std::map<std::string, VarRef> Strides;
  walkExprs(F.Body, [&](const Expr &E) {
    const auto Found = E->Kind == ExprKind::Load ? Stores.find(E->T) : Stores.end();
    if (Found == Stores.end() || Found->second.IsTile || Found->second.Line ||
        FromFirst.count(E->T) || isGathered(E) || !Saved.try_emplace(E->T, Found->second).second)
      return;
    Storage &S = Found->second;
    std::vector<Expr> Indices;
    for (size_t Dim = 0; Dim < E->Args.size(); ++Dim) {
      Indices.push_back(substitute(E->Args[Dim], First));
      const std::string Stride = text(wide(S.Strides[Dim]));
      if (isNumber(Stride) || !moves(E->Args[Dim]))
        continue;
      S.Strides[Dim] = heldStride(E->T, Stride, Strides);
    }
    const std::string Pointer = Names.fresh(E->T->Name + "_from");
    S.Origin = wide(S.offsetOf(Indices));
    W.line("auto *const " + Pointer + " = " + held(addressText(S.Name, S.Origin)) + ";");
    S.Name = Pointer;
  });
  if (Strides.size() == 1)
    emitGroupedRows(F, Saved);
  if (!isNumber(End))
    End = Names.name(defineSize(F.V->Name + "_end", held(End)));
  return Saved;
}

/// Before F, a loop that is spelled out although it does not run over a register tile: in every
/// iteration of the loops around, what it reads lies at other multiples of a few distances. g++
/// would compute all of them once, and read them from the stack for every access.
std::map<TensorRef, Storage> OpenMPEmitter::hideStrides(const For &F) {
  std::map<TensorRef, Storage> Saved;
  auto IsSpelledOut = [](const For &L) { return L.Exec == LoopExec::Unrolled && L.StaticTrip > 1; };
  if (!IsSpelledOut(F) || (!Loops.empty() && IsSpelledOut(*Loops.back())))
    return Saved;
  bool OverTile = false;
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *St = S.getIf<Store>())
      for (const Expr &I : St->Indices)
        OverTile |= mentions(I, F.V);
  });
  if (OverTile)
    return Saved;
  std::map<std::string, VarRef> Hidden;
  walkExprs(F.Body, [&](const Expr &E) {
    const auto Found = E->Kind == ExprKind::Load ? Stores.find(E->T) : Stores.end();
    if (Found == Stores.end() || Found->second.IsTile || Found->second.Line ||
        !Saved.try_emplace(E->T, Found->second).second)
      return;
    for (Expr &Stride : Found->second.Strides)
      if (!constantValue(Stride))
        Stride = heldStride(E->T, text(wide(Stride)), Hidden);
  });
  return Saved;
}

} // namespace septran::compiler
