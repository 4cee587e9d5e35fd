//===- DropUnused.cpp - logic without what nothing uses -------------------===//
#include "Verify/LogicProgram.h"

#include <algorithm>
#include <map>
#include <set>

namespace septran::compiler {

namespace {

using StmtKind = LogicStmt::Kind;

const std::string &familyOf(const LogicFunction &F) { return F.Family.empty() ? F.Name : F.Family; }

class Dropper {
  LogicProgram &P;
  bool Changed = false;

  const LogicFunction *find(const std::string &Name) const {
    for (const LogicFunction &F : P.Functions)
      if (F.Name == Name)
        return &F;
    return nullptr;
  }

  /// The words of B. An argument that a launch within the family hands on to the parameter at its
  /// own place is no use: the parameter may go from all variants.
  std::map<std::string, unsigned> usesIn(const LogicFunction &F) const {
    LogicBlock Body = F.Body;
    auto Visit = [&](LogicBlock &B, auto &Self) -> void {
      for (LogicStmt &S : B) {
        const LogicFunction *Callee = S.K == StmtKind::Launch ? find(S.name()) : nullptr;
        if (Callee && familyOf(*Callee) == familyOf(F))
          for (size_t N = 0; N < S.Args.size() && N < F.Params.size(); ++N)
            if (S.Args[N] == text(F.Params[N].Name))
              S.Args[N] = number(0);
        Self(S.Body, Self);
        Self(S.Else, Self);
      }
    };
    Visit(Body, Visit);
    return wordsOf(Body);
  }

  void dropFunctions() {
    std::set<std::string> Reached = {familyOf(P.Functions.back())};
    for (size_t N = P.Functions.size(); N-- > 0;) {
      if (!Reached.count(familyOf(P.Functions[N])))
        continue;
      auto Visit = [&](const LogicBlock &B, auto &Self) -> void {
        for (const LogicStmt &S : B) {
          if (const LogicFunction *Callee = S.K == StmtKind::Launch ? find(S.name()) : nullptr)
            Reached.insert(familyOf(*Callee));
          Self(S.Body, Self);
          Self(S.Else, Self);
        }
      };
      Visit(P.Functions[N].Body, Visit);
    }
    Changed |= std::erase_if(P.Functions, [&](const LogicFunction &F) {
                 return !Reached.count(familyOf(F));
               }) != 0;
  }

  void dropArgument(LogicBlock &B, const std::set<std::string> &Callees, size_t Place) {
    for (LogicStmt &S : B) {
      if (S.K == StmtKind::Launch && Callees.count(S.name()) && Place < S.Args.size())
        S.Args.erase(S.Args.begin() + static_cast<std::ptrdiff_t>(Place));
      dropArgument(S.Body, Callees, Place);
      dropArgument(S.Else, Callees, Place);
    }
  }

  void dropParameters() {
    std::map<std::string, std::vector<LogicFunction *>> Families;
    for (LogicFunction &F : P.Functions)
      Families[familyOf(F)].push_back(&F);
    for (auto &[Name, Members] : Families) {
      std::vector<std::map<std::string, unsigned>> Uses(Members.size());
      std::set<std::string> Names;
      for (size_t M = 0; M < Members.size(); ++M) {
        Uses[M] = usesIn(*Members[M]);
        Names.insert(Members[M]->Name);
      }
      for (size_t N = Members.front()->Params.size(); N-- > 0;) {
        bool Used = false;
        for (size_t M = 0; M < Members.size(); ++M)
          Used |= N >= Members[M]->Params.size() || Uses[M].count(Members[M]->Params[N].Name) != 0;
        if (Used)
          continue;
        for (LogicFunction *F : Members)
          F->Params.erase(F->Params.begin() + static_cast<std::ptrdiff_t>(N));
        for (LogicFunction &F : P.Functions)
          dropArgument(F.Body, Names, N);
        Changed = true;
      }
    }
  }

  /// Definitions that nothing names, and blocks without statements.
  void dropStatements(LogicBlock &B, const std::map<std::string, unsigned> &Uses) {
    for (LogicStmt &S : B) {
      dropStatements(S.Body, Uses);
      dropStatements(S.Else, Uses);
    }
    Changed |= std::erase_if(B, [&](const LogicStmt &S) {
                 switch (S.K) {
                 case StmtKind::Scalar:
                 case StmtKind::Tunable:
                 case StmtKind::Local:
                 case StmtKind::Define:
                   return !Uses.count(S.name());
                 case StmtKind::For:
                 case StmtKind::Parallel:
                   return S.Body.empty();
                 case StmtKind::If:
                   return S.Body.empty() && S.Else.empty();
                 default:
                   return false;
                 }
               }) != 0;
  }

public:
  explicit Dropper(LogicProgram &P) : P(P) {}

  void run() {
    do {
      Changed = false;
      dropFunctions();
      for (LogicFunction &F : P.Functions)
        dropStatements(F.Body, wordsOf(F.Body));
      dropParameters();
    } while (Changed);
  }
};

} // namespace

void dropUnused(LogicProgram &P) {
  if (!P.Functions.empty())
    Dropper(P).run();
}

} // namespace septran::compiler
