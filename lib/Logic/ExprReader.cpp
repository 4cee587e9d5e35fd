//===- ExprReader.cpp - scalar expressions --------------------------*- C++ -*-===//
#include "Logic/ExprReader.h"

#include "IR/Canonical.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/APFloat.h"

using namespace clang;

namespace septran::compiler {

const clang::Expr *peel(const clang::Expr *E) {
  for (;;) {
    const clang::Expr *Inner = E->IgnoreParens();
    if (const auto *Full = dyn_cast<FullExpr>(Inner))
      Inner = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
      Inner = Temporary->getSubExpr();
    else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(Inner))
      Inner = Bound->getSubExpr();
    else if (const auto *Substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(Inner))
      Inner = Substituted->getReplacement();
    else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Inner))
      Inner = Default->getExpr();
    else if (const auto *Rewritten = dyn_cast<CXXRewrittenBinaryOperator>(Inner))
      Inner = Rewritten->getSemanticForm();
    else if (const auto *Cast = dyn_cast<CastExpr>(Inner)) {
      switch (Cast->getCastKind()) {
      case CK_LValueToRValue:
      case CK_NoOp:
      case CK_DerivedToBase:
      case CK_UncheckedDerivedToBase:
      case CK_ConstructorConversion:
      case CK_UserDefinedConversion:
        Inner = Cast->getSubExpr();
        break;
      default:
        break;
      }
    } else if (const auto *Construct = dyn_cast<CXXConstructExpr>(Inner)) {
      // A copy, or the slicing copy of a local or window into the tensor that it is.
      if (Construct->getNumArgs() == 1 && Construct->getConstructor()->isCopyOrMoveConstructor())
        Inner = Construct->getArg(0);
    }
    if (Inner == E)
      return E;
    E = Inner;
  }
}

const Value *ExprReader::lookup(const ValueDecl *D) const {
  auto It = Names.find(D);
  return It == Names.end() ? nullptr : &It->second;
}

bool ExprReader::isRejected(const ValueDecl *D) const {
  const Value *V = lookup(D);
  return V && std::holds_alternative<std::monostate>(*V);
}

std::nullptr_t ExprReader::fail(SourceRange Range, std::string What, std::string Hint, DiagID ID) {
  if (!First)
    First = Failure{Range, std::move(What), std::move(Hint), ID};
  return nullptr;
}

VarRef ExprReader::variable(const clang::Expr *E) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(peel(E));
  if (!Ref)
    return nullptr;
  const Value *V = lookup(Ref->getDecl());
  const auto *Scalar = V ? std::get_if<Expr>(V) : nullptr;
  return Scalar && (*Scalar)->Kind == ExprKind::Var ? (*Scalar)->V : nullptr;
}

Expr ExprReader::scalar(const clang::Expr *E) {
  Expr Result = scalarOf(peel(E));
  if (!Result)
    return nullptr;
  return Result->Loc.isValid() ? Result : withLocation(Result, Places.point(E->getExprLoc()));
}

Expr ExprReader::index(const clang::Expr *E) {
  Expr Result = scalar(E);
  if (!Result)
    return nullptr;
  if (isFloat(Result->Type))
    return fail(E->getSourceRange(), "an index that is no integer", "convert it to an integer");
  return toIndex(Result);
}

/// `E` is peeled.
Expr ExprReader::scalarOf(const clang::Expr *E) {
  if (E->getType().isNull()) // parentheses around the initialiser of what has no type yet
    return fail(E->getSourceRange(), "an expression that has no type");
  std::optional<ScalarType> Type = scalarTypeOf(E->getType());
  if (!Type)
    return fail(E->getSourceRange(), "a value of type '" + spell(E->getType(), Ast) + "'",
                "scalars are bool, integers and floating-point numbers");
  switch (E->getStmtClass()) {
  case clang::Stmt::IntegerLiteralClass:
  case clang::Stmt::FloatingLiteralClass:
  case clang::Stmt::CXXBoolLiteralExprClass:
  case clang::Stmt::CharacterLiteralClass:
  case clang::Stmt::CXXScalarValueInitExprClass:
  case clang::Stmt::ImplicitValueInitExprClass:
    return literal(E);
  case clang::Stmt::DeclRefExprClass:
    return reference(cast<DeclRefExpr>(E));
  case clang::Stmt::UnaryOperatorClass:
    return unaryOperator(cast<UnaryOperator>(E));
  case clang::Stmt::BinaryOperatorClass:
  case clang::Stmt::CompoundAssignOperatorClass:
    return binaryOperator(cast<BinaryOperator>(E));
  case clang::Stmt::ConditionalOperatorClass:
    return conditional(cast<ConditionalOperator>(E));
  case clang::Stmt::CXXConstructExprClass:
  case clang::Stmt::CXXTemporaryObjectExprClass:
    return construction(cast<CXXConstructExpr>(E));
  case clang::Stmt::InitListExprClass: {
    const auto *List = cast<InitListExpr>(E);
    if (List->getNumInits() == 0)
      return literal(E);
    if (List->getNumInits() == 1)
      return scalar(List->getInit(0));
    break;
  }
  case clang::Stmt::CallExprClass:
    return call(cast<CallExpr>(E));
  case clang::Stmt::CXXOperatorCallExprClass:
    return operatorCall(cast<CXXOperatorCallExpr>(E));
  case clang::Stmt::CXXMemberCallExprClass:
    return memberCall(cast<CXXMemberCallExpr>(E));
  default:
    if (const auto *C = dyn_cast<CastExpr>(E))
      return conversion(C);
    if (Expr Known = constant(E))
      return Known;
  }
  if (const std::optional<Expr> Element = tableElement(E))
    return *Element;
  if (isa<ArraySubscriptExpr>(E))
    return fail(E->getSourceRange(), "an element of an array");
  if (isa<CXXThisExpr, MemberExpr>(E))
    return fail(E->getSourceRange(), "a member of an object");
  if (isa<LambdaExpr>(E))
    return fail(E->getSourceRange(), "a lambda");
  return fail(E->getSourceRange(), "this expression");
}

Expr ExprReader::literal(const clang::Expr *E) {
  ScalarType Type = *scalarTypeOf(E->getType());
  if (const auto *I = dyn_cast<IntegerLiteral>(E))
    return intLit(static_cast<std::int64_t>(I->getValue().getLimitedValue()), Type);
  if (const auto *C = dyn_cast<CharacterLiteral>(E))
    return intLit(C->getValue(), Type);
  if (const auto *B = dyn_cast<CXXBoolLiteralExpr>(E))
    return boolLit(B->getValue());
  if (const auto *F = dyn_cast<FloatingLiteral>(E))
    return floatLit(F->getValue().convertToDouble(), Type);
  return isFloat(Type) ? floatLit(0, Type) : intLit(0, Type);
}

Expr ExprReader::reference(const DeclRefExpr *E) {
  const ValueDecl *D = E->getDecl();
  if (const Value *V = lookup(D)) {
    if (const auto *Scalar = std::get_if<Expr>(V))
      return *Scalar;
    if (const auto *At = std::get_if<Element>(V))
      return load(At->T, At->Indices);
    if (isRejected(D))
      return fail({}, "");
    return fail(E->getSourceRange(), "'" + D->getName().str() + "' as a scalar");
  }
  if (Expr Known = constant(E))
    return Known;
  return fail(E->getSourceRange(),
              "the variable '" + D->getName().str() + "', which is no constant",
              "pass it as a parameter");
}

Expr ExprReader::conversion(const CastExpr *E) {
  switch (E->getCastKind()) {
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_FloatingCast:
  case CK_BooleanToSignedIntegral:
    break;
  default:
    return fail(E->getSourceRange(), "this conversion to '" + spell(E->getType(), Ast) + "'");
  }
  Expr Inner = scalar(E->getSubExpr());
  if (!Inner)
    return nullptr;
  ScalarType Type = *scalarTypeOf(E->getType());
  // What C++ means by a conversion to bool is a comparison.
  if (Type == ScalarType::Bool && Inner->Type != ScalarType::Bool)
    return binary(BinaryOp::Ne, Inner,
                  isFloat(Inner->Type) ? floatLit(0, Inner->Type) : intLit(0, Inner->Type));
  if (Type == ScalarType::I64 && isArithmeticOn(ScalarType::I32, Inner))
    Inner = toIndex(Inner); // the sum of ints that is compared with an extent
  return cast(Type, Inner);
}

Expr ExprReader::unaryOperator(const UnaryOperator *E) {
  if (E->isIncrementDecrementOp())
    return fail(E->getSourceRange(), "an increment inside an expression",
                "write it as a statement of its own");
  if (E->getOpcode() == UO_AddrOf || E->getOpcode() == UO_Deref)
    return fail(E->getSourceRange(), "a pointer");
  Expr Operand = scalar(E->getSubExpr());
  if (!Operand)
    return nullptr;
  switch (E->getOpcode()) {
  case UO_Plus:
    return Operand;
  case UO_Minus:
    if (Operand->Kind == ExprKind::FloatLit) // exact
      return floatLit(-Operand->Float, Operand->Type);
    return unary(UnaryOp::Neg, Operand);
  case UO_Not:
    return unary(UnaryOp::BitNot, Operand);
  case UO_LNot:
    return unary(UnaryOp::Not, Operand);
  default:
    return fail(E->getSourceRange(), "this operator");
  }
}

namespace {

std::optional<BinaryOp> operatorOf(BinaryOperatorKind Kind) {
  switch (Kind) {
  case BO_Add:
    return BinaryOp::Add;
  case BO_Sub:
    return BinaryOp::Sub;
  case BO_Mul:
    return BinaryOp::Mul;
  case BO_Div:
    return BinaryOp::Div;
  case BO_Rem:
    return BinaryOp::Rem;
  case BO_And:
    return BinaryOp::BitAnd;
  case BO_Or:
    return BinaryOp::BitOr;
  case BO_Xor:
    return BinaryOp::BitXor;
  case BO_Shl:
    return BinaryOp::Shl;
  case BO_Shr:
    return BinaryOp::Shr;
  case BO_LT:
    return BinaryOp::Lt;
  case BO_LE:
    return BinaryOp::Le;
  case BO_GT:
    return BinaryOp::Gt;
  case BO_GE:
    return BinaryOp::Ge;
  case BO_EQ:
    return BinaryOp::Eq;
  case BO_NE:
    return BinaryOp::Ne;
  case BO_LAnd:
    return BinaryOp::And;
  case BO_LOr:
    return BinaryOp::Or;
  default:
    return std::nullopt;
  }
}

} // namespace

Expr ExprReader::binaryOperator(const BinaryOperator *E) {
  if (E->isAssignmentOp())
    return fail(E->getSourceRange(), "an assignment inside an expression",
                "write it as a statement of its own");
  std::optional<BinaryOp> Op = operatorOf(E->getOpcode());
  if (!Op)
    return fail(E->getSourceRange(), "the operator '" + E->getOpcodeStr().str() + "'");
  if (E->isLogicalOp())
    return logical(*Op, E);
  Expr L = scalar(E->getLHS());
  Expr R = L ? scalar(E->getRHS()) : nullptr;
  if (!R)
    return nullptr;
  // Integers that stand for indices are 64 bits wide already, and then so is what is made of them.
  ScalarType Type = *scalarTypeOf(E->getType());
  if (isInteger(Type) && isInteger(L->Type) && isInteger(R->Type) && !E->isShiftOp())
    Type = commonType(L->Type, R->Type);
  return binary(*Op, L, R, Type);
}

/// A small float: from nothing, from another number, or a copy.
Expr ExprReader::construction(const CXXConstructExpr *E) {
  ScalarType Type = *scalarTypeOf(E->getType());
  if (E->getNumArgs() == 0)
    return floatLit(0, Type);
  if (E->getNumArgs() != 1)
    return fail(E->getSourceRange(), "this construction of '" + spell(E->getType(), Ast) + "'");
  Expr Inner = scalar(E->getArg(0));
  return Inner ? cast(Type, Inner) : nullptr;
}

namespace {

/// True if `S` names a variable whose value a constant evaluation must not look through.
bool namesLocalVariable(const clang::Stmt *S) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S)) {
    const auto *V = dyn_cast<VarDecl>(Ref->getDecl());
    return isa<ParmVarDecl, BindingDecl>(Ref->getDecl()) ||
           (V && V->hasLocalStorage() && !V->isConstexpr());
  }
  return llvm::any_of(S->children(),
                      [](const clang::Stmt *C) { return C && namesLocalVariable(C); });
}

const llvm::fltSemantics &semanticsOf(ScalarType T) {
  switch (T) {
  case ScalarType::F16:
    return llvm::APFloat::IEEEhalf();
  case ScalarType::BF16:
    return llvm::APFloat::BFloat();
  case ScalarType::F8E4M3:
    return llvm::APFloat::Float8E4M3FN();
  default:
    return llvm::APFloat::Float8E5M2();
  }
}

/// The one integer inside a small float: its bits.
const APValue *bitsOf(const APValue &V) {
  if (V.isInt())
    return &V;
  if (!V.isStruct())
    return nullptr;
  for (unsigned I = 0; I < V.getStructNumBases(); ++I)
    if (const APValue *Bits = bitsOf(V.getStructBase(I)))
      return Bits;
  for (unsigned I = 0; I < V.getStructNumFields(); ++I)
    if (const APValue *Bits = bitsOf(V.getStructField(I)))
      return Bits;
  return nullptr;
}

} // namespace

/// A value that the compiler knows: constexpr variables and functions, sizeof, traits.
Expr ExprReader::constant(const clang::Expr *E) {
  std::optional<ScalarType> Type = scalarTypeOf(E->getType());
  if (!Type || E->isValueDependent() || namesLocalVariable(E))
    return nullptr;
  clang::Expr::EvalResult Result;
  if (!E->EvaluateAsRValue(Result, Ast) || Result.HasSideEffects)
    return nullptr;
  return number(Result.Val, *Type);
}

/// Null if it is no number of that type.
Expr ExprReader::number(const APValue &V, ScalarType Type) {
  if (V.isInt() && !isFloat(Type))
    return intLit(V.getInt().getExtValue(), Type);
  if (V.isFloat() && isFloat(Type))
    return floatLit(V.getFloat().convertToDouble(), Type);
  const APValue *Bits = isSmallFloat(Type) ? bitsOf(V) : nullptr;
  if (!Bits)
    return nullptr;
  unsigned Width = 8 * byteSize(Type);
  llvm::APFloat Number(semanticsOf(Type), Bits->getInt().extOrTrunc(Width));
  return floatLit(Number.convertToDouble(), Type);
}

} // namespace septran::compiler
