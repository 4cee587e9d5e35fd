//===- convolve.h - convolutions by oneDNN's primitive ----------*- C++ -*-===//
//
// Flags choose the peer. By itself it reads and writes activations as the examples have them,
// channels innermost, by the direct algorithm.
//
//   SEPTRAN_ONEDNN_WINOGRAD  Winograd's algorithm, whose order of activations is oneDNN's: copied
//                            there and back in every call
//   SEPTRAN_ONEDNN_BLOCKED   activations stay in the order that oneDNN likes best, as between
//                            layers of a network: no call copies them; the result when somebody
//                            looks
//
//===----------------------------------------------------------------------===//
#pragma once

#include "onednn/primitives.h"

namespace onednn {

#ifdef SEPTRAN_ONEDNN_WINOGRAD
constexpr bool winograd = true;
#else
constexpr bool winograd = false;
#endif
#ifdef SEPTRAN_ONEDNN_BLOCKED
constexpr bool stay_blocked = true;
#else
constexpr bool stay_blocked = false;
#endif

/// From the order of the last call's result to the one that a user sees.
inline sequence unpacking;

/// Y = X * W for images x channels x rows x columns, whatever their order in memory; stride 1, as
/// many zeros on all sides.
inline void add_convolution(sequence &calls, const memory &Y, const memory &X, const memory &W,
                            int pad) {
  using convolution = dnnl::convolution_forward;
  constexpr bool own_order = winograd || stay_blocked;
  const auto found = find<convolution>(
      {dnnl::prop_kind::forward_inference,
       winograd ? dnnl::algorithm::convolution_winograd : dnnl::algorithm::convolution_direct,
       own_order ? any(X) : X.get_desc(),
       any(W),
       own_order ? any(Y) : Y.get_desc(),
       {1, 1},
       {pad, pad},
       {pad, pad}});
  unpacking = {};
  memory in = X, out = Y;
  if (stay_blocked)
    in = reordered(X, found.src_desc());
  else if (X.get_desc() != found.src_desc()) {
    in = buffer(found.src_desc());
    calls.add_reorder(X, in);
  }
  if (Y.get_desc() != found.dst_desc())
    out = buffer(found.dst_desc());
  calls.add(convolution(found), {{DNNL_ARG_SRC, in},
                                 {DNNL_ARG_WEIGHTS, reordered(W, found.weights_desc())},
                                 {DNNL_ARG_DST, out}});
  if (Y.get_desc() != found.dst_desc())
    (stay_blocked ? unpacking : calls).add_reorder(out, Y);
}

} // namespace onednn

extern "C" __attribute__((visibility("default"))) void septran_bench_finish() {
  onednn::unpacking.run();
}
