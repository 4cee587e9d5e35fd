//===- InstanceSettings.cpp - some settings of one instance ---------------===//
#include "Verify/InstanceSettings.h"

#include "IR/Rewrite.h"
#include "Plan/Defaults.h"
#include "Plan/FullTunables.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>

namespace septran::compiler {

namespace {

bool canBeFull(const Function &F, const VarRef &V) {
  std::optional<FullUse> Leftover;
  applyFullTunables(F.Body, {V}, Leftover);
  return !Leftover;
}

bool isBounded(const std::vector<ExtentBound> &Bounds) {
  return std::all_of(Bounds.begin(), Bounds.end(),
                     [](const ExtentBound &B) { return B.has_value(); });
}

std::int64_t roundedUp(std::int64_t N, std::int64_t Unit) { return (N + Unit - 1) / Unit * Unit; }

} // namespace

CopyForm TensorPlace::form() const { return {IsWindow, IsScattered, isBounded(Bounds)}; }

SettingsDraw::SettingsDraw(const Function &F, const Machine &M, const MachineRules &Rules,
                           const InstancePlace &At, std::optional<PrimitiveFit> Bound, Random &R)
    : F(F), M(M), Rules(Rules), At(At), R(R), Bound(std::move(Bound)) {
  for (const Memory &Each : M.Memories)
    if (Each.Registers)
      RegistersLeft = Each.Registers->Value.Count;
  for (const Parameter &P : F.Params)
    if (P.isTensor())
      Tensors.push_back({P.Tensor, P.Access});
  walkStmts(F.Body, [&](const Stmt &S) {
    if (const auto *Owned = S.getIf<Local>()) {
      Tensors.push_back({Owned->T, Privilege::ReadWrite});
      LocalExtents[Owned->T] = Owned->Extents;
    }
    if (const auto *L = S.getIf<Launch>())
      for (const PrimitiveFit &Fit : fittingPrimitives(*L->Callee, M))
        for (const Operand &O : Fit.P->Operands)
          for (const auto &E : O.Shape)
            if (E.Value.Symbol.empty())
              PrimitiveExtents.push_back(E.Value.Value);
    if (const auto *Loop = S.getIf<For>()) {
      (Loop->Kind == LoopKind::Parallel ? HasParallel : HasSequential) = true;
      if (F.Kind == FunctionKind::Leaf)
        LeafLoops.push_back(Loop->V->Name);
    }
  });
}

std::string SettingsDraw::localMemory() const {
  InstanceInfo I;
  I.Proc = levelName();
  I.Depth = unsigned(At.Level);
  return defaultMemory(M, I);
}

//===--- tile sizes -------------------------------------------------------===//

Extent SettingsDraw::drawTile(const Tunable &T, bool Small) {
  if (R.chance(15) && canBeFull(F, T.V))
    return {true, 0};
  if (!PrimitiveExtents.empty() && R.chance(60))
    return {false, R.pick(PrimitiveExtents)};
  if (Small)
    return {false, R.pick<std::int64_t>({1, 2, 3, 4, 4, 5, 7, 8, 8, 16, 16})};
  if (R.chance(10))
    return {false, R.pick<std::int64_t>({1000, 4096, 100003})}; // larger than most extents
  if (R.chance(40))
    return {false, std::int64_t(1) << R.below(9)};
  return {false,
          R.pick<std::int64_t>({1, 1, 2, 3, 5, 6, 7, 9, 11, 12, 13, 17, 24, 31, 48, 61, 97})};
}

void SettingsDraw::drawTunables(InstanceMapping &I, KnownExtents &Known) {
  const bool Small = R.chance(At.Level + 1 >= M.Processors.size() ? 60 : 30);
  for (const Tunable &T : F.Tunables) {
    if (R.chance(85)) {
      const Extent Value = drawTile(T, Small);
      I.Tunables.Entries.push_back({{T.V->Name}, {Value}});
      if (!Value.Full)
        Known.setValue(T.V, Value.Value);
    } else if (ExtentBound Default = T.Default ? constantValue(T.Default) : ExtentBound()) {
      Known.setValue(T.V, *Default);
    }
  }
  for (const auto &T : I.Tunables)
    if (!T.Value.Value.Full && R.chance(3))
      I.Constraints.push_back({T.Name.Value + " >= 1"});
}

//===--- memories ---------------------------------------------------------===//

/// Registers of a kernel's threads have no addresses: nothing takes a part of what lies there, and
/// leaves walk it with plain loop variables.
bool SettingsDraw::wholeInRegisters(const TensorRef &T) const {
  bool Whole = true;
  walkStmts(F.Body, [&](const Stmt &S) {
    forEachView(S, [&](const View &V) { Whole &= V.Base != T || V.isWhole(); });
  });
  for (const Access &A : accessesOf(F.Body))
    for (const Expr &Index : A.Indices)
      Whole &= A.T != T || Index->Kind == ExprKind::Var;
  return Whole;
}

/// Where the mapping can place the tensor: the level reaches it, or can copy it there. Outside: null
/// for a local.
std::vector<const Memory *> SettingsDraw::choices(const TensorRef &T, Privilege P,
                                                  const TensorPlace *Outside,
                                                  const std::vector<ExtentBound> &Bounds) const {
  const Memory *From = Outside ? M.findMemory(Outside->Memory) : nullptr;
  std::vector<const Memory *> Result;
  for (const Memory &Each : M.Memories) {
    if ((reads(P) && !Each.readableBy(levelName())) || (writes(P) && !Each.writableBy(levelName())))
      continue;
    if (F.Kind != FunctionKind::Task && !Bound && !Rules.touches(At.Level, Each, P))
      continue;
    const bool Stays = From == &Each && !Outside->IsWindow;
    if (From ? !Stays && !Rules.copies(At.Site, *From, Each, P, Outside->form())
             : !Rules.holds(At.Level, Each, isBounded(Bounds)))
      continue;
    if (Rules.runsKernels() && Each.Registers && !Stays &&
        !(wholeInRegisters(T) && (!From || At.Site == At.Level)))
      continue;
    Result.push_back(&Each);
  }
  return Result;
}

bool SettingsDraw::fits(const Memory &In, const Tensor &T, const std::vector<ExtentBound> &Bounds) {
  if (!In.Capacity)
    return true;
  if (!isBounded(Bounds))
    return !In.Registers; // the other memories are measured at run time
  const std::int64_t Bytes = byteSize(T.Element);
  std::int64_t Size = Bytes;
  for (size_t D = 0; D < Bounds.size(); ++D) {
    std::int64_t Extent = std::max<std::int64_t>(*Bounds[D], 1);
    if (In.Registers && D + 1 == Bounds.size())
      Extent = roundedUp(Extent, std::max<std::int64_t>(1, In.Registers->Value.Bytes / Bytes));
    if (Extent > In.Capacity->Value / Size)
      return false;
    Size *= Extent;
  }
  if (!In.Registers)
    return true;
  const std::int64_t Count = Size / In.Registers->Value.Bytes;
  if (Count > RegistersLeft)
    return false;
  RegistersLeft -= Count;
  return true;
}

const Memory *SettingsDraw::drawMemory(const TensorRef &T, Privilege P,
                                       const std::vector<ExtentBound> &Bounds,
                                       const TensorPlace *Outside) {
  std::vector<const Memory *> Choice = choices(T, P, Outside, Bounds);
  R.shuffle(Choice);
  // Registers are rarely possible, so they go first where they are.
  const bool RegistersFirst = writes(P) && R.chance(Rules.runsKernels() ? 35 : 70);
  for (const Memory *Each : Choice)
    if (RegistersFirst && Each->Registers && fits(*Each, *T, Bounds))
      return Each;
  for (const Memory *Each : Choice)
    if ((Outside && Each->Name.Value == Outside->Memory) || fits(*Each, *T, Bounds))
      return Each;
  return nullptr;
}

/// A layout makes a copy, also within one memory.
bool SettingsDraw::canBeLaidOut(const InstanceMapping &I, const TensorRef &T, Privilege P,
                                const TensorPlace *Outside) const {
  const Memory *From = Outside ? M.findMemory(Outside->Memory) : nullptr;
  const std::string *Chosen = I.Mems.find(T->Name);
  const Memory *To = Chosen ? M.findMemory(*Chosen) : From;
  return !From || !To || Rules.copies(At.Site, *From, *To, P, Outside->form());
}

void SettingsDraw::drawMemories(InstanceMapping &I, const std::vector<TensorPlace> &Args,
                                const KnownExtents &Known) {
  const unsigned Busy = R.pick<unsigned>({10, 30, 60});
  std::map<TensorRef, const TensorPlace *> Outside;
  for (size_t N = 0; N < Args.size(); ++N)
    if (F.Params[N].isTensor())
      Outside[F.Params[N].Tensor] = &Args[N];
  for (const auto &[T, Access] : Tensors) {
    auto It = Outside.find(T);
    const TensorPlace *From = It == Outside.end() ? nullptr : It->second;
    std::vector<ExtentBound> Bounds;
    if (From)
      Bounds = From->Bounds;
    else
      for (const Expr &E : LocalExtents[T])
        Bounds.push_back(Known.bound(E));
    bool Copied = !From || From->IsWindow;
    if (From && From->IsWindow && F.Kind != FunctionKind::Task && !Bound && !Rules.hasDevice() &&
        R.chance(50)) {
      (R.chance(50) ? I.Clip : I.InPlace).push_back({T->Name});
      continue;
    }
    if (Bound) {
      auto Operand = Bound->Memories.find(T);
      if (Operand != Bound->Memories.end() && !Operand->second.empty()) {
        if (!From || From->Memory != Operand->second || R.chance(20))
          I.Mems.Entries.push_back({{T->Name}, {Operand->second}});
        continue;
      }
    }
    // Where it is now, the instance may have no use for it.
    const bool Materialised = !From || (From->IsWindow && !Rules.runsKernels());
    const std::string Inherited = Materialised ? localMemory() : From->Memory;
    const std::vector<const Memory *> Choice = choices(T, Access, From, Bounds);
    const bool CanStay = !Rules.hasDevice() ||
                         std::any_of(Choice.begin(), Choice.end(), [&](const Memory *Each) {
                           return Each->Name.Value == Inherited && fits(*Each, *T, Bounds);
                         });
    if (!CanStay || R.chance(Busy)) {
      if (const Memory *In = drawMemory(T, Access, Bounds, From)) {
        I.Mems.Entries.push_back({{T->Name}, {In->Name.Value}});
        Copied |= !From || In->Name.Value != Inherited;
        if (In->Registers)
          continue; // a layout is chosen with the lanes
      }
    } else if (!Copied && R.chance(5)) {
      I.Mems.Entries.push_back({{T->Name}, {NoMemory}});
      continue;
    }
    if (T->Rank > 0 && R.chance(Copied ? 25 : 4) && canBeLaidOut(I, T, Access, From))
      I.Layouts.Entries.push_back({{T->Name}, {drawLayout(T->Rank, I)}});
    if (From && R.chance(Copied ? 30 : 3))
      I.Resident.push_back({T->Name});
  }
}

Layout SettingsDraw::drawLayout(unsigned Rank, const InstanceMapping &I) {
  if (R.chance(35))
    return {Layout::Kind::Row, {}};
  // Machines with copies of their own move rows.
  if (R.chance(M.hasScratchpads() ? 5 : 35))
    return {Layout::Kind::Column, {}};
  if (R.chance(25))
    return {Layout::Kind::Packed, {}};
  if (R.chance(75))
    return {Layout::Kind::Pad, {R.between(1, 17)}};
  // Panels suit blocks of their own width.
  std::int64_t Width = std::int64_t(1) << R.below(6);
  if (!I.Tunables.empty() && R.chance(70)) {
    const Extent &Tile = I.Tunables.Entries[R.below(I.Tunables.size())].Value.Value;
    if (!Tile.Full)
      Width = std::min<std::int64_t>(Tile.Value, 1024);
  }
  return {Layout::Kind::Panels, {std::int64_t(R.below(Rank)), Width}};
}

//===--- loops ------------------------------------------------------------===//

/// Kernels have a power of two of them, and whole warps.
std::int64_t SettingsDraw::drawThreads() {
  const std::int64_t *Least = M.Limits.find("warp_threads"),
                     *Most = M.Limits.find("max_threads_per_block");
  if (!Rules.runsKernels())
    return R.between(1, 4);
  std::vector<std::int64_t> Fitting;
  for (std::int64_t N = Least ? *Least : 1; N <= (Most ? *Most : 1024); N *= 2)
    Fitting.push_back(N);
  return R.pick(Fitting);
}

void SettingsDraw::drawLoops(InstanceMapping &I) {
  if (HasSequential && Rules.pipelines() && R.chance(20))
    I.Pipeline = {R.between(1, 4)};
  if (!Tensors.empty() && R.chance(12)) {
    constexpr std::int64_t Most = 3; // one more stands for `start`
    const std::int64_t Drawn = R.between(0, Most + 1);
    const PrefetchDistance Ahead =
        Drawn > Most ? PrefetchDistance{0, {}, true} : PrefetchDistance{Drawn, {}};
    I.Prefetch.Entries.push_back({{R.pick(Tensors).first->Name}, {Ahead}});
  }
  if (!HasParallel)
    return;
  if (R.chance(30)) {
    Order O{R.pick({Order::Kind::Row, Order::Kind::Column, Order::Kind::Column,
                    Order::Kind::Grouped, Order::Kind::Grouped}),
            0};
    if (O.K == Order::Kind::Grouped)
      O.Group = R.between(1, 5);
    I.Order = O;
  }
  if (!R.chance(40))
    return;
  Parallelize P;
  P.Enabled = R.chance(80);
  if (P.Enabled) {
    using Schedule = Parallelize::Schedule;
    if (R.chance(60))
      P.Kind = R.pick({Schedule::Static, Schedule::Dynamic, Schedule::Guided});
    if (R.chance(40))
      P.Chunk = {R.between(1, 5)};
    if (R.chance(30))
      P.Threads = {drawThreads()};
    if (R.chance(30))
      P.Collapse = {R.between(1, 3)};
  }
  I.Parallelize = P;
}

void SettingsDraw::drawLeaf(InstanceMapping &I) {
  if (R.chance(30)) {
    Vectorize V;
    V.Enabled = R.chance(60);
    if (V.Enabled && R.chance(70))
      V.Width = {std::int64_t(1) << R.below(6)};
    if (V.Enabled && !LeafLoops.empty() && R.chance(30))
      V.Loop = LocatedName(R.pick(LeafLoops));
    I.Vectorize = V;
  }
  if (!LeafLoops.empty() && !Bound && R.chance(10)) {
    const Extent Count = R.chance(3) ? Extent{true, 0} : Extent{false, R.between(1, 8)};
    Unroll U;
    if (R.chance(50))
      U.Innermost = {Count};
    else
      U.Loops.Entries.push_back({{R.pick(LeafLoops)}, {Count}});
    I.Unroll = U;
  }
  // Whether anything is summed in lanes is known to the compiler only.
  if (!LeafLoops.empty() && !Bound && M.Language.Value == OutputLanguage::Cxx && R.chance(6))
    I.Accumulators = {R.between(1, 6)};
  if (!Tensors.empty() && !Bound && M.Language.Value == OutputLanguage::Cxx && R.chance(10)) {
    PrefetchDistance Ahead{R.between(0, 20), {}};
    if (!LeafLoops.empty() && R.chance(50))
      Ahead.Loop = LocatedName(R.pick(LeafLoops));
    I.Prefetch.Entries.push_back({{R.pick(Tensors).first->Name}, {Ahead}});
  }
  if (!Bound && M.Language.Value == OutputLanguage::Cxx && R.chance(10))
    for (const auto &[T, Access] : Tensors)
      if (writes(Access) && R.chance(60))
        I.Stores.Entries.push_back(
            {{T->Name}, {R.chance(80) ? StoreKind::Streaming : StoreKind::BySize}});
}

/// Structure of GPU code, which CPU machines refuse.
void SettingsDraw::drawDevice(InstanceMapping &I) {
  if (M.Language.Value == OutputLanguage::Cxx || !R.chance(40))
    return;
  switch (R.below(6)) {
  case 0:
    I.Persistent = {R.chance(50)};
    break;
  case 1:
    I.Cluster = {{R.between(1, 2)}, {R.between(1, 2)}};
    break;
  case 2:
    if (!Tensors.empty())
      I.Multicast = {{R.pick(Tensors).first->Name}};
    break;
  case 3:
    I.Warpspecialize = {WarpSpecialize{true, {}, Located<std::int64_t>{R.between(1, 4)}}};
    break;
  case 4:
    I.Registers = {Registers{Located<std::int64_t>{R.between(32, 255)}, {}}};
    break;
  default:
    I.Schedule = {{"pingpong"}};
    break;
  }
}

void SettingsDraw::drawBinding(InstanceMapping &I, const std::vector<TensorPlace> &Args) {
  if (Bound || !R.chance(60))
    return;
  Bound = drawPrimitive(F, M, Rules, At, Args, R);
  if (Bound)
    I.Binding = Bound->P->Name.Value;
}

void SettingsDraw::drawStructure(InstanceMapping &I) {
  if (F.Kind == FunctionKind::Task)
    drawLoops(I);
  else
    drawLeaf(I);
  drawDevice(I);
}

//===--- bindings ---------------------------------------------------------===//

std::optional<PrimitiveFit> drawPrimitive(const Function &Leaf, const Machine &M,
                                          const MachineRules &Rules, const InstancePlace &At,
                                          const std::vector<TensorPlace> &Args, Random &R) {
  std::vector<PrimitiveFit> Fitting = fittingPrimitives(Leaf, M);
  std::erase_if(Fitting, [&](const PrimitiveFit &Fit) {
    if (M.depthOf(Fit.P->Processor.Value).value_or(0) < At.Level)
      return true;
    for (size_t N = 0; N < Args.size(); ++N) {
      auto Operand = Fit.Memories.find(Leaf.Params[N].Tensor);
      if (!Leaf.Params[N].isTensor() || Operand == Fit.Memories.end())
        continue;
      const Memory *From = M.findMemory(Args[N].Memory),
                   *To = Operand->second.empty() ? From : M.findMemory(Operand->second);
      if (From && To && (From != To || Args[N].IsWindow) &&
          !Rules.copies(At.Site, *From, *To, Leaf.Params[N].Access, Args[N].form()))
        return true;
    }
    return false;
  });
  return Fitting.empty() ? std::nullopt : std::optional(R.pick(Fitting));
}

} // namespace septran::compiler
