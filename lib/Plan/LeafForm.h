//===- LeafForm.h - what a loop nest computes -------------------*- C++ -*-===//
//
// The normal form in which a leaf and a hardware primitive are compared: a list of updates, each
// with the loops around it.
//
//   for (i) for (j) { float s = 0;                 C(i, j) = 0                       in i, j
//                     for (k) s += A(i, k) * x(k);  C(i, j) += A(i, k) * x(k)         in i, j, k
//                     C(i, j) = s; }
//
// Loops count from 0 in steps of 1 to an extent that depends on no other loop; where their order
// does not matter, NormalLoops.h has its say. Indices are affine in them and simplified.
// Definitions are put in where they are used; a scalar that only accumulates one element is that
// element, which has the scalar's type until then. Conversions of operands, which C++ leaves
// unsaid, are casts, and `-=` is
// `+=` of the negative.
//
// Where several updates share a loop, its iterations are independent or meet in a reduction, so
// each update may also run in loops of its own, one after the other.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Plan/LoopAnalysis.h"

#include <string>
#include <variant>
#include <vector>

namespace septran::compiler {

/// x op Value is x for every x.
bool isNeutral(UpdateOp Op, const Expr &Value);

struct FormLoop {
  VarRef V;    ///< 0, 1, ...
  Expr Extent; ///< no iteration if it is not positive
  LoopFacts Facts;
  Location Loc;
};

/// T(Indices...) = Value, or T(Indices...) = Compute(T(Indices...)) op Value.
struct FormStmt {
  std::vector<unsigned> Loops; ///< positions in LeafForm::Loops, outermost first
  TensorRef T;
  std::vector<Expr> Indices;
  UpdateOp Op = UpdateOp::Set;          ///< never Sub
  ScalarType Compute = ScalarType::F32; ///< the type that old and new value meet in, and Value's
  ScalarType Sum =
      ScalarType::F32; ///< of the element until all updates are done; then rounded to T's
  Expr Value;
  Location Loc;
};

struct LeafForm {
  Block Prologue; ///< definitions, buffers and copies before the first loop
  std::vector<FormLoop> Loops;
  std::vector<FormStmt> Stmts;
};

/// Why a body has no normal form, and where.
struct NoLeafForm {
  std::string Reason;
  Location Loc;
};

std::variant<LeafForm, NoLeafForm> leafForm(const Block &Body, const TensorTable &Tensors);

/// The updates in one line: `C(i, j) += f32(A(i, k)) * f32(B(k, j))`.
std::string toString(const LeafForm &F);
std::string toString(const FormStmt &S);

} // namespace septran::compiler
