//===- septran/cuda/reduce.h - Reductions over warps and blocks --*- C++ -*-===//
//
// The operators and the two shapes of a reduction: by butterfly shuffles in a warp, and through
// shared memory over the warps of a block. Every thread gets the result, the same bits in each.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_REDUCE_H
#define SEPTRAN_CUDA_REDUCE_H

#include <septran/cuda/simt.h>

#include <type_traits>

namespace septran::cuda {

// The operators. The smaller floats are computed in their own type, as the host does.

struct plus {
  template <class T> SEPTRAN_HOST_DEVICE T operator()(T a, T b) const { return T(a + b); }
};
struct multiplies {
  template <class T> SEPTRAN_HOST_DEVICE T operator()(T a, T b) const { return T(a * b); }
};
/// As std::min and std::max: the first of two values that compare neither way, so the first if one
/// is a NaN.
struct minimum {
  template <class T> SEPTRAN_HOST_DEVICE T operator()(T a, T b) const { return b < a ? b : a; }
};
struct maximum {
  template <class T> SEPTRAN_HOST_DEVICE T operator()(T a, T b) const { return a < b ? b : a; }
};

/// Whether combine(a, b) has the bits of combine(b, a). Not so for the smaller of two floats: one
/// may be a NaN, or the two may be zeros of different signs.
template <class Op, class T> inline constexpr bool is_commutative = false;
template <class T> inline constexpr bool is_commutative<plus, T> = true;
template <class T> inline constexpr bool is_commutative<multiplies, T> = true;
template <class T> inline constexpr bool is_commutative<minimum, T> = std::is_integral_v<T>;
template <class T> inline constexpr bool is_commutative<maximum, T> = std::is_integral_v<T>;

/// The values of a segment of Width lanes, combined in the order of the lanes; `combine` is
/// associative, exactly or by agreement. By all threads of the segment, all of which exist.
template <int Width = warp_size, class T, class Op>
SEPTRAN_DEVICE T warp_reduce(T value, Op combine) {
  static_assert(detail::is_segment<Width>, "a power of two up to 32");
  for (int mask = 1; mask < Width; mask *= 2) {
    const T other = shuffle_xor<Width>(value, mask);
    if constexpr (is_commutative<Op, T>)
      value = combine(value, other);
    else
      value = (lane() & mask) != 0 ? combine(other, value) : combine(value, other);
  }
  return value;
}

/// The values of all threads of the block, combined in every thread. By all threads of the block,
/// whose number is a multiple of 32. `scratch` is shared memory for one T per warp; it may be used
/// again after the call, which ends with a barrier, and needs one before it if it held other data.
template <class T, class Op> SEPTRAN_DEVICE T block_reduce(T value, Op combine, T *scratch) {
  value = warp_reduce(value, combine);
  if (lane() == 0)
    scratch[warp_rank()] = value;
  block_barrier();
  T total = scratch[0];
  const int warps = block_size() / warp_size;
  for (int warp = 1; warp < warps; ++warp)
    total = combine(total, scratch[warp]);
  block_barrier();
  return total;
}

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_REDUCE_H
