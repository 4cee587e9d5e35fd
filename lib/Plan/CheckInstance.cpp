//===- CheckInstance.cpp - one instance's settings against its task -------===//
#include "Plan/CheckInstance.h"

#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Support/DidYouMean.h"
#include "Support/JoinNames.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// The names that a task's body and signature offer to a mapping.
struct TaskNames {
  std::vector<std::string> Tensors, Tunables, Callees;
  std::map<std::string, unsigned> Sites;
  bool HasSequentialLoop = false;
};

void addUnique(std::vector<std::string> &Names, const std::string &Name) {
  if (std::find(Names.begin(), Names.end(), Name) == Names.end())
    Names.push_back(Name);
}

TaskNames namesOf(const Function &Task) {
  TaskNames N;
  for (const Parameter &P : Task.Params)
    if (P.isTensor())
      N.Tensors.push_back(P.Name);
  for (const Tunable &T : Task.Tunables)
    N.Tunables.push_back(T.V->Name);
  walkStmts(Task.Body, [&](const Stmt &S) {
    if (const auto *L = S.getIf<Local>())
      addUnique(N.Tensors, L->T->Name);
    if (const auto *F = S.getIf<For>())
      N.HasSequentialLoop |= F->Kind == LoopKind::Sequential;
    if (const auto *L = S.getIf<Launch>()) {
      addUnique(N.Callees, L->Callee->Name);
      addUnique(N.Callees, L->Callee->Family);
      ++N.Sites[L->Callee->Name];
    }
  });
  return N;
}

class Checker {
  const InstanceMapping &Settings;
  const Function &Task;
  std::string_view Proc;
  const Machine &Target;
  Diagnostics &D;
  TaskNames Names;

  bool known(const std::vector<std::string> &In, const std::string &Name) {
    return std::find(In.begin(), In.end(), Name) != In.end();
  }

  bool checkArgument(const LocatedName &Name) {
    if (known(Names.Tensors, Name.Value))
      return true;
    D.report(DiagID::UnknownArgument, Name.Loc, Task.Name, Name.Value,
             didYouMean(Name.Value, Names.Tensors))
        .note(DiagID::NoteDeclared, Task.Loc, Task.Name);
    return false;
  }

  /// The privilege an argument is used with; locals are read and written.
  Privilege privilegeOf(const std::string &Name) {
    for (const Parameter &P : Task.Params)
      if (P.Name == Name)
        return P.Access;
    return Privilege::ReadWrite;
  }

  void checkMemory(const LocatedName &Argument, const Located<std::string> &Name) {
    if (Name.Value == NoMemory)
      return;
    const Memory *M = Target.findMemory(Name.Value);
    if (!M) {
      D.report(DiagID::UnknownMemory, Name.Loc, Target.Name.Value, Name.Value,
               didYouMean(Name.Value, Target.memoryNames()), joinNames(Target.memoryNames()));
      return;
    }
    Privilege P = privilegeOf(Argument.Value);
    if (reads(P) && !M->readableBy(Proc))
      D.report(DiagID::MemoryUnreachable, Name.Loc, Proc, 0, Name.Value, Argument.Value);
    else if (writes(P) && !M->writableBy(Proc))
      D.report(DiagID::MemoryUnreachable, Name.Loc, Proc, 1, Name.Value, Argument.Value);
  }

  void checkSizes(const char *Key, const NamedList<std::int64_t> &Limits) {
    for (const auto &E : Limits) {
      const auto [Name, Dim] = *parseExtentName(E.Name.Value);
      if (!checkArgument({Name, E.Name.Loc}))
        continue;
      const auto Param = std::find_if(Task.Params.begin(), Task.Params.end(),
                                      [&](const Parameter &P) { return P.Name == Name; });
      if (Param == Task.Params.end() || Dim >= Param->Tensor->Rank)
        D.report(DiagID::UnknownValue, E.Name.Loc, Key, E.Name.Value,
                 "an extent of an argument of task '" + Task.Name + "'", "");
    }
  }

  void checkCallee(const LocatedName &At, const std::string &Callee) {
    if (!known(Names.Callees, Callee))
      D.report(DiagID::UnknownCallee, At.Loc, Task.Name, Callee, didYouMean(Callee, Names.Callees))
          .note(DiagID::NoteDeclared, Task.Loc, Task.Name);
  }

  void checkPrimitive(const LocatedName &Name) {
    if (!Target.findPrimitive(Name.Value))
      D.report(DiagID::UnknownPrimitive, Name.Loc, Target.Name.Value, Name.Value,
               didYouMean(Name.Value, Target.primitiveNames()));
  }

  void checkTunables() {
    for (const auto &T : Settings.Tunables) {
      if (!known(Names.Tunables, T.Name.Value))
        D.report(DiagID::UnknownTunable, T.Name.Loc, Task.Name, T.Name.Value,
                 didYouMean(T.Name.Value, Names.Tunables))
            .note(DiagID::NoteDeclared, Task.Loc, Task.Name);
      else if (!T.Value.Value.Full && T.Value.Value.Value < 1)
        D.report(DiagID::TunableValue, T.Value.Loc, T.Name.Value, T.Value.Value.Value);
    }
  }

  void checkCalls() {
    for (const CallMapping &C : Settings.Calls) {
      const CallKey &Key = C.Key.Value;
      checkCallee({Key.Callee, C.Key.Loc}, Key.Callee);
      auto Sites = Names.Sites.find(Key.Callee);
      if (Key.Site && Sites != Names.Sites.end() && *Key.Site >= Sites->second)
        D.report(DiagID::UnknownCallSite, C.Key.Loc, Task.Name, Key.Callee, Sites->second,
                 *Key.Site);
    }
  }

  void checkBindings() {
    for (const auto &B : Settings.LeafTaskBindings) {
      checkCallee(B.Name, B.Name.Value);
      checkPrimitive({B.Value.Value, B.Value.Loc});
    }
    if (Settings.Binding) {
      if (Task.Kind == FunctionKind::Task)
        D.report(DiagID::BindingNotLeaf, Settings.Binding->Loc, Task.Name);
      checkPrimitive(*Settings.Binding);
    }
  }

  void checkLayouts() {
    for (const auto &L : Settings.Layouts) {
      if (!checkArgument(L.Name))
        continue;
      if (L.Value.Value.K == Layout::Kind::Swizzle && Target.Language.Value == OutputLanguage::Cxx)
        D.report(DiagID::WrongTarget, L.Value.Loc, toString(L.Value.Value), Target.Name.Value,
                 "swizzles are for machines whose language is not c++, such as nvidia/hopper");
      if (L.Value.Value.K != Layout::Kind::Panels)
        continue;
      unsigned Rank = 0;
      for (const Parameter &P : Task.Params)
        if (P.isTensor() && P.Name == L.Name.Value)
          Rank = P.Tensor->Rank;
      walkStmts(Task.Body, [&](const Stmt &S) {
        if (const auto *Loc = S.getIf<Local>(); Loc && Loc->T->Name == L.Name.Value)
          Rank = Loc->T->Rank;
      });
      if (L.Value.Value.Ints[0] >= std::int64_t(Rank))
        D.report(DiagID::LayoutRank, L.Value.Loc, toString(L.Value.Value), L.Name.Value, Rank);
    }
  }

  /// Settings that shape code for a grid of processors, as GPUs have it, mean nothing elsewhere.
  void checkGridSettings() {
    for (const Processor &Level : Target.Processors)
      if (Level.LoopSpread.Value == Processor::Spread::Grid)
        return;
    auto Refuse = [&](const char *Key, const Location &Loc) {
      D.report(DiagID::WrongTarget, Loc, Key, Target.Name.Value,
               "it is for machines with a processor of 'spread: grid', such as nvidia/hopper");
    };
    if (Settings.Persistent)
      Refuse("persistent", Settings.Persistent->Loc);
    if (!Settings.Cluster.empty())
      Refuse("cluster", Settings.Cluster.front().Loc);
    if (!Settings.Multicast.empty())
      Refuse("multicast", Settings.Multicast.front().Loc);
    if (Settings.Warpspecialize)
      Refuse("warpspecialize", Settings.Warpspecialize->Loc);
    if (Settings.Registers)
      Refuse("registers", Settings.Registers->Loc);
    if (!Settings.Schedule.empty())
      Refuse("schedule", Settings.Schedule.front().Loc);
  }

  /// Kernels hide no latency by prefetches: a pipeline needs copies that run by themselves.
  void checkPipeline() {
    if (!Settings.Pipeline || Settings.Pipeline->Value <= 1)
      return;
    if (!Names.HasSequentialLoop)
      D.report(DiagID::PipelineNoLoop, Settings.Pipeline->Loc, Settings.Name.Value, Task.Name)
          .note(DiagID::NoteDeclared, Task.Loc, Task.Name);
    const bool Async = std::any_of(Target.Copies.begin(), Target.Copies.end(),
                                   [](const Copy &C) { return C.Async.Value; });
    if (gridDepth(Target) && !Async)
      D.report(DiagID::WrongTarget, Settings.Pipeline->Loc, "pipeline", Target.Name.Value,
               "in kernels it is for machines with asynchronous copies, such as nvidia/sm80");
  }

  /// Loops of blocks are not unrolled; what a leaf's loops can follow is checked when they are
  /// known.
  void checkUnrollTarget() {
    if (!Settings.Unroll || Task.Kind == FunctionKind::Leaf)
      return;
    const Unroll &U = Settings.Unroll->Value;
    std::string Wanted =
        U.Innermost ? U.Innermost->Value.Full ? "full" : std::to_string(U.Innermost->Value.Value)
        : U.Loops.empty() ? "{}"
                          : U.Loops.begin()->Name.Value;
    D.report(
        DiagID::UnknownValue, Settings.Unroll->Loc, "unroll", Wanted,
        "an instance of a leaf; '" + Task.Name + "' is " +
            (Task.Kind == FunctionKind::Task ? "a task" : "an opaque leaf, which runs as written"),
        "");
  }

  /// Settings of code in lanes, which only leaves have.
  void checkLaneSettings() {
    auto Check = [&](const char *Key, const Location &Loc, const std::string &Value) {
      if (std::none_of(Target.Processors.begin(), Target.Processors.end(), [](const Processor &P) {
            return P.LoopSpread.Value == Processor::Spread::Lanes;
          }))
        D.report(DiagID::WrongTarget, Loc, Key, Target.Name.Value,
                 "it is for machines with a processor of 'spread: lanes', such as cpu/x86-avx512");
      else if (Task.Kind != FunctionKind::Leaf)
        D.report(DiagID::UnknownValue, Loc, Key, Value,
                 "an instance of a leaf; '" + Task.Name + "' is " +
                     (Task.Kind == FunctionKind::Task ? "a task"
                                                      : "an opaque leaf, which runs as written"),
                 "");
    };
    if (Settings.Accumulators)
      Check("accumulators", Settings.Accumulators->Loc,
            std::to_string(Settings.Accumulators->Value));
    for (const auto &S : Settings.Stores) {
      if (S.Value.Value == StoreKind::Cached)
        continue;
      Check("stores", S.Name.Loc, S.Name.Value);
      for (const Parameter &P : Task.Params)
        if (P.Name == S.Name.Value && !writes(P.Access))
          D.report(DiagID::UnknownValue, S.Name.Loc, "stores", S.Name.Value,
                   "an argument that '" + Task.Name + "' writes", "");
    }
  }

public:
  Checker(const InstanceMapping &Settings, const Function &Task, std::string_view Proc,
          const Machine &Target, Diagnostics &D)
      : Settings(Settings), Task(Task), Proc(Proc), Target(Target), D(D), Names(namesOf(Task)) {}

  void run() {
    for (const auto &M : Settings.Mems)
      if (checkArgument(M.Name))
        checkMemory(M.Name, M.Value);
    checkTunables();
    checkSizes("at_most", Settings.AtMost);
    checkSizes("exactly", Settings.Exactly);
    checkSizes("multiple_of", Settings.MultipleOf);
    checkCalls();
    checkBindings();
    checkLayouts();
    checkGridSettings();
    checkUnrollTarget();
    checkLaneSettings();
    for (const LocatedName &R : Settings.Resident)
      checkArgument(R);
    for (const LocatedName &W : Settings.InPlace)
      checkArgument(W);
    for (const LocatedName &C : Settings.Clip)
      checkArgument(C);
    for (const auto &P : Settings.Prefetch) {
      checkArgument(P.Name);
      if (const LocatedName &Loop = P.Value.Value.Loop;
          !Loop.Value.empty() && Task.Kind != FunctionKind::Leaf)
        D.report(DiagID::UnknownValue, Loop.Loc, "prefetch", Loop.Value,
                 "a number: '" + Task.Name + "' is no leaf", "");
    }
    for (const auto &S : Settings.Stores)
      checkArgument(S.Name);
    checkPipeline();
  }
};

} // namespace

void checkInstance(const InstanceMapping &Settings, const Function &Task, std::string_view Proc,
                   const Machine &Target, Diagnostics &D) {
  Checker(Settings, Task, Proc, Target, D).run();
}

} // namespace septran::compiler
