//===- Bind.cpp - how the leaves run --------------------------------------===//
//
// Leaves keep their loops, with lanes and unrolling chosen (Vectorize.h), or, in kernels, divided
// among threads (Distribute.h). Register tensors get the
// layout that their leaves agreed on, and code around clipped register tiles is split into full
// tiles and tails. Last, in each of these, a leaf that the mapping binds to a primitive is replaced
// by tiles of that primitive (BindPrimitive.h), so that full tiles have constant extents there too.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/Accumulators.h"
#include "Plan/BindPrimitive.h"
#include "Plan/ClipWindows.h"
#include "Plan/Distribute.h"
#include "Plan/HoistScalars.h"
#include "Plan/InStep.h"
#include "Plan/Kernels.h"
#include "Plan/LeafPrefetch.h"
#include "Plan/NarrowScalars.h"
#include "Plan/PadFragments.h"
#include "Plan/Passes.h"
#include "Plan/PeelEnds.h"
#include "Plan/RegisterTiles.h"
#include "Plan/TileConditions.h"
#include "Plan/Unroll.h"
#include "Plan/Vectorize.h"
#include "Plan/WholeBlocks.h"

#include <set>

namespace septran::compiler {

namespace {

class Binder {
  Program &P;
  Diagnostics &D;
  TensorTable Tensors;
  RegisterTiles Tiles;
  VectorTarget Target;

  /// Somewhere at or inside the leaf's processor, iterations can run in lanes.
  bool hasLanes(const InstanceInfo &I) const {
    for (size_t L = I.Depth; L < P.Target->Processors.size(); ++L)
      if (P.Target->Processors[L].LoopSpread.Value == Processor::Spread::Lanes)
        return true;
    return false;
  }

  template <class Function> void forEachLeaf(Function F) {
    walkStmts(P.Body, [&](Stmt &S) {
      if (auto *Sc = S.getIf<Scope>(); Sc && Sc->Instance->Task->Kind == FunctionKind::Leaf)
        F(*Sc);
    });
  }

  void vectorizeLeaves() {
    std::set<const InstanceMapping *> Checked; // an instance launched twice has one problem
    forEachLeaf([&](Scope &Sc) {
      const InstanceInfo &I = *Sc.Instance;
      if (I.Binding.empty() && hasLanes(I))
        if (std::string Why =
                vectorizeLeaf(Sc.Body, I.Task->Name, vectorRequest(I), Target, Tensors, Tiles, D);
            !Why.empty())
          P.Scalar.push_back({Sc.Instance, std::move(Why)});
      if (I.Binding.empty() && Checked.insert(I.Settings).second) {
        checkUnroll(Sc.Body, I, D);
        checkPrefetch(Sc.Body, I, D);
      }
    });
  }

  void bindLeaves() {
    const TensorTable Split(P.Body);
    const std::set<TensorRef> Copied = copiedWhole(P.Body, Split);
    std::set<const InstanceInfo *> Refused; // the versions of a leaf have one problem
    std::set<const InstanceMapping *> Checked;
    forEachLeaf([&](Scope &Sc) {
      const InstanceInfo &I = *Sc.Instance;
      if (I.Binding.empty() || Refused.count(&I))
        return;
      const Primitive *Prim = P.Target->findPrimitive(I.Binding);
      if (std::optional<Block> Bound =
              bindPrimitive(Sc, *Prim, Split, Tiles, Copied, *P.Target, D)) {
        Sc.Body = std::move(*Bound);
        if (Checked.insert(I.Settings).second)
          checkUnroll(Sc.Body, I, D);
      } else {
        Refused.insert(&I);
      }
    });
  }

  std::int64_t vectorRegisters() const {
    const std::int64_t *Registers = P.Target->Limits.find("vector_registers");
    return Registers ? *Registers : 16;
  }

  void chooseAccumulators() {
    const TensorTable Split(P.Body);
    std::set<const InstanceMapping *> Checked; // an instance launched twice has one problem
    std::set<const Scope *> InStep;
    forEachLeaf([&](Scope &Sc) {
      const InstanceInfo &I = *Sc.Instance;
      Diagnostics Unsaid;
      const bool Say = I.Binding.empty() && Checked.insert(I.Settings).second;
      if (compiler::chooseAccumulators(Sc.Body, I, vectorRegisters(), Target.SimdBytes, Split,
                                       Tiles, Say ? D : Unsaid))
        InStep.insert(&Sc);
    });
    walkStmts(P.Body, [&](Stmt &S) {
      if (auto *I = S.getIf<If>(); I && I->ChoosesWhole)
        walkStmts(I->Then, [&](const Stmt &Whole) {
          if (InStep.count(Whole.getIf<Scope>()))
            I->ChoosesWhole = false;
        });
    });
  }

  void chooseInStep() {
    const TensorTable Split(P.Body);
    forEachLeaf([&](Scope &Sc) {
      const InstanceInfo &I = *Sc.Instance;
      if (I.Binding.empty() && hasLanes(I))
        compiler::chooseInStep(Sc.Body, I, vectorRegisters(), Target.SimdBytes, Split, Tiles);
    });
  }

  void simplifyLeaves() {
    const TensorTable Split(P.Body);
    Facts Known;
    walkStmts(std::as_const(P.Body), [&](const Stmt &S) {
      if (const auto *F = S.getIf<For>())
        Known[F->V] = {expandExtents(F->Lo, Split), expandExtents(F->Hi, Split)};
    });
    forEachLeaf([&](Scope &Sc) {
      const InstanceInfo &I = *Sc.Instance;
      if (I.Binding.empty() && hasLanes(I))
        compiler::hoistScalars(Sc.Body, Split, Tiles);
      if (I.Binding.empty())
        dropSingleIterations(Sc.Body, Split, Known);
    });
  }

  void setTileLayouts() {
    walkStmts(P.Body, [this](Stmt &S) {
      auto *A = S.getIf<Alloc>();
      auto It = A ? Tiles.find(A->T) : Tiles.end();
      if (It == Tiles.end())
        return;
      unsigned Rank = unsigned(A->Extents.size());
      BufferLayout L = rowLayout(Rank);
      if (It->second.LaneDim >= 0 && !It->second.Conflict) {
        L = innermostLayout(Rank, unsigned(It->second.LaneDim));
        L.Modes.back() = {unsigned(It->second.LaneDim), LayoutMode::Part::Quotient,
                          It->second.Width};
        L.Modes.push_back(
            {unsigned(It->second.LaneDim), LayoutMode::Part::Remainder, It->second.Width});
      }
      A->Layout = std::make_shared<BufferLayout>(std::move(L));
    });
  }

public:
  Binder(Program &P, Diagnostics &D) : P(P), D(D), Tensors(P.Body) {
    if (const std::int64_t *Bytes = P.Target->Limits.find("simd_bytes"))
      Target.SimdBytes = *Bytes;
  }

  void run() {
    const unsigned ErrorsBefore = D.errorCount();
    Tiles = findRegisterTiles(P, D);
    if (D.errorCount() != ErrorsBefore)
      return; // bindings of such tensors would be refused for the same reason
    wholeBlocks(P.Body, [&](const TensorRef &T) { return Tiles.count(T) != 0; });
    Tensors = TensorTable(P.Body);
    if (gridDepth(*P.Target)) {
      distribute(P, Tensors, Tiles, D);
    } else {
      forEachLeaf([&](Scope &Sc) {
        if (Sc.Instance->Binding.empty() && hasLanes(*Sc.Instance)) {
          narrowScalars(Sc.Body);
          sinkConditions(Sc.Body, Tensors, Tiles);
          peelEnds(Sc.Body, Tiles);
        }
      });
      chooseRegisterLanes(P.Body, Tensors, Target, Tiles);
      vectorizeLeaves();
      forEachLeaf([&](Scope &Sc) {
        if (Sc.Instance->Binding.empty() && hasLanes(*Sc.Instance))
          liftConditions(Sc.Body, Tensors);
      });
      clipWindows(P, D);
    }
    setTileLayouts();
    versionTails(P.Body, Tensors, Tiles);
    bindLeaves();
    if (!gridDepth(*P.Target)) {
      chooseAccumulators();
      chooseInStep();
      simplifyLeaves();
    }
    padFragments(P);
  }
};

} // namespace

std::optional<Program> bind(Program P, Diagnostics &D) {
  unsigned ErrorsBefore = D.errorCount();
  Binder(P, D).run();
  if (D.errorCount() != ErrorsBefore)
    return std::nullopt;
  return P;
}

} // namespace septran::compiler
