//===- BodyReader.cpp ----------------------------------------------*- C++ -*-===//
#include "Logic/BodyReader.h"

#include "IR/Canonical.h"
#include "IR/Rewrite.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace septran::compiler {

namespace {

void addTarget(const clang::Expr *E, DeclSet &Out) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(peel(E)))
    Out.insert(Ref->getDecl());
}

bool isMutableReference(QualType T) {
  return T->isLValueReferenceType() && !T->getPointeeType().isConstQualified();
}

void addAssigned(const clang::Stmt *S, DeclSet &Out) {
  if (const auto *B = dyn_cast<BinaryOperator>(S)) {
    if (B->isAssignmentOp())
      addTarget(B->getLHS(), Out);
  } else if (const auto *U = dyn_cast<UnaryOperator>(S)) {
    if (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf)
      addTarget(U->getSubExpr(), Out);
  } else if (const auto *O = dyn_cast<CXXOperatorCallExpr>(S); O && O->isAssignmentOp()) {
    addTarget(O->getArg(0), Out);
  } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
    const FunctionDecl *F = Call->getDirectCallee();
    const llvm::ArrayRef<const clang::Expr *> Args = argumentsOf(Call);
    for (unsigned I = 0; F && I < std::min<size_t>(Args.size(), F->getNumParams()); ++I)
      if (isMutableReference(F->getParamDecl(I)->getType()))
        addTarget(Args[I], Out);
  } else if (const auto *D = dyn_cast<DeclStmt>(S)) {
    for (const Decl *Declared : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(Declared);
          V && V->getInit() && isMutableReference(V->getType()))
        addTarget(V->getInit(), Out);
  }
  for (const clang::Stmt *Child : S->children())
    if (Child)
      addAssigned(Child, Out);
}

/// More nodes than this stay behind a name.
constexpr unsigned MaxStableSize = 24;

unsigned sizeOf(const Expr &E) {
  unsigned Size = 0;
  walkExprs(E, [&](const Expr &) { ++Size; });
  return Size;
}

bool isAssertion(const clang::Expr *E) {
  const auto *C = dyn_cast<ConditionalOperator>(E);
  if (!C || !C->getType()->isVoidType())
    return false;
  auto EndsProgram = [](const clang::Expr *Arm) {
    const auto *Call = dyn_cast<CallExpr>(Arm->IgnoreParenCasts());
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    return F && F->isNoReturn();
  };
  return EndsProgram(C->getTrueExpr()) || EndsProgram(C->getFalseExpr());
}

std::string nameOfStatement(const clang::Stmt *S) {
  switch (S->getStmtClass()) {
  case clang::Stmt::WhileStmtClass:
    return "a while loop";
  case clang::Stmt::DoStmtClass:
    return "a do loop";
  case clang::Stmt::SwitchStmtClass:
    return "a switch";
  case clang::Stmt::BreakStmtClass:
    return "a break";
  case clang::Stmt::ContinueStmtClass:
    return "a continue that skips the rest of an outer block";
  case clang::Stmt::ReturnStmtClass:
    return "a return inside a loop or inner block";
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::LabelStmtClass:
    return "a goto";
  case clang::Stmt::CXXTryStmtClass:
    return "a try block";
  case clang::Stmt::GCCAsmStmtClass:
    return "inline assembly";
  default:
    return "this statement";
  }
}

std::string hintForStatement(const clang::Stmt *S) {
  switch (S->getStmtClass()) {
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
    return "write a counted for loop";
  case clang::Stmt::SwitchStmtClass:
    return "write conditions";
  case clang::Stmt::BreakStmtClass:
  case clang::Stmt::ContinueStmtClass:
  case clang::Stmt::ReturnStmtClass:
    return "write a condition around the statements to be skipped";
  default:
    return "";
  }
}

} // namespace

llvm::ArrayRef<const clang::Expr *> argumentsOf(const CallExpr *E) {
  const llvm::ArrayRef<const clang::Expr *> All(E->getArgs(), E->getNumArgs());
  const bool OfObject = isa<CXXOperatorCallExpr>(E) &&
                        isa_and_nonnull<CXXMethodDecl>(E->getDirectCallee());
  return OfObject ? All.drop_front() : All;
}

DeclSet assignedIn(const clang::Stmt *S) {
  DeclSet Out;
  addAssigned(S, Out);
  return Out;
}

bool containsJump(const clang::Stmt *S, bool Continue, bool Return) {
  if (isa<ContinueStmt>(S))
    return Continue;
  if (isa<ReturnStmt>(S))
    return Return;
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, LambdaExpr>(S))
    return false;
  return llvm::any_of(S->children(),
                      [&](const clang::Stmt *C) { return C && containsJump(C, Continue, Return); });
}

bool BodyReader::functionBody(const clang::Stmt *Body, Block &Out) {
  Assigned = assignedIn(Body);
  return block({Body}, Jump::Return, Out);
}

VarRef BodyReader::variableFor(const ValueDecl *V, VarKind Kind) {
  return makeVar(V->getNameAsString(), *scalarTypeOf(V->getType()), Kind,
                 Places.point(V->getLocation()));
}

Expr BodyReader::held(const Expr &E, std::string Name) {
  VarRef V = makeVar(std::move(Name), E->Type, VarKind::Scalar, E->Loc);
  Current->push_back({Let{V, E, /*Mutable=*/false}, V->Loc});
  return varExpr(V);
}

std::optional<Value> BodyReader::referent(const VarDecl *V, const clang::Expr *To) {
  if (VarRef Same = variable(To))
    return varExpr(Same);
  const std::optional<Element> At = element(To);
  if (!At)
    return std::nullopt;
  if (llvm::all_of(At->Indices, [&](const Expr &Index) { return isStable(Index); }))
    return *At;
  fail(V->getSourceRange(), "a reference to an element at a position that may change");
  return std::nullopt;
}

bool BodyReader::isStable(const Expr &E) const {
  bool Stable = true;
  walkExprs(E, [&](const Expr &Part) {
    if (Part->Kind == ExprKind::Load ||
        (Part->Kind == ExprKind::Var && MutableVars.contains(Part->V.get())))
      Stable = false;
  });
  return Stable;
}

Expr BodyReader::stableValue(const VarDecl *V, const Expr &Init) const {
  const ScalarType Type = *scalarTypeOf(V->getType());
  if (!isInteger(Type) || byteSize(Type) < 4 || !isStable(Init) || sizeOf(Init) > MaxStableSize)
    return nullptr;
  bool Arithmetic = true;
  walkExprs(Init, [&](const Expr &Part) {
    if (Part->Kind == ExprKind::Call || isFloat(Part->Type))
      Arithmetic = false;
  });
  if (!Arithmetic)
    return nullptr;
  if (isArithmeticOn(Type, Init))
    return Init; // in lanes a number that stays an int takes half the registers
  return isSigned(Type) ? toIndex(Init) : cast(Type, Init);
}

bool BodyReader::bindStable(const VarDecl *V, const Expr &Init) {
  Expr Stable = stableValue(V, Init);
  if (Stable)
    bind(V, Stable);
  return Stable != nullptr;
}

/// Statements of a block of their own.
bool BodyReader::block(llvm::ArrayRef<const clang::Stmt *> List, Jump Way, Block &Out) {
  llvm::SaveAndRestore Scope(Current, &Out);
  return statements(List, Way, Out);
}

/// Removes a jump that ends the statements; true if there was one.
bool BodyReader::dropJump(Stmts &List, Jump Way) {
  while (List.size() == 1 && isa<CompoundStmt>(List[0])) {
    const auto *Inner = cast<CompoundStmt>(List[0]);
    List.assign(Inner->body_begin(), Inner->body_end());
  }
  if (List.empty())
    return false;
  const clang::Stmt *Last = List.back();
  bool Jumps =
      (Way == Jump::Continue && isa<ContinueStmt>(Last)) ||
      (Way == Jump::Return && isa<ReturnStmt>(Last) && !cast<ReturnStmt>(Last)->getRetValue());
  if (Jumps)
    List.pop_back();
  return Jumps;
}

bool BodyReader::statements(llvm::ArrayRef<const clang::Stmt *> List, Jump Way, Block &Out) {
  for (size_t I = 0; I < List.size(); ++I) {
    const clang::Stmt *S = List[I];
    llvm::ArrayRef<const clang::Stmt *> Rest = List.drop_front(I + 1);
    if (const auto *Inner = dyn_cast<CompoundStmt>(S)) {
      // Names are resolved already, so an inner block may melt into its outer one.
      Stmts All(Inner->body_begin(), Inner->body_end());
      All.append(Rest.begin(), Rest.end());
      return statements(All, Way, Out);
    }
    Stmts Single = {S};
    if (dropJump(Single, Way))
      return true; // nothing after it runs
    if (const auto *Return = dyn_cast<ReturnStmt>(S); Return && Way == Jump::Return && Returned) {
      Expr Value = scalar(Return->getRetValue());
      if (Value)
        Out.push_back({Assign{Returned, UpdateOp::Set, cast(Returned->Type, Value)},
                       Places.point(S->getBeginLoc())});
      return Value != nullptr;
    }
    if (const auto *Branch = dyn_cast<IfStmt>(S)) {
      Stmts Then = {Branch->getThen() ? Branch->getThen() : nullptr};
      Stmts Else = {Branch->getElse()};
      llvm::erase(Then, nullptr);
      llvm::erase(Else, nullptr);
      // Inside a branch a jump skips what follows the `if` as well. Then what follows is read once
      // per branch, which launches must not be: in tasks a jump ends its branch.
      const bool Splits = Branch->isConstexpr() || dropJump(Then, Way) || dropJump(Else, Way) ||
                          (InLeaf && containsJump(S, Way == Jump::Continue, Way == Jump::Return));
      if (Splits)
        return branch(Branch, Rest, Way, Out) || recover();
    }
    if (!statement(S, Out) && !recover())
      return false;
  }
  return true;
}

/// `if` with a jump in it, or whose condition is known: what follows belongs into its branches.
bool BodyReader::branch(const IfStmt *S, llvm::ArrayRef<const clang::Stmt *> Rest, Jump Way,
                        Block &Out) {
  if (S->getConditionVariable()) {
    fail(S->getSourceRange(), "a declaration in a condition", "declare the variable before");
    return false;
  }
  if (S->getInit() && !statement(S->getInit(), Out))
    return false;
  Stmts Then, Else;
  if (S->getThen())
    Then.push_back(S->getThen());
  if (S->getElse())
    Else.push_back(S->getElse());
  const bool ThenJumps = dropJump(Then, Way), ElseJumps = dropJump(Else, Way);
  if (S->isConstexpr()) {
    std::optional<const clang::Stmt *> Taken = S->getNondiscardedCase(Ast);
    const bool TakesThen = Taken && *Taken == S->getThen();
    Stmts All = Taken && *Taken ? (TakesThen ? Then : Else) : Stmts();
    if (!(Taken && *Taken && (TakesThen ? ThenJumps : ElseJumps)))
      All.append(Rest.begin(), Rest.end());
    return statements(All, Way, Out);
  }
  Expr Condition = scalar(S->getCond());
  if (!Condition)
    return false;
  if (!ThenJumps)
    Then.append(Rest.begin(), Rest.end());
  if (!ElseJumps)
    Else.append(Rest.begin(), Rest.end());
  If Node;
  Node.Condition = Condition;
  // The jump's kind still holds inside: what stands there ends where the outer block ends.
  if (!block(Then, Way, Node.Then) || !block(Else, Way, Node.Else))
    return false;
  condition(std::move(Node), Places.point(S->getBeginLoc()), Out);
  return true;
}

void BodyReader::condition(If Node, Location Loc, Block &Out) {
  if (std::optional<std::int64_t> Known = constantValue(Node.Condition)) {
    Block &Taken = *Known ? Node.Then : Node.Else;
    std::move(Taken.begin(), Taken.end(), std::back_inserter(Out));
    return;
  }
  if (Node.Then.empty() && Node.Else.empty())
    return;
  if (Node.Then.empty()) {
    Node.Condition = unary(UnaryOp::Not, Node.Condition);
    std::swap(Node.Then, Node.Else);
  }
  Out.push_back({std::move(Node), std::move(Loc)});
}

bool BodyReader::statement(const clang::Stmt *S, Block &Out) {
  switch (S->getStmtClass()) {
  case clang::Stmt::NullStmtClass:
    return true;
  case clang::Stmt::AttributedStmtClass:
    return statement(cast<AttributedStmt>(S)->getSubStmt(), Out);
  case clang::Stmt::CompoundStmtClass:
    return statements({S}, Jump::None, Out);
  case clang::Stmt::IfStmtClass:
    return branch(cast<IfStmt>(S), {}, Jump::None, Out);
  case clang::Stmt::ForStmtClass:
    return loop(cast<ForStmt>(S), Out);
  case clang::Stmt::CXXForRangeStmtClass:
    return parallelLoop(cast<CXXForRangeStmt>(S), Out);
  case clang::Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(S)->decls()) {
      if (isa<TypeDecl, UsingDecl, UsingDirectiveDecl, StaticAssertDecl, EmptyDecl,
              NamespaceAliasDecl, FunctionDecl>(D))
        continue;
      const auto *V = dyn_cast<VarDecl>(D);
      if (!V || isa<DecompositionDecl>(D)) {
        fail(D->getSourceRange(), V ? "a structured binding" : "this declaration");
        return false;
      }
      if (!declaration(V, Out)) {
        bind(V, std::monostate());
        if (!recover())
          return false;
      }
    }
    return true;
  default:
    break;
  }
  const auto *E = dyn_cast<clang::Expr>(S);
  if (!E) {
    fail(S->getSourceRange(), nameOfStatement(S), hintForStatement(S));
    return false;
  }
  E = peel(E);
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && Cast->getCastKind() == CK_ToVoid) {
    const clang::Expr *Ignored = peel(Cast->getSubExpr());
    if (isa<DeclRefExpr, IntegerLiteral>(Ignored)) // `(void)x`, and assert under NDEBUG
      return true;
    E = Ignored;
  }
  if (isAssertion(E)) // the plain program checks it
    return true;
  if (const auto *Comma = dyn_cast<BinaryOperator>(E); Comma && Comma->getOpcode() == BO_Comma)
    return statement(Comma->getLHS(), Out) && statement(Comma->getRHS(), Out);
  return expression(E, Out);
}

} // namespace septran::compiler
