//===- MemoryTest.cpp - full, partial, strided and streaming accesses -------===//
//
// Buffers of partial accesses are allocated with exactly the elements they may touch, so a run
// under AddressSanitizer finds any access beyond.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <septran/cpu/broadcast.h>
#include <septran/cpu/memory.h>

#include <algorithm>
#include <memory>

namespace memory_test {

using namespace septran::cpu;
using namespace lanes_test;

template <class T> T value(int i) { return T(float(i % 13 + 1)); }

/// Loads and stores of the first n elements, for each n.
template <class T, int W> void check_partial() {
  for (int n = 0; n <= W && !testing::Test::HasFailure(); ++n) {
    const auto exact = std::make_unique<T[]>(n), out = std::make_unique<T[]>(n);
    for (int i = 0; i < n; ++i)
      exact[i] = value<T>(i);
    const auto v = load_n<W>(exact.get(), n);
    static_assert(std::is_same_v<lane_of<decltype(v)>, lane_t<T>>);
    expect_lanes(v, [&](int i) { return i < n ? lane_t<T>(value<T>(i)) : 0; });
    store_n(out.get(), v, n);
    expect_elements(out.get(), n, [](int i) { return value<T>(i); });
    std::fill_n(out.get(), n, T(0));
    store_parts(out.get(), v, n);
    expect_elements(out.get(), n, [](int i) { return value<T>(i); });

    for (int stride : {1, 3, -2}) {
      const int step = stride < 0 ? -stride : stride;
      const int size = n == 0 ? 0 : (n - 1) * step + 1;
      const auto strided = std::make_unique<T[]>(size);
      T *first = strided.get() + (stride < 0 && n > 0 ? size - 1 : 0);
      store_strided_n(first, stride, v, n);
      const auto back = load_strided_n<W>(first, stride, n);
      expect_lanes(back, [&](int i) { return v[i]; });
    }
  }
}

/// A distance that the compiler knows, for all numbers of elements. The array ends with the last one.
template <class T, int W, std::ptrdiff_t Stride> void check_close_by() {
  SCOPED_TRACE(testing::Message() << "stride " << Stride);
  for (int n = 0; n <= W; ++n) {
    const int size = n == 0 ? 0 : (n - 1) * int(Stride) + 1;
    const auto p = std::make_unique<T[]>(size);
    for (int i = 0; i < size; ++i)
      p[i] = value<T>(i);
    const auto expected = [&](int i) { return i < n ? lane_t<T>(value<T>(i * int(Stride))) : 0; };
    expect_lanes(load_strided_n<W>(p.get(), constant<Stride>(), n), expected);
    if (n == W)
      expect_lanes(load_strided<W>(p.get(), constant<Stride>()), expected);
  }
}

/// Fields of records, for all numbers of them. The array ends with the last one.
template <class T, int W, int... Field> void check_fields(std::integer_sequence<int, Field...>) {
  constexpr int Size = sizeof...(Field);
  SCOPED_TRACE(testing::Message() << "records of " << Size);
  for (int n = 0; n <= W; ++n) {
    const auto p = std::make_unique<T[]>(n * Size), q = std::make_unique<T[]>(n * Size);
    for (int i = 0; i < n * Size; ++i)
      p[i] = value<T>(i);
    const auto check = [&](int field, const auto &v) {
      expect_lanes(v, [&](int i) { return i < n ? lane_t<T>(value<T>(i * Size + field)) : 0; });
    };
    (check(Field, load_field_n<Field, Size, W>(p.get(), n)), ...);
    store_fields_n(q.get(), n, load_field_n<Field, Size, W>(p.get(), n)...);
    EXPECT_EQ(std::memcmp(p.get(), q.get(), n * Size * sizeof(T)), 0);
    if (n < W)
      continue;
    (check(Field, load_field<Field, Size, W>(p.get())), ...);
    std::fill_n(q.get(), n * Size, T(0));
    store_fields(q.get(), load_field<Field, Size, W>(p.get())...);
    EXPECT_EQ(std::memcmp(p.get(), q.get(), n * Size * sizeof(T)), 0);
  }
}

template <class T, int W> void check_accesses() {
  SCOPED_TRACE(testing::Message() << "W = " << W << ", sizeof(T) = " << sizeof(T));
  check_partial<T, W>();
  check_close_by<T, W, 2>();
  check_close_by<T, W, 3>();
  check_close_by<T, W, 4>();
  check_close_by<T, W, 5>();
  check_fields<T, W>(std::make_integer_sequence<int, 2>());
  check_fields<T, W>(std::make_integer_sequence<int, 3>());
  check_fields<T, W>(std::make_integer_sequence<int, 4>());

  // One element in front makes the address unaligned.
  T buffer[4 * W + 1];
  for (int i = 0; i < 4 * W + 1; ++i)
    buffer[i] = value<T>(i);
  const auto v = load<W>(buffer + 1);
  const auto w = load_strided<W>(buffer, 4);
  expect_lanes(v, [](int i) { return value<T>(i + 1); });
  const auto stored = load_stored<W>(buffer + 1);
  EXPECT_EQ(std::memcmp(&stored, buffer + 1, W * sizeof(T)), 0);
  expect_lanes(w, [](int i) { return value<T>(4 * i); });
  store(buffer + 3, w);
  expect_elements(buffer + 3, W, [&](int i) { return w[i]; });
  store_strided<W>(buffer, 3, v);
  for (int i = 0; i < W; ++i)
    buffer[i] = buffer[3 * i];
  expect_elements(buffer, W, [&](int i) { return v[i]; });

  alignas(64) T streamed[4 * W];
  for (int offset = 0; offset <= W; ++offset) {
    stream(streamed + offset, v);
    stream_fence();
    expect_elements(streamed + offset, W, [&](int i) { return v[i]; });
    for (bool past : {false, true}) {
      std::fill_n(streamed, 4 * W, value<T>(0));
      stream_if(past, streamed + offset, v);
      stream_fence();
      expect_elements(streamed + offset, W, [&](int i) { return v[i]; });
    }
  }
}

template <class T> void check_widths() {
  check_accesses<T, 2>();
  check_accesses<T, full<T> / 2>();
  check_accesses<T, full<T>>();
  check_accesses<T, 2 * full<T>>();
}

TEST(Memory, FloatsAndIntegers) {
  check_widths<float>();
  check_accesses<std::int8_t, 16>();
  check_accesses<std::int8_t, 64>();
  check_accesses<double, 2>();
  check_accesses<double, full<double>>();
  check_accesses<std::uint16_t, 8>();
  check_accesses<std::uint16_t, full<std::uint16_t>>();
  check_accesses<std::int64_t, full<std::int64_t>>();
}

TEST(Memory, SmallFloats) {
  check_accesses<septran::float16, 4>();
  check_accesses<septran::float16, 16>();
  check_accesses<septran::bfloat16, full<float>>();
  check_accesses<septran::float8_e4m3, 8>();
  check_accesses<septran::float8_e5m2, 16>();
}

TEST(Memory, RowsThatFillLines) {
  EXPECT_TRUE(fill_lines<float>(16, 16));
  EXPECT_TRUE(fill_lines<float>(32, 640, 48));
  EXPECT_FALSE(fill_lines<float>(20, 640)); // rows end in a line that others begin in
  EXPECT_FALSE(fill_lines<float>(32, 40));
  EXPECT_TRUE(fill_lines<double>(8, 24));
  EXPECT_FALSE(fill_lines<float>(1004, 1004));
  EXPECT_TRUE(fill_lines<float>(1028, 1028)); // a long row
  EXPECT_FALSE(fill_lines<float>(1025, 1025));
  EXPECT_TRUE(fill_lines<float>(4097)); // one row
  EXPECT_FALSE(fill_lines<float>(100));
}

/// Also at the end of what may be read.
template <class T, int W> void check_broadcast() {
  const auto element = std::make_unique<T>(T(-3));
  expect_lanes(broadcast<W>(*element), [](int) { return T(-3); });
}

TEST(Memory, Broadcasts) {
  check_broadcast<float, 4>();
  check_broadcast<float, 8>();
  check_broadcast<float, 16>();
  check_broadcast<float, 32>();
  check_broadcast<double, 2>();
  check_broadcast<double, 4>();
  check_broadcast<double, 8>();
  const std::int8_t bytes[] = {1, 2, 3, 4, 5};
  expect_lanes(broadcast_stored<64, 4>(bytes + 1), [](int i) { return i % 4 + 2; });
  const septran::bfloat16 pair[] = {septran::bfloat16(0.0f), septran::bfloat16(1.0f), septran::bfloat16(-2.0f)};
  expect_lanes(broadcast_stored<32, 2>(pair + 1), [](int i) { return i % 2 ? 0xc000 : 0x3f80; });
}

TEST(Memory, PrefetchTakesAnyAddress) {
  prefetch(static_cast<const float *>(nullptr));
  prefetch_rows(static_cast<const float *>(nullptr), 100, 3, 64);
  prefetchw_rows_if(true, static_cast<const double *>(nullptr), 100, 3, 64);
}

} // namespace memory_test
