//===- MicroOpsTest.cpp - dot products against their definitions ------------===//
//
// Each is tested twice: as offered, which is the instruction where the target has it, and its
// portable form. The definition of dot2_bf16 is two scalar fused multiply-adds with the processor's
// own modes that flush subnormal numbers; where the processor lacks them, that test is skipped.
//
//===----------------------------------------------------------------------===//

#include "FlushingFma.h"
#include "Lanes.h"

#include <septran/cpu/memory.h>
#include <septran/cpu/micro_ops.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace micro_ops_test {

namespace cpu = septran::cpu;
using cpu::vec;
using namespace lanes_test;
using namespace flushing_fma;

template <int W> void check_dot4() {
  SCOPED_TRACE(testing::Message() << "W = " << W);
  std::mt19937 random(W);
  for (int n = 0; n < 4000 && !testing::Test::HasFailure(); ++n) {
    std::uint8_t a[4 * W];
    std::int8_t b[4 * W];
    std::int32_t acc[W], expected[W];
    for (int i = 0; i < 4 * W; ++i) {
      // The largest products of either sign first: pairs of them exceed 16 bits.
      a[i] = n < 8 ? 255 : std::uint8_t(random());
      b[i] = n < 8 ? n % 2 ? -128 : 127 : std::int8_t(random());
    }
    for (int i = 0; i < W; ++i) {
      // Accumulators that wrap in either direction.
      acc[i] = n < 8 ? n / 2 % 2 ? INT32_MIN + n / 4 : INT32_MAX - n / 4 : std::int32_t(random());
      std::uint32_t sum = std::uint32_t(acc[i]);
      for (int j = 0; j < 4; ++j)
        sum += std::uint32_t(int(a[4 * i + j]) * int(b[4 * i + j]));
      expected[i] = std::int32_t(sum);
    }
    const auto c = cpu::load<W>(acc);
    const auto x = cpu::load<4 * W>(a);
    const auto y = cpu::load<4 * W>(b);
    expect_lanes(cpu::dot4_u8s8(c, x, y), [&](int i) { return expected[i]; });
    expect_lanes(cpu::detail::dot4_by_lanes(c, x, y), [&](int i) { return expected[i]; });
  }
}

TEST(MicroOps, Dot4OfBytes) {
  check_dot4<4>();
  check_dot4<full<float>>();
  check_dot4<2 * full<float>>();
}

template <int W> void check_dot2_s16() {
  SCOPED_TRACE(testing::Message() << "W = " << W);
  std::mt19937 random(W);
  for (int n = 0; n < 4000 && !testing::Test::HasFailure(); ++n) {
    std::int16_t a[2 * W], b[2 * W];
    std::int32_t acc[W], expected[W];
    for (int i = 0; i < 2 * W; ++i) {
      // The largest products first: two of them wrap.
      a[i] = n < 8 ? INT16_MIN : std::int16_t(random());
      b[i] = n < 8 ? n % 2 ? INT16_MIN : INT16_MAX : std::int16_t(random());
    }
    for (int i = 0; i < W; ++i) {
      acc[i] = n < 8 ? n / 2 % 2 ? INT32_MIN + n / 4 : INT32_MAX - n / 4 : std::int32_t(random());
      std::uint32_t sum = std::uint32_t(acc[i]);
      for (int j = 0; j < 2; ++j)
        sum += std::uint32_t(int(a[2 * i + j]) * int(b[2 * i + j]));
      expected[i] = std::int32_t(sum);
    }
    const auto c = cpu::load<W>(acc);
    const auto x = cpu::load<2 * W>(a);
    const auto y = cpu::load<2 * W>(b);
    expect_lanes(cpu::dot2_s16(c, x, y), [&](int i) { return expected[i]; });
    expect_lanes(cpu::detail::dot2_s16_by_lanes(c, x, y), [&](int i) { return expected[i]; });
  }
}

TEST(MicroOps, Dot2OfIntegers) {
  check_dot2_s16<4>();
  check_dot2_s16<full<float>>();
  check_dot2_s16<2 * full<float>>();
}

float dot2(float acc, const std::uint16_t *a, const std::uint16_t *b) {
  const float odd = flushed_fma(widened(a[1]), widened(b[1]), acc);
  return flushed_fma(widened(a[0]), widened(b[0]), odd);
}

/// The accumulator and two pairs of bfloat16, as bits.
struct operands {
  std::uint32_t acc;
  std::uint16_t a[2], b[2];
};

/// Sums that round, tie, cancel, overflow and underflow: exponents of products near those of the
/// accumulator, which lies at either end of the range or between.
operands near_misses(std::mt19937 &random) {
  const int ends[] = {-126, -125, -120, -100, 0, 100, 126, 127};
  const int target = ends[random() % std::size(ends)];
  operands o;
  o.acc = float_bits(random, target);
  for (int i = 0; i < 2; ++i) {
    const int product = target + int(random() % 34) - 30, exponent = int(random() % 254) - 126;
    o.a[i] = std::uint16_t(float_bits(random, exponent) >> 16);
    o.b[i] = std::uint16_t(float_bits(random, product - exponent) >> 16);
  }
  return o;
}

operands any_bits(std::mt19937 &random) {
  return {std::uint32_t(random()),
          {std::uint16_t(random()), std::uint16_t(random())},
          {std::uint16_t(random()), std::uint16_t(random())}};
}

/// Zeros, ones, infinities, NaN and the neighbours of the smallest normal number, of either sign.
operands special(std::mt19937 &random) {
  const std::uint16_t values[] = {0, 1, 0x7f, 0x80, 0x81, 0x3f80, 0x7f7f, 0x7f80, 0x7fc0, 0x3f00};
  const auto pick = [&] {
    return std::uint16_t(values[random() % std::size(values)] | (random() & 0x8000));
  };
  operands o{std::uint32_t(pick()) << 16, {pick(), pick()}, {pick(), pick()}};
  if (random() % 4 == 0)
    o.acc += std::uint32_t(random() % 3) - 1;
  return o;
}

template <int W> void check_dot2() {
  SCOPED_TRACE(testing::Message() << "W = " << W);
  std::mt19937 random(W);
  for (int n = 0; n < 30000 && !testing::Test::HasFailure(); ++n) {
    std::uint16_t a[2 * W], b[2 * W];
    float acc[W], expected[W];
    for (int i = 0; i < W; ++i) {
      const operands o = n % 4 == 0   ? any_bits(random)
                         : n % 4 == 1 ? special(random)
                                      : near_misses(random);
      acc[i] = __builtin_bit_cast(float, o.acc);
      for (int j = 0; j < 2; ++j) {
        a[2 * i + j] = o.a[j];
        b[2 * i + j] = o.b[j];
      }
      expected[i] = dot2(acc[i], o.a, o.b);
    }
    const auto c = cpu::load<W>(acc);
    const auto x = cpu::load<2 * W>(a);
    const auto y = cpu::load<2 * W>(b);
    expect_lanes(cpu::dot2_bf16(c, x, y), [&](int i) { return expected[i]; });
    expect_lanes(cpu::detail::dot2_by_lanes(c, x, y), [&](int i) { return expected[i]; });
  }
}

TEST(MicroOps, Dot2OfBfloat16) {
  if (!has_definition())
    GTEST_SKIP() << "this processor has no fused multiply-add that flushes";
  check_dot2<4>();
  check_dot2<full<float>>();
  check_dot2<2 * full<float>>();
}

template <int W> void check_round() {
  SCOPED_TRACE(testing::Message() << "W = " << W);
  std::mt19937 random(W);
  for (int n = 0; n < 30000 && !testing::Test::HasFailure(); ++n) {
    float x[W];
    for (float &element : x) // ties, and what is next to them, among others
      element = __builtin_bit_cast(float, n % 2 ? std::uint32_t(random())
                                                : (std::uint32_t(random()) & 0xffff8000u) +
                                                      std::uint32_t(random() % 3) - 1);
    expect_lanes(cpu::round_bf16(cpu::load<W>(x)), [&](int i) {
      const bool is_subnormal = std::abs(x[i]) < std::numeric_limits<float>::min();
      return septran::bfloat16(is_subnormal ? std::copysign(0.0f, x[i]) : x[i]).bits();
    });
  }
}

TEST(MicroOps, RoundToBfloat16) {
  check_round<4>();
  check_round<full<float>>();
  check_round<2 * full<float>>();
}

TEST(MicroOps, RoundRowToBfloat16) {
  std::mt19937 random(1);
  for (int n = 0; n < 100; ++n) {
    std::vector<float> x(n);
    for (float &element : x)
      element = __builtin_bit_cast(float, std::uint32_t(random()) & 0x3fffffffu);
    const septran::bfloat16 untouched = 7.0f;
    std::vector<septran::bfloat16> y(n + 1, untouched);
    cpu::round_row_bf16(n, x.data(), y.data());
    for (int i = 0; i < n; ++i) {
      const bool is_subnormal = x[i] < std::numeric_limits<float>::min();
      ASSERT_EQ(y[i].bits(), septran::bfloat16(is_subnormal ? 0.0f : x[i]).bits()) << n << ", " << i;
    }
    ASSERT_EQ(y[n].bits(), untouched.bits()) << n;
  }
}

/// dot2_bf16 of one accumulator and the products of two pairs.
float dot2_of(float acc, septran::bfloat16 a1, septran::bfloat16 b1, septran::bfloat16 a0 = 0.0f,
              septran::bfloat16 b0 = 0.0f) {
  const vec<std::uint16_t, 8> a{a0.bits(), a1.bits()}, b{b0.bits(), b1.bits()};
  const float portable = cpu::detail::dot2_by_lanes(vec<float, 4>{acc}, a, b)[0];
  EXPECT_TRUE(same<float>(cpu::dot2_bf16(vec<float, 4>{acc}, a, b)[0], portable));
  return portable;
}

TEST(MicroOps, Dot2AddsTheOddProductFirst) {
  // What the first addition loses, the second cannot bring back.
  EXPECT_EQ(dot2_of(0x1p-30f, 1, 1, -1, 1), 0.0f);
  EXPECT_EQ(dot2_of(-1, 1, 1, 0x1p-30f, 1), 0x1p-30f);
}

TEST(MicroOps, Dot2RoundsEachSumOnceTiesToEven) {
  EXPECT_EQ(dot2_of(1, 0x1p-12f, 0x1p-12f), 1.0f);
  EXPECT_EQ(dot2_of(1 + 0x1p-23f, 0x1p-12f, 0x1p-12f), 1 + 0x1p-22f);
  // The product has 16 bits, of which the last decides.
  EXPECT_EQ(dot2_of(1, 0x1.02p-12f, 0x1.02p-12f), 1 + 0x1p-23f);
  // Both halves of an ulp are lost one by one.
  EXPECT_EQ(dot2_of(1, 0x1p-12f, 0x1p-12f, 0x1p-12f, 0x1p-12f), 1.0f);
}

TEST(MicroOps, Dot2FlushesSubnormalNumbers) {
  const float smallest = std::numeric_limits<float>::min();
  const float subnormal = smallest - std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(same(dot2_of(-subnormal, -0.0f, 1, -0.0f, 1), -0.0f)) << "an accumulator";
  EXPECT_EQ(dot2_of(1, std::numeric_limits<septran::bfloat16>::denorm_min(), 0x1p126f), 1.0f);
  EXPECT_TRUE(same(dot2_of(0, 0x1p-64f, 0x1p-63f), 0.0f)) << "a product";
  EXPECT_TRUE(same(dot2_of(0, -0x1p-64f, 0x1p-63f, -0.0f, 1), -0.0f));
  EXPECT_EQ(dot2_of(smallest * 1.5f, -0x1p-64f, 0x1p-62f, 0x1p-63f, 0x1p-62f), 0x1p-125f)
      << "a sum on the way";
  EXPECT_EQ(dot2_of(smallest * 1.5f, -0x1p-64f, 0x1p-62f), 0.0f);
}

TEST(MicroOps, Dot2FlushesWhatRoundsBelowTheNormalNumbers) {
  const float smallest = std::numeric_limits<float>::min();
  // With 24 bits, smallest - 0.75 * 2^-150 is nearest to smallest - 2^-150: subnormal.
  EXPECT_TRUE(same(dot2_of(smallest, -0x1p-75f, 0x1.8p-76f), 0.0f));
  EXPECT_TRUE(same(dot2_of(-smallest, 0x1p-75f, 0x1.8p-76f, -0.0f, 1), -0.0f));
  // smallest - 0.25 * 2^-150 is nearest to the smallest normal number, as is the tie.
  EXPECT_EQ(dot2_of(smallest, -0x1p-76f, 0x1p-76f), smallest);
  EXPECT_EQ(dot2_of(smallest, -0x1p-75f, 0x1p-76f), smallest);
}

} // namespace micro_ops_test
