//===- CudaFragments.cpp - matrix instructions and their registers --------===//
//
// A tensor that matrix instructions work on is an array of fragments: an index per digit that counts
// tiles, and inside what an instruction takes, `float[4]` or, where elements share registers,
// `packed<float16, 8>`. Element code indexes both with the digits of its loops, which are constants
// after unrolling.
//
//===----------------------------------------------------------------------===//
#include "Emit/CudaEmitter.h"
#include "IR/Affine.h"
#include "Plan/Kernels.h"
#include "Support/Template.h"

#include <algorithm>

namespace septran::compiler {

bool CudaEmitter::isFragment(const TensorRef &T) const {
  auto It = Parts.find(Tensors.root(T));
  return It != Parts.end() && std::any_of(It->second.begin(), It->second.end(), [](const Digits &D) {
           return std::any_of(D.begin(), D.end(), [](const Digit &Part) { return Part.Register; });
         });
}

bool CudaEmitter::isPacked(const TensorRef &T) const {
  return isFragment(T) && byteSize(T->Element) < 4;
}

void CudaEmitter::emitFragmentAlloc(const Alloc &A, const Storage &S, const std::string &Note) {
  const std::string Element(cxxName(A.T->Element)), Size = std::to_string(fragmentSize(A.Parts));
  std::string Tiles;
  for (const Digits &D : A.Parts)
    for (size_t I = D.size(); I > 0; --I)
      if (!D[I - 1].isThread() && !D[I - 1].Register)
        Tiles += "[" + std::to_string(D[I - 1].Size) + "]";
  // Copies write all of it.
  const std::string Zero = A.Padded && Stored.count(A.T) ? " = {};" : ";";
  W.line((isPacked(A.T) ? "cuda::packed<" + Element + ", " + Size + "> " + S.Name + Tiles
                        : Element + " " + S.Name + Tiles + "[" + Size + "]") +
         Zero + Note);
}

namespace {

/// `a + b * 2`, or `0`.
std::string sumText(const std::vector<std::pair<std::string, std::int64_t>> &Terms) {
  std::string Text;
  for (const auto &[Name, Factor] : Terms)
    Text += (Text.empty() ? "" : " + ") + Name + (Factor == 1 ? "" : " * " + std::to_string(Factor));
  return Text.empty() ? "0" : Text;
}

} // namespace

/// `acc[i][j]`, and which of its registers.
std::pair<std::string, std::string>
CudaEmitter::fragmentPlace(const Storage &S, const TensorRef &T,
                           const std::vector<Expr> &Indices) const {
  std::string Text = S.Name;
  std::vector<std::pair<std::string, std::int64_t>> Registers;
  const std::vector<Digits> &Of = Parts.at(T);
  for (size_t Dim = 0; Dim < Indices.size(); ++Dim) {
    const Expr I = simplify(cast(ScalarType::I64, Indices[Dim]));
    auto Walked = I->Kind == ExprKind::Var ? this->Registers.find(I->V) : this->Registers.end();
    std::vector<std::string> Names; // of register digits, outermost first
    if (Walked != this->Registers.end())
      Names = Walked->second;
    size_t Next = 0;
    for (size_t D = Of[Dim].size(); D > 0; --D) {
      const Digit &Part = Of[Dim][D - 1];
      if (Part.isThread() || (Next >= Names.size() && !Names.empty()))
        continue;
      const std::string Name = Names.empty() ? text(I) : Names[Next++];
      if (Part.Register)
        Registers.emplace_back(Name, Part.Register);
      else
        Text += "[" + Name + "]";
    }
  }
  return {Text, sumText(Registers)};
}

std::string CudaEmitter::fragmentText(const Storage &S, const TensorRef &T,
                                      const std::vector<Expr> &Indices) const {
  return fragmentPlace(S, T, Indices).first;
}

std::string CudaEmitter::fragmentElement(const Storage &S, const TensorRef &T,
                                         const std::vector<Expr> &Indices) const {
  const auto [Text, Register] = fragmentPlace(S, T, Indices);
  return Text + (isPacked(T) ? ".get(" + Register + ")" : "[" + Register + "]");
}

std::string CudaEmitter::packedUpdate(const Store &St) const {
  const auto [Text, Register] = fragmentPlace(storageFor(St.T), St.T, St.Indices);
  Expr Value = St.Value;
  if (St.Op != UpdateOp::Set)
    Value = binary(*combiningOp(St.Op), load(St.T, St.Indices), Value);
  if (Value->Type != St.T->Element)
    Value = cast(St.T->Element, Value);
  return Text + ".set(" + Register + ", " + text(Value) + ");";
}

void CudaEmitter::emitPrimitiveCall(const PrimitiveCall &C, const Location &Loc) {
  const Primitive &Prim = *P.Target->findPrimitive(C.Primitive);
  std::map<std::string, std::string> Values;
  for (const PrimitiveCall::Operand &O : C.Operands) {
    if (!O.isTensor()) {
      Values[O.Name] = text(O.Scalar);
      continue;
    }
    const Storage &S = storageFor(O.Tensor.Base);
    if (!S.IsTile || !isFragment(O.Tensor.Base) || !G.Condition.empty()) {
      reportInKernel(Loc, "primitive '" + C.Primitive + "' on '" + O.Tensor.Base->Name + "'",
                     "operands that are fragments of all threads", D);
      return;
    }
    std::vector<Expr> Tile;
    for (const Slice &Sl : O.Tensor.Slices)
      Tile.push_back(Sl.Index ? Sl.Index : Sl.Offset);
    Values[O.Name] = fragmentText(S, O.Tensor.Base, Tile);
  }
  if (std::optional<std::string> Text = expandTemplate(Prim.Emit, Values, D)) {
    while (Text->ends_with('\n'))
      Text->pop_back();
    W.line(*Text);
  }
}

} // namespace septran::compiler
