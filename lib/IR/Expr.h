//===- Expr.h - scalar expressions ------------------------------*- C++ -*-===//
//
// One expression language serves scalars of tasks, element computations of
// leaves, loop bounds, view offsets and buffer extents. Expressions are
// immutable and shared; rewriting builds new ones (see Rewrite.h).
//
// Terms:
//   Var     a scalar with a name: loop variable, tunable, parameter or local scalar.
//           Identity is the pointer, the name is for people.
//   Load    the value of one tensor element, tensor(index...).
//   Extent  tensor.extent(dim); Origin is tensor.origin(dim).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "IR/Type.h"
#include "Support/Location.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace septran::compiler {

struct Tensor;
using TensorRef = std::shared_ptr<Tensor>;

/// What introduces a scalar variable.
enum class VarKind {
  Loop,      ///< induction variable of a counted loop
  Tunable,   ///< [[septran::tunable]]; replaced by its value when a mapping is resolved
  Parameter, ///< scalar parameter of a task or leaf
  Scalar,    ///< local scalar; in a leaf it may be assigned again
};

struct Var {
  std::string Name;
  ScalarType Type = ScalarType::I64;
  VarKind Kind = VarKind::Scalar;
  Location Loc;
  std::string TilesOf = {}; ///< of a loop over a primitive's tiles: the leaf's loop that these cut
  std::int64_t Most = 0;    ///< of a teamBlock: from 1 to that
};
using VarRef = std::shared_ptr<const Var>;
VarRef makeVar(std::string Name, ScalarType Type, VarKind Kind, Location Loc = {});
/// The variable of a loop over tiles of the leaf's loop over V.
VarRef makeTileVar(const Var &V);

enum class UnaryOp { Neg, Not, BitNot };

enum class BinaryOp {
  Add,
  Sub,
  Mul,
  Div, ///< C++ division: truncates for integers
  Rem,
  Min, ///< b < a ? b : a, as std::min
  Max, ///< a < b ? b : a, as std::max
  CeilDiv, ///< ceil(a / b) for a >= 0; 0 when b is 0
  And,
  Or,
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
};
bool isComparison(BinaryOp Op);
/// "+", "min", ... as printed and parsed.
std::string_view spelling(BinaryOp Op);
std::string_view spelling(UnaryOp Op);

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

enum class ExprKind { IntLit, FloatLit, Var, Extent, Origin, Load, Unary, Binary, Select, Cast, Call };

/// One node. Only the members that `Kind` names are meaningful.
struct ExprNode {
  ExprKind Kind;
  ScalarType Type;            ///< of the value; Bool for comparisons and logic
  std::int64_t Int = 0;       ///< IntLit
  double Float = 0;           ///< FloatLit; infinities and NaN allowed
  VarRef V;                   ///< Var
  TensorRef T;                ///< Extent, Origin, Load
  unsigned Dim = 0;           ///< Extent, Origin
  UnaryOp Un = UnaryOp::Neg;  ///< Unary
  BinaryOp Bin = BinaryOp::Add; ///< Binary
  std::string Callee;         ///< Call: the math function's plain name, "exp", "sqrt", ...
  std::vector<Expr> Args;     ///< operands; Load: indices; Select: condition, then, else
  Location Loc;               ///< where the user wrote it, if anywhere
};

// Builders. Integer ones fold constants and drop neutral elements, so that bounds and offsets stay
// short; floating-point ones never fold (that would change rounding).
Expr intLit(std::int64_t Value, ScalarType Type = ScalarType::I64);
Expr boolLit(bool Value);
Expr floatLit(double Value, ScalarType Type);
Expr varExpr(const VarRef &V);
Expr extentOf(const TensorRef &T, unsigned Dim);
Expr originOf(const TensorRef &T, unsigned Dim);
Expr load(const TensorRef &T, std::vector<Expr> Indices);
Expr unary(UnaryOp Op, Expr A);
Expr binary(BinaryOp Op, Expr A, Expr B);
/// As above with the result type given (front end: the type C++ computed).
Expr binary(BinaryOp Op, Expr A, Expr B, ScalarType Type);
Expr select(Expr Condition, Expr Then, Expr Else);
Expr cast(ScalarType Type, Expr A);
/// Math functions known to the compiler; see isMathFunction.
Expr call(std::string Callee, std::vector<Expr> Args, ScalarType Type);
/// How many times `Step` elements a block has, `Most` at most, that lets a team be done soonest
/// which shares the blocks of so many elements, in each of `Others`, with `PerThread` blocks at
/// least; `Threads`: of the team, null if any (septran/cpu/team_block.h).
Expr teamBlock(Expr Elements, Expr Others, std::int64_t Most, std::int64_t Step,
               std::int64_t PerThread, Expr Threads, ScalarType Type);
bool isTeamBlock(const Expr &E);
Expr withLocation(const Expr &E, Location Loc);

inline Expr operator+(const Expr &A, const Expr &B) { return binary(BinaryOp::Add, A, B); }
inline Expr operator-(const Expr &A, const Expr &B) { return binary(BinaryOp::Sub, A, B); }
inline Expr operator*(const Expr &A, const Expr &B) { return binary(BinaryOp::Mul, A, B); }
Expr minExpr(Expr A, Expr B);
Expr maxExpr(Expr A, Expr B);
Expr ceilDiv(Expr A, Expr B);

/// Structural equality: same nodes, same Vars and Tensors.
bool equal(const Expr &A, const Expr &B);
std::optional<std::int64_t> constantValue(const Expr &E);
/// What is converted, if E is conversions of something.
const Expr &withoutCasts(const Expr &E);
bool isConstant(const Expr &E, std::int64_t Value);
/// Names the front end accepts as pure element functions (std:: or ::): exp, exp2, expm1, log, log2,
/// log1p, log10, sqrt, cbrt, sin, cos, tan, tanh, sinh, cosh, asin, acos, atan, atan2, erf, erfc, pow,
/// fabs/abs, floor, ceil, trunc, round, nearbyint, fma, fmod, copysign, isnan, isinf, isfinite.
/// std::min and std::max become BinaryOp::Min/Max instead.
bool isMathFunction(std::string_view Name);
unsigned mathFunctionArity(std::string_view Name);

/// Text as in C++: `min(C.extent(0) - i * 64, 64)`.
std::string toString(const Expr &E);

} // namespace septran::compiler
