//===- CxxExpr.h - scalar expressions as C++ ---------------------*- C++ -*-===//
#pragma once

#include "Emit/CxxNames.h"
#include "IR/Expr.h"

#include <functional>
#include <set>
#include <string>

namespace septran::compiler {

/// How tightly C++ text binds; larger binds tighter. Used to place parentheses.
enum class Binding {
  Ternary,
  Or,
  And,
  BitOr,
  BitXor,
  BitAnd,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Unary,
  Primary
};

struct CxxText {
  std::string Text;
  Binding Binds = Binding::Primary;
  /// What C++ computes it in. Loop variables are std::ptrdiff_t, and plain literals are int.
  ScalarType Type = ScalarType::I64;
  /// The text, in parentheses if it binds less tightly than `Least`.
  std::string in(Binding Least) const { return Binds < Least ? "(" + Text + ")" : Text; }
};

struct BinarySpelling {
  std::string_view Text;
  Binding Binds;
};
/// Infix spelling of an operator; not for Min, Max and CeilDiv.
BinarySpelling infix(BinaryOp Op);

/// How tightly the operands of such an operator must bind to stand without parentheses.
struct OperandBindings {
  Binding Left, Right;
};
OperandBindings operandBindings(Binding Operator);

/// A literal of the given type, e.g. `0.5F`, `std::int64_t(3)`,
/// `std::numeric_limits<float>::infinity()`.
CxxText literalText(const ExprNode &Literal);

/// Prints scalar expressions. What a tensor element, extent or origin is called is the caller's
/// matter.
///
/// Every operation computes in the type that the expression says: in the user's own int where the
/// user wrote int, and in 64 bits where the compiler forms sizes and offsets from such values.
/// Conversions are only spelled out where C++ would compute in another type.
class CxxExprPrinter {
public:
  using Resolver = std::function<CxxText(const Expr &)>;

  /// `Library` is the namespace of the target's run-time functions.
  CxxExprPrinter(const CxxNames &Names, Resolver ResolveTensor, std::string Library = "cpu")
      : Names(Names), ResolveTensor(std::move(ResolveTensor)), Library(std::move(Library)) {}

  CxxText print(const Expr &E) const;
  std::string text(const Expr &E) const { return print(E).Text; }

  /// The variable of a loop that is unrolled in the source: std::min would take its address, and
  /// g++ unrolls no loop before it has the variable in a register.
  void keepInRegister(const VarRef &V) { InRegister.insert(V); }

private:
  CxxText binary(const Expr &E) const;
  bool isInRegister(const Expr &E) const {
    return E->Kind == ExprKind::Var && InRegister.count(E->V);
  }

  const CxxNames &Names;
  Resolver ResolveTensor; ///< Load, Extent, Origin
  std::string Library;
  std::set<VarRef> InRegister;
};

/// C++ text of a call of a math function on scalars of the given type.
std::string scalarCallee(std::string_view MathFunction);

} // namespace septran::compiler
