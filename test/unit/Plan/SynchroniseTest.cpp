//===- SynchroniseTest.cpp - what the end of a spread loop is for ---------===//
#include "TaskGraphs.h"

#include "IR/Rewrite.h"

namespace septran::compiler {
namespace {

/// The outermost spread loops, in textual order.
std::vector<const For *> spreadLoops(const Program &P) {
  std::vector<const For *> Loops;
  walkStmts(P.Body, [&](const Stmt &S) {
    if (const auto *F = S.getIf<For>();
        F && !F->Spread.empty() && (!F->Serves.empty() || F->Nowait))
      Loops.push_back(F);
  });
  return Loops;
}

TEST(Synchronise, NamesReadersWritersAndTheNextIteration) {
  Planned P(heatGraph(), R"(
entrypoint: heat
task_mappings:
  heat: {proc: HOST, calls: {"heat_step#1": back}}
  heat_step: {proc: HOST, calls: {copy: lines}}
  back: {task_name: heat_step, proc: HOST, calls: {copy: lines}}
  lines: {task_name: copy, proc: CORE}
)");
  ASSERT_TRUE(P.P) << P.messages();
  std::vector<const For *> Loops = spreadLoops(*P.P);
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0]->Serves,
            (std::vector<std::string>{"U is overwritten by back", "other is read by back"}));
  EXPECT_EQ(
      Loops[1]->Serves,
      (std::vector<std::string>{"U is read by heat_step (next iteration of loop 't')",
                                "other is overwritten by heat_step (next iteration of loop 't')"}));
}

TEST(Synchronise, ResultsAreForTheCaller) {
  Planned P(sumGraph(), R"(
entrypoint: sum
task_mappings:
  sum: {proc: HOST, calls: {sum_leaf: leaf}}
  leaf: {task_name: sum_leaf, proc: CORE}
)");
  ASSERT_TRUE(P.P) << P.messages();
  ASSERT_EQ(spreadLoops(*P.P).size(), 1u);
  EXPECT_EQ(spreadLoops(*P.P)[0]->Serves,
            std::vector<std::string>{"S is read by the caller of sum"});
}

/// Two spread copies: X to Y and, next, `From` to `To`.
TaskGraph twoLoops(const std::string &From, const std::string &To) {
  TaskBuilder L(FunctionKind::Leaf, "move", "", 10);
  TensorRef Out = L.param("Out", 1, Privilege::Write), In = L.param("In", 1, Privilege::Read);
  L.loop("i", extentOf(Out, 0), [&](const Expr &I) { L.store(Out, {I}, load(In, {I})); });
  FunctionRef Leaf = L.done();
  TaskBuilder T(FunctionKind::Task, "both", "", 20);
  std::map<std::string, TensorRef> Names;
  for (const char *N : {"W", "X", "Y", "Z"})
    Names[N] = T.param(N, 1, Privilege::ReadWrite);
  auto Move = [&](const TensorRef &To, const TensorRef &From) {
    T.parallel({{"i", countOf(To, 0, intLit(8))}}, [&](const std::vector<Expr> &I) {
      T.launch(Leaf, {blockOf(To, {{I[0], intLit(8)}}), blockOf(From, {{I[0], intLit(8)}})});
    });
  };
  Move(Names["Y"], Names["X"]);
  Move(Names[To], Names[From]);
  TaskGraph G;
  G.Functions = {T.done(), Leaf};
  return G;
}

const char *const BothSpread = R"(
entrypoint: both
task_mappings:
  both: {proc: HOST, calls: {move: leaf}}
  leaf: {task_name: move, proc: CORE}
)";

TEST(Synchronise, IndependentLoopsMeetOnce) {
  Planned P(twoLoops("X", "Z"), BothSpread);
  ASSERT_TRUE(P.P) << P.messages();
  std::vector<const For *> Loops = spreadLoops(*P.P);
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_TRUE(Loops[0]->Nowait);
  EXPECT_TRUE(Loops[0]->Serves.empty());
  EXPECT_FALSE(Loops[1]->Nowait);
  EXPECT_EQ(Loops[1]->Serves, (std::vector<std::string>{"Y is read by the caller of both",
                                                        "Z is read by the caller of both"}));
  EXPECT_EQ(countIn(P.after("synchronise"), " nowait {"), 1u);
}

TEST(Synchronise, DependentLoopsWaitForEachOther) {
  for (auto [From, To] : {std::pair("Y", "Z"), {"Z", "X"}, {"Z", "Y"}}) {
    Planned P(twoLoops(From, To), BothSpread);
    ASSERT_TRUE(P.P) << P.messages();
    std::vector<const For *> Loops = spreadLoops(*P.P);
    ASSERT_EQ(Loops.size(), 2u);
    EXPECT_FALSE(Loops[0]->Nowait) << From << To;
    EXPECT_EQ(countIn(Loops[0]->Serves.front(), " by leaf"), 1u) << Loops[0]->Serves.front();
  }
}

} // namespace
} // namespace septran::compiler
