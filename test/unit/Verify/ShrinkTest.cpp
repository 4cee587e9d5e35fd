//===- ShrinkTest.cpp - smallest cases --------------------------*- C++ -*-===//
#include "Verify/Shrink.h"

#include "Verify/RandomLogic.h"

#include "gtest/gtest.h"

#include <algorithm>

namespace septran::compiler {
namespace {

bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

const char *const Large = R"yaml(machine: cpu/generic
entrypoint: f
task_mappings:
  f:
    task_name: f
    proc: HOST
    mems: {A: CACHE, B: GLOBAL}
    tunables: {tile: 48, other: full}
    calls: {g: g_1, "h#1": h_1}
    resident: [A]
    parallelize: {schedule: dynamic, chunk: 2, threads: 3}
  g_1:
    task_name: g
    calls: {k: k_1}
    layouts: {a: column, b: "pad(7)"}
    vectorize: {loop: i, width: 4}
  h_1:
    task_name: h
  k_1:
    task_name: k
    mems: {x: CACHE}
)yaml";

TEST(ShrinkTest, MappingKeepsWhatTheFailureNeeds) {
  const std::string Small = shrinkMapping(
      Large, [](const std::string &T) { return has(T, "tile:") && has(T, "b: \"pad("); },
      {1000, {}});
  EXPECT_EQ(Small, R"yaml(machine: cpu/generic
entrypoint: f
task_mappings:
  f:
    task_name: f
    tunables: {tile: 1}
    calls: {g: g_1}
  g_1:
    task_name: g
    layouts: {b: "pad(1)"}
)yaml");
}

TEST(ShrinkTest, MappingLosesWholeBranches) {
  const std::string Small = shrinkMapping(Large, [](const std::string &) { return true; });
  EXPECT_EQ(Small, "machine: cpu/generic\nentrypoint: f\ntask_mappings:\n  f:\n    task_name: f\n");
}

TEST(ShrinkTest, NumbersStopWhereTheFailureDoes) {
  const std::string Small =
      shrinkMapping(Large,
                    [](const std::string &T) {
                      const size_t At = T.find("tile: ");
                      return At != std::string::npos && std::stoi(T.substr(At + 6)) >= 7;
                    },
                    {1000, {}});
  EXPECT_TRUE(has(Small, "tile: 7}")) << Small;
}

TEST(ShrinkTest, StopsAfterTheTriesItHas) {
  unsigned Calls = 0, Reported = 0;
  shrinkMapping(Large,
                [&](const std::string &) {
                  ++Calls;
                  return false;
                },
                {5, [&](unsigned Tries, bool Taken) {
                   EXPECT_FALSE(Taken);
                   Reported = Tries;
                 }});
  EXPECT_EQ(Calls, 5u);
  EXPECT_EQ(Reported, 5u);
}

TEST(ShrinkTest, UnreadableMappingStaysAsItIs) {
  EXPECT_EQ(shrinkMapping("nonsense: [", [](const std::string &) { return true; }), "nonsense: [");
}

/// What is left of a random program when only one function of the math library has to stay.
TEST(ShrinkTest, LogicKeepsWhatTheFailureNeeds) {
  unsigned Shrunk = 0;
  for (unsigned Seed = 0; Seed < 12; ++Seed) {
    Random R(Seed);
    const LogicProgram P = randomLogicProgram(R);
    auto Fails = [](const LogicProgram &Q) { return has(render(Q), "std::atan("); };
    if (!Fails(P))
      continue;
    ++Shrunk;
    const LogicProgram Small = shrinkLogic(P, Fails, {3000, {}});
    EXPECT_TRUE(Fails(Small));
    const std::string Text = render(Small);
    EXPECT_LE(std::count(Text.begin(), Text.end(), '\n'), 45) << Text;
    EXPECT_EQ(Small, shrinkLogic(P, Fails, {3000, {}})) << "seed " << Seed;
  }
  EXPECT_GT(Shrunk, 0u);
}

TEST(ShrinkTest, SimplerProgramsOfALaunch) {
  LogicFunction Leaf, Blocks, Entry;
  Leaf.Name = "leaf";
  Leaf.Family = Blocks.Family = "f";
  Leaf.IsLeaf = true;
  Blocks.Name = "blocks";
  Leaf.Params = Blocks.Params = Entry.Params = {{"A", ScalarType::F32, 1, LogicAccess::Write, ""}};
  Leaf.Body = {forLoop("i", number(0), member("A", "extent", 0),
                       {set(element("A", {text("i")}), "=", oper("+", text("i"), number(3)))})};
  Blocks.Body = {launch("leaf", {text("A")})};
  Entry.Name = "entry";
  Entry.Body = {launch("blocks", {text("A")})};
  std::string All;
  for (const LogicProgram &Q : simplerOnes({{Leaf, Blocks, Entry}}))
    All += render(Q);
  EXPECT_TRUE(has(All, "\n  leaf(A);\n}\n#include")) << "the entry launches another variant";
  EXPECT_TRUE(has(All, "  A(0) = 0 + 3;")) << "one iteration instead of a loop";
  EXPECT_TRUE(has(All, "    A(i) = i;")) << "an operand instead of an operator";
}

} // namespace
} // namespace septran::compiler
