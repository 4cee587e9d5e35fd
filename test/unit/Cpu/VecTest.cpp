//===- VecTest.cpp - making, cutting and masking vectors --------------------===//

#include "Lanes.h"

#include <septran/cpu/cast.h>

#include <cmath>

namespace vec_test {

using namespace septran::cpu;
using namespace lanes_test;

static_assert(std::is_same_v<lane_of<vec<float, 8>>, float>);
static_assert(width_of<vec<std::int8_t, 16>> == 16);
static_assert(std::is_same_v<lane_t<septran::bfloat16>, float>);
static_assert(std::is_same_v<lane_t<const double>, double>);
static_assert(vector<vec<float, 4>> && !vector<float> && !vector<float *> && !vector<float[4]>);

template <class T, int W> void check_shape() {
  SCOPED_TRACE(testing::Message() << "W = " << W << ", sizeof(T) = " << sizeof(T));
  const auto numbers = iota<T, W>(T(3));
  const auto fives = splat<T, W>(T(5));
  expect_lanes(numbers, [](int i) { return 3 + i; });
  expect_lanes(fives, [](int) { return 5; });
  for (std::ptrdiff_t n : {-3, 0, 1, W - 1, W, W + 1}) {
    const auto mask = mask_n<T, W>(n);
    expect_lanes(select(mask, fives, numbers), [n](int i) { return i < n ? 5 : 3 + i; });
    EXPECT_EQ(any(mask), n > 0);
  }
  const auto doubled = concat(numbers, fives);
  expect_lanes(low_half(doubled), [&](int i) { return numbers[i]; });
  expect_lanes(high_half(doubled), [&](int i) { return fives[i]; });
}

template <class T> void check_widths() {
  check_shape<T, 2>();
  check_shape<T, full<T>>();
}

TEST(Vec, MakesAndCutsEveryLaneType) {
  check_widths<float>();
  check_shape<float, 2 * full<float>>();
  check_widths<std::int8_t>();
  check_widths<double>();
  check_shape<std::uint8_t, 16>();
  check_shape<std::int16_t, 8>();
  check_shape<std::uint16_t, 2 * full<std::uint16_t>>();
  check_shape<std::int32_t, 4>();
  check_shape<std::uint32_t, full<std::uint32_t>>();
  check_shape<std::int64_t, 2 * full<std::int64_t>>();
  check_shape<std::uint64_t, 2>();
}

TEST(Vec, SplatKeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit((splat<float, 4>(-0.0f))[3]));
  EXPECT_FALSE(std::signbit((splat<double, 2>(0.0))[1]));
}

TEST(Vec, SelectTakesMasksOfOtherLaneSizes) {
  const auto mask = iota<double, 8>(0) < 3;
  const auto chosen = select(mask, splat<float, 8>(1), splat<float, 8>(2));
  const auto wide = select(iota<std::int8_t, 8>(0) > 3, splat<double, 8>(1), splat<double, 8>(2));
  expect_lanes(chosen, [](int i) { return i < 3 ? 1 : 2; });
  expect_lanes(wide, [](int i) { return i > 3 ? 1 : 2; });
}

TEST(Vec, Repeats) {
  const auto bytes = repeat<16>(vec<std::int8_t, 4>{1, -2, 3, -4});
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(bytes[i], (i % 2 ? -1 : 1) * (i % 4 + 1));
  EXPECT_EQ((repeat<8>(vec<float, 2>{1.5f, 2.5f})[5]), 2.5f);
}

TEST(Vec, AsKeepsTheBits) {
  const auto bits = as<vec<std::uint32_t, 4>>(splat<float, 4>(1.0f));
  EXPECT_EQ(bits[2], 0x3f800000u);
}

} // namespace vec_test
