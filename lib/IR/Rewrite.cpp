//===- Rewrite.cpp - walking, substituting and copying IR -------*- C++ -*-===//
#include "IR/Rewrite.h"

#include <algorithm>
#include <type_traits>

namespace septran::compiler {

namespace {

/// The expressions that a view, const or not, holds directly.
template <class ViewT, class Fn> void exprsOfView(ViewT &V, Fn F) {
  auto visit = [&](auto &E) {
    if (E)
      F(E);
  };
  for (auto &S : V.Slices)
    for (auto Member :
         {&Slice::Offset, &Slice::Extent, &Slice::Block, &Slice::Index, &Slice::Low, &Slice::High})
      visit(S.*Member);
  for (auto &E : V.BroadcastExtents)
    visit(E);
  visit(V.Fill);
  for (auto &E : V.Reshape)
    visit(E);
}

template <class StmtT, class Fn> void viewsOfStmt(StmtT &S, Fn F) {
  auto arguments = [&](auto &Args) {
    for (auto &A : Args)
      if (A.isTensor())
        F(A.Tensor);
  };
  std::visit(
      [&](auto &Node) {
        using T = std::remove_cvref_t<decltype(Node)>;
        if constexpr (std::is_same_v<T, Define>) {
          F(Node.Value);
        } else if constexpr (std::is_same_v<T, Launch> || std::is_same_v<T, OpaqueCall>) {
          arguments(Node.Args);
        } else if constexpr (std::is_same_v<T, CopyStmt>) {
          F(Node.Dst);
          F(Node.Src);
        } else if constexpr (std::is_same_v<T, PrimitiveCall>) {
          for (auto &O : Node.Operands)
            if (O.isTensor())
              F(O.Tensor);
        }
      },
      S.Node);
}

template <class StmtT, class Fn> void exprsOfStmt(StmtT &S, Fn F) {
  auto visit = [&](auto &E) {
    if (E)
      F(E);
  };
  auto all = [&](auto &Exprs) {
    for (auto &E : Exprs)
      visit(E);
  };
  auto arguments = [&](auto &Args) {
    for (auto &A : Args) {
      exprsOfView(A.Tensor, F);
      visit(A.Scalar);
    }
  };
  std::visit(
      [&](auto &Node) {
        using T = std::remove_cvref_t<decltype(Node)>;
        if constexpr (std::is_same_v<T, For>) {
          visit(Node.Lo);
          visit(Node.Hi);
        } else if constexpr (std::is_same_v<T, If>) {
          visit(Node.Condition);
        } else if constexpr (std::is_same_v<T, Let> || std::is_same_v<T, Assign>) {
          visit(Node.Value);
        } else if constexpr (std::is_same_v<T, Store>) {
          all(Node.Indices);
          visit(Node.Value);
        } else if constexpr (std::is_same_v<T, Define>) {
          exprsOfView(Node.Value, F);
        } else if constexpr (std::is_same_v<T, Local> || std::is_same_v<T, Alloc>) {
          all(Node.Extents);
        } else if constexpr (std::is_same_v<T, Launch> || std::is_same_v<T, OpaqueCall>) {
          arguments(Node.Args);
        } else if constexpr (std::is_same_v<T, CopyStmt>) {
          exprsOfView(Node.Dst, F);
          exprsOfView(Node.Src, F);
        } else if constexpr (std::is_same_v<T, PrimitiveCall>) {
          for (auto &O : Node.Operands) {
            exprsOfView(O.Tensor, F);
            visit(O.Scalar);
          }
          for (auto &Size : Node.Sizes)
            visit(Size.second);
        } else if constexpr (std::is_same_v<T, Stage>) {
          visit(Node.Index);
          visit(Node.Lo);
          visit(Node.Hi);
        } else if constexpr (std::is_same_v<T, EngineEvent>) {
          visit(Node.Event);
        }
      },
      S.Node);
}

template <class BlockPtr, class StmtT> llvm::SmallVector<BlockPtr, 2> blocksOfStmt(StmtT &S) {
  if (auto *L = S.template getIf<For>())
    return {&L->Body};
  if (auto *I = S.template getIf<If>())
    return {&I->Then, &I->Else};
  if (auto *N = S.template getIf<Scope>())
    return {&N->Body};
  return {};
}

/// The symbol that stands in for the one a statement introduces, or null.
VarRef renamed(const VarRef &V, const Substitution &S) {
  auto Found = S.Vars.find(V);
  return Found != S.Vars.end() && Found->second->Kind == ExprKind::Var ? Found->second->V : nullptr;
}

TensorRef renamed(const TensorRef &T, const Substitution &S) {
  auto Found = S.Tensors.find(T);
  return Found != S.Tensors.end() ? Found->second : nullptr;
}

template <class Symbol> void rename(Symbol &Name, const Substitution &S) {
  if (Symbol New = renamed(Name, S))
    Name = New;
}

const View *viewOf(const TensorRef &T, const Substitution &S) {
  auto Found = S.Views.find(T);
  return Found == S.Views.end() ? nullptr : &Found->second;
}

bool elementsFollow(const View &V) { return !V.Fill && V.Reshape.empty(); }

Expr substituteNode(const Expr &E, const Substitution &S) {
  if (E->Kind == ExprKind::Var) {
    auto Found = S.Vars.find(E->V);
    return Found == S.Vars.end() ? nullptr : Found->second;
  }
  if (!E->T)
    return nullptr;
  if (TensorRef New = renamed(E->T, S)) {
    ExprNode Node = *E;
    Node.T = New;
    return std::make_shared<const ExprNode>(std::move(Node));
  }
  const View *V = viewOf(E->T, S);
  if (!V)
    return nullptr;
  if (E->Kind == ExprKind::Extent)
    return V->extent(E->Dim);
  if (E->Kind == ExprKind::Origin)
    return V->origin(E->Dim);
  return elementsFollow(*V) ? load(V->Base, baseIndices(*V, E->Args)) : nullptr;
}

/// Replaces what V is a view of; its expressions are substituted already.
void substituteBase(View &V, const Substitution &S) {
  if (TensorRef New = renamed(V.Base, S))
    V.Base = New;
  else if (const View *Outer = viewOf(V.Base, S); Outer && canCompose(*Outer, V))
    V = composeSubstituted(*Outer, V);
}

void substituteStmt(Stmt &Statement, const Substitution &S) {
  forEachExpr(Statement, [&](Expr &E) { E = substitute(E, S); });
  forEachView(Statement, [&](View &V) { substituteBase(V, S); });
  std::visit(
      [&](auto &Node) {
        using T = std::remove_cvref_t<decltype(Node)>;
        if constexpr (std::is_same_v<T, For> || std::is_same_v<T, Let> || std::is_same_v<T, Assign>)
          rename(Node.V, S);
        if constexpr (std::is_same_v<T, For>)
          for (SharedReduction &R : Node.Reductions) {
            rename(R.Partial, S);
            rename(R.Target, S);
            // A reduction is over a whole tensor; a part of one it cannot name.
            if (const View *V = viewOf(R.Target, S); V && isIdentity(*V))
              R.Target = V->Base;
          }
        else if constexpr (std::is_same_v<T, Store> || std::is_same_v<T, Define> ||
                           std::is_same_v<T, Local> || std::is_same_v<T, Alloc>)
          rename(Node.T, S);
      },
      Statement.Node);
  if (Store *W = Statement.getIf<Store>())
    if (const View *V = viewOf(W->T, S); V && elementsFollow(*V)) {
      W->Indices = baseIndices(*V, W->Indices);
      W->T = V->Base;
    }
}

} // namespace

Expr withOperands(const Expr &E, std::vector<Expr> Args) {
  switch (E->Kind) {
  case ExprKind::Load:
    return load(E->T, std::move(Args));
  case ExprKind::Unary:
    return unary(E->Un, std::move(Args[0]));
  case ExprKind::Binary:
    return binary(E->Bin, std::move(Args[0]), std::move(Args[1]), E->Type);
  case ExprKind::Select:
    return select(std::move(Args[0]), std::move(Args[1]), std::move(Args[2]));
  case ExprKind::Cast:
    return cast(E->Type, std::move(Args[0]));
  case ExprKind::Call:
    return call(E->Callee, std::move(Args), E->Type);
  default:
    return E; // no operands
  }
}

Expr rewriteExpr(const Expr &E, llvm::function_ref<Expr(const Expr &)> F) {
  std::vector<Expr> Args; // once one changes
  for (size_t I = 0; I < E->Args.size(); ++I) {
    Expr New = rewriteExpr(E->Args[I], F);
    if (Args.empty() && New != E->Args[I])
      Args = E->Args;
    if (!Args.empty())
      Args[I] = std::move(New);
  }
  Expr Result = E;
  if (!Args.empty()) {
    Result = withOperands(E, std::move(Args));
    if (!Result->Loc.isValid() && E->Loc.isValid())
      Result = withLocation(Result, E->Loc);
    // Folding leaves operands, which have been rewritten: x - (x - y) is y.
    if (Result->Kind != E->Kind)
      return Result;
  }
  if (Expr New = F(Result))
    return New;
  return Result;
}

Expr substitute(const Expr &E, const Substitution &S) {
  return rewriteExpr(E, [&](const Expr &Node) { return substituteNode(Node, S); });
}

View substitute(const View &V, const Substitution &S) {
  View Result = V;
  forEachExpr(Result, [&](Expr &E) { E = substitute(E, S); });
  substituteBase(Result, S);
  return Result;
}

Block substitute(const Block &B, const Substitution &S) {
  Block Result = B;
  walkStmts(Result, [&](Stmt &Statement) { substituteStmt(Statement, S); });
  return Result;
}

Block freshCopy(const Block &B, Substitution &S) {
  walkStmts(B, [&](const Stmt &Statement) {
    if (VarRef V = introducedVar(Statement))
      S.Vars[V] = varExpr(std::make_shared<const Var>(*V));
    for (const TensorRef &T : introducedTensors(Statement)) {
      S.Tensors[T] = std::make_shared<Tensor>(*T);
      S.Views.erase(T);
    }
  });
  return substitute(B, S);
}

void walkStmts(Stmts B, llvm::function_ref<void(const Stmt &)> F) {
  for (const Stmt &S : B) {
    F(S);
    for (const Block *Nested : nestedBlocks(S))
      walkStmts(*Nested, F);
  }
}

void walkStmts(Block &B, llvm::function_ref<void(Stmt &)> F) {
  for (Stmt &S : B) {
    F(S);
    for (Block *Nested : nestedBlocks(S))
      walkStmts(*Nested, F);
  }
}

void walkExprs(const Expr &E, llvm::function_ref<void(const Expr &)> F) {
  F(E);
  for (const Expr &Arg : E->Args)
    walkExprs(Arg, F);
}

void walkExprs(Stmts B, llvm::function_ref<void(const Expr &)> F) {
  walkStmts(B, [&](const Stmt &S) { forEachExpr(S, [&](const Expr &E) { walkExprs(E, F); }); });
}

void forEachExpr(Stmt &S, llvm::function_ref<void(Expr &)> F) { exprsOfStmt(S, F); }
void forEachExpr(const Stmt &S, llvm::function_ref<void(const Expr &)> F) { exprsOfStmt(S, F); }
void forEachExpr(View &V, llvm::function_ref<void(Expr &)> F) { exprsOfView(V, F); }
void forEachExpr(const View &V, llvm::function_ref<void(const Expr &)> F) { exprsOfView(V, F); }
void forEachView(Stmt &S, llvm::function_ref<void(View &)> F) { viewsOfStmt(S, F); }
void forEachView(const Stmt &S, llvm::function_ref<void(const View &)> F) { viewsOfStmt(S, F); }

void rewriteExprs(Block &B, llvm::function_ref<Expr(const Expr &)> F) {
  walkStmts(B, [&](Stmt &S) { forEachExpr(S, [&](Expr &E) { E = rewriteExpr(E, F); }); });
}

llvm::SmallVector<Block *, 2> nestedBlocks(Stmt &S) { return blocksOfStmt<Block *>(S); }
llvm::SmallVector<const Block *, 2> nestedBlocks(const Stmt &S) {
  return blocksOfStmt<const Block *>(S);
}

VarRef introducedVar(const Stmt &S) {
  if (const For *L = S.getIf<For>())
    return L->V;
  if (const Let *L = S.getIf<Let>())
    return L->V;
  return nullptr;
}

std::vector<TensorRef> introducedTensors(const Stmt &S) {
  if (const Define *D = S.getIf<Define>())
    return {D->T};
  if (const Local *L = S.getIf<Local>())
    return {L->T};
  if (const Alloc *A = S.getIf<Alloc>())
    return {A->T};
  std::vector<TensorRef> Partials;
  if (const For *L = S.getIf<For>())
    for (const SharedReduction &R : L->Reductions)
      Partials.push_back(R.Partial);
  return Partials;
}

bool mentions(const Expr &E, const VarRef &V) {
  bool Found = false;
  walkExprs(E, [&](const Expr &Part) { Found |= Part->Kind == ExprKind::Var && Part->V == V; });
  return Found;
}

bool mentions(const View &View, const VarRef &V) {
  bool Found = false;
  forEachExpr(View, [&](const Expr &E) { Found |= mentions(E, V); });
  return Found;
}

bool mentions(Stmts B, const VarRef &V) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) {
    const Assign *A = S.getIf<Assign>();
    Found |= A && A->V == V;
    forEachExpr(S, [&](const Expr &E) { Found |= mentions(E, V); });
  });
  return Found;
}

bool mentions(const Expr &E, const TensorRef &T) {
  bool Found = false;
  walkExprs(E, [&](const Expr &Part) { Found |= Part->T && Part->T == T; });
  return Found;
}

std::vector<VarRef> collectVars(const Expr &E) {
  std::vector<VarRef> Vars;
  walkExprs(E, [&](const Expr &Part) {
    if (Part->Kind == ExprKind::Var && std::find(Vars.begin(), Vars.end(), Part->V) == Vars.end())
      Vars.push_back(Part->V);
  });
  return Vars;
}

bool uses(Stmts B, const TensorRef &T) {
  bool Found = false;
  walkStmts(B, [&](const Stmt &S) {
    const Store *W = S.getIf<Store>();
    Found |= W && W->T == T;
    if (const For *L = S.getIf<For>())
      for (const SharedReduction &R : L->Reductions)
        Found |= R.Target == T;
    forEachView(S, [&](const View &V) { Found |= V.Base == T; });
    forEachExpr(S, [&](const Expr &E) { Found |= mentions(E, T); });
  });
  return Found;
}

} // namespace septran::compiler
