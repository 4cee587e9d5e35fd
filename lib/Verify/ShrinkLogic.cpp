//===- ShrinkLogic.cpp - the simplest program that still fails ------------===//
#include "Verify/Shrink.h"

#include <algorithm>

namespace septran::compiler {

namespace {

using StmtKind = LogicStmt::Kind;
using ExprKind = LogicExpr::Kind;

const std::string &familyOf(const LogicFunction &F) { return F.Family.empty() ? F.Name : F.Family; }

/// Calls F on every block of P until it returns true.
bool visitBlocks(LogicBlock &B, const std::function<bool(LogicBlock &)> &F) {
  if (F(B))
    return true;
  return std::any_of(B.begin(), B.end(), [&](LogicStmt &S) {
    return visitBlocks(S.Body, F) || visitBlocks(S.Else, F);
  });
}

bool visitExprs(LogicExpr &E, const std::function<bool(LogicExpr &)> &F) {
  return F(E) ||
         std::any_of(E.Args.begin(), E.Args.end(), [&](LogicExpr &A) { return visitExprs(A, F); });
}

/// Expressions that are values: not the places that are written, nor arguments of launches.
bool visitValues(LogicBlock &B, const std::function<bool(LogicExpr &)> &F) {
  return visitBlocks(B, [&](LogicBlock &Inner) {
    for (LogicStmt &S : Inner) {
      const bool HasValue = S.K == StmtKind::Set || S.K == StmtKind::Scalar || S.K == StmtKind::If;
      if (HasValue && visitExprs(S.Args.back(), F))
        return true;
    }
    return false;
  });
}

void replaceName(LogicBlock &B, const std::string &Name, const LogicExpr &By) {
  visitBlocks(B, [&](LogicBlock &Inner) {
    for (LogicStmt &S : Inner)
      for (LogicExpr &Arg : S.Args)
        visitExprs(Arg, [&](LogicExpr &E) {
          if (E == text(Name))
            E = By;
          return false;
        });
    return false;
  });
}

class Simplifier {
  const LogicProgram &P;
  std::vector<LogicProgram> Result;

  void add(LogicProgram Simpler) {
    dropUnused(Simpler);
    if (!(Simpler == P))
      Result.push_back(std::move(Simpler));
  }

  /// Simpler programs with statement `At`, counted over function `F`, edited by `Change`.
  void atStatement(size_t F, size_t At, const std::function<bool(LogicBlock &, size_t)> &Change) {
    LogicProgram Copy = P;
    size_t Seen = 0;
    bool Changed = false;
    visitBlocks(Copy.Functions[F].Body, [&](LogicBlock &B) {
      if (At >= Seen + B.size()) {
        Seen += B.size();
        return false;
      }
      Changed = Change(B, At - Seen);
      return true;
    });
    if (Changed)
      add(std::move(Copy));
  }

  size_t countStatements(size_t F) const {
    LogicBlock Body = P.Functions[F].Body;
    size_t Count = 0;
    visitBlocks(Body, [&](LogicBlock &B) {
      Count += B.size();
      return false;
    });
    return Count;
  }

  static void replaceBy(LogicBlock &B, size_t At, LogicBlock By) {
    B.erase(B.begin() + std::ptrdiff_t(At));
    B.insert(B.begin() + std::ptrdiff_t(At), By.begin(), By.end());
  }

  /// A loop's body for the first index, a branch of a condition.
  void unwrap(size_t F, size_t At) {
    atStatement(F, At, [](LogicBlock &B, size_t I) {
      LogicStmt S = B[I];
      if (S.K != StmtKind::For && S.K != StmtKind::Parallel && S.K != StmtKind::If)
        return false;
      if (S.K != StmtKind::If)
        for (const std::string &Name : S.Names)
          replaceName(S.Body, Name, number(0));
      replaceBy(B, I, S.Body);
      return true;
    });
    atStatement(F, At, [](LogicBlock &B, size_t I) {
      if (B[I].Else.empty())
        return false;
      replaceBy(B, I, LogicBlock(B[I].Else));
      return true;
    });
    atStatement(F, At, [](LogicBlock &B, size_t I) {
      const bool Had = !B[I].Else.empty();
      B[I].Else.clear();
      return Had;
    });
  }

  /// Another variant in place of what is launched, the ones that stand earlier in the file.
  void changeCallee(size_t F, size_t At) {
    for (const LogicFunction &Variant : P.Functions) {
      atStatement(F, At, [&](LogicBlock &B, size_t I) {
        if (B[I].K != StmtKind::Launch)
          return false;
        for (const LogicFunction &Callee : P.Functions)
          if (Callee.Name == B[I].name() && Callee.Name != Variant.Name &&
              familyOf(Callee) == familyOf(Variant) && &Variant < &Callee) {
            B[I].Names = {Variant.Name};
            return true;
          }
        return false;
      });
    }
  }

  void dropVariants() {
    for (size_t F = 0; F + 1 < P.Functions.size(); ++F) {
      LogicProgram Copy = P;
      Copy.Functions.erase(Copy.Functions.begin() + std::ptrdiff_t(F));
      bool Launched = false;
      for (LogicFunction &Each : Copy.Functions)
        visitBlocks(Each.Body, [&](LogicBlock &B) {
          for (const LogicStmt &S : B)
            Launched |= S.K == StmtKind::Launch && S.name() == P.Functions[F].Name;
          return Launched;
        });
      if (!Launched)
        add(std::move(Copy));
    }
  }

  void simplifyNumbers(size_t F, size_t At) {
    for (long long Small : {1, 2})
      atStatement(F, At, [Small](LogicBlock &B, size_t I) {
        if (B[I].K != StmtKind::Tunable || B[I].Args[0] == number(1) ||
            B[I].Args[0] == number(Small))
          return false;
        B[I].Args[0] = number(Small);
        return true;
      });
    atStatement(F, At, [](LogicBlock &B, size_t I) {
      const bool Had = B[I].K == StmtKind::For && B[I].Step != 1;
      B[I].Step = 1;
      return Had;
    });
  }

  /// Operands in place of operators.
  void simplifyValues(size_t F) {
    LogicBlock Body = P.Functions[F].Body;
    size_t Count = 0;
    visitValues(Body, [&](LogicExpr &) {
      ++Count;
      return false;
    });
    auto At = [&](size_t Place, const std::function<bool(LogicExpr &)> &Change) {
      LogicProgram Copy = P;
      size_t Seen = 0;
      bool Changed = false;
      visitValues(Copy.Functions[F].Body, [&](LogicExpr &E) {
        if (Seen++ != Place)
          return false;
        Changed = Change(E);
        return true;
      });
      if (Changed)
        add(std::move(Copy));
    };
    for (size_t Place = 0; Place < Count; ++Place)
      for (size_t Operand = 0; Operand < 3; ++Operand)
        At(Place, [Operand](LogicExpr &E) {
          const bool HasOperands =
              E.K == ExprKind::Operator || E.K == ExprKind::Select || E.K == ExprKind::Call;
          const size_t First = E.K == ExprKind::Select ? 1 : 0; // the condition is no value
          if (!HasOperands || First + Operand >= E.Args.size())
            return false;
          LogicExpr Only = E.Args[First + Operand];
          E = std::move(Only);
          return true;
        });
  }

public:
  explicit Simplifier(const LogicProgram &P) : P(P) {}

  std::vector<LogicProgram> all() {
    for (size_t F = P.Functions.size(); F-- > 0;)
      for (size_t At = countStatements(F); At-- > 0;)
        atStatement(F, At, [](LogicBlock &B, size_t I) {
          B.erase(B.begin() + std::ptrdiff_t(I));
          return true;
        });
    for (size_t F = P.Functions.size(); F-- > 0;)
      for (size_t At = 0, End = countStatements(F); At < End; ++At) {
        unwrap(F, At);
        changeCallee(F, At);
      }
    dropVariants();
    for (size_t F = P.Functions.size(); F-- > 0;) {
      for (size_t At = 0, End = countStatements(F); At < End; ++At)
        simplifyNumbers(F, At);
      simplifyValues(F);
    }
    return std::move(Result);
  }
};

} // namespace

std::vector<LogicProgram> simplerOnes(const LogicProgram &P) { return Simplifier(P).all(); }

LogicProgram shrinkLogic(LogicProgram P, const std::function<bool(const LogicProgram &)> &Fails,
                         const ShrinkOptions &Options) {
  unsigned Tries = 0;
  for (bool Progress = true; Progress && Tries < Options.MaxTries;) {
    Progress = false;
    for (LogicProgram &Simpler : simplerOnes(P)) {
      if (Tries >= Options.MaxTries)
        break;
      const bool Taken = Fails(Simpler);
      ++Tries;
      if (Options.Progress)
        Options.Progress(Tries, Taken);
      if (!Taken)
        continue;
      P = std::move(Simpler);
      Progress = true;
      break;
    }
  }
  return P;
}

} // namespace septran::compiler
