//===- InstanceSettings.cpp - some settings of one instance ---------------===//
#include "Verify/InstanceSettings.h"

#include "IR/Rewrite.h"
#include "Plan/Defaults.h"
#include "Plan/FullTunables.h"

#include <algorithm>

namespace septran::compiler {

namespace {

bool canBeFull(const Function &F, const VarRef &V) {
  std::optional<FullUse> Leftover;
  applyFullTunables(F.Body, {V}, Leftover);
  return !Leftover;
}

std::optional<ScalarType> elementType(const Operand &O) {
  std::string_view Name = O.DType.Value;
  if (Name.starts_with("const "))
    Name.remove_prefix(6);
  return parseScalarType(Name);
}

/// Primitives whose operands have the element types of the leaf's parameters.
std::vector<const Primitive *> suitablePrimitives(const Function &Leaf, const Machine &M) {
  std::vector<const Primitive *> Result;
  if (Leaf.Kind != FunctionKind::Leaf)
    return Result;
  std::vector<ScalarType> Wanted;
  for (const Parameter &P : Leaf.Params)
    Wanted.push_back(P.isTensor() ? P.Tensor->Element : P.Scalar->Type);
  std::sort(Wanted.begin(), Wanted.end());
  for (const Primitive &P : M.Primitives) {
    std::vector<ScalarType> Types;
    for (const Operand &O : P.Operands)
      if (std::optional<ScalarType> T = elementType(O))
        Types.push_back(*T);
    std::sort(Types.begin(), Types.end());
    if (Types == Wanted)
      Result.push_back(&P);
  }
  return Result;
}

std::int64_t roundedUp(std::int64_t N, std::int64_t Unit) { return (N + Unit - 1) / Unit * Unit; }

} // namespace

SettingsDraw::SettingsDraw(const Function &F, const Machine &M, size_t Level,
                           const Primitive *Bound, Random &R)
    : F(F), M(M), Level(Level), R(R), Bound(Bound) {
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
      for (const Primitive *P : suitablePrimitives(*L->Callee, M))
        for (const Operand &O : P->Operands)
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
  I.Depth = unsigned(Level);
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
  const bool Small = R.chance(Level + 1 >= M.Processors.size() ? 60 : 30);
  for (const Tunable &T : F.Tunables) {
    if (R.chance(85)) {
      const Extent Value = drawTile(T, Small);
      I.Tunables.Entries.push_back({{T.V->Name}, {Value}});
      if (!Value.Full)
        Known.setValue(T.V, Value.Value);
    } else if (ExtentBound Default = constantValue(T.Default)) {
      Known.setValue(T.V, *Default);
    }
  }
  for (const auto &T : I.Tunables)
    if (!T.Value.Value.Full && R.chance(3))
      I.Constraints.push_back({T.Name.Value + " >= 1"});
}

//===--- memories ---------------------------------------------------------===//

std::vector<const Memory *> SettingsDraw::reachable(Privilege P) const {
  std::vector<const Memory *> Result;
  for (const Memory &Each : M.Memories)
    if ((!reads(P) || Each.readableBy(levelName())) && (!writes(P) || Each.writableBy(levelName())))
      Result.push_back(&Each);
  return Result;
}

bool SettingsDraw::fits(const Memory &In, const Tensor &T, const std::vector<ExtentBound> &Bounds) {
  if (!In.Capacity)
    return true;
  const bool Known =
      std::all_of(Bounds.begin(), Bounds.end(), [](const ExtentBound &B) { return B.has_value(); });
  if (!Known)
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

/// What the bound primitive takes for the argument: the operand of its element type at its place
/// among those of that type.
const Operand *SettingsDraw::operandFor(const Tensor &T) const {
  if (!Bound)
    return nullptr;
  size_t Place = 0;
  for (const auto &[Each, Access] : Tensors) {
    if (Each.get() == &T)
      break;
    Place += Each->Element == T.Element;
  }
  for (const Operand &O : Bound->Operands)
    if (!O.Shape.empty() && elementType(O) == T.Element && Place-- == 0)
      return &O;
  return nullptr;
}

const Memory *SettingsDraw::drawMemory(const Tensor &T, Privilege P,
                                       const std::vector<ExtentBound> &Bounds,
                                       const std::string &Inherited) {
  std::vector<const Memory *> Choice = reachable(P);
  R.shuffle(Choice);
  // Registers are rarely possible, so they go first where they are.
  const bool RegistersFirst = writes(P) && R.chance(70);
  for (const Memory *Each : Choice)
    if (RegistersFirst && Each->Registers && fits(*Each, T, Bounds))
      return Each;
  for (const Memory *Each : Choice)
    if (Each->Name.Value == Inherited || fits(*Each, T, Bounds))
      return Each;
  return nullptr;
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
    std::vector<ExtentBound> Bounds;
    if (It != Outside.end())
      Bounds = It->second->Bounds;
    else
      for (const Expr &E : LocalExtents[T])
        Bounds.push_back(Known.bound(E));
    bool Copied = It == Outside.end() || It->second->IsWindow;
    if (const Operand *O = operandFor(*T)) {
      if (!O->Memory.Value.empty())
        I.Mems.Entries.push_back({{T->Name}, {O->Memory.Value}});
      continue;
    }
    if (R.chance(Busy)) {
      const std::string Inherited = It == Outside.end() ? "" : It->second->Memory;
      if (const Memory *In = drawMemory(*T, Access, Bounds, Inherited)) {
        I.Mems.Entries.push_back({{T->Name}, {In->Name.Value}});
        Copied |= In->Name.Value != Inherited;
        if (In->Registers)
          continue; // a layout is chosen with the lanes
      }
    } else if (!Copied && R.chance(5)) {
      I.Mems.Entries.push_back({{T->Name}, {NoMemory}});
      continue;
    }
    if (T->Rank > 0 && R.chance(Copied ? 25 : 4))
      I.Layouts.Entries.push_back({{T->Name}, {drawLayout(T->Rank, I)}});
    if (It != Outside.end() && R.chance(Copied ? 30 : 3))
      I.Resident.push_back({T->Name});
  }
}

Layout SettingsDraw::drawLayout(unsigned Rank, const InstanceMapping &I) {
  if (R.chance(35))
    return {Layout::Kind::Row, {}};
  if (R.chance(35))
    return {Layout::Kind::Column, {}};
  if (R.chance(25))
    return {Layout::Kind::Packed, {}};
  if (R.chance(60))
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

void SettingsDraw::drawLoops(InstanceMapping &I) {
  if (HasSequential && R.chance(20))
    I.Pipeline = {R.between(1, 4)};
  if (!Tensors.empty() && R.chance(12))
    I.Prefetch.Entries.push_back({{R.pick(Tensors).first->Name}, {R.between(0, 4)}});
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
      P.Threads = {R.between(1, 4)};
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
  if (R.chance(10)) {
    const Extent Count = R.chance(20) ? Extent{true, 0} : Extent{false, R.between(1, 8)};
    Unroll U;
    if (LeafLoops.empty() || R.chance(50))
      U.Innermost = {Count};
    else
      U.Loops.Entries.push_back({{R.pick(LeafLoops)}, {Count}});
    I.Unroll = U;
  }
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

void SettingsDraw::drawBinding(InstanceMapping &I) {
  if (Bound || !R.chance(50))
    return;
  const Primitive *P = drawPrimitive(F, M, Level, R);
  if (!P || P->Processor.Value != levelName())
    return;
  Bound = P;
  I.Binding = P->Name.Value;
}

void SettingsDraw::drawStructure(InstanceMapping &I) {
  if (F.Kind == FunctionKind::Task)
    drawLoops(I);
  else
    drawLeaf(I);
  drawDevice(I);
}

//===--- bindings ---------------------------------------------------------===//

const Primitive *drawPrimitive(const Function &Leaf, const Machine &M, size_t Level, Random &R) {
  std::vector<const Primitive *> Fitting = suitablePrimitives(Leaf, M);
  std::erase_if(Fitting, [&](const Primitive *P) {
    return M.depthOf(P->Processor.Value).value_or(0) < Level;
  });
  return Fitting.empty() ? nullptr : R.pick(Fitting);
}

} // namespace septran::compiler
