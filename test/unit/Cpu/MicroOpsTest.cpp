//===- MicroOpsTest.cpp - dot products against their definitions ------------===//

#include <septran/cpu/memory.h>
#include <septran/cpu/micro_ops.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace {

namespace cpu = septran::cpu;
using cpu::vec;

template <int W> void check_dot4() {
  std::mt19937 random(W);
  for (int n = 0; n < 5000; ++n) {
    std::uint8_t a[4 * W];
    std::int8_t b[4 * W];
    std::int32_t acc[W];
    for (int i = 0; i < 4 * W; ++i) {
      a[i] = n == 0 ? 255 : std::uint8_t(random());
      b[i] = n == 0 ? -128 : std::int8_t(random());
    }
    for (int i = 0; i < W; ++i)
      acc[i] = n < 2 ? INT32_MIN : std::int32_t(random());
    const auto r = cpu::dot4_u8s8(cpu::load<W>(acc), cpu::load<4 * W>(a), cpu::load<4 * W>(b));
    for (int i = 0; i < W; ++i) {
      std::uint32_t sum = std::uint32_t(acc[i]);
      for (int j = 0; j < 4; ++j)
        sum += std::uint32_t(int(a[4 * i + j]) * int(b[4 * i + j]));
      ASSERT_EQ(r[i], std::int32_t(sum));
    }
  }
}

TEST(MicroOps, Dot4OfBytes) {
  check_dot4<4>();
  check_dot4<8>();
  check_dot4<16>();
}

float flushed(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}

float value(std::uint16_t bits) {
  return flushed(__builtin_bit_cast(float, std::uint32_t(bits) << 16));
}

template <int W> void check_dot2() {
  std::mt19937 random(W);
  for (int n = 0; n < 20000; ++n) {
    std::uint16_t a[2 * W], b[2 * W];
    float acc[W];
    // Any bits at all, or numbers of one size, whose sums round and cancel.
    for (int i = 0; i < 2 * W; ++i) {
      a[i] = std::uint16_t(n % 2 ? random() : (random() & 0x81ff) | 0x3f00);
      b[i] = std::uint16_t(n % 2 ? random() : (random() & 0x81ff) | 0x3f00);
    }
    for (int i = 0; i < W; ++i)
      acc[i] =
          __builtin_bit_cast(float, n % 2 ? std::uint32_t(random())
                                          : (std::uint32_t(random()) & 0x81ffffffu) | 0x3f000000u);
    const auto r = cpu::dot2_bf16(cpu::load<W>(acc), cpu::load<2 * W>(a), cpu::load<2 * W>(b));
    for (int i = 0; i < W; ++i) {
      const float odd =
          flushed(std::fma(value(a[2 * i + 1]), value(b[2 * i + 1]), flushed(acc[i])));
      const float sum = flushed(std::fma(value(a[2 * i]), value(b[2 * i]), odd));
      const float got = r[i];
      ASSERT_TRUE(std::isnan(sum) ? std::isnan(got) : !std::memcmp(&sum, &got, 4))
          << sum << " but got " << got << " from " << acc[i] << " " << a[2 * i] << " " << b[2 * i]
          << " " << a[2 * i + 1] << " " << b[2 * i + 1];
    }
  }
}

TEST(MicroOps, Dot2OfBfloat16) {
  check_dot2<4>();
  check_dot2<8>();
  check_dot2<16>();
}

} // namespace
