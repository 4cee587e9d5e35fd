//===- MemoryTest.cpp - full, partial, strided and streaming accesses -------===//
//
// Buffers of partial accesses are allocated with exactly the elements they may touch, so a run
// under AddressSanitizer finds any access beyond.
//
//===----------------------------------------------------------------------===//

#include <septran/cpu/memory.h>

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using namespace septran::cpu;

template <class T> T value(int i) { return T(float(i % 13 + 1)); }

template <class T, int W> void check_accesses() {
  SCOPED_TRACE(testing::Message() << "W = " << W << ", sizeof(T) = " << sizeof(T));
  using L = lane_t<T>;
  for (int n = 0; n <= W; ++n) {
    const auto exact = std::make_unique<T[]>(n), out = std::make_unique<T[]>(n);
    for (int i = 0; i < n; ++i)
      exact[i] = value<T>(i);
    const auto v = load_n<W>(exact.get(), n);
    static_assert(std::is_same_v<lane_of<decltype(v)>, L>);
    for (int i = 0; i < W; ++i)
      ASSERT_EQ(v[i], i < n ? L(value<T>(i)) : L(0));
    store_n(out.get(), v, n);
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(L(out[i]), L(value<T>(i)));

    for (int stride : {1, 3, -2}) {
      const int step = stride < 0 ? -stride : stride;
      const int size = n == 0 ? 0 : (n - 1) * step + 1;
      std::vector<T> strided(size, T(0.0f));
      T *first = strided.data() + (stride < 0 && n > 0 ? size - 1 : 0);
      store_strided_n(first, stride, v, n);
      const auto back = load_strided_n<W>(first, stride, n);
      for (int i = 0; i < W; ++i)
        ASSERT_EQ(back[i], v[i]) << n << " of stride " << stride;
    }
  }

  // One element in front makes the address unaligned.
  std::vector<T> buffer(4 * W + 1);
  for (int i = 0; i < 4 * W + 1; ++i)
    buffer[i] = value<T>(i);
  const auto v = load<W>(buffer.data() + 1);
  const auto w = load_strided<W>(buffer.data(), 4);
  for (int i = 0; i < W; ++i) {
    ASSERT_EQ(v[i], L(value<T>(i + 1)));
    ASSERT_EQ(w[i], L(value<T>(4 * i)));
  }
  store(buffer.data() + 3, w);
  for (int i = 0; i < W; ++i)
    ASSERT_EQ(L(buffer[i + 3]), w[i]);
  store_strided<W>(buffer.data(), 3, v);
  for (int i = 0; i < W; ++i)
    ASSERT_EQ(L(buffer[3 * i]), v[i]);

  alignas(64) T streamed[4 * W];
  for (int offset = 0; offset <= W; ++offset) {
    stream(streamed + offset, v);
    stream_fence();
    for (int i = 0; i < W; ++i)
      ASSERT_EQ(L(streamed[offset + i]), v[i]);
  }
}

template <class T> void check_widths() {
  check_accesses<T, 2>();
  check_accesses<T, 4>();
  check_accesses<T, 8>();
  check_accesses<T, 16>();
  check_accesses<T, 32>();
}

TEST(Memory, FloatsAndIntegers) {
  check_widths<float>();
  check_accesses<double, 2>();
  check_accesses<double, 8>();
  check_accesses<std::int8_t, 16>();
  check_accesses<std::int8_t, 64>();
  check_accesses<std::uint16_t, 8>();
  check_accesses<std::uint16_t, 32>();
  check_accesses<std::int64_t, 4>();
}

TEST(Memory, SmallFloats) {
  check_accesses<septran::float16, 4>();
  check_accesses<septran::float16, 16>();
  check_accesses<septran::bfloat16, 16>();
  check_accesses<septran::float8_e4m3, 8>();
  check_accesses<septran::float8_e5m2, 16>();
}

TEST(Memory, PrefetchTakesAnyAddress) { prefetch(static_cast<const float *>(nullptr)); }

} // namespace
