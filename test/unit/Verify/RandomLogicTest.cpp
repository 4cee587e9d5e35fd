//===- RandomLogicTest.cpp - random programs are valid ----------*- C++ -*-===//
#include "Verify/RandomLogic.h"

#include "Logic/Frontend.h"
#include "test/unit/Support/TestFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

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
void leaf2([[septran::write]] septran::tensor<septran::float16, 1> out,
           septran::tensor<const septran::float16, 3> a,
           float alpha) {
  for (int i = 0; i < out.extent(0); ++i) {
    float acc = 0.0f;
    for (int j = 0; j < a.extent(0); ++j) {
      for (int k = 0; k < a.extent(2); ++k) {
        acc += float(a(j, i, k)) + (std::tanh(alpha) + float(a(j, i, k)));
      }
    }
    out(i) = septran::float16(acc);
  }
}

[[septran::task]]
void stage1([[septran::write]] septran::tensor<septran::float16, 1> p0,
            septran::tensor<const septran::float16, 3> p1,
            float alpha) {
  leaf2(p0, p1, alpha);
}

[[septran::task]]
void entry([[septran::write]] septran::tensor<septran::float16, 1> A,
           septran::tensor<const septran::float16, 3> B,
           float alpha) {
  [[septran::tunable]] const int tile3 = 8;
  auto p5 = septran::partition(A, {tile3});
  auto p6 = septran::partition(B, {B.extent(0), tile3, B.extent(2)});
  for (auto [b4] : septran::parallel(p5.extent(0))) {
    stage1(p5(b4), p6(0, b4, 0), alpha);
  }
}
)");
}

} // namespace
} // namespace septran::compiler
