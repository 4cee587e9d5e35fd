//===- MachineRules.cpp - where instances of a random mapping can be ------===//
#include "Verify/MachineRules.h"

#include "IR/Rewrite.h"
#include "Plan/Kernels.h"
#include "Plan/PrimitiveForm.h"
#include "Plan/Unify.h"

#include <algorithm>

namespace septran::compiler {

namespace {

std::optional<ScalarType> elementType(const Operand &O) {
  std::string_view Name = O.DType.Value;
  if (Name.starts_with("const "))
    Name.remove_prefix(6);
  return parseScalarType(Name);
}

using Kinds = std::multiset<std::pair<ScalarType, size_t>>; ///< element type and rank

Kinds kindsOf(const Function &Leaf) {
  Kinds Result;
  for (const Parameter &P : Leaf.Params)
    Result.insert(P.isTensor() ? std::pair<ScalarType, size_t>(P.Tensor->Element, P.Tensor->Rank)
                               : std::pair<ScalarType, size_t>(P.Scalar->Type, 0));
  return Result;
}

Kinds kindsOf(const Primitive &P) {
  Kinds Result;
  for (const Operand &O : P.Operands)
    if (std::optional<ScalarType> T = elementType(O))
      Result.insert({*T, O.Shape.size()});
  return Result;
}

} // namespace

std::vector<PrimitiveFit> fittingPrimitives(const Function &Leaf, const Machine &M) {
  std::vector<PrimitiveFit> Result;
  if (Leaf.Kind != FunctionKind::Leaf)
    return Result;
  const Kinds Wanted = kindsOf(Leaf);
  const TensorTable Tensors(Leaf.Body);
  for (const Primitive &P : M.Primitives) {
    if (kindsOf(P) != Wanted)
      continue;
    Diagnostics Ignored;
    const std::optional<PrimitiveForm> Prim = primitiveForm(P, Ignored);
    const std::variant<LeafForm, NoLeafForm> Body = leafForm(Leaf.Body, Tensors);
    const auto *Form = std::get_if<LeafForm>(&Body);
    if (!Prim || !Form)
      continue;
    const UnifyResult Unified = unify(*Form, *Prim);
    if (Unified.Matches.empty())
      continue;
    PrimitiveFit Fit{&P, {}};
    for (size_t I = 0; I < P.Operands.size(); ++I)
      if (const TensorRef &T = Unified.Matches.front().Operands[I].T)
        Fit.Memories[T] = P.Operands[I].Memory.Value;
    Result.push_back(std::move(Fit));
  }
  return Result;
}

bool isScattered(const View &V) {
  if (!V.Reshape.empty() || V.isWhole() || V.rank() == 0)
    return !V.Reshape.empty();
  const View E = explicitView(V);
  return E.Dims.back() != int(E.Base->Rank) - 1;
}

MachineRules::MachineRules(const Machine &M) : M(M), Device(M.Processors.size()) {
  if (std::optional<size_t> Depth = gridDepth(M)) {
    Device = *Depth;
    Grid = true;
    return;
  }
  for (size_t Depth = M.Processors.size(); Depth > 0; --Depth)
    if (!M.Processors[Depth - 1].Launch.Value.empty())
      Device = Depth - 1;
}

size_t MachineRules::ownerDepth(const Memory &In) const {
  return M.depthOf(In.Owner.Value).value_or(0);
}

bool MachineRules::isHostOnly(const Memory &In) const {
  return hasDevice() && !In.readableBy(M.Processors[Device].Name.Value);
}

bool MachineRules::spreads(size_t Level) const {
  const Processor::Spread S = M.Processors[Level].LoopSpread.Value;
  return S != Processor::Spread::Sequential && S != Processor::Spread::Lanes;
}

bool MachineRules::movesViews(const Launch &L) const {
  if (!M.hasScratchpads())
    return true;
  const bool Borders = std::any_of(M.Copies.begin(), M.Copies.end(),
                                   [](const Copy &C) { return !C.Border.Value.empty(); });
  return std::all_of(L.Args.begin(), L.Args.end(), [&](const Launch::Argument &A) {
    return !A.isTensor() || (!isScattered(A.Tensor) && (Borders || !A.Tensor.Fill));
  });
}

/// `Path`: the tasks that launch F, one the other. One that launches itself needs another end.
bool MachineRules::insideOnly(const TaskGraph &G, const Function &F,
                              std::set<const Function *> &Path) const {
  if (F.Kind != FunctionKind::Task)
    return F.Kind == FunctionKind::Leaf;
  if (!Path.insert(&F).second)
    return false;
  bool All = true;
  walkStmts(F.Body, [&](const Stmt &S) {
    const auto *L = S.getIf<Launch>();
    if (!L || !All)
      return;
    All = movesViews(*L);
    bool Any = insideOnly(G, *L->Callee, Path);
    for (const FunctionRef &V : G.variants(L->Callee->Family))
      Any = Any || (V->Family == L->Callee->Family && sameSignature(*V, *L->Callee) &&
                    insideOnly(G, *V, Path));
    All &= Any;
  });
  Path.erase(&F);
  return All;
}

bool MachineRules::runsInside(const TaskGraph &G, const Function &F) const {
  std::set<const Function *> Path;
  return insideOnly(G, F, Path);
}

bool MachineRules::touches(size_t Level, const Memory &In, Privilege P) const {
  const std::string &Name = M.Processors[Level].Name.Value;
  if ((reads(P) && !In.readableBy(Name)) || (writes(P) && !In.writableBy(Name)))
    return false;
  if (!hasDevice())
    return true;
  if (!onDevice(Level))
    return Grid ? isHostOnly(In) : In.Address.Value.empty();
  return Grid || (!M.Processors[Level].Engine.Value.empty() && !In.Read.Value.empty());
}

bool MachineRules::holds(size_t Site, const Memory &In, bool Bounded) const {
  if (!Grid)
    return true;
  if (!onDevice(Site))
    return ownerDepth(In) < Device;
  if (isHostOnly(In) || (Site > Device && !In.Registers))
    return false;
  return Bounded || ownerDepth(In) < Device;
}

bool MachineRules::copies(size_t Site, const Memory &From, const Memory &To, Privilege P,
                          const CopyForm &Form) const {
  if (!hasDevice())
    return true;
  if (Grid)
    return holds(Site, To, Form.IsBounded) &&
           (onDevice(Site) ? !isHostOnly(From)
                           : !Form.IsWindow && isHostOnly(From) != isHostOnly(To));
  // What is written may not be written wholly: then it is copied in, too.
  const Copy *In = M.findCopy(From.Name.Value, To.Name.Value);
  return In && !Form.IsScattered && !(Form.IsWindow && In->Border.Value.empty()) &&
         (!writes(P) || M.findCopy(To.Name.Value, From.Name.Value));
}

bool MachineRules::pipelines() const {
  return !Grid || std::any_of(M.Copies.begin(), M.Copies.end(),
                              [](const Copy &C) { return C.Async.Value; });
}

} // namespace septran::compiler
