//===- LoopNestFuzzer.cpp - any bytes as a loop nest or expression --------===//
//
// The text form of the IR, as machine files use it for semantics and mappings for constraints.
// Parsing ends with code or with messages; code is well-formed, prints, and can be simplified and
// bounded.
//
//===----------------------------------------------------------------------===//
#include "IR/Affine.h"
#include "IR/Parse.h"
#include "IR/Print.h"
#include "IR/Rewrite.h"
#include "IR/Verify.h"
#include "test/fuzz/Require.h"

#include <cstdint>

using namespace septran::compiler;
using septran::fuzz::require;

namespace {

/// Tensors of several types and ranks, scalars, and a template's type.
struct Known {
  ParseNames Names;
  FreeSymbols Free;

  Known() {
    tensor("C", ScalarType::F32, 2);
    tensor("A", ScalarType::BF16, 2).Const = true;
    tensor("B", ScalarType::I8, 2);
    tensor("D", ScalarType::I32, 1);
    tensor("S", ScalarType::F32, 0);
    scalar("N", ScalarType::I64);
    scalar("alpha", ScalarType::F32);
    Names.Types["T"] = ScalarType::F64;
  }

private:
  Tensor &tensor(const char *Name, ScalarType Type, unsigned Rank) {
    const TensorRef T = makeTensor(Name, Type, Rank, TensorKind::Parameter);
    Names.Tensors[Name] = T;
    Free.Tensors.insert(T);
    return *T;
  }
  void scalar(const char *Name, ScalarType Type) {
    const VarRef V = makeVar(Name, Type, VarKind::Parameter);
    Names.Scalars[Name] = varExpr(V);
    Free.Vars.insert(V);
  }
};

void checkExpr(const Expr &E) {
  NameTable Names;
  toString(E, Names);
  simplify(E);
  affineForm(E);
  lowerBound(E);
  upperBound(E);
}

void checkBlock(const Block &B, const FreeSymbols &Free) {
  const std::vector<std::string> Faults = verifyBlock(B, Free);
  require(Faults.empty(), "code is well-formed", printBlock(B) + (Faults.empty() ? "" : Faults[0]));
  walkExprs(B, [](const Expr &E) { simplify(E); });
  Substitution Fresh;
  require(printBlock(freshCopy(B, Fresh)) == printBlock(B), "a copy prints the same",
          printBlock(B));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  static const Known K;
  const std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  Diagnostics D;
  const std::optional<Block> B = parseLoopNest(Text, K.Names, {"fuzzed", 1, 1}, D);
  require(B.has_value() != D.hasErrors(), "code or an error", renderText(D));
  if (B)
    checkBlock(*B, K.Free);
  Diagnostics OfExpr;
  const Expr E = parseExpr(Text, K.Names, {"fuzzed", 1, 1}, OfExpr);
  require((E != nullptr) != OfExpr.hasErrors(), "an expression or an error", renderText(OfExpr));
  if (E)
    checkExpr(E);
  renderText(D);
  return 0;
}
