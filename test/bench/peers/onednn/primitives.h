//===- primitives.h - oneDNN as somebody uses it who wants speed *- C++ -*-===//
//
// Primitives, weights in the order that a primitive likes best, and buffers are made by the first
// call with the same tensors and kept. Activations are read and written where they lie. The library
// itself keeps the scratchpads of primitives that are kept.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "modules/declined.h"

#include <septran/constant.h>
#include <septran/septran.h>

#include <dnnl.hpp>
#include <omp.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace onednn {

using dnnl::memory;
using dims = memory::dims;
template <class T, int R> using tensor = septran::tensor<T, R>;
template <class T> using vector = tensor<T, 1>;
template <class T> using matrix = tensor<T, 2>;
constexpr auto f32 = memory::data_type::f32;

inline dnnl::engine &processor() {
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

inline dnnl::stream &in_order() {
  static dnnl::stream stream(processor());
  return stream;
}

template <class T> constexpr memory::data_type type_of() {
  using element = std::remove_const_t<T>;
  using type = memory::data_type;
  if constexpr (std::is_same_v<element, float>)
    return type::f32;
  else if constexpr (std::is_same_v<element, septran::float16>)
    return type::f16;
  else if constexpr (std::is_same_v<element, septran::bfloat16>)
    return type::bf16;
  else if constexpr (std::is_same_v<element, std::int32_t>)
    return type::s32;
  else if constexpr (std::is_same_v<element, std::int8_t>)
    return type::s8;
  else {
    static_assert(std::is_same_v<element, std::uint8_t>);
    return type::u8;
  }
}

/// Memory of its own.
inline memory buffer(const memory::desc &layout) { return {layout, processor()}; }

inline memory::desc plain(const dims &extents) {
  dims strides(extents.size(), 1);
  for (std::size_t d = extents.size(); d-- > 1;)
    strides[d - 1] = strides[d] * extents[d];
  return {extents, f32, strides};
}

/// A tensor where it lies, seen with other extents and strides. oneDNN's type for what is only read
/// is the same.
template <class T, int R>
memory view(const tensor<T, R> &X, const dims &extents, const dims &strides) {
  return {memory::desc(extents, type_of<T>(), strides), processor(),
          const_cast<std::remove_const_t<T> *>(X.data())};
}

/// The tensor with dimensions in the given order: view_of(X, {1, 0}) is the transposed matrix.
template <class T, int R> memory view_of(const tensor<T, R> &X, const std::vector<int> &order) {
  dims extents, strides;
  for (int d : order) {
    extents.push_back(X.extent(d));
    strides.push_back(X.stride(d));
  }
  return view(X, extents, strides);
}

template <class T, int R> memory view_of(const tensor<T, R> &X) {
  std::vector<int> order;
  for (int d = 0; d < R; ++d)
    order.push_back(d);
  return view_of(X, order);
}

/// A vector as the only row of a matrix.
template <class T> memory row_of(const vector<T> &x) {
  return view(x, {1, x.extent(0)}, {x.extent(0), 1});
}

/// In whatever order the primitive likes best.
inline memory::desc any(const memory &like) {
  const memory::desc layout = like.get_desc();
  return {layout.dims(), layout.data_type(), memory::format_tag::any};
}

/// Primitives to execute one after the other.
class sequence {
public:
  using arguments = std::unordered_map<int, memory>;

  void add(dnnl::primitive primitive, arguments memories) {
    steps_.push_back({std::move(primitive), std::move(memories)});
  }

  /// Elements of `from` to `to`.
  void add_reorder(memory from, memory to) {
    add(dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  }

  void run() {
    for (step &s : steps_)
      s.primitive.execute(in_order(), s.memories);
    in_order().wait();
  }

private:
  struct step {
    dnnl::primitive primitive;
    arguments memories;
  };
  std::vector<step> steps_;
};

/// `X` in another order: itself, if that is its own.
inline memory reordered(const memory &X, const memory::desc &order) {
  if (X.get_desc() == order)
    return X;
  memory packed = buffer(order);
  sequence once;
  once.add_reorder(X, packed);
  once.run();
  return packed;
}

/// `Primitive` as described. Declines where oneDNN has nothing but its reference: plain loops that
/// nobody uses for speed.
template <class Primitive>
typename Primitive::primitive_desc find(const typename Primitive::desc &description,
                                        const dnnl::primitive_attr &attributes = {}) {
  try {
    typename Primitive::primitive_desc found(description, attributes, processor());
    if (std::string(found.impl_info_str()).starts_with("ref"))
      throw septran::bench::declined("oneDNN has plain loops alone for this");
    return found;
  } catch (const dnnl::error &failure) {
    if (failure.status != dnnl_unimplemented)
      throw;
    throw septran::bench::declined("oneDNN does not have this on this processor");
  }
}

/// Attributes: what is done to every element of a result, in this order.
inline dnnl::primitive_attr with(const dnnl::post_ops &operations) {
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  return attributes;
}

/// What calls with the same tensors, on as many threads, have in common.
class prepared {
public:
  /// Runs what `make` added to a sequence, in this call or in one before.
  template <class Make, class... Tensors> void run(Make make, const Tensors &...tensors) {
    std::vector<std::intptr_t> key{omp_get_max_threads()};
    (append(key, tensors), ...);
    if (key != key_) {
      key_.clear();
      sequence_ = {};
      make(sequence_);
      key_ = std::move(key);
    }
    sequence_.run();
  }

private:
  template <class T, int R>
  static void append(std::vector<std::intptr_t> &key, const tensor<T, R> &X) {
    key.push_back(reinterpret_cast<std::intptr_t>(X.data()));
    for (int d = 0; d < R; ++d) {
      key.push_back(X.extent(d));
      key.push_back(X.stride(d));
    }
  }
  template <class T, int R>
  static void append(std::vector<std::intptr_t> &key, const septran::constant<T, R> &X) {
    append(key, static_cast<const tensor<const T, R> &>(X));
  }
  template <class Number> static void append(std::vector<std::intptr_t> &key, Number number) {
    static_assert(std::is_integral_v<Number>);
    key.push_back(number);
  }

  std::vector<std::intptr_t> key_;
  sequence sequence_;
};

} // namespace onednn
