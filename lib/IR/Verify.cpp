//===- Verify.cpp - what every block of statements must satisfy -*- C++ -*-===//
#include "IR/Verify.h"

#include "IR/Print.h"
#include "IR/Rewrite.h"
#include "Logic/TaskGraph.h"

#include <algorithm>

namespace septran::compiler {

namespace {

class Verifier {
  std::set<VarRef> Vars;
  std::set<TensorRef> Tensors;
  std::set<VarRef> Mutable;
  /// Everything introduced so far, here or in a scope that has ended.
  std::set<VarRef> IntroducedVars;
  std::set<TensorRef> IntroducedTensors;
  bool AllowLaunch;
  std::vector<std::string> Problems;

public:
  Verifier(const FreeSymbols &Free, bool AllowLaunch)
      : Vars(Free.Vars), Tensors(Free.Tensors), IntroducedVars(Free.Vars),
        IntroducedTensors(Free.Tensors), AllowLaunch(AllowLaunch) {}

  void block(const Block &B) {
    std::set<VarRef> OuterVars = Vars;
    std::set<TensorRef> OuterTensors = Tensors;
    for (const Stmt &S : B)
      statement(S);
    Vars = std::move(OuterVars);
    Tensors = std::move(OuterTensors);
  }

  std::vector<std::string> take() { return std::move(Problems); }

private:
  void problem(std::string Text) { Problems.push_back(std::move(Text)); }

  void require(bool Holds, const std::string &Text) {
    if (!Holds)
      problem(Text);
  }

  static std::string number(std::size_t N) { return std::to_string(N); }

  void introduce(const VarRef &V) {
    require(IntroducedVars.insert(V).second, "scalar '" + V->Name + "' is defined twice");
    Vars.insert(V);
  }

  void introduce(const TensorRef &T) {
    require(IntroducedTensors.insert(T).second, "tensor '" + T->Name + "' is defined twice");
    Tensors.insert(T);
  }

  void used(const VarRef &V) {
    require(Vars.count(V), "scalar '" + V->Name + "' is used where it is not defined");
  }

  void used(const TensorRef &T) {
    require(Tensors.count(T), "tensor '" + T->Name + "' is used where it is not defined");
  }

  void indices(const TensorRef &T, const std::vector<Expr> &Indices) {
    require(Indices.size() == T->Rank, "tensor '" + T->Name + "' of rank " + number(T->Rank) +
                                           " is indexed by " + number(Indices.size()));
    for (const Expr &I : Indices)
      integer(I, "an index of '" + T->Name + "'");
  }

  void isBool(const Expr &E, const std::string &What) {
    if (!E)
      problem(What + " is missing");
    else if (E->Type != ScalarType::Bool)
      problem(What + " '" + toString(E) + "' is not of type bool");
  }

  static std::size_t operandsOf(const ExprNode &E) {
    switch (E.Kind) {
    case ExprKind::Unary:
    case ExprKind::Cast:
      return 1;
    case ExprKind::Binary:
      return 2;
    case ExprKind::Select:
      return 3;
    case ExprKind::Load:
      return E.Args.size(); // its rank is checked as such
    case ExprKind::Call:
      return isMathFunction(E.Callee) ? mathFunctionArity(E.Callee) : E.Args.size();
    default:
      return 0;
    }
  }

  void node(const Expr &E) {
    switch (E->Kind) {
    case ExprKind::Var:
      return used(E->V);
    case ExprKind::Extent:
    case ExprKind::Origin:
      used(E->T);
      return require(E->Dim < E->T->Rank,
                     "tensor '" + E->T->Name + "' has no dimension " + number(E->Dim));
    case ExprKind::Load:
      used(E->T);
      return indices(E->T, E->Args);
    case ExprKind::Binary:
      return isComparison(E->Bin) ? isBool(E, "comparison") : void();
    case ExprKind::Select:
      return isBool(E->Args[0], "condition");
    case ExprKind::Call:
      return require(isMathFunction(E->Callee) || isTeamBlock(E),
                     "'" + E->Callee + "' is no known function");
    default:
      return;
    }
  }

  void expr(const Expr &E) {
    bool Complete = E->Args.size() == operandsOf(*E) &&
                    std::find(E->Args.begin(), E->Args.end(), nullptr) == E->Args.end();
    if (!Complete)
      return problem("an expression has missing or superfluous operands");
    node(E);
    for (const Expr &Arg : E->Args)
      expr(Arg);
  }

  void integer(const Expr &E, const std::string &What) {
    if (!E)
      problem(What + " is missing");
    else if (!isInteger(E->Type))
      problem(What + " '" + toString(E) + "' is no integer");
  }

  void view(const View &V) {
    if (!V.Base)
      return problem("a view has no base");
    used(V.Base);
    if (V.isWhole())
      return;
    std::string Name = "the view of '" + V.Base->Name + "'";
    if (!V.Reshape.empty())
      return require(V.Slices.empty() && V.Dims.empty(), Name + " is both reshaped and sliced");
    require(V.Slices.empty() || V.Slices.size() == V.Base->Rank,
            Name + " has " + number(V.Slices.size()) + " slices for rank " + number(V.Base->Rank));
    for (const Slice &S : V.Slices) {
      integer(S.Offset, "an offset of " + Name);
      integer(S.Extent, "an extent of " + Name);
      require(!S.Block == !S.Index, Name + " has a block without index or an index without block");
    }
    std::set<int> Walked;
    for (std::size_t D = 0; D < V.Dims.size(); ++D) {
      if (V.Dims[D] < 0) {
        require(D < V.BroadcastExtents.size() && V.BroadcastExtents[D],
                Name + " broadcasts dimension " + number(D) + " to no extent");
        continue;
      }
      require(static_cast<unsigned>(V.Dims[D]) < V.Base->Rank,
              Name + " walks dimension " + std::to_string(V.Dims[D]) + " of rank " +
                  number(V.Base->Rank));
      require(Walked.insert(V.Dims[D]).second,
              Name + " walks dimension " + std::to_string(V.Dims[D]) + " twice");
    }
  }

  void statement(const Stmt &S) {
    forEachExpr(S, [&](const Expr &E) { expr(E); });
    forEachView(S, [&](const View &V) { view(V); });
    std::visit([this](const auto &Node) { check(Node); }, S.Node);
  }

  void check(const For &L) {
    integer(L.Lo, "the lower bound of loop '" + L.V->Name + "'");
    integer(L.Hi, "the upper bound of loop '" + L.V->Name + "'");
    require(isInteger(L.V->Type), "loop variable '" + L.V->Name + "' is no integer");
    require(L.Step > 0, "loop '" + L.V->Name + "' has step " + std::to_string(L.Step));
    require(L.Exec == LoopExec::Threads || L.Parts.empty(),
            "loop '" + L.V->Name + "' is divided among threads that do not share it");
    digits(L.Parts, "loop '" + L.V->Name + "'");
    std::set<VarRef> OuterVars = Vars;
    std::set<TensorRef> OuterTensors = Tensors;
    for (const SharedReduction &R : L.Reductions) {
      used(R.Target);
      introduce(R.Partial);
    }
    introduce(L.V);
    block(L.Body);
    Vars = std::move(OuterVars);
    Tensors = std::move(OuterTensors);
  }

  void check(const If &I) {
    isBool(I.Condition, "condition");
    block(I.Then);
    block(I.Else);
  }

  void check(const Let &L) {
    require(L.Value || L.Mutable, "scalar '" + L.V->Name + "' has no value and gets none");
    if (L.Value)
      require(L.Value->Type == L.V->Type || isInteger(L.V->Type),
              "scalar '" + L.V->Name + "' of type " + std::string(shortName(L.V->Type)) +
                  " has a value of type " + std::string(shortName(L.Value->Type)));
    introduce(L.V);
    if (L.Mutable)
      Mutable.insert(L.V);
  }

  void check(const Assign &A) {
    used(A.V);
    require(Mutable.count(A.V), "scalar '" + A.V->Name + "' is assigned but not mutable");
    require(A.Value != nullptr, "an assignment to '" + A.V->Name + "' has no value");
  }

  void check(const Store &W) {
    used(W.T);
    indices(W.T, W.Indices);
    require(W.Value != nullptr, "a store to '" + W.T->Name + "' has no value");
  }

  void check(const Define &D) {
    if (D.Value.Base) {
      require(D.Value.rank() == D.T->Rank, "tensor '" + D.T->Name + "' of rank " +
                                               number(D.T->Rank) + " is a view of rank " +
                                               number(D.Value.rank()));
      require(D.Value.Base->Element == D.T->Element,
              "tensor '" + D.T->Name + "' and the tensor it views differ in element type");
    }
    introduce(D.T);
  }

  void storage(const TensorRef &T, const std::vector<Expr> &Extents) {
    require(Extents.size() == T->Rank, "tensor '" + T->Name + "' of rank " + number(T->Rank) +
                                           " is allocated with " + number(Extents.size()) +
                                           " extents");
    for (const Expr &E : Extents)
      integer(E, "an extent of '" + T->Name + "'");
    introduce(T);
  }

  void check(const Local &L) { storage(L.T, L.Extents); }
  void check(const Alloc &A) {
    storage(A.T, A.Extents);
    require(A.Parts.empty() || A.Parts.size() == A.Extents.size(),
            "'" + A.T->Name + "' is divided among threads in some dimensions only");
    for (const Digits &D : A.Parts)
      digits(D, "'" + A.T->Name + "'");
  }

  void digits(const Digits &D, const std::string &Of) {
    for (const Digit &Part : D)
      require(Part.Stride >= 0 && (Part.Stride == 0 || Part.Register == 0) && (Part.Size > 0 || (Part.Size == 0 && &Part == &D.back())),
              Of + " has digits that count nothing: " + toString(D));
  }

  void check(const Launch &L) {
    std::string Name = L.Callee ? L.Callee->Name : "nothing";
    require(AllowLaunch, "launch of '" + Name + "' was not expanded");
    if (L.Callee)
      arguments(*L.Callee, L.Args);
    else
      problem("a launch has no callee");
  }

  void check(const OpaqueCall &C) {
    if (C.Callee)
      arguments(*C.Callee, C.Args);
    else
      problem("a call has no callee");
  }

  void arguments(const Function &F, const std::vector<Launch::Argument> &Args) {
    if (Args.size() != F.Params.size())
      return problem("'" + F.Name + "' takes " + number(F.Params.size()) + " arguments, not " +
                     number(Args.size()));
    for (std::size_t I = 0; I < Args.size(); ++I) {
      const Parameter &P = F.Params[I];
      std::string Name = "argument '" + P.Name + "' of '" + F.Name + "'";
      if (!P.isTensor())
        require(!Args[I].isTensor() && Args[I].Scalar, Name + " is no scalar");
      else if (!Args[I].isTensor())
        problem(Name + " is no tensor");
      else
        require(Args[I].Tensor.rank() == P.Tensor->Rank,
                Name + " has rank " + number(Args[I].Tensor.rank()) + " instead of " +
                    number(P.Tensor->Rank));
    }
  }

  void check(const CopyStmt &C) {
    if (C.Dst.Base && C.Src.Base && C.Dst.rank() != C.Src.rank())
      problem("copy between ranks: " + toString(C.Dst) + " <- " + toString(C.Src));
  }

  void check(const Scope &S) { block(S.Body); }

  void check(const Barrier &B) { require(!B.Level.empty(), "a barrier has no level"); }
  void check(const Stage &S) {
    require(S.Depth > 1 && !S.Rings.empty(), "a stage has no ring");
    integer(S.Index, "the iteration of a stage");
    integer(S.Lo, "the first iteration of a stage's loop");
    integer(S.Hi, "the end of a stage's loop");
  }

  void check(const EngineEvent &E) {
    require(!E.Sync.empty(), "an event has no way to be recorded");
    if (E.Event)
      integer(E.Event, "the number of an event");
    require(!E.Event || (!E.From.empty() && !E.To.empty() && E.From != E.To),
            "an event orders no two engines");
  }

  void check(const SetState &S) { require(!S.State.empty(), "a state without a name is set"); }

  void check(const PrimitiveCall &C) {
    for (const PrimitiveCall::Operand &O : C.Operands)
      require(O.isTensor() != (O.Scalar != nullptr),
              "operand '" + O.Name + "' of '" + C.Primitive + "' is not one tensor or scalar");
  }
};

} // namespace

std::vector<std::string> verifyBlock(const Block &B, const FreeSymbols &Free, bool AllowLaunch) {
  Verifier V(Free, AllowLaunch);
  V.block(B);
  return V.take();
}

} // namespace septran::compiler
