//===- PrimitiveForm.cpp - what a primitive of a machine file means -------===//
#include "Plan/PrimitiveForm.h"

#include "IR/Affine.h"
#include "IR/Parse.h"
#include "IR/Rewrite.h"

#include <algorithm>

namespace septran::compiler {

const PrimitiveOperand *PrimitiveForm::operandOf(const TensorRef &T) const {
  for (const PrimitiveOperand &O : Operands)
    if (O.T && O.T == T)
      return &O;
  return nullptr;
}

const PrimitiveOperand *PrimitiveForm::operandOf(const VarRef &V) const {
  for (const PrimitiveOperand &O : Operands)
    if (O.Scalar && O.Scalar == V)
      return &O;
  return nullptr;
}

namespace {

class Reader {
  const Primitive &P;
  Diagnostics &D;
  PrimitiveForm Result;
  ParseNames Names;

public:
  Reader(const Primitive &P, Diagnostics &D) : P(P), D(D) { Result.Source = &P; }

  std::optional<PrimitiveForm> run() {
    for (const auto &S : P.Sizes) {
      VarRef V = makeVar(S.Name.Value, ScalarType::I64, VarKind::Parameter, S.Name.Loc);
      Result.Sizes.Entries.push_back({S.Name, {V, S.Name.Loc}});
      Names.Scalars[S.Name.Value] = varExpr(V);
    }
    for (const Operand &O : P.Operands)
      if (!addOperand(O))
        return std::nullopt;
    std::optional<Block> Body = parse();
    if (!Body)
      return std::nullopt;
    std::variant<LeafForm, NoLeafForm> Form = leafForm(*Body, TensorTable(*Body));
    if (const auto *Why = std::get_if<NoLeafForm>(&Form)) {
      fail(Why->Reason, Why->Loc);
      return std::nullopt;
    }
    Result.Form = std::get<LeafForm>(std::move(Form));
    if (!Result.Form.Prologue.empty()) {
      fail("a definition stands before the loops", P.Semantics.Loc);
      return std::nullopt;
    }
    return checkLoops() && noteAccesses() ? std::optional(std::move(Result)) : std::nullopt;
  }

private:
  bool fail(std::string_view Why, const Location &Loc) {
    D.report(DiagID::PrimitiveSemantics, Loc.isValid() ? Loc : P.Semantics.Loc, P.Name.Value, Why);
    return false;
  }

  bool addOperand(const Operand &O) {
    std::string_view Type = O.DType.Value;
    constexpr std::string_view Qualifier = "const ";
    const bool Const = Type.starts_with(Qualifier);
    if (Const)
      Type.remove_prefix(Qualifier.size());
    std::optional<ScalarType> Element = parseScalarType(Type);
    if (!Element)
      return fail("operand '" + O.Name.Value + "' has unknown dtype '" + std::string(Type) + "'",
                  O.DType.Loc);
    PrimitiveOperand New;
    New.Spec = &O;
    New.Element = *Element;
    if (O.Shape.empty() && Const) {
      New.Scalar = makeVar(O.Name.Value, *Element, VarKind::Parameter, O.Name.Loc);
      Names.Scalars[O.Name.Value] = varExpr(New.Scalar);
    } else {
      New.T = makeTensor(O.Name.Value, *Element, static_cast<unsigned>(O.Shape.size()),
                         TensorKind::Parameter, O.Name.Loc);
      New.T->Const = Const;
      Names.Tensors[O.Name.Value] = New.T;
    }
    Result.Operands.push_back(std::move(New));
    return true;
  }

  std::optional<Block> parse() {
    const Location &Loc = P.Semantics.Loc;
    std::optional<Block> Body =
        parseLoopNest(P.Semantics.Value, Names, {Loc.File, Loc.Line, Loc.Column}, D);
    if (Body)
      rewriteExprs(*Body, [&](const Expr &E) -> Expr {
        if (E->Kind != ExprKind::Extent)
          return nullptr;
        const OperandExtent &Extent = Result.operandOf(E->T)->Spec->Shape[E->Dim].Value;
        return Extent.Symbol.empty() ? intLit(Extent.Value) : Names.Scalars.at(Extent.Symbol);
      });
    return Body;
  }

  bool isSize(const Expr &E) const {
    return E->Kind == ExprKind::Var &&
           std::any_of(Result.Sizes.begin(), Result.Sizes.end(),
                       [&](const auto &S) { return S.Value.Value == E->V; });
  }

  bool checkLoops() {
    for (const FormLoop &L : Result.Form.Loops) {
      const std::string Name = "loop '" + L.V->Name + "'";
      if (L.Facts.Class == LoopClass::Sequential)
        return fail(Name + " runs in order, because " + L.Facts.Reason, L.Loc);
      std::optional<std::int64_t> Count = constantValue(L.Extent);
      if (!(Count && *Count > 0) && !isSize(L.Extent))
        return fail(Name + " runs to '" + toString(L.Extent) +
                        "'; expected a positive number or one of the sizes",
                    L.Loc);
    }
    return true;
  }

  bool noteAccess(const TensorRef &T, const std::vector<Expr> &Indices, bool Written, bool Read,
                  const Location &Loc) {
    for (const Expr &Index : Indices) {
      Affine Form = *affineForm(Index);
      for (const auto &[Atom, C] : Form.Terms)
        if (C < 0 || std::none_of(Result.Form.Loops.begin(), Result.Form.Loops.end(),
                                  [&](const FormLoop &L) { return L.V == Atom->V; }))
          return fail("index '" + toString(Index) + "' is no sum of multiples of loops", Loc);
      if (Form.Constant < 0)
        return fail("index '" + toString(Index) + "' starts below 0", Loc);
    }
    for (PrimitiveOperand &O : Result.Operands)
      if (O.T == T) {
        O.Accesses.push_back(Indices);
        O.Written |= Written;
        O.Read |= Read;
      }
    return true;
  }

  bool noteAccesses() {
    bool Good = true;
    for (const FormStmt &S : Result.Form.Stmts) {
      Good = Good && noteAccess(S.T, S.Indices, true, S.Op != UpdateOp::Set, S.Loc);
      walkExprs(S.Value, [&](const Expr &E) {
        if (E->Kind == ExprKind::Load)
          Good = Good && noteAccess(E->T, E->Args, false, true, S.Loc);
        for (PrimitiveOperand &O : Result.Operands)
          O.Read |= O.isScalar() && E->Kind == ExprKind::Var && E->V == O.Scalar;
      });
    }
    for (const PrimitiveOperand &O : Result.Operands)
      if (Good && !O.Read && !O.Written)
        Good = fail("operand '" + O.Spec->Name.Value + "' does not occur", O.Spec->Name.Loc);
    return Good;
  }
};

} // namespace

std::optional<PrimitiveForm> primitiveForm(const Primitive &P, Diagnostics &D) {
  return Reader(P, D).run();
}

} // namespace septran::compiler
