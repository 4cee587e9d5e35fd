//===- BindPrimitive.cpp - a leaf as tiles of a hardware primitive --------===//
#include "Plan/BindPrimitive.h"

#include "IR/Rewrite.h"
#include "Plan/FragmentTiles.h"
#include "Plan/Kernels.h"
#include "Plan/OperandLayout.h"
#include "Plan/PrimitiveTiles.h"
#include "Plan/TileCode.h"
#include "Support/Template.h"

#include <algorithm>

namespace septran::compiler {

namespace {

std::string quoted(std::string_view Text) { return "'" + std::string(Text) + "'"; }

/// Where the mapping asks for the binding.
Location bindingLocation(const InstanceInfo &I) {
  if (I.Settings && I.Settings->Binding)
    return I.Settings->Binding->Loc;
  if (I.Caller && I.Caller->Settings)
    for (const std::string &Name : {I.Task->Name, I.Task->Family})
      if (const auto *E = I.Caller->Settings->LeafTaskBindings.findEntry(Name))
        return E->Value.Loc;
  return I.where();
}

/// What a match must satisfy beyond meaning the same.
class Checker {
  const PrimitiveForm &Prim;
  const TensorTable &Tensors;
  const RegisterTiles &Registers;
  const Machine &Target;

public:
  Checker(const PrimitiveForm &Prim, const TensorTable &Tensors, const RegisterTiles &Registers,
          const Machine &Target)
      : Prim(Prim), Tensors(Tensors), Registers(Registers), Target(Target) {}

  /// What is wrong with the tensors that take the operands' places; empty if nothing is.
  std::string problem(const Unification &U) const {
    std::string Why = aliases(U);
    for (size_t I = 0; I < Prim.Operands.size() && Why.empty(); ++I)
      if (U.Operands[I].T) {
        Why = place(Prim.Operands[I], U.Operands[I]);
        if (Why.empty())
          Why = fill(U.Operands[I].T);
      }
    return Why;
  }

private:
  /// The primitive may read and write in any order: what it writes must be nothing else it reads.
  std::string aliases(const Unification &U) const {
    for (size_t W = 0; W < U.Operands.size(); ++W) {
      if (!Prim.Operands[W].Written)
        continue;
      TensorRef Root = Tensors.root(U.Operands[W].T);
      for (size_t O = 0; O < U.Operands.size(); ++O)
        if (O != W && touches(U.Operands[O], Root))
          return quoted(U.Operands[W].T->Name) + " would be operand " + name(O) + " and operand " +
                 name(W) + ", which the primitive writes";
    }
    return "";
  }

  std::string name(size_t O) const { return quoted(Prim.Operands[O].Spec->Name.Value); }

  bool touches(const OperandMatch &O, const TensorRef &Root) const {
    if (O.T)
      return Tensors.root(O.T) == Root;
    bool Found = false;
    walkExprs(O.Scalar, [&](const Expr &E) {
      Found |= E->Kind == ExprKind::Load && Tensors.root(E->T) == Root;
    });
    return Found;
  }

  std::string place(const PrimitiveOperand &O, const OperandMatch &Match) const {
    const TensorRef &T = Match.T;
    const std::string &Found = T->Memory.empty() ? Tensors.root(T)->Memory : T->Memory;
    const std::string &Wanted = O.Spec->Memory.Value;
    const Memory *M = Target.findMemory(Found);
    const bool InRegisters = M && M->Registers;
    if (Wanted.empty() ? !InRegisters : Found == Wanted)
      return InRegisters && !usesFragments(*Prim.Source) ? oneRegister(O, Match) : "";
    return "operand " + quoted(O.Spec->Name.Value) + " must be in " +
           (Wanted.empty() ? "a memory with addresses" : Wanted) + ", " + quoted(T->Name) +
           " is in " + Found;
  }

  /// The operand's elements must be the lanes of a register of the tensor that takes its place.
  std::string oneRegister(const PrimitiveOperand &O, const OperandMatch &Match) const {
    const std::string Operand = "operand " + quoted(O.Spec->Name.Value);
    const std::int64_t Lanes = O.Spec->Shape.size() == 1 ? O.Spec->Shape[0].Value.Value : 0;
    if (Lanes == 0)
      return Operand + " is in " + O.Spec->Memory.Value +
             " and must be one register, of a shape with one number";
    TensorRef T = Match.T;
    auto Dim = static_cast<int>(Match.Dims[0]);
    for (const View *V = Tensors.definition(T); V; V = Tensors.definition(T)) {
      Dim = Dim < 0 || !V->Reshape.empty() ? -1 : explicitView(*V).Dims[static_cast<size_t>(Dim)];
      T = V->Base;
    }
    auto Tile = Registers.find(T);
    const bool HasLanes =
        Tile != Registers.end() && !Tile->second.Conflict && Tile->second.LaneDim >= 0;
    if (HasLanes && Tile->second.LaneDim == Dim && Tile->second.Width == Lanes)
      return "";
    return Operand + " is a register of " + std::to_string(Lanes) + " elements, " +
           quoted(Match.T->Name) + " has " +
           (!HasLanes ? "no vector registers, because its leaves do not agree on the dimension"
            : Tile->second.LaneDim != Dim
                ? "its registers along dimension " + std::to_string(Tile->second.LaneDim)
                : "registers of " + std::to_string(Tile->second.Width));
  }

  /// Values that a view makes up have no address.
  std::string fill(TensorRef T) const {
    for (const View *V = Tensors.definition(T); V; V = Tensors.definition(V->Base))
      if (V->Fill)
        return quoted(T->Name) + " reads outside " + quoted(V->Base->Name) +
               "; place it in a memory where it is copied to";
    return "";
  }
};

/// What `Make(match, problem)` returns for the first match that can be had; the problem of the first
/// match if none can.
template <class MakeFn>
auto fromMatch(const LeafForm &Form, const PrimitiveForm &Prim, const Checker &Check,
               std::string &Problem, MakeFn Make)
    -> decltype(Make(std::declval<const Unification &>(), Problem)) {
  UnifyResult Unified = unify(Form, Prim);
  Problem = Unified.Mismatch;
  for (const Unification &U : Unified.Matches) {
    std::string Why = Check.problem(U);
    if (Why.empty())
      if (auto Result = Make(U, Why))
        return Result;
    if (&U == &Unified.Matches.front())
      Problem = Why;
  }
  return std::nullopt;
}

/// The first match whose tensors can be fragments.
std::optional<std::pair<Unification, FragmentUse>>
fragmentMatch(const LeafForm &Form, const PrimitiveForm &Prim, const TensorTable &Tensors,
              const RegisterTiles &Registers, const Machine &Target, std::string &Problem) {
  const std::int64_t Threads =
      threadsAt(Target.depthOf(Prim.Source->Processor.Value).value_or(0), Target, 1);
  if (!fragmentsAreGood(Prim, Threads, Problem))
    return std::nullopt;
  using Found = std::pair<Unification, FragmentUse>;
  return fromMatch(Form, Prim, Checker(Prim, Tensors, Registers, Target), Problem,
                   [&](const Unification &U, std::string &Why) -> std::optional<Found> {
                     std::optional<FragmentUse> Use =
                         fragmentUse(Form, Prim, U, Tensors, Registers, Why);
                     return Use ? std::optional(Found(U, std::move(*Use))) : std::nullopt;
                   });
}

class Binder {
  const Scope &Leaf;
  const Primitive &P;
  const TensorTable &Tensors;
  const RegisterTiles &Registers;
  const std::set<TensorRef> &CopiedWhole;
  const Machine &Target;
  Diagnostics &D;

public:
  Binder(const Scope &Leaf, const Primitive &P, const TensorTable &Tensors,
         const RegisterTiles &Registers, const std::set<TensorRef> &CopiedWhole,
         const Machine &Target, Diagnostics &D)
      : Leaf(Leaf), P(P), Tensors(Tensors), Registers(Registers), CopiedWhole(CopiedWhole),
        Target(Target), D(D) {}

  std::optional<Block> run() {
    std::optional<PrimitiveForm> Prim = primitiveForm(P, D);
    if (!Prim || !templateIsGood())
      return std::nullopt;
    std::variant<LeafForm, NoLeafForm> Body = leafForm(Leaf.Body, Tensors);
    if (const auto *Why = std::get_if<NoLeafForm>(&Body)) {
      report(Why->Reason)
          .note(DiagID::NoteLeafPart, Why->Loc)
          .note(DiagID::NotePrimitiveForm, P.Semantics.Loc, toString(Prim->Form));
      return std::nullopt;
    }
    const LeafForm &Form = std::get<LeafForm>(Body);
    std::string Problem = requirements();
    std::optional<Block> Result;
    if (Problem.empty())
      Result = bound(Form, *Prim, Problem);
    if (!Result)
      report(Problem)
          .note(DiagID::NoteLeafForm, Form.Stmts.front().Loc, toString(Form))
          .note(DiagID::NotePrimitiveForm, P.Semantics.Loc, toString(Prim->Form));
    return Result;
  }

private:
  Diagnostic &report(const std::string &Why) {
    return D.report(DiagID::BindingMismatch, bindingLocation(*Leaf.Instance),
                    Leaf.Instance->Task->Name, P.Name.Value, Why);
  }

  bool templateIsGood() {
    std::map<std::string, std::string> Values;
    for (const std::string &Name : primitivePlaceholders(P))
      Values[Name];
    return expandTemplate(P.Emit, Values, D).has_value();
  }

  /// What the primitive needs beside operands.
  std::string requirements() const {
    std::optional<size_t> Depth = Target.depthOf(P.Processor.Value);
    if (Depth && *Depth < Leaf.Instance->Depth)
      return "it runs on " + P.Processor.Value + ", the leaf on " + Leaf.Instance->Proc;
    if (!P.Init.Value.empty() || !P.Drain.Value.empty() ||
        (!P.Requires.empty() && gridDepth(Target)))
      return "its 'init', 'drain' and 'requires' are not available for language " +
             toString(Target.Language.Value);
    return "";
  }

  std::optional<Block> bound(const LeafForm &Form, const PrimitiveForm &Prim,
                             std::string &Problem) {
    if (usesFragments(P)) {
      auto Found = fragmentMatch(Form, Prim, Tensors, Registers, Target, Problem);
      return Found ? fragmentCode({Form, Prim, Found->first, Tensors, Target, CopiedWhole},
                                  Found->second, Registers, Problem)
                   : std::nullopt;
    }
    return fromMatch(Form, Prim, Checker(Prim, Tensors, Registers, Target), Problem,
                     [&](const Unification &U, std::string &Why) {
                       return tileCode({Form, Prim, U, Tensors, Target, CopiedWhole}, Why);
                     });
  }
};

} // namespace

std::optional<Block> bindPrimitive(const Scope &Leaf, const Primitive &P,
                                   const TensorTable &Tensors, const RegisterTiles &Registers,
                                   const std::set<TensorRef> &CopiedWhole, const Machine &Target,
                                   Diagnostics &D) {
  return Binder(Leaf, P, Tensors, Registers, CopiedWhole, Target, D).run();
}

std::optional<FragmentUse> findFragmentUse(const Scope &Leaf, const Primitive &P,
                                           const TensorTable &Tensors,
                                           const RegisterTiles &Registers, const Machine &Target) {
  if (!usesFragments(P))
    return std::nullopt;
  Diagnostics Ignored;
  std::string Problem;
  const std::optional<PrimitiveForm> Prim = primitiveForm(P, Ignored);
  const std::variant<LeafForm, NoLeafForm> Body = leafForm(Leaf.Body, Tensors);
  const auto *Form = std::get_if<LeafForm>(&Body);
  if (!Prim || !Form)
    return std::nullopt;
  auto Found = fragmentMatch(*Form, *Prim, Tensors, Registers, Target, Problem);
  return Found ? std::optional(std::move(Found->second)) : std::nullopt;
}

std::set<std::string> primitivePlaceholders(const Primitive &P) {
  std::set<std::string> Names;
  for (const auto &S : P.Sizes)
    Names.insert(S.Name.Value);
  for (const Operand &O : P.Operands) {
    Names.insert(O.Name.Value);
    for (size_t Dim = 0; Dim < O.Shape.size(); ++Dim)
      Names.insert(O.Name.Value + ".extent" + std::to_string(Dim));
    if (std::optional<BufferLayout> Layout = operandLayout(O))
      for (const LayoutMode &M : Layout->Modes)
        Names.insert(distancePlaceholder(O, M));
  }
  return Names;
}

} // namespace septran::compiler
