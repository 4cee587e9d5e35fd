//===- FragmentUses.cpp - leaves on matrix instructions -------------------===//
#include "Plan/FragmentUses.h"

#include "IR/Affine.h"

#include <algorithm>

namespace septran::compiler {

bool usesFragments(const Primitive &P) {
  return std::any_of(P.Operands.begin(), P.Operands.end(),
                     [](const Operand &O) { return parseFragment(O.Layout.Value).has_value(); });
}

namespace {

/// What is wrong with one operand's layout; empty if nothing is.
std::string layoutProblem(const PrimitiveOperand &O, std::int64_t Threads) {
  const std::string Name = "operand '" + O.Spec->Name.Value + "'";
  const std::optional<Fragment> F = parseFragment(O.Spec->Layout.Value);
  if (!F)
    return Name + " has layout '" + O.Spec->Layout.Value +
           "'; where one operand is a fragment, all are, such as '[8@4, 2@r2] x [2@r1, 4@1]'";
  if (F->size() != O.Spec->Shape.size())
    return Name + " has a layout of " + std::to_string(F->size()) + " dimensions and a shape of " +
           std::to_string(O.Spec->Shape.size());
  std::uint64_t Taken = 0;
  for (size_t Dim = 0; Dim < F->size(); ++Dim) {
    const OperandExtent &E = O.Spec->Shape[Dim].Value;
    if (!E.Symbol.empty() || elementsOf((*F)[Dim]) != E.Value)
      return "layout '" + toString(*F) + "' of " + Name + " has " +
             std::to_string(elementsOf((*F)[Dim])) + " elements along dimension " +
             std::to_string(Dim) + ", its shape " +
             (E.Symbol.empty() ? std::to_string(E.Value) : "'" + E.Symbol + "'");
    for (const Digit &Part : (*F)[Dim]) {
      const auto Bits = std::uint64_t(Part.Size - 1) * std::uint64_t(Part.Stride);
      const bool IsPower = (Part.Size & (Part.Size - 1)) == 0 && (Part.Stride & (Part.Stride - 1)) == 0;
      if (Part.isThread() && (!IsPower || (Bits & Taken) || Bits >= std::uint64_t(Threads)))
        return "layout '" + toString(*F) + "' of " + Name + " does not tell apart " +
               std::to_string(Threads) + " threads by bits of their number";
      if (!Part.isThread() && !Part.Register)
        return "layout '" + toString(*F) + "' of " + Name +
               " has a digit of no register; write '2@r1'";
      Taken |= Part.isThread() ? Bits : 0;
    }
  }
  if (fragmentSize(*F) == 0)
    return "layout '" + toString(*F) + "' of " + Name +
           " does not count registers from 1 without gaps";
  return "";
}

} // namespace

bool fragmentsAreGood(const PrimitiveForm &Prim, std::int64_t Threads, std::string &Problem) {
  for (const PrimitiveOperand &O : Prim.Operands)
    if (!O.isScalar() && Problem.empty())
      Problem = layoutProblem(O, Threads);
  return Problem.empty();
}

std::optional<std::pair<TensorRef, unsigned>> tileDimension(TensorRef T, unsigned Dim,
                                                            const TensorTable &Tensors) {
  for (const View *V = Tensors.definition(T); V; V = Tensors.definition(T)) {
    if (V->Fill || !V->Reshape.empty())
      return std::nullopt;
    const View Full = explicitView(*V);
    for (unsigned D = 0; D < Full.Slices.size(); ++D)
      if (!isConstant(Full.Slices[D].Offset, 0) ||
          !equal(simplify(expandExtents(Full.Slices[D].Extent, Tensors)),
                 simplify(expandExtents(extentOf(Full.Base, D), Tensors))))
        return std::nullopt;
    if (Full.Dims[Dim] < 0)
      return std::nullopt;
    Dim = unsigned(Full.Dims[Dim]);
    T = Full.Base;
  }
  return std::pair(T, Dim);
}

namespace {

class Finder {
  const LeafForm &Leaf;
  const PrimitiveForm &Prim;
  const Unification &Match;
  const TensorTable &Tensors;
  const RegisterTiles &Tiles;
  std::string &Problem;

public:
  Finder(const LeafForm &Leaf, const PrimitiveForm &Prim, const Unification &Match,
         const TensorTable &Tensors, const RegisterTiles &Tiles, std::string &Problem)
      : Leaf(Leaf), Prim(Prim), Match(Match), Tensors(Tensors), Tiles(Tiles), Problem(Problem) {}

  std::optional<FragmentUse> run() {
    FragmentUse U;
    U.Prim = Prim.Source;
    U.Loc = Leaf.Stmts[Match.FirstStmt].Loc;
    for (const FormLoop &L : Prim.Form.Loops) {
      const std::optional<std::int64_t> Size = constantValue(L.Extent);
      if (!Size)
        return fail("loop '" + L.V->Name + "' of a primitive on fragments has no constant extent");
      U.Sizes.push_back(*Size);
      U.Reduces.push_back(L.Facts.Class == LoopClass::Reduction);
    }
    for (size_t I = 0; I < Prim.Operands.size(); ++I)
      if (!Prim.Operands[I].isScalar() && !addOperand(Prim.Operands[I], Match.Operands[I], U))
        return std::nullopt;
    return U;
  }

private:
  std::nullopt_t fail(std::string Why) {
    Problem = std::move(Why);
    return std::nullopt;
  }

  bool addOperand(const PrimitiveOperand &O, const OperandMatch &M, FragmentUse &U) {
    FragmentOperand New;
    New.Name = O.Spec->Name.Value;
    New.F = *parseFragment(O.Spec->Layout.Value);
    New.Read = O.Read;
    New.Written = O.Written;
    const std::string Name = "'" + M.T->Name + "'";
    for (unsigned Dim = 0; Dim < M.Dims.size(); ++Dim) {
      const std::optional<unsigned> Loop = walker(O, Dim);
      if (!Loop) {
        fail("operand '" + New.Name + "' is not walked by one loop along dimension " +
             std::to_string(Dim));
        return false;
      }
      const Expr Offset = simplify(cast(ScalarType::I64, M.Offsets[M.Dims[Dim]]));
      const std::string &Walks = Leaf.Loops[Match.LoopOf[*Loop]].V->Name;
      if (Offset->Kind != ExprKind::Var || Offset->V != Leaf.Loops[Match.LoopOf[*Loop]].V) {
        fail("index " + toString(M.Offsets[M.Dims[Dim]]) + " of " + Name +
             ", which lies in registers, is not the loop '" + Walks + "' alone");
        return false;
      }
      auto At = tileDimension(M.T, M.Dims[Dim], Tensors);
      if (!At || !Tiles.count(At->first)) {
        const std::string Root = "'" + Tensors.root(M.T)->Name + "'";
        fail(At ? Name + " lies in registers, but has no constant extents"
                : Name + " is a part of " + Root + ", which lies in registers; expected " + Root +
                      " in a memory with addresses, and " + Name + " in registers of its own instance");
        return false;
      }
      New.Tile = At->first;
      New.Dims.push_back(At->second);
      New.Loops.push_back(*Loop);
    }
    U.Operands.push_back(std::move(New));
    return true;
  }

  /// The loop whose iterations are the elements along a dimension.
  std::optional<unsigned> walker(const PrimitiveOperand &O, unsigned Dim) const {
    for (unsigned P = 0; P < Prim.Form.Loops.size(); ++P)
      if (std::all_of(O.Accesses.begin(), O.Accesses.end(), [&](const std::vector<Expr> &Access) {
            return Access[Dim]->Kind == ExprKind::Var && Access[Dim]->V == Prim.Form.Loops[P].V;
          }))
        return P;
    return std::nullopt;
  }
};

} // namespace

std::optional<FragmentUse> fragmentUse(const LeafForm &Leaf, const PrimitiveForm &Prim,
                                       const Unification &Match, const TensorTable &Tensors,
                                       const RegisterTiles &Tiles, std::string &Problem) {
  return Finder(Leaf, Prim, Match, Tensors, Tiles, Problem).run();
}

} // namespace septran::compiler
