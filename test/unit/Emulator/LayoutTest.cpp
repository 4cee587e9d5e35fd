//===- LayoutTest.cpp - Fragments as the PTX ISA lays them out ------------===//
//
// The formulas here follow the text of the PTX ISA ("Matrix Fragments for mma.m16n8k16 with
// floating point type" and its neighbours) case by case; the emulator computes them in another
// form.
//
//===----------------------------------------------------------------------===//

#include "Emulated.h"

#include <septran/cuda/sm80.h>

#include <cstdint>
#include <random>

using namespace septran;
using namespace septran::cuda;
using namespace septran::test;

namespace {

struct position {
  int row, column;
};

// groupID = %laneid >> 2, threadID_in_group = %laneid % 4.

position a_16bit(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {(0 <= i && i < 2) || (4 <= i && i < 6) ? group : group + 8,
          i < 4 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8};
}
position b_16bit(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i < 2 ? thread * 2 + (i & 1) : thread * 2 + (i & 1) + 8, group};
}
position a_tf32(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i == 0 || i == 2 ? group : group + 8, i == 0 || i == 1 ? thread : thread + 4};
}
position b_tf32(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i == 0 ? thread : thread + 4, group};
}
position a_int8(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {(0 <= i && i < 4) || (8 <= i && i < 12) ? group : group + 8,
          i < 8 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16};
}
position b_int8(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i < 4 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16, group};
}
position accumulator(int lane, int i) {
  const int group = lane >> 2, thread = lane % 4;
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

template <class D, class T, int NA, int NB> struct lane_data {
  D d[4];
  packed<T, NA> a;
  packed<T, NB> b;
};

template <class D, class T, int NA, int NB>
__global__ void multiply(lane_data<D, T, NA, NB> *lanes) {
  lane_data<D, T, NA, NB> mine = lanes[lane()];
  if constexpr (sizeof(T) == 4) {
    mma_m16n8k8(mine.d, mine.a, mine.b);
  } else if constexpr (sizeof(T) == 1) {
    mma_m16n8k32(mine.d, mine.a, mine.b);
  } else if constexpr (std::is_same_v<D, float16>) {
    packed<float16, 4> d = {};
    for (int i = 0; i < 4; ++i)
      d.set(i, mine.d[i]);
    mma_m16n8k16(d, mine.a, mine.b);
    for (int i = 0; i < 4; ++i)
      mine.d[i] = d.get(i);
  } else {
    mma_m16n8k16(mine.d, mine.a, mine.b);
  }
  lanes[lane()] = mine;
}

/// Small integers, exact in every type, differ from place to place.
template <class D, class T, int NA, int NB>
void check(position (*a_at)(int, int), position (*b_at)(int, int)) {
  constexpr int k = NA * 32 / 16;
  std::mt19937 random(k);
  std::vector<float> a(16 * k), b(k * 8), c(16 * 8);
  for (auto *matrix : {&a, &b, &c})
    for (float &x : *matrix)
      x = float(int(random() % 9) - 4);
  std::vector<lane_data<D, T, NA, NB>> lanes(32);
  for (int lane = 0; lane < 32; ++lane) {
    auto &mine = lanes[std::size_t(lane)];
    for (int i = 0; i < NA; ++i)
      mine.a.set(i, T(a[std::size_t(a_at(lane, i).row * k + a_at(lane, i).column)]));
    for (int i = 0; i < NB; ++i)
      mine.b.set(i, T(b[std::size_t(b_at(lane, i).row * 8 + b_at(lane, i).column)]));
    for (int i = 0; i < 4; ++i)
      mine.d[i] = D(c[std::size_t(accumulator(lane, i).row * 8 + accumulator(lane, i).column)]);
  }
  auto device = upload(lanes);
  launch(multiply<D, T, NA, NB>, {1, 32}, device.data());
  lanes = download(device);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const auto [row, column] = accumulator(lane, i);
      float expected = c[std::size_t(row * 8 + column)];
      for (int n = 0; n < k; ++n)
        expected += a[std::size_t(row * k + n)] * b[std::size_t(n * 8 + column)];
      EXPECT_EQ(float(lanes[std::size_t(lane)].d[i]), expected) << "lane " << lane << ", " << i;
    }
}

} // namespace

TEST(Layout, MmaOfFloat16) { check<float, float16, 8, 4>(a_16bit, b_16bit); }
TEST(Layout, MmaOfFloat16IntoFloat16) { check<float16, float16, 8, 4>(a_16bit, b_16bit); }
TEST(Layout, MmaOfBfloat16) { check<float, bfloat16, 8, 4>(a_16bit, b_16bit); }
TEST(Layout, MmaOfTf32) { check<float, float, 4, 2>(a_tf32, b_tf32); }
TEST(Layout, MmaOfInt8) { check<int, std::int8_t, 16, 8>(a_int8, b_int8); }

TEST(Layout, MmaOfTf32DropsLowBits) {
  std::vector<lane_data<float, float, 4, 2>> lanes(32);
  for (auto &mine : lanes) {
    for (int i = 0; i < 4; ++i)
      mine.a.set(i, 1.0f + 0x1p-12f), mine.d[i] = 0;
    for (int i = 0; i < 2; ++i)
      mine.b.set(i, 1.0f);
  }
  auto device = upload(lanes);
  launch(multiply<float, float, 4, 2>, {1, 32}, device.data());
  EXPECT_EQ(download(device)[0].d[0], 8.0f);
  EXPECT_EQ(round_to_tf32(1.0f + 0x1p-11f), 1.0f + 0x1p-10f); // a tie, away from zero
  EXPECT_EQ(round_to_tf32(1.0f + 0x1p-12f), 1.0f);
}

TEST(Layout, MmaOfInt8Wraps) {
  std::vector<lane_data<int, std::int8_t, 16, 8>> lanes(32);
  for (auto &mine : lanes) {
    for (int i = 0; i < 16; ++i)
      mine.a.set(i, 1);
    for (int i = 0; i < 8; ++i)
      mine.b.set(i, 1);
    for (int &d : mine.d)
      d = 0x7fffffff;
  }
  auto device = upload(lanes);
  launch(multiply<int, std::int8_t, 16, 8>, {1, 32}, device.data());
  EXPECT_EQ(download(device)[5].d[2], int(0x80000000u + 31));
}

namespace {

/// Loads matrices from a 32 x 8 tile of 16-bit numbers, row r in lane order.
template <int Matrices, bool Trans>
__global__ void load_matrices(std::uint32_t *to, const bfloat16 *from) {
  bfloat16 *tile = shared_memory<bfloat16>();
  for (int i = 0; i < 8; ++i)
    tile[lane() * 8 + i] = from[lane() * 8 + i];
  block_barrier();
  const bfloat16 *row = tile + lane() * 8;
  packed<bfloat16, 2 * Matrices> loaded = {};
  if constexpr (Matrices == 1)
    Trans ? ldmatrix_x1_trans(loaded, row) : ldmatrix_x1(loaded, row);
  else if constexpr (Matrices == 2)
    Trans ? ldmatrix_x2_trans(loaded, row) : ldmatrix_x2(loaded, row);
  else
    Trans ? ldmatrix_x4_trans(loaded, row) : ldmatrix_x4(loaded, row);
  for (int m = 0; m < Matrices; ++m)
    to[m * 32 + lane()] = loaded.bits[m];
}

template <int Matrices, bool Trans> void check_ldmatrix() {
  std::vector<bfloat16> tile;
  for (int i = 0; i < 256; ++i)
    tile.push_back(bfloat16::from_bits(std::uint16_t(i)));
  auto from = upload(tile);
  auto to = zeros<std::uint32_t>(32 * Matrices);
  launch(load_matrices<Matrices, Trans>, {1, 32, 512}, to.data(), from.data());
  const auto loaded = download(to);
  for (int m = 0; m < Matrices; ++m)
    for (int lane = 0; lane < 32; ++lane)
      for (int half = 0; half < 2; ++half) {
        // Each row of 16 bytes goes to four lanes, 4 bytes each; transposed, each column does.
        const int row = Trans ? 2 * (lane % 4) + half : lane / 4;
        const int column = Trans ? lane / 4 : 2 * (lane % 4) + half;
        const unsigned bits = loaded[std::size_t(m * 32 + lane)] >> (16 * half) & 0xffff;
        EXPECT_EQ(bits, unsigned(m * 64 + row * 8 + column)) << m << " " << lane << " " << half;
      }
}

__global__ void load_pairs(std::uint32_t *to, const float16 *from, bool trans) {
  float16 *tile = shared_memory<float16>();
  for (int i = 0; i < 8; ++i)
    tile[lane() * 8 + i] = from[lane() * 8 + i];
  block_barrier();
  packed<float16, 4> pair[2];
  packed<float16, 8> whole;
  if (trans) {
    ldmatrix_x4_trans(pair[0], pair[1], tile + lane() * 8);
    ldmatrix_x4_trans(whole, tile + lane() * 8);
  } else {
    ldmatrix_x4(pair[0], pair[1], tile + lane() * 8);
    ldmatrix_x4(whole, tile + lane() * 8);
  }
  for (int m = 0; m < 4; ++m)
    to[lane()] += pair[m / 2].bits[m % 2] == whole.bits[m];
}

} // namespace

TEST(Layout, Ldmatrix) {
  check_ldmatrix<1, false>();
  check_ldmatrix<1, true>();
  check_ldmatrix<2, false>();
  check_ldmatrix<2, true>();
  check_ldmatrix<4, false>();
  check_ldmatrix<4, true>();
}

TEST(Layout, LdmatrixIntoPairs) {
  std::vector<float16> tile;
  for (int i = 0; i < 256; ++i)
    tile.push_back(float16(i));
  auto from = upload(tile);
  for (bool trans : {false, true}) {
    auto to = zeros<std::uint32_t>(32);
    launch(load_pairs, {1, 32, 512}, to.data(), from.data(), trans);
    EXPECT_EQ(download(to), std::vector<std::uint32_t>(32, 4));
  }
}

TEST(Layout, PackedElements) {
  packed<std::int8_t, 8> bytes = {};
  for (int i = 0; i < 8; ++i)
    bytes.set(i, std::int8_t(i - 4));
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(bytes.get(i), i - 4);
  EXPECT_EQ(bytes.bits[0], 0xfffefdfcu);
  packed<float16, 2> halves = {};
  halves.set(1, float16(2.0f));
  EXPECT_EQ(halves.bits[0], 0x40000000u);
  EXPECT_EQ(narrow2<float16>(1.0f, 2.0f), 0x40003c00u);
  EXPECT_EQ(narrow2<bfloat16>(1.0f, 2.0f), 0x40003f80u);
}
