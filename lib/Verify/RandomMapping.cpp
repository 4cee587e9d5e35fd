//===- RandomMapping.cpp - some mapping of a program ----------------------===//
#include "Verify/RandomMapping.h"

#include "IR/Rewrite.h"
#include "Mapping/Mapping.h"
#include "Plan/FullTunables.h"
#include "Verify/InstanceSettings.h"
#include "Verify/KnownExtents.h"

#include <algorithm>
#include <map>
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
};

class MappingDraw {
  const TaskGraph &G;
  const Machine &M;
  Random &R;
  Mapping Map;
  std::set<std::string> Names; ///< of instances

  std::string freshName(const std::string &Task) {
    std::string Name = Task + "_1";
    for (unsigned N = 2; Names.count(Name) || !G.variants(Name).empty(); ++N)
      Name = Task + "_" + std::to_string(N);
    return Name;
  }

  /// What stands for a launch of `Callee`: itself or another variant, near the depth limit one that
  /// ends the recursion.
  FunctionRef drawVariant(const FunctionRef &Callee, unsigned Depth) {
    std::vector<FunctionRef> All, Ending;
    for (const FunctionRef &F : G.variants(Callee->Family)) {
      if (F->Family != Callee->Family || !sameSignature(*F, *Callee))
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

  size_t drawLevel(const Function &F, size_t Caller) {
    const size_t Last = M.Processors.size() - 1;
    if (Caller >= Last)
      return Last;
    // Leaves are where the innermost level is meant to work.
    if (F.Kind != FunctionKind::Task && R.chance(40))
      return Last;
    return R.chance(45) ? Caller : R.chance(80) ? Caller + 1 : size_t(R.between(Caller, Last));
  }

  /// The launches of a task in textual order, with what is known about their arguments.
  std::vector<CallSite> callSites(const Function &F, KnownExtents &Known,
                                  std::map<TensorRef, TensorPlace> &Places,
                                  const std::string &LocalMemory,
                                  const NamedList<std::string> &Mems) {
    std::vector<CallSite> Sites;
    auto PlaceOf = [&](const View &V) {
      TensorPlace P{Places[V.Base].Memory, Known.bounds(V), V.Fill || Places[V.Base].IsWindow};
      return P;
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
        CallSite Site{L, {}};
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

  size_t levelOf(const FunctionRef &F, size_t CallerLevel, unsigned Depth, const Primitive *Bound) {
    if (Depth == 0)
      return 0; // the entry point is called from outside
    return Bound ? *M.depthOf(Bound->Processor.Value) : drawLevel(*F, CallerLevel);
  }

  void drawInstance(const std::string &Name, const FunctionRef &F, size_t CallerLevel,
                    const std::vector<TensorPlace> &Args, unsigned Depth,
                    const Primitive *Bound = nullptr) {
    const size_t Slot = Map.Instances.size();
    Map.Instances.emplace_back();
    Names.insert(Name);
    InstanceMapping I;
    I.Name = {Name};
    I.TaskName = {F->Name};
    const size_t Level = levelOf(F, CallerLevel, Depth, Bound);
    if (Level != CallerLevel || R.chance(50))
      I.Proc = M.Processors[Level].Name.Value;

    KnownExtents Known;
    SettingsDraw Settings(*F, M, Level, Bound, R);
    Settings.drawBinding(I);
    Settings.drawTunables(I, Known);
    std::map<TensorRef, TensorPlace> Places;
    for (size_t N = 0; N < Args.size(); ++N)
      if (F->Params[N].isTensor())
        Known.setBounds(F->Params[N].Tensor, Args[N].Bounds);
    Settings.drawMemories(I, Args, Known);
    for (size_t N = 0; N < Args.size(); ++N)
      if (F->Params[N].isTensor()) {
        TensorPlace P = Args[N];
        const std::string *Memory = I.Mems.find(F->Params[N].Name);
        if (Memory && *Memory != NoMemory)
          P = {*Memory, Args[N].Bounds, false};
        Places[F->Params[N].Tensor] = P;
      }
    Settings.drawStructure(I);
    const std::vector<CallSite> Sites =
        callSites(*F, Known, Places, Settings.localMemory(), I.Mems);
    for (const CallSite &Site : Sites)
      drawLaunch(I, Site, Sites, Level, Depth);
    Map.Instances[Slot] = std::move(I);
  }

  void drawLaunch(InstanceMapping &I, const CallSite &Site, const std::vector<CallSite> &All,
                  size_t Level, unsigned Depth) {
    const FunctionRef &Callee = Site.L->Callee;
    if (I.findCall(Callee->Name, Site.L->Site))
      return; // a key that names all launches of it
    const Primitive *Bound = R.chance(20) ? drawPrimitive(*Callee, M, Level, R) : nullptr;
    if (Bound)
      I.LeafTaskBindings.Entries.push_back({{Callee->Name}, {Bound->Name.Value}});
    else if (R.chance(15))
      return; // it inherits everything
    const FunctionRef Task = Bound ? Callee : drawVariant(Callee, Depth);
    if (!Names.count(Callee->Name) && R.chance(10)) // found by its name
      return drawInstance(Callee->Name, Task, Level, Site.Args, Depth + 1, Bound);
    const std::string Name = freshName(Task->Name);
    I.Calls.push_back({{drawKey(Site, All)}, {Name}});
    drawInstance(Name, Task, Level, Site.Args, Depth + 1, Bound);
  }

public:
  MappingDraw(const TaskGraph &G, const Machine &M, Random &R) : G(G), M(M), R(R) {}

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
    std::vector<TensorPlace> Args;
    for (const Parameter &P : F->Params)
      Args.push_back(P.isTensor() ? TensorPlace{M.Memories.front().Name.Value,
                                                std::vector<ExtentBound>(P.Tensor->Rank), false}
                                  : TensorPlace{});
    drawInstance(Name, F, 0, Args, 0);
    return std::move(Map);
  }
};

} // namespace

std::string randomMapping(const TaskGraph &G, const Machine &M, const std::string &Entry,
                          Random &R) {
  return printMapping(MappingDraw(G, M, R).draw(Entry));
}

} // namespace septran::compiler
