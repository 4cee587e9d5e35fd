//===- StorageTest.cpp --------------------------------------------*- C++ -*-===//
#include "Emit/Storage.h"
#include "IR/Affine.h"

#include <gtest/gtest.h>

namespace septran::compiler {
namespace {

struct StorageTest : testing::Test {
  TensorRef A = makeTensor("A", ScalarType::F32, 2, TensorKind::Buffer);
  VarRef IVar = makeVar("i", ScalarType::I64, VarKind::Loop);
  Expr I = varExpr(IVar);

  static Storage rows(std::int64_t Stride) {
    Storage S;
    S.Name = "A";
    S.Strides = {intLit(Stride), intLit(1)};
    S.Extents = {intLit(100), intLit(Stride)};
    S.Panels.resize(2);
    return S;
  }
  /// Panels of `Width` columns, each 100 rows high.
  static Storage panels(std::int64_t Width) {
    Storage S = rows(Width);
    S.Panels[1] = {Width, intLit(100 * Width)};
    S.Padded = {0, Width};
    return S;
  }
  /// Columns [i * Size, (i + 1) * Size) of A.
  View block(std::int64_t Size) const {
    View V = explicitView(wholeView(A));
    V.Slices[1] = {I * intLit(Size), intLit(Size), intLit(Size), I, nullptr, nullptr};
    return V;
  }
  static std::string text(const Expr &E) { return toString(simplify(E)); }
};

TEST_F(StorageTest, OffsetsFollowStrides) {
  EXPECT_EQ(text(rows(40).offsetOf({intLit(2), intLit(3)})), "83");
  EXPECT_EQ(text(panels(16).offsetOf({intLit(2), intLit(35)})),
            text(intLit(2 * 1600 + 2 * 16 + 3)));
}

TEST_F(StorageTest, BlocksStartAtTheirFirstElement) {
  std::optional<ViewStorage> V = storageOf(block(8), rows(40));
  ASSERT_TRUE(V);
  EXPECT_EQ(text(V->Offset), text(I * intLit(8)));
  EXPECT_EQ(text(V->S.Strides[0]), "40");
}

TEST_F(StorageTest, ABlockOfOnePanelIsContiguous) {
  std::optional<ViewStorage> V = storageOf(block(16), panels(16));
  ASSERT_TRUE(V);
  EXPECT_EQ(text(V->Offset), text(I * intLit(1600)));
  EXPECT_EQ(V->S.Panels[1].Width, 0);
}

TEST_F(StorageTest, BlocksOfSeveralPanelsKeepThem) {
  std::optional<ViewStorage> V = storageOf(block(32), panels(16));
  ASSERT_TRUE(V);
  EXPECT_EQ(text(V->Offset), text(I * intLit(3200)));
  EXPECT_EQ(V->S.Panels[1].Width, 16);
}

TEST_F(StorageTest, PanelsAreMemoryToTheirEnd) {
  auto Padded = [&](std::int64_t Size) { return storageOf(block(Size), panels(16))->S.Padded; };
  EXPECT_EQ(Padded(16), (std::vector<std::int64_t>{0, 16}));
  EXPECT_EQ(Padded(32), (std::vector<std::int64_t>{0, 16}));
  EXPECT_EQ(Padded(4), (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(storageOf(wholeView(A), panels(16))->S.paddedTo(1), 16);
  EXPECT_EQ(storageOf(block(8), rows(40))->S.paddedTo(1), 0);
}

TEST_F(StorageTest, PartsOfAPaddedBlockKeepWhatIsSure) {
  const Storage Panel = storageOf(block(16), panels(16))->S;
  EXPECT_EQ(storageOf(block(8), Panel)->S.paddedTo(1), 8);
  EXPECT_EQ(storageOf(block(12), Panel)->S.paddedTo(1), 0); // the second one ends beyond the panel
}

TEST_F(StorageTest, BlocksThatEndInTheMiddleOfAPanelHaveNoStorage) {
  EXPECT_FALSE(storageOf(block(12), panels(16)));
}

} // namespace
} // namespace septran::compiler
