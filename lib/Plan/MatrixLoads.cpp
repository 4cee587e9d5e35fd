//===- MatrixLoads.cpp - fragments loaded by the threads of a warp --------===//
#include "Plan/MatrixLoads.h"

#include "Plan/PrimitiveForm.h"
#include "Support/StableSort.h"

#include <algorithm>

namespace septran::compiler {

namespace {

/// The operands of a primitive that only copies: what is written, and what is read.
std::optional<std::pair<const PrimitiveOperand *, const PrimitiveOperand *>>
copyOperands(const PrimitiveForm &Form) {
  if (Form.Form.Stmts.size() != 1 || Form.Operands.size() != 2)
    return std::nullopt;
  const FormStmt &S = Form.Form.Stmts.front();
  if (S.Op != UpdateOp::Set || S.Value->Kind != ExprKind::Load ||
      S.Value->Args.size() != S.Indices.size())
    return std::nullopt;
  for (size_t I = 0; I < S.Indices.size(); ++I)
    if (!equal(S.Indices[I], S.Value->Args[I]) || S.Indices[I]->Kind != ExprKind::Var)
      return std::nullopt;
  const PrimitiveOperand *To = Form.operandOf(S.T), *From = Form.operandOf(S.Value->T);
  if (!To || !From || To == From)
    return std::nullopt;
  return std::pair(To, From);
}

class Matcher {
  MatrixLoad &L;
  const Fragment &To, &From;
  const std::vector<Digits> &Parts;
  const std::int64_t Size;

public:
  Matcher(MatrixLoad &L, const Fragment &To, const Fragment &From, const std::vector<Digits> &Parts)
      : L(L), To(To), From(From), Parts(Parts), Size(fragmentSize(Parts)) {}

  bool run() {
    L.Names.assign(Parts.size(), {});
    L.Steps.assign(Parts.size(), 1);
    L.Double = -1;
    std::int64_t Covered = 1; // registers of the fragment
    for (unsigned I = 0; I < To.size(); ++I)
      if (!dimension(I, Covered))
        return false;
    return Covered == Size && neighbours();
  }

private:
  bool dimension(unsigned I, std::int64_t &Covered) {
    const unsigned Dim = L.Dims[I];
    L.Steps[Dim] = elementsOf(To[I]);
    L.Names[Dim] = From[I];
    const auto Held = splitAt(Parts[Dim], L.Steps[Dim]);
    if (!Held)
      return false;
    Digits Wanted = To[I], Has = Held->first;
    while (!Wanted.empty() && !Has.empty()) {
      const std::int64_t Step = std::min(Wanted.front().Size, Has.front().Size);
      auto X = splitAt(Wanted, Step), Y = splitAt(Has, Step);
      if (!X || !Y || X->first.size() != 1 || Y->first.size() != 1)
        return false;
      const Digit &W = X->first.front(), &H = Y->first.front();
      const bool Next = !H.isThread() && !H.Register && W.Register == Size && Step == 2;
      if (Next) {
        if (L.Double >= 0 || Y->second.size() > 0)
          return false;
        L.Double = int(Dim);
      } else if (W.Stride != H.Stride || W.Register != H.Register) {
        return false;
      } else if (W.Register) {
        Covered *= Step;
      }
      Wanted = std::move(X->second);
      Has = std::move(Y->second);
    }
    return Wanted.empty() && Has.empty();
  }

  /// The elements that a thread names are the lowest digit of one dimension.
  bool neighbours() {
    unsigned Found = 0;
    for (unsigned I = 0; I < From.size(); ++I)
      for (size_t D = 0; D < From[I].size(); ++D)
        if (!From[I][D].isThread()) {
          L.Contiguous = L.Dims[I];
          L.Neighbours = From[I][D].Size;
          Found += D == 0 ? 1 : 2;
        }
    return Found == 1;
  }
};

} // namespace

std::vector<MatrixLoad> matrixLoads(const Machine &M, std::string_view FromMemory,
                                    std::string_view ToMemory, std::int64_t ElementBytes,
                                    const std::vector<Digits> &Parts) {
  std::vector<MatrixLoad> Result;
  for (const Primitive &P : M.Primitives) {
    Diagnostics Ignored;
    const std::optional<PrimitiveForm> Form = primitiveForm(P, Ignored);
    const auto Ends = Form ? copyOperands(*Form) : std::nullopt;
    if (!Ends || Ends->first->Spec->Memory.Value != ToMemory ||
        Ends->second->Spec->Memory.Value != FromMemory ||
        byteSize(Ends->first->Element) != ElementBytes ||
        byteSize(Ends->second->Element) != ElementBytes)
      continue;
    const std::optional<Fragment> To = parseFragment(Ends->first->Spec->Layout.Value),
                                  From = parseFragment(Ends->second->Spec->Layout.Value);
    if (!To || !From || To->size() != From->size())
      continue;
    // The operand's dimensions may be any of the tensor's, in any order.
    std::vector<unsigned> Dims(Parts.size());
    for (unsigned Dim = 0; Dim < Dims.size(); ++Dim)
      Dims[Dim] = Dim;
    if (To->size() > Dims.size())
      continue;
    do {
      MatrixLoad L;
      L.Prim = &P;
      L.To = Ends->first->Spec->Name.Value;
      L.From = Ends->second->Spec->Name.Value;
      L.Dims.assign(Dims.begin(), Dims.begin() + std::ptrdiff_t(To->size()));
      if (Matcher(L, *To, *From, Parts).run())
        Result.push_back(std::move(L));
    } while (std::next_permutation(Dims.begin(), Dims.end()));
  }
  stableSort(Result, [](const MatrixLoad &A, const MatrixLoad &B) {
    auto Moves = [](const MatrixLoad &L) {
      std::int64_t N = 1;
      for (std::int64_t Step : L.Steps)
        N *= Step;
      return N;
    };
    return Moves(A) > Moves(B);
  });
  return Result;
}

} // namespace septran::compiler
