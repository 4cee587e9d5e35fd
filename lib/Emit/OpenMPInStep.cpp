//===- OpenMPInStep.cpp - iterations that run together, part by part ------===//
//
// Each part of the body between loops is written once, in a short loop over the vectors or elements that are in
// step, which the C++ compiler unrolls; loops stand once for all of them. What one part leaves for
// another is an array with an element for each.
//
//===----------------------------------------------------------------------===//
#include "Emit/OpenMPEmitter.h"
#include "IR/Affine.h"
#include "IR/Rewrite.h"
#include "Plan/InStep.h"

namespace septran::compiler {

/// A loop in lanes or, with a width of 1, element by element.
void OpenMPEmitter::emitInStep(const For &F) {
  StepNames In{Names.fresh("first"), Names.fresh("step"), Names.fresh("steps"), keptBetweenParts(F)};
  const std::string Given = Names.fresh("given");
  Lambda Body;
  Body.Call = "cpu::for_lanes_in_step<" + std::to_string(F.Width) + ", " + std::to_string(F.InStep) + ">(" +
              (isConstant(F.Lo, 0) ? "" : text(wide(F.Lo)) + ", ") + text(wide(endOf(F))) + ", ";
  Body.Parameters = {In.First, LanesName, Given};
  if (Lanes)
    Lanes->Set = LanesName;
  emitLambda(Body, F.Body, [&] {
    W.line("constexpr std::ptrdiff_t " + In.Count + " = " + Given + ";");
    emitStepParts(F, F.Body, In);
  });
  if (Lanes)
    Lanes->Set.clear();
}

void OpenMPEmitter::emitStepParts(const For &F, const Block &B, const StepNames &In) {
  for (const StepPart &Part : stepParts(B)) {
    if (Part.isLoop()) {
      const For &Inner = *Part.Statements.front()->getIf<For>();
      openPlainLoop(Inner);
      emitStepParts(F, Inner.Body, In);
      W.close();
      continue;
    }
    bool UsesVariable = false;
    for (const Stmt *S : Part.Statements) {
      walkExprs(*S, [&](const Expr &E) { UsesVariable |= E->Kind == ExprKind::Var && E->V == F.V; });
      const auto *L = S->getIf<Let>();
      if (!L || !In.Kept.count(L->V))
        continue;
      const std::string Array = Names.fresh(L->V->Name);
      W.line(stepType(L->V) + " " + Array + "[" + In.Count + "];");
      Names.bind(L->V, Array + "[" + In.Step + "]");
    }
    W.line("#pragma GCC unroll 64");
    W.open("for (std::ptrdiff_t " + In.Step + " = 0; " + In.Step + " < " + In.Count + "; ++" + In.Step + ")");
    if (UsesVariable) {
      const std::string Apart = F.Width == 1 ? In.Step : In.Step + " * " + std::to_string(F.Width);
      W.line("const std::ptrdiff_t " + Names.define(F.V) + " = " + In.First + " + " + Apart + ";");
    }
    for (const Stmt *S : Part.Statements) {
      const auto *L = S->getIf<Let>();
      if (!L || !In.Kept.count(L->V)) {
        if (Lanes)
          emitLaneStmt(*S);
        else
          emitStmt(*S);
      } else if (L->Value) {
        const bool InLanes = Lanes && Lanes->Varying.count(L->V);
        W.line(Names.name(L->V) + " = " +
               (InLanes ? asVector(laneExpr(L->Value), L->V->Type) : text(L->Value)) + ";");
      }
    }
    W.close();
  }
}

/// Of an element of the array.
std::string OpenMPEmitter::stepType(const VarRef &V) {
  if (Lanes && Lanes->Varying.count(V))
    return vectorType(laneType(V->Type), Lanes->Width);
  return V->Type == ScalarType::I64 ? "std::ptrdiff_t" : std::string(cxxName(V->Type));
}

} // namespace septran::compiler
