//===- product.h - products of matrices by oneDNN's primitive ---*- C++ -*-===//
#pragma once

#include "onednn/primitives.h"

namespace onednn {

/// Weights are packed once. Other data are new in every call.
enum class right_side { weights, data };

/// C = A B, one product or many, with `attributes`, whose memories are in `more`.
inline void add_product(sequence &calls, const memory &C, const memory &A, const memory &B,
                        right_side kind = right_side::weights,
                        const dnnl::primitive_attr &attributes = {},
                        sequence::arguments more = {}) {
  using product = dnnl::matmul;
  const auto order = kind == right_side::weights ? any(B) : B.get_desc();
  const auto bias = more.find(DNNL_ARG_BIAS);
  const auto found =
      find<product>(bias == more.end()
                        ? product::desc(A.get_desc(), order, C.get_desc())
                        : product::desc(A.get_desc(), order, bias->second.get_desc(), C.get_desc()),
                    attributes);
  more.insert({{DNNL_ARG_SRC, A},
               {DNNL_ARG_WEIGHTS, reordered(B, found.weights_desc())},
               {DNNL_ARG_DST, C}});
  calls.add(product(found), std::move(more));
}

} // namespace onednn
