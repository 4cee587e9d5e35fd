//===- Interpreter.cpp - runs task graphs and Programs --------------------===//
#include "Interpreter.h"

#include "IR/Fold.h"
#include "IR/Rewrite.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace septran::compiler {

namespace {

using Index = std::vector<std::int64_t>;

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Storage, or a view of another one.
struct Values {
  Index Extents, Origins;
  // Storage.
  std::vector<double> Elements;
  std::vector<bool> Written;
  // View.
  std::shared_ptr<Values> Base;
  Index Offsets; ///< per base dimension
  std::vector<int> Dims;
  bool Reshaped = false, Filled = false;
  double Fill = 0;
};
using ValuesRef = std::shared_ptr<Values>;

std::int64_t countOf(const Index &Extents) {
  return std::accumulate(Extents.begin(), Extents.end(), std::int64_t(1), std::multiplies<>());
}

std::int64_t linear(const Index &At, const Index &Extents) {
  std::int64_t L = 0;
  for (size_t D = 0; D < At.size(); ++D)
    L = L * Extents[D] + At[D];
  return L;
}

Index unlinear(std::int64_t L, const Index &Extents) {
  Index At(Extents.size());
  for (size_t D = Extents.size(); D > 0; --D) {
    At[D - 1] = L % Extents[D - 1];
    L /= Extents[D - 1];
  }
  return At;
}

ValuesRef storage(Index Extents) {
  auto V = std::make_shared<Values>();
  for (std::int64_t E : Extents)
    if (E < 0)
      throw Failure("a tensor with a negative extent");
  V->Elements.assign(size_t(countOf(Extents)), std::numeric_limits<double>::quiet_NaN());
  V->Written.assign(V->Elements.size(), false);
  V->Origins.assign(Extents.size(), 0);
  V->Extents = std::move(Extents);
  return V;
}

/// Where an element lies; no storage for one that a window fills.
struct Place {
  Values *In = nullptr;
  size_t At = 0;
  double Fill = 0;
};

Place locate(const ValuesRef &V, const Index &At, const std::string &Name) {
  for (size_t D = 0; D < At.size(); ++D)
    if (At[D] < 0 || At[D] >= V->Extents[D])
      throw Failure("index " + std::to_string(At[D]) + " leaves dimension " + std::to_string(D) + " of '" +
                    Name + "', which has " + std::to_string(V->Extents[D]));
  if (!V->Base)
    return {V.get(), size_t(linear(At, V->Extents)), 0};
  if (V->Reshaped)
    return locate(V->Base, unlinear(linear(At, V->Extents), V->Base->Extents), Name);
  Index Inner = V->Offsets;
  for (size_t D = 0; D < V->Dims.size(); ++D)
    if (V->Dims[D] >= 0)
      Inner[size_t(V->Dims[D])] += At[D];
  if (V->Filled)
    for (size_t D = 0; D < Inner.size(); ++D)
      if (Inner[D] < 0 || Inner[D] >= V->Base->Extents[D])
        return {nullptr, 0, V->Fill};
  return locate(V->Base, Inner, Name);
}

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

class Runner {
  bool Scramble;
  std::map<VarRef, Number> Vars;
  std::map<TensorRef, ValuesRef> Tensors;

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
    if (!P.In->Written[P.At])
      throw Failure("an element of '" + T->Name + "' is read before it is written");
    return P.In->Elements[P.At];
  }

  static Number compare(BinaryOp Op, const Number &A, const Number &B) {
    auto Do = [Op](auto X, auto Y) {
      switch (Op) {
      case BinaryOp::Lt: return X < Y;
      case BinaryOp::Le: return X <= Y;
      case BinaryOp::Gt: return X > Y;
      case BinaryOp::Ge: return X >= Y;
      case BinaryOp::Eq: return X == Y;
      default: return X != Y;
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
    case BinaryOp::Add: return floating(X + Y);
    case BinaryOp::Sub: return floating(X - Y);
    case BinaryOp::Mul: return floating(X * Y);
    case BinaryOp::Div: return floating(X / Y);
    case BinaryOp::Min: return floating(Y < X ? Y : X);
    case BinaryOp::Max: return floating(X < Y ? Y : X);
    default: throw Failure("operator without a meaning for floating point");
    }
  }

  Number eval(const Expr &E) {
    switch (E->Kind) {
    case ExprKind::IntLit: return integer(E->Int);
    case ExprKind::FloatLit: return floating(E->Float);
    case ExprKind::Var: {
      auto It = Vars.find(E->V);
      if (It == Vars.end())
        throw Failure("scalar '" + E->V->Name + "' is used before it exists");
      return It->second;
    }
    case ExprKind::Extent: return integer(tensor(E->T)->Extents.at(E->Dim));
    case ExprKind::Origin: return integer(tensor(E->T)->Origins.at(E->Dim));
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
    case ExprKind::Select: return eval(E->Args[eval(E->Args[0]).truth() ? 1 : 2]);
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
        throw Failure("a view leaves dimension " + std::to_string(D) + " of '" + V.Base->Name + "'");
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
      throw Failure("copy between different extents: " + toString(C.Dst) + " <- " + toString(C.Src));
    for (std::int64_t N = 0; N < countOf(Dst->Extents); ++N) {
      Index At = unlinear(N, Dst->Extents);
      Place From = locate(Src, At, C.Src.Base->Name), To = locate(Dst, At, C.Dst.Base->Name);
      if (!To.In)
        throw Failure("copy into the fill of a window");
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
    Number New = Op == UpdateOp::Set ? Value : combine(Op, floating(element(T, At)), floating(Value.real()));
    Place P = locate(tensor(T), At, T->Name);
    if (!P.In)
      throw Failure("store into the fill of a window");
    P.In->Elements[P.At] = New.real();
    P.In->Written[P.At] = true;
  }

  std::vector<std::int64_t> iterations(const For &F) {
    std::vector<std::int64_t> Order;
    for (std::int64_t I = integerOf(F.Lo), Hi = integerOf(F.Hi); I < Hi; I += F.Step)
      Order.push_back(I);
    bool Free = F.Kind == LoopKind::Parallel || F.Exec == LoopExec::Lanes || !F.Spread.empty();
    if (Scramble && Free) { // a fixed permutation: failures come back
      std::reverse(Order.begin(), Order.end());
      for (size_t I = 0; I + 2 < Order.size(); I += 3)
        std::swap(Order[I], Order[I + 2]);
    }
    return Order;
  }

  static double identityOf(UpdateOp Op) {
    constexpr double Infinity = std::numeric_limits<double>::infinity();
    switch (Op) {
    case UpdateOp::Mul: return 1;
    case UpdateOp::Min: return Infinity;
    case UpdateOp::Max: return -Infinity;
    default: return 0;
    }
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
        Own.push_back(V);
      }
    for (size_t N = 0; N < Order.size(); ++N) {
      for (size_t R = 0; R < F.Reductions.size(); ++R)
        Tensors[F.Reductions[R].Partial] = Partials[N % Processors][R];
      Vars[F.V] = integer(Order[N]);
      run(F.Body);
    }
    for (const auto &Own : Partials)
      for (size_t R = 0; R < F.Reductions.size(); ++R)
        for (std::int64_t N = 0; N < countOf(Own[R]->Extents); ++N)
          store(F.Reductions[R].Target, unlinear(N, Own[R]->Extents), F.Reductions[R].Op,
                floating(Own[R]->Elements[size_t(N)]));
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

  void run(const Stmt &S) {
    if (const auto *F = S.getIf<For>()) {
      runLoop(*F);
    } else if (const auto *I = S.getIf<If>()) {
      run(eval(I->Condition).truth() ? I->Then : I->Else);
    } else if (const auto *L = S.getIf<Let>()) {
      if (L->Value)
        Vars[L->V] = eval(L->Value);
    } else if (const auto *A = S.getIf<Assign>()) {
      Vars[A->V] = A->Op == UpdateOp::Set ? eval(A->Value) : combine(A->Op, Vars.at(A->V), eval(A->Value));
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
      Tensors[A->T] = storage(std::move(Extents));
    } else if (const auto *L = S.getIf<Launch>()) {
      launch(*L);
    } else if (const auto *Sc = S.getIf<Scope>()) {
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
  explicit Runner(bool Scramble) : Scramble(Scramble) {}

  void run(const Block &B) {
    for (size_t I = 0; I < B.size(); ++I) {
      if (!nowait(B[I])) {
        run(B[I]);
        continue;
      }
      size_t Last = I;
      while (nowait(B[Last]))
        ++Last;
      for (size_t N = Last + 1; N > I; --N)
        run(B[N - 1]);
      I = Last;
    }
  }

  void call(const Function &F, const std::vector<ValuesRef> &Views, const std::vector<Number> &Scalars) {
    for (size_t I = 0; I < F.Params.size(); ++I)
      if (F.Params[I].isTensor())
        Tensors[F.Params[I].Tensor] = Views[I];
      else
        Vars[F.Params[I].Scalar] = Scalars[I];
    for (const Tunable &T : F.Tunables)
      Vars[T.V] = eval(T.Default);
    run(F.Body);
  }

  /// Binds the arguments, runs, and takes the results back.
  template <class Body>
  static std::string with(bool Scramble, const std::vector<Parameter> &Params,
                          std::vector<TestArgument> &Args, Body Run) {
    Runner M(Scramble);
    std::vector<ValuesRef> Views;
    std::vector<Number> Scalars;
    for (size_t I = 0; I < Params.size(); ++I) {
      ValuesRef V;
      if (Params[I].isTensor()) {
        V = storage(Args[I].Tensor.Extents);
        if (Params[I].Access != Privilege::Write) {
          V->Elements = Args[I].Tensor.Elements;
          V->Written.assign(V->Elements.size(), true);
        }
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
        Args[I].Tensor.Elements = Views[I]->Elements;
    return "";
  }
};

} // namespace

std::string runTask(const Function &Entry, std::vector<TestArgument> &Args) {
  return Runner::with(false, Entry.Params, Args,
                        [&](Runner &M, const std::vector<ValuesRef> &Views,
                            const std::vector<Number> &Scalars) { M.call(Entry, Views, Scalars); });
}

std::string runProgram(const Program &P, std::vector<TestArgument> &Args) {
  return Runner::with(true, P.Params, Args,
                        [&](Runner &M, const std::vector<ValuesRef> &, const std::vector<Number> &) {
                          M.run(P.Body);
                        });
}

} // namespace septran::compiler
