//===- RandomLogicTest.cpp - random programs are valid ----------*- C++ -*-===//
#include "Verify/RandomLogic.h"

#include "Logic/Frontend.h"
#include "test/unit/Support/TestFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace septran::compiler {
namespace {

class RandomLogicTest : public testing::Test {
protected:
  TestFolder Own;
  const std::filesystem::path &Folder = Own.Path;

  /// Compiles without warnings, and the front end accepts it.
  bool isValid(const std::string &Text) {
    const std::string File = (Folder / "logic.cpp").string();
    std::ofstream(File) << Text;
    clang::tooling::FixedCompilationDatabase Flags(
        Folder.string(),
        {"-std=c++20", "-Wall", "-Wextra", "-Werror", "-I" SEPTRAN_SOURCE_DIR "/runtime/include"});
    bool HasGraph = false;
    return runFrontend(Flags, File,
                       [&](FrontendResult &Result) { HasGraph = Result.Graph.has_value(); }) &&
           HasGraph;
  }
};

TEST_F(RandomLogicTest, ProgramsAreValid) {
  for (unsigned Seed = 0; Seed < 25; ++Seed) {
    Random R(Seed);
    const std::string Text = randomLogic(R);
    EXPECT_TRUE(isValid(Text)) << "seed " << Seed << "\n" << Text;
  }
}

/// Every construct that the language has for it turns up in some hundred programs.
TEST_F(RandomLogicTest, UsesTheLanguage) {
  std::string All;
  for (unsigned Seed = 0; Seed < 800; ++Seed) {
    Random R(Seed);
    All += randomLogic(R);
  }
  for (const char *Text : {"[[septran::task]]",
                           "[[septran::task(\"",
                           "[[septran::leaf]]",
                           "[[septran::leaf(\"",
                           "[[septran::write]]",
                           "[[septran::reduce(\"+\")]]",
                           "[[septran::reduce(\"*\")]]",
                           "[[septran::reduce(\"min\")]]",
                           "[[septran::reduce(\"max\")]]",
                           "[[septran::tunable]]",
                           "template <class T>",
                           "septran::partition",
                           "septran::windows",
                           "septran::transpose",
                           "septran::subtensor",
                           "septran::broadcast",
                           "septran::reshape",
                           "septran::local",
                           "septran::parallel",
                           "septran::fill",
                           "septran::copy",
                           "septran::convert",
                           "septran::row_sum",
                           "septran::sigmoid",
                           ".origin(",
                           "continue;",
                           "} else {",
                           "for (int s",
                           "extent(0)) - 1",
                           "--i",
                           "std::min",
                           "std::max",
                           "std::tanh",
                           "std::exp",
                           "std::fma",
                           "std::sqrt",
                           " % ",
                           " / ",
                           " & ",
                           " >> ",
                           " ? ",
                           "tensor<float, 1>",
                           "tensor<float, 3>",
                           ", 4> ",
                           "tensor<double, 2>",
                           "tensor<std::int32_t, 2>",
                           "tensor<std::int64_t, ",
                           "tensor<std::int16_t, ",
                           "tensor<std::int8_t, ",
                           "tensor<std::uint8_t, ",
                           "tensor<septran::bfloat16, ",
                           "tensor<septran::float16, ",
                           "tensor<septran::float8_e4m3, ",
                           "tensor<septran::float8_e5m2, ",
                           "tensor<std::uint16_t, ",
                           "tensor<const bool, ",
                           ", 0> ",
                           "while (",
                           "float alpha",
                           "std::int32_t shift"})
    EXPECT_NE(All.find(Text), std::string::npos) << Text;
}

TEST_F(RandomLogicTest, KeepsToItsOptions) {
  RandomLogicOptions Small;
  Small.MaxTensors = 2;
  Small.MaxSteps = 1;
  Small.MaxDepth = 0;
  Small.SmallTypes = false;
  for (unsigned Seed = 0; Seed < 100; ++Seed) {
    Random R(Seed);
    const LogicProgram P = randomLogicProgram(R, Small);
    const LogicFunction &Entry = P.Functions.back();
    EXPECT_EQ(Entry.Name, RandomEntry);
    EXPECT_LE(std::count_if(Entry.Params.begin(), Entry.Params.end(),
                            [](const LogicParameter &Each) { return Each.isTensor(); }),
              2);
    const std::string Text = render(P);
    for (const char *Word : {"stage", "float16", "int8_t", "int16_t"})
      EXPECT_EQ(Text.find(Word), std::string::npos) << Word << "\n" << Text;
  }
}

/// A seed that somebody wrote down must not come to mean another program unnoticed.
/// Whether an iteration is left where there is none.
bool leavesNoLoop(const LogicBlock &B) {
  return std::any_of(B.begin(), B.end(), [](const LogicStmt &S) {
    const bool IsLoop = S.K == LogicStmt::Kind::For || S.K == LogicStmt::Kind::Parallel;
    return S.K == LogicStmt::Kind::Continue ||
           (!IsLoop && (leavesNoLoop(S.Body) || leavesNoLoop(S.Else)));
  });
}

TEST_F(RandomLogicTest, LeavesIterationsInsideOfLoops) {
  for (std::uint64_t Seed = 1; Seed <= 2000; ++Seed) {
    Random R(Seed);
    for (const LogicFunction &F : randomLogicProgram(R).Functions)
      EXPECT_FALSE(leavesNoLoop(F.Body)) << "seed " << Seed << ": " << F.Name;
  }
}

// What a leaf that is not read does not tell.
TEST_F(RandomLogicTest, TellsWhichExtentsAreEqual) {
  for (std::uint64_t Seed = 1; Seed <= 20; ++Seed) {
    Random R(Seed);
    for (const LogicParameter &P : randomLogicProgram(R).Functions.back().Params)
      EXPECT_EQ(int(P.Symbols.size()), std::max(P.Rank, 0)) << "seed " << Seed << ": " << P.Name;
  }
}

TEST_F(RandomLogicTest, SeedDecidesText) {
  auto Draw = [](unsigned Seed) {
    Random R(Seed);
    RandomLogicOptions Short;
    Short.MaxSteps = 1;
    Short.MaxTensors = 2;
    return randomLogic(R, Short);
  };
  EXPECT_EQ(Draw(5), Draw(5));
  EXPECT_NE(Draw(5), Draw(6));
  EXPECT_EQ(Draw(5), R"(#include <septran/leaves.h>
#include <septran/septran.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

[[septran::leaf]]
void leaf2([[septran::reduce("+")]] septran::tensor<septran::bfloat16, 1> out,
           septran::tensor<const septran::bfloat16, 1> a,
           std::int32_t shift) {
  for (int i = int(out.extent(0)) - 1; i >= 0; --i) {
    out(i) += septran::bfloat16(float(a(i)) + std::log1p(std::abs(float(shift % 9))));
  }
}

[[septran::task]]
void entry(septran::tensor<septran::bfloat16, 1> A,
           septran::tensor<const septran::bfloat16, 1> B,
           std::int32_t shift) {
  septran::local<float, 1> t1(A.extent(0));
  septran::convert(t1, A);
  leaf2(A, B, shift);
}
)");
}

} // namespace
} // namespace septran::compiler
