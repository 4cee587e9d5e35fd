//===- RandomMapping.cpp - some mapping of a program ----------------------===//
#include "Verify/RandomMapping.h"

#include "IR/Rewrite.h"
#include "Mapping/Mapping.h"
#include "Plan/Defaults.h"
#include "Plan/FullTunables.h"
#include "Plan/Passes.h"
#include "Verify/InstanceSettings.h"
#include "Verify/KnownExtents.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace septran::compiler {

namespace {

constexpr unsigned MaxDepth = 7;
constexpr size_t MaxInstances = 32;

bool launchesFamily(const Function &F, const std::string &Family) {
  bool Found = false;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *L = S.getIf<Launch>();
    Found |= L && L->Callee->Family == Family;
  });
  return Found;
}

/// A launch, as the instance that makes it sees it.
struct CallSite {
  const Launch *L;
  std::vector<TensorPlace> Args; ///< one per parameter; those of scalars are empty
  const For *Around = nullptr;   ///< outermost parallel loop that it stands in
};

using LoopOfLaunch = std::map<const Launch *, const For *>;

void findParallelLoops(const Block &B, const For *Around, LoopOfLaunch &Found) {
  for (const Stmt &S : B) {
    const auto *F = S.getIf<For>();
    if (const auto *L = S.getIf<Launch>())
      Found[L] = Around;
    for (const Block *Nested : nestedBlocks(S))
      findParallelLoops(*Nested, !Around && F && F->Kind == LoopKind::Parallel ? F : Around, Found);
  }
}

/// What an instance's launches need to know of it.
struct Caller {
  InstanceMapping &I;
  size_t Level;
  unsigned Depth;
  bool InLoopsStarts = false; ///< what its parallel loops launch is started by the host
};

class MappingDraw {
  const TaskGraph &G;
  const Machine &M;
  const MachineRules Rules;
  Random &R;
  Mapping Map;
  std::set<std::string> Names; ///< of instances

  std::string freshName(const std::string &Task) {
    std::string Name = Task + "_1";
    for (unsigned N = 2; Names.count(Name) || !G.variants(Name).empty(); ++N)
      Name = Task + "_" + std::to_string(N);
    return Name;
  }

  bool inRegisters(const TensorPlace &P) const {
    const Memory *In = M.findMemory(P.Memory);
    return In && In->Registers;
  }

  /// What stands for a launch of `Callee`: itself or another variant, near the depth limit one that
  /// ends the recursion. `Inside`: for a level that is started. `Leaf`: no task will do.
  FunctionRef drawVariant(const FunctionRef &Callee, unsigned Depth, bool Inside, bool Leaf) {
    std::vector<FunctionRef> All, Ending;
    for (const FunctionRef &F : G.variants(Callee->Family)) {
      if (F->Family != Callee->Family || !sameSignature(*F, *Callee) ||
          (Inside && !Rules.runsInside(G, *F)) || (Leaf && F->Kind == FunctionKind::Task))
        continue;
      All.push_back(F);
      if (!launchesFamily(*F, Callee->Family))
        Ending.push_back(F);
    }
    const bool End = Depth >= MaxDepth || Map.Instances.size() >= MaxInstances || R.chance(25);
    if (End && !Ending.empty())
      return R.pick(Ending);
    return All.empty() ? Callee : R.pick(All);
  }

  size_t drawAnyLevel(const Function &F, size_t Caller) {
    const size_t Last = M.Processors.size() - 1;
    if (Caller >= Last)
      return Last;
    // Leaves are where the innermost level is meant to work.
    if (F.Kind != FunctionKind::Task && R.chance(Rules.runsKernels() ? 15 : 40))
      return Last;
    return R.chance(45) ? Caller : R.chance(80) ? Caller + 1 : size_t(R.between(Caller, Last));
  }

  /// The level of what surrounds an instance on `Level`.
  size_t siteOf(const Caller &From, const CallSite &Site, size_t Level) const {
    const bool Spreads = Site.Around && Level > From.Level && Rules.spreads(Level) &&
                         (!From.I.Parallelize || From.I.Parallelize->Value.Enabled);
    return Spreads ? Level : From.Level;
  }

  /// F could run on the level, as far as the machine file tells.
  bool canRun(const Function &F, const Caller &From, const CallSite &Site, size_t Level) const {
    if (!Rules.hasDevice())
      return true;
    const bool Starts = Rules.onDevice(Level) && !Rules.onDevice(From.Level);
    if (Site.Around && From.InLoopsStarts && !Starts)
      return false;
    if (Rules.onDevice(Level) && !Rules.runsInside(G, F))
      return false;
    const bool IsTask = F.Kind == FunctionKind::Task;
    // Buffers of kernels are those of a processor of the grid.
    if (Rules.runsKernels() && IsTask && Level > Rules.deviceLevel()) {
      bool HasLocals = false;
      walkStmts(F.Body, [&](const Stmt &S) { HasLocals |= S.getIf<Local>() != nullptr; });
      if (HasLocals)
        return false;
    }
    for (size_t N = 0; N < Site.Args.size(); ++N)
      if (F.Params[N].isTensor() && !canHave(Site.Args[N], F.Params[N].Access, IsTask, Level,
                                             siteOf(From, Site, Level)))
        return false;
    return true;
  }

  /// The argument is or can be copied where an instance on `Level` has a use for it.
  bool canHave(const TensorPlace &Arg, Privilege P, bool IsTask, size_t Level, size_t Site) const {
    const Memory *From = M.findMemory(Arg.Memory);
    if (!From || (Rules.runsKernels() && From->Registers)) // of the level that holds it
      return !From || Site == Level;
    const bool Window = Arg.IsWindow && !Rules.runsKernels();
    const bool Touches = Rules.touches(Level, *From, P);
    // What a task's own launches cannot copy, it has to.
    const bool LeavesAsIs = IsTask && (!Arg.IsScattered || Rules.runsKernels());
    if (!Window && (Touches || LeavesAsIs))
      return true;
    CopyForm Form = Arg.form();
    Form.IsWindow = Window;
    return std::any_of(M.Memories.begin(), M.Memories.end(), [&](const Memory &To) {
      return (IsTask || Rules.touches(Level, To, P)) &&
             Rules.copies(Site, *From, To, P, Form);
    });
  }

  size_t drawLevel(const Function &F, const Caller &From, const CallSite &Site) {
    for (unsigned Tries = 0; Tries < 6; ++Tries)
      if (const size_t Level = drawAnyLevel(F, From.Level); canRun(F, From, Site, Level))
        return Level;
    for (size_t Level = From.Level; Level < M.Processors.size(); ++Level)
      if (canRun(F, From, Site, Level))
        return Level;
    return From.Level;
  }

  /// Whether the host starts all that the parallel loops launch, or goes through their iterations.
  void drawStarts(Caller &From, const std::vector<CallSite> &Sites) {
    if (!Rules.hasDevice() || Rules.onDevice(From.Level))
      return;
    bool CanStart = R.chance(85), InLoops = false;
    for (const CallSite &Site : Sites) {
      bool Inside = false;
      for (const FunctionRef &F : G.variants(Site.L->Callee->Family))
        Inside |= F->Family == Site.L->Callee->Family && sameSignature(*F, *Site.L->Callee) &&
                  Rules.runsInside(G, *F);
      InLoops |= Site.Around != nullptr;
      CanStart &= Inside || !Site.Around;
    }
    From.InLoopsStarts = CanStart;
    if (InLoops && !CanStart)
      From.I.Parallelize = {Parallelize{false, {}, {}, {}, {}}};
    else if (InLoops && From.I.Parallelize)
      From.I.Parallelize->Value.Enabled = true;
  }

  /// The launches of a task in textual order, with what is known about their arguments.
  std::vector<CallSite> callSites(const Function &F, KnownExtents &Known,
                                  std::map<TensorRef, TensorPlace> &Places,
                                  const std::string &LocalMemory,
                                  const NamedList<std::string> &Mems) {
    std::vector<CallSite> Sites;
    LoopOfLaunch Around;
    findParallelLoops(F.Body, nullptr, Around);
    auto PlaceOf = [&](const View &V) {
      const TensorPlace &Base = Places[V.Base];
      return TensorPlace{Base.Memory, Known.bounds(V), V.Fill || Base.IsWindow,
                         isScattered(V) || Base.IsScattered};
    };
    walkStmts(F.Body, [&](const Stmt &S) {
      if (const auto *Def = S.getIf<Define>()) {
        Places[Def->T] = PlaceOf(Def->Value);
        Known.setBounds(Def->T, Places[Def->T].Bounds);
      } else if (const auto *Owned = S.getIf<Local>()) {
        TensorPlace P{LocalMemory, {}, false};
        if (const std::string *Memory = Mems.find(Owned->T->Name))
          P.Memory = *Memory;
        for (const Expr &E : Owned->Extents)
          P.Bounds.push_back(Known.bound(E));
        Known.setBounds(Owned->T, P.Bounds);
        Places[Owned->T] = std::move(P);
      } else if (const auto *Scalar = S.getIf<Let>()) {
        if (ExtentBound Value = Scalar->Value ? constantValue(Scalar->Value) : std::nullopt)
          Known.setValue(Scalar->V, *Value);
      } else if (const auto *L = S.getIf<Launch>()) {
        CallSite Site{L, {}, Around[L]};
        for (const Launch::Argument &A : L->Args)
          Site.Args.push_back(A.isTensor() ? PlaceOf(A.Tensor) : TensorPlace{});
        Sites.push_back(std::move(Site));
      }
    });
    return Sites;
  }

  /// Names the launch in the caller's `calls`, in one of the ways that single it out.
  CallKey drawKey(const CallSite &Site, const std::vector<CallSite> &All) {
    const Function &Callee = *Site.L->Callee;
    size_t SameName = 0, SameFamily = 0;
    for (const CallSite &Other : All) {
      SameName += Other.L->Callee->Name == Callee.Name;
      SameFamily +=
          Other.L->Callee->Family == Callee.Family || Other.L->Callee->Name == Callee.Family;
    }
    if (SameFamily == 1 && R.chance(20))
      return {Callee.Family, std::nullopt};
    if (R.chance(SameName == 1 ? 80 : 15))
      return {Callee.Name, std::nullopt};
    return {Callee.Name, Site.L->Site};
  }

  /// Arguments of the entry point are copied, whatever the mapping says of them.
  bool callersMemoryIsAnother() const {
    const std::string &First = M.Memories.front().Name.Value;
    return reachableMemory(M, First) != First;
  }

  void drawInstance(const std::string &Name, const FunctionRef &F, const InstancePlace &At,
                    size_t CallerLevel, const std::vector<TensorPlace> &Args, unsigned Depth,
                    std::optional<PrimitiveFit> Bound = {}) {
    const size_t Slot = Map.Instances.size();
    Map.Instances.emplace_back();
    Names.insert(Name);
    InstanceMapping I;
    I.Name = {Name};
    I.TaskName = {F->Name};
    if (At.Level != CallerLevel || R.chance(50))
      I.Proc = M.Processors[At.Level].Name.Value;

    KnownExtents Known;
    SettingsDraw Settings(*F, M, Rules, At, std::move(Bound), R);
    Settings.drawBinding(I, Args);
    Settings.drawTunables(I, Known);
    std::map<TensorRef, TensorPlace> Places;
    for (size_t N = 0; N < Args.size(); ++N)
      if (F->Params[N].isTensor())
        Known.setBounds(F->Params[N].Tensor, Args[N].Bounds);
    Settings.drawMemories(I, Args, Known);
    if (Depth == 0 && callersMemoryIsAnother())
      std::erase_if(I.Mems.Entries, [](const auto &E) { return E.Value.Value == NoMemory; });
    for (size_t N = 0; N < Args.size(); ++N)
      if (F->Params[N].isTensor()) {
        TensorPlace P = Args[N];
        const std::string *Memory = I.Mems.find(F->Params[N].Name);
        const std::string Now = Memory && Depth == 0 ? reachableMemory(M, *Memory)
                                : Memory             ? *Memory
                                                     : NoMemory;
        if (Now != NoMemory)
          P = {Now, Args[N].Bounds, false, P.IsScattered && Now == P.Memory};
        else if (P.IsWindow && !Rules.runsKernels() && Rules.hasDevice())
          P = {Settings.localMemory(), Args[N].Bounds};
        Places[F->Params[N].Tensor] = P;
      }
    Settings.drawStructure(I);
    const std::vector<CallSite> Sites =
        callSites(*F, Known, Places, Settings.localMemory(), I.Mems);
    Caller From{I, At.Level, Depth};
    drawStarts(From, Sites);
    for (const CallSite &Site : Sites)
      drawLaunch(From, Site, Sites);
    Map.Instances[Slot] = std::move(I);
  }

  void drawLaunch(Caller &From, const CallSite &Site, const std::vector<CallSite> &All) {
    const FunctionRef &Callee = Site.L->Callee;
    InstanceMapping &I = From.I;
    if (I.findCall(Callee->Name, Site.L->Site))
      return; // a key that names all launches of it
    const bool Inside = Rules.onDevice(From.Level) || (Site.Around && From.InLoopsStarts);
    const bool Registers = std::any_of(Site.Args.begin(), Site.Args.end(),
                                       [&](const TensorPlace &P) { return inRegisters(P); });
    InstancePlace At;
    std::optional<PrimitiveFit> Bound;
    if (R.chance(20) && !I.LeafTaskBindings.find(Callee->Name)) {
      At.Level = drawLevel(*Callee, From, Site);
      At.Site = siteOf(From, Site, At.Level);
      Bound = drawPrimitive(*Callee, M, Rules, At, Site.Args, R);
    }
    if (Bound)
      I.LeafTaskBindings.Entries.push_back({{Callee->Name}, {Bound->P->Name.Value}});
    else if (!Names.count(Callee->Name) && R.chance(15) && canInherit(From, Site))
      return;
    const FunctionRef Task =
        Bound ? Callee
              : drawVariant(Callee, From.Depth, Inside, Registers && Rules.runsKernels());
    if (!Bound) {
      At.Level = drawLevel(*Task, From, Site);
      At.Site = siteOf(From, Site, At.Level);
    }
    // Found by its name: then a task must not launch it again.
    if (!Names.count(Callee->Name) && Task->Kind != FunctionKind::Task && R.chance(10))
      return drawInstance(Callee->Name, Task, At, From.Level, Site.Args, From.Depth + 1, Bound);
    const std::string Name = freshName(Task->Name);
    I.Calls.push_back({{drawKey(Site, All)}, {Name}});
    drawInstance(Name, Task, At, From.Level, Site.Args, From.Depth + 1, Bound);
  }

  /// The launch needs no instance of its own.
  bool canInherit(const Caller &From, const CallSite &Site) const {
    if (!Rules.hasDevice())
      return true;
    const Function &F = *Site.L->Callee;
    if (F.Kind == FunctionKind::Task || !canRun(F, From, Site, From.Level))
      return false;
    for (size_t N = 0; N < Site.Args.size(); ++N)
      if (F.Params[N].isTensor())
        if (const Memory *In = M.findMemory(Site.Args[N].Memory);
            In && !Rules.touches(From.Level, *In, F.Params[N].Access))
          return false;
    return true;
  }

  /// Some block sizes depend on the team, where one shares the blocks.
  void drawTeamBlocks() {
    const bool HasTeam =
        std::any_of(M.Processors.begin(), M.Processors.end(), [](const Processor &P) {
          return P.LoopSpread.Value == Processor::Spread::Team;
        });
    if (!HasTeam || R.chance(50))
      return;
    const std::shared_ptr<const Machine> Target(std::shared_ptr<void>(), &M);
    for (InstanceMapping &I : Map.Instances)
      for (auto &T : I.Tunables) {
        Extent &Size = T.Value.Value;
        if (Size.Full || R.chance(50))
          continue;
        Size.Step = R.between(1, Size.Value);
        Size.PerCore = R.chance(50) ? 1 : R.between(2, 4);
        Diagnostics Ignored;
        if (!planToAllocate(planToPlace(G, std::make_shared<Mapping>(Map), Target, Ignored),
                            Ignored))
          Size = {false, Size.Value};
      }
  }

public:
  MappingDraw(const TaskGraph &G, const Machine &M, Random &R) : G(G), M(M), Rules(M), R(R) {}

  Mapping draw(const std::string &Entry) {
    Map.Machine = LocatedName(M.Name.Value);
    FunctionRef F;
    for (const FunctionRef &Each : G.variants(Entry))
      if (Each->IsEntryCandidate && Each->Name == Entry)
        F = Each;
    if (!F)
      return Map;
    const std::string Name = R.chance(80) ? Entry : freshName(Entry);
    Map.Entrypoint = {Name};
    // Where the entry point has its arguments.
    const std::string Outside = reachableMemory(M, M.Memories.front().Name.Value);
    std::vector<TensorPlace> Args;
    for (const Parameter &P : F->Params)
      Args.push_back(P.isTensor()
                         ? TensorPlace{Outside, std::vector<ExtentBound>(P.Tensor->Rank), false}
                         : TensorPlace{});
    drawInstance(Name, F, {}, 0, Args, 0);
    drawTeamBlocks();
    return std::move(Map);
  }
};

} // namespace

std::string randomMapping(const TaskGraph &G, const Machine &M, const std::string &Entry,
                          Random &R) {
  return printMapping(MappingDraw(G, M, R).draw(Entry));
}

} // namespace septran::compiler
