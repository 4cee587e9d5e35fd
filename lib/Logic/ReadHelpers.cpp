//===- ReadHelpers.cpp - functions of the user's, written out -------*- C++ -*-===//
//
// A leaf may call a function whose body takes statements: variables that are assigned again,
// conditions around them, counted loops. They are read like those of the leaf, with variables of
// their own, and stand before the statement with the call:
//
//   y(i) = soft(x(i))     let x = x(i); var y = abs(x) - 1; y = max(y, 0); y(i) = x < 0 ? -y : y
//
// The order of evaluation does not matter, since such a function may change nothing but its own
// variables. It may where the call is a statement: then references stand for the variables and
// elements that they are bound to.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Logic/BodyReader.h"
#include "Logic/LoopsOfLeaf.h"

#include "clang/AST/DeclCXX.h"
#include "llvm/Support/SaveAndRestore.h"

#include <iterator>
#include <utility>

using namespace clang;

namespace septran::compiler {

namespace {

bool changesOutside(const Block &B) {
  bool Found = assignsOutside(B);
  walkStmts(B, [&](const septran::compiler::Stmt &S) { Found |= S.getIf<Store>() != nullptr; });
  return Found;
}

} // namespace

Expr BodyReader::writtenOut(const CallExpr *E, const FunctionDecl &F,
                            llvm::ArrayRef<const clang::Expr *> Args) {
  if (Repeats)
    return fail(E->getSourceRange(),
                "a call of '" + F.getNameAsString() + "' in the head of a loop",
                "name its value before the loop");
  Block Out;
  Expr Result;
  {
    llvm::SaveAndRestore Ahead(Current, &Out);
    llvm::SaveAndRestore Once(ConditionalDepth, 0U);
    std::vector<Value> Values = parameters(F, Args, /*Alone=*/false);
    if (failure())
      return nullptr;
    Frame Call(*this);
    for (unsigned I = 0; I < Args.size(); ++I)
      bind(F.getParamDecl(I), std::move(Values[I]));
    Result = returned(F, Out);
  }
  if (Result && changesOutside(Out))
    Result = fail(E->getSourceRange(), "an assignment to what is not its own");
  if (!Result)
    return failInside(E, F);
  std::move(Out.begin(), Out.end(), std::back_inserter(*Current));
  return cast(*scalarTypeOf(E->getType()), Result);
}

bool BodyReader::callAlone(const CallExpr *E, const FunctionDecl &Callee, Block &Out) {
  const llvm::ArrayRef<const clang::Expr *> Args = argumentsOf(E);
  const FunctionDecl *F = writable(E, &Callee, Args);
  std::vector<Value> Values = F ? parameters(*F, Args, /*Alone=*/true) : std::vector<Value>();
  if (failure())
    return false;
  Frame Call(*this);
  for (unsigned I = 0; I < Args.size(); ++I)
    bind(F->getParamDecl(I), std::move(Values[I]));
  if (F->getReturnType()->isVoidType()) {
    llvm::SaveAndRestore Way(Returned, VarRef());
    if (block({F->getBody()}, Jump::Return, Out))
      return true;
  } else if (scalarTypeOf(F->getReturnType()) && returned(*F, Out)) {
    return true;
  }
  failInside(E, Callee);
  return false;
}

/// May end early, after a failure.
std::vector<Value> BodyReader::parameters(const FunctionDecl &F,
                                          llvm::ArrayRef<const clang::Expr *> Args, bool Alone) {
  const DeclSet Changed = assignedIn(F.getBody());
  Assigned.insert(Changed.begin(), Changed.end());
  std::vector<Value> Values;
  for (unsigned I = 0; I < Args.size() && !failure(); ++I)
    Values.push_back(parameter(F.getParamDecl(I), Args[I], Alone));
  return Values;
}

/// What `P` stands for, given `Arg`, which is evaluated here and once.
Value BodyReader::parameter(const ParmVarDecl *P, const clang::Expr *Arg, bool Alone) {
  switch (classify(P->getType())) {
  case TypeKind::Tensor:
    if (std::optional<View> V = view(Arg))
      return *V;
    return std::monostate();
  case TypeKind::Scalar:
    break;
  default: // usable only if the body does not need it
    return std::monostate();
  }
  if (P->getType()->isReferenceType()) {
    if (std::optional<Value> Named = Alone ? referent(P, Arg) : std::nullopt)
      return *Named;
    if (!failure() && isAssigned(P))
      fail(Arg->getSourceRange(), "an argument that the function called changes");
    if (failure())
      return std::monostate();
  }
  Expr A = scalar(Arg);
  if (!A)
    return std::monostate();
  A = cast(*scalarTypeOf(P->getType()), A);
  const bool IsName = P->getType()->isReferenceType() &&
                      !isa<MaterializeTemporaryExpr>(Arg->IgnoreParenNoopCasts(Ast));
  if (Alone && IsName && !isStable(A)) { // of something that the call may change
    fail(Arg->getSourceRange(), "this reference");
    return std::monostate();
  }
  if (isAssigned(P)) {
    VarRef Copy = variableFor(P, VarKind::Scalar);
    markMutable(Copy);
    Current->push_back({Let{Copy, A, /*Mutable=*/true}, Copy->Loc});
    return varExpr(Copy);
  }
  if (Expr Stable = stableValue(P, A))
    return Stable;
  const bool Keeps = A->Args.empty() && (!Alone || isStable(A));
  return Keeps ? A : held(A, P->getNameAsString());
}

/// The statements of `F` go to `Out`. Null if reading them failed.
Expr BodyReader::returned(const FunctionDecl &F, Block &Out) {
  const auto *Body = dyn_cast<CompoundStmt>(F.getBody());
  if (!Body || Body->body_empty())
    return nullptr;
  const llvm::ArrayRef<const clang::Stmt *> List(Body->body_begin(), Body->size());
  const auto *Last = dyn_cast<ReturnStmt>(List.back());
  const bool ReturnsEarly = llvm::any_of(List.drop_back(), [](const clang::Stmt *S) {
    return containsJump(S, /*Continue=*/false, /*Return=*/true);
  });
  if (Last && !ReturnsEarly)
    return block(List.drop_back(), Jump::None, Out) ? scalar(Last->getRetValue()) : nullptr;
  llvm::SaveAndRestore Way(Returned, makeVar("result", *scalarTypeOf(F.getReturnType()),
                                             VarKind::Scalar, Places.point(F.getLocation())));
  Out.push_back({Let{Returned, nullptr, /*Mutable=*/true}, Returned->Loc});
  return block(List, Jump::Return, Out) ? varExpr(Returned) : nullptr;
}

} // namespace septran::compiler
