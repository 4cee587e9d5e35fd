//===- FrontendTest.cpp - what the task graph says about the source -*- C++ -*-===//
//
// Bodies are tested as text by test/Logic; here are the parts that do not print: byte ranges, names
// for callers, files.
//
//===----------------------------------------------------------------------===//
#include "Logic/Frontend.h"

#include "test/unit/Support/TestFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace septran::compiler {
namespace {

class FrontendTest : public testing::Test {
protected:
  TestFolder Own;
  const std::filesystem::path &Folder = Own.Path;
  std::string Main, Source;

  void write(const std::string &Name, const std::string &Text) {
    std::ofstream(Folder / Name, std::ios::binary) << Text;
  }

  std::optional<TaskGraph> read(const std::string &Text) {
    Source = "#include <septran/septran.h>\nusing vector = septran::tensor<float, 1>;\n" + Text;
    write("main.cpp", Source);
    Main = (Folder / "main.cpp").string();
    clang::tooling::FixedCompilationDatabase Flags(Folder.string(), {"-std=c++20"});
    std::optional<TaskGraph> Graph;
    runFrontend(Flags, Main, [&](FrontendResult &Result) { Graph = Result.Graph; });
    return Graph;
  }

  std::string text(const SourceText &T) {
    EXPECT_EQ(T.File, Main);
    EXPECT_EQ(T.Line, 1 + std::count(Source.begin(), Source.begin() + T.Begin, '\n'));
    return Source.substr(T.Begin, T.End - T.Begin);
  }
};

TEST_F(FrontendTest, TextOfFunctions) {
  std::optional<TaskGraph> G =
      read("// before\n"
           "[[septran::task]]\n"
           "/* between */ void plain(vector x) { septran::fill(x, 0); }\n"
           "template <class T> [[septran::leaf(\"f\")]] void templated(T x)\n"
           "{ x(0) = 1; }\n"
           "template void templated(vector);\n"
           "inline void trailing [[septran::leaf]] (vector) {}\n");
  ASSERT_TRUE(G);
  ASSERT_EQ(G->Functions.size(), 5u); // with the blocks of `fill` last
  const Function &Plain = *G->Functions[0], &Templated = *G->Functions[1],
                 &Trailing = *G->Functions[2];
  EXPECT_EQ(text(Plain.BodyText), "{ septran::fill(x, 0); }");
  EXPECT_EQ(text(Plain.DefinitionText),
            "[[septran::task]]\n/* between */ void plain(vector x) { septran::fill(x, 0); }");
  EXPECT_EQ(text(Templated.BodyText), "{ x(0) = 1; }");
  EXPECT_EQ(text(Templated.DefinitionText),
            "template <class T> [[septran::leaf(\"f\")]] void templated(T x)\n{ x(0) = 1; }");
  EXPECT_EQ(text(Trailing.DefinitionText), "inline void trailing [[septran::leaf]] (vector) {}");
}

TEST_F(FrontendTest, Attributes) {
  std::optional<TaskGraph> G =
      read("[[septran::task]] void a([[septran::write]] vector x, [[maybe_unused]] int n) {\n"
           "  [[septran::tunable]] const int tile = 2; septran::fill(x, tile); }\n"
           "[[maybe_unused, septran::leaf(\"b\"), deprecated]] void b(vector) {}\n"
           "[[using septran: leaf]] void c(vector) {}\n");
  ASSERT_TRUE(G);
  std::vector<std::string> Texts;
  for (const SourceText &T : G->Attributes)
    Texts.push_back(text(T));
  EXPECT_EQ(Texts, (std::vector<std::string>{"[[septran::task]]", "[[septran::write]]",
                                             "[[septran::tunable]]", "septran::leaf(\"b\")",
                                             "[[using septran: leaf]]"}));
}

TEST_F(FrontendTest, NamesForCallers) {
  std::optional<TaskGraph> G =
      read("namespace n { inline namespace v1 { namespace {\n"
           "template <class T, int N> [[septran::leaf]] void f(septran::tensor<T, N> x) {}\n"
           "} } }\n"
           "[[septran::task]] void g(septran::tensor<septran::float16, 3> x, vector y) {\n"
           "  n::f(x); septran::fill(y, 0); }\n");
  ASSERT_TRUE(G);
  ASSERT_EQ(G->Functions.size(), 4u); // with the blocks of `fill` last
  EXPECT_EQ(G->Functions[0]->CallName, "n::f<septran::float16, 3>");
  EXPECT_EQ(G->Functions[0]->QualifiedName, "n::f");
  EXPECT_EQ(G->Functions[1]->CallName, "g");
  EXPECT_EQ(G->Functions[2]->CallName, "septran::fill<float>");
}

TEST_F(FrontendTest, EntryCandidates) {
  write("header.h", "[[septran::task]] inline void in_header(vector x) { septran::fill(x, 0); }\n");
  std::optional<TaskGraph> G =
      read("#include \"header.h\"\n"
           "[[septran::task]] void plain(vector x) { in_header(x); }\n"
           "template <class T> [[septran::task]] void templated(T x) { plain(x); }\n"
           "template void templated(vector);\n");
  ASSERT_TRUE(G);
  for (const std::shared_ptr<const Function> &F : G->Functions)
    EXPECT_EQ(F->IsEntryCandidate, F->Name == "plain") << F->Name;
  EXPECT_EQ(G->MainFile, Main);
  ASSERT_FALSE(G->Files.empty());
  EXPECT_EQ(G->Files.front(), Main);
  EXPECT_TRUE(std::any_of(G->Files.begin(), G->Files.end(), [](const std::string &File) {
    return std::filesystem::path(File).filename() == "header.h";
  }));
  EXPECT_EQ(G->variants("plain").size(), 1u);
}

TEST_F(FrontendTest, BodyFromMacroHasNoText) {
  std::optional<TaskGraph> G = read("#define BODY { septran::fill(x, 0); }\n"
                                    "#define ALL [[septran::task]] void b(vector x) BODY\n"
                                    "[[septran::task]] void a(vector x) BODY\n"
                                    "ALL\n");
  ASSERT_TRUE(G);
  ASSERT_GE(G->Functions.size(), 2u);
  // A macro that is exactly the body may be replaced as a whole; a part of a macro may not.
  EXPECT_EQ(text(G->Functions[0]->BodyText), "BODY");
  EXPECT_TRUE(G->Functions[1]->BodyText.File.empty());
}

TEST_F(FrontendTest, ErrorsGiveNoGraph) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(read("[[septran::task]] void a(vector x) { while (true) {} }\n"));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("[septran-not-in-task]"),
            std::string::npos);
}

} // namespace
} // namespace septran::compiler
