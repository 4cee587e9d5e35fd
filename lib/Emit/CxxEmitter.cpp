//===- CxxEmitter.cpp - what all targets of the C family print alike ------===//
#include "Emit/CxxEmitter.h"

#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

CxxEmitter::CxxEmitter(const Program &P, Diagnostics &D, std::string Library)
    : P(P), D(D), Printer(Names, [this](const Expr &E) { return resolveTensor(E); }, std::move(Library)) {}

//===--- text -----------------------------------------------------------------===//

std::string CxxEmitter::place(const Location &Loc) {
  std::string File = Loc.File.str();
  size_t Slash = File.find_last_of('/');
  if (Slash != std::string::npos)
    File = File.substr(Slash + 1);
  return File + ":" + std::to_string(Loc.Line);
}

std::string CxxEmitter::addressText(const std::string &Pointer, const Expr &Offset) const {
  Expr Simple = wide(Offset);
  if (isConstant(Simple, 0))
    return Pointer;
  return Pointer + " + " + print(Simple).in(Binding::Sum);
}

std::string CxxEmitter::elementText(const Storage &S, const std::vector<Expr> &Indices) const {
  return S.Name + "[" + text(wide(S.offsetOf(Indices))) + "]";
}

CxxText CxxEmitter::resolveTensor(const Expr &E) const {
  if (E->Kind == ExprKind::Load)
    return elementOf(E);
  if (E->Kind == ExprKind::Extent)
    return print(storageFor(E->T).Extents[E->Dim]);
  auto Alias = Aliases.find(E->T);
  if (Alias != Aliases.end())
    return print(wide(Alias->second.origin(E->Dim)));
  return {rootOrigin(E->T, E->Dim)};
}

namespace {

/// The operations of clipped extents and block counts.
bool isClip(const Expr &E) {
  return E->Kind == ExprKind::Binary && isInteger(E->Type) &&
         (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::CeilDiv);
}

} // namespace

/// Outer values first: what is inside them may have a name too.
Expr CxxEmitter::named(const Expr &E) const {
  if (NamedValues.empty())
    return E;
  if (isClip(E)) {
    Expr Canonical = simplify(E);
    for (const auto &[Value, Name] : NamedValues)
      if (equal(Value, Canonical))
        return varExpr(Name);
  }
  std::vector<Expr> Args;
  bool Changed = false;
  for (const Expr &A : E->Args) {
    Args.push_back(named(A));
    Changed |= Args.back() != A;
  }
  return Changed ? withOperands(E, Args) : E;
}

void CxxEmitter::nameExtents(const Block &B) {
  struct Candidate {
    Expr Value;
    unsigned Count;
    std::string Hint;
    size_t Size;     ///< of the text
    size_t Position; ///< in textual order
  };
  std::vector<Candidate> Found;
  auto Computable = [this](const Expr &E) {
    bool Good = true;
    walkExprs(E, [&](const Expr &N) {
      if (N->Kind == ExprKind::Var)
        Good &= Names.known(N->V);
      else if (N->T)
        Good &= N->Kind == ExprKind::Extent && Stores.count(N->T) != 0;
    });
    return Good;
  };
  auto Add = [&](const Expr &E, const std::string &Hint) {
    if (!isClip(E) || !Computable(E))
      return;
    Expr Value = simplify(E);
    if (!isClip(Value))
      return;
    for (Candidate &C : Found)
      if (equal(C.Value, Value)) {
        ++C.Count;
        if (C.Hint.empty())
          C.Hint = Hint;
        return;
      }
    Found.push_back({Value, 1, Hint, toString(Value).size(), Found.size()});
  };
  walkStmts(B, [&](const Stmt &S) {
    if (const auto *A = S.getIf<Alloc>())
      for (size_t Dim = 0; Dim < A->Extents.size(); ++Dim)
        Add(A->Extents[Dim], A->T->Name + "_n" + std::to_string(Dim));
  });
  walkStmts(B, [&](const Stmt &S) {
    // Of a view only the extents that are asked for are printed.
    if (const auto *Def = S.getIf<Define>()) {
      for (unsigned Dim = 0; Dim < Def->T->Rank; ++Dim)
        if (UsedExtents.count({Def->T, Dim}))
          Add(Def->Value.extent(Dim), "");
      return;
    }
    forEachExpr(S, [&](const Expr &E) { walkExprs(E, [&](const Expr &N) { Add(N, ""); }); });
  });
  std::sort(Found.begin(), Found.end(), [](const Candidate &A, const Candidate &B) {
    return A.Size != B.Size ? A.Size < B.Size : A.Position < B.Position; // inner values first
  });
  for (const Candidate &C : Found) {
    bool Known = std::any_of(NamedValues.begin(), NamedValues.end(),
                             [&](const auto &N) { return equal(N.first, C.Value); });
    if (C.Count < 2 || Known)
      continue;
    VarRef V = makeVar(C.Hint.empty() ? "n" : C.Hint, ScalarType::I64, VarKind::Scalar);
    std::string Value = text(C.Value);
    W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(V) + " = " + Value +
           ";");
    NamedValues.push_back({C.Value, V});
  }
}

//===--- statements -------------------------------------------------------------===//

void CxxEmitter::findUses() {
  walkExprs(P.Body, [this](const Expr &E) {
    if (E->Kind == ExprKind::Extent)
      UsedExtents.insert({E->T, E->Dim});
    if (E->T)
      UsedTensors.insert(E->T);
  });
  walkStmts(P.Body, [this](const Stmt &S) {
    forEachView(S, [this](const View &V) { UsedTensors.insert(V.Base); });
    if (const auto *St = S.getIf<Store>())
      UsedTensors.insert(St->T);
    if (const auto *F = S.getIf<For>())
      for (const SharedReduction &R : F->Reductions)
        UsedTensors.insert(R.Target);
  });
}

void CxxEmitter::emitBlock(const Block &B) {
  size_t Known = NamedValues.size();
  nameExtents(B);
  for (const Stmt &S : B)
    emitStmt(S);
  NamedValues.erase(NamedValues.begin() + std::ptrdiff_t(Known), NamedValues.end());
}

std::string CxxEmitter::instanceComment(const InstanceInfo &I) const {
  std::string Text = I.Name;
  if (I.Name != I.Task->Name)
    Text += ": " + I.Task->Name;
  Text += " on " + I.Proc + " (" + place(I.CallLoc);
  if (I.Settings)
    Text += ", " + place(I.Settings->Name.Loc);
  return Text + ")";
}

void CxxEmitter::emitLet(const Let &L) {
  std::string Value = L.Value ? " = " + text(L.Value) : "";
  std::string Type =
      L.V->Type == ScalarType::I64 ? "std::ptrdiff_t" : std::string(cxxName(L.V->Type));
  std::string Name = Names.define(L.V);
  W.line(MaybeUnused + std::string(L.Mutable || !L.Value ? "" : "const ") + Type + " " + Name +
         Value + ";");
}

void CxxEmitter::emitIf(const If &I) {
  W.open("if (" + text(I.Condition) + ")");
  emitBlock(I.Then);
  if (!I.Else.empty()) {
    W.close(" else {", true);
    emitBlock(I.Else);
  }
  W.close();
}

void CxxEmitter::defineExtents(const TensorRef &T, Storage &S) {
  for (unsigned Dim = 0; Dim < S.Extents.size(); ++Dim) {
    S.Extents[Dim] = wide(S.Extents[Dim]);
    const Expr &E = S.Extents[Dim];
    if (!UsedExtents.count({T, Dim}) || constantValue(E) || E->Kind == ExprKind::Var)
      continue;
    VarRef V = makeVar(T->Name + "_n" + std::to_string(Dim), ScalarType::I64, VarKind::Scalar);
    std::string Value = text(E);
    if (Value.find_first_of(" (") == std::string::npos)
      continue; // it has a name already
    W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Names.define(V) + " = " + Value +
           ";");
    S.Extents[Dim] = varExpr(V);
  }
}

void CxxEmitter::emitDefine(const Define &Def, const Location &Loc) {
  Aliases[Def.T] = Def.Value;
  if (!UsedTensors.count(Def.T))
    return;
  const Storage &Base = storageFor(Def.Value.Base);
  std::optional<ViewStorage> V = storageOf(Def.Value, Base);
  if (!V) {
    D.report(DiagID::ViewCutsPanels, Loc, Def.T->Name, Def.Value.Base->Name);
    Stores[Def.T] = Base; // What follows is emitted only to find further errors.
    return;
  }
  Expr Offset = wide(V->Offset);
  if (!isConstant(Offset, 0)) {
    V->S.Name = Names.fresh(Def.T->Name + "_p");
    W.line(MaybeUnused + ("auto *const " + V->S.Name) + " = " + addressText(Base.Name, Offset) +
           ";");
  }
  defineExtents(Def.T, V->S);
  Stores[Def.T] = std::move(V->S);
}

//===--- updates ----------------------------------------------------------------===//

UpdateOp CxxEmitter::summing(UpdateOp Op) { return Op == UpdateOp::Sub ? UpdateOp::Add : Op; }

std::string CxxEmitter::identityText(UpdateOp Op, ScalarType Type) const {
  std::string Limits = "std::numeric_limits<" + std::string(cxxName(Type)) + ">::";
  switch (summing(Op)) {
  case UpdateOp::Mul:
    return isFloat(Type) ? literalText(*floatLit(1, Type)).Text : "1";
  case UpdateOp::Min:
    return Limits + (isFloat(Type) ? "infinity()" : "max()");
  case UpdateOp::Max:
    return isFloat(Type) ? "-" + Limits + "infinity()" : Limits + "lowest()";
  default:
    return isFloat(Type) ? literalText(*floatLit(0, Type)).Text : "0";
  }
}

std::string CxxEmitter::scalarCombine(UpdateOp Op, const std::string &A, const std::string &B,
                                         ScalarType Type) const {
  std::string T(cxxName(Type));
  switch (Op) {
  case UpdateOp::Set:
    return B;
  case UpdateOp::Min:
    return "std::min<" + T + ">(" + A + ", " + B + ")";
  case UpdateOp::Max:
    return "std::max<" + T + ">(" + A + ", " + B + ")";
  case UpdateOp::Add:
    return A + " + " + B;
  case UpdateOp::Sub:
    return A + " - (" + B + ")";
  case UpdateOp::Mul:
    return A + " * (" + B + ")";
  case UpdateOp::Div:
    return A + " / (" + B + ")";
  }
  return B;
}

std::string CxxEmitter::updateText(UpdateOp Op, const std::string &Target, const std::string &Value,
                       const std::string &Combined) {
  switch (Op) {
  case UpdateOp::Add:
    return Target + " += " + Value + ";";
  case UpdateOp::Sub:
    return Target + " -= " + Value + ";";
  case UpdateOp::Mul:
    return Target + " *= " + Value + ";";
  case UpdateOp::Div:
    return Target + " /= " + Value + ";";
  default:
    return Target + " = " + Combined + ";";
  }
}

} // namespace septran::compiler
