//===- ReadCalls.cpp - calls inside scalar expressions --------------*- C++ -*-===//
//
// A call is one of: a member of a library class (extent, origin), a mathematical function, a
// constant, or a function of the user's that can be written in its place. In place of the call
// stands the value of constants, conditions and returns; what takes statements goes before, see
// ReadHelpers.cpp.
//
//===----------------------------------------------------------------------===//
#include "Logic/ExprReader.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace septran::compiler {

namespace {

/// Deep enough for helpers of helpers; recursion ends here.
constexpr unsigned MaxInlineDepth = 16;
constexpr llvm::StringLiteral TooDeep = ", which goes deeper than 16 calls";

/// The function's name as <cmath> has it: without `__builtin_`.
llvm::StringRef libraryName(const FunctionDecl &F) {
  if (!F.getIdentifier())
    return {};
  llvm::StringRef Name = F.getName();
  Name.consume_front("__builtin_");
  return Name;
}

/// `expf` is `exp`, but `erf` is not `er`.
std::string mathName(llvm::StringRef Name) {
  if (!isMathFunction(std::string_view(Name)) && Name.ends_with("f") &&
      isMathFunction(std::string_view(Name.drop_back())))
    Name = Name.drop_back();
  return Name == "rint" || Name == "rintf" ? "nearbyint" : Name.str();
}

std::string callOf(const FunctionDecl &F) { return "a call of '" + F.getNameAsString() + "'"; }

/// How often `S` names `D`.
unsigned uses(const clang::Stmt *S, const ValueDecl *D) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    return Ref->getDecl() == D;
  unsigned Count = 0;
  for (const clang::Stmt *Child : S->children())
    if (Child)
      Count += uses(Child, D);
  return Count;
}

/// What stands in place of a call: constants, conditions and returns.
bool isExpression(const clang::Stmt *S) {
  if (const auto *Declaration = dyn_cast<DeclStmt>(S))
    return llvm::all_of(Declaration->decls(), [](const Decl *D) {
      const auto *V = dyn_cast<VarDecl>(D);
      return !V || (V->getInit() && scalarTypeOf(V->getType()) && !V->isStaticLocal());
    });
  if (const auto *Branch = dyn_cast<IfStmt>(S))
    return !Branch->getInit() && !Branch->getConditionVariable() &&
           isExpression(Branch->getThen()) &&
           (!Branch->getElse() || isExpression(Branch->getElse()));
  if (const auto *Block = dyn_cast<CompoundStmt>(S))
    return llvm::all_of(Block->body(), isExpression);
  return isa<ReturnStmt, NullStmt>(S);
}

std::optional<BinaryOp> operatorOf(OverloadedOperatorKind Kind) {
  switch (Kind) {
  case OO_Plus:
    return BinaryOp::Add;
  case OO_Minus:
    return BinaryOp::Sub;
  case OO_Star:
    return BinaryOp::Mul;
  case OO_Slash:
    return BinaryOp::Div;
  case OO_Less:
    return BinaryOp::Lt;
  case OO_LessEqual:
    return BinaryOp::Le;
  case OO_Greater:
    return BinaryOp::Gt;
  case OO_GreaterEqual:
    return BinaryOp::Ge;
  case OO_EqualEqual:
    return BinaryOp::Eq;
  case OO_ExclaimEqual:
    return BinaryOp::Ne;
  default:
    return std::nullopt;
  }
}

} // namespace

bool isLibraryFunction(const FunctionDecl &F, const ASTContext &Ast) {
  if (F.getBuiltinID())
    return true;
  return isInStdOrGlobal(F) && Ast.getSourceManager().isInSystemHeader(F.getLocation());
}

Expr ExprReader::call(const CallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  if (!F)
    return fail(E->getSourceRange(), "a call through a pointer");
  if (Expr Known = constant(E))
    return Known;
  if (isLibraryFunction(*F, Ast))
    return libraryCall(E, libraryName(*F), *scalarTypeOf(E->getType()));
  return inlined(E, F, {E->getArgs(), E->getNumArgs()});
}

Expr ExprReader::libraryCall(const CallExpr *E, llvm::StringRef Name, ScalarType Type) {
  if (Name == "min" || Name == "max")
    return minOrMax(E, Name == "min" ? BinaryOp::Min : BinaryOp::Max, Type);
  if ((Name == "move" || Name == "forward" || Name == "as_const") && E->getNumArgs() == 1)
    return scalar(E->getArg(0));
  if (Name == "clamp" && E->getNumArgs() == 3) {
    Expr X = scalar(E->getArg(0));
    Expr Low = X ? scalar(E->getArg(1)) : nullptr;
    Expr High = Low ? scalar(E->getArg(2)) : nullptr;
    return High ? minExpr(maxExpr(X, Low), High) : nullptr;
  }
  return mathCall(E, Name, Type);
}

Expr ExprReader::minOrMax(const CallExpr *E, BinaryOp Op, ScalarType Type) {
  llvm::SmallVector<const clang::Expr *, 4> Operands(E->arg_begin(), E->arg_end());
  if (Operands.size() == 1)
    if (const auto *Braces = dyn_cast<CXXStdInitializerListExpr>(peel(Operands[0])))
      if (const auto *List = dyn_cast<InitListExpr>(peel(Braces->getSubExpr())))
        Operands.assign(List->inits().begin(), List->inits().end());
  if (Operands.empty() || (E->getNumArgs() > 1 && E->getNumArgs() != 2))
    return fail(E->getSourceRange(), callOf(*E->getDirectCallee()) + " with its own comparison");
  Expr Result;
  for (const clang::Expr *Operand : Operands) {
    Expr Next = scalar(Operand);
    if (!Next)
      return nullptr;
    Result = Result ? binary(Op, Result, cast(Type, Next), Type) : cast(Type, Next);
  }
  return Result;
}

Expr ExprReader::mathCall(const CallExpr *E, llvm::StringRef Name, ScalarType Type) {
  std::vector<Expr> Args;
  std::string Plain = mathName(Name);
  const bool PicksNumber =
      Plain == "fmax" || Plain == "fmin" || Plain == "fmaxf" || Plain == "fminf";
  if (!PicksNumber && !(isMathFunction(Plain) && mathFunctionArity(Plain) == E->getNumArgs()))
    return fail(E->getSourceRange(), callOf(*E->getDirectCallee()),
                "functions of <cmath> with a floating-point result are");
  for (const clang::Expr *Arg : E->arguments()) {
    Expr A = scalar(Arg);
    if (!A)
      return nullptr;
    // <cmath> takes integers as doubles, and all arguments as the type of the result.
    if (isFloat(Type))
      A = cast(Type, A);
    else if (Plain != "abs" && !isFloat(A->Type))
      A = cast(ScalarType::F64, A);
    Args.push_back(A);
  }
  if (!PicksNumber)
    return septran::compiler::call(Plain, Args, Type);
  // Of a number and a NaN, fmax and fmin give the number. max(a, b) does so when b is the NaN.
  BinaryOp Op = Plain.starts_with("fmax") ? BinaryOp::Max : BinaryOp::Min;
  return select(septran::compiler::call("isnan", {Args[0]}, ScalarType::Bool), Args[1],
                binary(Op, Args[0], Args[1], Type));
}

Expr ExprReader::operatorCall(const CXXOperatorCallExpr *E) {
  const OverloadedOperatorKind Kind = E->getOperator();
  const clang::Expr *Object = E->getArg(0);
  if (Kind == OO_Call) {
    if (std::optional<Element> At = element(E))
      return load(At->T, At->Indices);
    if (First)
      return nullptr;
    if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(E->getDirectCallee()))
      return inlined(E, Method, llvm::ArrayRef(E->getArgs(), E->getNumArgs()).drop_front());
  }
  if (Kind == OO_Subscript && classify(Object->getType()) == TypeKind::Extents) {
    std::optional<List> L = list(Object);
    std::optional<unsigned> Dim = L ? dimension(E->getArg(1), L->size()) : std::nullopt;
    return Dim ? (*L)[*Dim] : nullptr;
  }
  if (Kind == OO_Subscript) {
    if (Expr Known = constant(E))
      return Known;
    if (const std::optional<Expr> Element = tableElement(E))
      return *Element;
  }
  if (E->isAssignmentOp())
    return fail(E->getSourceRange(), "an assignment inside an expression",
                "write it as a statement of its own");
  if (classify(Object->getType()) != TypeKind::Scalar)
    return fail(E->getSourceRange(), "an operator of '" + spell(Object->getType(), Ast) + "'");
  if (E->getNumArgs() == 1 && (Kind == OO_Minus || Kind == OO_Plus)) {
    Expr Operand = scalar(Object);
    return Operand && Kind == OO_Minus ? unary(UnaryOp::Neg, Operand) : Operand;
  }
  std::optional<BinaryOp> Op = operatorOf(Kind);
  if (!Op || E->getNumArgs() != 2)
    return fail(E->getSourceRange(), "this operator");
  Expr L = scalar(Object);
  Expr R = L ? scalar(E->getArg(1)) : nullptr;
  return R ? binary(*Op, L, R, *scalarTypeOf(E->getType())) : nullptr;
}

Expr ExprReader::memberCall(const CXXMemberCallExpr *E) {
  const CXXMethodDecl *Method = E->getMethodDecl();
  const clang::Expr *Object = E->getImplicitObjectArgument();
  if (!Method)
    return fail(E->getSourceRange(), "a call through a pointer to member");
  // Of a small float: `operator float`, found through its base class.
  if (isa<CXXConversionDecl>(Method)) {
    Expr Operand = scalar(Object);
    return Operand ? cast(*scalarTypeOf(E->getType()), Operand) : nullptr;
  }
  const TypeKind Kind = classify(peel(Object)->getType());
  llvm::StringRef Name = Method->getIdentifier() ? Method->getName() : "";
  if (Kind == TypeKind::Tensor || Kind == TypeKind::Local) {
    std::optional<View> V = view(Object);
    if (!V)
      return nullptr;
    if (Name == "size") {
      Expr Size = intLit(1);
      for (unsigned D = 0; D < V->rank(); ++D)
        Size = Size * V->extent(D);
      return Size;
    }
    if (Name == "rank")
      return intLit(V->rank(), ScalarType::I32);
    if (Name == "extent" || Name == "origin") {
      std::optional<unsigned> Dim = dimension(E->getArg(0), V->rank());
      if (!Dim)
        return nullptr;
      return Name == "extent" ? V->extent(*Dim) : V->origin(*Dim);
    }
    return fail(E->getSourceRange(), "'" + Name.str() + "' of a tensor",
                "extent, extents, size, rank and origin are accepted");
  }
  if (Kind == TypeKind::Partition || Kind == TypeKind::Windows) {
    std::optional<Grid> G = grid(Object);
    if (!G)
      return nullptr;
    if (Name == "rank")
      return intLit(G->Base->Rank, ScalarType::I32);
    if (Name == "extent") {
      std::optional<unsigned> Dim = dimension(E->getArg(0), G->Base->Rank);
      return Dim ? G->extent(*Dim) : nullptr;
    }
  }
  if (Kind == TypeKind::Extents) {
    std::optional<List> L = list(Object);
    if (!L)
      return nullptr;
    if (Name == "rank")
      return intLit(static_cast<std::int64_t>(L->size()), ScalarType::I32);
    if (Name == "count") {
      Expr Count = intLit(1);
      for (const Expr &Extent : *L)
        Count = Count * Extent;
      return Count;
    }
  }
  if (Expr Known = constant(E))
    return Known;
  return inlined(E, Method, {E->getArgs(), E->getNumArgs()});
}

const FunctionDecl *ExprReader::writable(const CallExpr *E, const FunctionDecl *F,
                                         llvm::ArrayRef<const clang::Expr *> Args) {
  if (isTaskOrLeaf(*F))
    return fail(E->getSourceRange(), "a launch inside an expression");
  const FunctionDecl *Definition = F->getDefinition();
  if (InlineDepth == MaxInlineDepth)
    return fail(E->getSourceRange(), callOf(*F) + TooDeep.str());
  if (!Definition || First)
    return fail(E->getSourceRange(), callOf(*F),
                Definition ? "" : "its body is not in this translation unit");
  if (Args.size() != Definition->getNumParams() || !Definition->getBody())
    return fail(E->getSourceRange(), callOf(*F));
  return Definition;
}

Expr ExprReader::inlined(const CallExpr *E, const FunctionDecl *F,
                         llvm::ArrayRef<const clang::Expr *> Args) {
  const FunctionDecl *Definition = writable(E, F, Args);
  if (!Definition)
    return nullptr;
  const clang::Stmt *Body = Definition->getBody();
  if (InLeaf && !isExpression(Body))
    return writtenOut(E, *Definition, Args);
  std::vector<Value> Values;
  for (unsigned I = 0; I < Args.size(); ++I) {
    const ParmVarDecl *P = Definition->getParamDecl(I);
    switch (classify(P->getType())) {
    case TypeKind::Scalar:
      if (Expr A = scalar(Args[I])) {
        A = cast(*scalarTypeOf(P->getType()), A);
        const bool Hold = ConditionalDepth == 0 && !A->Args.empty() && uses(Body, P) > 1;
        Values.push_back(Hold ? held(A, P->getNameAsString()) : A);
      }
      break;
    case TypeKind::Tensor:
      if (std::optional<View> V = view(Args[I]))
        Values.push_back(*V);
      break;
    default: // usable only if the body does not need it
      Values.push_back(std::monostate());
    }
    if (First)
      return nullptr;
  }
  Frame Call(*this);
  for (unsigned I = 0; I < Args.size(); ++I)
    bind(Definition->getParamDecl(I), std::move(Values[I]));
  if (Expr Result = valueOf({Body}, E))
    return cast(*scalarTypeOf(E->getType()), Result);
  return failInside(E, *F);
}

std::nullptr_t ExprReader::failInside(const CallExpr *E, const FunctionDecl &F) {
  std::string What = callOf(F);
  if (First && llvm::StringRef(First->What).ends_with(TooDeep)) // said once is enough
    What = First->What;
  else if (First)
    What += ", which contains " + First->What;
  clearFailure();
  return fail(E->getSourceRange(), What,
              "a function called here may hold constants, conditions and returns");
}

/// The value that a function body returns, or null.
Expr ExprReader::valueOf(llvm::ArrayRef<const clang::Stmt *> Body, const CallExpr *At) {
  for (size_t I = 0; I < Body.size(); ++I) {
    const clang::Stmt *S = Body[I];
    if (const auto *Return = dyn_cast<ReturnStmt>(S))
      return Return->getRetValue() ? scalar(Return->getRetValue()) : nullptr;
    if (const auto *Block = dyn_cast<CompoundStmt>(S)) {
      llvm::SmallVector<const clang::Stmt *, 8> Rest(Block->body_begin(), Block->body_end());
      Rest.append(Body.begin() + I + 1, Body.end());
      return valueOf(Rest, At);
    }
    if (const auto *Branch = dyn_cast<IfStmt>(S)) {
      if (Branch->getInit() || Branch->getConditionVariable())
        return fail(S->getSourceRange(), "a declaration in a condition");
      llvm::SmallVector<const clang::Stmt *, 8> Then, Else;
      if (Branch->getThen())
        Then.push_back(Branch->getThen());
      if (Branch->getElse())
        Else.push_back(Branch->getElse());
      Then.append(Body.begin() + I + 1, Body.end());
      Else.append(Body.begin() + I + 1, Body.end());
      Expr Condition = scalar(Branch->getCond());
      if (!Condition)
        return nullptr;
      if (std::optional<std::int64_t> Known = constantValue(Condition))
        return valueOf(*Known ? Then : Else, At);
      Arm WhenTrue = arm([&] { return valueOf(Then, At); });
      if (!WhenTrue.Value)
        return nullptr;
      return choice(Condition, std::move(WhenTrue), arm([&] { return valueOf(Else, At); }));
    }
    if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
      for (const Decl *D : Declaration->decls()) {
        const auto *V = dyn_cast<VarDecl>(D);
        if (!V)
          continue; // types, static assertions
        if (!V->getInit() || !scalarTypeOf(V->getType()) || V->isStaticLocal())
          return fail(S->getSourceRange(), "this declaration");
        Expr Init = scalar(V->getInit());
        if (!Init)
          return nullptr;
        Init = cast(*scalarTypeOf(V->getType()), Init);
        bind(V, ConditionalDepth == 0 && !Init->Args.empty() ? held(Init, V->getNameAsString()) : Init);
      }
      continue;
    }
    if (isa<NullStmt>(S))
      continue;
    if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      return fail(S->getSourceRange(), "a loop");
    return fail(S->getSourceRange(), "a statement with an effect");
  }
  return nullptr;
}

} // namespace septran::compiler
