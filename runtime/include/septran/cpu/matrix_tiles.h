//===- septran/cpu/matrix_tiles.h - Products in tile registers --*- C++ -*-===//
//
// Operations that a machine file names for processors that multiply matrices (Intel's AMX):
//
//   add_product   C(i, j) += sum over k < depth of A(i, k) * B(k, j),   i < m <= 32,  j < n <= 32
//   set_product   C(i, j)  = the same
//
// on a thread that has called configure_tiles() since anything else has used its tile registers.
//
//   elements of C                  of A and B                     instruction
//   float; set_product: bfloat16   bfloat16                       TDPBF16PS
//   std::int32_t                   std::int8_t or std::uint8_t    TDPBSSD, TDPBSUD, TDPBUSD, TDPBUUD
//
// Four of the eight tile registers, of 16 x 16 elements each, hold C over the whole depth. Strides count
// elements; neighbours along the last dimension of C and A lie side by side. B lies in panels of G steps of k,
// two of bfloat16 or four of bytes: element (k, j) is B[k / G * panel_stride + j * G + k % G]. The last panel
// is there in full; what it holds beyond the depth does not matter.
//
// Bytes wrap modulo 2^32. Products of bfloat16 have two sums in every 32 steps, of the even and of the odd
// ones, and the sum of both is added to C. Each operation rounds once, to nearest, ties to even, whatever the
// rounding mode of the thread is; operands and results that are subnormal count as zeros of their sign. Sums
// that are stored as bfloat16 are rounded by round_bf16 (micro_ops.h), once.
//
// Linux lets a process use tile registers when it asks for them, before main() here. Where the kernel, the
// processor or the target of the compiler has none, there is a portable form with the same result in every
// bit, but for those of a NaN.
//
// Reference: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, chapter 18; volume 2,
// LDTILECFG, TDPBF16PS and TDPBSSD. Linux, Documentation/arch/x86/xstate.rst.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CPU_MATRIX_TILES_H
#define SEPTRAN_CPU_MATRIX_TILES_H

#include <septran/cpu/memory.h>
#include <septran/cpu/micro_ops.h>

#include <algorithm>
#include <type_traits>

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AMX_INT8__) && defined(__linux__)
#define SEPTRAN_CPU_HAS_TILES
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace septran::cpu {

namespace detail {

/// Steps of k that lie side by side in B.
template <class T> inline constexpr std::ptrdiff_t tile_group = 4 / sizeof(T);
/// Steps of k that one instruction takes.
template <class T> inline constexpr std::ptrdiff_t tile_depth = 64 / sizeof(T);

/// What C is summed up in.
template <class T> using tile_sum = std::conditional_t<std::is_same_v<T, bfloat16>, float, std::int32_t>;

template <class TC, class TA, class TB> struct tile_operands {
  std::ptrdiff_t m, n, depth;
  const TA *a;
  std::ptrdiff_t stride_a;
  const TB *b;
  std::ptrdiff_t panel_stride;
  TC *c;
  std::ptrdiff_t stride_c;
};

/// A row of sums, where C has it.
template <class T> SEPTRAN_CPU_INLINE void put_row(std::ptrdiff_t n, const T *sums, T *c) {
  std::copy_n(sums, n, c);
}
inline void put_row(std::ptrdiff_t n, const float *sums, bfloat16 *c) { round_row_bf16(n, sums, c); }

} // namespace detail

//===----------------------------------------------------------------------===//
// With the instructions
//===----------------------------------------------------------------------===//

#ifdef SEPTRAN_CPU_HAS_TILES
namespace detail::native {

/// Whether the processor has tile registers, and the kernel lets this process use them.
inline const bool has_tiles = [] {
  constexpr long request_permission = 0x1023, tile_data = 18; // ARCH_REQ_XCOMP_PERM, XTILEDATA
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}();

/// What LDTILECFG loads, of palette 1.
struct alignas(64) tile_config {
  std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};

/// Tiles 0 to 3 are those of C, row by row, 4 and 5 those of a column of A, 6 and 7 those of a row of B.
constexpr tile_config configure(std::ptrdiff_t m, std::ptrdiff_t n) {
  tile_config result;
  auto set = [&](int tile, std::ptrdiff_t rows, std::ptrdiff_t columns) {
    if (rows <= 0 || columns <= 0)
      return;
    result.rows[tile] = std::uint8_t(std::min<std::ptrdiff_t>(rows, 16));
    result.row_bytes[tile] = std::uint16_t(4 * std::min<std::ptrdiff_t>(columns, 16));
  };
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j)
      set(2 * i + j, m - 16 * i, n - 16 * j);
    set(4 + i, m - 16 * i, 16);
    set(6 + i, 16, n - 16 * i);
  }
  return result;
}

inline constexpr tile_config whole_tiles = configure(32, 32);

/// gcc does not know what LDTILECFG and TILELOADD read.
SEPTRAN_CPU_INLINE void finish_stores() { __asm__ volatile("" ::: "memory"); }

SEPTRAN_CPU_INLINE void load_shapes(const tile_config &wanted) {
  finish_stores();
  _tile_loadconfig(&wanted);
}

/// Tile C += tile A * tile B, by the instruction for elements of TA and TB.
#define SEPTRAN_CPU_DOT_TILE(C, A, B)                                                              \
  if constexpr (std::is_same_v<TA, bfloat16>)                                                      \
    _tile_dpbf16ps(C, A, B);                                                                       \
  else if constexpr (std::is_signed_v<TA> && std::is_signed_v<TB>)                                 \
    _tile_dpbssd(C, A, B);                                                                         \
  else if constexpr (std::is_signed_v<TA>)                                                         \
    _tile_dpbsud(C, A, B);                                                                         \
  else if constexpr (std::is_signed_v<TB>)                                                         \
    _tile_dpbusd(C, A, B);                                                                         \
  else                                                                                             \
    _tile_dpbuud(C, A, B)

/// One step of all tiles. Strides in bytes.
template <bool Low, bool Right, class TA, class TB>
SEPTRAN_CPU_INLINE void dot_step(const TA *a, const TA *a_low, std::ptrdiff_t stride_a, const TB *b,
                                 const TB *b_right, std::ptrdiff_t stride_b) {
  _tile_loadd(6, b, stride_b);
  _tile_loadd(4, a, stride_a);
  SEPTRAN_CPU_DOT_TILE(0, 4, 6);
  if constexpr (Low) {
    _tile_loadd(5, a_low, stride_a);
    SEPTRAN_CPU_DOT_TILE(2, 5, 6);
  }
  if constexpr (Right) {
    _tile_loadd(7, b_right, stride_b);
    SEPTRAN_CPU_DOT_TILE(1, 4, 7);
  }
  if constexpr (Low && Right) {
    SEPTRAN_CPU_DOT_TILE(3, 5, 7);
  }
}
#undef SEPTRAN_CPU_DOT_TILE

/// Fewer steps than an instruction takes: others have zeros for factors.
template <bool Low, bool Right, class TC, class TA, class TB>
inline void dot_last(const tile_operands<TC, TA, TB> &o, std::ptrdiff_t first) {
  constexpr std::ptrdiff_t G = tile_group<TA>, K = tile_depth<TA>;
  alignas(64) TA a[32 * K];
  alignas(64) TB b[32 * K];
  std::fill_n(a, 32 * K, TA(0));
  std::fill_n(b, 32 * K, TB(0));
  for (std::ptrdiff_t i = 0; i < o.m; ++i)
    std::copy_n(o.a + i * o.stride_a + first, o.depth - first, a + i * K);
  for (std::ptrdiff_t k = first; k < o.depth; ++k)
    for (std::ptrdiff_t j = 0; j < o.n; ++j)
      b[(k - first) / G * 32 * G + j * G + k % G] = o.b[k / G * o.panel_stride + j * G + k % G];
  finish_stores();
  dot_step<Low, Right>(a, a + 16 * K, 64, b, b + 16 * G, 128);
}

/// Four tiles that lie at c, or are to be stored there.
template <bool Low, bool Right, class T> SEPTRAN_CPU_INLINE void load_sums(const T *c, std::ptrdiff_t stride) {
  const std::ptrdiff_t row = stride * std::ptrdiff_t(sizeof(T));
  _tile_loadd(0, c, row);
  if constexpr (Right)
    _tile_loadd(1, c + 16, row);
  if constexpr (Low)
    _tile_loadd(2, c + 16 * stride, row);
  if constexpr (Low && Right)
    _tile_loadd(3, c + 16 * stride + 16, row);
}
template <bool Low, bool Right, class T> SEPTRAN_CPU_INLINE void store_sums(T *c, std::ptrdiff_t stride) {
  const std::ptrdiff_t row = stride * std::ptrdiff_t(sizeof(T));
  _tile_stored(0, c, row);
  if constexpr (Right)
    _tile_stored(1, c + 16, row);
  if constexpr (Low)
    _tile_stored(2, c + 16 * stride, row);
  if constexpr (Low && Right)
    _tile_stored(3, c + 16 * stride + 16, row);
}
template <bool Low, bool Right> SEPTRAN_CPU_INLINE void clear_sums() {
  _tile_zero(0);
  if constexpr (Right)
    _tile_zero(1);
  if constexpr (Low)
    _tile_zero(2);
  if constexpr (Low && Right)
    _tile_zero(3);
}

/// With what `o` has for m and n: as numbers, where the caller knows them, so that rows are stored
/// without asking.
template <bool Adds, bool Low, bool Right, class TC, class TA, class TB>
SEPTRAN_CPU_INLINE void dot_tiles(const tile_operands<TC, TA, TB> &o, std::ptrdiff_t m,
                                  std::ptrdiff_t n) {
  constexpr std::ptrdiff_t G = tile_group<TA>, K = tile_depth<TA>;
  const std::ptrdiff_t row_a = o.stride_a * std::ptrdiff_t(sizeof(TA)),
                       row_b = o.panel_stride * std::ptrdiff_t(sizeof(TB));
  if constexpr (Adds)
    load_sums<Low, Right>(o.c, o.stride_c);
  else
    clear_sums<Low, Right>();
  std::ptrdiff_t k = 0;
  const TA *a = o.a;
  const TB *b = o.b;
  for (; k + K <= o.depth; k += K, a += K, b += K / G * o.panel_stride)
    dot_step<Low, Right>(a, a + 16 * o.stride_a, row_a, b, b + 16 * G, row_b);
  if (k < o.depth)
    dot_last<Low, Right>(o, k);
  if constexpr (std::is_same_v<TC, tile_sum<TA>>) {
    store_sums<Low, Right>(o.c, o.stride_c);
  } else {
    alignas(64) tile_sum<TA> sums[32 * 32];
    store_sums<Low, Right>(sums, 32);
    TC *const c = o.c;
    const std::ptrdiff_t stride_c = o.stride_c;
    for (std::ptrdiff_t i = 0; i < m; ++i)
      put_row(n, sums + 32 * i, c + i * stride_c);
  }
}

template <bool Adds, class TC, class TA, class TB>
inline void dot_tiles(const tile_operands<TC, TA, TB> &o) {
  if (o.m == 32 && o.n == 32) {
    finish_stores();
    return dot_tiles<Adds, true, true>(o, 32, 32);
  }
  load_shapes(configure(o.m, o.n));
  if (o.m > 16)
    o.n > 16 ? dot_tiles<Adds, true, true>(o, o.m, o.n) : dot_tiles<Adds, true, false>(o, o.m, o.n);
  else
    o.n > 16 ? dot_tiles<Adds, false, true>(o, o.m, o.n)
             : dot_tiles<Adds, false, false>(o, o.m, o.n);
  load_shapes(whole_tiles);
}

} // namespace detail::native
#endif

//===----------------------------------------------------------------------===//
// Without
//===----------------------------------------------------------------------===//

namespace detail {

/// The bytes at `step` of groups that lanes hold.
template <class T, vector V> SEPTRAN_CPU_INLINE auto byte_at(const V &groups, int step) {
  using ints = vec<std::int32_t, width_of<V>>;
  if constexpr (std::is_signed_v<T>)
    return as<ints>(groups << (24 - 8 * step)) >> 24;
  else
    return as<ints>((groups >> (8 * step)) & 0xffu);
}

/// sums[0..n) += a row of A times as many columns of B.
template <class TA, class TB, int W>
inline void dot_row_by_lanes(std::ptrdiff_t n, std::ptrdiff_t depth, const TA *a, const TB *b,
                             std::ptrdiff_t panel_stride, std::int32_t *sums) {
  using U = vec<std::uint32_t, W>;
  U sum = as<U>(load_n<W>(sums, n));
  for (std::ptrdiff_t k = 0; k < depth; k += 4, b += panel_stride) {
    const U groups = load_n<W>(reinterpret_cast<const std::uint32_t *>(b), n);
    for (std::ptrdiff_t g = 0; g < 4 && k + g < depth; ++g)
      sum += as<U>(byte_at<TB>(groups, int(g)) * std::int32_t(a[k + g]));
  }
  store_n(sums, as<vec<std::int32_t, W>>(sum), n);
}

template <class TA, class TB, int W>
inline void dot_row_by_lanes(std::ptrdiff_t n, std::ptrdiff_t depth, const TA *a, const TB *b,
                             std::ptrdiff_t panel_stride, float *sums) {
  using V = vec<float, W>;
  using U = vec<std::uint32_t, W>;
  V sum = flush(load_n<W>(sums, n));
  for (std::ptrdiff_t first = 0; first < depth; first += 32) {
    V even{}, odd{};
    for (std::ptrdiff_t k = first; k < first + 32; k += 2) {
      U groups{};
      if (k < depth)
        groups = load_n<W>(reinterpret_cast<const std::uint32_t *>(b + k / 2 * panel_stride), n);
      const U upper = k + 1 < depth ? groups & 0xffff0000u : U{};
      const float x = k < depth ? float(a[k]) : 0.f, y = k + 1 < depth ? float(a[k + 1]) : 0.f;
      even = flushing_fma(flush(splat<float, W>(x)), flush(as<V>(groups << 16)), even);
      odd = flushing_fma(flush(splat<float, W>(y)), flush(as<V>(upper)), odd);
    }
    sum = flush(sum + flush(even + odd));
  }
  store_n(sums, sum, n);
}

template <bool Adds, class TC, class TA, class TB>
inline void dot_tiles_by_lanes(const tile_operands<TC, TA, TB> &o) {
  constexpr int W = 16;
  for (std::ptrdiff_t i = 0; i < o.m; ++i)
    for (std::ptrdiff_t j = 0; j < o.n; j += W) {
      const std::ptrdiff_t n = std::min<std::ptrdiff_t>(o.n - j, W);
      TC *const c = o.c + i * o.stride_c + j;
      tile_sum<TA> sums[W] = {};
      if constexpr (Adds)
        put_row(n, c, sums);
      dot_row_by_lanes<TA, TB, W>(n, o.depth, o.a + i * o.stride_a, o.b + j * tile_group<TB>,
                                  o.panel_stride, sums);
      put_row(n, sums, c);
    }
}

template <bool Adds, class TC, class TA, class TB>
inline void dot_tiles(const tile_operands<TC, TA, TB> &o) {
  static_assert(std::is_same_v<TC, tile_sum<TA>> || (!Adds && std::is_same_v<TC, TA>));
  static_assert(std::is_same_v<TA, TB> || (sizeof(TA) == 1 && sizeof(TB) == 1));
  if (o.m <= 0 || o.n <= 0 || (Adds && o.depth <= 0))
    return;
#ifdef SEPTRAN_CPU_HAS_TILES
  if (native::has_tiles) [[likely]]
    return native::dot_tiles<Adds>(o);
#endif
  dot_tiles_by_lanes<Adds>(o);
}

} // namespace detail

/// Prepares this thread's tile registers. They stay as they are until somebody else uses them.
SEPTRAN_CPU_INLINE void configure_tiles() {
#ifdef SEPTRAN_CPU_HAS_TILES
  if (detail::native::has_tiles) [[likely]]
    detail::native::load_shapes(detail::native::whole_tiles);
#endif
}

template <class TC, class TA, class TB>
inline void add_product(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t depth, const TA *a,
                        std::ptrdiff_t stride_a, const TB *b, std::ptrdiff_t panel_stride, TC *c,
                        std::ptrdiff_t stride_c) {
  detail::dot_tiles<true, TC, TA, TB>({m, n, depth, a, stride_a, b, panel_stride, c, stride_c});
}

template <class TC, class TA, class TB>
inline void set_product(std::ptrdiff_t m, std::ptrdiff_t n, std::ptrdiff_t depth, const TA *a,
                        std::ptrdiff_t stride_a, const TB *b, std::ptrdiff_t panel_stride, TC *c,
                        std::ptrdiff_t stride_c) {
  detail::dot_tiles<false, TC, TA, TB>({m, n, depth, a, stride_a, b, panel_stride, c, stride_c});
}

} // namespace septran::cpu

#endif // SEPTRAN_CPU_MATRIX_TILES_H
