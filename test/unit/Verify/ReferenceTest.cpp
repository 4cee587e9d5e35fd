//===- ReferenceTest.cpp - what a reference is, and why there may be none -===//
//
// That references compile and compute the right thing is tested with septran-verify, see
// test/Verify/reference.test. Here are their texts, and all reasons to have none.
//
//===----------------------------------------------------------------------===//
#include "Verify/Reference.h"

#include "test/unit/Support/TestFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

namespace septran::compiler {
namespace {

class ReferenceTest : public testing::Test {
protected:
  TestFolder Own;
  const std::filesystem::path &Folder = Own.Path;

  /// The reference of `entry`, the last task of the file.
  ReferenceText read(const std::string &Logic) {
    const std::string File = (Folder / "logic.cpp").string();
    std::ofstream(File)
        << "#include <septran/leaves.h>\n"
           "#include <bit>\n#include <cmath>\n#include <cstdint>\n#include <cstring>\n"
           "template <class T> using vector = septran::tensor<T, 1>;\n"
        << Logic;
    clang::tooling::FixedCompilationDatabase Flags(Folder.string(), {"-std=c++20", "-w"});
    ReferenceText Text;
    Text.Reason = "the logic has errors";
    runFrontend(Flags, File, [&](FrontendResult &Result) {
      if (Result.Graph)
        for (const auto &F : Result.Graph->Functions)
          if (F->Name == "entry")
            Text = referenceSource(Result, *F);
    });
    return Text;
  }

  /// The reference of an opaque or plain leaf with this body, on float vectors x and y.
  ReferenceText leaf(const std::string &Body, const std::string &Before = "") {
    return read(Before +
                "\n[[septran::leaf]] void leaf([[septran::write]] vector<float> y, "
                "vector<const float> x) {\n" +
                Body +
                "\n}\n[[septran::task]] void entry([[septran::write]] vector<float> y, "
                "vector<const float> x) { leaf(y, x); }\n");
  }
  static bool has(const ReferenceText &T, const std::string &Part) {
    return T.Text.find(Part) != std::string::npos;
  }
};

TEST_F(ReferenceTest, CopiesWhatIsReachedInItsNamespaces) {
  const ReferenceText T =
      read("namespace a { constexpr float one = 1, two = 2; constexpr float unused = 3; }\n"
           "namespace b { float add(float x);\n"
           "template <class T> [[septran::leaf]] void leaf(vector<T> y) { y(0) += add(a::two); }\n"
           "float add(float x) { return x + a::two; }\n"
           "[[septran::task]] void entry(vector<float> y) {\n"
           "  [[septran::tunable]] const int tile = 4;\n"
           "  auto p = septran::partition(y, {tile});\n"
           "  for (auto [i] : septran::parallel(p.shape())) leaf(p(i));\n} }\n");
  EXPECT_EQ(T.Reason, "");
  EXPECT_EQ(T.EntryName, "septran_reference::b::entry");
  EXPECT_EQ(T.Tunables, std::vector<std::string>{"entry.tile"});
  EXPECT_TRUE(has(T, "constexpr ::septran::verify::real<float> one = 1, two = 2;")) << T.Text;
  EXPECT_FALSE(has(T, "unused"));
  EXPECT_TRUE(has(T, "tile = ::septran::verify::tunable(\"entry.tile\", 4)"));
  EXPECT_TRUE(has(T, "real<float> add(::septran::verify::real<float> x);")) << "its prototype";
  EXPECT_TRUE(has(T, "#line 9 \"")) << "where it comes from";
  EXPECT_LT(T.Text.find("add(::septran::verify::real<float> x);"),
            T.Text.find("y(0) += add(a::two)"));
}

TEST_F(ReferenceTest, ReplacesEverySpellingOfANumber) {
  const ReferenceText T = leaf("const REAL h = 0.5; double d = EPSILON; half q = half(x(0));\n"
                               "int n = x(0) * 2; int m = static_cast<int>(x(0));\n"
                               "y(0) = n > m ? x(0) : 0.5; y(0) += sizeof(float) + float(q) + h + "
                               "float(d) + NAN;\n"
                               "std::max(x(0), 1.0f); ::fabsf(x(0)); fill(y, 1.0f);",
                               "#define REAL float\n#define EPSILON (1e-3)\n"
                               "using half = septran::float16; using namespace septran;");
  EXPECT_EQ(T.Reason, "");
  for (const char *Part :
       {"const ::septran::verify::real<float> h = ::septran::verify::real<double>(0.5);",
        "double> d = ::septran::verify::lift(EPSILON);",
        "using half = ::septran::verify::real<::septran::float16>;",
        "int n = ::septran::verify::implicit(x(0) * 2);", "int m = static_cast<int>(x(0));",
        "? ::septran::verify::real<double>(x(0)) : ::septran::verify::real<double>(0.5);",
        "(::septran::verify::size_of<::septran::verify::real<float>>)",
        "::septran::verify::lift(NAN)", "::septran_reference::std::fabsf(x(0))",
        "septran::fill(y, ::septran::verify::real<float>(1.0f))"})
    EXPECT_TRUE(has(T, Part)) << Part << " in\n" << T.Text;
}

TEST_F(ReferenceTest, LeavesSayTheirNames) {
  const ReferenceText T = leaf("for (int i = 0; i < 4; ++i) y(i) = x(i);");
  EXPECT_TRUE(has(T, "{ const ::septran::verify::primitive_scope "
                     "septran_primitive(\"leaf\");\nfor"))
      << T.Text;
}

TEST_F(ReferenceTest, CopiesStandardLeavesApart) {
  const ReferenceText T = read("[[septran::task]] void entry([[septran::write]] vector<float> y, "
                               "vector<const float> x) { septran::exp(y, x); }\n");
  EXPECT_EQ(T.Reason, "");
  const size_t Leaf = T.Text.find("namespace septran::reference {");
  const size_t Using =
      T.Text.find("namespace septran_reference::septran { using ::septran::reference::exp; }");
  const size_t User = T.Text.find("namespace septran_reference {");
  EXPECT_LT(Leaf, Using) << T.Text;
  EXPECT_LT(Using, User) << T.Text;
  EXPECT_TRUE(has(T, "dst(i) = T(std::exp(src(i)))")) << "its std is septran_reference::std";
}

TEST_F(ReferenceTest, HasReasons) {
  const auto Reason = [&](const std::string &Body, const std::string &Before = "") {
    const ReferenceText T = leaf(Body, Before);
    EXPECT_EQ(T.Text.empty(), !T.Reason.empty()) << Body;
    EXPECT_TRUE(T.Reason.empty() || T.ReasonLoc.isValid()) << Body;
    return T.Reason;
  };
  const std::string Bytes = "a look at the bytes of floating-point numbers";
  EXPECT_EQ(Reason("float f = x(0); std::uint32_t b; std::memcpy(&b, &f, 4); y(0) = b;"), Bytes);
  EXPECT_EQ(Reason("y(0) = *reinterpret_cast<const int *>(x.data());"), Bytes);
  EXPECT_EQ(Reason("y(0) = std::bit_cast<std::uint32_t>(x(0));"),
            "a look at the bits of a floating-point number");
  EXPECT_EQ(Reason("septran::float16 h = x(0); y(0) = h.bits();"),
            "the bits of a floating-point number");
  EXPECT_EQ(Reason("union { float f; int i; } u; u.f = x(0); y(0) = u.i;"),
            "a union with a floating-point member");
  EXPECT_EQ(Reason("y(0) = std::tgamma(x(0));"), "'tgamma', whose rounding is not known");
  EXPECT_EQ(Reason("y(0) = __builtin_expf(x(0));"),
            "'__builtin_expf', whose rounding is not known");
  EXPECT_EQ(Reason("y(0) = outside(x(0));", "float outside(float);"),
            "'outside', which has no definition here");
  EXPECT_EQ(Reason("y(0) = outside;", "extern float outside;"),
            "'outside', which has no definition here");
  EXPECT_EQ(Reason("long double q = x(0); y(0) = float(q);"), "the type 'long double'");
  EXPECT_EQ(Reason("y(0) = float(x(0) + 1.0L);"), "a constant of type 'long double'");
  EXPECT_EQ(Reason("asm volatile(\"\"); y(0) = x(0);"), "assembly");
  EXPECT_EQ(Reason("y(0) = sizeof(x(0));"), "the size of a floating-point number");
  EXPECT_EQ(Reason("v4 v = {}; y(0) = v[0];", "typedef float v4 __attribute__((vector_size(16)));"),
            "a vector of floating-point numbers");
  EXPECT_EQ(Reason("y(0) = x(0);\n#if __has_include(<cmath>)\n y(0) += 1;\n#endif"),
            "'#if' inside of a declaration");
  EXPECT_EQ(Reason("y(0) = SCALE * x(0);\n}\n#undef SCALE\n#define SCALE 4\n void other() {",
                   "#define SCALE 2"),
            "the macro 'SCALE', which means something else at the end of the file");
  EXPECT_EQ(Reason("y(0) = twice(x(0));",
                   "#define DECLARE(f) auto f(auto x) { return 2 * x; }\nDECLARE(twice)"),
            "'twice', which a macro declares");
  EXPECT_EQ(Reason("DECLARE; y(0) = a;", "#define DECLARE float a = 1"),
            "this spelling of a floating-point type, which a macro makes");
  EXPECT_EQ(Reason("y(0) = x(0);"), "");
}

} // namespace
} // namespace septran::compiler
