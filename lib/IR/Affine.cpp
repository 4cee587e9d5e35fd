//===- Affine.cpp - linear forms over integers ------------------*- C++ -*-===//
#include "IR/Affine.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace septran::compiler {

namespace {

/// Made of loop variables, tunables, extents and origins only, hence small.
bool isIndexLike(const Expr &E) {
  bool Result = true;
  walkExprs(E, [&](const Expr &Part) {
    switch (Part->Kind) {
    case ExprKind::Var:
      Result &= Part->V->Kind == VarKind::Loop || Part->V->Kind == VarKind::Tunable;
      break;
    case ExprKind::Load:
    case ExprKind::Call:
    case ExprKind::FloatLit:
      Result = false;
      break;
    default:
      break;
    }
  });
  return Result;
}

bool isNonNegativeIndex(const Affine &A) {
  return A.Constant >= 0 && std::all_of(A.Terms.begin(), A.Terms.end(), [](const auto &Term) {
           const Expr &Atom = Term.first;
           return Term.second > 0 && (Atom->Kind == ExprKind::Extent || !isSigned(Atom->Type));
         });
}

bool addTerm(Affine &A, const Expr &Atom, std::int64_t Coefficient) {
  if (Coefficient == 0)
    return true;
  for (auto Term = A.Terms.begin(); Term != A.Terms.end(); ++Term)
    if (equal(Term->first, Atom)) {
      if (__builtin_add_overflow(Term->second, Coefficient, &Term->second))
        return false;
      if (Term->second == 0)
        A.Terms.erase(Term);
      return true;
    }
  A.Terms.emplace_back(Atom, Coefficient);
  return true;
}

void collectFactors(const Expr &E, std::vector<Expr> &Factors) {
  if (E->Kind == ExprKind::Binary && E->Bin == BinaryOp::Mul) {
    collectFactors(E->Args[0], Factors);
    collectFactors(E->Args[1], Factors);
  } else {
    Factors.push_back(E);
  }
}

/// By text; what prints alike stays in order.
std::vector<Expr> sortedByText(std::vector<Expr> Exprs) {
  if (Exprs.size() < 2)
    return Exprs;
  std::vector<std::pair<std::string, std::size_t>> Keys;
  for (std::size_t I = 0; I < Exprs.size(); ++I)
    Keys.emplace_back(toString(Exprs[I]), I);
  std::sort(Keys.begin(), Keys.end());
  std::vector<Expr> Sorted;
  for (const auto &Key : Keys)
    Sorted.push_back(Exprs[Key.second]);
  return Sorted;
}

/// The product of two atoms, its factors in canonical order. Computed in 64 bits: the factors may
/// be sizes that the user keeps in int.
Expr productOf(const Expr &A, const Expr &B) {
  std::vector<Expr> Factors;
  collectFactors(A, Factors);
  collectFactors(B, Factors);
  Expr Product;
  for (const Expr &Factor : sortedByText(std::move(Factors)))
    Product = Product ? binary(BinaryOp::Mul, Product, Factor, ScalarType::I64) : Factor;
  return Product;
}

std::size_t sizeOf(const Affine &A) {
  std::size_t Nodes = 0;
  for (const auto &[Atom, C] : A.Terms)
    walkExprs(Atom, [&](const Expr &) { ++Nodes; });
  return Nodes;
}

/// The most nodes that a product has when its factors are multiplied out. Every atom is repeated
/// for every term of the other factor, so that nested products would grow exponentially.
constexpr std::size_t MaxProduct = 2000;

std::optional<Affine> multiply(const Affine &A, const Affine &B) {
  if (sizeOf(A) * (B.Terms.size() + 1) + sizeOf(B) * (A.Terms.size() + 1) > MaxProduct &&
      !A.isConstant() && !B.isConstant())
    return std::nullopt;
  Affine Result;
  if (__builtin_mul_overflow(A.Constant, B.Constant, &Result.Constant))
    return std::nullopt;
  auto add = [&](const Expr &Atom, std::int64_t X, std::int64_t Y) {
    std::int64_t Coefficient;
    return !__builtin_mul_overflow(X, Y, &Coefficient) && addTerm(Result, Atom, Coefficient);
  };
  for (const auto &[Atom, C] : A.Terms)
    if (!add(Atom, C, B.Constant))
      return std::nullopt;
  for (const auto &[Atom, C] : B.Terms)
    if (!add(Atom, C, A.Constant))
      return std::nullopt;
  for (const auto &[X, C] : A.Terms)
    for (const auto &[Y, D] : B.Terms)
      if (!add(productOf(X, Y), C, D))
        return std::nullopt;
  return Result;
}

Affine atom(const Expr &E) {
  Affine A;
  A.Terms.emplace_back(E, 1);
  return A;
}

/// min and max do not care for the order of integer operands: constants last, the rest by text.
void sortOperands(const Expr &E, std::vector<Expr> &Args) {
  bool Commutes = E->Kind == ExprKind::Binary && isInteger(E->Type) &&
                  (E->Bin == BinaryOp::Min || E->Bin == BinaryOp::Max);
  if (Commutes && !constantValue(Args[0]) && !constantValue(Args[1]) &&
      toString(Args[1]) < toString(Args[0]))
    std::swap(Args[0], Args[1]);
}

/// What affineForm says of each operand. Each is asked once, or expressions whose sums overflow at
/// every level would take exponential time.
using Forms = std::vector<std::optional<Affine>>;

Forms formsOfOperands(const Expr &E) {
  Forms Result;
  Result.reserve(E->Args.size());
  for (const Expr &Arg : E->Args)
    Result.push_back(affineForm(Arg));
  return Result;
}

Expr canonical(const Expr &E, const std::optional<Affine> &Form);

/// E with canonical operands; by itself not taken apart.
Expr withCanonicalOperands(const Expr &E, const Forms &Operands) {
  if (E->Args.empty())
    return E;
  std::vector<Expr> Args;
  for (std::size_t I = 0; I < E->Args.size(); ++I) {
    const Expr &Arg = E->Args[I];
    Expr Simple = canonical(Arg, Operands[I]);
    // Unsigned operands stay unsigned: `x - 1` depends on it.
    bool Keeps = !isInteger(Arg->Type) || isSigned(Arg->Type) == isSigned(Simple->Type);
    Args.push_back(Keeps ? Simple : cast(Arg->Type, Simple));
  }
  sortOperands(E, Args);
  return withOperands(E, std::move(Args));
}

/// The canonical form of an expression, given what affineForm says of it.
Expr canonical(const Expr &E, const std::optional<Affine> &Form) {
  if (!Form)
    return withCanonicalOperands(E, formsOfOperands(E));
  ScalarType Type = E->Type;
  for (const auto &[Atom, C] : Form->Terms)
    if (byteSize(Atom->Type) > byteSize(Type) ||
        (byteSize(Atom->Type) == byteSize(Type) && isSigned(Atom->Type)))
      Type = Atom->Type;
  Expr Result = toExpr(*Form, Type);
  return Result->Loc.isValid() || !E->Loc.isValid() ? Result : withLocation(Result, E->Loc);
}

/// The linear form of a conversion between integer types, if it changes no value.
std::optional<Affine> castForm(const Expr &E, const std::optional<Affine> &Inner) {
  const Expr &Operand = E->Args[0];
  if (!isInteger(Operand->Type) || byteSize(E->Type) < 4)
    return std::nullopt;
  bool Widens = byteSize(E->Type) > byteSize(Operand->Type) &&
                (isSigned(E->Type) || !isSigned(Operand->Type));
  if (!Inner || Widens)
    return Inner;
  bool Keeps = isIndexLike(Operand) && (isSigned(E->Type) || isNonNegativeIndex(*Inner));
  return Keeps ? Inner : std::nullopt;
}

std::optional<Affine> operationForm(const Expr &E, const Forms &Operands) {
  if (E->Kind == ExprKind::Unary && E->Un == UnaryOp::Neg && isSigned(E->Type))
    return Operands[0] ? addScaled({}, *Operands[0], -1) : std::nullopt;
  if (E->Kind != ExprKind::Binary)
    return std::nullopt;
  bool IsSum = E->Bin == BinaryOp::Add || E->Bin == BinaryOp::Sub;
  bool IsShift = E->Bin == BinaryOp::Shl;
  if (!IsSum && !IsShift && E->Bin != BinaryOp::Mul)
    return std::nullopt;
  const std::optional<Affine> &L = Operands[0], &R = Operands[1];
  if (!L || !R)
    return std::nullopt;
  if (!isSigned(E->Type) && (!isIndexLike(E) || !isNonNegativeIndex(*L) ||
                             !isNonNegativeIndex(*R) || E->Bin == BinaryOp::Sub))
    return std::nullopt;
  if (IsSum)
    return addScaled(*L, *R, E->Bin == BinaryOp::Add ? 1 : -1);
  if (!IsShift)
    return multiply(*L, *R);
  if (!R->isConstant() || R->Constant < 0 || R->Constant > 62)
    return std::nullopt;
  return addScaled({}, *L, std::int64_t(1) << R->Constant);
}

} // namespace

std::optional<Affine> addScaled(const Affine &A, const Affine &B, std::int64_t Factor) {
  Affine Result = A;
  std::int64_t Scaled;
  if (__builtin_mul_overflow(B.Constant, Factor, &Scaled) ||
      __builtin_add_overflow(A.Constant, Scaled, &Result.Constant))
    return std::nullopt;
  for (const auto &[Atom, C] : B.Terms)
    if (__builtin_mul_overflow(C, Factor, &Scaled) || !addTerm(Result, Atom, Scaled))
      return std::nullopt;
  return Result;
}

std::optional<Affine> affineForm(const Expr &E) {
  if (!isInteger(E->Type))
    return std::nullopt;
  if (std::optional<std::int64_t> C = constantValue(E)) {
    Affine A;
    A.Constant = *C;
    return A;
  }
  const Forms Operands = formsOfOperands(E);
  if (E->Kind == ExprKind::Cast) {
    if (std::optional<Affine> A = castForm(E, Operands[0]))
      return A;
  } else if (std::optional<Affine> A = operationForm(E, Operands)) {
    return A;
  }
  Expr Canonical = withCanonicalOperands(E, Operands);
  // Folding may have changed what it is: min(x + 1, 1 + x).
  if (Canonical->Kind != E->Kind || (E->Kind == ExprKind::Binary && Canonical->Bin != E->Bin))
    return affineForm(Canonical);
  return atom(Canonical);
}

Expr toExpr(const Affine &A, ScalarType Type) {
  std::vector<std::pair<Expr, std::int64_t>> Terms;
  auto append = [&](bool Negative) {
    std::vector<Expr> Atoms;
    for (const auto &[Atom, C] : A.Terms)
      if ((C < 0) == Negative)
        Atoms.push_back(Atom);
    for (const Expr &Atom : sortedByText(std::move(Atoms)))
      Terms.push_back(*std::find_if(A.Terms.begin(), A.Terms.end(),
                                    [&](const auto &Term) { return Term.first == Atom; }));
  };
  append(/*Negative=*/false);
  append(/*Negative=*/true);
  bool ConstantFirst = A.Constant > 0 && !Terms.empty() && Terms.front().second < 0;
  Expr Sum = ConstantFirst ? intLit(A.Constant, Type) : nullptr;
  for (const auto &[Atom, C] : Terms) {
    if (!Sum) {
      Sum = C == -1 ? unary(UnaryOp::Neg, cast(Type, Atom))
                    : binary(BinaryOp::Mul, Atom, intLit(C, Type), Type);
      continue;
    }
    // The lowest integer has no absolute value; added, it stays as it is.
    bool Subtract = C < 0 && C != std::numeric_limits<std::int64_t>::min();
    Expr Term = binary(BinaryOp::Mul, Atom, intLit(Subtract ? -C : C, Type), Type);
    Sum = binary(Subtract ? BinaryOp::Sub : BinaryOp::Add, Sum, Term, Type);
  }
  if (!Sum)
    return intLit(A.Constant, Type);
  return ConstantFirst ? Sum : binary(BinaryOp::Add, Sum, intLit(A.Constant, Type), Type);
}

Expr exactQuotient(const Expr &E, std::int64_t N) {
  std::optional<Affine> A = affineForm(E);
  if (!A || A->Constant % N != 0)
    return nullptr;
  A->Constant /= N;
  for (auto &[Atom, Coefficient] : A->Terms) {
    if (Coefficient % N != 0)
      return nullptr;
    Coefficient /= N;
  }
  return toExpr(*A);
}

std::optional<std::int64_t> coefficientOf(const Affine &A, const VarRef &V) {
  std::int64_t Coefficient = 0;
  for (const auto &[Atom, C] : A.Terms) {
    if (Atom->Kind == ExprKind::Var && Atom->V == V)
      Coefficient = C;
    else if (mentions(Atom, V))
      return std::nullopt;
  }
  return Coefficient;
}

Expr simplify(const Expr &E) { return canonical(E, affineForm(E)); }

} // namespace septran::compiler
