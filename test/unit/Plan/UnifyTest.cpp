// Which leaves are instances of which primitives, and what stands in the way of the others.
#include "UnifyFixture.h"

using namespace septran::compiler;

namespace {

/// A product of 16 x 8 by 8 x 16 tiles.
const PrimitiveText &gemm() {
  static const PrimitiveText P(R"(
mma:
  processor: VECTOR
  operands:
    C: {dtype: float, shape: [16, 16]}
    A: {dtype: const septran::bfloat16, shape: [16, 8]}
    B: {dtype: const septran::bfloat16, shape: [8, 16]}
  semantics: |
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j)
        for (int k = 0; k < 8; ++k)
          C(i, j) += float(A(i, k)) * float(B(k, j));
  emit: "mma({C}, {A}, {B});"
)");
  return P;
}

/// y += a x, of any length.
const PrimitiveText &axpy() {
  static const PrimitiveText P(R"(
axpy:
  processor: VECTOR
  sizes: {N: {min: 1, max: 1024}}
  operands:
    y: {dtype: float, shape: [N]}
    a: {dtype: const float}
    x: {dtype: const float, shape: [N]}
  semantics: "for (int j = 0; j < N; ++j) y(j) += a * x(j);"
  emit: "axpy({N}, {a}, {x}, {y});"
)");
  return P;
}

const std::string Bf16 = "C:f32:2 X:bf16:2 Y:bf16:2";
const std::string F32 = "C:f32:2 X:f32:2 Y:f32:2";

std::string loops(const std::string &Order, const std::string &Body) {
  std::string Text;
  for (char L : Order)
    Text += std::string("for (int ") + L + " = 0; " + L + " < 64; ++" + L + ") ";
  return Text + Body;
}

//===--- matrix products -----------------------------------------------------------===//

TEST(Unify, OrderOfLoopsDoesNotMatter) {
  for (const char *Order : {"ijk", "ikj", "jik", "jki", "kij", "kji"})
    EXPECT_EQ(
        matchText({Bf16, loops(Order, "C(i, j) += float(X(i, k)) * float(Y(k, j));")}, gemm()),
        "C = C(i, j), A = X(i, k), B = Y(k, j)")
        << Order;
}

TEST(Unify, NamesDoNotMatter) {
  EXPECT_EQ(matchText({"R:f32:2 P:bf16:2 Q:bf16:2",
                       loops("kji", "R(j, i) += float(P(j, k)) * float(Q(k, i));")},
                      gemm()),
            "C = R(j, i), A = P(j, k), B = Q(k, i)");
}

TEST(Unify, FactorsMayBeSwapped) {
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(i, j) += float(Y(k, j)) * float(X(i, k));")}, gemm()),
            "C = C(i, j), A = X(i, k), B = Y(k, j)");
}

// A second use of one operand says which of the two it is.
TEST(Unify, OperandsOfDifferencesAndQuotientsKeepTheirPlaces) {
  for (const char *Op : {"-", "/", "+", "*"}) {
    const auto Loop = [&](const std::string &L, const std::string &R) {
      return "for (int j = 0; j < 8; ++j) y(j) = (" + L + " " + Op + " " + R + ") * x(j);";
    };
    const PrimitiveText P(R"(
other:
  processor: VECTOR
  operands:
    y: {dtype: float, shape: [8]}
    x: {dtype: const float, shape: [8]}
    z: {dtype: const float, shape: [8]}
  semantics: ")" + Loop("x(j)", "z(j)") + R"("
  emit: "other({y}, {x}, {z});"
)");
    const std::string Tensors = "y:f32:1 x:f32:1 z:f32:1";
    const std::string Same = "y = y(j), x = x(j), z = z(j)";
    EXPECT_EQ(matchText({Tensors, Loop("x(j)", "z(j)")}, P), Same) << Op;
    const std::string Turned = matchText({Tensors, Loop("z(j)", "x(j)")}, P);
    if (*Op == '+' || *Op == '*')
      EXPECT_EQ(Turned, Same) << Op;
    else
      EXPECT_TRUE(Turned.starts_with("mismatch")) << Op << ": " << Turned;
  }
}

TEST(Unify, TransposedOperandsAreTurned) {
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(i, j) += float(X(i, k)) * float(Y(j, k));")}, gemm()),
            "C = C(i, j), A = X(i, k), B = Y(j, k) turned");
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(i, j) += float(X(k, i)) * float(Y(k, j));")}, gemm()),
            "C = C(i, j), A = X(k, i) turned, B = Y(k, j)");
  // C^T = B^T A^T: fewer operands are turned than by the other way round.
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(j, i) += float(X(i, k)) * float(Y(k, j));")}, gemm()),
            "C = C(j, i) turned, A = X(i, k), B = Y(k, j)");
}

TEST(Unify, ASecondUpdateMayInitialise) {
  LeafText Leaf(Bf16,
                loops("ij", "{ float s = 0;"
                            "  for (int k = 0; k < 64; ++k) s += float(X(i, k)) * float(Y(k, j));"
                            "  C(i, j) = s; }"));
  EXPECT_EQ(matchText(Leaf, gemm()), "C = C(i, j), A = X(i, k), B = Y(k, j)");
  LeafText Scaled(Bf16, loops("ij", "{ C(i, j) *= 2;"
                                    "  for (int k = 0; k < 64; ++k)"
                                    "    C(i, j) += float(X(i, k)) * float(Y(k, j)); }"));
  EXPECT_EQ(matchText(Scaled, gemm()), "mismatch: the leaf also computes 'C(i, j) *= 2.0f'");
}

TEST(Unify, BatchesAndBlocksRemainAround) {
  EXPECT_EQ(matchText({"C:f32:3 X:bf16:3 Y:bf16:2",
                       loops("bijk", "C(b, i, j) += float(X(b, i, k)) * float(Y(k, j));")},
                      gemm()),
            "C = C(b, i, j), A = X(b, i, k), B = Y(k, j)");
  EXPECT_EQ(matchText({"C:f32:2 X:bf16:2 Y:bf16:2",
                       loops("ijk", "C(i, j + 5) += float(X(i + 1, k)) * float(Y(k, j));")},
                      gemm()),
            "C = C(i, j + 5), A = X(i + 1, k), B = Y(k, j)");
}

TEST(Unify, OneTensorMayBeBothFactors) {
  EXPECT_EQ(
      matchText({"C:f32:2 X:bf16:2", loops("ijk", "C(i, j) += float(X(i, k)) * float(X(j, k));")},
                gemm()),
      "C = C(i, j), A = X(i, k), B = X(j, k) turned");
}

TEST(Unify, ReversedLoopsAreTurnedRound) {
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(i, 63 - j) += float(X(i, 63 - k)) *"
                                          "                float(Y(63 - k, 63 - j));")},
                      gemm()),
            "C = C(i, j), A = X(i, k), B = Y(k, j)");
  // Each row of C meets the row of X from the other end: no product of the two.
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(63 - i, j) += float(X(i, k)) * float(Y(k, j));")}, gemm())
          .substr(0, 9),
      "mismatch:");
  // Nor is a convolution.
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) += float(X(i, k)) * float(Y(63 - k, j));")}, gemm())
          .substr(0, 9),
      "mismatch:");
}

TEST(Unify, GroupsAreOneLoop) {
  const std::string Groups = "for (int i = 0; i < 64; ++i) for (int j = 0; j < 64; ++j)"
                             "  for (int g = 0; g < 16; ++g) for (int q = 0; q < 4; ++q)"
                             "    C(i, j) += ";
  EXPECT_EQ(matchText({Bf16, Groups + "float(X(i, g * 4 + q)) * float(Y(g * 4 + q, j));"}, gemm()),
            "C = C(i, j), A = X(i, q), B = Y(q, j)");
  PrimitiveText Grouped(R"(
dot16:
  processor: VECTOR
  operands:
    C: {dtype: float, shape: [8]}
    A: {dtype: const septran::bfloat16, shape: [16]}
    B: {dtype: const septran::bfloat16, shape: [16, 8]}
  semantics: |
    for (int g = 0; g < 4; ++g)
      for (int j = 0; j < 8; ++j)
        for (int q = 0; q < 4; ++q)
          C(j) += float(A(4 * g + q)) * float(B(4 * g + q, j));
  emit: "dot16({C}, {A}, {B});"
)");
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(i, j) += float(X(i, k)) * float(Y(k, j));")}, Grouped),
            "C = C(i, j), A = X(i, k), B = Y(k, j)");
}

//===--- convolutions ----------------------------------------------------------------===//

TEST(Unify, ConvolutionIsAProductOverChannelsOnly) {
  // O(y, x, f) += I(y + r, x + s, c) W(r, s, c, f): a product of (x, c) by (c, f) for every y, r,
  // s.
  EXPECT_EQ(matchText({"O:f32:3 I:bf16:3 W:bf16:4",
                       loops("yxfrsc",
                             "O(y, x, f) += float(I(y + r, x + s, c)) * float(W(r, s, c, f));")},
                      gemm()),
            "C = O(y, x, f), A = I(r + y, s + x, c), B = W(r, s, c, f)");
}

TEST(Unify, WindowsAreNoProduct) {
  std::string Text =
      matchText({"O:f32:2 I:bf16:2 W:bf16:2",
                 loops("yxrs", "O(y, x) += float(I(y + r, x + s)) * float(W(r, s));")},
                gemm());
  EXPECT_EQ(Text.substr(0, 9), "mismatch:") << Text;
  // Every second column: a view has no steps.
  Text = matchText({"O:f32:2 I:bf16:2 W:bf16:2",
                    loops("yxc", "O(y, x) += float(I(y * 2, c)) * float(W(c, x));")},
                   gemm());
  EXPECT_EQ(Text,
            "mismatch: 'I(y * 2, c)' of the leaf does not walk like 'A(i, k)' with 'y' as 'i' and "
            "'x' as 'j' and 'c' as 'k'");
  // The diagonal of X moves in both dimensions.
  Text = matchText(
      {"C:f32:2 X:bf16:2 Y:bf16:2", loops("ijk", "C(i, j) += float(X(i, k)) * float(Y(k, k));")},
      gemm());
  EXPECT_EQ(Text.substr(0, 9), "mismatch:") << Text;
}

//===--- differences -----------------------------------------------------------------===//

TEST(Unify, NamesTheTypeThatDiffers) {
  EXPECT_EQ(matchText({"C:f32:2 X:f16:2 Y:bf16:2",
                       loops("ijk", "C(i, j) += float(X(i, k)) * float(Y(k, j));")},
                      gemm()),
            "mismatch: operand 'A' is bf16, 'X' of the leaf is f16");
  EXPECT_EQ(
      matchText({"C:f32:2 X:bf16:2 Y:f32:2", loops("ijk", "C(i, j) += float(X(i, k)) * Y(k, j);")},
                gemm()),
      "mismatch: operand 'B' is bf16, 'Y' of the leaf is f32");
  EXPECT_EQ(matchText({"C:f16:2 X:bf16:2 Y:bf16:2",
                       loops("ijk", "C(i, j) += float(X(i, k)) * float(Y(k, j));")},
                      gemm()),
            "mismatch: operand 'C' is f32, 'C' of the leaf is f16");
}

TEST(Unify, NamesTheTypeOfTheSum) {
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) += double(X(i, k)) * double(Y(k, j));")}, gemm()),
      "mismatch: the leaf accumulates 'C' in f64, the primitive in f32");
  // A product that is rounded to 16 bits before it is added.
  EXPECT_EQ(matchText({Bf16, loops("ijk", "C(i, j) += float(X(i, k) * Y(k, j));")}, gemm()),
            "mismatch: the leaf computes 'f32(X(i, k) * Y(k, j))' where the primitive computes "
            "'f32(A(i, k)) * f32(B(k, j))'");
  // One that is rounded to float at the end.
  EXPECT_EQ(matchText({Bf16, loops("ij", "{ double s = 0;"
                                         "for (int k = 0; k < 64; ++k)"
                                         "  s += float(X(i, k)) * float(Y(k, j));"
                                         "C(i, j) = float(s); }")},
                      gemm()),
            "mismatch: the leaf keeps 'C' in f64 while it accumulates, the primitive in f32");
}

TEST(Unify, NamesTheOperatorThatDiffers) {
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) = max(C(i, j), float(X(i, k)) * float(Y(k, j)));")},
                gemm()),
      "mismatch: 'C' is updated by 'max=', the primitive updates by '+='");
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) += float(X(i, k)) - float(Y(k, j));")}, gemm()),
      "mismatch: the leaf computes 'f32(X(i, k)) - f32(Y(k, j))' where the primitive computes "
      "'f32(A(i, k)) * f32(B(k, j))'");
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) -= float(X(i, k)) * float(Y(k, j));")}, gemm()),
      "mismatch: the leaf computes '-(f32(X(i, k)) * f32(Y(k, j)))' where the primitive computes "
      "'f32(A(i, k)) * f32(B(k, j))'");
}

TEST(Unify, NamesTheExtraTerm) {
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) += 2 * (float(X(i, k)) * float(Y(k, j)));")}, gemm()),
      "mismatch: the leaf computes '2.0f' where the primitive computes 'f32(A(i, k))'");
}

TEST(Unify, FactorsMustBeThere) {
  PrimitiveText Scaled(R"(
scaled:
  processor: VECTOR
  operands:
    y: {dtype: float, shape: [16]}
    s: {dtype: const float}
    A: {dtype: const float, shape: [16, 4]}
    x: {dtype: const float, shape: [4]}
  semantics: |
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < 4; ++k)
        y(i) += s * (A(i, k) * x(k));
  emit: "f({y}, {s}, {A}, {x});"
)");
  const std::string Tensors = "C:f32:2 X:f32:2 Y:f32:2 f:f32:scalar";
  EXPECT_EQ(matchText({Tensors, loops("ijk", "C(i, j) += f * (X(i, k) * Y(k, j));")}, Scaled),
            "y = C(i, j), s = f, A = Y(k, j) turned, x = X(i, k)");
  EXPECT_EQ(matchText({Tensors, loops("ijk", "C(i, j) += X(i, k) * Y(k, j);")}, Scaled),
            "y = C(i, j), s = 1.0f, A = Y(k, j) turned, x = X(i, k)");
  // Rounds elsewhere.
  EXPECT_EQ(
      matchText({Tensors, loops("ijk", "C(i, j) += f * X(i, k) * Y(k, j);")}, Scaled).substr(0, 9),
      "mismatch:");
}

TEST(Unify, ConditionsAreNotIgnored) {
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "if (k <= i) C(i, j) += float(X(i, k)) * float(Y(k, j));")},
                gemm()),
      "no form: it has a condition");
  EXPECT_EQ(
      matchText({Bf16, loops("ijk", "C(i, j) += k <= i ? float(X(i, k)) * float(Y(k, j)) : 0;")},
                gemm())
          .substr(0, 9),
      "mismatch:");
}

TEST(Unify, InitialisingPrimitivesNeedInitialisingLeaves) {
  PrimitiveText P(R"(
product:
  processor: VECTOR
  operands:
    C: {dtype: float, shape: [16, 16]}
    A: {dtype: const float, shape: [16, 8]}
    B: {dtype: const float, shape: [8, 16]}
  semantics: |
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        C(i, j) = 0;
        for (int k = 0; k < 8; ++k)
          C(i, j) += A(i, k) * B(k, j);
      }
  emit: "product({C}, {A}, {B});"
)");
  const std::string Sum = "for (int k = 0; k < 8; ++k) s += X(i, k) * Y(k, j);";
  EXPECT_EQ(matchText({F32, loops("ij", "{ float s = 0;" + Sum + " C(i, j) = s; }")}, P),
            "C = C(i, j), A = X(i, k), B = Y(k, j)");
  EXPECT_EQ(matchText({F32, loops("ij", "{ float s = 0;" + Sum + " C(i, j) += s; }")}, P),
            "mismatch: the primitive makes 2 updates, the leaf 1");
  EXPECT_EQ(matchText({F32, loops("ij", "{ float s = 1;" + Sum + " C(i, j) = s; }")}, P),
            "mismatch: the leaf computes '1.0f' where the primitive computes '0.0f'");
}

TEST(Unify, NamesTheMissingLoop) {
  EXPECT_EQ(matchText({"C:f32:2 X:bf16:2 Y:bf16:2",
                       loops("ij", "C(i, j) += float(X(i, j)) * float(Y(i, j));")},
                      gemm()),
            "mismatch: the leaf has no reduction loop in place of 'k'");
  EXPECT_EQ(
      matchText({"C:f32:1 X:f32:1", "for (int i = 1; i < 8; ++i) C(i) = C(i - 1) * X(i);"}, axpy()),
      "mismatch: the leaf has no parallel loop in place of 'j'; its loop 'i' runs in order, "
      "because iterations meet in 'C'");
}

TEST(Unify, NamesTheMissingUpdate) {
  PrimitiveText P(R"(
clear_add:
  processor: VECTOR
  operands: {C: {dtype: float, shape: [8]}, A: {dtype: const float, shape: [8, 4]}}
  semantics: |
    for (int i = 0; i < 8; ++i) {
      C(i) = 0;
      for (int k = 0; k < 4; ++k)
        C(i) += A(i, k);
    }
  emit: "f({C}, {A});"
)");
  EXPECT_EQ(matchText({"S:f32:1 X:f32:2", loops("ik", "S(i) += X(i, k);")}, P),
            "mismatch: the primitive makes 2 updates, the leaf 1");
  EXPECT_EQ(matchText({"S:f32:1 X:f32:2",
                       loops("i", "{ S(i) = 0; for (int k = 0; k < 4; ++k) S(i) += X(i, k); }")},
                      P),
            "C = S(i), A = X(i, k)");
}

//===--- scalars, reductions, elements --------------------------------------------------===//

TEST(Unify, ScalarOperandsTakeAnyValue) {
  EXPECT_EQ(matchText({F32, loops("ikj", "C(i, j) += X(i, k) * Y(k, j);")}, axpy()),
            "y = C(i, j), a = X(i, k), x = Y(k, j)");
  EXPECT_EQ(
      matchText({"y:f32:1 x:f32:1 s:f32:scalar", loops("j", "y(j) += x(j) * (s * 2);")}, axpy()),
      "y = y(j), a = s * 2.0f, x = x(j)");
  EXPECT_EQ(matchText({"y:f32:1 x:f32:1 s:f64:scalar", loops("j", "y(j) += x(j) * s;")}, axpy()),
            "mismatch: the leaf accumulates 'y' in f64, the primitive in f32");
  EXPECT_EQ(matchText({"y:f32:1 x:f32:1 s:f32:1", loops("j", "y(j) += x(j) * s(j);")}, axpy()),
            "mismatch: 'x(j)' of the leaf changes where operand 'a' does not");
}

TEST(Unify, AMissingFactorIsOne) {
  EXPECT_EQ(matchText({"y:f32:1 x:f32:1", loops("j", "y(j) += x(j);")}, axpy()),
            "y = y(j), a = 1.0f, x = x(j)");
}

TEST(Unify, Reductions) {
  PrimitiveText Dot(R"(
dot:
  processor: VECTOR
  sizes: {N: {min: 1, max: 1024}}
  operands:
    s: {dtype: float}
    x: {dtype: const float, shape: [N]}
    y: {dtype: const float, shape: [N]}
  semantics: "for (int k = 0; k < N; ++k) s() += x(k) * y(k);"
  emit: "dot({s}, {N}, {x}, {y});"
)");
  EXPECT_EQ(matchText({F32, loops("ijk", "C(i, j) += X(i, k) * Y(k, j);")}, Dot),
            "s = C(i, j), x = X(i, k), y = Y(k, j)");
  EXPECT_EQ(
      matchText({"r:f32:1 X:f32:1", "float s = 0;" + loops("i", "s += X(i) * X(i);") + "r(0) = s;"},
                Dot),
      "s = r(0), x = X(i), y = X(i)");
  PrimitiveText RowMax(R"(
row_max:
  processor: VECTOR
  operands: {m: {dtype: float, shape: [4]}, x: {dtype: const float, shape: [4, 16]}}
  semantics: |
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 16; ++j)
        m(i) = max(m(i), x(i, j));
  emit: "row_max({m}, {x});"
)");
  EXPECT_EQ(matchText({"m:f32:1 X:f32:2", loops("ij", "m(i) = max(X(i, j), m(i));")}, RowMax)
                .substr(0, 9),
            "mismatch:"); // differs for NaN
  EXPECT_EQ(matchText({"m:f32:1 X:f32:2", loops("ji", "m(i) = max(m(i), X(i, j));")}, RowMax),
            "m = m(i), x = X(i, j)");
  EXPECT_EQ(matchText({"m:f32:1 X:f32:2", loops("ij", "m(i) += X(i, j);")}, RowMax),
            "mismatch: 'm' is updated by '+=', the primitive updates by 'max='");
}

TEST(Unify, Elements) {
  PrimitiveText P(R"(
scaled_exp:
  processor: VECTOR
  operands:
    y: {dtype: float, shape: [16]}
    x: {dtype: const float, shape: [16]}
    m: {dtype: const float}
  semantics: "for (int i = 0; i < 16; ++i) y(i) = x(i) < 0 ? exp(x(i) - m) : sqrt(x(i));"
  emit: "f({y}, {x}, {m});"
)");
  EXPECT_EQ(matchText({"o:f32:2 u:f32:2 m:f32:1",
                       loops("rc", "o(r, c) = u(r, c) < 0 ? exp(u(r, c) - m(r)) : sqrt(u(r, c));")},
                      P),
            "y = o(r, c), x = u(r, c), m = m(r)");
  EXPECT_EQ(matchText({"o:f32:2 u:f32:2 v:f32:2 m:f32:1",
                       loops("rc", "o(r, c) = u(r, c) < 0 ? exp(v(r, c) - m(r)) : sqrt(u(r, c));")},
                      P),
            "mismatch: 'v(r, c)' of the leaf and the elements before are not one 'x'");
  EXPECT_EQ(matchText({"o:f32:2 u:f32:2 m:f32:1",
                       loops("rc", "o(r, c) = u(r, c) < 0 ? exp(u(r, c) - m(r)) : exp(u(r, c));")},
                      P),
            "mismatch: the leaf computes 'exp(u(r, c))' where the primitive computes 'sqrt(x(i))'");
  EXPECT_EQ(matchText({"o:f32:1", loops("i", "o(i) = i < 0 ? exp(i - 1.0f) : sqrt(float(i));")}, P)
                .substr(0, 9),
            "mismatch:");
}

TEST(Unify, SeveralElementsOfOneOperand) {
  PrimitiveText P(R"(
blur:
  processor: VECTOR
  operands: {y: {dtype: float, shape: [16]}, x: {dtype: const float, shape: [18]}}
  semantics: "for (int i = 0; i < 16; ++i) y(i) = x(i) + x(i + 1) + x(i + 2);"
  emit: "blur({y}, {x});"
)");
  EXPECT_EQ(matchText({"o:f32:2 u:f32:2",
                       loops("rc", "o(r, c) = u(r, c + 4) + u(r, c + 5) + u(r, c + 6);")},
                      P),
            "y = o(r, c), x = u(r, c + 4)");
  EXPECT_EQ(
      matchText({"o:f32:2 u:f32:2", loops("rc", "o(r, c) = u(r, c) + u(r, c + 1) + u(r, c + 3);")},
                P),
      "mismatch: 'u(r, c + 3)' of the leaf and the elements before are not one 'x'");
}

TEST(Unify, DimensionsThatStandStillMayBeAny) {
  PrimitiveText P(R"(
norms:
  processor: VECTOR
  operands: {y: {dtype: float, shape: [16]}, z: {dtype: const float, shape: [16, 2]}}
  semantics: "for (int i = 0; i < 16; ++i) y(i) = z(i, 0) * z(i, 0) + z(i, 1) * z(i, 1);"
  emit: "norms({y}, {z});"
)");
  const std::string Sum = "y(i) = Z(b, i, 0) * Z(b, i, 0) + Z(b, i, 1) * Z(b, i, 1);";
  EXPECT_EQ(matchText({"y:f32:1 Z:f32:3 b:i64:scalar", loops("i", Sum)}, P),
            "y = y(i), z = Z(b, i, 0)");
  EXPECT_EQ(matchText({"y:f32:1 Z:f32:3 b:i64:scalar",
                       loops("i", "y(i) = Z(0, b, i) * Z(0, b, i) + Z(1, b, i) * Z(1, b, i);")},
                      P),
            "y = y(i), z = Z(0, b, i) turned");
}

TEST(Unify, LoopsInOrderStayOutside) {
  const std::string Tensors = "C:f32:2 X:f32:2 y:f32:1";
  // Every step t reads what the one before wrote.
  EXPECT_EQ(matchText({Tensors, "for (int t = 0; t < 8; ++t) for (int j = 0; j < 64; ++j)"
                                "  C(t + 1, j) += X(t, 0) * C(t, j);"},
                      axpy()),
            "y = C(t + 1, j), a = X(t, 0), x = C(t, j)");
  EXPECT_EQ(matchText({Tensors, "for (int j = 0; j < 64; ++j) for (int t = 0; t < 8; ++t)"
                                "  C(t + 1, j) += X(t, 0) * C(t, j);"},
                      axpy()),
            "mismatch: loop 't' of the leaf runs in order, because iterations meet in 'C', inside "
            "loop 'j'");
}

//===--- primitives that cannot be bound -------------------------------------------------===//

std::string problemOf(const std::string &Entry) {
  Machine M = machineWith(Entry);
  Diagnostics D;
  if (M.Primitives.empty() || primitiveForm(M.Primitives.front(), D))
    return "";
  std::string Text = renderText(D);
  return Text.substr(Text.find("error: ") + 7);
}

std::string problemOfSemantics(const std::string &Text) {
  return problemOf(
      "p:\n  processor: VECTOR\n  sizes: {N: {min: 1, max: 8}}\n"
      "  operands: {y: {dtype: float, shape: [N]}, x: {dtype: const float, shape: [N]}}\n"
      "  semantics: \"" +
      Text + "\"\n  emit: f({y}, {x});\n");
}

TEST(PrimitiveForm, ReportsSemanticsThatCannotBeBound) {
  const std::string Head = "semantics of primitive 'p' cannot be bound: ";
  const std::string Id = " [septran-primitive-semantics]\n";
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N; ++i) y(i) = x(i);"), "");
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N; ++i) y(i) = 1;"),
            Head + "operand 'x' does not occur" + Id);
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N; ++i) if (i < 3) y(i) = x(i);"),
            Head + "it has a condition" + Id);
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N + 1; ++i) y(i) = x(i);"),
            Head + "loop 'i' runs to 'N + 1'; expected a positive number or one of the sizes" + Id);
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N; ++i) y(i) = x(N - i);"),
            Head + "index 'N - i' is no sum of multiples of loops" + Id);
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N; ++i) y(i) = x(i - 1);"),
            Head + "index 'i - 1' starts below 0" + Id);
  EXPECT_EQ(problemOfSemantics("for (int i = 0; i < N; ++i) y(i + 1) = y(i) + x(i);"),
            Head + "loop 'i' runs in order, because iterations meet in 'y'" + Id);
  EXPECT_EQ(problemOf("p:\n  processor: VECTOR\n  operands: {y: {dtype: quad, shape: [8]}}\n"
                      "  semantics: y(0) = 1;\n  emit: f({y});\n"),
            Head + "operand 'y' has unknown dtype 'quad'" + Id);
}

} // namespace
