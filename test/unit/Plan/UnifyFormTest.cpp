// What the normal form of leaves keeps and what it forgets.
#include "Plan/LeafValue.h"
#include "UnifyFixture.h"

using namespace septran::compiler;

namespace {

std::string formOf(const std::string &Symbols, const std::string &Text) {
  return LeafText(Symbols, Text).text();
}

const std::string Matrices = "C:f32:2 A:f32:2 B:f32:2";

TEST(LeafForm, IsOneLine) {
  EXPECT_EQ(formOf("C:f32:2 A:bf16:2 B:bf16:2",
                   "for (int i = 0; i < C.extent(0); ++i)"
                   "  for (int j = 0; j < C.extent(1); ++j)"
                   "    for (int k = 0; k < A.extent(1); ++k)"
                   "      C(i, j) += float(A(i, k)) * float(B(k, j));"),
            "C(i, j) += f32(A(i, k)) * f32(B(k, j))");
}

TEST(LeafForm, RecognisesUpdatesHoweverWritten) {
  for (const char *Update :
       {"C(i, i) += A(i, i);", "C(i, i) = C(i, i) + A(i, i);", "C(i, i) = A(i, i) + C(i, i);"})
    EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) " + std::string(Update)),
              "C(i, i) += A(i, i)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) C(i, i) -= A(i, i);"),
            "C(i, i) -= A(i, i)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) C(0, 0) = max(C(0, 0), A(i, i));"),
            "C(0, 0) = max(C(0, 0), A(i, i))");
}

TEST(LeafForm, CountsLoopsFromZero) {
  EXPECT_EQ(formOf("C:f32:1", "for (int i = 3; i < 9; i += 2) C(i) = 0;"), "C(i * 2 + 3) = 0.0f");
  LeafText Leaf("C:f32:1", "for (int i = 3; i < 9; i += 2) C(i) = 0;");
  auto Form = Leaf.form();
  EXPECT_EQ(toString(std::get<LeafForm>(Form).Loops[0].Extent), "3");
}

TEST(LeafForm, WalksUpwardsWhereOrderDoesNotMatter) {
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) C(7 - i, 0) += A(7 - i, 7 - i);"),
            "C(i, 0) += A(i, i)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < A.extent(0); ++i)"
                             "  C(0, 0) += A(A.extent(0) - 1 - i, 0);"),
            "C(0, 0) += A(i, 0)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) C(7 - i, 0) = A(i, 0);"),
            "C(7 - i, 0) = A(i, 0)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) C(7 - i, 0) = C(8 - i, 0);"),
            "C(7 - i, 0) = C(8 - i, 0)");
}

TEST(LeafForm, JoinsLoopsThatCountTheDigitsOfANumber) {
  const std::string Groups = "for (int g = 0; g < A.extent(1); ++g) for (int q = 0; q < 4; ++q) ";
  EXPECT_EQ(formOf("s:f32:1 A:f32:2", Groups + "s(0) += A(0, g * 4 + q);"), "s(0) += A(0, q)");
  LeafText Leaf("C:f32:2 A:f32:2 B:f32:2", "for (int i = 0; i < 8; ++i) " + Groups +
                                               "C(i, i) += A(i, q + 4 * g) * B(4 * g + q, 0);");
  auto Form = Leaf.form();
  const auto &Loops = std::get<LeafForm>(Form).Loops;
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(toString(Loops[1].Extent), "A.extent(1) * 4");
  // One of them alone says something else.
  EXPECT_EQ(formOf("s:f32:1 A:f32:2 B:f32:1", Groups + "s(0) += A(0, g * 4 + q) * B(q);"),
            "s(0) += A(0, g * 4 + q) * B(q)");
  EXPECT_EQ(formOf("s:f32:1 A:f32:2", Groups + "s(0) += A(0, g * 5 + q);"),
            "s(0) += A(0, g * 5 + q)");
  EXPECT_EQ(formOf("s:f32:1 A:f32:2", Groups + "s(0) += A(0, g * 4 + q) * g;"),
            "s(0) += A(0, g * 4 + q) * f32(g)");
}

TEST(LeafForm, PutsDefinitionsInPlace) {
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) {"
                             "  float a = A(i, 0);"
                             "  for (int j = 0; j < 8; ++j) C(i, j) += a * B(0, j);"
                             "}"),
            "C(i, j) += A(i, 0) * B(0, j)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) {"
                             "  float c = C(i, i);"
                             "  C(i, i) = c * c;"
                             "}"),
            "C(i, i) *= C(i, i)");
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) {"
                             "  float c = C(i, i);"
                             "  C(i, i) = 0;"
                             "  C(i, i) = c;"
                             "}"),
            "no form: what 'c' was read from is written before its use");
}

TEST(LeafForm, AccumulatorsAreTheirElement) {
  const std::string Loops = "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) {";
  const std::string Sum = "for (int k = 0; k < 8; ++k) s += A(i, k) * B(k, j);";
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 0;" + Sum + "C(i, j) = s; }"),
            "C(i, j) = 0.0f; C(i, j) += A(i, k) * B(k, j)");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 0;" + Sum + "C(i, j) += s; }"),
            "C(i, j) += A(i, k) * B(k, j)");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = C(i, j);" + Sum + "C(i, j) = s; }"),
            "C(i, j) = C(i, j); C(i, j) += A(i, k) * B(k, j)");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 1;" + Sum + "C(i, j) += s; }"),
            "no form: scalar 's' does not start at what is neutral for '+='");
  EXPECT_EQ(formOf(Matrices, Loops + "double s = 0;" + Sum + "C(i, j) = float(s); }"),
            "C(i, j) = 0.0 in f64; C(i, j) += f64(A(i, k) * B(k, j)) in f64");
  EXPECT_EQ(formOf(Matrices, Loops + "double s = 0;" + Sum + "C(i, j) += float(s); }"),
            "no form: scalar 's' accumulates in f64, 'C' is f32");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 0;" + Sum + "C(i, j) = 2 * s; }"),
            "no form: scalar 's' is changed on its way to 'C'");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 0;" + Sum + "C(i, j) = s; C(j, i) = s; }"),
            "no form: scalar 's' is used again after it is stored");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 0;" +
                                 "for (int k = 0; k < 8; ++k) s *= A(i, k); C(i, j) += s; }"),
            "no form: scalar 's' accumulates by '*=' and is stored by '+='");
  EXPECT_EQ(formOf(Matrices, Loops + "float s = 0;" +
                                 "for (int k = 0; k < 8; ++k) { s += A(i, k); C(i, k) = 0; }"
                                 "C(i, j) = s; }"),
            "no form: 'C' is used while scalar 's' accumulates");
}

TEST(LeafForm, SaysWhatItCannotHold) {
  EXPECT_EQ(formOf(Matrices, "for (int i = 0; i < 8; ++i) if (i < 4) C(i, i) = 0;"),
            "no form: it has a condition");
  EXPECT_EQ(
      formOf(Matrices, "for (int i = 0; i < 8; ++i) for (int j = 0; j < i; ++j) C(i, j) = 0;"),
      "no form: loop 'j' does not run to the same bounds each time");
  EXPECT_EQ(
      formOf(Matrices, "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j) C(i * j, 0) = 0;"),
      "no form: index 'i * j' is not linear in the loops");
  EXPECT_EQ(formOf("C:f32:1", "for (int t = 0; t < 8; ++t)"
                              "  for (int i = 0; i < 8; ++i) { C(i + 1) = C(i); C(0) += 1; }"),
            "no form: loop 't' runs several updates in order, because iterations meet in 'C'");
  EXPECT_EQ(
      formOf(Matrices, "float s = 0; for (int i = 0; i < 8; ++i) { C(i, i) = s; s = A(i, i); }"),
      "no form: scalar 's' is not stored in one element");
  EXPECT_EQ(formOf(Matrices, ""), "no form: it updates no element");
}

TEST(LeafValue, MakesConversionsExplicitAndDropsVainOnes) {
  EXPECT_EQ(formOf("C:i32:1 A:u8:1 B:i8:1", "for (int i = 0; i < 8; ++i) C(i) += A(i) * B(i);"),
            "C(i) += i32(A(i)) * i32(B(i))");
  EXPECT_EQ(formOf("C:i32:1 A:u8:1 B:i8:1",
                   "for (int i = 0; i < 8; ++i) C(i) += int(int16_t(A(i))) * int16_t(B(i));"),
            "C(i) += i32(A(i)) * i32(B(i))");
  // A sum of products in float is not one in double.
  EXPECT_EQ(formOf("C:f64:1 A:f32:1", "for (int i = 0; i < 8; ++i) C(i) += A(i) * A(i);"),
            "C(i) += f64(A(i) * A(i))");
  EXPECT_EQ(formOf("C:f32:1 A:f32:1", "for (int i = 0; i < 8; ++i) C(i) += -A(i) * -A(i);"),
            "C(i) += A(i) * A(i)");
}

TEST(LeafValue, HoldsExactly) {
  using enum ScalarType;
  EXPECT_TRUE(holdsExactly(F32, BF16));
  EXPECT_TRUE(holdsExactly(F32, F16));
  EXPECT_TRUE(holdsExactly(F16, F8E5M2));
  EXPECT_TRUE(holdsExactly(BF16, F8E4M3));
  EXPECT_TRUE(holdsExactly(BF16, U8));
  EXPECT_TRUE(holdsExactly(I16, U8));
  EXPECT_TRUE(holdsExactly(F64, I32));
  EXPECT_FALSE(holdsExactly(F16, BF16));
  EXPECT_FALSE(holdsExactly(BF16, F16));
  EXPECT_FALSE(holdsExactly(F32, I32));
  EXPECT_FALSE(holdsExactly(U16, I8));
  EXPECT_FALSE(holdsExactly(I8, U8));
  EXPECT_FALSE(holdsExactly(I64, F32));
}

} // namespace
