//===- UsualWindows.cpp - windows of which most calls have one size -------===//
#include "Derive/UsualWindows.h"

#include "IR/Rewrite.h"

#include <algorithm>
#include <array>

namespace septran::compiler {

namespace {

/// Finds loops of leaves over whole windows, innermost at run time.
class WindowLoops {
  /// The usual windows, and longer ones.
  std::array<Nominal, 2> Values;
  static constexpr double Longer = 2;

  static ArgumentSizes withWindows(ArgumentSizes A, const std::vector<Parameter> &Params,
                                   double Extent) {
    for (const auto &Window : A.Windows)
      if (Params[Window.first].isTensor())
        A.Known[Window] = Extent;
    return A;
  }

  bool isOverWindow(const For &F) {
    auto Trip = [&](Nominal &N) { return N.of(F.Hi) - N.of(F.Lo); };
    return F.Exec == LoopExec::Plain && F.StaticTrip == 0 && Trip(Values[0]) == WindowExtent &&
           Trip(Values[1]) == WindowExtent + Longer;
  }

  void findIn(const Block &Leaf) {
    walkStmts(Leaf, [&](const Stmt &S) {
      const auto *F = S.getIf<For>();
      if (!F || !isOverWindow(*F))
        return;
      bool IsInnermost = true;
      walkStmts(F->Body, [&](const Stmt &Part) {
        if (const auto *Inner = Part.getIf<For>())
          IsInnermost &=
              Inner->Exec == LoopExec::Unrolled || Inner->StaticTrip != 0 || isOverWindow(*Inner);
      });
      Found |= IsInnermost;
    });
  }

public:
  bool Found = false;

  WindowLoops(const std::vector<Parameter> &Params, const ArgumentSizes &A)
      : Values{Nominal(Params, A.ImageExtent, withWindows(A, Params, WindowExtent)),
               Nominal(Params, A.ImageExtent, withWindows(A, Params, WindowExtent + Longer))} {}

  void visit(const Stmt &S) {
    for (Nominal &N : Values)
      if (const auto *D = S.getIf<Define>())
        N.define(D->T, D->Value);
      else if (const auto *A = S.getIf<Alloc>())
        N.allocate(A->T, A->Extents);
    if (const auto *Sc = S.getIf<Scope>(); Sc && Sc->Instance->Task->Kind == FunctionKind::Leaf)
      findIn(Sc->Body);
  }
};

} // namespace

ExtentList usualWindows(const Program &P, const ShapeRelations &R, const ArgumentSizes &Arguments) {
  if (Arguments.Images.empty())
    return {};
  WindowLoops Loops(P.Params, Arguments);
  walkStmts(P.Body, [&](const Stmt &S) { Loops.visit(S); });
  ExtentList Result;
  for (const EntryExtent &E : R.Extents)
    if (Loops.Found && E.isFree() && Arguments.Windows.count({E.Ref.Param, E.Ref.Dim}))
      Result.push_back({toString(extentOf(R.Params[E.Ref.Param].Tensor, E.Ref.Dim)),
                        std::int64_t(WindowExtent)});
  return Result;
}

} // namespace septran::compiler
