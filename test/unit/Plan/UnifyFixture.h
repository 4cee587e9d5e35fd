//===- UnifyFixture.h - leaves and primitives as text -----------*- C++ -*-===//
//
// A leaf is its tensors and its body, a primitive is an entry of a machine file:
//
//   LeafText Gemm("C:f32:2 A:const bf16:2", "for (...) ...");
//   PrimitiveText Fma("fma: {processor: VECTOR, ...}");
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Parse.h"
#include "Machine/ReadMachine.h"
#include "Plan/Unify.h"

#include <gtest/gtest.h>

#include <sstream>

namespace septran::compiler {

struct LeafText {
  ParseNames Names;
  std::vector<TensorRef> Tensors;
  Block Body;

  /// Tensors are `name:type:rank`, separated by blanks; the rank of a scalar is `scalar`.
  LeafText(const std::string &Symbols, const std::string &Text) {
    std::istringstream In(Symbols);
    for (std::string Name; std::getline(In, Name, ':');) {
      std::string Type, Rank;
      std::getline(In, Type, ':');
      In >> Rank >> std::ws;
      ScalarType Element = *parseScalarType(Type);
      if (Rank == "scalar") {
        Names.Scalars[Name] = varExpr(makeVar(Name, Element, VarKind::Parameter));
        continue;
      }
      TensorRef T = makeTensor(Name, Element, unsigned(std::stoi(Rank)), TensorKind::Parameter);
      T->Memory = "GLOBAL";
      Names.Tensors[Name] = T;
      Tensors.push_back(T);
    }
    Diagnostics D;
    std::optional<Block> Parsed = parseLoopNest(Text, Names, {"leaf", 1, 1}, D);
    EXPECT_EQ(renderText(D), "");
    if (Parsed)
      Body = std::move(*Parsed);
  }

  std::variant<LeafForm, NoLeafForm> form() const { return leafForm(Body, TensorTable(Body)); }
  /// The form as text, or the reason why there is none.
  std::string text() const {
    auto Form = form();
    if (const auto *F = std::get_if<LeafForm>(&Form))
      return toString(*F);
    return "no form: " + std::get<NoLeafForm>(Form).Reason;
  }
};

/// A machine like cpu/generic with these primitives.
inline Machine machineWith(const std::string &Primitives) {
  std::string Text = "extends: common.yaml\n"
                     "machine:\n"
                     "  name: cpu/test\n"
                     "  provenance: {sources: [test], version: none}\n"
                     "  parameters: {simd_bytes: 64, vector_registers: 32, register_bytes: 2048}\n"
                     "primitives:\n";
  std::istringstream In(Primitives);
  for (std::string Line; std::getline(In, Line);)
    Text += "  " + Line + "\n";
  Diagnostics D;
  std::optional<Machine> M = readMachineText(Text, SEPTRAN_TEST_MACHINES "/cpu/test.yaml", D);
  EXPECT_EQ(renderText(D), "");
  return M ? std::move(*M) : Machine();
}

struct PrimitiveText {
  Machine Target;
  std::optional<PrimitiveForm> Form;

  explicit PrimitiveText(const std::string &Entry) : Target(machineWith(Entry)) {
    Diagnostics D;
    if (!Target.Primitives.empty())
      Form = primitiveForm(Target.Primitives.front(), D);
    EXPECT_EQ(renderText(D), "");
  }
};

/// `match`, with what takes the operands' places in the first match, or why there is none:
/// `C = C[1, 0], s = alpha`.
inline std::string matchText(const LeafText &Leaf, const PrimitiveText &Prim) {
  auto Form = Leaf.form();
  if (const auto *Why = std::get_if<NoLeafForm>(&Form))
    return "no form: " + Why->Reason;
  if (!Prim.Form)
    return "no primitive";
  UnifyResult R = unify(std::get<LeafForm>(Form), *Prim.Form);
  if (R.Matches.empty())
    return "mismatch: " + R.Mismatch;
  std::string Text;
  const Unification &U = R.Matches.front();
  for (size_t I = 0; I < U.Operands.size(); ++I) {
    const OperandMatch &O = U.Operands[I];
    Text += (I ? ", " : "") + Prim.Form->Operands[I].Spec->Name.Value + " = ";
    if (!O.T) {
      Text += toString(O.Scalar);
      continue;
    }
    Text += O.T->Name + "(";
    for (size_t D = 0; D < O.Offsets.size(); ++D)
      Text += (D ? ", " : "") + toString(O.Offsets[D]);
    Text += ")";
    if (!std::is_sorted(O.Dims.begin(), O.Dims.end()))
      Text += " turned";
  }
  return Text;
}

} // namespace septran::compiler
