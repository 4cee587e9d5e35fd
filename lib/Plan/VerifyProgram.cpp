//===- VerifyProgram.cpp - what every pass may rely on --------------------===//
#include "Plan/VerifyProgram.h"

#include "IR/Print.h"
#include "IR/Rewrite.h"
#include "IR/Verify.h"
#include "Plan/Passes.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class Verifier {
  const Program &P;
  size_t Stage; ///< position of the pass in passNames()
  std::vector<std::string> Problems;

  static size_t stageOf(std::string_view Pass) {
    std::vector<std::string_view> Names = passNames();
    return size_t(std::find(Names.begin(), Names.end(), Pass) - Names.begin());
  }
  bool after(std::string_view Pass) const { return Stage >= stageOf(Pass); }

  void problem(std::string Text) { Problems.push_back(std::move(Text)); }

  void placed(const TensorRef &T) {
    if (!P.Target->findMemory(T->Memory))
      problem("tensor '" + T->Name + "' is in no memory of the machine: '" + T->Memory + "'");
  }

  void check(const Alloc &A) {
    placed(A.T);
    if (A.Memory != A.T->Memory)
      problem("'" + A.T->Name + "' is allocated in " + A.Memory + " but lives in " + A.T->Memory);
    if (A.Extents.size() != A.T->Rank)
      problem("'" + A.T->Name + "' of rank " + std::to_string(A.T->Rank) + " is allocated with " +
              std::to_string(A.Extents.size()) + " extents");
    if (!A.Bounds.empty() && A.Bounds.size() != A.Extents.size())
      problem("'" + A.T->Name + "' has bounds for some of its extents only");
    if (after("layout") && !A.Layout)
      problem("'" + A.T->Name + "' has no layout");
  }

  void check(const Define &D) {
    placed(D.T);
    if (D.Value.rank() != D.T->Rank)
      problem("'" + D.T->Name + "' of rank " + std::to_string(D.T->Rank) + " is a view of rank " +
              std::to_string(D.Value.rank()));
    if (D.T->Element != D.Value.Base->Element)
      problem("'" + D.T->Name + "' has another element type than its base '" + D.Value.Base->Name +
              "'");
    if (after("place") && D.T->Memory != D.Value.Base->Memory)
      problem("'" + D.T->Name + "' in " + D.T->Memory + " is a view of '" + D.Value.Base->Name +
              "' in " + D.Value.Base->Memory);
  }

  void check(const CopyStmt &C, const For *Loop) {
    if (C.Dst.rank() != C.Src.rank())
      problem("copy between ranks " + std::to_string(C.Src.rank()) + " and " +
              std::to_string(C.Dst.rank()) + ": " + toString(C.Dst) + " <- " + toString(C.Src));
    if (C.Dst.Base->Element != C.Src.Base->Element)
      problem("copy between element types: " + toString(C.Dst) + " <- " + toString(C.Src));
    if (C.Prefetch && (!Loop || !Loop->Spread.empty() || !mentions(C.Src, Loop->V)))
      problem("prefetch of a block that does not move with a loop: " + toString(C.Src));
  }

  void check(const For &F) {
    if (F.Step <= 0)
      problem("loop '" + F.V->Name + "' has step " + std::to_string(F.Step));
    if (!F.Spread.empty() && !P.Target->findProcessor(F.Spread))
      problem("loop '" + F.V->Name + "' spreads over an unknown level: '" + F.Spread + "'");
    for (const SharedReduction &R : F.Reductions) {
      placed(R.Partial);
      if (R.Partial->Rank != R.Target->Rank || R.Partial->Element != R.Target->Element)
        problem("partial result '" + R.Partial->Name + "' differs in shape from '" +
                R.Target->Name + "'");
      if (!isReduction(R.Op))
        problem("partial results of '" + R.Target->Name + "' are combined by no reduction");
    }
  }

  void visit(const Block &B, const For *Loop) {
    for (const Stmt &S : B) {
      if (const auto *A = S.getIf<Alloc>())
        check(*A);
      else if (const auto *D = S.getIf<Define>())
        check(*D);
      else if (const auto *C = S.getIf<CopyStmt>())
        check(*C, Loop);
      else if (const auto *F = S.getIf<For>())
        check(*F);
      else if (const auto *L = S.getIf<Local>())
        problem("local '" + L->T->Name + "' was not allocated");
      else if (const auto *Sc = S.getIf<Scope>(); Sc && !Sc->Instance)
        problem("a scope has no instance");
      for (const Block *Nested : nestedBlocks(S))
        visit(*Nested, S.getIf<For>() ? S.getIf<For>() : S.getIf<Scope>() ? nullptr : Loop);
    }
  }

public:
  Verifier(const Program &P, std::string_view Pass) : P(P), Stage(stageOf(Pass)) {}

  std::vector<std::string> run() {
    FreeSymbols Params;
    for (const Parameter &Param : P.Params) {
      if (Param.isTensor()) {
        placed(Param.Tensor);
        Params.Tensors.insert(Param.Tensor);
      } else {
        Params.Vars.insert(Param.Scalar);
      }
    }
    visit(P.Body, nullptr);
    for (std::string &Problem : verifyBlock(P.Body, Params, /*AllowLaunch=*/false))
      problem(std::move(Problem));
    return std::move(Problems);
  }
};

} // namespace

std::vector<std::string> verifyProgram(const Program &P, std::string_view Pass) {
  return Verifier(P, Pass).run();
}

} // namespace septran::compiler
