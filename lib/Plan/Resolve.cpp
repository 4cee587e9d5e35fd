//===- Resolve.cpp - task graph x mapping -> tree of instances ------------===//
//
// Expands the entry point's instance into one Block: every launch becomes a Scope with fresh
// symbols, tunables take their values, named views are composed away, locals become Allocs, and
// every tensor learns its memory. No copies yet: a parameter is a Define of the caller's view even
// where the memories differ; place repairs that.
//
// Assumes that the mapping was read without errors. An instance launched twice is checked once and
// expanded twice.
//
//===----------------------------------------------------------------------===//
#include "IR/Rewrite.h"
#include "Plan/CheckConstraints.h"
#include "Plan/CheckInstance.h"
#include "Plan/ChooseVariant.h"
#include "Plan/Defaults.h"
#include "Plan/FullTunables.h"
#include "Plan/IdleSettings.h"
#include "Plan/Kernels.h"
#include "Plan/LoopOrder.h"
#include "Plan/Passes.h"
#include "Plan/SpreadLoops.h"
#include "Plan/TeamBlocks.h"
#include "Plan/WholeBlocks.h"
#include "Support/DidYouMean.h"
#include "Support/JoinNames.h"

#include <set>

namespace septran::compiler {

namespace {

class Resolver {
  const TaskGraph &Graph;
  std::shared_ptr<const Mapping> Map;
  std::shared_ptr<const Machine> Target;
  Diagnostics &D;
  Program P;
  std::set<const InstanceMapping *> Used, Checked;
  std::set<const LocatedName *> Refused; ///< names of bindings that cannot be

  //===--- processors, memories, tunables ----------------------------------===//

  bool placeOnProcessor(InstanceInfo &I, const InstanceInfo *Caller) {
    I.Proc = Caller ? Caller->Proc : Target->Processors.front().Name.Value;
    I.Depth = Caller ? Caller->Depth : 0;
    if (!I.Settings || !I.Settings->Proc)
      return true;
    const LocatedName &Proc = *I.Settings->Proc;
    std::optional<size_t> Depth = Target->depthOf(Proc.Value);
    if (!Depth) {
      D.report(DiagID::UnknownProcessor, Proc.Loc, Target->Name.Value, Proc.Value,
               didYouMean(Proc.Value, Target->processorNames()),
               joinNames(Target->processorNames()));
      return false;
    }
    if (Caller && *Depth < Caller->Depth) {
      D.report(DiagID::ProcessorOrder, Proc.Loc, I.Name, Proc.Value, Caller->Proc)
          .note(DiagID::NoteLaunchedHere, I.CallLoc);
      return false;
    }
    I.Proc = Proc.Value;
    I.Depth = unsigned(*Depth);
    return true;
  }

  const Located<std::string> *mappedMemory(const InstanceInfo &I, const std::string &Name) const {
    if (!I.Settings)
      return nullptr;
    const auto *E = I.Settings->Mems.findEntry(Name);
    return E ? &E->Value : nullptr;
  }

  /// Gives every tunable its value in S; those that are full go to Full, and those that depend on
  /// the team to OfTeam, in the mapping's order.
  void setTunables(InstanceInfo &I, Substitution &S, std::set<VarRef> &Full,
                   std::vector<TeamTunable> &OfTeam) const {
    for (const Tunable &T : I.Task->Tunables) {
      const Extent *E = I.Settings ? I.Settings->Tunables.find(T.V->Name) : nullptr;
      const bool ForTeam = E && E->isForTeam();
      if (ForTeam)
        OfTeam.push_back({T.V, *E});
      else if (E ? E->Full : !T.Default)
        Full.insert(T.V);
      if (ForTeam || Full.count(T.V)) {
        I.Tunables[T.V->Name] = -1;
        continue;
      }
      Expr Value = E ? intLit(E->Value, T.V->Type) : substitute(T.Default, S);
      if (std::optional<std::int64_t> C = constantValue(Value))
        I.Tunables[T.V->Name] = *C;
      S.Vars[T.V] = Value;
    }
    const auto Position = [&](const TeamTunable &T) {
      return I.Settings->Tunables.findEntry(T.V->Name);
    };
    std::sort(OfTeam.begin(), OfTeam.end(), [&](const TeamTunable &A, const TeamTunable &B) {
      return Position(A) < Position(B);
    });
  }

  //===--- expansion --------------------------------------------------------===//

  TensorRef freshTensor(const Tensor &Of, TensorKind Kind, std::string Memory) const {
    auto T = std::make_shared<Tensor>(Of);
    T->Kind = Kind;
    T->Memory = std::move(Memory);
    return T;
  }

  /// What stands for an alias is put in its place, unless something is made of it that is no view
  /// of the base: a window of a block, whose border is not the tensor's.
  static bool needsName(const TensorRef &Alias, const View &Value, const Block &Body,
                        Substitution S) {
    S.Views[Alias] = Value;
    bool Needs = false;
    walkStmts(Body, [&](const Stmt &St) {
      forEachView(St, [&](View Use) {
        if (Use.Base != Alias)
          return;
        forEachExpr(Use, [&S](Expr &E) { E = substitute(E, S); });
        Needs |= !canCompose(Value, Use);
      });
    });
    if (!Value.Fill && Value.Reshape.empty())
      return Needs;
    walkExprs(Body, [&](const Expr &E) { Needs |= E->Kind == ExprKind::Load && E->T == Alias; });
    return Needs;
  }

  Block expandBlock(const Block &B, Substitution S, const InstanceRef &I) {
    Block Result;
    for (const Stmt &St : B)
      expandStmt(St, S, I, Result);
    return Result;
  }

  /// Appends the expansion of `St`; definitions extend `S` for the statements that follow.
  void expandStmt(const Stmt &St, Substitution &S, const InstanceRef &I, Block &Out) {
    if (const auto *F = St.getIf<For>()) {
      For Loop = *F;
      Loop.V = makeVar(F->V->Name, F->V->Type, VarKind::Loop, F->V->Loc);
      Loop.Lo = substitute(F->Lo, S);
      Loop.Hi = substitute(F->Hi, S);
      Substitution Inner = S;
      Inner.Vars[F->V] = varExpr(Loop.V);
      Loop.Body = expandBlock(F->Body, Inner, I);
      Out.push_back({std::move(Loop), St.Loc});
    } else if (const auto *C = St.getIf<If>()) {
      Out.push_back(
          {If{substitute(C->Condition, S), expandBlock(C->Then, S, I), expandBlock(C->Else, S, I)},
           St.Loc});
    } else if (const auto *L = St.getIf<Let>()) {
      Expr Value = L->Value ? substitute(L->Value, S) : nullptr;
      if (!L->Mutable && Value && constantValue(Value)) {
        S.Vars[L->V] = Value;
        return;
      }
      const auto V = std::make_shared<const Var>(*L->V);
      S.Vars[L->V] = varExpr(V);
      Out.push_back({Let{V, Value, L->Mutable}, St.Loc});
    } else if (const auto *A = St.getIf<Assign>()) {
      Out.push_back(
          {Assign{substitute(varExpr(A->V), S)->V, A->Op, substitute(A->Value, S)}, St.Loc});
    } else if (St.getIf<Store>()) {
      for (Stmt &N : substitute(Block{St}, S))
        Out.push_back(std::move(N));
    } else if (const auto *Def = St.getIf<Define>()) {
      View Value = substitute(Def->Value, S);
      if (!needsName(Def->T, Value, I->Task->Body, S)) {
        S.Views[Def->T] = std::move(Value);
        return;
      }
      TensorRef T = freshTensor(*Def->T, TensorKind::Alias, Value.Base->Memory);
      S.Tensors[Def->T] = T;
      Out.push_back({Define{T, std::move(Value)}, St.Loc});
    } else if (const auto *Loc = St.getIf<Local>()) {
      const Located<std::string> *Mem = mappedMemory(*I, Loc->T->Name);
      TensorRef T =
          freshTensor(*Loc->T, TensorKind::Local, Mem ? Mem->Value : defaultMemory(*Target, *I));
      if (Mem && Mem->Value == NoMemory)
        D.report(DiagID::NoneMaterialised, Mem->Loc, Loc->T->Name, "it is a local of the task");
      Alloc New{T,         {},
                T->Memory, requestedLayout(*I, *T),
                -1,        "local '" + Loc->T->Name + "' of " + I->Name,
                {}};
      for (const Expr &E : Loc->Extents)
        New.Extents.push_back(substitute(E, S));
      S.Tensors[Loc->T] = T;
      Out.push_back({std::move(New), St.Loc});
    } else if (const auto *L = St.getIf<Launch>()) {
      expandLaunch(*L, St.Loc, S, I, Out);
    }
  }

  void expandLaunch(const Launch &L, const Location &Loc, const Substitution &S,
                    const InstanceRef &I, Block &Out) {
    std::vector<Launch::Argument> Args = L.Args;
    for (Launch::Argument &A : Args) {
      if (A.isTensor())
        A.Tensor = substitute(A.Tensor, S);
      else
        A.Scalar = substitute(A.Scalar, S);
    }
    const InstanceMapping *Settings = nullptr;
    if (I->Settings)
      if (const CallMapping *C = findCall(*I->Settings, L)) {
        Settings = Map->find(C->Instance.Value);
        if (!Settings) {
          D.report(DiagID::UnknownInstance, C->Instance.Loc, C->Key.Value.Callee, C->Instance.Value,
                   didYouMean(C->Instance.Value, Map->instanceNames()));
          return;
        }
      }
    if (!Settings)
      Settings = Map->find(L.Callee->Name);
    FunctionRef Task = L.Callee;
    if (Settings) {
      Task = chooseVariant(Graph, Settings->TaskName, *L.Callee, D);
      if (!Task)
        return;
    }
    std::vector<std::string> Tried;
    expandChosen({L.Callee, Loc, I, Args}, Settings, Task, Tried, Out);
  }

  struct LaunchSite {
    FunctionRef Callee;
    const Location &Loc;
    const InstanceRef &Caller;
    const std::vector<Launch::Argument> &Args;
  };

  /// The launch as an instance of Settings, or a choice at run time between that and another one.
  void expandChosen(const LaunchSite &L, const InstanceMapping *Settings, const FunctionRef &Task,
                    std::vector<std::string> &Tried, Block &Out) {
    auto Child = std::make_shared<InstanceInfo>();
    Child->Name = Settings ? Settings->Name.Value : Task->Name;
    Child->Task = Task;
    Child->Called = L.Callee;
    Child->Settings = Settings;
    Child->CallLoc = L.Loc;
    Child->Caller = L.Caller.get();
    if (L.Caller)
      chooseBinding(*Child, *L.Callee);
    if (!Settings || !Settings->isForSomeSizes()) {
      expandInstance(Child, L.Args, Out);
      return;
    }
    Tried.push_back(Child->Name);
    if (std::count(Tried.begin(), Tried.end(), Child->Name) > 1) {
      std::string Path;
      for (const std::string &Name : Tried)
        Path += (Path.empty() ? "" : " -> ") + Name;
      D.report(DiagID::InstanceCycle, Settings->Otherwise->Loc, Path);
      return;
    }
    std::vector<Launch::Argument> Short = L.Args;
    If Choice{nullptr, {}, {}, true};
    for (const auto &E : Settings->AtMost)
      limitExtent(*Task, E, Limit::AtMost, Short, Choice.Condition);
    for (const auto &E : Settings->Exactly)
      limitExtent(*Task, E, Limit::Exactly, Short, Choice.Condition);
    for (const auto &E : Settings->MultipleOf)
      limitExtent(*Task, E, Limit::MultipleOf, Short, Choice.Condition);
    expandInstance(Child, Short, Choice.Then);
    const InstanceMapping *Other = Map->find(Settings->Otherwise->Value);
    if (const FunctionRef OtherTask = chooseVariant(Graph, Other->TaskName, *L.Callee, D))
      expandChosen(L, Other, OtherTask, Tried, Choice.Else);
    if (Choice.Condition)
      Out.push_back({std::move(Choice), L.Loc});
  }

  enum class Limit { AtMost, Exactly, MultipleOf };

  /// Adds to the condition that the extent is such a one. Where it holds, that much of the argument is a
  /// view of all of it, whose extent says so.
  static void limitExtent(const Function &Task, const NamedEntry<std::int64_t> &Size, Limit Kind,
                          std::vector<Launch::Argument> &Args, Expr &Condition) {
    const auto [Name, Dim] = *parseExtentName(Size.Name.Value);
    for (size_t N = 0; N < Args.size(); ++N) {
      if (Task.Params[N].Name != Name || !Args[N].isTensor() || Dim >= Args[N].Tensor.rank())
        continue;
      const Expr Number = intLit(Size.Value.Value), Extent = Args[N].Tensor.extent(Dim);
      const auto Require = [&](BinaryOp Op, const Expr &A, const Expr &B) {
        const Expr Holds = binary(Op, A, B);
        Condition = Condition ? binary(BinaryOp::And, Condition, Holds) : Holds;
      };
      Expr Known = Number;
      switch (Kind) {
      case Limit::AtMost:
        Require(BinaryOp::Le, Extent, Number);
        Known = binary(BinaryOp::Min, Extent, Number);
        break;
      case Limit::Exactly:
        Require(BinaryOp::Eq, Extent, Number);
        break;
      case Limit::MultipleOf: // and not 0: it has blocks, all of them whole
        Require(BinaryOp::Gt, Extent, intLit(0));
        Require(BinaryOp::Eq, binary(BinaryOp::Rem, Extent, Number), intLit(0));
        Known = maxExpr(binary(BinaryOp::Div, Extent, Number), intLit(1)) * Number;
        break;
      }
      View V = explicitView(Args[N].Tensor);
      if (!V.Reshape.empty() || V.Fill)
        continue;
      if (V.Dims[Dim] < 0) {
        V.BroadcastExtents[Dim] = Known;
      } else {
        Slice &S = V.Slices[V.Dims[Dim]];
        S = {S.Offset, Known, nullptr, nullptr, nullptr, nullptr};
      }
      Args[N].Tensor = std::move(V);
    }
  }

  /// The primitive for a launch: what its own instance says, else what the caller's says of the
  /// callee or its family.
  void chooseBinding(InstanceInfo &I, const Function &Callee) {
    const LocatedName *Chosen = nullptr;
    if (const InstanceMapping *Caller = I.Caller->Settings) {
      const NamedEntry<std::string> *E = Caller->LeafTaskBindings.findEntry(Callee.Name);
      if (!E)
        E = Caller->LeafTaskBindings.findEntry(Callee.Family);
      if (E && I.Task->Kind == FunctionKind::Task && Refused.insert(&E->Name).second)
        D.report(DiagID::BindingNotLeaf, E->Name.Loc, I.Task->Name);
      if (E)
        Chosen = &E->Value;
    }
    if (I.Settings && I.Settings->Binding)
      Chosen = &*I.Settings->Binding;
    if (!Chosen)
      return;
    I.Binding = Chosen->Value;
    if (I.Task->Kind == FunctionKind::OpaqueLeaf && Refused.insert(Chosen).second)
      D.report(DiagID::BindingMismatch, Chosen->Loc, I.Task->Name, Chosen->Value,
               "it is opaque, because " + I.Task->OpaqueReason)
          .note(DiagID::NoteLeafPart, I.Task->OpaqueLoc);
  }

  /// A call is named by its site, by its callee, or by the callee's family.
  static const CallMapping *findCall(const InstanceMapping &Settings, const Launch &L) {
    if (const CallMapping *C = Settings.findCall(L.Callee->Name, L.Site))
      return C;
    return Settings.findCall(L.Callee->Family, L.Site);
  }

  bool launchesItself(const InstanceInfo &I) {
    for (const InstanceInfo *C = I.Caller; C; C = C->Caller) {
      if (C->Task != I.Task || C->Settings != I.Settings)
        continue;
      std::string Path = I.Name;
      for (const InstanceInfo *Q = I.Caller; Q; Q = Q == C ? nullptr : Q->Caller)
        Path = Q->Name + " -> " + Path;
      D.report(DiagID::InstanceCycle, I.where(), Path).note(DiagID::NoteLaunchedHere, I.CallLoc);
      return true;
    }
    return false;
  }

  void expandInstance(const std::shared_ptr<InstanceInfo> &I,
                      const std::vector<Launch::Argument> &Args, Block &Out) {
    if (!placeOnProcessor(*I, I->Caller))
      return;
    if (I->Settings) {
      Used.insert(I->Settings);
      if (Checked.insert(I->Settings).second)
        checkInstance(*I->Settings, *I->Task, I->Proc, *Target, D);
    }
    if (launchesItself(*I))
      return;
    P.Instances.push_back(I);

    Scope Result{I, {}};
    Substitution S;
    for (size_t N = 0; N < Args.size(); ++N) {
      const Parameter &Param = I->Task->Params[N];
      const Launch::Argument &A = Args[N];
      if (Param.isTensor()) {
        const Located<std::string> *Mem = mappedMemory(*I, Param.Name);
        bool Placed = Mem && Mem->Value != NoMemory;
        // A window reaches outside its tensor: it is a copy, and that is where callees see it.
        // Kernels read it in place, and so does other code where the mapping says so.
        const bool InPlace = gridDepth(*Target) || inPlaceOf(*I, *Param.Tensor).has_value();
        std::string Inherited =
            A.Tensor.Fill && !InPlace ? defaultMemory(*Target, *I) : A.Tensor.Base->Memory;
        std::string Memory = Placed ? Mem->Value : Inherited;
        if (!I->Caller)
          Memory = reachableMemory(*Target, Memory);
        TensorRef T = freshTensor(*Param.Tensor, TensorKind::Parameter, Memory);
        S.Tensors[Param.Tensor] = T;
        Result.Body.push_back({Define{T, A.Tensor}, I->CallLoc});
      } else if (A.Scalar->Kind == ExprKind::Var || constantValue(A.Scalar)) {
        S.Vars[Param.Scalar] = cast(Param.Scalar->Type, A.Scalar);
      } else {
        VarRef V = makeVar(Param.Name, Param.Scalar->Type, VarKind::Scalar, Param.Loc);
        S.Vars[Param.Scalar] = varExpr(V);
        Result.Body.push_back({Let{V, cast(V->Type, A.Scalar), false}, I->CallLoc});
      }
    }
    expandBody(*I, I, S, Result.Body);
    Out.push_back({std::move(Result), I->CallLoc});
  }

  static std::optional<std::int64_t> threadsOf(const InstanceInfo &I) {
    const auto &Wanted = I.Settings->Parallelize;
    return Wanted && Wanted->Value.Threads ? std::optional(Wanted->Value.Threads->Value)
                                           : std::nullopt;
  }

  void reportTeamTunable(const InstanceInfo &I, const std::string &Tunable, bool HasLoop) const {
    D.report(DiagID::TunableTeam, I.Settings->Tunables.findEntry(Tunable)->Value.Loc, Tunable,
             I.Task->Name, HasLoop);
  }

  void expandBody(InstanceInfo &Info, const InstanceRef &I, Substitution &S, Block &Out) {
    const Function &Task = *Info.Task;
    if (Task.Kind == FunctionKind::OpaqueLeaf) {
      OpaqueCall Call{Info.Task, {}};
      for (const Parameter &Param : Task.Params) {
        Launch::Argument A;
        if (Param.isTensor())
          A.Tensor = wholeView(S.Tensors[Param.Tensor]);
        else
          A.Scalar = S.Vars[Param.Scalar];
        Call.Args.push_back(std::move(A));
      }
      Out.push_back({std::move(Call), Info.CallLoc});
      return;
    }
    std::set<VarRef> Full;
    std::vector<TeamTunable> OfTeam;
    setTunables(Info, S, Full, OfTeam);
    checkConstraints(Info, D);
    std::optional<FullUse> Leftover;
    Block Body = applyFullTunables(Task.Body, Full, Leftover);
    if (Leftover) {
      const auto *E = Info.Settings->Tunables.findEntry(Leftover->V->Name);
      D.report(DiagID::TunableFull, E ? E->Value.Loc : Info.where(), Leftover->V->Name, Task.Name)
          .note(DiagID::NoteUsedHere, Leftover->Loc);
      return;
    }
    VarRef NotShared;
    if (!OfTeam.empty()) {
      Substitution Others; // whose defaults may name those of the team
      for (const Tunable &T : Task.Tunables)
        if (auto Value = S.Vars.find(T.V); Value != S.Vars.end())
          Others.Vars.insert(*Value);
      Body = substitute(Body, Others);
      Body = applyTeamTunables(std::move(Body), OfTeam, threadsOf(Info), NotShared);
    }
    if (NotShared)
      return reportTeamTunable(Info, NotShared->Name, false);
    for (Stmt &St : expandBlock(Body, S, I))
      Out.push_back(std::move(St));
    spreadLoops(Out, Info, *Target);
    if (!OfTeam.empty() && !sharesTeamBlocks(Out, *Target))
      reportTeamTunable(Info, OfTeam.front().V->Name, true);
    for (RewriteRecord &Idle : idleSettings(Out, Info))
      P.Log.push_back(std::move(Idle));
    applyOrder(Out, Info, *Target, D);
  }

  void reportUnused() {
    for (const InstanceMapping &I : Map->Instances)
      if (!Used.count(&I))
        D.report(DiagID::UnusedInstance, I.Name.Loc, I.Name.Value, Map->Entrypoint.Value);
  }

public:
  Resolver(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
           std::shared_ptr<const Machine> Target, Diagnostics &D)
      : Graph(Graph), Map(Map), Target(Target), D(D) {
    P.Map = Map;
    P.Target = Target;
  }

  std::optional<Program> run() {
    unsigned ErrorsBefore = D.errorCount();
    const InstanceMapping *Settings = Map->find(Map->Entrypoint.Value);
    if (!Settings) {
      D.report(DiagID::UnknownInstance, Map->Entrypoint.Loc, "entrypoint", Map->Entrypoint.Value,
               didYouMean(Map->Entrypoint.Value, Map->instanceNames()));
      return std::nullopt;
    }
    FunctionRef Entry = chooseEntry(Graph, Settings->TaskName, D);
    if (!Entry)
      return std::nullopt;
    InstanceInfo Outermost;
    Outermost.Settings = Settings;

    // The entry's own parameters are the caller's data: they live in the outermost memory.
    P.Entry = Entry;
    std::vector<Launch::Argument> Args;
    for (const Parameter &Param : Entry->Params) {
      Parameter Outer = Param;
      Launch::Argument A;
      if (Param.isTensor()) {
        Outer.Tensor = freshTensor(*Param.Tensor, TensorKind::Parameter,
                                   callersMemory(*Target, mappedMemory(Outermost, Param.Name)));
        A.Tensor = wholeView(Outer.Tensor);
      } else {
        A.Scalar = varExpr(Param.Scalar);
      }
      P.Params.push_back(Outer);
      Args.push_back(A);
    }
    std::vector<std::string> Tried;
    expandChosen({Entry, Entry->Loc, nullptr, Args}, Settings, Entry, Tried, P.Body);
    if (D.errorCount() == ErrorsBefore) {
      wholeBlocks(P.Body);
      checkFileConstraints(P, D);
      reportUnused();
    }
    if (D.errorCount() != ErrorsBefore)
      return std::nullopt;
    return std::move(P);
  }
};

} // namespace

std::optional<Program> resolve(const TaskGraph &Graph, std::shared_ptr<const Mapping> Map,
                               std::shared_ptr<const Machine> Target, Diagnostics &D) {
  return Resolver(Graph, std::move(Map), std::move(Target), D).run();
}

std::optional<Program> resolveAsWritten(const TaskGraph &Graph, const Function &Entry,
                                        std::shared_ptr<const Machine> Target) {
  auto Map = std::make_shared<Mapping>();
  Map->Machine = Target->Name;
  Map->Entrypoint = {Entry.Name};
  InstanceMapping &I = Map->Instances.emplace_back();
  I.Name = I.TaskName = {Entry.Name};
  Diagnostics OfNobody;
  return resolve(Graph, std::move(Map), std::move(Target), OfNobody);
}

} // namespace septran::compiler
