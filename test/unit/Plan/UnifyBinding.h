//===- UnifyBinding.h - a leaf bound to a primitive, for tests --*- C++ -*-===//
#pragma once

#include "IR/Print.h"
#include "IR/Rewrite.h"
#include "Interpreter.h"
#include "Plan/BindPrimitive.h"
#include "UnifyFixture.h"

#include <random>

namespace septran::compiler {

/// A leaf on VECTOR and the machine whose first primitive it is bound to.
struct Binding {
  LeafText Leaf;
  PrimitiveText Prim;
  Diagnostics D;
  std::optional<Block> Result;

  Binding(LeafText Given, const std::string &Entry, Block Around = {},
          const std::map<std::string, RegisterTile> &Registers = {})
      : Leaf(std::move(Given)), Prim(Entry) {
    RegisterTiles Tiles;
    for (const auto &[Name, Tile] : Registers) {
      Leaf.Names.Tensors[Name]->Memory = "REGISTER";
      Tiles[Leaf.Names.Tensors[Name]] = Tile;
    }
    auto Task = std::make_shared<Function>();
    Task->Name = "leaf";
    auto Instance = std::make_shared<InstanceInfo>();
    Instance->Name = "leaf";
    Instance->Task = Task;
    Instance->Proc = "VECTOR";
    Instance->Depth = 2;
    Instance->CallLoc = {"map.yaml", 7, 1, 0, 0};
    Scope Sc{Instance, Leaf.Body};
    Block Whole = Around;
    Whole.push_back({Sc, {}});
    const TensorTable Tensors(Whole);
    if (!Prim.Target.Primitives.empty())
      Result = bindPrimitive(Sc, Prim.Target.Primitives.front(), Tensors, Tiles,
                             copiedWhole(Whole, Tensors), Prim.Target, D);
  }

  std::string text() const { return Result ? printBlock(*Result) : renderText(D); }
  /// The message without place, leaf and primitive.
  std::string problem() const {
    if (Result)
      return "bound";
    std::string Text = renderText(D);
    size_t Begin = Text.find(": ", Text.find("does not match")), End = Text.find(" [septran-");
    return Begin < End && End != std::string::npos ? Text.substr(Begin + 2, End - Begin - 2) : Text;
  }

  /// Runs the leaf and the result, with calls replaced by their meaning, on tensors of these
  /// extents. Returns what differs.
  std::string difference(const std::vector<std::vector<std::int64_t>> &Extents) const {
    Program Plain;
    std::vector<TestArgument> Args;
    std::mt19937 Random(1);
    for (size_t I = 0; I < Leaf.Tensors.size(); ++I) {
      Plain.Params.push_back({Leaf.Tensors[I]->Name,
                              Leaf.Tensors[I],
                              nullptr,
                              Privilege::ReadWrite,
                              UpdateOp::Set,
                              {}});
      TestTensor T{Extents[I], {}};
      std::int64_t Count = 1;
      for (std::int64_t E : Extents[I])
        Count *= E;
      for (std::int64_t N = 0; N < Count; ++N)
        T.Elements.push_back(double(Random() % 7) - 3);
      Args.push_back({T, 0});
    }
    Program Bound = Plain;
    Plain.Body = Leaf.Body;
    Bound.Body = meaning(*Result);
    std::vector<TestArgument> Expected = Args;
    std::string Problem = runProgram(Plain, Expected);
    if (Problem.empty())
      Problem = runProgram(Bound, Args);
    for (size_t I = 0; I < Args.size() && Problem.empty(); ++I)
      if (Args[I].Tensor.Elements != Expected[I].Tensor.Elements)
        Problem = "other values in " + Leaf.Tensors[I]->Name;
    return Problem;
  }

private:
  Block meaning(const Block &B) const {
    Block Out;
    for (Stmt S : B) {
      if (const auto *C = S.getIf<PrimitiveCall>()) {
        Out.push_back({Scope{nullptr, meaningOf(*C)}, {}});
        continue;
      }
      for (Block *Nested : nestedBlocks(S))
        *Nested = meaning(*Nested);
      Out.push_back(std::move(S));
    }
    return Out;
  }

  /// The semantics with the operands' tiles; loops run as far as the tiles go.
  Block meaningOf(const PrimitiveCall &C) const {
    Block Body;
    Substitution Names;
    std::map<VarRef, Expr> Counts;
    for (size_t I = 0; I < C.Operands.size(); ++I) {
      const PrimitiveOperand &O = Prim.Form->Operands[I];
      if (O.isScalar()) {
        Names.Vars[O.Scalar] = C.Operands[I].Scalar;
        continue;
      }
      TensorRef Tile = std::make_shared<Tensor>(*O.T);
      Body.push_back({Define{Tile, C.Operands[I].Tensor}, {}});
      Names.Tensors[O.T] = Tile;
      for (size_t D = 0; D < O.Accesses[0].size(); ++D)
        if (const Expr &Index = O.Accesses[0][D]; Index->Kind == ExprKind::Var) {
          // A register that is not full has fewer elements here than the padded operands.
          Expr &Count = Counts[Index->V];
          const Expr Here = extentOf(Tile, unsigned(D));
          Count = Count ? minExpr(Count, Here) : Here;
        }
    }
    for (const auto &[Name, Value] : C.Sizes)
      Names.Vars[*Prim.Form->Sizes.find(Name)] = Value;
    for (const FormStmt &S : Prim.Form->Form.Stmts) {
      Stmt Nest = {Store{S.T, S.Indices, S.Op, S.Value}, {}};
      for (auto L = S.Loops.rbegin(); L != S.Loops.rend(); ++L) {
        const FormLoop &Loop = Prim.Form->Form.Loops[*L];
        For F;
        F.V = Loop.V;
        F.Lo = intLit(0);
        F.Hi = Counts.count(Loop.V) ? Counts[Loop.V] : Loop.Extent;
        F.Body = {std::move(Nest)};
        Nest = {std::move(F), {}};
      }
      Substitution Fresh = Names;
      for (Stmt &New : freshCopy({Nest}, Fresh))
        Body.push_back(std::move(New));
    }
    return Body;
  }
};

} // namespace septran::compiler
