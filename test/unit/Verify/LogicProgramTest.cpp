//===- LogicProgramTest.cpp - logic as a structure --------------*- C++ -*-===//
#include "Verify/LogicProgram.h"

#include "gtest/gtest.h"

namespace septran::compiler {
namespace {

std::string body(const LogicFunction &F) {
  const std::string Text = render({{F}});
  return Text.substr(Text.find("[[septran"));
}

TEST(LogicProgramTest, RendersALeaf) {
  LogicFunction F;
  F.Name = "f";
  F.IsLeaf = true;
  F.Params = {{"out", ScalarType::BF16, 1, LogicAccess::Reduce, "max"},
              {"a", ScalarType::F32, 2, LogicAccess::Read, ""},
              {"s", ScalarType::I32, -1, LogicAccess::Read, ""}};
  const LogicExpr Out = element("out", {text("i")}), A = element("a", {text("i"), text("j")});
  F.Body = {forLoop(
      "i", number(0), member("out", "extent", 0),
      {forLoop("j", number(0), member("a", "extent", 1),
               {ifThen(oper("<", text("i"), oper("+", text("j"), number(-1))),
                       {set(Out, "=", callOf("std::max", {Out, castTo(ScalarType::BF16, A)}))},
                       {set(Out, "+=", literal(ScalarType::BF16, 0.5))})},
               -1)},
      2)};
  EXPECT_EQ(body(F), R"([[septran::leaf]]
void f([[septran::reduce("max")]] septran::tensor<septran::bfloat16, 1> out,
       septran::tensor<const float, 2> a,
       [[maybe_unused]] std::int32_t s) {
  for (int i = 0; i < out.extent(0); i += 2) {
    for (int j = int(a.extent(1)) - 1; j >= 0; --j) {
      if (i < (j + (-1))) {
        out(i) = std::max(out(i), septran::bfloat16(a(i, j)));
      } else {
        out(i) += septran::bfloat16(0.5f);
      }
    }
  }
}
)");
}

TEST(LogicProgramTest, RendersATask) {
  LogicFunction F;
  F.Name = "f";
  F.Family = "g";
  F.IsTemplate = true;
  F.Params = {{"A", ScalarType::F32, 1, LogicAccess::Write, ""}};
  F.Body = {tunable("tile", 8),
            define("P", callOf("septran::partition", {text("A"), listOf({text("tile")})})),
            local(ScalarType::F64, "t", {member("A", "extent", 0), number(2)}),
            parallelLoop({"b"}, {member("P", "extent", 0)},
                         {launch("leaf", {element("P", {text("b")}), text("t")})})};
  EXPECT_EQ(body(F), R"([[septran::task("g")]]
void f([[septran::write]] septran::tensor<T, 1> A) {
  [[septran::tunable]] const int tile = 8;
  auto P = septran::partition(A, {tile});
  septran::local<double, 2> t({A.extent(0), 2});
  for (auto [b] : septran::parallel(P.extent(0))) {
    leaf(P(b), t);
  }
}
)");
}

TEST(LogicProgramTest, LiteralsHaveTheType) {
  auto Text = [](ScalarType T, double Value) {
    LogicFunction F;
    F.Body = {scalar(T, "x", literal(T, Value))};
    const std::string All = body(F);
    const size_t From = All.find("= ") + 2;
    return All.substr(From, All.find(';') - From);
  };
  EXPECT_EQ(Text(ScalarType::F32, 2), "2.0f");
  EXPECT_EQ(Text(ScalarType::F64, -0.25), "-0.25");
  EXPECT_EQ(Text(ScalarType::F16, 1.5), "septran::float16(1.5f)");
  EXPECT_EQ(Text(ScalarType::I8, -3), "-3");
}

/// A chain that leads nowhere goes from both variants, from the launch, and then from the caller.
TEST(LogicProgramTest, DropsWhatNothingUses) {
  const LogicParameter Out{"out", ScalarType::F32, 1, LogicAccess::Write, ""},
      In{"in", ScalarType::F32, 1, LogicAccess::Read, ""};
  LogicFunction Leaf, Blocked, Unreached, Entry;
  Leaf.Name = "leaf";
  Leaf.Family = Blocked.Family = "f";
  Leaf.Params = Blocked.Params = {Out, In};
  Leaf.Body = {set(element("out", {number(0)}), "=", number(1))};
  Blocked.Name = "blocked";
  Blocked.Body = {launch("leaf", {text("out"), text("in")})};
  Unreached.Name = "unreached";
  Entry.Name = "entry";
  Entry.Params = {Out, In};
  Entry.Body = {define("view", callOf("septran::transpose", {text("in")})),
                parallelLoop({"b"}, {number(1)}, {}), launch("leaf", {text("out"), text("view")})};
  LogicProgram P{{Leaf, Blocked, Unreached, Entry}};
  dropUnused(P);
  ASSERT_EQ(P.Functions.size(), 3u);
  for (const LogicFunction &F : P.Functions)
    EXPECT_EQ(F.Params, std::vector<LogicParameter>{Out}) << F.Name;
  EXPECT_EQ(P.Functions[1].Body, LogicBlock{launch("leaf", {text("out")})});
  EXPECT_EQ(P.Functions[2].Body, LogicBlock{launch("leaf", {text("out")})});
}

} // namespace
} // namespace septran::compiler
