//===- CudaVectorStores.cpp - elements that leave registers together ------===//
//
// Where the lowest digit of a divided loop is a register of the thread, each thread works on a few
// neighbours: two columns of a fragment, or four of a register tile. If the loop only computes and
// stores one element, they are computed one by one, into a vec, and stored at once where the host sees
// that addresses allow it; the kernel's other version stores them one by one.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"
#include "Emit/DropUnused.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/Distribute.h"

namespace septran::compiler {

/// The store that ends the body of F, if all before it are scalars of its own.
static const Store *onlyStore(const For &F) {
  const Store *Last = F.Body.empty() ? nullptr : F.Body.back().getIf<Store>();
  if (!Last)
    return nullptr;
  const DefinedSymbols Inside = definedIn(F.Body);
  for (size_t I = 0; I + 1 < F.Body.size(); ++I) {
    const auto *A = F.Body[I].getIf<Assign>();
    if (!F.Body[I].getIf<Let>() && !(A && Inside.Vars.count(A->V)))
      return nullptr;
  }
  for (const Expr &I : Last->Indices)
    if (mentionsAny(I, Inside))
      return nullptr;
  return Last;
}

std::optional<CudaEmitter::VectorStore> CudaEmitter::vectorStoreOf(const For &F) const {
  VectorStore V;
  V.Of = onlyStore(F);
  if (!V.Of || F.Parts.size() < 2 || F.Parts.front().isThread() || F.Parts.front().Size < 2 ||
      !isConstant(F.Lo, 0) || F.Step != 1 || !Sums.empty() || combinesThreads(F, Tensors) ||
      storageFor(V.Of->T).IsTile || (G.Free & ~threadBits(F.Parts)) || !G.Condition.empty())
    return std::nullopt;
  V.N = F.Parts.front().Size;
  const std::int64_t Bytes = V.N * byteSize(V.Of->T->Element);
  if (Bytes > 16 || (Bytes & (Bytes - 1)))
    return std::nullopt;
  std::optional<unsigned> Dim;
  for (unsigned D = 0; D < V.Of->Indices.size(); ++D) {
    const Expr I = simplify(cast(ScalarType::I64, V.Of->Indices[D]));
    if (!mentions(I, F.V))
      continue;
    if (Dim || I->Kind != ExprKind::Var)
      return std::nullopt;
    Dim = D;
  }
  if (!Dim || !holdsVectors(wholeView(V.Of->T), *Dim, V.N, V.Conditions))
    return std::nullopt;
  V.Dim = *Dim;
  return V;
}

/// Inside the loops over the other digits: First is the index of the first neighbour.
void CudaEmitter::emitVectorStore(const For &F, const VectorStore &V, const std::string &First,
                                  std::vector<std::string> Digits, bool Full) {
  const Store &St = *V.Of;
  const std::string Element(cxxName(St.T->Element)), Values = Names.fresh(St.T->Name + "_v"),
      R = Names.fresh(F.V->Name + "_r"), Index = Names.name(F.V), Hi = boundText(F.Hi);
  W.line("cuda::vec<" + Element + ", " + std::to_string(V.N) + "> " + Values + "{};");
  W.line("#pragma unroll");
  W.open("for (int " + R + " = 0; " + R + " < " + std::to_string(V.N) + "; ++" + R + ")");
  W.line(std::string(MaybeUnused) + "const std::ptrdiff_t " + Index + " = " + First + " + " + R + ";");
  if (!Full)
    W.open("if (" + Index + " < " + Hi + ")");
  Digits.push_back(R);
  Registers[F.V] = Digits;
  for (size_t I = 0; I + 1 < F.Body.size(); ++I)
    emitLeafStmt(F.Body[I]);
  Expr Value = St.Value;
  if (St.Op != UpdateOp::Set)
    Value = binary(*combiningOp(St.Op), load(St.T, St.Indices), Value);
  if (Value->Type != St.T->Element)
    Value = cast(St.T->Element, Value);
  W.line(Values + "[" + R + "] = " + text(Value) + ";");
  if (!Full)
    W.close();
  W.close();
  VarRef At = makeVar("first", ScalarType::I64, VarKind::Loop);
  Names.bind(At, First);
  std::vector<Expr> Indices = St.Indices;
  Indices[V.Dim] = varExpr(At);
  std::vector<Expr> Next = Indices;
  Next[V.Dim] = varExpr(At) + intLit(1);
  const Storage &To = storageFor(St.T);
  const std::string Stride = text(wide(To.offsetOf(Next) - To.offsetOf(Indices)));
  W.line("cuda::store_vector<" + std::string(V.Conditions.empty() ? "true" : "Vectors") + ">(&" +
         elementText(To, Indices) + ", " + Stride + ", " + Values +
         (Full ? "" : ", int(std::min<std::ptrdiff_t>(" + Hi + " - " + First + ", " +
                          std::to_string(V.N) + "))") +
         ");");
  VectorConditions.insert(V.Conditions.begin(), V.Conditions.end());
}

} // namespace septran::compiler
