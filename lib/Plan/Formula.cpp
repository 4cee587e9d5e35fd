//===- Formula.cpp - amounts as people read them --------------------------===//
#include "Plan/Formula.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <limits>

namespace septran::compiler {

std::string bytesText(std::int64_t Bytes) {
  constexpr std::int64_t KiB = 1024, MiB = KiB * KiB;
  if (Bytes < KiB || (Bytes < 10 * KiB && Bytes % KiB))
    return std::to_string(Bytes) + " B";
  std::int64_t Unit = Bytes >= 10 * MiB || (Bytes >= MiB && Bytes % MiB == 0) ? MiB : KiB;
  std::int64_t Tenths = (Bytes * 10 + Unit / 2) / Unit;
  std::string Text = std::to_string(Tenths / 10);
  if (Tenths % 10)
    Text += "." + std::to_string(Tenths % 10);
  return Text + (Unit == MiB ? " MiB" : " KiB");
}

namespace {

/// A variable that prints as `Text`.
Expr spelled(const std::string &Text) {
  return varExpr(makeVar(Text, ScalarType::I64, VarKind::Scalar));
}

bool isAtom(const Expr &E) {
  return E->Kind != ExprKind::Binary || E->Bin == BinaryOp::Min || E->Bin == BinaryOp::Max ||
         E->Bin == BinaryOp::Mul;
}

} // namespace

std::string formulaText(const Expr &E) {
  return toString(rewriteExpr(E, [](const Expr &N) -> Expr {
    if (N->Kind == ExprKind::Extent)
      return spelled(N->T->Name + "[" + std::to_string(N->Dim) + "]");
    if (N->Kind == ExprKind::Cast && isInteger(N->Type) && isInteger(N->Args[0]->Type))
      return N->Args[0];
    if (N->Kind != ExprKind::Binary || N->Bin != BinaryOp::CeilDiv)
      return nullptr;
    auto Operand = [](const Expr &A) {
      return isAtom(A) && A->Kind != ExprKind::Binary ? toString(A) : "(" + toString(A) + ")";
    };
    return spelled("ceil(" + Operand(N->Args[0]) + "/" + Operand(N->Args[1]) + ")");
  }));
}

void Product::multiply(std::int64_t N) {
  if (__builtin_mul_overflow(Number, N, &Number))
    Number = std::numeric_limits<std::int64_t>::max();
}

void Product::multiplyAtMost(std::int64_t N) {
  multiply(N);
  Bounded = true;
}

void Product::multiply(const Expr &E) {
  if (std::optional<std::int64_t> N = constantValue(E)) {
    multiply(*N);
    return;
  }
  std::string Text = formulaText(E);
  Factors += (Factors.empty() ? "" : " * ") +
             (isAtom(E) || E->Bin == BinaryOp::CeilDiv ? Text : "(" + Text + ")");
}

bool Product::mergeLarger(const Product &Other) {
  if (Factors != Other.Factors)
    return false;
  Bounded |= Other.Bounded || Number != Other.Number;
  Number = std::max(Number, Other.Number);
  return true;
}

std::string Product::text() const {
  std::string Text = Bounded ? "<= " : "";
  if (Factors.empty())
    return Text + std::to_string(Number);
  return Text + (Number == 1 ? "" : std::to_string(Number) + " * ") + Factors;
}

std::string Product::bytes() const {
  std::string Text = Bounded ? "<= " : "";
  return Text + bytesText(Number) + (Factors.empty() ? "" : " * " + Factors);
}

} // namespace septran::compiler
