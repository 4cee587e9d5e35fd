//===- ShapeRelationsTest.cpp - extents of an entry, from its logic -*- C++ -*-===//
#include "Plan/ShapeRelations.h"

#include "Driver/MappedLogic.h"
#include "Logic/Frontend.h"
#include "Machine/ReadMachine.h"
#include "Mapping/ReadMapping.h"
#include "Plan/Passes.h"
#include "Verify/CallSource.h"
#include "test/unit/Support/TestFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

#include <fstream>

namespace septran::compiler {
namespace {

const std::string Root = SEPTRAN_SOURCE_DIR;

/// Front end and the resolve pass on a logic file.
struct Resolved {
  std::optional<TaskGraph> Graph;
  std::optional<ShapeRelations> R;
  std::optional<ShapeRelations> WithTheEntryAsWritten;
  std::string Messages;
};

Resolved resolveFile(const std::string &File, const std::string &MappingText) {
  clang::tooling::FixedCompilationDatabase Flags(
      Root, {"-std=c++20", "-I" + Root + "/runtime/include", "-I" + Root + "/examples"});
  Resolved Result;
  runFrontend(Flags, File, [&](FrontendResult &Front) {
    Result.Graph = Front.Graph;
    Diagnostics D;
    std::optional<Machine> M = readMachine("cpu/generic", shippedMachineFolders(), D);
    std::optional<Mapping> Map = readMappingText(MappingText, "mapping.yaml", D);
    if (Front.Graph && M && Map) {
      const auto Target = std::make_shared<const Machine>(*M);
      runPasses(*Front.Graph, std::make_shared<const Mapping>(*Map), Target, D,
                [&](std::string_view Pass, const Program &P) {
                  if (Pass != "resolve")
                    return;
                  Result.R = shapeRelations(P);
                  const std::optional<Program> AsWritten =
                      resolveAsWritten(*Front.Graph, *P.Entry, Target);
                  ASSERT_TRUE(AsWritten);
                  Result.WithTheEntryAsWritten = shapeRelations(P, &*AsWritten);
                });
    }
    Result.Messages = renderText(D);
  });
  return Result;
}

/// A logic file of the given text under the given mapping of its entry `f`.
Resolved resolveMapped(const std::string &Text, const std::string &TaskMappings) {
  const TestFolder Folder;
  std::ofstream(Folder.Path / "logic.cpp")
      << "#include <septran/septran.h>\n"
         "template <class T> using matrix = septran::tensor<T, 2>;\n"
         "template <class T> using vector = septran::tensor<T, 1>;\n"
      << Text;
  return resolveFile((Folder.Path / "logic.cpp").string(),
                     "machine: cpu/generic\nentrypoint: f\ntask_mappings: " + TaskMappings + "\n");
}

/// All of it on a core.
Resolved resolveText(const std::string &Text, const std::string &Settings = "{}") {
  return resolveMapped(Text, "{f: " + Settings + "}");
}

std::optional<Extents> shape(const ShapeRelations &R,
                             std::vector<std::pair<std::string, std::int64_t>> Given,
                             const ScalarValues &Scalars = {}) {
  Extents Known;
  for (const auto &[Name, Value] : Given) {
    const EntryExtent *E = R.find(Name);
    if (!E)
      return std::nullopt;
    Known[E->Ref] = Value;
  }
  return completeShape(R, Known, Scalars);
}

TEST(ShapeRelations, FollowFromWhatTheLeavesIndex) {
  Resolved L = resolveText(R"(
[[septran::leaf]] void leaf(matrix<float> c, matrix<const float> a, vector<const float> b) {
  for (int i = 0; i < c.extent(0); ++i)
    for (int j = 0; j < c.extent(1); ++j)
      c(i, j) += a(j, i + 2) * b(2 * i + 3);
}
[[septran::task]] void f(matrix<float> c, matrix<const float> a, vector<const float> b) {
  leaf(c, a, b);
}
)");
  ASSERT_TRUE(L.R) << L.Messages;
  EXPECT_TRUE(L.R->find("c[0]")->isFree());
  EXPECT_TRUE(L.R->find("c[1]")->isFree());
  std::optional<Extents> S = shape(*L.R, {{"c[0]", 5}, {"c[1]", 4}});
  ASSERT_TRUE(S);
  EXPECT_EQ(S->at({1, 0}), 4);
  EXPECT_EQ(S->at({1, 1}), 7);
  EXPECT_EQ(S->at({2, 0}), 12); // the last index is 2 * 4 + 3
  EXPECT_FALSE(shape(*L.R, {{"c[0]", 5}})) << "a free extent is missing";
  EXPECT_EQ(L.R->find("c[2]"), nullptr);
}

TEST(ShapeRelations, FollowThroughBlocksAndTranspositions) {
  Resolved L = resolveText(R"(
[[septran::leaf]] void leaf(matrix<float> c, matrix<const float> a) {
  for (int i = 0; i < c.extent(0); ++i)
    for (int j = 0; j < c.extent(1); ++j)
      c(i, j) += a(i, j);
}
[[septran::task]] void f(matrix<float> c, matrix<const float> a) {
  [[septran::tunable]] const int tile_m = 8, tile_n = 16;
  auto cp = septran::partition(c, {tile_m, tile_n});
  auto ap = septran::partition(septran::transpose(a), {tile_m, tile_n});
  for (auto [i, j] : septran::parallel(cp.shape()))
    leaf(cp(i, j), ap(i, j));
}
)",
                           "{tunables: {tile_m: 6}}");
  ASSERT_TRUE(L.R) << L.Messages;
  EXPECT_EQ(L.R->find("c[0]")->Tiles, (std::vector<std::int64_t>{6}));
  EXPECT_EQ(L.R->find("M"), L.R->find("c[0]"));
  EXPECT_EQ(L.R->find("n")->Tiles, (std::vector<std::int64_t>{16}));
  for (std::int64_t M : {1, 6, 7, 13}) {
    std::optional<Extents> S = shape(*L.R, {{"M", M}, {"N", 33}});
    ASSERT_TRUE(S);
    EXPECT_EQ(S->at({1, 0}), 33);
    EXPECT_EQ(S->at({1, 1}), M);
  }
}

TEST(ShapeRelations, MayDependOnIntegerArguments) {
  Resolved L = resolveText(R"(
[[septran::leaf]] void leaf(vector<float> y, vector<const float> x, int step) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += x(i * step);
}
[[septran::task]] void f(vector<float> y, vector<const float> x, int step) { leaf(y, x, step); }
)");
  ASSERT_TRUE(L.R) << L.Messages;
  std::optional<Extents> S = shape(*L.R, {{"y[0]", 5}}, {{"step", 3}});
  ASSERT_TRUE(S);
  EXPECT_GE(S->at({1, 0}), 13);
  EXPECT_LE(S->at({1, 0}), 15);
  EXPECT_FALSE(shape(*L.R, {{"y[0]", 5}})) << "the argument has no value";
}

// From the last element on, and in one block that is longer than the tensor.
TEST(ShapeRelations, FollowFromLoopsThatCountDown) {
  Resolved L = resolveText(R"(
[[septran::leaf]] void leaf(matrix<float> c, matrix<const float> a) {
  for (int i = int(c.extent(0)) - 1; i >= 0; --i)
    for (int j = 0; j < c.extent(1); ++j)
      c(i, j) += a(i, j);
}
[[septran::task]] void f(matrix<float> c, matrix<const float> a) {
  [[septran::tunable]] const int tile = 8;
  auto cp = septran::partition(c, {tile, c.extent(1)});
  auto ap = septran::partition(a, {tile, a.extent(1)});
  for (auto [i] : septran::parallel(cp.extent(0)))
    leaf(cp(i, 0), ap(i, 0));
}
)",
                           "{tunables: {tile: 256}}");
  ASSERT_TRUE(L.R) << L.Messages;
  for (std::int64_t M : {1, 100, 256, 300}) {
    std::optional<Extents> S = shape(*L.R, {{"c[0]", M}, {"c[1]", 3}});
    ASSERT_TRUE(S);
    EXPECT_EQ(S->at({1, 0}), M);
    EXPECT_EQ(S->at({1, 1}), 3);
  }
}

// The leaf is opaque: blocks alone tell.
TEST(ShapeRelations, FollowFromBlocksOfOneElement) {
  Resolved L = resolveText(R"(
[[septran::leaf]] void leaf(vector<float> c, vector<const float> a) {
  int i = 0;
  while (i < c.extent(0)) {
    c(i) += a(i);
    ++i;
  }
}
[[septran::task]] void f(vector<float> c, vector<const float> a) {
  auto cp = septran::partition(c, {1});
  auto ap = septran::partition(a, {1});
  for (auto [i] : septran::parallel(cp.extent(0)))
    leaf(cp(i), ap(i));
}
)");
  ASSERT_TRUE(L.R) << L.Messages;
  std::optional<Extents> S = shape(*L.R, {{"c[0]", 7}});
  ASSERT_TRUE(S);
  EXPECT_EQ(S->at({1, 0}), 7);
}

TEST(ShapeRelations, AreAlsoThoseOfTheEntryAsWritten) {
  const std::string Logic = R"(
[[septran::leaf("difference")]] void forward(vector<float> y, vector<const float> x) {
  for (int i = 0; i < y.extent(0); ++i)
    y(i) += x(i + 3) - x(i);
}
[[septran::leaf("difference")]] void first(vector<float> y, vector<const float> x) {
  y(0) += x(3) - x(0);
}
[[septran::task]] void f(vector<float> y, vector<const float> x) { forward(y, x); }
)";
  Resolved L = resolveMapped(Logic, "{f: {calls: {difference: chosen}}, chosen: {task_name: first}}");
  ASSERT_TRUE(L.R) << L.Messages;
  std::optional<Extents> S = shape(*L.R, {{"y[0]", 5}});
  ASSERT_TRUE(S);
  EXPECT_EQ(S->at({1, 0}), 4);
  S = shape(*L.WithTheEntryAsWritten, {{"y[0]", 5}});
  ASSERT_TRUE(S);
  EXPECT_EQ(S->at({1, 0}), 8) << "the plain program reads x(4 + 3)";
}

TEST(ShapeRelations, CanBeTied) {
  Resolved L = resolveText(R"(
[[septran::leaf]] void leaf(vector<float> c, vector<const float> a, vector<const float> b) {
  int i = 0;
  while (i < c.extent(0)) {
    c(i) += a(i) * b(i);
    ++i;
  }
}
[[septran::task]] void f(vector<float> c, vector<const float> a, vector<const float> b) {
  leaf(c, a, b);
}
)");
  ASSERT_TRUE(L.R) << L.Messages;
  EXPECT_FALSE(shape(*L.R, {{"c[0]", 7}}));
  tie(*L.R, {{0, 0}, {2, 0}});
  EXPECT_FALSE(shape(*L.R, {{"c[0]", 7}}));
  EXPECT_EQ(shape(*L.R, {{"c[0]", 7}, {"a[0]", 5}}),
            (Extents{{{0, 0}, 7}, {{1, 0}, 5}, {{2, 0}, 7}}));
}

TEST(ShapeRelations, OfExamplesGiveShapesThatFit) {
  Resolved L =
      resolveFile(Root + "/examples/matmul/matmul.cpp",
                  "machine: cpu/generic\nentrypoint: matmul\ntask_mappings: {matmul: {}}\n");
  ASSERT_TRUE(L.R) << L.Messages;
  std::optional<Extents> S = shape(*L.R, {{"C[0]", 3}, {"C[1]", 5}, {"A[1]", 7}});
  ASSERT_TRUE(S);
  EXPECT_EQ(
      *S, (Extents{{{0, 0}, 3}, {{0, 1}, 5}, {{1, 0}, 3}, {{1, 1}, 7}, {{2, 0}, 7}, {{2, 1}, 5}}));
}

const Function *entryOf(const TaskGraph &G, const std::string &Name) {
  for (const auto &F : G.Functions)
    if (F->Name == Name)
      return F.get();
  return nullptr;
}

TEST(CallSource, PassesEveryArgumentWithItsType) {
  Resolved L = resolveText(R"(
[[septran::leaf]]
void leaf([[septran::write]] matrix<double> y, vector<const int> x, bool on, float s) {
  for (int i = 0; i < y.extent(0); ++i)
    for (int j = 0; j < y.extent(1); ++j)
      y(i, j) = on ? double(x(i)) : double(s);
}
[[septran::task]]
void f([[septran::write]] matrix<double> y, vector<const int> x, bool on, float s) {
  leaf(y, x, on, s);
}
)");
  ASSERT_TRUE(L.Graph) << L.Messages;
  const Function *F = entryOf(*L.Graph, "f");
  ASSERT_TRUE(F);
  std::string Text = callSource("/a \"b\"\\c.cpp", *F);
  EXPECT_NE(Text.find("\n#include \"/a \\\"b\\\"\\\\c.cpp\"\n"), std::string::npos) << Text;
  for (const char *Part :
       {"::f(", "tensor_argument<double, 2>(a[0])", "tensor_argument<const std::int32_t, 1>(a[1])",
        "scalar_argument<bool>(a[2])", "scalar_argument<float>(a[3])", "septran_verify_call",
        "septran_verify_threads"})
    EXPECT_NE(Text.find(Part), std::string::npos) << Part << " in\n" << Text;

  std::string Emulated = emulatedCallSource("/g.cpp", *F, {true, false, false, false});
  for (const char *Part : {"#include <septran/verify/device.h>", "device0(a[0], 2, sizeof(double))",
                           "::f(", "tensor_argument<double, 2>(a[0])", "septran_verify_call",
                           "choose_schedule(threads)"})
    EXPECT_NE(Emulated.find(Part), std::string::npos) << Part << " in\n" << Emulated;
  EXPECT_EQ(Emulated.find("device1"), std::string::npos) << "x is the host's";

  std::string Reference = referenceCallSource("/l.cpp", "// retyped\n", *F, "reference::f");
  for (const char *Part : {"// retyped\n", "::reference::f(t0.writable(), t1.readable(), ",
                           "scalar_shadow<bool>(a[2])", "scalar_shadow<float>(a[3])",
                           "tensor_shadow<double, 2> t0;", "first.t0.store(a[0]);"})
    EXPECT_NE(Reference.find(Part), std::string::npos) << Part << " in\n" << Reference;
  EXPECT_EQ(Reference.find("t1.store"), std::string::npos) << "x is only read";
}

} // namespace
} // namespace septran::compiler
