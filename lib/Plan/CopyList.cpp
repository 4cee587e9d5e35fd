//===- CopyList.cpp - every copy, how large and how often -----------------===//
#include "Plan/CopyList.h"

#include "IR/Rewrite.h"
#include "Plan/ScalarValues.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class Lister {
  ScalarValues Values;
  Facts Known; ///< of the loops around

  bool varies(const Expr &E) const {
    for (const VarRef &V : collectVars(E))
      if (V->Kind == VarKind::Loop)
        return true;
    return false;
  }

  /// What varies from iteration to iteration counts with its largest value, where there is one.
  void multiply(Product &P, const Expr &E) const {
    Expr Amount = Values.expand(E);
    std::optional<std::int64_t> Bound;
    if (varies(Amount))
      Bound = plannedBound(Amount, Known);
    if (Bound && !constantValue(Amount))
      P.multiplyAtMost(std::max<std::int64_t>(*Bound, 0));
    else
      P.multiply(Amount);
  }

  Product bytesOf(const CopyStmt &C) const {
    Product P;
    P.multiply(byteSize(C.Dst.Base->Element));
    for (unsigned D = 0; D < C.Dst.rank(); ++D)
      multiply(P, C.Dst.extent(D));
    return P;
  }

  static bool sameCopy(const CopyUse &A, const CopyUse &B) {
    return A.In == B.In && A.Loc == B.Loc && A.Copy->Reason == B.Copy->Reason &&
           A.Copy->Dst.Base->Memory == B.Copy->Dst.Base->Memory &&
           A.Copy->Src.Base->Memory == B.Copy->Src.Base->Memory &&
           A.Copy->Dst.Base->Kind == B.Copy->Dst.Base->Kind;
  }

  static void mergeBranches(std::vector<CopyUse> &Then, std::vector<CopyUse> Else) {
    std::vector<bool> Taken(Then.size());
    for (CopyUse &E : Else) {
      size_t I = 0;
      while (I < Taken.size() && (Taken[I] || !sameCopy(Then[I], E)))
        ++I;
      Product Bytes, Times;
      if (I < Taken.size()) {
        Bytes = Then[I].Bytes;
        Times = Then[I].Times;
      }
      if (I < Taken.size() && Bytes.mergeLarger(E.Bytes) && Times.mergeLarger(E.Times)) {
        Taken[I] = true;
        Then[I].Bytes = Bytes;
        Then[I].Times = Times;
      } else {
        Then.push_back(std::move(E));
      }
    }
  }

  std::vector<CopyUse> visit(const Block &B, const InstanceInfo *In, const Product &Times) {
    std::vector<CopyUse> Result;
    auto Append = [&](std::vector<CopyUse> More) {
      std::move(More.begin(), More.end(), std::back_inserter(Result));
    };
    for (const Stmt &S : B) {
      if (const auto *C = S.getIf<CopyStmt>()) {
        Result.push_back({C, In, S.Loc, bytesOf(*C), Times});
      } else if (const auto *Sc = S.getIf<Scope>()) {
        Append(visit(Sc->Body, Sc->Instance.get(), Times));
      } else if (const auto *F = S.getIf<For>()) {
        Product Inner = Times;
        Expr Lo = Values.expand(F->Lo), Hi = Values.expand(F->Hi);
        multiply(Inner, F->Step == 1 ? Hi - Lo : ceilDiv(Hi - Lo, intLit(F->Step)));
        Known[F->V] = {Lo, Hi};
        Append(visit(F->Body, In, Inner));
      } else if (const auto *I = S.getIf<If>()) {
        std::vector<CopyUse> Then = visit(I->Then, In, Times);
        bool Always = !I->Else.empty();
        mergeBranches(Then, visit(I->Else, In, Times));
        for (CopyUse &C : Then)
          if (!Always)
            C.Times.atMost();
        Append(std::move(Then));
      }
    }
    return Result;
  }

public:
  explicit Lister(const Block &B) : Values(B) {}
  std::vector<CopyUse> run(const Block &B) { return visit(B, nullptr, Product()); }
};

} // namespace

std::vector<CopyUse> copiesOf(const Program &P) { return Lister(P.Body).run(P.Body); }

} // namespace septran::compiler
