//===- attend.h - attention by oneDNN's primitives --------------*- C++ -*-===//
#pragma once

#include "onednn/product.h"
#include "onednn/softmax.h"

#include <bit>
#include <limits>

namespace onednn {

/// Scores to add to those of every head: nothing where a query sees a key, minus infinity
/// elsewhere. A row per head of a group and query.
inline memory causal_mask(std::ptrdiff_t group, std::ptrdiff_t queries, std::ptrdiff_t keys) {
  const memory mask = buffer(plain({1, group * queries, keys}));
  float *element = static_cast<float *>(mask.get_data_handle());
  for (std::ptrdiff_t row = 0; row < group * queries; ++row)
    for (std::ptrdiff_t key = 0; key < keys; ++key)
      *element++ =
          key <= row % queries + keys - queries ? 0 : -std::numeric_limits<float>::infinity();
  return mask;
}

/// Tensors are whole: heads that share keys are neighbours, and so are one matrix of queries.
inline void add_attention(sequence &calls, tensor<float, 4> O, tensor<const float, 4> Q,
                          tensor<const float, 4> K, tensor<const float, 4> V, float scale,
                          bool causal) {
  const auto groups = K.extent(0) * K.extent(1), group = Q.extent(1) / K.extent(1);
  const auto queries = Q.extent(2), keys = K.extent(2), width = Q.extent(3), values = V.extent(3);
  if (causal && queries > keys)
    throw septran::bench::declined("the softmax of no key is not zero to oneDNN");
  const auto matrices = [groups](const auto &X, std::ptrdiff_t rows, std::ptrdiff_t columns) {
    return view(X, {groups, rows, columns}, {rows * columns, columns, 1});
  };
  const memory scores = buffer(plain({groups, group * queries, keys}));
  const memory transposed = view(K, {groups, width, keys}, {keys * width, 1, width});
  dnnl::primitive_attr scaled;
  scaled.set_output_scales(0, {scale});
  add_product(calls, scores, matrices(Q, group * queries, width), transposed, right_side::data,
              scaled);
  if (causal) {
    const memory mask = causal_mask(group, queries, keys);
    const auto sum = find<dnnl::binary>(
        {dnnl::algorithm::binary_add, scores.get_desc(), mask.get_desc(), scores.get_desc()});
    calls.add(dnnl::binary(sum),
              {{DNNL_ARG_SRC_0, scores}, {DNNL_ARG_SRC_1, mask}, {DNNL_ARG_DST, scores}});
  }
  add_softmax(calls, scores, scores);
  add_product(calls, matrices(O, group * queries, values), scores, matrices(V, keys, values),
              right_side::data);
}

} // namespace onednn
