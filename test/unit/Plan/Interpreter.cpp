//===- Interpreter.cpp - runs task graphs and Programs --------------------===//
#include "Interpreter.h"

#include "Storage.h"

#include "IR/Fold.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace septran::compiler {

namespace {

/// An integer or floating-point value.
struct Number {
  bool IsInt = true;
  std::int64_t I = 0;
  double F = 0;
  double real() const { return IsInt ? double(I) : F; }
  bool truth() const { return IsInt ? I != 0 : F != 0; }
};
Number integer(std::int64_t I) { return {true, I, 0}; }
Number floating(double F) { return {false, 0, F}; }

/// Below it sums and products of integers are exact in every order, with room for partial ones.
constexpr double MaxExact = 0x1p45;

class Runner {
  bool Mapped; ///< a Program: whatever its loops leave open, happens
  bool Placed; ///< a Program after place
  std::map<VarRef, Number> Vars;
  std::map<TensorRef, ValuesRef> Tensors;
  std::map<TensorRef, UpdateOp> Reduced; ///< parameters that may only be reduced into
  SideBySide Loops;
  const For *Joined = nullptr; ///< a loop that runs side by side with one that is entered already

  //===--- expressions ------------------------------------------------------===//

  const ValuesRef &tensor(const TensorRef &T) {
    auto It = Tensors.find(T);
    if (It == Tensors.end())
      throw Failure("tensor '" + T->Name + "' is used before it exists");
    return It->second;
  }

  std::int64_t integerOf(const Expr &E) {
    Number N = eval(E);
    if (!N.IsInt)
      throw Failure("'" + toString(E) + "' is no integer");
    return N.I;
  }

  Index indices(const std::vector<Expr> &List) {
    Index Result;
    for (const Expr &E : List)
      Result.push_back(integerOf(E));
    return Result;
  }

  double element(const TensorRef &T, const Index &At) {
    Place P = locate(tensor(T), At, T->Name);
    if (!P.In)
      return P.Fill;
    Loops.touch(P, SideBySide::Kind::Read, UpdateOp::Set, T->Name);
    if (!P.In->Written[P.At])
      throw Failure("an element of '" + T->Name + "' is read before it is written");
    return P.In->Elements[P.At];
  }

  static Number compare(BinaryOp Op, const Number &A, const Number &B) {
    auto Do = [Op](auto X, auto Y) {
      switch (Op) {
      case BinaryOp::Lt:
        return X < Y;
      case BinaryOp::Le:
        return X <= Y;
      case BinaryOp::Gt:
        return X > Y;
      case BinaryOp::Ge:
        return X >= Y;
      case BinaryOp::Eq:
        return X == Y;
      default:
        return X != Y;
      }
    };
    return integer(A.IsInt && B.IsInt ? Do(A.I, B.I) : Do(A.real(), B.real()));
  }

  static Number arithmetic(BinaryOp Op, const Number &A, const Number &B) {
    if (A.IsInt && B.IsInt) {
      if (std::optional<std::int64_t> R = evaluate(Op, A.I, B.I))
        return integer(*R);
      throw Failure("undefined integer arithmetic");
    }
    double X = A.real(), Y = B.real();
    switch (Op) {
    case BinaryOp::Add:
      return floating(X + Y);
    case BinaryOp::Sub:
      return floating(X - Y);
    case BinaryOp::Mul:
      return floating(X * Y);
    case BinaryOp::Div:
      return floating(X / Y);
    case BinaryOp::Min:
      return floating(Y < X ? Y : X);
    case BinaryOp::Max:
      return floating(X < Y ? Y : X);
    default:
      throw Failure("operator without a meaning for floating point");
    }
  }

  Number eval(const Expr &E) {
    switch (E->Kind) {
    case ExprKind::IntLit:
      return integer(E->Int);
    case ExprKind::FloatLit:
      return floating(E->Float);
    case ExprKind::Var: {
      auto It = Vars.find(E->V);
      if (It == Vars.end())
        throw Failure("scalar '" + E->V->Name + "' is used before it exists");
      return It->second;
    }
    case ExprKind::Extent:
      return integer(tensor(E->T)->Extents.at(E->Dim));
    case ExprKind::Origin:
      return integer(tensor(E->T)->Origins.at(E->Dim));
    case ExprKind::Load: {
      double V = element(E->T, indices(E->Args));
      return isInteger(E->T->Element) ? integer(std::int64_t(V)) : floating(V);
    }
    case ExprKind::Unary: {
      Number A = eval(E->Args[0]);
      if (E->Un == UnaryOp::Not)
        return integer(!A.truth());
      if (E->Un == UnaryOp::BitNot)
        return integer(~A.I);
      return A.IsInt ? integer(-A.I) : floating(-A.F);
    }
    case ExprKind::Binary: {
      if (E->Bin == BinaryOp::And)
        return integer(eval(E->Args[0]).truth() && eval(E->Args[1]).truth());
      if (E->Bin == BinaryOp::Or)
        return integer(eval(E->Args[0]).truth() || eval(E->Args[1]).truth());
      Number A = eval(E->Args[0]), B = eval(E->Args[1]);
      return isComparison(E->Bin) ? compare(E->Bin, A, B) : arithmetic(E->Bin, A, B);
    }
    case ExprKind::Select:
      return eval(E->Args[eval(E->Args[0]).truth() ? 1 : 2]);
    case ExprKind::Cast: {
      Number A = eval(E->Args[0]);
      return isFloat(E->Type) ? floating(A.real()) : A.IsInt ? A : integer(std::int64_t(A.F));
    }
    case ExprKind::Call:
      if (E->Callee == "exp")
        return floating(std::exp(eval(E->Args[0]).real()));
      throw Failure("function '" + E->Callee + "' is unknown here");
    }
    throw Failure("unknown expression");
  }

  //===--- views ------------------------------------------------------------===//

  ValuesRef view(const View &Given) {
    const ValuesRef &Base = tensor(Given.Base);
    View V = explicitView(Given);
    auto R = std::make_shared<Values>();
    R->Base = Base;
    if (!V.Reshape.empty()) {
      R->Reshaped = true;
      R->Extents = indices(V.Reshape);
      R->Origins.assign(R->Extents.size(), 0);
      if (countOf(R->Extents) != countOf(Base->Extents))
        throw Failure("reshape changes the number of elements of '" + V.Base->Name + "'");
      return R;
    }
    R->Filled = V.Fill != nullptr;
    R->Fill = V.Fill ? eval(V.Fill).real() : 0;
    R->Dims = V.Dims;
    Index Sizes;
    for (const Slice &S : V.Slices) {
      R->Offsets.push_back(integerOf(S.Offset));
      Sizes.push_back(integerOf(S.Extent));
      size_t D = Sizes.size() - 1;
      bool Inside = R->Offsets[D] >= 0 && R->Offsets[D] + Sizes[D] <= Base->Extents[D];
      if (Sizes[D] < 0 || (!R->Filled && !Inside))
        throw Failure("a view leaves dimension " + std::to_string(D) + " of '" + V.Base->Name +
                      "'");
    }
    for (size_t D = 0; D < V.Dims.size(); ++D) {
      bool Broadcast = V.Dims[D] < 0;
      size_t B = Broadcast ? 0 : size_t(V.Dims[D]);
      R->Extents.push_back(Broadcast ? integerOf(V.BroadcastExtents[D]) : Sizes[B]);
      R->Origins.push_back(Broadcast ? 0 : Base->Origins[B] + R->Offsets[B]);
    }
    return R;
  }

  void copy(const CopyStmt &C) {
    ValuesRef Dst = view(C.Dst), Src = view(C.Src);
    if (Dst->Extents != Src->Extents)
      throw Failure("copy between different extents: " + toString(C.Dst) + " <- " +
                    toString(C.Src));
    for (std::int64_t N = 0; N < countOf(Dst->Extents); ++N) {
      Index At = unlinear(N, Dst->Extents);
      Place From = locate(Src, At, C.Src.Base->Name), To = locate(Dst, At, C.Dst.Base->Name);
      if (!To.In)
        throw Failure("copy into the fill of a window");
      Loops.touch(From, SideBySide::Kind::Read, UpdateOp::Set, C.Src.Base->Name);
      Loops.touch(To, SideBySide::Kind::Write, UpdateOp::Set, C.Dst.Base->Name);
      To.In->Elements[To.At] = From.In ? From.In->Elements[From.At] : From.Fill;
      To.In->Written[To.At] = !From.In || From.In->Written[From.At];
    }
  }

  //===--- statements -------------------------------------------------------===//

  static Number combine(UpdateOp Op, const Number &Old, const Number &New) {
    std::optional<BinaryOp> B = combiningOp(Op);
    return B ? arithmetic(*B, Old, New) : New;
  }

  void store(const TensorRef &T, const Index &At, UpdateOp Op, const Number &Value) {
    Place P = locate(tensor(T), At, T->Name);
    if (!P.In)
      throw Failure("store into the fill of a window");
    Number New = Value;
    auto Reduction = Reduced.find(T);
    if (Op == UpdateOp::Set) {
      Loops.touch(P, SideBySide::Kind::Write, Op, T->Name);
    } else if (Reduction != Reduced.end() && Reduction->second == Op) {
      if (!P.In->Written[P.At])
        throw Failure("an element of '" + T->Name + "' is reduced into before it is written");
      Loops.touch(P, SideBySide::Kind::Reduce, Op, T->Name);
      New = combine(Op, floating(P.In->Elements[P.At]), floating(Value.real()));
    } else {
      New = combine(Op, floating(element(T, At)), floating(Value.real()));
      Loops.touch(P, SideBySide::Kind::Write, Op, T->Name);
    }
    if (std::abs(New.real()) > MaxExact && std::isfinite(New.real()))
      throw Failure("a number too large to be exact");
    P.In->Elements[P.At] = New.real();
    P.In->Written[P.At] = true;
  }

  std::vector<std::int64_t> iterations(const For &F) {
    std::vector<std::int64_t> Order;
    for (std::int64_t I = integerOf(F.Lo), Hi = integerOf(F.Hi); I < Hi; I += F.Step)
      Order.push_back(I);
    if (F.StaticTrip && !Order.empty() && Order.back() >= F.StaticTrip)
      throw Failure("loop '" + F.V->Name + "' runs beyond its bound");
    bool Free = F.Kind == LoopKind::Parallel || F.Exec == LoopExec::Lanes || !F.Spread.empty();
    if (Mapped && Free) { // a fixed permutation: failures come back
      std::reverse(Order.begin(), Order.end());
      for (size_t I = 0; I + 2 < Order.size(); I += 3)
        std::swap(Order[I], Order[I + 2]);
    }
    return Order;
  }

  static double identityOf(UpdateOp Op) {
    constexpr double Infinity = std::numeric_limits<double>::infinity();
    switch (Op) {
    case UpdateOp::Mul:
      return 1;
    case UpdateOp::Min:
      return Infinity;
    case UpdateOp::Max:
      return -Infinity;
    default:
      return 0;
    }
  }

  /// Programs say which loops processors share; in tasks every parallel loop may be.
  bool runsSideBySide(const For &F) const {
    return Mapped ? !F.Spread.empty() : F.Kind == LoopKind::Parallel;
  }

  /// The next dimension of the same parallel loop.
  static const For *nextOfGroup(const For &F) {
    const For *Inner = F.Group && F.Body.size() == 1 ? F.Body.front().getIf<For>() : nullptr;
    return Inner && Inner->Group == F.Group ? Inner : nullptr;
  }

  void runLoop(const For &F) {
    std::vector<std::int64_t> Order = iterations(F);
    size_t Processors = F.Reductions.empty() ? 1 : 2;
    std::vector<std::vector<ValuesRef>> Partials(Processors);
    for (auto &Own : Partials)
      for (const SharedReduction &R : F.Reductions) {
        ValuesRef V = storage(tensor(R.Target)->Extents);
        V->Elements.assign(V->Elements.size(), identityOf(R.Op));
        V->Written.assign(V->Elements.size(), true);
        V->Shared = true;
        Own.push_back(V);
      }
    const bool Shared = runsSideBySide(F), Outermost = Shared && Joined != &F;
    if (Outermost)
      Loops.enter();
    for (size_t N = 0; N < Order.size(); ++N) {
      for (size_t R = 0; R < F.Reductions.size(); ++R)
        Tensors[F.Reductions[R].Partial] = Partials[N % Processors][R];
      Vars[F.V] = integer(Order[N]);
      if (Shared) {
        Loops.iterate();
        Joined = nextOfGroup(F);
      }
      run(F.Body);
    }
    if (Outermost)
      Loops.leave();
    for (const auto &Own : Partials)
      for (size_t R = 0; R < F.Reductions.size(); ++R)
        combine(F.Reductions[R], *Own[R]);
  }

  /// Partial results cover the whole tensor: parts without a value, which nobody reduces into, keep
  /// none.
  void combine(const SharedReduction &R, const Values &Partial) {
    for (std::int64_t N = 0; N < countOf(Partial.Extents); ++N) {
      Index At = unlinear(N, Partial.Extents);
      double Value = Partial.Elements[size_t(N)];
      Place P = locate(tensor(R.Target), At, R.Target->Name);
      if (Value != identityOf(R.Op) || (P.In && P.In->Written[P.At]))
        store(R.Target, At, R.Op, floating(Value));
    }
  }

  void launch(const Launch &L) {
    std::vector<ValuesRef> Views;
    std::vector<Number> Scalars;
    for (const Launch::Argument &A : L.Args) {
      Views.push_back(A.isTensor() ? view(A.Tensor) : nullptr);
      Scalars.push_back(A.isTensor() ? Number() : eval(A.Scalar));
    }
    call(*L.Callee, Views, Scalars);
  }

  /// Until place gives every processor a partial result, they reduce together.
  void noteReductions(const Scope &Sc) {
    for (const Stmt &S : Sc.Body)
      if (const auto *D = S.getIf<Define>(); D && D->T->Kind == TensorKind::Parameter)
        for (const Parameter &P : Sc.Instance->Task->Params)
          if (P.Name == D->T->Name && P.Access == Privilege::Reduce)
            Reduced[D->T] = P.Reduction;
  }

  void run(const Stmt &S) {
    if (const auto *F = S.getIf<For>()) {
      runLoop(*F);
    } else if (const auto *I = S.getIf<If>()) {
      run(eval(I->Condition).truth() ? I->Then : I->Else);
    } else if (const auto *L = S.getIf<Let>()) {
      if (L->Value)
        Vars[L->V] = eval(L->Value);
    } else if (const auto *A = S.getIf<Assign>()) {
      Vars[A->V] =
          A->Op == UpdateOp::Set ? eval(A->Value) : combine(A->Op, Vars.at(A->V), eval(A->Value));
    } else if (const auto *St = S.getIf<Store>()) {
      store(St->T, indices(St->Indices), St->Op, eval(St->Value));
    } else if (const auto *D = S.getIf<Define>()) {
      Tensors[D->T] = view(D->Value);
    } else if (const auto *L = S.getIf<Local>()) {
      Tensors[L->T] = storage(indices(L->Extents));
    } else if (const auto *A = S.getIf<Alloc>()) {
      Index Extents = indices(A->Extents);
      for (size_t D = 0; D < A->Bounds.size(); ++D)
        if (Extents[D] > A->Bounds[D])
          throw Failure("'" + A->T->Name + "' exceeds its bound");
      Tensors[A->T] = storage(std::move(Extents), A->Layout.get());
    } else if (const auto *L = S.getIf<Launch>()) {
      launch(*L);
    } else if (const auto *Sc = S.getIf<Scope>()) {
      if (!Placed)
        noteReductions(*Sc);
      run(Sc->Body);
    } else if (const auto *C = S.getIf<CopyStmt>()) {
      copy(*C);
    } else {
      throw Failure("a statement that is not understood here");
    }
  }

  static bool nowait(const Stmt &S) {
    const auto *F = S.getIf<For>();
    return F && F->Nowait;
  }

public:
  Runner(bool Mapped, bool Placed) : Mapped(Mapped), Placed(Placed) {}

  void run(const Block &B) {
    for (size_t I = 0; I < B.size(); ++I) {
      if (!nowait(B[I])) {
        run(B[I]);
        continue;
      }
      size_t Last = I;
      while (nowait(B[Last]))
        ++Last;
      Loops.enter();
      for (size_t N = Last + 1; N > I; --N) {
        Joined = B[N - 1].getIf<For>();
        run(B[N - 1]);
      }
      Loops.leave();
      I = Last;
    }
  }

  void call(const Function &F, const std::vector<ValuesRef> &Views,
            const std::vector<Number> &Scalars) {
    for (size_t I = 0; I < F.Params.size(); ++I)
      if (F.Params[I].isTensor()) {
        Tensors[F.Params[I].Tensor] = Views[I];
        if (F.Params[I].Access == Privilege::Reduce)
          Reduced[F.Params[I].Tensor] = F.Params[I].Reduction;
      } else
        Vars[F.Params[I].Scalar] = Scalars[I];
    for (const Tunable &T : F.Tunables)
      Vars[T.V] = eval(T.Default);
    run(F.Body);
  }

  /// Binds the arguments, runs, and takes the results back.
  template <class Body>
  static std::string with(bool Mapped, bool Placed, const std::vector<Parameter> &Params,
                          std::vector<TestArgument> &Args, Body Run) {
    Runner M(Mapped, Placed);
    std::vector<ValuesRef> Views;
    std::vector<Number> Scalars;
    for (size_t I = 0; I < Params.size(); ++I) {
      ValuesRef V;
      if (Params[I].isTensor()) {
        V = storage(Args[I].Tensor.Extents);
        V->Elements = Args[I].Tensor.Elements; // write-only ones keep what is not written
        V->Written.assign(V->Elements.size(), Params[I].Access != Privilege::Write);
        M.Tensors[Params[I].Tensor] = V;
      } else {
        M.Vars[Params[I].Scalar] = integer(Args[I].Scalar);
      }
      Views.push_back(V);
      Scalars.push_back(integer(Args[I].Scalar));
    }
    try {
      Run(M, Views, Scalars);
    } catch (const Failure &F) {
      return F.what();
    }
    for (size_t I = 0; I < Params.size(); ++I)
      if (Views[I])
        Args[I].Tensor.Elements = elementsOf(*Views[I]);
    return "";
  }
};

} // namespace

std::string runTask(const Function &Entry, std::vector<TestArgument> &Args) {
  return Runner::with(false, false, Entry.Params, Args,
                      [&](Runner &M, const std::vector<ValuesRef> &Views,
                          const std::vector<Number> &Scalars) { M.call(Entry, Views, Scalars); });
}

std::string runProgram(const Program &P, std::vector<TestArgument> &Args, bool Placed) {
  return Runner::with(true, Placed, P.Params, Args,
                      [&](Runner &M, const std::vector<ValuesRef> &, const std::vector<Number> &) {
                        M.run(P.Body);
                      });
}

} // namespace septran::compiler
