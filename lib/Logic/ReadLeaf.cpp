//===- ReadLeaf.cpp - bodies of leaves ------------------------------*- C++ -*-===//
//
// A leaf that is a nest of counted loops, conditions, scalars and element assignments is
// understood; the first thing outside of that form makes it opaque.
//
//===----------------------------------------------------------------------===//
#include "IR/Canonical.h"
#include "IR/Rewrite.h"
#include "Logic/BodyReader.h"
#include "Logic/ReadFunction.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace septran::compiler {

namespace {

class LeafReader : public BodyReader {
public:
  LeafReader(const FunctionDecl &Definition, Function &F, ASTContext &Ast, const Locations &Places)
      : BodyReader(Ast, Places, /*InLeaf=*/true), Definition(Definition), F(F) {}

  /// Returns false if the body is outside the loop-nest form; failure() says why.
  bool run();

private:
  bool declaration(const VarDecl *V, Block &Out) override;
  bool expression(const clang::Expr *E, Block &Out) override;
  void condition(If Node, Location Loc, Block &Out) override;
  bool recover() override { return false; }
  TensorRef named(View V, const clang::Expr *E) override;

  bool reference(const VarDecl *V, Block &Out);
  bool lambda(const CXXRecordDecl *Closure, const VarDecl *V);
  bool scalarVariable(const VarDecl *V, Block &Out);

  /// What an assignment changes: an element or a scalar variable.
  struct Target {
    std::optional<Element> At;
    VarRef V;
    Expr value() const { return V ? varExpr(V) : load(At->T, At->Indices); }
    ScalarType type() const { return V ? V->Type : At->T->Element; }
  };
  std::optional<Target> target(const clang::Expr *E);
  void assign(const Target &To, Update U, Location Loc, Block &Out);
  bool compound(const Target &To, std::optional<BinaryOp> Op, const clang::Expr *Operand,
                const clang::Expr *E, Block &Out);

  const FunctionDecl &Definition;
  Function &F;
};

bool LeafReader::run() {
  Block Copies;
  const DeclSet Changed = assignedIn(Definition.getBody());
  for (unsigned I = 0; I < F.Params.size(); ++I) {
    const Parameter &P = F.Params[I];
    const ParmVarDecl *D = Definition.getParamDecl(I);
    if (P.isTensor()) {
      bind(D, wholeView(P.Tensor));
    } else if (Changed.contains(D)) { // the leaf works on a copy
      VarRef Copy = variableFor(D, VarKind::Scalar);
      markMutable(Copy);
      bind(D, varExpr(Copy));
      Copies.push_back({Let{Copy, varExpr(P.Scalar), /*Mutable=*/true}, Copy->Loc});
    } else {
      bind(D, varExpr(P.Scalar));
    }
  }
  F.Body = std::move(Copies);
  return functionBody(Definition.getBody(), F.Body);
}

TensorRef LeafReader::named(View V, const clang::Expr *E) {
  if (V.isWhole())
    return V.Base;
  fail(E->getSourceRange(), "a partition of a part of a tensor");
  return nullptr;
}

bool LeafReader::declaration(const VarDecl *V, Block &Out) {
  if (findAttribute(V, AttributeKind::Tunable)) {
    fail(V->getSourceRange(), "a tunable");
    return false;
  }
  if (!V->hasLocalStorage()) {
    if (V->isConstexpr() || V->getType().isConstQualified())
      return true; // its value is known where it is used
    fail(V->getSourceRange(), "a static variable");
    return false;
  }
  const QualType Type = V->getType();
  if (const CXXRecordDecl *R = Type.getNonReferenceType()->getAsCXXRecordDecl(); R && R->isLambda())
    return lambda(R, V);
  switch (classify(Type)) {
  case TypeKind::Scalar:
    return Type->isReferenceType() ? reference(V, Out) : scalarVariable(V, Out);
  case TypeKind::Tensor:
    if (std::optional<View> Part = V->getInit() ? view(V->getInit()) : std::nullopt) {
      bind(V, *Part);
      return true;
    }
    break;
  case TypeKind::Extents:
    if (std::optional<List> L =
            V->getInit() && !isAssigned(V) ? list(V->getInit()) : std::nullopt) {
      bind(V, *L);
      return true;
    }
    break;
  case TypeKind::Partition:
  case TypeKind::Windows:
    if (std::optional<Grid> G = V->getInit() ? grid(V->getInit()) : std::nullopt) {
      bind(V, *G);
      return true;
    }
    break;
  default:
    if (isConstantTable(V))
      return true; // its elements are known where they are used
    break;
  }
  fail(V->getSourceRange(),
       Type->isArrayType() ? "an array" : "a variable of type '" + spell(Type, Ast) + "'");
  return false;
}

/// `float &c = C(i, j);`, or another name of a scalar.
bool LeafReader::reference(const VarDecl *V, Block &Out) {
  if (std::optional<Value> Named = referent(V, V->getInit())) {
    bind(V, std::move(*Named));
    return true;
  }
  if (failure())
    return false;
  if (V->getType()->isRValueReferenceType() ||
      V->getType().getNonReferenceType().isConstQualified())
    return scalarVariable(V, Out); // a temporary
  fail(V->getSourceRange(), "this reference");
  return false;
}

/// A lambda has no statement: its calls are written out where they stand.
bool LeafReader::lambda(const CXXRecordDecl *Closure, const VarDecl *V) {
  for (const LambdaCapture &C : Closure->captures()) {
    if (!C.capturesVariable()) {
      fail(V->getSourceRange(), "a lambda that captures more than variables");
      return false;
    }
    const ValueDecl *Captured = C.getCapturedVar();
    if (const auto *Variable = dyn_cast<VarDecl>(Captured); Variable && Variable->isInitCapture()) {
      Expr Init = scalar(Variable->getInit());
      if (!Init || !isStable(Init)) {
        fail(V->getSourceRange(), "a lambda that captures a value that may change");
        return false;
      }
      bind(Variable, Init);
    } else if (C.getCaptureKind() == LCK_ByCopy && isAssigned(Captured)) {
      fail(V->getSourceRange(), "a lambda that captures '" + Captured->getNameAsString() +
                                    "' by value while it may change");
      return false;
    }
  }
  return true;
}

bool LeafReader::scalarVariable(const VarDecl *V, Block &Out) {
  const bool Mutable = isAssigned(V) || !V->getInit();
  Expr Init = V->getInit() ? scalar(V->getInit()) : nullptr;
  if (V->getInit() && !Init)
    return false;
  if (!Mutable && bindStable(V, Init))
    return true;
  VarRef Scalar = variableFor(V, VarKind::Scalar);
  if (Mutable)
    markMutable(Scalar);
  bind(V, varExpr(Scalar));
  Out.push_back({Let{Scalar, Init ? cast(Scalar->Type, Init) : nullptr, Mutable}, Scalar->Loc});
  return true;
}

std::optional<LeafReader::Target> LeafReader::target(const clang::Expr *E) {
  if (VarRef V = variable(E))
    return Target{std::nullopt, V};
  if (std::optional<Element> At = element(E))
    return Target{At, nullptr};
  const clang::Expr *Peeled = peel(E);
  fail(E->getSourceRange(), isa<ArraySubscriptExpr>(Peeled) ? "an element of an array"
                            : isa<UnaryOperator>(Peeled)    ? "a pointer"
                                                            : "an assignment to this expression");
  return std::nullopt;
}

void LeafReader::assign(const Target &To, Update U, Location Loc, Block &Out) {
  if (To.V)
    Out.push_back({Assign{To.V, U.Op, std::move(U.Value)}, std::move(Loc)});
  else
    Out.push_back({Store{To.At->T, To.At->Indices, U.Op, std::move(U.Value)}, std::move(Loc)});
}

/// fmax and fmin take the number where the other operand is a NaN. As reductions they differ from
/// max and min only in a NaN that was there before the first step, which a reduction does not start
/// from.
std::optional<Update> asNumberUpdate(const Expr &Old, const Expr &Value) {
  if (Value->Kind != ExprKind::Select)
    return std::nullopt;
  const Expr &Test = Value->Args[0], &Other = Value->Args[1], &Pick = Value->Args[2];
  if (Test->Kind != ExprKind::Call || Test->Callee != "isnan" || Pick->Kind != ExprKind::Binary ||
      (Pick->Bin != BinaryOp::Max && Pick->Bin != BinaryOp::Min))
    return std::nullopt;
  const Expr &A = Pick->Args[0], &B = Pick->Args[1];
  if (!equal(A, Test->Args[0]) || !equal(B, Other))
    return std::nullopt;
  const UpdateOp Op = Pick->Bin == BinaryOp::Max ? UpdateOp::Max : UpdateOp::Min;
  if (equal(A, Old))
    return Update{Op, B};
  if (equal(B, Old))
    return Update{Op, A};
  return std::nullopt;
}

Update updateFor(const Expr &Old, const Expr &Value) {
  if (std::optional<Update> U = asNumberUpdate(Old, Value))
    return *U;
  return asUpdate(Old, Value);
}

std::optional<UpdateOp> updateOf(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Add:
    return UpdateOp::Add;
  case BinaryOp::Sub:
    return UpdateOp::Sub;
  case BinaryOp::Mul:
    return UpdateOp::Mul;
  case BinaryOp::Div:
    return UpdateOp::Div;
  default:
    return std::nullopt;
  }
}

std::optional<BinaryOp> combinedBy(const clang::Expr *E) {
  if (const auto *B = dyn_cast<CompoundAssignOperator>(E)) {
    switch (B->getOpcode()) {
    case BO_AddAssign:
      return BinaryOp::Add;
    case BO_SubAssign:
      return BinaryOp::Sub;
    case BO_MulAssign:
      return BinaryOp::Mul;
    case BO_DivAssign:
      return BinaryOp::Div;
    case BO_RemAssign:
      return BinaryOp::Rem;
    case BO_AndAssign:
      return BinaryOp::BitAnd;
    case BO_OrAssign:
      return BinaryOp::BitOr;
    case BO_XorAssign:
      return BinaryOp::BitXor;
    case BO_ShlAssign:
      return BinaryOp::Shl;
    case BO_ShrAssign:
      return BinaryOp::Shr;
    default:
      return std::nullopt;
    }
  }
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E)) {
    switch (O->getOperator()) {
    case OO_PlusEqual:
      return BinaryOp::Add;
    case OO_MinusEqual:
      return BinaryOp::Sub;
    case OO_StarEqual:
      return BinaryOp::Mul;
    case OO_SlashEqual:
      return BinaryOp::Div;
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// `x = e` without Op, else `x op= e`.
bool LeafReader::compound(const Target &To, std::optional<BinaryOp> Op, const clang::Expr *Operand,
                          const clang::Expr *E, Block &Out) {
  Expr Value = scalar(Operand);
  if (!Value)
    return false;
  const Location Loc = Places.point(E->getBeginLoc());
  if (!Op)
    assign(To, updateFor(To.value(), cast(To.type(), Value)), Loc, Out);
  else if (std::optional<UpdateOp> U = updateOf(*Op))
    assign(To, {*U, Value}, Loc, Out);
  else
    assign(To, {UpdateOp::Set, cast(To.type(), binary(*Op, To.value(), Value))}, Loc, Out);
  return true;
}

bool LeafReader::expression(const clang::Expr *E, Block &Out) {
  if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->isIncrementDecrementOp()) {
    std::optional<Target> To = target(U->getSubExpr());
    if (!To)
      return false;
    const Expr One = cast(To->type(), intLit(1, ScalarType::I32));
    assign(*To, {U->isIncrementOp() ? UpdateOp::Add : UpdateOp::Sub, One},
           Places.point(E->getBeginLoc()), Out);
    return true;
  }
  const clang::Expr *L = nullptr, *R = nullptr;
  bool Plain = false;
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAssignmentOp()) {
    L = B->getLHS();
    R = B->getRHS();
    Plain = B->getOpcode() == BO_Assign;
  } else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E);
             O && O->isAssignmentOp() && O->getNumArgs() == 2) {
    L = O->getArg(0);
    R = O->getArg(1);
    Plain = O->getOperator() == OO_Equal;
  }
  if (L) {
    std::optional<BinaryOp> Op = combinedBy(E);
    if (!Plain && !Op) {
      fail(E->getSourceRange(), "this assignment");
      return false;
    }
    std::optional<Target> To = target(L);
    return To && compound(*To, Op, R, E, Out);
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (Callee && isTaskOrLeaf(*Callee))
    fail(E->getSourceRange(), Callee->getNameAsString(), "", DiagID::LeafLaunches);
  else if (Callee && !isLibraryFunction(*Callee, Ast) && !isInSeptran(*Callee))
    return callAlone(Call, *Callee, Out);
  else if (Callee)
    fail(E->getSourceRange(), "a call of '" + Callee->getNameAsString() + "'");
  else
    fail(E->getSourceRange(), "this statement");
  return false;
}

/// `if (x < e) x = e;` is x = max(x, e).
void LeafReader::condition(If Node, Location Loc, Block &Out) {
  if (Node.Then.size() == 1 && Node.Else.empty()) {
    const septran::compiler::Stmt &Only = Node.Then.front();
    const auto *A = Only.getIf<Assign>();
    const auto *S = Only.getIf<Store>();
    if ((A && A->Op == UpdateOp::Set) || (S && S->Op == UpdateOp::Set)) {
      Target To = A ? Target{std::nullopt, A->V} : Target{Element{S->T, S->Indices}, nullptr};
      const Expr Old = To.value(), &New = A ? A->Value : S->Value;
      const Update U = asUpdate(Old, selectOrMinMax(Node.Condition, New, Old));
      if (U.Op == UpdateOp::Min || U.Op == UpdateOp::Max) {
        assign(To, U, std::move(Loc), Out);
        return;
      }
    }
  }
  BodyReader::condition(std::move(Node), std::move(Loc), Out);
}

} // namespace

void readLeaf(const FunctionDecl &Definition, Function &F, ASTContext &Ast, const Locations &Places,
              Diagnostics &D) {
  LeafReader Reader(Definition, F, Ast, Places);
  if (Reader.run())
    return;
  const std::optional<Failure> &Failed = Reader.failure();
  const Failure Why =
      Failed.value_or(Failure{Definition.getSourceRange(), "its body", "", DiagID::NotInTask});
  if (Why.ID == DiagID::LeafLaunches)
    D.report(DiagID::LeafLaunches, Places.range(Why.Range), F.Name, Why.What);
  F.Kind = FunctionKind::OpaqueLeaf;
  F.OpaqueReason = Why.What;
  F.OpaqueLoc = Places.range(Why.Range);
  F.Body.clear();
}

} // namespace septran::compiler
