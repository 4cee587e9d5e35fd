//===- CheckFamilies.cpp - variants agree, launches form no cycle ---*- C++ -*-===//
#include "IR/Rewrite.h"
#include "Logic/Checks.h"

#include <algorithm>
#include <map>

namespace septran::compiler {

namespace {

class RecursionFinder {
  Diagnostics &D;
  std::vector<const Function *> Path;
  std::map<const Function *, bool> Done;
  bool Found = false;

public:
  explicit RecursionFinder(Diagnostics &D) : D(D) {}
  bool found() const { return Found; }

  void visit(const Function &F) {
    auto [It, New] = Done.try_emplace(&F, false);
    if (!New)
      return;
    Path.push_back(&F);
    walkStmts(F.Body, [&](const Stmt &S) {
      const auto *L = S.getIf<Launch>();
      if (!L)
        return;
      auto Start = std::find(Path.begin(), Path.end(), L->Callee.get());
      if (Start == Path.end())
        return visit(*L->Callee);
      std::string Chain;
      for (auto I = Start; I != Path.end(); ++I)
        Chain += (*I)->Name + " -> ";
      D.report(DiagID::RecursiveLaunch, S.Loc, L->Callee->Name, Chain + L->Callee->Name);
      Found = true;
    });
    Path.pop_back();
  }
};

/// As C++ sees them: a tensor of constants is a type of its own.
bool sameTypes(const Function &A, const Function &B) {
  return sameSignature(A, B) &&
         std::equal(A.Params.begin(), A.Params.end(), B.Params.begin(), B.Params.end(),
                    [](const Parameter &P, const Parameter &Q) {
                      return !P.isTensor() || P.Tensor->Const == Q.Tensor->Const;
                    });
}

std::string describe(const Parameter &P) {
  switch (P.Access) {
  case Privilege::Read:
    return "read";
  case Privilege::ReadWrite:
    return "read-write";
  case Privilege::Write:
    return "write-only";
  case Privilege::Reduce:
    return "reduce-only";
  }
  return "read";
}

void comparePrivileges(const Function &A, const Function &B, Diagnostics &D) {
  for (size_t I = 0; I < A.Params.size(); ++I) {
    const Parameter &P = A.Params[I], &Q = B.Params[I];
    if (!P.isTensor() || (P.Access == Q.Access && P.Reduction == Q.Reduction))
      continue;
    D.report(DiagID::FamilyPrivilege, Q.Loc, B.Family, I + 1, describe(Q), B.Name, describe(P),
             A.Name)
        .note(DiagID::NoteDeclared, P.Loc, P.Name);
  }
}

} // namespace

bool reportRecursion(const TaskGraph &G, Diagnostics &D) {
  RecursionFinder Finder(D);
  for (const std::shared_ptr<const Function> &F : G.Functions)
    Finder.visit(*F);
  return Finder.found();
}

void checkFamilies(const TaskGraph &G, Diagnostics &D) {
  std::map<std::string, std::vector<const Function *>> Families;
  std::vector<std::string> Order;
  for (const std::shared_ptr<const Function> &F : G.Functions) {
    std::vector<const Function *> &Members = Families[F->Family];
    if (Members.empty())
      Order.push_back(F->Family);
    Members.push_back(F.get());
  }
  for (const std::string &Name : Order) {
    const std::vector<const Function *> &Members = Families[Name];
    const bool HasVariants = std::any_of(Members.begin(), Members.end(), [&](const Function *F) {
      return F->Name != Members.front()->Name;
    });
    if (!HasVariants) // overloads and instantiations of one function
      continue;
    for (const Function *F : Members) {
      const Function *First = nullptr;
      bool Alone = true;
      for (const Function *Other : Members) {
        if (!sameTypes(*F, *Other))
          continue;
        if (!First)
          First = Other;
        Alone &= Other->Name == F->Name;
      }
      if (Alone)
        D.report(DiagID::FamilySignature, F->Loc, F->Signature, Name);
      else if (First != F)
        comparePrivileges(*First, *F, D);
    }
  }
}

} // namespace septran::compiler
