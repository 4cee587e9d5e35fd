//===- ChooseShapesTest.cpp - shapes from relations and refusals --*- C++ -*-===//
#include "Verify/ChooseShapes.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

namespace septran::compiler {
namespace {

/// Tensors of an entry, a scalar "step", and how the extents hang together.
struct Relations : ShapeRelations {
  void tensor(const std::string &Name, unsigned Rank) {
    Parameter P;
    P.Name = Name;
    P.Tensor = makeTensor(Name, ScalarType::F32, Rank, TensorKind::Parameter);
    Params.push_back(P);
  }
  void scalar(const std::string &Name, ScalarType T) {
    Parameter P;
    P.Name = Name;
    P.Scalar = makeVar(Name, T, VarKind::Scalar);
    Params.push_back(P);
  }
  void extent(unsigned Param, unsigned Dim, std::vector<Expr> AtLeast = {},
              std::vector<std::int64_t> Tiles = {}, const std::string &Short = "") {
    Extents.push_back({{Param, Dim},
                       Params[Param].Name + "[" + std::to_string(Dim) + "]",
                       Short,
                       std::move(AtLeast),
                       /*Least=*/0,
                       std::move(Tiles)});
  }
};

using Refusals = std::vector<std::optional<Refusal>>;

/// Accepts what `Good` does.
template <class F> auto accepting(F Good) {
  return [Good](const std::vector<ShapeChoice> &All, unsigned) {
    Refusals R;
    for (const ShapeChoice &C : All)
      R.push_back(Good(C) ? std::nullopt : std::optional(Refusal{"it does not fit"}));
    return R;
  };
}
auto everything() {
  return accepting([](const ShapeChoice &) { return true; });
}

ShapeRequest request(unsigned Count, std::int64_t Work = 1 << 18, std::int64_t LargeWork = 1 << 22,
                     std::uint64_t Seed = 1) {
  return {{}, Count, Work, LargeWork, Seed};
}

std::set<std::int64_t> valuesOf(const ShapePlan &P, ExtentRef Ref) {
  std::set<std::int64_t> Values;
  for (const ShapeChoice &C : P.Shapes)
    Values.insert(C.Shape.at(Ref));
  return Values;
}

ShapeSpec spec(const std::string &Text) {
  std::string Problem;
  return parseShapeSpec(Text, Problem).value_or(ShapeSpec{"?" + Problem, {}});
}

TEST(ParseShapeSpec, TakesNumbersListsAndRanges) {
  EXPECT_EQ(spec("M=64").Values, (std::vector<std::int64_t>{64}));
  EXPECT_EQ(spec("C[0]=7,5").Name, "C[0]");
  EXPECT_EQ(spec("C[0]=7,5,7").Values, (std::vector<std::int64_t>{5, 7}));
  EXPECT_EQ(spec("n=-1..2,9").Values, (std::vector<std::int64_t>{-1, 0, 1, 2, 9}));
  for (const char *Bad : {"", "M", "=3", "M=", "M=a", "M=3,", "M=1..", "M=..2", "M=1.5", "M=3 "})
    EXPECT_EQ(spec(Bad).Name.substr(0, 1), "?") << Bad;
  EXPECT_NE(spec("M=3..1").Name.find("empty"), std::string::npos);
  EXPECT_NE(spec("M=1..1000000").Name.find("more than"), std::string::npos);
}

TEST(ChooseShapes, GoesAroundEveryBlockSize) {
  Relations R;
  R.tensor("A", 1);
  R.extent(0, 0, {}, {16});
  ShapePlan P = chooseShapes(R, request(40), everything());
  EXPECT_EQ(P.Problem, "");
  std::set<std::int64_t> Values = valuesOf(P, {0, 0});
  for (std::int64_t V : {1, 15, 16, 17, 32, 35, 47})
    EXPECT_TRUE(Values.contains(V)) << V;
  EXPECT_GT(*Values.rbegin(), 100000) << "no large one";
}

TEST(ChooseShapes, KeepsRelationsAndBoundsWork) {
  Relations R;
  R.tensor("C", 2);
  R.tensor("A", 2);
  R.extent(0, 0, {}, {64});
  R.extent(0, 1, {}, {128});
  R.extent(1, 0, {extentOf(R.Params[0].Tensor, 0) + intLit(2)});
  R.extent(1, 1, {extentOf(R.Params[0].Tensor, 1), intLit(5)});
  ShapePlan P = chooseShapes(R, request(30, 5000, 0), everything());
  EXPECT_GE(P.Shapes.size(), 20u);
  EXPECT_LE(P.Shapes.size(), 31u);
  for (const ShapeChoice &C : P.Shapes) {
    EXPECT_EQ(C.Shape.at({1, 0}), C.Shape.at({0, 0}) + 2);
    EXPECT_EQ(C.Shape.at({1, 1}), std::max<std::int64_t>(C.Shape.at({0, 1}), 5));
    EXPECT_LE(C.Shape.at({0, 0}) * C.Shape.at({0, 1}), 5000);
  }
}

TEST(ChooseShapes, TakesTheUsersValuesAndNoOthers) {
  Relations R;
  R.tensor("C", 2);
  R.scalar("step", ScalarType::I32);
  R.scalar("scale", ScalarType::F32);
  R.extent(0, 0, {}, {8}, "M");
  R.extent(0, 1, {});
  ShapeRequest Request;
  Request.Specs = {spec("m=3..6"), spec("step=2")};
  ShapePlan P = chooseShapes(R, Request, everything());
  EXPECT_EQ(valuesOf(P, {0, 0}), (std::set<std::int64_t>{3, 4, 5, 6}));
  EXPECT_GE(valuesOf(P, {0, 1}).size(), 4u);
  for (const ShapeChoice &C : P.Shapes) {
    EXPECT_EQ(C.Scalars.at("step"), 2);
    EXPECT_FALSE(C.Scalars.contains("scale"));
  }
  Request.Specs = {spec("Q=3")};
  EXPECT_NE(chooseShapes(R, Request, everything())
                .Problem.find("there is no extent or integer "
                              "argument 'Q'"),
            std::string::npos);
}

// Blocks of 6 of the first must be no more than windows of the second, which only many show.
TEST(ChooseShapes, GrowsTheLargeOneOnlyAsFarAsIsAccepted) {
  Relations R;
  R.tensor("y", 1);
  R.tensor("x", 1);
  R.extent(0, 0, {}, {6});
  R.extent(1, 0);
  auto Fits = [](const ShapeChoice &C) {
    return (C.Shape.at({0, 0}) + 5) / 6 <= (C.Shape.at({1, 0}) + 5) / 6;
  };
  ShapePlan P = chooseShapes(R, request(24), accepting(Fits));
  for (const ShapeChoice &C : P.Shapes)
    EXPECT_TRUE(Fits(C)) << C.Shape.at({0, 0}) << " " << C.Shape.at({1, 0});
  EXPECT_GT(*valuesOf(P, {0, 0}).rbegin(), 500) << "no large one";
}

/// Work that takes too long is not tried again, for one extent after the other.
TEST(ChooseShapes, TakesTheLargestThatIsQuick) {
  Relations R;
  R.tensor("A", 2);
  R.extent(0, 0);
  R.extent(0, 1);
  const auto Elements = [](const ShapeChoice &C) {
    return C.Shape.at({0, 0}) * C.Shape.at({0, 1});
  };
  std::set<std::int64_t> TooLong;
  ShapePlan P = chooseShapes(
      R, request(24, 1 << 12), [&](const std::vector<ShapeChoice> &All, unsigned Seconds) {
        Refusals Answers(All.size());
        for (size_t I = 0; I < All.size(); ++I)
          if (Elements(All[I]) > 100000) {
            EXPECT_EQ(Seconds, 1u);
            EXPECT_TRUE(TooLong.empty() || Elements(All[I]) < *TooLong.begin());
            TooLong.insert(Elements(All[I]));
            Answers[I] = Refusal{"it takes too long", false};
          }
        return Answers;
      });
  std::int64_t Largest = 0;
  for (const ShapeChoice &C : P.Shapes)
    Largest = std::max(Largest, Elements(C));
  EXPECT_GT(Largest, 100000 / 4);
  EXPECT_LE(Largest, 100000);
  EXPECT_FALSE(TooLong.empty());
}

TEST(ChooseShapes, LeavesOutValuesThatAreRefused) {
  Relations R;
  R.tensor("A", 1);
  R.scalar("step", ScalarType::I64);
  R.extent(0, 0);
  ShapePlan P = chooseShapes(R, {}, accepting([](const ShapeChoice &C) {
                               return C.Shape.at({0, 0}) % 2 == 1 && C.Scalars.at("step") != 0;
                             }));
  EXPECT_GT(P.Refused, 0u);
  ASSERT_GE(P.Shapes.size(), 3u);
  for (const ShapeChoice &C : P.Shapes)
    EXPECT_TRUE(C.Shape.at({0, 0}) % 2 == 1 && C.Scalars.at("step") != 0);
}

TEST(ChooseShapes, LearnsThatExtentsGoTogether) {
  Relations R;
  for (const char *Name : {"A", "B", "C"}) {
    R.tensor(Name, 1);
    R.extent(unsigned(R.Params.size()) - 1, 0);
  }
  ShapePlan P = chooseShapes(R, {}, accepting([](const ShapeChoice &C) {
                               return C.Shape.at({0, 0}) == C.Shape.at({2, 0});
                             }));
  std::set<std::int64_t> Joint = valuesOf(P, {0, 0}), Free = valuesOf(P, {1, 0});
  EXPECT_GE(Joint.size(), 5u);
  EXPECT_GE(Free.size(), 5u);
  for (const ShapeChoice &C : P.Shapes)
    EXPECT_EQ(C.Shape.at({0, 0}), C.Shape.at({2, 0}));
}

TEST(ChooseShapes, SaysWhatThePlainProgramSays) {
  Relations R;
  R.tensor("A", 1);
  R.extent(0, 0);
  ShapePlan P = chooseShapes(R, {}, accepting([](const ShapeChoice &) { return false; }));
  EXPECT_TRUE(P.Shapes.empty());
  EXPECT_EQ(P.Problem, "the plain program accepts none of the shapes that were tried; it says: it "
                       "does not fit");
}

TEST(ChooseShapes, DependsOnTheSeedAlone) {
  Relations R;
  R.tensor("C", 2);
  R.extent(0, 0, {}, {5});
  R.extent(0, 1, {}, {7});
  auto ShapesOf = [&](std::uint64_t Seed) {
    return chooseShapes(R, request(12, 1 << 18, 1 << 22, Seed), everything()).Shapes;
  };
  EXPECT_EQ(ShapesOf(3), ShapesOf(3));
  EXPECT_NE(ShapesOf(3), ShapesOf(4));
}

} // namespace
} // namespace septran::compiler
