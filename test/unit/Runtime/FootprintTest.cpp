//===- FootprintTest.cpp - which elements a tensor has ----------------------===//

#include <septran/checked/footprint.h>

#include <gtest/gtest.h>

#include <vector>

namespace {

using septran::checked::detail::footprint;

struct Layout {
  const char *name;
  std::vector<std::ptrdiff_t> extents, strides;
  std::ptrdiff_t first; // element of the memory that the tensor begins with
};

class FootprintOf : public ::testing::TestWithParam<Layout> {};

/// Membership agrees with the list of elements.
TEST_P(FootprintOf, ContainsWhatItVisits) {
  const Layout &layout = GetParam();
  static double memory[256];
  const footprint f(memory + layout.first, sizeof(double), layout.extents.data(),
                    layout.strides.data(), int(layout.extents.size()));
  std::vector<bool> visited(256, false);
  std::size_t count = 0;
  f.for_each([&](const char *element, const std::ptrdiff_t *index) {
    std::ptrdiff_t offset = layout.first;
    for (std::size_t d = 0; d < layout.extents.size(); ++d) {
      EXPECT_LT(index[d], layout.extents[d]);
      offset += index[d] * layout.strides[d];
    }
    EXPECT_EQ(element, reinterpret_cast<const char *>(memory + offset));
    visited[std::size_t(offset)] = true;
    ++count;
    return true;
  });
  EXPECT_EQ(count, f.count());
  for (std::size_t n = 0; n < 256; ++n)
    EXPECT_EQ(f.contains(memory + n), visited[n]) << n;
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, FootprintOf,
    ::testing::Values(Layout{"scalar", {}, {}, 7}, Layout{"row_major", {4, 8}, {8, 1}, 3},
                      Layout{"column_major", {4, 8}, {1, 4}, 3},
                      Layout{"block", {3, 4}, {16, 1}, 20}, Layout{"every_third", {10}, {3}, 5},
                      Layout{"backwards", {10}, {-2}, 40},
                      Layout{"mixed", {3, 4, 2}, {-32, 2, 8}, 100},
                      Layout{"broadcast", {5, 4}, {0, 2}, 9},
                      Layout{"one_row", {1, 4}, {1000, 1}, 9}, Layout{"empty", {4, 0}, {8, 1}, 9}),
    [](const auto &param) { return param.param.name; });

TEST(Footprint, OverlappingRowsCountAsTheirSpan) {
  double memory[16];
  const std::ptrdiff_t extents[] = {3, 3}, strides[] = {3, 2};
  const footprint f(memory, sizeof(double), extents, strides, 2);
  EXPECT_TRUE(f.contains(memory + 10));
  EXPECT_TRUE(f.contains(memory + 1));
  EXPECT_FALSE(f.contains(memory + 11));
}

TEST(Footprint, NoTensorHasNoElements) {
  const footprint f;
  EXPECT_TRUE(f.empty());
  EXPECT_EQ(f.count(), 0u);
  EXPECT_FALSE(f.contains(nullptr));
}

} // namespace
