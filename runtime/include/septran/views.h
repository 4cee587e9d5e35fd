//===- views.h - other shapes of the same elements -----------------------===//
//
// Each function returns a tensor over the same memory; none copies. Origins follow
// the dimensions that keep their meaning; `reshape` has none to keep.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_VIEWS_H
#define SEPTRAN_VIEWS_H

#include <septran/tensor.h>

#include <cassert>
#include <type_traits>

namespace septran {

/// Reverses the order of the dimensions: result(j, i) is t(i, j).
template <class T, int R> constexpr tensor<T, R> transpose(tensor<T, R> t) {
  extents_t<R> extents, strides, origin;
  for (int d = 0; d < R; ++d) {
    extents[d] = t.extent(R - 1 - d);
    strides[d] = t.stride(R - 1 - d);
    origin[d] = t.origin(R - 1 - d);
  }
  return tensor<T, R>(detail::memory_of::first(t), extents, strides, origin);
}

namespace detail {

template <class S> inline constexpr bool is_all = std::is_same_v<std::remove_cvref_t<S>, all_t>;

template <class T, int R, int N>
constexpr tensor<T, N> select(const tensor<T, R> &t, const index_type (&at)[R],
                              const bool (&keep)[R]) {
  extents_t<N> extents, strides, origin;
  index_type offset = 0;
  for (int d = 0, n = 0; d < R; ++d) {
    if (!keep[d]) {
      offset += at[d] * t.stride(d);
      continue;
    }
    extents[n] = t.extent(d);
    strides[n] = t.stride(d);
    origin[n] = t.origin(d);
    ++n;
  }
  return tensor<T, N>(detail::memory_of::first(t) + offset, extents, strides, origin);
}

template <class S> constexpr index_type position(S s) {
  if constexpr (is_all<S>)
    return 0;
  else
    return index_type(s);
}

} // namespace detail

#ifndef SEPTRAN_CHECKED
/// Fixes some indices: an integer drops its dimension, `all` keeps it. `subtensor(Q, b, h, all,
/// all)` is the matrix of batch b and head h. One argument per dimension of t, each integer
/// within its extent.
template <class T, int R, class... S> constexpr auto subtensor(tensor<T, R> t, S... at) {
  static_assert(R > 0 && sizeof...(S) == R, "subtensor takes one index or `all` per dimension");
  constexpr int kept = (0 + ... + int(detail::is_all<S>));
  return detail::select<T, R, kept>(t, {detail::position(at)...}, {detail::is_all<S>...});
}
#endif

/// The same elements, in row-major order, with other extents. `t` is row-major without gaps, and
/// both shapes have the same number of elements.
template <class T, int R, int N>
constexpr tensor<T, N> reshape(tensor<T, R> t, extents_t<N> extents) {
  assert(t.size() == extents.count() && "reshape keeps the number of elements");
  [[maybe_unused]] const extents_t<R> dense = row_major_strides(t.extents());
  for (int d = 0; d < R; ++d)
    assert((t.extent(d) <= 1 || t.size() == 0 || t.stride(d) == dense[d]) &&
           "reshape needs a row-major tensor without gaps");
  return tensor<T, N>(detail::memory_of::first(t), extents);
}
template <class T, int R, std::size_t N>
constexpr tensor<T, int(N)> reshape(tensor<T, R> t, const index_type (&extents)[N]) {
  extents_t<int(N)> list;
  for (std::size_t d = 0; d < N; ++d)
    list[int(d)] = extents[d];
  return reshape(t, list);
}

/// Repeats a tensor without copying it: dimensions are aligned at the last one; a dimension of
/// extent 1 and every new leading dimension get the given extent and stride 0. All other extents
/// stay as they are. The result is read-only, since its elements share memory.
template <class T, int R, int N>
constexpr tensor<const T, N> broadcast(tensor<const T, R> t, extents_t<N> extents) {
  static_assert(N >= R, "broadcast does not drop dimensions");
  extents_t<N> strides, origin;
  for (int d = 0; d < R; ++d) {
    const int to = d + N - R;
    const bool repeated = t.extent(d) == 1 && extents[to] != 1;
    assert((repeated || t.extent(d) == extents[to]) && "broadcast repeats extents of 1 only");
    strides[to] = repeated ? 0 : t.stride(d);
    origin[to] = t.origin(d);
  }
  return tensor<const T, N>(detail::memory_of::first(t), extents, strides, origin);
}
template <class T, int R, std::size_t N>
constexpr tensor<const T, int(N)> broadcast(tensor<const T, R> t, const index_type (&extents)[N]) {
  extents_t<int(N)> list;
  for (std::size_t d = 0; d < N; ++d)
    list[int(d)] = extents[d];
  return broadcast(t, list);
}

} // namespace septran

#ifdef SEPTRAN_CHECKED
#include <septran/checked/subtensor.h>
#endif

#endif
