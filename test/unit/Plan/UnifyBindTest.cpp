// Leaves as tiles of primitives: the code, the refusals, and that the result stays what the leaf
// computes.
#include "Plan/OperandLayout.h"
#include "UnifyBinding.h"

using namespace septran::compiler;

namespace {

std::string mma(const std::string &More) {
  return "mma:\n"
         "  processor: VECTOR\n"
         "  operands:\n"
         "    C: {dtype: float, shape: [4, 8]}\n"
         "    A: {dtype: const float, shape: [4, 2]}\n"
         "    B: {dtype: const float, shape: [2, 8]}\n"
         "  semantics: |\n"
         "    for (int i = 0; i < 4; ++i)\n"
         "      for (int j = 0; j < 8; ++j)\n"
         "        for (int k = 0; k < 2; ++k)\n"
         "          C(i, j) += A(i, k) * B(k, j);\n"
         "  emit: \"mma({C}, {C.stride0}, {A}, {A.stride0}, {B}, {B.stride0});\"\n" +
         More;
}

const std::string Axpy = "axpy:\n"
                         "  processor: VECTOR\n"
                         "  sizes: {N: {min: 1, max: 32}}\n"
                         "  operands:\n"
                         "    y: {dtype: float, shape: [N]}\n"
                         "    a: {dtype: const float}\n"
                         "    x: {dtype: const float, shape: [N]}\n"
                         "  semantics: for (int j = 0; j < N; ++j) y(j) += a * x(j);\n"
                         "  emit: \"axpy({N}, {a}, {x}, {y});\"\n";

const std::string Matrices = "C:f32:2 A:f32:2 B:f32:2";
const std::string Product = "for (int i = 0; i < C.extent(0); ++i)"
                            "  for (int j = 0; j < C.extent(1); ++j)"
                            "    for (int k = 0; k < A.extent(1); ++k)"
                            "      C(i, j) += A(i, k) * B(k, j);";

std::string product(int M, int N, int K) {
  return "for (int i = 0; i < " + std::to_string(M) + "; ++i) for (int j = 0; j < " +
         std::to_string(N) + "; ++j) for (int k = 0; k < " + std::to_string(K) +
         "; ++k) C(i, j) += A(i, k) * B(k, j);";
}

//===--- code ------------------------------------------------------------------------===//

TEST(BindPrimitive, WholeTiles) {
  Binding B({Matrices, product(8, 16, 6)}, mma(""));
  EXPECT_EQ(
      B.text(),
      "for (i_tile : 0 .. 2) {\n"
      "  for (j_tile : 0 .. 2) {\n"
      "    for (k_tile : 0 .. 3) {\n"
      "      primitive mma(C = C[block i_tile of 4, block j_tile of 8], "
      "A = A[block i_tile of 4, block k_tile of 2], B = B[block k_tile of 2, block j_tile of 8])\n"
      "    }\n"
      "  }\n"
      "}\n");
  EXPECT_EQ(B.difference({{8, 16}, {8, 6}, {6, 16}}), "");
}

TEST(BindPrimitive, ExactlyOneTileNeedsNoLoop) {
  Binding B({Matrices, product(4, 8, 2)}, mma(""));
  EXPECT_EQ(B.text(),
            "primitive mma(C = C[0 +: 4, 0 +: 8], A = A[0 +: 4, 0 +: 2], B = B[0 +: 2, 0 +: 8])\n");
}

TEST(BindPrimitive, PaddedTiles) {
  Binding B({Matrices, Product}, mma("  partial: pad\n"));
  ASSERT_TRUE(B.Result) << B.text();
  for (std::int64_t M : {1, 4, 5})
    for (std::int64_t N : {1, 7, 8, 17})
      for (std::int64_t K : {0, 1, 2, 5})
        EXPECT_EQ(B.difference({{M, N}, {M, K}, {K, N}}), "") << M << " " << N << " " << K;
}

TEST(BindPrimitive, PaddingStaysWithOperandsThatNeedIt) {
  Binding B({Matrices, product(8, 16, 5)}, mma("  partial: pad\n"));
  EXPECT_EQ(B.text().find("C_pad"), std::string::npos) << B.text();
  EXPECT_NE(B.text().find("alloc A_pad : GLOBAL f32[4, 2]\n"), std::string::npos) << B.text();
  EXPECT_EQ(B.difference({{8, 16}, {8, 5}, {5, 16}}), "");
}

TEST(BindPrimitive, MaskedTiles) {
  Binding B({Matrices, Product}, mma("  partial: mask\n"));
  ASSERT_TRUE(B.Result) << B.text();
  EXPECT_EQ(B.text().find("alloc"), std::string::npos) << B.text();
  for (std::int64_t M : {1, 4, 9})
    EXPECT_EQ(B.difference({{M, 11}, {M, 3}, {3, 11}}), "") << M;
}

TEST(BindPrimitive, TurnedOperands) {
  Binding B({Matrices, "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j)"
                       "  for (int k = 0; k < 4; ++k) C(i, j) += A(k, i) * B(j, k);"},
            mma("  partial: mask\n"));
  // Neighbours along a row must be neighbours in memory, and the leaf has them in a column.
  EXPECT_EQ(B.problem(),
            "operand 'C' must lie in layout column, but 'C' lies as the caller has it; place it "
            "in a memory where it is copied to");
}

TEST(BindPrimitive, SizesInARange) {
  const std::string Row =
      "for (int i = 0; i < C.extent(0); ++i) for (int k = 0; k < A.extent(1); ++k)"
      "  for (int j = 0; j < C.extent(1); ++j) C(i, j) += A(i, k) * B(k, j);";
  Binding B({Matrices, Row}, Axpy);
  EXPECT_EQ(B.text(), "for (i : 0 .. C.extent(0)) {\n"
                      "  for (k : 0 .. A.extent(1)) {\n"
                      "    for (j_tile : 0 .. ceil_div(C.extent(1), 32)) {\n"
                      "      primitive axpy(y = C[at i, block j_tile of 32], a = A(i, k), x = B[at "
                      "k, block j_tile of 32], "
                      "N = min(C.extent(1) - j_tile * 32, 32))\n"
                      "    }\n"
                      "  }\n"
                      "}\n");
  for (std::int64_t N : {1, 31, 32, 33, 70})
    EXPECT_EQ(B.difference({{3, N}, {3, 2}, {2, N}}), "") << N;
}

TEST(BindPrimitive, SizesWithoutALimit) {
  const std::string Loop = "for (int j = 0; j < y.extent(0); ++j) y(j) += 2 * x(j);";
  std::string Any = Axpy;
  Any.replace(Any.find("min: 1, max: 32"), 15, "min: 0");
  Binding B({"y:f32:1 x:f32:1", Loop}, Any);
  EXPECT_EQ(B.text(), "primitive axpy(y = y[all], a = 2.0f, x = x[0 +: y.extent(0)], "
                      "N = y.extent(0))\n");
  for (std::int64_t N : {0, 1, 70})
    EXPECT_EQ(B.difference({{N}, {N}}), "") << N;
  Any.replace(Any.find("min: 0"), 6, "min: 1"); // so it must be asked whether there is any
  Binding One({"y:f32:1 x:f32:1", Loop}, Any);
  EXPECT_NE(One.text().find("for (j_tile"), std::string::npos) << One.text();
  for (std::int64_t N : {0, 1, 70})
    EXPECT_EQ(One.difference({{N}, {N}}), "") << N;
}

TEST(BindPrimitive, SizesFromZeroOn) {
  std::string None = Axpy;
  None.replace(None.find("min: 1"), 6, "min: 0");
  std::string Steps = None;
  Steps.replace(Steps.find("max: 32"), 7, "max: 32, step: 4");
  for (int N : {0, 1, 3, 32, 33, 37, 67}) { // 33 has no divisor from 16 to 32
    const std::string Loop = "for (int j = 0; j < " + std::to_string(N) + "; ++j) y(j) += 2 * x(j);";
    EXPECT_EQ(Binding({"y:f32:1 x:f32:1", Loop}, None).difference({{N}, {N}}), "") << N;
    if (N % 4 == 0)
      EXPECT_EQ(Binding({"y:f32:1 x:f32:1", Loop}, Steps).difference({{N}, {N}}), "") << N;
    else
      EXPECT_NE(Binding({"y:f32:1 x:f32:1", Loop}, Steps).problem(), "") << N;
  }
}

TEST(BindPrimitive, ConstantExtentsGetEvenTiles) {
  auto Row = [](int N) {
    return "for (int j = 0; j < " + std::to_string(N) + "; ++j) y(j) += 2 * x(j);";
  };
  EXPECT_EQ(Binding({"y:f32:1 x:f32:1", Row(20)}, Axpy).text(),
            "primitive axpy(y = y[0 +: 20], a = 2.0f, x = x[0 +: 20], N = 20)\n");
  std::string Steps = Axpy;
  Steps.replace(Steps.find("max: 32"), 7, "max: 32, step: 4");
  Steps.replace(Steps.find("min: 1"), 6, "min: 4");
  EXPECT_EQ(
      Binding({"y:f32:1 x:f32:1", Row(56)}, Steps).text(),
      "for (j_tile : 0 .. 2) {\n"
      "  primitive axpy(y = y[block j_tile of 28], a = 2.0f, x = x[block j_tile of 28], N = 28)\n"
      "}\n");
  EXPECT_EQ(
      Binding({"y:f32:1 x:f32:1", Row(21)}, Steps).problem(),
      "loop 'j' runs to 21, which is not known to be a multiple of 4, and the primitive takes "
      "no partial tiles");
}

TEST(BindPrimitive, InitialisationRunsFirst) {
  Binding B({Matrices, "for (int i = 0; i < 4; ++i) for (int j = 0; j < 8; ++j) {"
                       "  float s = 0; for (int k = 0; k < 4; ++k) s += A(i, k) * B(k, j);"
                       "  C(i, j) = s; }"},
            mma(""));
  EXPECT_EQ(B.text().substr(0, 76), "for (i : 0 .. 4) {\n"
                                    "  for (j : 0 .. 8) {\n"
                                    "    C(i, j) = 0.0f\n"
                                    "  }\n"
                                    "}\n"
                                    "for (k_tile")
      << B.text();
  EXPECT_EQ(B.difference({{4, 8}, {4, 4}, {4, 8}}), "");
}

TEST(BindPrimitive, UpdatesOfOnePrimitiveShareTheirLoops) {
  const std::string SumOf4 =
      "sum4:\n"
      "  processor: VECTOR\n"
      "  operands: {S: {dtype: float, shape: [8]}, X: {dtype: const float, shape: [8, 4]}}\n"
      "  semantics: |\n"
      "    for (int i = 0; i < 8; ++i) {\n"
      "      S(i) = 0;\n"
      "      for (int k = 0; k < 4; ++k) S(i) += X(i, k);\n"
      "    }\n"
      "  emit: \"sum4({S}, {X}, {X.stride0});\"\n";
  auto Sum = [](int N) {
    return "for (int i = 0; i < 16; ++i) { S(i) = 0; for (int k = 0; k < " + std::to_string(N) +
           "; ++k) S(i) += X(i, k); }";
  };
  Binding Four({"S:f32:1 X:f32:2", Sum(4)}, SumOf4);
  ASSERT_TRUE(Four.Result) << Four.text();
  EXPECT_EQ(Four.difference({{16}, {16, 4}}), "");
  EXPECT_EQ(Binding({"S:f32:1 X:f32:2", Sum(8)}, SumOf4).problem(),
            "loop 'k' would run around all updates of the primitive, but is around 1 of 2");
}

//===--- registers ---------------------------------------------------------------------===//

const std::string Rows = "rows:\n"
                         "  processor: VECTOR\n"
                         "  operands:\n"
                         "    C: {dtype: float, shape: [8], memory: REGISTER}\n"
                         "    A: {dtype: const float, shape: [2]}\n"
                         "    B: {dtype: const float, shape: [2, 8]}\n"
                         "  semantics: |\n"
                         "    for (int j = 0; j < 8; ++j)\n"
                         "      for (int k = 0; k < 2; ++k)\n"
                         "        C(j) += A(k) * B(k, j);\n"
                         "  emit: \"rows({C}, {A}, {B}, {B.stride0});\"\n"
                         "  partial: pad\n";

TEST(BindPrimitive, RegistersAreUnrolledAndNeedNoPadding) {
  const RegisterTile Tile{{3, 16}, 1, 8, false};
  Binding Even({Matrices, product(3, 16, 4)}, Rows, {}, {{"C", Tile}});
  EXPECT_EQ(Even.text(),
            "for (k_tile : 0 .. 2) {\n"
            "  for (i : 0 .. 3) unrolled trip 3 {\n"
            "    for (j_tile : 0 .. 2) unrolled trip 2 {\n"
            "      primitive rows(C = C[at i, block j_tile of 8], "
            "A = A[at i, block k_tile of 2], B = B[block k_tile of 2, block j_tile of 8])\n"
            "    }\n"
            "  }\n"
            "}\n");
  EXPECT_EQ(Even.difference({{3, 16}, {3, 4}, {4, 16}}), "");
  Binding Odd({Matrices, product(3, 13, 5)}, Rows, {}, {{"C", Tile}});
  EXPECT_EQ(Odd.text().find("C_pad"), std::string::npos) << Odd.text();
  EXPECT_EQ(Odd.difference({{3, 13}, {3, 5}, {5, 13}}), "");
}

TEST(BindPrimitive, TheLargerPartIsCopiedOnceForAllRows) {
  const RegisterTile Tile{{3, 16}, 1, 8, false};
  const std::string Text = Binding({Matrices, product(3, 13, 5)}, Rows, {}, {{"C", Tile}}).text();
  const size_t Rest = Text.find("for (k_tile_1"), Columns = Text.find("for (j_tile", Rest),
               B = Text.find("alloc B_pad", Rest), Lines = Text.find("for (i", Rest),
               A = Text.find("alloc A_pad", Rest);
  EXPECT_TRUE(Columns < B && B < Lines && Lines < A && A != std::string::npos) << Text;
}

TEST(BindPrimitive, ARegisterIsOneOperand) {
  auto Problem = [](const RegisterTile &Tile) {
    return Binding({Matrices, product(3, 16, 4)}, Rows, {}, {{"C", Tile}}).problem();
  };
  EXPECT_EQ(Problem({{3, 16}, 1, 16, false}),
            "operand 'C' is a register of 8 elements, 'C' has registers of 16");
  EXPECT_EQ(Problem({{3, 16}, 0, 8, false}),
            "operand 'C' is a register of 8 elements, 'C' has its registers along dimension 0");
  EXPECT_EQ(Problem({{3, 16}, 1, 8, true}),
            "operand 'C' is a register of 8 elements, 'C' has no vector registers, because its "
            "leaves do not agree on the dimension");
  EXPECT_EQ(Binding({Matrices, "for (int i = 0; i < 3; ++i) for (int j = 0; j < 8; ++j)"
                               "  for (int k = 0; k < 4; ++k) C(i, j + 4) += A(i, k) * B(k, j);"},
                    Rows, {}, {{"C", {{3, 16}, 1, 8, false}}})
                .problem(),
            "tiles of 'C' start at 4, which is not known to be the first lane of a register");
}

TEST(BindPrimitive, RegistersHaveNoZerosAfterTheirEnd) {
  const std::string Sum = "sum8:\n"
                          "  processor: VECTOR\n"
                          "  operands:\n"
                          "    s: {dtype: float}\n"
                          "    x: {dtype: const float, shape: [8], memory: REGISTER}\n"
                          "  semantics: for (int i = 0; i < 8; ++i) s() += x(i);\n"
                          "  emit: \"sum8({s}, {x});\"\n"
                          "  partial: pad\n";
  const std::string Tensors = "r:f32:1 x:f32:1";
  const RegisterTile Tile{{16}, 0, 8, false};
  EXPECT_EQ(Binding({Tensors, "for (int i = 0; i < 16; ++i) r(0) += x(i);"}, Sum, {}, {{"x", Tile}})
                .problem(),
            "bound");
  EXPECT_EQ(Binding({Tensors, "for (int i = 0; i < 13; ++i) r(0) += x(i);"}, Sum, {}, {{"x", Tile}})
                .problem(),
            "loop 'i' needs zeros after its end in 'x', which lies in registers");
}

//===--- refusals --------------------------------------------------------------------===//

TEST(BindPrimitive, ReportsWhereTheMappingAsks) {
  Binding B({"C:f32:2 A:f16:2 B:f32:2",
             "for (int i = 0; i < 8; ++i) for (int j = 0; j < 8; ++j)"
             "  for (int k = 0; k < 4; ++k) C(i, j) += A(i, k) * B(k, j);"},
            mma(""));
  std::string Text = renderText(B.D);
  EXPECT_EQ(
      Text.substr(0, Text.find('\n')),
      "map.yaml:7:1: error: leaf 'leaf' does not match primitive 'mma': operand 'A' is f32, 'A' of "
      "the leaf is f16 [septran-binding-mismatch]");
  EXPECT_NE(Text.find("the leaf computes: C(i, j) += f32(A(i, k)) * B(k, j)"), std::string::npos)
      << Text;
  EXPECT_NE(Text.find("the primitive computes: C(i, j) += A(i, k) * B(k, j)"), std::string::npos)
      << Text;
}

TEST(BindPrimitive, PointsAtWhatHasNoForm) {
  Binding B({"y:f32:1 x:f32:1", "for (int i = 0; i < 8; ++i) if (i > 2) y(i) = x(i);"}, Axpy);
  EXPECT_EQ(B.problem(), "it has a condition");
  EXPECT_NE(renderText(B.D).find("this part of the leaf has no counterpart in primitives"),
            std::string::npos);
}

TEST(BindPrimitive, PartialTilesNeedARule) {
  EXPECT_EQ(
      Binding({Matrices, product(8, 16, 5)}, mma("")).problem(),
      "loop 'k' runs to 5, which is not known to be a multiple of 2, and the primitive takes no "
      "partial tiles");
  EXPECT_EQ(
      Binding({Matrices, Product}, mma("")).problem(),
      "loop 'i' runs to C.extent(0), which is not known to be a multiple of 4, and the primitive "
      "takes no partial tiles");
}

TEST(BindPrimitive, PaddingMustNotChangeReductions) {
  const std::string SumExp =
      "sum_exp:\n"
      "  processor: VECTOR\n"
      "  operands: {s: {dtype: float}, x: {dtype: const float, shape: [8]}}\n"
      "  semantics: for (int i = 0; i < 8; ++i) s() += exp(x(i));\n"
      "  emit: \"f({s}, {x});\"\n"
      "  partial: pad\n";
  EXPECT_EQ(
      Binding({"r:f32:1 x:f32:1", "for (int i = 0; i < 9; ++i) r(0) += exp(x(i));"}, SumExp)
          .problem(),
      "loop 'i' runs to 9, which is not known to be a multiple of 8, and zeros in its place would "
      "change the result");
  EXPECT_EQ(Binding({"r:f32:1 x:f32:1", "for (int i = 0; i < 16; ++i) r(0) += exp(x(i));"}, SumExp)
                .problem(),
            "bound");
}

TEST(BindPrimitive, WrittenTensorsAreNoOtherOperand) {
  EXPECT_EQ(Binding({"y:f32:1", "for (int j = 0; j < 8; ++j) y(j) += 2 * y(j);"}, Axpy).problem(),
            "'y' would be operand 'x' and operand 'y', which the primitive writes");
}

TEST(BindPrimitive, MemoriesMustAgree) {
  std::string InCache = Axpy;
  InCache.replace(InCache.find("shape: [N]}\n    a"), 11, "shape: [N], memory: CACHE}");
  LeafText Leaf("y:f32:1 x:f32:1", "for (int j = 0; j < 8; ++j) y(j) += 2 * x(j);");
  EXPECT_EQ(Binding(Leaf, InCache).problem(), "operand 'y' must be in CACHE, 'y' is in GLOBAL");
  Leaf.Names.Tensors["x"]->Memory = "REGISTER";
  EXPECT_EQ(Binding(Leaf, Axpy).problem(),
            "operand 'x' must be in a memory with addresses, 'x' is in REGISTER");
  Leaf.Names.Tensors["x"]->Memory = "GLOBAL";
  Leaf.Names.Tensors["y"]->Memory = "CACHE";
  EXPECT_EQ(Binding(Leaf, InCache).problem(), "bound");
}

TEST(BindPrimitive, ProcessorAndStateMustBeThere) {
  std::string OnCore = Axpy;
  OnCore.replace(OnCore.find("VECTOR"), 6, "CORE");
  LeafText Leaf("y:f32:1 x:f32:1", "for (int j = 0; j < 8; ++j) y(j) += 2 * x(j);");
  EXPECT_EQ(Binding(Leaf, OnCore).problem(), "it runs on CORE, the leaf on VECTOR");
  EXPECT_EQ(Binding(Leaf, Axpy + "  init: \"zero({y});\"\n").problem(),
            "its 'init', 'drain' and 'requires' are not available for language c++");
}

TEST(BindPrimitive, TemplatesAreChecked) {
  LeafText Leaf("y:f32:1 x:f32:1", "for (int j = 0; j < 8; ++j) y(j) += 2 * x(j);");
  std::string Misspelt = Axpy;
  Misspelt.replace(Misspelt.find("{N}"), 3, "{M}");
  std::string Text = renderText(Binding(Leaf, Misspelt).D);
  EXPECT_NE(Text.find("template has no value for '{M}'"), std::string::npos) << Text;
  EXPECT_NE(Text.find("[septran-template-placeholder]"), std::string::npos) << Text;
}

TEST(BindPrimitive, WindowsHaveNoAddress) {
  LeafText Leaf("y:f32:1 x:f32:1", "for (int j = 0; j < 8; ++j) y(j) += 2 * x(j);");
  TensorRef Root = makeTensor("image", ScalarType::F32, 1, TensorKind::Parameter);
  View Window = explicitView(wholeView(Root));
  Window.Slices[0].Offset = intLit(-1);
  Window.Fill = floatLit(0, ScalarType::F32);
  EXPECT_EQ(Binding(Leaf, Axpy, {{Define{Leaf.Names.Tensors["x"], Window}, {}}}).problem(),
            "'x' reads outside 'image'; place it in a memory where it is copied to");
}

//===--- layouts ---------------------------------------------------------------------===//

/// The fixed modes of operand B of a primitive with this operand and template.
std::string fixed(const std::string &Shape, const std::string &Layout,
                  std::set<std::string> Placeholders) {
  Operand O;
  O.Name = LocatedName("B");
  O.Layout = LocatedName(Layout);
  std::istringstream In(Shape);
  for (std::string Word; In >> Word;)
    O.Shape.push_back(isdigit(Word[0]) ? OperandExtent{"", std::stoi(Word)}
                                       : OperandExtent{Word, 0});
  std::string Problem;
  std::optional<std::vector<LayoutMode>> Modes = fixedModes(O, Placeholders, Problem);
  if (!Modes)
    return Problem;
  BufferLayout L;
  L.Modes = *Modes;
  return Modes->empty() ? "any" : "inner " + toString(L);
}

TEST(OperandLayout, TheTemplateSaysWhichDistancesAreFree) {
  EXPECT_EQ(fixed("16 4", "", {}), "inner [0, 1%4]");
  EXPECT_EQ(fixed("16 4", "", {"B.stride0"}), "inner [1]");
  EXPECT_EQ(fixed("16 4", "", {"B.stride0", "B.stride1"}), "any");
  EXPECT_EQ(fixed("16 4", "column", {"B.stride1"}), "inner row"); // dimension 0 alone
  EXPECT_EQ(fixed("K 16", "panels(0, 4)", {"B.panel_stride0"}), "inner [1, 0%4]");
  EXPECT_EQ(fixed("4 16", "panels(0, 4)", {}), "inner [1, 0%4]");
  EXPECT_EQ(fixed("1 16", "", {}), "inner [1]");
  EXPECT_EQ(fixed("16 4", "", {"B.stride1"}), "its template takes {B.stride1} but not {B.stride0}");
  EXPECT_EQ(fixed("16 N", "", {}), "its template does not take {B.stride0}, which depends on 'N'");
  EXPECT_EQ(fixed("16 4", "swizzle(128)", {}),
            "operand 'B' has layout 'swizzle(128)'; a binding can provide 'row', 'column' and "
            "'panels(dim, width)'");
}

TEST(OperandLayout, BuffersGetWhatEveryTileNeeds) {
  TensorRef Buffer = makeTensor("packed", ScalarType::I8, 2, TensorKind::Buffer);
  Alloc A;
  A.T = Buffer;
  A.Extents = {intLit(64), intLit(48)};
  TensorTable Tensors(Block{{A, {}}});
  VarRef I = makeVar("i", ScalarType::I64, VarKind::Loop);
  PrimitiveCall::Operand O;
  O.Name = "B";
  O.Tensor = explicitView(wholeView(Buffer));
  O.Tensor.Slices[0] = {varExpr(I) * intLit(4), intLit(4), nullptr, nullptr, nullptr, nullptr};
  O.Tensor.Slices[1] = {intLit(0), intLit(16), nullptr, nullptr, nullptr, nullptr};
  O.Tensor.Dims = {1, 0}; // operand [16, 4]
  O.Inner = {{0}, {1, LayoutMode::Part::Remainder, 4}};
  std::string Problem;
  std::optional<WantedLayout> Wanted = wantedLayout(O, Tensors, Problem);
  ASSERT_TRUE(Wanted) << Problem;
  EXPECT_EQ(Wanted->Root, Buffer);
  EXPECT_EQ(toString(Wanted->Layout), "[0/4, 1, 0%4]");
  O.Tensor.Slices[0].Offset = varExpr(I) * intLit(6);
  EXPECT_FALSE(wantedLayout(O, Tensors, Problem));
  EXPECT_EQ(Problem,
            "tiles of 'packed' start at i * 6 along dimension 0, which is not known to be a "
            "multiple of 4");
}

} // namespace
