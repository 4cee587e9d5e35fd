//===- reduce.h - sums and maxima by oneDNN's primitive ----------*- C++ -*-===//
#pragma once

#include "onednn/primitives.h"

namespace onednn {

/// Over the dimensions in which Y has one element and X has more.
inline void add_reduction(sequence &calls, const memory &Y, const memory &X,
                          dnnl::algorithm algorithm, const dnnl::post_ops &after = {}) {
  const float power = 2; // of the norms alone
  const auto found =
      find<dnnl::reduction>({algorithm, X.get_desc(), Y.get_desc(), power, 0}, with(after));
  calls.add(dnnl::reduction(found), {{DNNL_ARG_SRC, X}, {DNNL_ARG_DST, Y}});
}

} // namespace onednn
