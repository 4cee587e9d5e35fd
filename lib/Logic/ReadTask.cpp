//===- ReadTask.cpp - bodies of tasks -------------------------------*- C++ -*-===//
#include "IR/Canonical.h"
#include "Logic/BodyReader.h"
#include "Logic/ReadFunction.h"

#include "clang/AST/ASTContext.h"

#include <map>

using namespace clang;

namespace septran::compiler {

namespace {

class TaskReader : public BodyReader {
public:
  TaskReader(const FunctionDecl &Definition, Function &F, FunctionTable &Table, ASTContext &Ast,
             const Locations &Places, Diagnostics &D)
      : BodyReader(Ast, Places, /*InLeaf=*/false), Definition(Definition), F(F), Table(Table),
        D(D) {}

  void run();

private:
  bool declaration(const VarDecl *V, Block &Out) override;
  bool expression(const clang::Expr *E, Block &Out) override;
  bool recover() override;
  TensorRef named(View V, const clang::Expr *E) override;

  bool tunable(const VarDecl *V, const Block &Out);
  bool local(const VarDecl *V, Block &Out);
  bool alias(const VarDecl *V, Block &Out);
  void define(const TensorRef &T, View V, Block &Out);
  bool launch(const CallExpr *E, const FunctionDecl &Callee, Block &Out);

  const FunctionDecl &Definition;
  Function &F;
  FunctionTable &Table;
  Diagnostics &D;
  std::map<std::string, unsigned> Sites; ///< by name: a mapping numbers what the user sees
};

void TaskReader::run() {
  for (unsigned I = 0; I < F.Params.size(); ++I) {
    const Parameter &P = F.Params[I];
    if (P.isTensor())
      bind(Definition.getParamDecl(I), wholeView(P.Tensor));
    else
      bind(Definition.getParamDecl(I), varExpr(P.Scalar));
  }
  functionBody(Definition.getBody(), F.Body);
}

bool TaskReader::recover() {
  const std::optional<Failure> &Failed = failure();
  // A failure without words is a consequence of one that was reported.
  if (Failed && (!Failed->What.empty() || Failed->ID != DiagID::NotInTask)) {
    const Location Where = Places.range(Failed->Range);
    switch (Failed->ID) {
    case DiagID::NotInTask:
      D.report(DiagID::NotInTask, Where, Failed->What, Failed->Hint);
      break;
    case DiagID::NotALaunch:
      D.report(DiagID::NotALaunch, Where, Failed->What);
      break;
    default:
      D.report(Failed->ID, Where);
      break;
    }
  }
  clearFailure();
  return true;
}

TensorRef TaskReader::named(View V, const clang::Expr *E) {
  if (V.isWhole())
    return V.Base;
  TensorRef T = makeTensor(V.Base->Name, V.Base->Element, V.rank(), TensorKind::Alias,
                           Places.point(E->getExprLoc()));
  T->Const = V.Base->Const || V.Fill;
  define(T, std::move(V), *Current);
  return T;
}

void TaskReader::define(const TensorRef &T, View V, Block &Out) {
  List Extents;
  for (unsigned D = 0; D < V.rank(); ++D)
    Extents.push_back(V.extent(D));
  setExtents(T, std::move(Extents));
  Out.push_back({Define{T, std::move(V)}, T->Loc});
}

bool TaskReader::declaration(const VarDecl *V, Block &Out) {
  if (findAttribute(V, AttributeKind::Tunable))
    return tunable(V, Out);
  if (!V->hasLocalStorage()) {
    if (V->isConstexpr() || V->getType().isConstQualified())
      return true; // its value is known where it is used
    fail(V->getSourceRange(), "a static variable");
    return false;
  }
  if (!V->getInit()) {
    fail(V->getSourceRange(), "a variable without a value");
    return false;
  }
  switch (classify(V->getType())) {
  case TypeKind::Local:
    return local(V, Out);
  case TypeKind::Tensor:
    return alias(V, Out);
  case TypeKind::Partition:
  case TypeKind::Windows:
    if (std::optional<Grid> G = grid(V->getInit())) {
      bind(V, *G);
      return true;
    }
    return false;
  case TypeKind::Extents:
    if (isAssigned(V)) {
      fail(V->getSourceRange(), "a list of extents that is assigned again");
      return false;
    }
    if (std::optional<List> L = list(V->getInit())) {
      bind(V, *L);
      return true;
    }
    return false;
  case TypeKind::Scalar:
    break;
  default:
    fail(V->getSourceRange(), "a variable of type '" + spell(V->getType(), Ast) + "'",
         "variables are scalars, locals, views and partitions");
    return false;
  }
  if (isAssigned(V)) {
    fail(V->getSourceRange(),
         "the variable '" + V->getNameAsString() + "', which is assigned again",
         "scalars of a task are constants");
    return false;
  }
  Expr Init = scalar(V->getInit());
  if (!Init)
    return false;
  if (bindStable(V, Init))
    return true;
  VarRef Scalar = variableFor(V, VarKind::Scalar);
  bind(V, varExpr(Scalar));
  Out.push_back({Let{Scalar, cast(Scalar->Type, Init), /*Mutable=*/false}, Scalar->Loc});
  return true;
}

bool TaskReader::tunable(const VarDecl *V, const Block &Out) {
  auto Reject = [&](unsigned Why) {
    D.report(DiagID::TunableForm, Places.range(SourceRange(V->getLocation())), V->getNameAsString(),
             Why);
    return false;
  };
  std::optional<ScalarType> Type = scalarTypeOf(V->getType());
  if (!Type || (!isInteger(*Type) && *Type != ScalarType::Bool))
    return Reject(0);
  if (!V->getType().isConstQualified() || V->getType()->isReferenceType() || !V->getInit())
    return Reject(1);
  if (&Out != &F.Body)
    return Reject(2);
  Expr Default = scalar(V->getInit());
  if (!Default)
    return false;
  VarRef Var = variableFor(V, VarKind::Tunable);
  F.Tunables.push_back({Var, toIndex(Default), Var->Loc});
  bind(V, varExpr(Var));
  return true;
}

bool TaskReader::local(const VarDecl *V, Block &Out) {
  const auto *Construct = dyn_cast<CXXConstructExpr>(peel(V->getInit()));
  TensorType Type = *tensorTypeOf(V->getType());
  if (!Type.Element) {
    D.report(DiagID::ElementType, place(V->getInit()), spell(Type.ElementType, Ast));
    return false;
  }
  std::optional<List> Extents =
      Construct && Construct->getNumArgs() == 1 ? list(Construct->getArg(0)) : std::nullopt;
  if (!Extents) {
    fail(V->getSourceRange(), "a local without extents");
    return false;
  }
  TensorRef T = makeTensor(V->getNameAsString(), *Type.Element, Type.Rank, TensorKind::Local,
                           Places.point(V->getLocation()));
  bind(V, wholeView(T));
  setExtents(T, *Extents);
  Out.push_back({Local{T, std::move(*Extents)}, T->Loc});
  return true;
}

bool TaskReader::alias(const VarDecl *V, Block &Out) {
  std::optional<View> Part = view(V->getInit());
  if (!Part)
    return false;
  if (isAssigned(V)) {
    fail(V->getSourceRange(), "the view '" + V->getNameAsString() + "', which is assigned again");
    return false;
  }
  if (Part->isWhole()) { // another name for the same tensor
    bind(V, wholeView(Part->Base));
    return true;
  }
  TensorRef T = makeTensor(V->getNameAsString(), Part->Base->Element, Part->rank(),
                           TensorKind::Alias, Places.point(V->getLocation()));
  T->Const = tensorTypeOf(V->getType())->Const;
  bind(V, wholeView(T));
  define(T, std::move(*Part), Out);
  return true;
}

bool TaskReader::expression(const clang::Expr *E, Block &Out) {
  const clang::Expr *Target = nullptr;
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp())
    Target = B->getLHS();
  else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E); O && O->isAssignmentOp())
    Target = O->getArg(0);
  else if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->isIncrementDecrementOp())
    Target = U->getSubExpr();
  if (Target) {
    element(Target); // fails by itself if that is what is assigned
    if (const auto *Ref = dyn_cast<DeclRefExpr>(peel(Target)); Ref && isRejected(Ref->getDecl()))
      fail({}, "");
    fail(E->getSourceRange(), "an assignment", "scalars of a task are constants");
    return false;
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee) {
    fail(E->getSourceRange(), Call ? "a call through a pointer" : "a statement without an effect",
         "launch a task or leaf");
    return false;
  }
  if (isTaskOrLeaf(*Callee))
    return launch(Call, *Callee, Out);
  element(E);
  fail(E->getSourceRange(), Callee->getNameAsString(), "", DiagID::NotALaunch);
  return false;
}

bool TaskReader::launch(const CallExpr *E, const FunctionDecl &Callee, Block &Out) {
  const Location Loc = place(E);
  std::shared_ptr<const Function> Target = Table.declare(Callee, Loc);
  if (!Target)
    return false;
  Launch L;
  L.Callee = Target;
  for (unsigned I = 0; I < Target->Params.size(); ++I) {
    const Parameter &P = Target->Params[I];
    Launch::Argument Arg;
    if (P.isTensor()) {
      std::optional<View> V = view(E->getArg(I));
      if (!V)
        return false;
      Arg.Tensor = *V;
    } else {
      Expr Value = scalar(E->getArg(I));
      if (!Value)
        return false;
      Arg.Scalar = cast(P.Scalar->Type, Value);
    }
    L.Args.push_back(std::move(Arg));
  }
  L.Site = Sites[Target->Name]++;
  Out.push_back({std::move(L), Loc});
  return true;
}

} // namespace

void readTask(const FunctionDecl &Definition, Function &F, FunctionTable &Table, ASTContext &Ast,
              const Locations &Places, Diagnostics &D) {
  TaskReader(Definition, F, Table, Ast, Places, D).run();
}

} // namespace septran::compiler
