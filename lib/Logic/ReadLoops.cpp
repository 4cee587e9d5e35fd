//===- ReadLoops.cpp - counted and parallel loops -------------------*- C++ -*-===//
//
// A counted loop is `for (int i = lo; i < hi; i += step)` in any of its spellings, with a variable,
// a bound and a step that the body does not change. What counts downwards, or by a step that is no
// constant, becomes a loop over the number of the iteration.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Logic/BodyReader.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace septran::compiler {

struct BodyReader::Header {
  const VarDecl *V = nullptr;
  VarRef Counter;
  Expr Lo;   ///< the first value
  Expr End;  ///< one past the last value; downwards, the last value itself
  Expr Step; ///< as written, positive
  bool Down = false;
};

namespace {

const VarDecl *variableOf(const clang::Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(peel(E));
  return Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
}

bool namesAny(const clang::Stmt *S, const DeclSet &Variables) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
    return Variables.contains(Ref->getDecl());
  return llvm::any_of(
      S->children(), [&](const clang::Stmt *Child) { return Child && namesAny(Child, Variables); });
}

/// E = V + Offset, with an Offset that does not name V.
std::optional<Expr> offsetFrom(const Expr &E, const VarRef &V) {
  if (E->Kind == ExprKind::Var && E->V == V)
    return intLit(0);
  if (E->Kind != ExprKind::Binary || (E->Bin != BinaryOp::Add && E->Bin != BinaryOp::Sub))
    return std::nullopt;
  const Expr &L = E->Args[0], &R = E->Args[1];
  if (!mentions(R, V)) {
    std::optional<Expr> Inner = offsetFrom(L, V);
    if (!Inner)
      return std::nullopt;
    return E->Bin == BinaryOp::Add ? *Inner + R : *Inner - R;
  }
  if (E->Bin == BinaryOp::Add && !mentions(L, V)) {
    std::optional<Expr> Inner = offsetFrom(R, V);
    return Inner ? std::optional(L + *Inner) : std::nullopt;
  }
  return std::nullopt;
}

bool stores(const Block &B, const TensorRef &T) {
  bool Found = false;
  walkStmts(B, [&](const septran::compiler::Stmt &S) {
    if (const auto *Store = S.getIf<septran::compiler::Store>())
      Found |= Store->T == T;
  });
  return Found;
}

constexpr char Counted[] = "write a counted loop: for (int i = lo; i < hi; ++i)";

} // namespace

/// `++i`, `i += c`, `i = i + c`, and their downward forms.
bool BodyReader::readIncrement(const clang::Expr *E, Header &H) {
  E = E ? peel(E) : nullptr;
  const clang::Expr *Step = nullptr;
  if (const auto *U = dyn_cast_or_null<UnaryOperator>(E); U && U->isIncrementDecrementOp()) {
    H.V = variableOf(U->getSubExpr());
    H.Down = U->isDecrementOp();
  } else if (const auto *B = dyn_cast_or_null<BinaryOperator>(E); B && B->isAssignmentOp()) {
    H.V = variableOf(B->getLHS());
    Step = B->getRHS();
    BinaryOperatorKind Op = B->getOpcode();
    if (Op == BO_Assign) {
      const auto *Sum = dyn_cast<BinaryOperator>(Step->IgnoreParenImpCasts());
      if (Sum && H.V && variableOf(Sum->getLHS()->IgnoreParenImpCasts()) == H.V) {
        Step = Sum->getRHS();
        Op = Sum->getOpcode();
      } else if (Sum && H.V && Sum->getOpcode() == BO_Add &&
                 variableOf(Sum->getRHS()->IgnoreParenImpCasts()) == H.V) {
        Step = Sum->getLHS();
        Op = BO_Add;
      }
    }
    H.Down = Op == BO_SubAssign || Op == BO_Sub;
    if (!H.Down && Op != BO_AddAssign && Op != BO_Add)
      H.V = nullptr;
  }
  if (!H.V)
    return false;
  llvm::SaveAndRestore EveryTime(Repeats, true);
  H.Step = Step ? index(Step) : intLit(1);
  if (!H.Step)
    return false;
  if (std::optional<std::int64_t> Known = constantValue(H.Step); Known && *Known < 0) {
    H.Down = !H.Down;
    H.Step = intLit(-*Known);
  }
  return !isConstant(H.Step, 0);
}

bool BodyReader::readCondition(const clang::Expr *E, Header &H) {
  const auto *Test = E ? dyn_cast<BinaryOperator>(peel(E)) : nullptr;
  if (!Test || !Test->isComparisonOp())
    return false;
  llvm::SaveAndRestore EveryTime(Repeats, true);
  Expr L = index(Test->getLHS());
  Expr R = L ? index(Test->getRHS()) : nullptr;
  if (!R)
    return false;
  BinaryOperatorKind Op = Test->getOpcode();
  if (mentions(R, H.Counter)) {
    std::swap(L, R);
    Op = BinaryOperator::isRelationalOp(Op) ? BinaryOperator::reverseComparisonOp(Op) : Op;
  }
  std::optional<Expr> Offset = offsetFrom(L, H.Counter);
  if (!Offset || mentions(R, H.Counter))
    return false;
  // `i - 1 < n` is false for an unsigned i of 0, which `i < n + 1` is not.
  if (!isSigned(H.Counter->Type) && constantValue(*Offset).value_or(-1) < 0)
    return false;
  const Expr Bound = R - *Offset;
  const bool ByOne = isConstant(H.Step, 1);
  if (H.Down) {
    if (Op == BO_GE)
      H.End = Bound;
    else if (Op == BO_GT || (Op == BO_NE && ByOne))
      H.End = Bound + intLit(1);
  } else {
    if (Op == BO_LT || (Op == BO_NE && ByOne))
      H.End = Bound;
    else if (Op == BO_LE)
      H.End = Bound + intLit(1);
  }
  return H.End != nullptr;
}

bool BodyReader::readHeader(const ForStmt *S, Header &H, Block &Out) {
  const SourceRange Head(S->getForLoc(), S->getRParenLoc());
  auto Reject = [&](std::string What) {
    fail(Head, std::move(What), Counted);
    return false;
  };
  if (!readIncrement(S->getInc(), H))
    return Reject("a loop that is not counted by a fixed step");
  const auto *Init = dyn_cast_or_null<DeclStmt>(S->getInit());
  if (!Init || !llvm::is_contained(Init->decls(), H.V) || !H.V->getInit())
    return Reject("a loop whose variable '" + H.V->getNameAsString() +
                  "' is declared outside of it");
  if (std::optional<ScalarType> Type = scalarTypeOf(H.V->getType()); !Type || !isInteger(*Type))
    return Reject("a loop over '" + spell(H.V->getType(), Ast) + "'");
  if (H.Down && !InLeaf)
    return Reject("a loop that counts downwards");
  H.Lo = index(H.V->getInit());
  if (!H.Lo)
    return false;
  // Further variables of the header, `int i = 0, n = x.extent(0)`, are defined before the loop.
  for (const Decl *D : Init->decls())
    if (const auto *V = dyn_cast<VarDecl>(D); V && V != H.V && !declaration(V, Out))
      return false;
  H.Counter = variableFor(H.V, VarKind::Loop);
  bind(H.V, varExpr(H.Counter));
  Conditionally EveryTime(*this);
  if (!readCondition(S->getCond(), H))
    return Reject("a loop without a fixed bound");
  DeclSet Changed = assignedIn(S->getBody());
  if (Changed.contains(H.V))
    return Reject("a loop whose body changes its variable '" + H.V->getNameAsString() + "'");
  if (namesAny(S->getCond(), Changed) || namesAny(S->getInc(), Changed))
    return Reject("a loop whose body changes its bound");
  return true;
}

bool BodyReader::loop(const ForStmt *S, Block &Out) {
  Header H;
  if (!readHeader(S, H, Out))
    return false;
  For Loop;
  Loop.V = H.Counter;
  const std::optional<std::int64_t> Step = constantValue(H.Step);
  if (Step && !H.Down) {
    Loop.Lo = H.Lo;
    Loop.Hi = H.End;
    Loop.Step = *Step;
  } else {
    // The iterations compute the variable from these, so they must not change meanwhile.
    if (!isStable(H.Lo))
      H.Lo = held(H.Lo, H.V->getNameAsString());
    if (!isStable(H.Step))
      H.Step = held(H.Step, H.V->getNameAsString());
    const Expr Distance = H.Down ? H.Lo - H.End + intLit(1) : H.End - H.Lo;
    const Expr Number = varExpr(H.Counter);
    Loop.Lo = intLit(0);
    Loop.Hi = Step == 1 ? Distance : ceilDiv(maxExpr(Distance, intLit(0)), H.Step);
    const Expr Moved = Number * H.Step;
    const Expr Value = H.Down ? H.Lo - Moved : H.Lo + Moved;
    bind(H.V, isSigned(H.Counter->Type) ? Value : cast(H.Counter->Type, Value));
  }
  if (!block({S->getBody()}, Jump::Continue, Loop.Body))
    return false;
  bool Moves = false;
  walkExprs(Loop.Hi,
            [&](const Expr &E) { Moves |= E->Kind == ExprKind::Load && stores(Loop.Body, E->T); });
  if (Moves) {
    fail({S->getForLoc(), S->getRParenLoc()}, "a loop whose body changes its bound", Counted);
    return false;
  }
  Out.push_back({std::move(Loop), Places.point(S->getForLoc())});
  return true;
}

/// `for (auto [i, j] : septran::parallel(shape))`.
bool BodyReader::parallelLoop(const CXXForRangeStmt *S, Block &Out) {
  const auto *Call = dyn_cast<CallExpr>(peel(S->getRangeInit()));
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || libraryFunction(*F) != LibraryFunction::Parallel) {
    fail({S->getForLoc(), S->getRParenLoc()}, "a loop over this range",
         "write a counted loop, or a loop over septran::parallel");
    return false;
  }
  List Extents;
  if (Call->getNumArgs() == 1 && classify(Call->getArg(0)->getType()) == TypeKind::Extents) {
    if (std::optional<List> Shape = list(Call->getArg(0)))
      Extents = *Shape;
  } else {
    for (const clang::Expr *Arg : Call->arguments())
      if (Expr Extent = index(Arg))
        Extents.push_back(Extent);
  }
  if (failure())
    return false;
  const auto *Names = dyn_cast<DecompositionDecl>(S->getLoopVariable());
  if (!Names || Names->bindings().size() != Extents.size()) {
    fail(S->getLoopVariable()->getSourceRange(), "a parallel loop without names for its indices",
         "write for (auto [i, j] : septran::parallel(...))");
    return false;
  }
  const unsigned Group = Extents.size() > 1 ? ++Groups : 0;
  std::vector<For> Loops;
  for (size_t D = 0; D < Extents.size(); ++D) {
    const BindingDecl *Index = Names->bindings()[D];
    if (isAssigned(Index)) {
      fail(S->getLoopVariable()->getSourceRange(),
           "a parallel loop whose body changes its index '" + Index->getNameAsString() + "'");
      return false;
    }
    For Loop;
    Loop.V = makeVar(Index->getNameAsString(), ScalarType::I64, VarKind::Loop,
                     Places.point(Index->getLocation()));
    Loop.Lo = intLit(0);
    Loop.Hi = Extents[D];
    Loop.Kind = LoopKind::Parallel;
    Loop.Group = Group;
    bind(Index, varExpr(Loop.V));
    Loops.push_back(std::move(Loop));
  }
  const Location Loc = Places.point(S->getForLoc());
  if (!block({S->getBody()}, Jump::Continue, Loops.back().Body))
    return false;
  while (Loops.size() > 1) {
    For Inner = std::move(Loops.back());
    Loops.pop_back();
    Loops.back().Body.push_back({std::move(Inner), Loc});
  }
  Out.push_back({std::move(Loops.front()), Loc});
  return true;
}

} // namespace septran::compiler
