//===- softmax.h - exponentials as shares of their sum ----------*- C++ -*-===//
#pragma once

#include "onednn/primitives.h"

namespace onednn {

/// Along the last dimension. Both have the same order of elements, and may be the same.
inline void add_softmax(sequence &calls, const memory &Y, const memory &X) {
  const int last = int(X.get_desc().dims().size()) - 1;
  const auto found =
      find<dnnl::softmax_forward>({dnnl::prop_kind::forward_inference, X.get_desc(), last});
  calls.add(dnnl::softmax_forward(found), {{DNNL_ARG_SRC, X}, {DNNL_ARG_DST, Y}});
}

} // namespace onednn
