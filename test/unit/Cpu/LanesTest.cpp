//===- LanesTest.cpp - whole vectors, and the rest ------------------------===//
//
// As in MemoryTest.cpp, buffers have exactly the elements that may be touched.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <septran/cpu/lanes.h>

#include <memory>
#include <vector>

namespace lanes_h_test {

using namespace septran::cpu;
using namespace lanes_test;

TEST(InOrder, CountsAsLoopsDo) {
  std::vector<int> seen;
  in_order([&](auto i, auto j) { seen.push_back(int(10 * i + j)); }, 2, std::ptrdiff_t(3));
  EXPECT_EQ(seen, (std::vector<int>{0, 1, 2, 10, 11, 12}));
  seen.clear();
  in_order([&](auto i) { seen.push_back(int(i)); }, 0);
  in_order([&](auto, auto, auto) { seen.push_back(0); }, 2, 0, 2);
  EXPECT_EQ(seen, std::vector<int>());
}

/// y = 2 x for n elements, and their sum in `Parts` vectors, each of which is told its turn.
template <int W, int Parts, int Unroll> void check_loop(int begin, int n) {
  SCOPED_TRACE(testing::Message() << "W = " << W << ", parts = " << Parts << ", unroll = " << Unroll
                                  << ", from " << begin << " to " << n);
  const auto x = std::make_unique<float[]>(n), y = std::make_unique<float[]>(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i + 1);
  using V = vec<float, W>;
  V sums[Parts] = {};
  std::vector<std::ptrdiff_t> starts;
  auto one = [&](std::ptrdiff_t j, auto lanes, int part) {
    const V v = load(x.get() + j, lanes);
    store(y.get() + j, v + v, lanes);
    sums[part] += select(lanes, v + 1, V{});
    starts.push_back(part);
  };
  if constexpr (Parts > 1)
    for_lanes<W, Parts, Unroll>(begin, n, one);
  else
    for_lanes<W, Parts, Unroll>(begin, n, [&](std::ptrdiff_t j, auto lanes) { one(j, lanes, 0); });

  expect_elements(y.get(), n, [&](int i) { return i < begin ? 0 : 2 * x[i]; });
  double sum = 0, expected = 0;
  for (const V &part : sums)
    for (int i = 0; i < W; ++i)
      sum += part[i];
  for (int i = begin; i < n; ++i)
    expected += x[i] + 1;
  EXPECT_EQ(sum, expected);
  // Whole turns first; what is left goes to the first part.
  const int count = n > begin ? (n - begin + W - 1) / W : 0;
  const int turns = Parts * (Unroll > 1 ? Unroll : 1), whole = (n - begin) / W / turns * turns;
  ASSERT_EQ(int(starts.size()), count);
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(starts[i], i < whole ? i % Parts : 0) << "vector " << i;
}

template <int W> void check_loops() {
  for (int n = 0; n <= 5 * W && n <= 60; ++n) {
    check_loop<W, 1, 0>(0, n);
    check_loop<W, 1, 1>(0, n);
    check_loop<W, 1, 3>(0, n);
    check_loop<W, 2, 0>(0, n);
    check_loop<W, 2, 2>(0, n);
  }
  check_loop<W, 1, 0>(3, 2 * W + 4);
  check_loop<W, 2, 0>(3, 2);
}

TEST(ForLanes, VisitsEveryElementOnce) {
  check_loops<4>();
  check_loops<full<float>>();
}

/// What f does to n elements at a stride, for a set of lanes.
template <class Set> void check_accesses(Set set, int n) {
  constexpr int W = 4;
  for (int stride : {1, 3}) {
    const auto p = std::make_unique<float[]>(n ? (n - 1) * stride + 1 : 0);
    const vec<float, W> v = {1, 2, 3, 4};
    auto expect_stored = [&] {
      for (int i = 0; i < n; ++i)
        EXPECT_EQ(p[i * stride], v[i]);
      expect_lanes(load_strided(p.get(), stride, set), [&](int i) { return i < n ? v[i] : 0; });
    };
    store_strided(p.get(), stride, v, set);
    expect_stored();
    if (stride > 1)
      continue;
    expect_lanes(load(p.get(), set), [&](int i) { return i < n ? v[i] : 0; });
    std::fill_n(p.get(), n, 0.0F);
    stream(p.get(), v, set);
    stream_fence();
    expect_stored();
    for (bool past : {false, true}) {
      std::fill_n(p.get(), n, 0.0F);
      stream_if(past, p.get(), v, set);
      stream_fence();
      expect_stored();
    }
  }
  expect_lanes(select(set, vec<double, W>{1, 2, 3, 4}, vec<double, W>{5, 6, 7, 8}),
               [&](int i) { return i < n ? i + 1 : i + 5; });
}

TEST(Sets, SayWhatIsTouched) {
  check_accesses(all_lanes<4>(), 4);
  for (int n = 0; n <= 4; ++n)
    check_accesses(first_lanes<4>{n}, n);
}

TEST(Sets, AreWholeWhereTheSizeIsKnown) {
  static_assert(std::is_same_v<decltype(lanes<4>(constant<8>(), 4)), all_lanes<4>>);
  static_assert(std::is_same_v<decltype(lanes<4>(constant<6>(), 4)), first_lanes<4>>);
  EXPECT_EQ(lanes<4>(constant<6>(), 4).count, 2);
  EXPECT_EQ(lanes<4>(7, 0).count, 4);
  EXPECT_EQ(lanes<4>(7, 4).count, 3);
  EXPECT_EQ(lanes<4>(7, 8).count, 0);
}

TEST(ForCase, MakesTheConditionAConstant) {
  std::vector<bool> cases;
  auto body = [&](auto known) { cases.push_back(decltype(known)::value); };
  for_case(true, body);
  for_case(false, body);
  EXPECT_EQ(cases, std::vector<bool>({true, false}));
}

} // namespace lanes_h_test
