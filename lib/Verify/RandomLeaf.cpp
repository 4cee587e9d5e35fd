//===- RandomLeaf.cpp - some leaf -----------------------------------------===//
#include "Verify/RandomLeaf.h"

#include "Verify/RandomExpr.h"

#include <map>

namespace septran::compiler {

namespace {

const char *const InputNames[] = {"a", "b", "c", "d"};
const char *const IndexNames[] = {"i", "j", "k", "l", "m", "n"};

bool contains(const LogicExpr &In, const LogicExpr &What) {
  return In == What || std::any_of(In.Args.begin(), In.Args.end(),
                                   [&](const LogicExpr &A) { return contains(A, What); });
}

bool contains(const LogicBlock &In, const LogicExpr &What) {
  return std::any_of(In.begin(), In.end(), [&](const LogicStmt &S) {
    return contains(S.Body, What) || contains(S.Else, What) ||
           std::any_of(S.Args.begin(), S.Args.end(),
                       [&](const LogicExpr &A) { return contains(A, What); });
  });
}

/// Some iteration ends early.
bool leaves(const LogicBlock &B) {
  return std::any_of(B.begin(), B.end(), [](const LogicStmt &S) {
    return S.K == LogicStmt::Kind::Continue || leaves(S.Body) || leaves(S.Else);
  });
}

class LeafDraw {
  Random &R;
  const LeafRequest &Request;
  DrawnLeaf Leaf;
  ScalarType Type;                  ///< in which is computed
  std::map<int, std::string> Index; ///< loop variable of a symbol
  std::vector<int> Reduced;         ///< symbols that only inputs have
  std::vector<LogicAtom> Atoms;
  std::vector<LogicExpr> Positions;

  const LogicTensor &out() const { return Leaf.Params.front(); }

  LogicExpr at(const LogicTensor &T) const {
    std::vector<LogicExpr> Indices;
    for (int S : T.Dims)
      Indices.push_back(text(Index.at(S)));
    return element(T.Name, std::move(Indices));
  }

  LogicExpr extent(int Symbol) const {
    const LogicTensor &Ruler = *rulerOf(Symbol, Leaf.Params);
    return member(Ruler.Name, "extent", unsigned(Ruler.dimOf(Symbol)));
  }

  ScalarType drawComputingType() {
    const ScalarType T = Request.Out.Type;
    if (T == ScalarType::F64 || T == ScalarType::I64)
      return T;
    if (!isFloat(T))
      return ScalarType::I32;
    const bool Own = std::any_of(Request.Ins.begin(), Request.Ins.end(),
                                 [&](const LogicTensor &In) { return In.Type == T; });
    if (isSmallFloat(T) && Own && Reduced.empty() && R.chance(30))
      return T;
    return R.chance(12) ? ScalarType::F64 : ScalarType::F32;
  }

  /// The value of the computing type, as an element of Out.
  LogicExpr stored(LogicExpr Value) const {
    return Type == out().Type ? Value : castTo(out().Type, std::move(Value));
  }

  void addAtoms(bool WithOld) {
    for (size_t N = 1; N < Leaf.Params.size(); ++N) {
      const LogicTensor &In = Leaf.Params[N];
      Atoms.push_back({at(In), In.Type, In.IsExact, In.IsRaw});
    }
    if (WithOld)
      Atoms.push_back({at(out()), out().Type, out().IsExact, out().IsRaw});
    for (const LogicParameter &S : Request.Scalars)
      Atoms.push_back({text(S.Name), S.Type, true, false});
    for (size_t D = 0; D < out().Dims.size(); ++D) {
      const std::string &I = Index.at(out().Dims[D]);
      if (R.chance(70)) {
        Positions.push_back(
            oper("+", castTo(ScalarType::I32, member(out().Name, "origin", unsigned(D))), text(I)));
      } else {
        Positions.push_back(castTo(ScalarType::I32, text(I)));
      }
    }
  }

  /// An element besides the one at the loops' place: clipped, wrapped or mirrored.
  void addOddAccess() {
    const LogicTensor &In = Leaf.Params[size_t(R.between(1, std::int64_t(Leaf.Params.size()) - 1))];
    if (In.Dims.empty())
      return;
    const size_t D = R.below(In.Dims.size());
    LogicExpr E = at(In);
    const LogicExpr I = E.Args[D],
                    Last =
                        oper("-", castTo(ScalarType::I32, member(In.Name, "extent", unsigned(D))),
                             number(1));
    switch (R.below(6)) {
    case 0:
      E.Args[D] = oper("-", Last, I);
      break;
    case 1:
      E.Args[D] = oper("%", oper("+", I, number(1)), member(In.Name, "extent", unsigned(D)));
      break;
    case 2:
      E.Args[D] = callOf("std::max", {oper("-", I, number(1)), number(0)});
      break;
    case 3:
      E.Args[D] = callOf("std::min", {oper("+", I, number(1)), Last});
      break;
    case 4:
      E.Args[D] = oper("/", I, number(R.between(2, 3)));
      break;
    default:
      E.Args[D] = number(0);
      break;
    }
    Atoms.push_back({E, In.Type, In.IsExact, In.IsRaw});
    Leaf.ParallelDims.erase(In.Dims[D]);
    Leaf.SequentialDims.erase(In.Dims[D]);
  }

  ExprDraw exprs() { return {Type, Atoms, Positions, R}; }

  /// Every input once, so that each access that ties shapes is there, and something random.
  LogicExpr term(unsigned Depth) {
    ExprDraw Draw = exprs();
    LogicExpr Sum = Draw.draw(Depth);
    for (size_t N = 1; N < Leaf.Params.size(); ++N) {
      LogicExpr One = Draw.atom(Atoms[N - 1]);
      if (isFloat(Type) && R.chance(40))
        Sum = oper("*", std::move(One), std::move(Sum));
      else
        Sum = oper(R.chance(70) ? "+" : "-", std::move(One), std::move(Sum));
    }
    // Only the last operation may leave the range in which integers are summed.
    return isFloat(Type) ? Sum : oper("%", std::move(Sum), number(101));
  }

  LogicBlock nest(const std::vector<int> &Symbols, LogicBlock Body, bool Backwards = false) {
    for (size_t N = Symbols.size(); N-- > 0;) {
      LogicStmt Loop = forLoop(Index.at(Symbols[N]), number(0), extent(Symbols[N]), std::move(Body),
                               Backwards && N == 0 ? -1 : 1);
      Body.clear();
      Body.push_back(std::move(Loop));
    }
    return Body;
  }

  bool hasLoops() const { return !out().Dims.empty() || !Reduced.empty(); }

  /// Perhaps a condition under which the iteration ends. The value is computed before, since only
  /// accesses that are always made tie extents to each other.
  void skipSome(LogicBlock &Body, LogicExpr &Value) {
    if (!hasLoops() || !R.chance(20))
      return;
    Body.push_back(scalar(Type, "x", std::move(Value)));
    Value = text("x");
    LogicStmt Leave = ifThen(exprs().condition(), {});
    Leave.Body.emplace_back();
    Leave.Body.back().K = LogicStmt::Kind::Continue;
    Body.push_back(std::move(Leave));
  }

  //===--- forms of bodies ------------------------------------------------===//

  /// out(...) = expression, perhaps another one under a condition.
  LogicBlock assign() {
    LogicBlock Body;
    const bool Conditional = R.chance(25);
    if (Conditional || R.chance(30)) {
      Body.push_back(scalar(Type, "x", term(1)));
      Atoms.push_back({text("x"), Type, false, false});
    }
    const LogicExpr Target = at(out());
    LogicExpr Value = stored(Conditional ? oper("+", text("x"), exprs().draw(1)) : term(2));
    if (Conditional) {
      LogicExpr If = exprs().condition();
      LogicExpr Other = stored(exprs().draw(1));
      if (!hasLoops() || R.chance(50)) {
        Body.push_back(ifThen(std::move(If), {set(Target, "=", std::move(Value))},
                              {set(Target, "=", std::move(Other))}));
      } else {
        Body.push_back(set(Target, "=", std::move(Value)));
        LogicStmt Leave = ifThen(std::move(If), {});
        Leave.Body.emplace_back();
        Leave.Body.back().K = LogicStmt::Kind::Continue;
        Body.push_back(std::move(Leave));
        Body.push_back(set(Target, "=", std::move(Other)));
      }
    } else {
      Body.push_back(set(Target, "=", std::move(Value)));
    }
    const bool Backwards = R.chance(10);
    return nest(out().Dims, std::move(Body), Backwards);
  }

  /// out(...) op= expression; over reduced dimensions too, in any nesting of the loops.
  LogicBlock update() {
    std::vector<int> Order = out().Dims;
    Order.insert(Order.end(), Reduced.begin(), Reduced.end());
    if (R.chance(40))
      R.shuffle(Order);
    LogicBlock Body;
    const std::string &Op = Leaf.F.Params.front().Reduction;
    LogicExpr Value = term(isFloat(Type) ? 1 : 2);
    if (Op == "*")
      Value = exprs().factor(Value);
    skipSome(Body, Value);
    const LogicExpr Target = at(out());
    if (Op == "min" || Op == "max")
      Body.push_back(set(Target, "=", callOf("std::" + Op, {Target, stored(std::move(Value))})));
    else
      Body.push_back(
          set(Target, (R.chance(80) || Op == "*" ? Op : "-") + "=", stored(std::move(Value))));
    const bool Backwards = R.chance(8);
    return nest(Order, std::move(Body), Backwards);
  }

  /// A scalar per element of out, reduced over the inputs' own dimensions.
  LogicBlock accumulate() {
    const std::string Op = R.pick({"+", "+", "+", "max", "min"});
    const bool TwoPasses = isFloat(Type) && Op == "max" && R.chance(60);
    LogicExpr Term = TwoPasses ? exprs().atom(Atoms.front()) : term(1);
    const LogicExpr Acc = text("acc");
    LogicBlock Inner;
    if (!TwoPasses)
      skipSome(Inner, Term);
    Inner.push_back(Op == "+" ? set(Acc, "+=", Term)
                              : set(Acc, "=", callOf("std::" + Op, {Acc, Term})));
    LogicBlock Body;
    Body.push_back(scalar(Type, "acc",
                          literal(Type, Op == "max"   ? -4
                                        : Op == "min" ? 4
                                                      : 0),
                          false));
    for (LogicStmt &S : nest(Reduced, std::move(Inner)))
      Body.push_back(std::move(S));
    LogicExpr Result = Acc;
    if (TwoPasses) {
      // As in a softmax: the largest first, then a sum of what lies below it.
      Body.push_back(scalar(Type, "sum", literal(Type, 0), false));
      LogicExpr Small =
          callOf("std::exp", {callOf("std::max", {oper("-", Term, Acc), literal(Type, -20)})});
      for (size_t N = 2; N < Leaf.Params.size(); ++N)
        Small = oper("+", std::move(Small), exprs().atom(Atoms[N - 1]));
      LogicBlock Second = {set(text("sum"), "+=", std::move(Small))};
      for (LogicStmt &S : nest(Reduced, std::move(Second)))
        Body.push_back(std::move(S));
      Result = text("sum");
    } else if (isFloat(Type) && R.chance(40)) {
      Result = oper("/", Acc, oper("+", literal(Type, 1), callOf("std::abs", {Acc})));
    }
    Body.push_back(set(at(out()), "=", stored(std::move(Result))));
    return nest(out().Dims, std::move(Body));
  }

  /// A value carried along one dimension of out.
  LogicBlock scan(int Symbol) {
    const LogicExpr Acc = text("acc");
    const bool Prefix = R.chance(35); // sums of all elements so far
    LogicExpr Next = Prefix ? term(1) : isFloat(Type)
                         ? oper("+", oper("*", literal(Type, 0.5), Acc), term(1))
                         : oper("%", oper("+", oper("*", number(3), Acc), term(1)), number(101));
    LogicBlock Inner = {set(Acc, Prefix ? "+=" : "=", std::move(Next)),
                        set(at(out()), "=", stored(Acc))};
    LogicBlock Body = {scalar(Type, "acc", literal(Type, double(R.between(-1, 1))), false)};
    for (LogicStmt &S : nest({Symbol}, std::move(Inner), R.chance(30)))
      Body.push_back(std::move(S));
    std::vector<int> Others = out().Dims;
    std::erase(Others, Symbol);
    Leaf.ParallelDims.erase(Symbol);
    return nest(Others, std::move(Body));
  }

  void declare(LogicAccess Access, const std::string &Reduction) {
    LogicTensor Out = Request.Out;
    Out.Name = "out";
    Leaf.Params.push_back(Out);
    Leaf.F.Name = Request.Name;
    Leaf.F.IsLeaf = true;
    Leaf.F.Params.push_back({"out", Out.Type, int(Out.Dims.size()), Access, Reduction});
    for (size_t N = 0; N < Request.Ins.size(); ++N) {
      LogicTensor In = Request.Ins[N];
      In.Name = InputNames[N];
      Leaf.Params.push_back(In);
      Leaf.F.Params.push_back({In.Name, In.Type, int(In.Dims.size()), LogicAccess::Read, ""});
    }
    for (const LogicParameter &S : Request.Scalars) {
      Leaf.F.Params.push_back(S);
      Leaf.Scalars.push_back(S.Name);
    }
    for (int S : Out.Dims)
      Index.emplace(S, IndexNames[Index.size()]);
    for (const LogicTensor &In : Request.Ins)
      for (int S : In.Dims)
        if (Index.emplace(S, IndexNames[Index.size()]).second)
          Reduced.push_back(S);
    Leaf.ParallelDims = {Out.Dims.begin(), Out.Dims.end()};
  }

  /// Block-relative indices as values tie the result to where blocks begin.
  void lookAtPositions() {
    for (size_t D = 0; D < Positions.size(); ++D) {
      if (!contains(Leaf.F.Body, Positions[D]))
        continue;
      if (Positions[D].K == LogicExpr::Kind::Cast)
        Leaf.ParallelDims.erase(out().Dims[D]);
      else
        Leaf.UsesOrigin = true;
    }
  }

  /// A leaf whose tensors all have one type may be a template over it.
  void makeTemplate() {
    for (const LogicParameter &P : Leaf.F.Params)
      if (P.Type != out().Type)
        return;
    Leaf.F.IsTemplate = true;
    Leaf.F.Deduced = out().Type;
  }

public:
  LeafDraw(const LeafRequest &Request, Random &R) : R(R), Request(Request) {}

  DrawnLeaf draw() {
    const bool Integer = !isFloat(Request.Out.Type);
    std::string Op;
    bool ReduceOnly = false;
    if (Request.Update) {
      Op = R.pick({"+", "+", "+", "+", "*", "min", "max"});
      if (Op == "*" && Integer && byteSize(Request.Out.Type) < 4)
        Op = "+";
      if (isSmallFloat(Request.Out.Type) && Op == "*")
        Op = "max";
      ReduceOnly = R.chance(30);
    }
    declare(!Request.Update ? LogicAccess::Write
            : ReduceOnly    ? LogicAccess::Reduce
                            : LogicAccess::ReadWrite,
            Op);
    Type = drawComputingType();
    const bool Scan = !Request.Update && Reduced.empty() && !out().Dims.empty() && R.chance(12);
    if (Request.Update)
      Leaf.SequentialDims = {Reduced.begin(), Reduced.end()};
    addAtoms(false);
    if (Leaf.Params.size() > 1 && !isSmallFloat(Type) && R.chance(15))
      addOddAccess();
    if (Request.Update)
      Leaf.F.Body = update();
    else if (!Reduced.empty())
      Leaf.F.Body = accumulate();
    else if (Scan)
      Leaf.F.Body = scan(R.pick(out().Dims));
    else
      Leaf.F.Body = assign();
    if (!ReduceOnly)
      Leaf.F.Params.front().Reduction.clear();
    lookAtPositions();
    if (R.chance(15))
      makeTemplate();
    else if (R.chance(10))
      Leaf.F.IsOpaque = !ReduceOnly && !leaves(Leaf.F.Body);
    return std::move(Leaf);
  }

  DrawnLeaf drawStencil(const std::vector<int> &Low, const std::vector<int> &High) {
    declare(LogicAccess::Write, "");
    Type = isFloat(out().Type) ? out().Type == ScalarType::F64 ? ScalarType::F64 : ScalarType::F32
                               : ScalarType::I32;
    const LogicTensor &In = Leaf.Params[1];
    const std::int64_t Taps = R.between(1, 4);
    LogicExpr Sum;
    for (std::int64_t N = 0; N <= Taps; ++N) {
      LogicExpr E = at(In);
      for (size_t D = 0; D < Low.size(); ++D)
        if (Low[D] + High[D] > 0) {
          // The first and the last tap reach the ends of the halo.
          const int Reach = Low[D] + High[D];
          const std::int64_t By = N == 0 ? 0 : N == 1 ? Reach : R.between(0, Reach);
          if (By > 0)
            E.Args[D] = oper("+", E.Args[D], number(By));
        }
      const LogicAtom Tap{E, In.Type, In.IsExact, In.IsRaw};
      LogicExpr Value = exprs().atom(Tap);
      if (R.chance(50))
        Value = oper("*", literal(Type, R.pick({2.0, 3.0, -1.0})), std::move(Value));
      Sum = N == 0 ? Value : oper(R.chance(75) ? "+" : "-", std::move(Sum), std::move(Value));
    }
    Leaf.F.Body = nest(out().Dims, {set(at(out()), "=", stored(std::move(Sum)))});
    return std::move(Leaf);
  }
};

} // namespace

DrawnLeaf drawLeaf(const LeafRequest &Request, Random &R) { return LeafDraw(Request, R).draw(); }

DrawnLeaf drawStencil(const LeafRequest &Request, const std::vector<int> &Low,
                      const std::vector<int> &High, Random &R) {
  return LeafDraw(Request, R).drawStencil(Low, High);
}

} // namespace septran::compiler
