//===- SynchroniseKernels.cpp - barriers within kernels -------------------===//
//
// A walk through the kernel in order, with the accesses to memory that were made since the threads
// last met. A loop is walked twice: what its end leaves open meets what its beginning does.
// Iterations of loops that are divided among threads are independent, so only what several threads
// do for one iteration needs barriers inside.
//
// Copies that run ahead write when their thread waits for them; other threads see it behind the next
// barrier. Before a place of a ring is filled again, all threads must be done with it. A loop that
// waits for one place and then fills the one that its last iteration used meets once for both.
//
// Conservative: tensors are told apart by their roots, and in bounded memories by their bytes, not
// by their elements.
//
//===----------------------------------------------------------------------===//
#include "Plan/SynchroniseKernels.h"

#include "IR/Rewrite.h"
#include "Plan/Distribute.h"
#include "Plan/Kernels.h"
#include "Plan/LoopAnalysis.h"
#include "Plan/MemoryUse.h"
#include "Plan/ThreadGroups.h"
#include "Support/StableSort.h"

#include <algorithm>

namespace septran::compiler {

namespace {

struct MemoryAccess {
  TensorRef Root;
  bool Write;
  bool Arrived = false; ///< written by copies that ran ahead, into the place that was waited for
  friend bool operator==(const MemoryAccess &, const MemoryAccess &) = default;
};
/// Since the threads last met, in order of appearance.
using OpenAccesses = std::vector<MemoryAccess>;

void join(OpenAccesses &Into, const OpenAccesses &From) {
  for (const MemoryAccess &A : From)
    if (std::find(Into.begin(), Into.end(), A) == Into.end())
      Into.push_back(A);
}

class KernelSynchroniser {
  const Machine &M;
  Diagnostics &D;
  TensorTable Tensors;
  struct Bytes {
    const std::string *Memory;
    std::int64_t Begin, End;
  };
  std::map<TensorRef, Bytes> Places;
  std::map<TensorRef, std::string> Reasons;
  std::int64_t GridThreads = 0;

  /// The threads that go through a block together.
  struct Group {
    size_t Depth;            ///< of the level
    std::uint64_t All, Free; ///< bits of the thread's number, and those no loop around takes
    bool Together = true;    ///< all threads come here, and as often
    const InstanceInfo *In = nullptr;
    std::set<VarRef> Divided; ///< variables that differ from thread to thread
    friend bool operator==(const Group &, const Group &) = default;
  };

  /// What one walk through the body of a loop comes to.
  struct DryRun {
    OpenAccesses Before;
    Group By;
    OpenAccesses Open;  ///< behind it
    bool Meets = false; ///< it needs barriers, or cannot have them
  };
  /// Without these each loop would be walked three times as often as the one around it.
  std::map<VarRef, std::vector<DryRun>> DryRuns;

  std::string nameOf(const TensorRef &T) const {
    auto It = Reasons.find(T);
    return It == Reasons.end() || It->second.empty() ? T->Name : T->Name + " (" + It->second + ")";
  }

  bool overlap(const TensorRef &A, const TensorRef &B) const {
    if (A == B)
      return true;
    auto X = Places.find(A), Y = Places.find(B);
    return X != Places.end() && Y != Places.end() && *X->second.Memory == *Y->second.Memory &&
           X->second.Begin < Y->second.End && Y->second.Begin < X->second.End;
  }

  OpenAccesses accessesOf(const Stmt &S) const {
    const Effects E = effectsOf(S, Tensors);
    OpenAccesses Result;
    for (bool Write : {false, true})
      for (const TensorRef &T : Write ? E.Writes : E.Reads)
        if (!inRegisters(T, Tensors, M))
          Result.push_back({T, Write});
    stableSort(Result, [](const MemoryAccess &A, const MemoryAccess &B) {
      return A.Root->Name < B.Root->Name; // sets of pointers have no order that lasts
    });
    return Result;
  }

  std::string actor(const Stmt &S, const Group &G) const {
    if (const auto *C = S.getIf<CopyStmt>())
      return "the copy of " + (C->Reason.empty() ? C->Dst.Base->Name : C->Reason);
    if (const auto *Sc = S.getIf<Scope>())
      return Sc->Instance->Name;
    return G.In ? G.In->Name : "what follows";
  }

  /// The level at whose barrier the threads of the group meet; empty if they cannot.
  std::string meetingLevel(const Group &G) const {
    if (!G.Together)
      return "";
    if (G.Free == G.All)
      return M.Processors[G.Depth].Name.Value;
    for (size_t Depth = G.Depth; Depth < M.Processors.size(); ++Depth) {
      const std::int64_t Threads = threadsAt(Depth, M, GridThreads);
      if (Threads > 1 && Depth > G.Depth && G.Free < std::uint64_t(Threads))
        return M.Processors[Depth].Name.Value;
    }
    return "";
  }

  /// A barrier that serves these dependences, if there are any.
  void meet(std::vector<std::string> Serves, const Location &Loc, OpenAccesses &Open,
            const Group &G, Block &Out) {
    if (Serves.empty() || G.All == 0) // a thread sees what it did itself
      return;
    Barrier Meet{meetingLevel(G), {}};
    for (std::string &Text : Serves)
      if (std::find(Meet.Serves.begin(), Meet.Serves.end(), Text) == Meet.Serves.end())
        Meet.Serves.push_back(std::move(Text));
    if (Meet.Level.empty())
      reportInKernel(Loc, "a barrier where only some threads come (" + Meet.Serves.front() + ")",
                     "the tensor in registers, or other tiles", D);
    else
      Out.push_back({std::move(Meet), Loc});
    Open.clear();
  }

  /// Appends S, after a barrier if it needs one.
  void atomic(Stmt S, OpenAccesses &Open, const Group &G, Block &Out) {
    const OpenAccesses Own = accessesOf(S);
    std::vector<std::string> Serves;
    for (const MemoryAccess &A : Own)
      for (const MemoryAccess &Before : Open)
        if ((A.Write || Before.Write) && overlap(A.Root, Before.Root))
          Serves.push_back(nameOf(A.Root) + (A.Write ? " is overwritten by " : " is read by ") +
                           actor(S, G));
    meet(std::move(Serves), S.Loc, Open, G, Out);
    join(Open, Own);
    Out.push_back(std::move(S));
  }

  /// The points of copies that run ahead.
  void stage(Stmt S, OpenAccesses &Open, const Group &G, Block &Out) {
    const Stage St = *S.getIf<Stage>();
    if (St.K == Stage::Kind::Wait) {
      Out.push_back(std::move(S));
      for (const TensorRef &Ring : St.Rings)
        join(Open, {{Ring, true, true}});
      return;
    }
    if (St.K == Stage::Kind::Acquire) {
      std::vector<std::string> Serves;
      // What has just arrived lies in other places of the ring than what is acquired.
      bool Needed = false;
      for (const TensorRef &Ring : St.Rings)
        for (const MemoryAccess &Before : Open)
          if (overlap(Ring, Before.Root) && !Before.Arrived) {
            Needed = true;
            Serves.push_back(nameOf(Ring) + ": the place of the copies ahead is done with");
          }
      for (const MemoryAccess &Before : Open)
        if (Needed && Before.Arrived)
          Serves.push_back(nameOf(Before.Root) + " as copied by all threads is read");
      meet(std::move(Serves), S.Loc, Open, G, Out);
    }
    Out.push_back(std::move(S));
  }

  /// The start of copies that run ahead: only their source is touched.
  void start(Stmt S, OpenAccesses &Open, const Group &G, Block &Out) {
    const CopyStmt &C = *S.getIf<CopyStmt>();
    const TensorRef Source = Tensors.root(C.Src.Base);
    std::vector<std::string> Serves;
    for (const MemoryAccess &Before : Open)
      if (Before.Write && overlap(Source, Before.Root))
        Serves.push_back(nameOf(Source) + " is read by " + actor(S, G));
    meet(std::move(Serves), S.Loc, Open, G, Out);
    join(Open, {{Source, false}});
    Out.push_back(std::move(S));
  }

  bool differs(const Expr &E, const Group &G) const {
    bool Differs = false;
    walkExprs(E, [&](const Expr &N) {
      Differs |= N->Kind == ExprKind::Load || (N->Kind == ExprKind::Var && G.Divided.count(N->V));
    });
    return Differs;
  }

  /// Threads that do the same could see each other's writes in a statement that has no barriers:
  /// one of them writes while the others read.
  void checkShared(const Stmt &S, const Group &G) {
    if (G.Free == 0 || isForOne(S, Tensors, M))
      return;
    const Effects E = effectsOf(S, Tensors);
    for (const TensorRef &T : E.Writes)
      if (E.Reads.count(T) && !inRegisters(T, Tensors, M)) {
        reportInKernel(S.Loc,
                       "a condition of single threads around reads and writes of '" + T->Name + "'",
                       "the tensor in registers", D);
        return;
      }
  }

  DryRun dryRun(const For &F, const OpenAccesses &Before, const Group &G) {
    for (const DryRun &Known : DryRuns[F.V])
      if (Known.Before == Before && Known.By == G)
        return Known;
    DryRun Result{Before, G, Before, false};
    Block Body = F.Body;
    Diagnostics Ignored;
    std::swap(Ignored, D);
    visit(Body, Result.Open, G);
    std::swap(Ignored, D);
    Result.Meets = Ignored.errorCount() != 0;
    walkStmts(Body, [&](const Stmt &S) { Result.Meets |= S.getIf<Barrier>() != nullptr; });
    DryRuns[F.V].push_back(Result);
    return Result;
  }

  void visit(Block &B, OpenAccesses &Open, Group G) {
    Block Out;
    const bool InLeaf = G.In && G.In->Task->Kind == FunctionKind::Leaf;
    for (Stmt &S : B)
      visitStmt(std::move(S), Open, G, InLeaf, Out);
    B = std::move(Out);
  }

  void visitStmt(Stmt S, OpenAccesses &Open, Group &G, bool InLeaf, Block &Out) {
    if (auto *Sc = S.getIf<Scope>()) {
      Group Inner = G;
      Inner.In = Sc->Instance.get();
      if (Sc->Instance->Depth > G.Depth)
        return visitInner(std::move(S), Sc->Instance->Depth, Open, G, Out);
      visit(Sc->Body, Open, Inner);
      Out.push_back(std::move(S));
      return;
    }
    if (auto *I = S.getIf<If>()) {
      OpenAccesses Read;
      walkExprs(I->Condition, [&](const Expr &N) {
        if (N->Kind == ExprKind::Load && !inRegisters(N->T, Tensors, M))
          join(Read, {{Tensors.root(N->T), false}});
      });
      Group Inner = G;
      Inner.Together &= !differs(I->Condition, G);
      if (!Inner.Together && InLeaf && !needsAllThreads(I->Then, Tensors)) {
        checkShared(S, G);
        atomic(std::move(S), Open, G, Out);
        return;
      }
      join(Open, Read);
      OpenAccesses Else = Open;
      visit(I->Then, Open, Inner);
      visit(I->Else, Else, Inner);
      join(Open, Else);
      Out.push_back(std::move(S));
      return;
    }
    if (S.getIf<Stage>())
      return stage(std::move(S), Open, G, Out);
    if (const auto *C = S.getIf<CopyStmt>(); C && C->Async)
      return start(std::move(S), Open, G, Out);
    auto *F = S.getIf<For>();
    if (F && !F->Spread.empty() && M.depthOf(F->Spread).value_or(0) > G.Depth)
      return visitInner(std::move(S), *M.depthOf(F->Spread), Open, G, Out);
    if (F) {
      Group Inner = G;
      Inner.Together &= !differs(F->Lo, G) && !differs(F->Hi, G);
      if (F->Exec == LoopExec::Threads) {
        Inner.Free &= ~threadBits(F->Parts);
        Inner.Divided.insert(F->V);
        // Threads that differ in the iteration share nothing; one for all the others, too.
        if (Inner.Free == 0 || isForOne(F->Body, Tensors, M) ||
            (!dividesThreads(F->Body) && accessesOf(S).empty()))
          return atomic(std::move(S), Open, G, Out);
        const Stmt Copy = S;
        OpenAccesses Own = accessesOf(S), Fresh;
        Block Before;
        atomic(Copy, Open, G, Before); // as a whole, against what came before
        Before.pop_back();
        std::move(Before.begin(), Before.end(), std::back_inserter(Out));
        visit(F->Body, Fresh, Inner);
        Out.push_back(std::move(S));
        return;
      }
      if (InLeaf && !dividesThreads(F->Body) && isForOne(F->Body, Tensors, M))
        return atomic(std::move(S), Open, G, Out);
      // Independent iterations meet in nothing, and those of a reduction in elements that each
      // belong to one thread. A loop that needs no barriers by itself waits for what came before
      // once, not in every iteration.
      const bool Carries = !InLeaf || analyzeLoop(*F, Tensors).Class == LoopClass::Sequential;
      const OpenAccesses Alone = Carries ? dryRun(*F, {}, Inner).Open : OpenAccesses();
      if ((InLeaf || F->Exec == LoopExec::Unrolled) && !dryRun(*F, Alone, Inner).Meets)
        return atomic(std::move(S), Open, G, Out);
      OpenAccesses Inside = Open;
      if (Carries)
        join(Inside, dryRun(*F, Open, Inner).Open);
      visit(F->Body, Inside, Inner);
      join(Open, Inside);
      Out.push_back(std::move(S));
      return;
    }
    atomic(std::move(S), Open, G, Out);
  }

  /// Parts that run on processors of an inner level, each by itself.
  void visitInner(Stmt S, size_t Depth, OpenAccesses &Open, const Group &G, Block &Out) {
    Block Before;
    atomic(S, Open, G, Before);
    Before.pop_back();
    std::move(Before.begin(), Before.end(), std::back_inserter(Out));
    Group Inner = G;
    Inner.Depth = Depth;
    Inner.All = Inner.Free = std::uint64_t(threadsAt(Depth, M, GridThreads) - 1);
    Inner.Divided.clear();
    Inner.Together = true;
    OpenAccesses Fresh;
    if (auto *Sc = S.getIf<Scope>()) {
      Inner.In = Sc->Instance.get();
      visit(Sc->Body, Fresh, Inner);
    } else {
      auto *F = S.getIf<For>();
      // Iterations of one processor follow each other.
      Fresh = dryRun(*F, {}, Inner).Open;
      visit(F->Body, Fresh, Inner);
    }
    Out.push_back(std::move(S));
  }

public:
  KernelSynchroniser(const Program &P, Diagnostics &D) : M(*P.Target), D(D), Tensors(P.Body) {
    for (const MemoryUse &U : memoryUse(P))
      for (const BufferUse &B : U.Buffers)
        if (B.Offset >= 0 && B.Amount && U.In->Capacity)
          Places[B.T] = {&U.In->Name.Value, B.Offset, B.Offset + *B.Amount};
    walkStmts(P.Body, [this](const Stmt &S) {
      if (const auto *A = S.getIf<Alloc>(); A && A->T->Kind == TensorKind::Buffer)
        Reasons[A->T] = A->Reason;
    });
  }

  void run(Stmt &Kernel) {
    GridThreads = gridThreads(Kernel, M, nullptr);
    Group G;
    G.Depth = *gridDepth(M);
    size_t Depth = G.Depth;
    if (const auto *F = Kernel.getIf<For>())
      Depth = M.depthOf(F->Spread).value_or(Depth);
    else
      Depth = Kernel.getIf<Scope>()->Instance->Depth;
    G.Depth = Depth;
    G.All = G.Free = std::uint64_t(threadsAt(Depth, M, GridThreads) - 1);
    OpenAccesses Open;
    for (Block *Nested : nestedBlocks(Kernel))
      visitRoot(*Nested, Kernel, Open, G);
  }

private:
  /// Through the loops of the kernel's own group, whose iterations are different processors.
  void visitRoot(Block &B, const Stmt &Kernel, OpenAccesses &Open, Group G) {
    const auto *Root = Kernel.getIf<For>();
    if (const auto *Sc = Kernel.getIf<Scope>())
      G.In = Sc->Instance.get();
    if (Root && B.size() == 1)
      if (auto *F = B.front().getIf<For>(); F && F->Spread == Root->Spread && !F->Spread.empty())
        return visitRoot(F->Body, Kernel, Open, G);
    visit(B, Open, G);
  }
};

} // namespace

void synchroniseKernels(Program &P, Diagnostics &D) {
  if (!gridDepth(*P.Target))
    return;
  KernelSynchroniser Sync(P, D);
  forEachKernel(P.Body, *P.Target, [&](Stmt &Kernel) { Sync.run(Kernel); });
}

} // namespace septran::compiler
