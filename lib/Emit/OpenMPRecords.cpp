//===- OpenMPRecords.cpp - fields of records, which lanes access together -===//
//
// A field is picked out of the vectors that hold the records, and all fields that are stored fill
// such vectors. Where rows of a tensor are taken for records, the loop is in lanes if they are as
// long as those, and plain otherwise.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/LoopAnalysis.h"

#include <algorithm>

namespace septran::compiler {

std::shared_ptr<const Records> OpenMPEmitter::recordsOf(const For &InLanes) const {
  const std::vector<Access> Accesses = accessesOf(InLanes.Body);
  const bool OnTile = std::any_of(Accesses.begin(), Accesses.end(), [&](const Access &A) {
    return storageFor(A.T).IsTile && storageFor(A.T).LaneDim >= 0;
  });
  return std::make_shared<const Records>(InLanes.Body, InLanes.V, Tensors, !OnTile);
}

/// The record of the loop in lanes that an access is part of, if it lies in memory as one.
std::optional<Record> OpenMPEmitter::recordAt(const TensorRef &T,
                                              const std::vector<Expr> &Indices) const {
  const Storage &S = storageFor(T);
  std::optional<Record> R = Lanes->Fields->find(T, Indices);
  if (R && (!S.hasPlainRows() || (R->RowsOf >= 0 && !isConstant(S.Strides[R->RowsOf], R->Size))))
    return std::nullopt;
  return R;
}

std::string OpenMPEmitter::laneSet() const {
  return Lanes->Set.empty() ? "cpu::all_lanes<" + std::to_string(Lanes->Width) + ">()" : Lanes->Set;
}

/// Empty if the element is not one of a record that all fields may be read of.
std::string OpenMPEmitter::fieldLoadText(const TensorRef &T,
                                         const std::vector<Expr> &Indices) const {
  const std::optional<Record> R = recordAt(T, Indices);
  if (!R || !R->Whole)
    return "";
  return "cpu::load_field<" + std::to_string(R->Field) + ", " + std::to_string(R->Size) + ">(" +
         laneAddress(storageFor(T), R->First).Pointer + ", " + laneSet() + ")";
}

/// Keeps the value until all fields have theirs. False, and nothing, if there is no such group.
bool OpenMPEmitter::emitFieldStore(const Store &S, const std::string &Value) {
  const std::vector<const Store *> *Group = Lanes->Fields->storedWith(&S);
  const std::optional<Record> R = Group ? recordAt(S.T, S.Indices) : std::nullopt;
  if (!R || guardOf(S.Indices, false))
    return false;
  std::string &Name = Lanes->Waiting[&S];
  Name = Names.fresh(S.T->Name + "_f" + std::to_string(R->Field));
  W.line("const " + vectorType(laneType(S.T->Element), Lanes->Width) + " " + Name + " = " + Value +
         ";");
  std::string Fields;
  for (const Store *Each : *Group) {
    const auto Known = Lanes->Waiting.find(Each);
    if (Known == Lanes->Waiting.end())
      return true;
    Fields += ", " + Known->second;
  }
  W.line("cpu::store_fields(" + laneAddress(storageFor(S.T), R->First).Pointer + ", " + laneSet() +
         Fields + ");");
  return true;
}

/// F, a loop in lanes or one around it, for rows that are as long as records and for others. False,
/// and nothing, if there are no such rows, or their length is known here.
bool OpenMPEmitter::emitForRows(const For &F, const For &InLanes) {
  if (RowsAreKnown == &InLanes)
    return false;
  std::map<TensorRef, Storage> Saved;
  std::string Condition;
  const std::shared_ptr<const Records> Fields = recordsOf(InLanes);
  for (const RowsOfTensor &Row : Fields->rows()) {
    Storage &S = Stores.at(Row.T);
    if (!S.hasPlainRows() || constantValue(S.Strides[Row.Dim]))
      continue;
    Saved.emplace(Row.T, S);
    const std::string One = text(wide(S.Strides[Row.Dim])) + " == " + std::to_string(Row.Length);
    if (Condition.find(One) == std::string::npos)
      Condition += (Condition.empty() ? "" : " && ") + One;
    S.Strides[Row.Dim] = intLit(Row.Length);
  }
  if (Saved.empty())
    return false;
  W.open("if (" + Condition + ")");
  const For *Around = std::exchange(RowsAreKnown, &InLanes);
  emitLoop(F);
  RowsAreKnown = Around;
  for (auto &[T, S] : Saved)
    Stores[T] = std::move(S);
  W.close(" else {", true);
  Block Plain(1);
  Plain.front().Node = F;
  walkStmts(Plain, [](Stmt &S) {
    if (auto *Loop = S.getIf<For>(); Loop && Loop->Exec == LoopExec::Lanes) {
      Loop->Exec = LoopExec::Plain;
      Loop->Width = Loop->Accumulators = 1;
      Loop->SumsAround = 0;
    }
  });
  emitBlock(Plain);
  W.close();
  return true;
}

} // namespace septran::compiler
