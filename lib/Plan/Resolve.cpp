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
#include "IR/Parse.h"
#include "IR/Rewrite.h"
#include "Plan/CheckInstance.h"
#include "Plan/Defaults.h"
#include "Plan/FullTunables.h"
#include "Plan/LoopOrder.h"
#include "Plan/Passes.h"
#include "Support/DidYouMean.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace septran::compiler {

namespace {

using FunctionRef = std::shared_ptr<const Function>;

bool sameSignature(const Function &A, const Function &B) {
  if (A.Params.size() != B.Params.size())
    return false;
  for (size_t I = 0; I < A.Params.size(); ++I) {
    const Parameter &P = A.Params[I], &Q = B.Params[I];
    if (P.isTensor() != Q.isTensor())
      return false;
    if (P.isTensor() ? P.Tensor->Element != Q.Tensor->Element || P.Tensor->Rank != Q.Tensor->Rank
                     : P.Scalar->Type != Q.Scalar->Type)
      return false;
  }
  return true;
}

template <class Range> std::string joinNames(const Range &Names) {
  std::string Text;
  for (const auto &N : Names)
    Text += (Text.empty() ? "" : ", ") + std::string(N);
  return Text;
}

class Resolver {
  const TaskGraph &Graph;
  std::shared_ptr<const Mapping> Map;
  std::shared_ptr<const Machine> Target;
  Diagnostics &D;
  Program P;
  std::set<const InstanceMapping *> Used, Checked;
  std::set<const LocatedName *> Refused; ///< names of bindings that cannot be

  //===--- which function an instance stands for ---------------------------===//

  std::vector<std::string> allNames() const {
    std::vector<std::string> Names;
    for (const FunctionRef &F : Graph.Functions)
      for (const std::string &N : {F->Name, F->Family})
        if (std::find(Names.begin(), Names.end(), N) == Names.end())
          Names.push_back(N);
    return Names;
  }

  /// The variant that `Name` asks for; the call of `Callee` fixes the signature (null for the
  /// entry).
  FunctionRef chooseVariant(const LocatedName &Name, const FunctionRef &Callee) {
    std::vector<FunctionRef> Candidates = Graph.variants(Name.Value);
    if (Candidates.empty()) {
      D.report(DiagID::UnknownTask, Name.Loc, Name.Value, didYouMean(Name.Value, allNames()));
      return nullptr;
    }
    std::vector<FunctionRef> ByName;
    for (const FunctionRef &F : Candidates)
      if (F->Name == Name.Value)
        ByName.push_back(F);
    if (!ByName.empty())
      Candidates = ByName;
    if (!Callee)
      return chooseEntry(Name, Candidates);
    if (Candidates.front()->Family != Callee->Family) {
      D.report(DiagID::NotOfFamily, Name.Loc, Name.Value, Candidates.front()->Family, Callee->Name,
               Callee->Family)
          .note(DiagID::NoteDeclared, Callee->Loc, Callee->Name);
      return nullptr;
    }
    std::vector<FunctionRef> Fitting;
    for (const FunctionRef &F : Candidates)
      if (sameSignature(*F, *Callee))
        Fitting.push_back(F);
    if (Fitting.empty()) {
      D.report(DiagID::VariantSignature, Name.Loc, Name.Value, Callee->Signature)
          .note(DiagID::NoteDeclared, Candidates.front()->Loc, Candidates.front()->Signature);
      return nullptr;
    }
    if (Fitting.size() > 1) {
      std::vector<std::string> Names;
      for (const FunctionRef &F : Fitting)
        Names.push_back(F->Name);
      D.report(DiagID::AmbiguousVariant, Name.Loc, Name.Value, joinNames(Names));
      return nullptr;
    }
    return Fitting.front();
  }

  FunctionRef chooseEntry(const LocatedName &Name, const std::vector<FunctionRef> &Candidates) {
    for (const FunctionRef &F : Candidates)
      if (F->IsEntryCandidate && !F->BodyText.File.empty()) // else a macro wrote part of it
        return F;
    D.report(DiagID::EntryNotTask, Name.Loc, Name.Value)
        .note(DiagID::NoteDeclared, Candidates.front()->Loc, Candidates.front()->Name);
    return nullptr;
  }

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

  /// Gives every tunable its value in S; those that are full go to Full.
  void setTunables(InstanceInfo &I, Substitution &S, std::set<VarRef> &Full) const {
    for (const Tunable &T : I.Task->Tunables) {
      const Extent *E = I.Settings ? I.Settings->Tunables.find(T.V->Name) : nullptr;
      if (E && E->Full) {
        Full.insert(T.V);
        I.Tunables[T.V->Name] = -1;
        continue;
      }
      Expr Value = E ? intLit(E->Value, T.V->Type) : substitute(T.Default, S);
      if (std::optional<std::int64_t> C = constantValue(Value))
        I.Tunables[T.V->Name] = *C;
      S.Vars[T.V] = Value;
    }
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
      VarRef V = makeVar(L->V->Name, L->V->Type, VarKind::Scalar, L->V->Loc);
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
      Task = chooseVariant(Settings->TaskName, L.Callee);
      if (!Task)
        return;
    }
    auto Child = std::make_shared<InstanceInfo>();
    Child->Name = Settings ? Settings->Name.Value : Task->Name;
    Child->Task = Task;
    Child->Settings = Settings;
    Child->CallLoc = Loc;
    Child->Caller = I.get();
    chooseBinding(*Child, *L.Callee);
    expandInstance(Child, Args, Out);
  }

  /// The primitive for a launch: what its own instance says, else what the caller's says of the callee
  /// or its family.
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
        // A window reaches outside its tensor: it is always a copy, and that is where callees see
        // it.
        std::string Inherited = A.Tensor.Fill ? defaultMemory(*Target, *I) : A.Tensor.Base->Memory;
        TensorRef T =
            freshTensor(*Param.Tensor, TensorKind::Parameter, Placed ? Mem->Value : Inherited);
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

  /// Does `Word`, which may have dots in it, stand in the text by itself?
  static bool namesWord(const std::string &Text, const std::string &Word) {
    auto IsPart = [](char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_' || C == '.'; };
    for (size_t At = Text.find(Word); At != std::string::npos; At = Text.find(Word, At + 1)) {
      size_t End = At + Word.size();
      if ((At == 0 || !IsPart(Text[At - 1])) && (End == Text.size() || !IsPart(Text[End])))
        return true;
    }
    return false;
  }

  /// Constraints are integer expressions over tunables. Those that are full have no number to
  /// compare.
  void checkConstraint(const LocatedName &C, const std::map<std::string, std::int64_t> &Tunables) {
    ParseNames Names;
    std::string Text = C.Value, Values;
    for (const auto &[Name, Value] : Tunables) {
      if (Value < 0 && namesWord(Text, Name)) {
        D.report(DiagID::ConstraintFull, C.Loc, C.Value, Name);
        return;
      }
      if (Value < 0)
        continue;
      std::string Word = Name; // `instance.tunable` is one word to the parser, of the same length
      std::replace(Word.begin(), Word.end(), '.', '_');
      Names.Scalars[Word] = intLit(Value);
      for (size_t At = Text.find(Name); Word != Name && At != std::string::npos;
           At = Text.find(Name, At))
        Text.replace(At, Name.size(), Word);
      if (C.Value.find(Name) != std::string::npos)
        Values += (Values.empty() ? "" : ", ") + Name + " is " + std::to_string(Value);
    }
    Expr Holds = parseExpr(Text, Names, {C.Loc.File, C.Loc.Line, C.Loc.Column}, D);
    if (Holds && constantValue(Holds) && *constantValue(Holds) == 0)
      D.report(DiagID::ConstraintFails, C.Loc, C.Value, Values);
  }

  /// The file's own constraints name tunables as `instance.tunable`.
  void checkFileConstraints() {
    std::map<std::string, std::int64_t> All;
    for (const InstanceRef &I : P.Instances)
      for (const auto &[Name, Value] : I->Tunables)
        All[I->Name + "." + Name] = Value;
    for (const LocatedName &C : Map->Constraints)
      checkConstraint(C, All);
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
    setTunables(Info, S, Full);
    if (Info.Settings)
      for (const LocatedName &C : Info.Settings->Constraints)
        checkConstraint(C, Info.Tunables);
    std::optional<FullUse> Leftover;
    Block Body = applyFullTunables(Task.Body, Full, Leftover);
    if (Leftover) {
      const auto *E = Info.Settings->Tunables.findEntry(Leftover->V->Name);
      D.report(DiagID::TunableFull, E ? E->Value.Loc : Info.where(), Leftover->V->Name, Task.Name)
          .note(DiagID::NoteUsedHere, Leftover->Loc);
      return;
    }
    for (Stmt &St : expandBlock(Body, S, I))
      Out.push_back(std::move(St));
    spreadLoops(Out, Info);
    recordIdleSettings(Out, Info);
    applyOrder(Out, Info, *Target, D);
  }

  //===--- which parallel loops leave the processor ------------------------===//

  /// The outermost level inside `Depth` on which something launched in B runs, or "".
  std::string launchedLevel(const Block &B, unsigned Depth) const {
    std::string Level;
    unsigned Best = ~0u;
    auto Visit = [&](const Block &Inner, auto &Self) -> void {
      for (const Stmt &S : Inner) {
        if (const auto *Sc = S.getIf<Scope>()) {
          if (Sc->Instance->Depth > Depth && Sc->Instance->Depth < Best) {
            Best = Sc->Instance->Depth;
            Level = Sc->Instance->Proc;
          } else if (Sc->Instance->Depth == Depth)
            Self(Sc->Body, Self);
        } else if (const auto *F = S.getIf<For>()) {
          if (F->Spread.empty()) // else an inner instance spreads by itself
            Self(F->Body, Self);
        } else if (const auto *C = S.getIf<If>()) {
          Self(C->Then, Self);
          Self(C->Else, Self);
        }
      }
    };
    Visit(B, Visit);
    return Level;
  }

  bool parallelizeEnabled(const InstanceInfo &I) const {
    return !I.Settings || !I.Settings->Parallelize || I.Settings->Parallelize->Value.Enabled;
  }

  /// A parallel loop spreads over the level on which its callees run, if that lies further inside.
  /// Levels whose loops run one after the other (lanes belong to leaves) take no iterations.
  void spreadLoops(Block &B, const InstanceInfo &I) const {
    if (!parallelizeEnabled(I))
      return;
    for (Stmt &S : B) {
      if (auto *C = S.getIf<If>()) {
        spreadLoops(C->Then, I);
        spreadLoops(C->Else, I);
      }
      auto *F = S.getIf<For>();
      if (!F)
        continue;
      std::string Level = F->Kind == LoopKind::Parallel ? launchedLevel(F->Body, I.Depth) : "";
      const Processor *Proc = Level.empty() ? nullptr : Target->findProcessor(Level);
      if (!Proc || Proc->LoopSpread.Value == Processor::Spread::Lanes ||
          Proc->LoopSpread.Value == Processor::Spread::Sequential) {
        spreadLoops(F->Body, I);
        continue;
      }
      for (For *G : parallelGroup(*F))
        G->Spread = Level;
    }
  }

  /// Settings of a loop that the task does not have, or that does not spread, are no mistake:
  /// shared ones reach many instances. But nobody should wonder why they change nothing.
  void recordIdleSettings(const Block &B, const InstanceInfo &I) {
    if (!I.Settings)
      return;
    size_t Most = 0;
    bool Spread = false;
    auto Visit = [&](const Block &Inner, auto &Self) -> void {
      for (const Stmt &S : Inner) {
        if (S.getIf<Scope>())
          continue; // loops of another instance
        if (const auto *F = S.getIf<For>(); F && F->Kind == LoopKind::Parallel) {
          Most = std::max(Most, parallelGroup(*F).size());
          Spread |= !F->Spread.empty();
        }
        for (const Block *Nested : nestedBlocks(S))
          Self(*Nested, Self);
      }
    };
    Visit(B, Visit);
    auto Record = [&](const char *Key, const std::string &Why, const Location &Loc) {
      P.Log.push_back(
          {"resolve", "no effect", std::string(Key) + " of " + I.Name + ": " + Why, Loc});
    };
    if (const auto &O = I.Settings->Order; O && O->Value.K != Order::Kind::Row && Most < 2)
      Record("order", Most ? "its parallel loop has one index" : "its task has no parallel loop",
             O->Loc);
    if (const auto &Par = I.Settings->Parallelize) {
      const Parallelize &Wanted = Par->Value;
      const bool Details = Wanted.Kind || Wanted.Chunk || Wanted.Threads || Wanted.Collapse;
      if (Details && !Spread)
        Record("parallelize",
               Most ? "no launch in its parallel loop is on a level further inside"
                    : "its task has no parallel loop",
               Par->Loc);
      else if (Wanted.Collapse && size_t(Wanted.Collapse->Value) > Most)
        Record("collapse", "its parallel loop has fewer indices", Wanted.Collapse->Loc);
    }
    if (const auto &V = I.Settings->Vectorize; V && I.Task->Kind != FunctionKind::Leaf)
      Record("vectorize", "only the loops of leaves run in lanes", V->Loc);
  }

  void reportUnused() {
    std::set<const InstanceMapping *> Reached = Used;
    for (const InstanceMapping &I : Map->Instances)
      if (!Reached.count(&I))
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
    FunctionRef Entry = chooseVariant(Settings->TaskName, nullptr);
    if (!Entry)
      return std::nullopt;
    auto I = std::make_shared<InstanceInfo>();
    I->Name = Settings->Name.Value;
    I->Task = Entry;
    I->Settings = Settings;
    I->CallLoc = Entry->Loc;

    // The entry's own parameters are the caller's data: they live in the outermost memory.
    P.Entry = Entry;
    std::vector<Launch::Argument> Args;
    for (const Parameter &Param : Entry->Params) {
      Parameter Outer = Param;
      Launch::Argument A;
      if (Param.isTensor()) {
        Outer.Tensor =
            freshTensor(*Param.Tensor, TensorKind::Parameter, Target->Memories.front().Name.Value);
        A.Tensor = wholeView(Outer.Tensor);
      } else {
        A.Scalar = varExpr(Param.Scalar);
      }
      P.Params.push_back(Outer);
      Args.push_back(A);
    }
    expandInstance(I, Args, P.Body);
    if (D.errorCount() == ErrorsBefore) {
      checkFileConstraints();
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

} // namespace septran::compiler
