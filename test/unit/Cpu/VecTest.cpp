//===- VecTest.cpp - making, cutting and masking vectors --------------------===//

#include <septran/cpu/vec.h>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace septran::cpu;

static_assert(std::is_same_v<lane_of<vec<float, 8>>, float>);
static_assert(width_of<vec<std::int8_t, 16>> == 16);
static_assert(std::is_same_v<lane_t<septran::bfloat16>, float>);
static_assert(std::is_same_v<lane_t<const double>, double>);
static_assert(vector<vec<float, 4>> && !vector<float> && !vector<float *> && !vector<float[4]>);

template <class T, int W> void check_shape() {
  SCOPED_TRACE(testing::Message() << "W = " << W << ", sizeof(T) = " << sizeof(T));
  const auto numbers = iota<T, W>(T(3));
  const auto fives = splat<T, W>(T(5));
  for (int i = 0; i < W; ++i) {
    EXPECT_EQ(numbers[i], T(3 + i));
    EXPECT_EQ(fives[i], T(5));
  }
  for (std::ptrdiff_t n : {-3, 0, 1, W - 1, W, W + 1}) {
    const auto mask = mask_n<T, W>(n);
    const auto chosen = select(mask, fives, numbers);
    for (int i = 0; i < W; ++i)
      EXPECT_EQ(chosen[i], i < n ? T(5) : T(3 + i)) << n;
    EXPECT_EQ(any(mask), n > 0);
  }
  const auto doubled = concat(numbers, fives);
  for (int i = 0; i < W; ++i) {
    EXPECT_EQ(low_half(doubled)[i], numbers[i]);
    EXPECT_EQ(high_half(doubled)[i], fives[i]);
  }
}

template <class T> void check_widths() {
  check_shape<T, 2>();
  check_shape<T, 4>();
  check_shape<T, 8>();
  check_shape<T, 16>();
  check_shape<T, 32>();
}

TEST(Vec, MakesAndCutsEveryLaneType) {
  check_widths<float>();
  check_widths<std::int8_t>();
  check_shape<double, 2>();
  check_shape<double, 8>();
  check_shape<std::uint8_t, 16>();
  check_shape<std::int16_t, 8>();
  check_shape<std::uint16_t, 16>();
  check_shape<std::int32_t, 4>();
  check_shape<std::uint32_t, 16>();
  check_shape<std::int64_t, 8>();
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
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(chosen[i], i < 3 ? 1 : 2);
    EXPECT_EQ(wide[i], i > 3 ? 1 : 2);
  }
}

TEST(Vec, AsKeepsTheBits) {
  const auto bits = as<vec<std::uint32_t, 4>>(splat<float, 4>(1.0f));
  EXPECT_EQ(bits[2], 0x3f800000u);
}

} // namespace
