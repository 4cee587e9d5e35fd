//===- ParseTest.cpp --------------------------------------------*- C++ -*-===//
#include "IR/Parse.h"
#include "IR/Print.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

struct ParseTest : testing::Test {
  ParseNames Names;
  TextOrigin Origin{"m.yaml", 10, 7};

  void SetUp() override {
    auto tensor = [&](const char *Name, ScalarType Type, unsigned Rank) {
      Names.Tensors[Name] = makeTensor(Name, Type, Rank, TensorKind::Parameter);
    };
    tensor("C", ScalarType::F32, 2);
    tensor("A", ScalarType::BF16, 2);
    tensor("B", ScalarType::I8, 2);
    tensor("D", ScalarType::I32, 1);
    tensor("S", ScalarType::F32, 0);
    Names.Tensors["A"]->Const = true;
    Names.Scalars["N"] = varExpr(makeVar("N", ScalarType::I64, VarKind::Parameter));
    Names.Scalars["alpha"] = varExpr(makeVar("alpha", ScalarType::F32, VarKind::Parameter));
    Names.Types["C_t"] = ScalarType::F32;
  }

  std::string parse(std::string_view Text) {
    Diagnostics D;
    std::optional<Block> B = parseLoopNest(Text, Names, Origin, D);
    EXPECT_EQ(B.has_value(), !D.hasErrors());
    return B ? printBlock(*B) : renderText(D);
  }

  std::string expr(std::string_view Text) {
    Diagnostics D;
    Expr E = parseExpr(Text, Names, Origin, D);
    EXPECT_EQ(E != nullptr, !D.hasErrors());
    return E ? std::string(shortName(E->Type)) + " " + toString(E) : renderText(D);
  }
};

TEST_F(ParseTest, LoopNest) {
  EXPECT_EQ(parse("for (int i = 0; i < 16; ++i)\n"
                  "  for (int j = 0; j < N; j += 4) { // tile\n"
                  "    for (std::size_t k = 0; k <= A.extent(1) - 1; k++)\n"
                  "      C(i, j) += float(A(i, k)) * C_t(B(k, j));\n"
                  "  }\n"),
            "for (i : 0 .. 16) {\n"
            "  for (j : 0 .. N step 4) {\n"
            "    for (k : 0 .. A.extent(1)) {\n"
            "      C(i, j) += f32(A(i, k)) * f32(B(k, j))\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST_F(ParseTest, ConditionsAndContinue) {
  EXPECT_EQ(parse("for (int i = 0; i != 4; ++i) {\n"
                  "  if (i == 2) continue;\n"
                  "  if (C(i, i) < 0) { D(i) = 1; } else if (i) D(i) = 2;\n"
                  "  if (i > 1) { continue; }\n"
                  "  D(i)++;\n"
                  "}"),
            "for (i : 0 .. 4) {\n"
            "  if (i != 2) {\n"
            "    if (C(i, i) < 0.0f) {\n"
            "      D(i) = 1\n"
            "    } else {\n"
            "      if (i != 0) {\n"
            "        D(i) = 2\n"
            "      }\n"
            "    }\n"
            "    if (i <= 1) {\n"
            "      D(i) += 1\n"
            "    }\n"
            "  }\n"
            "}\n");
}

TEST_F(ParseTest, LocalScalars) {
  EXPECT_EQ(parse("const float a = 1, b(2.0f);\n"
                  "auto s = a + b;\n"
                  "double t;\n"
                  "unsigned long n{3};\n"
                  "s = std::max(s, a);\n"
                  "t = s;\n"
                  "S() = float(t) * n;"),
            "let a : f32 = 1.0f\n"
            "let b : f32 = 2.0f\n"
            "var s : f32 = a + b\n"
            "var t : f64\n"
            "let n : u64 = 3\n"
            "s = max(s, a)\n"
            "t = f64(s)\n"
            "S() = f32(t) * f32(n)\n");
}

TEST_F(ParseTest, ScopesHideAndEnd) {
  EXPECT_EQ(parse("float N = 1;\n"
                  "{ float N = 2; S() = N; }\n"
                  "for (int i = 0; i < 2; ++i) S() += N;\n"
                  "for (int i = 0; i < 2; ++i) S() -= N;"),
            "let N : f32 = 1.0f\n"
            "let N_1 : f32 = 2.0f\n"
            "S() = N_1\n"
            "for (i : 0 .. 2) {\n"
            "  S() += N\n"
            "}\n"
            "for (i_1 : 0 .. 2) {\n"
            "  S() -= N\n"
            "}\n");
}

TEST_F(ParseTest, UpdatesAreRecognised) {
  EXPECT_EQ(parse("int i = 1; i = i * 3; i <<= 2; --i; i %= 5;\n"
                  "S() = S() + alpha; D(i) = std::min(D(i), i); S() /= 2;"),
            "var i : i32 = 1\n"
            "i *= 3\n"
            "i = i << 2\n"
            "i -= 1\n"
            "i = i % 5\n"
            "S() += alpha\n"
            "D(i) = min(D(i), i)\n"
            "S() /= 2\n");
}

TEST_F(ParseTest, Precedence) {
  EXPECT_EQ(expr("1 + N * 2 - N / 3 % 2"), "i64 N * 2 - N / 3 % 2 + 1");
  EXPECT_EQ(expr("N - 1 - 2"), "i64 N - 3");
  EXPECT_EQ(expr("N - (1 - N)"), "i64 N - (1 - N)");
  EXPECT_EQ(expr("N << 1 + 2 & 3 | N ^ 1"), "i64 N << 3 & 3 | N ^ 1");
  EXPECT_EQ(expr("N < 1 == true && !N || N != 2"), "bool i32(N < 1) == 1 && N == 0 || N != 2");
  EXPECT_EQ(expr("N ? 1.0f : N > 2 ? alpha : 3"), "f32 N != 0 ? 1.0f : N > 2 ? alpha : 3.0f");
  EXPECT_EQ(expr("-alpha * ~N"), "f32 -alpha * f32(~N)");
}

TEST_F(ParseTest, Conversions) {
  EXPECT_EQ(expr("static_cast<float>(N)"), "f32 f32(N)");
  EXPECT_EQ(expr("(float)N * 2"), "f32 f32(N) * 2.0f");
  EXPECT_EQ(expr("(N) * 2"), "i64 N * 2");
  EXPECT_EQ(expr("septran::bfloat16{alpha}"), "bf16 bf16(alpha)");
  EXPECT_EQ(expr("unsigned char(N)"), "u8 u8(N)");
  EXPECT_EQ(expr("(unsigned long long)(alpha)"), "u64 u64(alpha)");
  EXPECT_EQ(expr("float()"), "f32 0.0f");
  EXPECT_EQ(expr("bool(N)"), "bool N != 0");
  EXPECT_EQ(expr("A(0, 0) * A(0, 1)"), "bf16 A(0, 0) * A(0, 1)");
  EXPECT_EQ(expr("A(0, 0) * alpha"), "f32 f32(A(0, 0)) * alpha");
  EXPECT_EQ(expr("B(0, 0) * B(0, 1)"), "i32 i32(B(0, 0)) * i32(B(0, 1))");
}

TEST_F(ParseTest, TruthValuesAreIntegersWhereIntegersAreExpected) {
  EXPECT_EQ(parse("for (int i = true; i < !N; ++i) D(i < 2) = 1;"),
            "for (i : 1 .. i32(N == 0)) {\n"
            "  D(i32(i < 2)) = 1\n"
            "}\n");
  EXPECT_EQ(expr("ceil_div(N > 1, B(0, 0))"), "i64 ceil_div(i64(N > 1), i64(B(0, 0)))");
  EXPECT_EQ(expr("ceil_div(alpha, 2)"),
            "m.yaml:10:7: error: 'ceil_div' expects integers, found a floating-point operand "
            "[septran-nest-integer-operator]\n");
}

TEST_F(ParseTest, Literals) {
  EXPECT_EQ(expr("1"), "i32 1");
  EXPECT_EQ(expr("3000000000"), "i64 3000000000");
  EXPECT_EQ(expr("0xFFFFFFFF"), "u32 4294967295");
  EXPECT_EQ(expr("010"), "i32 8");
  EXPECT_EQ(expr("1ul"), "u64 1");
  EXPECT_EQ(expr("1LL"), "i64 1");
  EXPECT_EQ(expr("0.1"), "f64 0.1");
  EXPECT_EQ(expr(".5f"), "f32 0.5f");
  EXPECT_EQ(expr("1e-3f"), "f32 0.001f");
  EXPECT_EQ(expr("-2.5"), "f64 -2.5");
  EXPECT_EQ(expr("f32(-inf)"), "f32 f32(-inf)");
  EXPECT_EQ(expr("false"), "bool false");
}

TEST_F(ParseTest, Functions) {
  EXPECT_EQ(expr("std::exp(alpha)"), "f32 exp(alpha)");
  EXPECT_EQ(expr("::sqrt(N)"), "f64 sqrt(f64(N))");
  EXPECT_EQ(expr("fma(A(0, 0), alpha, 1)"), "f32 fma(f32(A(0, 0)), alpha, 1.0f)");
  EXPECT_EQ(expr("abs(D(0))"), "i32 abs(D(0))");
  EXPECT_EQ(expr("std::isnan(alpha) ? 1 : 0"), "i32 isnan(alpha) ? 1 : 0");
  EXPECT_EQ(expr("max(1, N)"), "i64 max(N, 1)");
  EXPECT_EQ(expr("std::max(0.0f, alpha)"), "f32 max(0.0f, alpha)");
  EXPECT_EQ(expr("alpha < 2 ? 2.0f : alpha"), expr("std::max(alpha, 2.0f)"));
  EXPECT_EQ(expr("alpha < 2 ? alpha : 2.0f"), "f32 min(2.0f, alpha)");
  EXPECT_EQ(expr("ceil_div(N, 16)"), "i64 ceil_div(N, 16)");
  EXPECT_EQ(expr("C.extent(1) + C.origin(0)"), "i64 C.extent(1) + C.origin(0)");
}

TEST_F(ParseTest, PrintedExpressionsParse) {
  for (const char *Text :
       {"f32 (alpha + 1.0f) * -alpha", "i64 N - (N - N % 3) / 2", "bool !(alpha < 0.5f)",
        "bf16 bf16(exp(alpha) / f32(A(N, N + 1)))", "f32 N < 3 ? min(alpha, 2.0f) : alpha",
        "i64 min(ceil_div(C.extent(0), 64) - N * 2, 64)", "f64 -(f64(alpha) * 1e+30)"}) {
    std::string_view Body = Text;
    Body.remove_prefix(Body.find(' ') + 1);
    EXPECT_EQ(expr(Body), Text);
  }
}

TEST_F(ParseTest, LocationsPointIntoTheFile) {
  Diagnostics D;
  std::optional<Block> B =
      parseLoopNest("for (int i = 0; i < 4; ++i)\n  D(i) = i;", Names, Origin, D);
  ASSERT_TRUE(B);
  EXPECT_EQ((*B)[0].Loc.Line, 10u);
  EXPECT_EQ((*B)[0].Loc.Column, 7u);
  const Stmt &Inner = (*B)[0].getIf<For>()->Body[0];
  EXPECT_EQ(Inner.Loc.Line, 11u);
  EXPECT_EQ(Inner.Loc.Column, 9u);
  EXPECT_EQ(Inner.Loc.File.str(), "m.yaml");
}

TEST_F(ParseTest, SyntaxErrors) {
  EXPECT_EQ(parse("C(0, 0) += ;"),
            "m.yaml:10:18: error: expected an expression, found ';' [septran-nest-syntax]\n");
  EXPECT_EQ(parse("\nS() = 1"),
            "m.yaml:11:14: error: expected ';', found the end [septran-nest-syntax]\n");
  EXPECT_EQ(parse("S() = 1; }"),
            "m.yaml:10:16: error: expected a statement, found '}' [septran-nest-syntax]\n");
  EXPECT_EQ(parse("while (N) S() = 1;"),
            "m.yaml:10:7: error: 'while' is not declared [septran-nest-unknown-name]\n");
  EXPECT_EQ(parse("for (int i = 0; i > 4; ++i) S() = 1;"),
            "m.yaml:10:25: error: expected a counted loop, 'for (int i = lo; i < hi; ++i)', found "
            "'>' [septran-nest-syntax]\n");
  EXPECT_EQ(parse("S() @ 1;"), "m.yaml:10:11: error: expected '=' or another assignment, found '@' "
                               "[septran-nest-syntax]\n");
  EXPECT_EQ(parse("auto x;"),
            "m.yaml:10:13: error: expected '=', found ';' [septran-nest-syntax]\n");
  EXPECT_EQ(parse("if (N)"),
            "m.yaml:10:13: error: expected a statement, found the end [septran-nest-syntax]\n");
  EXPECT_EQ(expr("static_cast<foo>(1)"),
            "m.yaml:10:19: error: expected a type, found 'foo' [septran-nest-syntax]\n");
  EXPECT_EQ(expr("C.stride(0)"), "m.yaml:10:9: error: expected 'extent' or 'origin', found "
                                 "'stride' [septran-nest-syntax]\n");
  EXPECT_EQ(expr("1 2"), "m.yaml:10:9: error: expected the end, found '2' [septran-nest-syntax]\n");
}

TEST_F(ParseTest, NamesAndRanks) {
  EXPECT_EQ(parse("S() = alpa;"), "m.yaml:10:13: error: 'alpa' is not declared; did you mean "
                                  "'alpha'? [septran-nest-unknown-name]\n");
  EXPECT_EQ(parse("C(0) = 1;"), "m.yaml:10:7: error: 'C' has 2 dimensions, but 1 index "
                                "[septran-nest-rank]\n");
  EXPECT_EQ(expr("C.extent(2)"), "m.yaml:10:9: error: 'C' has 2 dimensions, counted from 0; "
                                 "expected one of them [septran-nest-dimension]\n");
  EXPECT_EQ(parse("D(1.5) = 1;"), "m.yaml:10:9: error: index '1.5' is of type f64; expected an "
                                  "integer [septran-nest-index-type]\n");
  EXPECT_EQ(parse("int i = 0; int i = 1;"), "m.yaml:10:22: error: 'i' is already declared in this "
                                            "block [septran-nest-redeclared]\n");
  EXPECT_EQ(
      expr("foo(1)"),
      "m.yaml:10:7: error: function 'foo' is not known; min, max and the functions of <cmath> "
      "on elements are accepted [septran-nest-function]\n");
  EXPECT_EQ(expr("exp(1, 2)"), "m.yaml:10:7: error: function 'exp' takes 1 argument, found 2 "
                               "[septran-nest-arity]\n");
}

TEST_F(ParseTest, WhatCannotBeAssigned) {
  std::string Rest = "; only elements of tensors and scalars declared here can be assigned "
                     "[septran-nest-not-assignable]\n";
  EXPECT_EQ(parse("A(0, 0) = 1;"), "m.yaml:10:7: error: 'A' is a tensor of constants" + Rest);
  EXPECT_EQ(parse("N = 1;"), "m.yaml:10:7: error: 'N' is a parameter" + Rest);
  EXPECT_EQ(parse("const int c = 1; c = 2;"), "m.yaml:10:24: error: 'c' is a constant" + Rest);
  EXPECT_EQ(parse("for (int i = 0; i < 4; ++i) i = 2;"),
            "m.yaml:10:35: error: 'i' is a loop variable" + Rest);
}

TEST_F(ParseTest, Arithmetic) {
  EXPECT_EQ(expr("alpha % 2"), "m.yaml:10:13: error: '%' expects integers, found a floating-point "
                               "operand [septran-nest-integer-operator]\n");
  EXPECT_EQ(parse("S() <<= 1;"), "m.yaml:10:7: error: '<<=' expects integers, found a "
                                 "floating-point operand [septran-nest-integer-operator]\n");
  EXPECT_EQ(
      expr("12abc"),
      "m.yaml:10:7: error: '12abc' is no number that is accepted here [septran-nest-number]\n");
  EXPECT_EQ(
      expr("1.2.3"),
      "m.yaml:10:7: error: '1.2.3' is no number that is accepted here [septran-nest-number]\n");
  EXPECT_EQ(parse("for (int i = 0; i < i + 1; ++i) S() = 1;"),
            "m.yaml:10:27: error: the bound of the loop depends on its variable 'i'; expected a "
            "fixed bound [septran-nest-bound]\n");
  EXPECT_EQ(parse("for (int i = 0; i < 8; i += N) S() = 1;"),
            "m.yaml:10:35: error: step 'N' is not accepted; expected a positive constant "
            "[septran-nest-step]\n");
}

TEST_F(ParseTest, HostileTextEndsInAnError) {
  EXPECT_NE(expr(std::string(5000, '(')).find("septran-nest-too-deep"), std::string::npos);
  EXPECT_NE(expr(std::string(5000, '!')).find("septran-nest-too-deep"), std::string::npos);
  std::string Choices, Sum = "1", Loops;
  for (int I = 0; I < 1000; ++I)
    Choices += "N ? 1 : ";
  for (int I = 0; I < 10000; ++I)
    Sum += " + alpha";
  for (int I = 0; I < 100; ++I)
    Loops += "for (int i = 0; i < 2; ++i) ";
  EXPECT_NE(expr(Choices + "1").find("septran-nest-too-deep"), std::string::npos);
  EXPECT_NE(expr(Sum).find("septran-nest-too-long"), std::string::npos);
  EXPECT_NE(parse(Loops + "S() = 1;").find("septran-nest-too-deep"), std::string::npos);
  for (const char *Text : {"",
                           "/*",
                           "//",
                           "for",
                           "for (",
                           "for (int",
                           "for (int i = 0; i < 4;",
                           "if (",
                           "{",
                           "{{",
                           "C(",
                           "C(0, 0) = C(",
                           "float",
                           "S() = float(",
                           "0x",
                           "static_cast",
                           "static_cast<float",
                           "::",
                           "\"",
                           "C.",
                           "++",
                           "+ +",
                           "?"})
    parse(Text);
}

} // namespace
} // namespace septran::compiler
