//===- RandomLeaves.cpp - the leaves that random tasks launch -------------===//
#include "RandomLogic.h"

namespace septran::compiler {

namespace {

/// A leaf under construction, and its parameters.
struct Leaf : TaskBuilder {
  TensorRef O, A, B;
  Expr N;

  Leaf(const std::string &Name, Privilege Out, UpdateOp Reduction = UpdateOp::Set,
       unsigned Rank = 2)
      : TaskBuilder(FunctionKind::Leaf, Name) {
    O = param("O", Rank, Out, ScalarType::F32, Reduction);
    A = param("A", Rank, Privilege::Read);
    B = param("B", Rank, Privilege::Read);
    N = scalar("n");
  }

  using Indices = std::vector<Expr>;
  /// Loops over T's elements.
  void over(const TensorRef &T, const std::function<void(const Indices &)> &Body) {
    loops({{"i", extentOf(T, 0)}, {"j", extentOf(T, 1)}}, LoopKind::Sequential, Body);
  }
  Expr difference(const Indices &I) const { return load(A, I) - load(B, I); }
  Expr number() const { return cast(ScalarType::F32, N); }
};

/// O op= A - B; on and above the diagonal only, if `Triangle`.
Callable elementwise(const std::string &Name, Privilege Out, UpdateOp Op, bool Triangle) {
  Leaf L(Name, Out);
  L.over(L.O, [&](const Leaf::Indices &I) {
    auto Store = [&] { L.store(L.O, I, L.difference(I), Op); };
    if (Triangle)
      L.when(binary(BinaryOp::Le, I[0], I[1]), Store);
    else
      Store();
  });
  return {L.done(), Out, Shape::Same, true};
}

/// O = n * A + B where the position in the whole matrices lies below the n-th diagonal.
Callable below() {
  Leaf L("below", Privilege::Write);
  L.over(L.O, [&](const Leaf::Indices &I) {
    Expr Row = I[0] + originOf(L.O, 0) + cast(ScalarType::I64, L.N);
    L.when(binary(BinaryOp::Ge, Row, I[1] + originOf(L.A, 1)),
           [&] { L.store(L.O, I, L.number() * load(L.A, I) + load(L.B, I)); });
  });
  return {L.done(), Privilege::Write, Shape::Same, true};
}

/// O = B + some neighbours of A, which has a halo.
Callable blur() {
  Leaf L("blur", Privilege::Write);
  L.over(L.O, [&](const Leaf::Indices &I) {
    Expr Next = load(L.A, {I[0], I[1] + intLit(1)}) + load(L.A, {I[0] + intLit(2), I[1]});
    L.store(L.O, I, Next + load(L.B, I));
  });
  return {L.done(), Privilege::Write, Shape::Halo};
}

/// Every row of O becomes n + the sum of A - B in that row.
Callable rowSums() {
  Leaf L("row_sums", Privilege::Write);
  L.loop("i", extentOf(L.O, 0), [&](const Expr &I) {
    VarRef Sum = L.variable("sum", L.number());
    L.loop("k", extentOf(L.A, 1),
           [&](const Expr &K) { L.assign(Sum, UpdateOp::Add, L.difference({I, K})); });
    L.loop("j", extentOf(L.O, 1), [&](const Expr &J) { L.store(L.O, {I, J}, varExpr(Sum)); });
  });
  return {L.done(), Privilege::Write};
}

/// O = A - B from right to left.
Callable mirror() {
  Leaf L("mirror", Privilege::Write);
  L.over(L.O, [&](const Leaf::Indices &I) {
    Expr Last = extentOf(L.B, 1) - intLit(1);
    L.store(L.O, I, load(L.A, I) - load(L.B, {I[0], Last - I[1]}));
  });
  return {L.done(), Privilege::Write};
}

/// Every element of O takes up the ones to its left.
Callable scan() {
  Leaf L("scan", Privilege::ReadWrite);
  L.over(L.O, [&](const Leaf::Indices &I) {
    L.when(binary(BinaryOp::Gt, I[1], intLit(0)), [&] {
      L.store(L.O, I, load(L.O, {I[0], I[1] - intLit(1)}) + L.difference(I), UpdateOp::Add);
    });
  });
  return {L.done(), Privilege::ReadWrite};
}

/// The larger one, or n.
Callable choose() {
  Leaf L("choose", Privilege::Write);
  L.over(L.O, [&](const Leaf::Indices &I) {
    Expr X = load(L.A, I), Y = load(L.B, I);
    L.store(L.O, I, select(binary(BinaryOp::Lt, X, Y), maxExpr(Y, L.number()), X));
  });
  return {L.done(), Privilege::Write, Shape::Same, true};
}

/// O(i, 0) op= A(i, j) - B(i, j), or O(0, j).
Callable reduction(const std::string &Name, UpdateOp Op, Shape Form) {
  Leaf L(Name, Privilege::Reduce, Op);
  L.over(L.A, [&](const Leaf::Indices &I) {
    Leaf::Indices At =
        Form == Shape::Rows ? Leaf::Indices{I[0], intLit(0)} : Leaf::Indices{intLit(0), I[1]};
    L.store(L.O, At, L.difference(I), Op);
  });
  return {L.done(), Privilege::Reduce, Form, false, Op};
}

/// O += A * B.
Callable gemm() {
  Leaf L("gemm", Privilege::ReadWrite);
  L.loops({{"i", extentOf(L.O, 0)}, {"j", extentOf(L.O, 1)}, {"k", extentOf(L.A, 1)}},
          LoopKind::Sequential, [&](const Leaf::Indices &I) {
            L.store(L.O, {I[0], I[1]}, load(L.A, {I[0], I[2]}) * load(L.B, {I[2], I[1]}),
                    UpdateOp::Add);
          });
  return {L.done(), Privilege::ReadWrite, Shape::Product};
}

/// o op= a - b.
Callable vectors(const std::string &Name, Privilege Out, UpdateOp Op) {
  Leaf L(Name, Out, UpdateOp::Set, 1);
  L.loop("i", extentOf(L.O, 0), [&](const Expr &I) { L.store(L.O, {I}, L.difference({I}), Op); });
  return {L.done(), Out, Shape::Vectors, true};
}

} // namespace

std::vector<Callable> randomLeaves() {
  return {elementwise("set", Privilege::Write, UpdateOp::Set, false),
          elementwise("add", Privilege::ReadWrite, UpdateOp::Add, false),
          elementwise("upper", Privilege::Write, UpdateOp::Set, true),
          elementwise("grow", Privilege::ReadWrite, UpdateOp::Max, true),
          below(),
          blur(),
          rowSums(),
          mirror(),
          scan(),
          choose(),
          reduction("sums", UpdateOp::Add, Shape::Rows),
          reduction("tops", UpdateOp::Max, Shape::Rows),
          reduction("lows", UpdateOp::Min, Shape::Columns),
          gemm(),
          vectors("set_vector", Privilege::Write, UpdateOp::Set),
          vectors("add_vector", Privilege::ReadWrite, UpdateOp::Add)};
}

} // namespace septran::compiler
