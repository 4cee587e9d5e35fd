//===- normalise.h - rows to sum 1, or to mean 0 and variance 1 --*- C++ -*-===//
#pragma once

#include "onednn/primitives.h"

namespace onednn {

/// Along the last dimension. Both have the same order of elements, and may be the same.
inline void add_softmax(sequence &calls, const memory &Y, const memory &X) {
  const int last = int(X.get_desc().dims().size()) - 1;
  const auto found = find<dnnl::softmax_forward>(
      {dnnl::prop_kind::forward_inference, X.get_desc(), last});
  calls.add(dnnl::softmax_forward(found), {{DNNL_ARG_SRC, X}, {DNNL_ARG_DST, Y}});
}

/// With what `flags` say, which `more` holds.
inline void add_layer_norm(sequence &calls, const memory &Y, const memory &X, float epsilon,
                           dnnl::normalization_flags flags, sequence::arguments more) {
  using layer_norm = dnnl::layer_normalization_forward;
  const auto found = find<layer_norm>(
      {dnnl::prop_kind::forward_inference, X.get_desc(), epsilon, flags});
  more.insert({{DNNL_ARG_SRC, X}, {DNNL_ARG_DST, Y}});
  calls.add(layer_norm(found), std::move(more));
}

} // namespace onednn
