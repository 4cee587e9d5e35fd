//===- mdspan.h - tensors from and to std::mdspan --------------------------===//
//
// `as_tensor` takes any type with the interface of std::mdspan (ISO C++23 [mdspan],
// Kokkos' implementation, a library's own); `as_mdspan` needs the standard one. No
// element is copied. Not part of septran.h, as <mdspan> is a large header.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_MDSPAN_H
#define SEPTRAN_MDSPAN_H

#include <septran/tensor.h>

#include <concepts>
#include <type_traits>

#if __has_include(<mdspan>)
#include <mdspan>
#endif
#if defined(__cpp_lib_mdspan)
#include <array>
#endif

namespace septran {

/// What `as_tensor` asks of a type: plain pointers to the elements, and strides.
template <class M>
concept mdspan_like = requires(const M &m) {
  typename M::element_type;
  requires std::is_same_v<decltype(m.data_handle()), typename M::element_type *> ||
               std::is_same_v<decltype(m.data_handle()), typename M::element_type *const &>;
  { m.extent(0) } -> std::convertible_to<index_type>;
  { m.stride(0) } -> std::convertible_to<index_type>;
  requires M::rank() <= std::size_t(max_rank);
  requires M::is_always_strided();
};

/// The tensor with the elements, extents and strides of `m`. Its accessor must be the default one,
/// element (i, ...) = data_handle()[mapping(i, ...)].
template <mdspan_like M>
constexpr tensor<typename M::element_type, int(M::rank())> as_tensor(const M &m) {
  extents_t<int(M::rank())> extents, strides;
  for (int d = 0; d < int(M::rank()); ++d) {
    extents[d] = static_cast<index_type>(m.extent(static_cast<std::size_t>(d)));
    strides[d] = static_cast<index_type>(m.stride(static_cast<std::size_t>(d)));
  }
  return {m.data_handle(), extents, strides};
}

#if defined(__cpp_lib_mdspan)
/// The mdspan with the elements, extents and strides of `t`. Strides must be positive, since the
/// mapping of an mdspan is unique: not a `broadcast`.
template <class T, int R>
constexpr std::mdspan<T, std::dextents<index_type, std::size_t(R)>, std::layout_stride>
as_mdspan(const tensor<T, R> &t) {
  std::array<index_type, std::size_t(R)> extents{}, strides{};
  for (int d = 0; d < R; ++d) {
    extents[std::size_t(d)] = t.extent(d);
    strides[std::size_t(d)] = t.stride(d);
  }
  using shape = std::dextents<index_type, std::size_t(R)>;
  return {t.data(), std::layout_stride::mapping<shape>(shape(extents), strides)};
}
#endif

} // namespace septran

#endif
