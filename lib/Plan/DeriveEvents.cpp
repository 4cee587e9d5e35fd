//===- DeriveEvents.cpp - which engine waits for which --------------------===//
//
// Engines of a processor run beside each other. Where a command touches what another engine touched
// before, and one of them writes, the machine's `sync` must order the two:
//
//   events   record and wait stand together before the later command. That makes its engine wait
//            for all that the other one was given, so that orders which follow are not asked for
//            again, and it holds on every path without events that are left over.
//   stages   a ring's copies are recorded when they have been started and waited for an iteration
//            or more later, by events of their own per place; so are its places when they are free.
//   fences   one orders everything.
//
// Tensors are told apart by their roots; to write one whose place on the chip others had, these
// must be done with it.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/CheckEngineCode.h"
#include "Plan/ElementCode.h"
#include "Plan/EngineOrder.h"
#include "Plan/LoopOrder.h"
#include "Plan/Scratchpads.h"
#include "Plan/TensorTable.h"
#include "Support/StableSort.h"

#include <algorithm>
#include <tuple>

namespace septran::compiler {

namespace {

/// Something that must be waited for before a statement.
struct Need {
  unsigned From = 0, To = 0;
  std::string Serves;
};

class Deriver {
  const Program &P;
  const Machine &Target;
  Diagnostics &D;
  TensorTable Tensors;
  EngineCommands Engines;
  EngineCodeChecker Checker;
  const Sync *Events = nullptr, *Fence = nullptr;
  std::map<TensorRef, std::vector<TensorRef>> Overlapping; ///< roots that share bytes with it
  std::map<TensorRef, std::string> Reasons;

  // Of the launch at hand.
  std::map<const Stmt *, std::vector<Need>> Needs;
  std::map<TensorRef, EngineSet> Users; ///< of rings: the engines that use their blocks
  std::map<TensorRef, unsigned> Fillers;
  std::map<TensorRef, std::int64_t> FirstEvent;
  std::set<TensorRef> Running; ///< rings of the loops around the statement

  //===--- the machine ----------------------------------------------------------===//

  void findSyncs() {
    for (const Sync &S : Target.Syncs) {
      const bool HasWait = !S.Wait.Value.empty();
      if (S.K.Value == Sync::Kind::Event && HasWait && !S.Record.Value.empty() && !Events)
        Events = &S;
      if (S.K.Value == Sync::Kind::Fence && HasWait && !Fence)
        Fence = &S;
    }
  }

  /// Buffers whose size is only known at run time lie behind all others, and count as one.
  static constexpr std::int64_t AfterOthers = std::int64_t(1) << 56;

  void findOverlaps() {
    struct Range {
      TensorRef T;
      std::int64_t Begin, End;
    };
    std::vector<Range> Ranges;
    walkStmts(P.Body, [&](const Stmt &S) {
      const auto *A = S.getIf<Alloc>();
      if (!A)
        return;
      Reasons[A->T] = A->Reason;
      std::optional<std::int64_t> Size =
          A->Layout ? constantValue(A->Layout->sizeOf(A->Extents)) : std::nullopt;
      const Memory *M = Target.findMemory(A->Memory);
      if (A->Offset >= 0 && Size)
        Ranges.push_back({A->T, A->Offset, A->Offset + *Size * byteSize(A->T->Element)});
      else if (M && !M->Address.Value.empty()) // after the others, wherever that is
        Ranges.push_back({A->T, AfterOthers, AfterOthers + 1});
    });
    for (const Range &A : Ranges)
      for (const Range &B : Ranges)
        if (A.T->Memory == B.T->Memory && A.Begin < B.End && B.Begin < A.End)
          Overlapping[A.T].push_back(B.T);
  }

  std::vector<TensorRef> sharing(const TensorRef &Root) const {
    auto It = Overlapping.find(Root);
    return It == Overlapping.end() ? std::vector<TensorRef>{Root} : It->second;
  }

  //===--- what is missing -----------------------------------------------------------===//

  std::string nameOf(const TensorRef &T) const {
    auto It = Reasons.find(T);
    return It == Reasons.end() || It->second.empty() || It->second.starts_with("local")
               ? "'" + T->Name + "'"
               : "'" + T->Name + "' (" + It->second + ")";
  }

  std::string edge(const EngineOrder::Key &Before, unsigned To, bool Write) const {
    return Engines.name(To) + (Write ? " overwrites " : " reads ") + nameOf(Before.T) + ", which " +
           Engines.name(Before.Engine) + (Before.Write ? " writes" : " reads");
  }

  void require(const Stmt &S, const std::vector<TensorRef> &Roots, unsigned To, bool Write,
               EngineOrder &State) {
    for (const TensorRef &Root : Roots)
      for (;;) {
        // What else lies there was waited for by whoever wrote what is read.
        std::vector<EngineOrder::Key> Missing =
            State.missing(Write ? sharing(Root) : std::vector{Root}, To, Write);
        if (Missing.empty())
          break;
        Needs[&S].push_back({Missing[0].Engine, To, edge(Missing[0], To, Write)});
        if (Events)
          State.order(Missing[0].Engine, To);
        else
          orderEverything(State);
      }
  }

  void orderEverything(EngineOrder &State) const {
    for (unsigned E = 0; E < Engines.count(); ++E)
      State.orderAll(E);
  }

  void act(const Stmt &S, EngineAction A, EngineOrder &State) {
    const auto *C = S.getIf<CopyStmt>();
    if (C && C->Async) // its places were acquired
      std::erase_if(A.Writes, [&](const TensorRef &T) { return Running.count(T) != 0; });
    require(S, A.Reads, A.Engine, false, State);
    require(S, A.Writes, A.Engine, true, State);
    for (const TensorRef &T : A.Reads)
      State.access(T, A.Engine, false);
    for (const TensorRef &T : A.Writes)
      State.access(T, A.Engine, true);
  }

  void follow(const Block &B, EngineOrder &State) {
    for (const Stmt &S : B)
      follow(S, State);
  }

  void follow(const Stmt &S, EngineOrder &State) {
    Needs[&S].clear();
    if (std::optional<EngineAction> A = Engines.command(S)) {
      if (S.getIf<PrimitiveCall>() && Engines.own() && A->Engine != *Engines.own()) {
        // Scalars are read where the command is given.
        EngineAction Scalars{*Engines.own(), {}, {}};
        for (const TensorRef &T : elements(S))
          Scalars.Reads.push_back(Tensors.root(T));
        act(S, std::move(Scalars), State);
      }
      return act(S, *A, State);
    }
    if (const auto *Sc = S.getIf<Scope>())
      return follow(Sc->Body, State);
    if (const auto *St = S.getIf<Stage>(); St && St->K == Stage::Kind::Wait && !Events)
      orderEverything(State);
    else if (St && St->K == Stage::Kind::Wait)
      for (const TensorRef &Ring : St->Rings)
        for (unsigned User : Users[Ring])
          State.orderOne(Ring, Fillers[Ring], User);
    if (const auto *F = S.getIf<For>()) {
      waitAhead(*F, S, State);
      return followLoop(*F, State);
    }
    if (const auto *I = S.getIf<If>()) {
      EngineOrder Else = State;
      follow(I->Then, State);
      follow(I->Else, Else);
      State.join(Else);
    }
  }

  /// The rings that the loop itself fills.
  static std::set<TensorRef> ringsOf(const For &F) {
    std::set<TensorRef> Rings;
    for (const Stmt &S : F.Body)
      if (const auto *St = S.getIf<Stage>(); St && St->K == Stage::Kind::Wait)
        Rings.insert(St->Rings.begin(), St->Rings.end());
    return Rings;
  }

  /// In a loop that copies ahead, waiting for an engine is waiting for its copies, too. What only
  /// the commands before the loop ask for is waited for there.
  void waitAhead(const For &F, const Stmt &Loop, EngineOrder &State) {
    const std::set<TensorRef> Rings = ringsOf(F);
    if (!Events || Rings.empty())
      return;
    using Place = std::tuple<const Stmt *, unsigned, unsigned>;
    const std::set<TensorRef> Outer = Running;
    Running.insert(Rings.begin(), Rings.end());
    auto NeedsFrom = [&](EngineOrder Start) {
      follow(F.Body, Start);
      std::map<Place, std::string> Found;
      walkStmts(F.Body, [&](const Stmt &S) {
        for (const Need &N : Needs[&S])
          Found.try_emplace({&S, N.From, N.To}, N.Serves);
      });
      return Found;
    };
    EngineOrder Done = State;
    orderEverything(Done);
    const std::map<Place, std::string> OfLoop = NeedsFrom(Done);
    EngineSet Said; // From and To as one number
    std::vector<Need> Ahead;
    for (const auto &[At, Serves] : NeedsFrom(State)) {
      const auto &[Unused, From, To] = At;
      if (!OfLoop.count(At) && Said.insert(From * Engines.count() + To).second)
        Ahead.push_back({From, To, Serves});
    }
    stableSort(Ahead, [](const Need &A, const Need &B) {
      return std::pair(A.From, A.To) < std::pair(B.From, B.To);
    });
    for (const Need &N : Ahead)
      State.order(N.From, N.To);
    Needs[&Loop] = std::move(Ahead);
    Running = Outer;
  }

  /// Until another round adds nothing. No iteration is a way too.
  void followLoop(const For &F, EngineOrder &State) {
    std::set<TensorRef> Outer = Running;
    Running.merge(ringsOf(F));
    for (;;) {
      EngineOrder After = State;
      follow(F.Body, After);
      if (!State.join(After))
        break;
    }
    Running = std::move(Outer);
  }

  //===--- rings -----------------------------------------------------------------------===//

  /// Who fills and who uses the rings of a launch. Stages may name a view of the buffer, whose rows
  /// are longer than asked for.
  void findRings(Block &B) {
    std::set<TensorRef> Rings;
    walkStmts(B, [&](Stmt &S) {
      if (auto *St = S.getIf<Stage>())
        for (TensorRef &Ring : St->Rings) {
          Ring = Tensors.root(Ring);
          Rings.insert(Ring);
        }
    });
    if (!Rings.empty())
      findUsers(B, Rings);
  }

  void findUsers(const Block &B, const std::set<TensorRef> &Rings) {
    for (const Stmt &S : B) {
      std::optional<EngineAction> A = Engines.command(S);
      const auto *C = S.getIf<CopyStmt>();
      if (!A)
        for (const Block *Nested : nestedBlocks(S))
          findUsers(*Nested, Rings);
      for (const auto *List : {A ? &A->Reads : nullptr, A ? &A->Writes : nullptr})
        for (const TensorRef &T : List ? *List : std::vector<TensorRef>())
          if (Rings.count(T) && C && C->Async)
            Fillers[T] = A->Engine;
          else if (Rings.count(T))
            Users[T].insert(A->Engine);
    }
  }

  /// Events 1, 2, ... for the places of rings; those of loops inside each other differ.
  void numberEvents(const Block &B, std::int64_t First, const InstanceInfo *I) {
    for (const Stmt &S : B) {
      const auto *Sc = S.getIf<Scope>();
      std::int64_t Next = First;
      if (const auto *F = S.getIf<For>())
        for (const Stmt &Inner : F->Body)
          if (const auto *St = Inner.getIf<Stage>(); St && St->K == Stage::Kind::Wait) {
            FirstEvent[St->Rings.front()] = First;
            Next += St->Depth;
            checkCount(*St, Next, S.Loc, I);
          }
      for (const Block *Nested : nestedBlocks(S))
        numberEvents(*Nested, Next, Sc ? Sc->Instance.get() : I);
    }
  }

  void checkCount(const Stage &St, std::int64_t Used, const Location &Loc, const InstanceInfo *I) {
    if (!Events || Used <= Events->Count.Value || Users[St.Rings.front()].empty())
      return;
    const Location &Where =
        I && I->Settings && I->Settings->Pipeline ? I->Settings->Pipeline->Loc : Loc;
    D.report(DiagID::EventCount, Where, I ? I->Name : P.Entry->Name, Used,
             Engines.name(Fillers[St.Rings.front()]),
             Engines.name(*Users[St.Rings.front()].begin()), Events->Name.Value, Target.Name.Value,
             Events->Count.Value);
  }

  //===--- writing it down ---------------------------------------------------------------===//

  Stmt event(bool IsWait, unsigned From, unsigned To, Expr Number, std::vector<std::string> Serves,
             const Location &Loc) const {
    EngineEvent E;
    E.Sync = Events->Name.Value;
    E.IsWait = IsWait;
    E.From = Engines.name(From);
    E.To = Engines.name(To);
    E.Event = std::move(Number);
    E.Serves = std::move(Serves);
    return {std::move(E), Loc};
  }

  Stmt fence(std::vector<std::string> Serves, const Location &Loc) const {
    EngineEvent E;
    E.Sync = Fence->Name.Value;
    E.IsWait = true;
    E.Serves = std::move(Serves);
    return {std::move(E), Loc};
  }

  void write(const std::vector<Need> &List, const Location &Loc, Block &Out) const {
    if (List.empty())
      return;
    if (!Events) {
      std::vector<std::string> Serves;
      for (const Need &N : List)
        Serves.push_back(N.Serves);
      Out.push_back(fence(std::move(Serves), Loc));
      return;
    }
    for (const Need &N : List) {
      Out.push_back(event(false, N.From, N.To, intLit(0), {N.Serves}, Loc));
      Out.push_back(event(true, N.From, N.To, intLit(0), {}, Loc));
    }
  }

  /// The users of all rings of a stage.
  EngineSet usersOf(const Stage &St) const {
    EngineSet Found;
    for (const TensorRef &Ring : St.Rings)
      if (auto It = Users.find(Ring); It != Users.end())
        Found.insert(It->second.begin(), It->second.end());
    return Found;
  }

  std::string ringNames(const Stage &St) const {
    std::string Names;
    for (const TensorRef &Ring : St.Rings)
      Names += (Names.empty() ? "" : ", ") + nameOf(Ring);
    return Names;
  }

  void writeStage(const Stage &St, const Location &Loc, Block &Out) const {
    if (!Events) {
      // It ends what was copied and what was used, before the next copies start.
      if (St.K == Stage::Kind::Wait)
        Out.push_back(fence({"the copies of " + ringNames(St) + " have ended"}, Loc));
      return;
    }
    const unsigned Filler = Fillers.at(St.Rings.front());
    const Expr Place = simplify(binary(BinaryOp::Rem, St.Index, intLit(St.Depth)) +
                                intLit(FirstEvent.at(St.Rings.front())));
    const std::string What = ringNames(St);
    for (unsigned User : usersOf(St)) {
      switch (St.K) {
      case Stage::Kind::Commit:
        Out.push_back(
            event(false, Filler, User, Place, {What + " copied for " + Engines.name(User)}, Loc));
        break;
      case Stage::Kind::Wait:
        Out.push_back(
            event(true, Filler, User, Place, {Engines.name(User) + " reads " + What}, Loc));
        break;
      case Stage::Kind::Acquire: {
        Block Wait = {event(
            true, User, Filler, Place,
            {Engines.name(Filler) + " overwrites what " + Engines.name(User) + " read"}, Loc)};
        guarded(binary(BinaryOp::Le, simplify(St.Lo + intLit(St.Depth)), St.Index), std::move(Wait),
                Loc, Out);
        break;
      }
      case Stage::Kind::Release: {
        Block Record = {
            event(false, User, Filler, Place, {What + " free for " + Engines.name(Filler)}, Loc)};
        guarded(binary(BinaryOp::Lt, simplify(St.Index + intLit(St.Depth)), St.Hi),
                std::move(Record), Loc, Out);
        break;
      }
      }
    }
  }

  static void guarded(Expr Condition, Block Then, const Location &Loc, Block &Out) {
    std::optional<std::int64_t> Known = constantValue(simplify(Condition));
    if (Known && *Known == 0)
      return;
    if (Known)
      Out.insert(Out.end(), Then.begin(), Then.end());
    else
      Out.push_back({If{std::move(Condition), std::move(Then), {}}, Loc});
  }

  void rebuild(Block &B) {
    Block Out;
    for (Stmt &S : B) {
      write(Needs[&S], S.Loc, Out);
      if (const auto *St = S.getIf<Stage>()) {
        writeStage(*St, S.Loc, Out);
        continue;
      }
      for (Block *Nested : nestedBlocks(S))
        rebuild(*Nested);
      Out.push_back(std::move(S));
    }
    B = std::move(Out);
  }

  void launch(For &Outer, const InstanceInfo *Caller, const Location &Loc) {
    Needs.clear();
    Users.clear();
    Fillers.clear();
    FirstEvent.clear();
    For &F = *parallelGroup(Outer).back();
    findRings(F.Body);
    numberEvents(F.Body, 1, Caller);
    Checker.check(F.Body, Caller);
    EngineOrder State(Engines.count(), Engines.own());
    followLoop(F, State);
    std::vector<Need> Last;
    if (Engines.own())
      for (unsigned From : State.unknownTo(*Engines.own()))
        Last.push_back(
            {From, *Engines.own(), "all that " + Engines.name(From) + " was given ends"});
    if (!Events && !Fence) {
      if (!Last.empty())
        D.report(DiagID::DeviceCode, Loc, "what several engines do", Outer.Spread,
                 "machine " + Target.Name.Value +
                     " has no 'sync' with which engines wait for each "
                     "other");
      return;
    }
    rebuild(F.Body);
    write(Last, Loc, Outer.Finish);
  }

public:
  Deriver(const Program &P, Diagnostics &D)
      : P(P), Target(*P.Target), D(D), Tensors(P.Body), Engines(Target, Tensors),
        Checker(Target, Tensors, Engines, D) {
    findSyncs();
    findOverlaps();
  }

  void run(Block &B, const InstanceInfo *I) {
    for (Stmt &S : B) {
      auto *F = S.getIf<For>();
      const Processor *Level = F && !F->Spread.empty() ? Target.findProcessor(F->Spread) : nullptr;
      if (Level && !Level->Launch.Value.empty()) {
        launch(*F, I, S.Loc);
        continue;
      }
      const auto *Sc = S.getIf<Scope>();
      for (Block *Nested : nestedBlocks(S))
        run(*Nested, Sc ? Sc->Instance.get() : I);
    }
  }
};

} // namespace

void deriveEvents(Program &P, Diagnostics &D) {
  if (P.Target->hasScratchpads())
    Deriver(P, D).run(P.Body, nullptr);
}

} // namespace septran::compiler
