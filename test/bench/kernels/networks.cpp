#include "kernels/kernels.h"

#include "decode/decode.h"
#include "depthwise/depthwise.h"
#include "harness/memory.h"
#include "kernels/shape.h"
#include "mlp/mlp.h"

#include <algorithm>
#include <cmath>

namespace septran::bench {
namespace {

/// Y = gelu(X W + bias), or, gated, Y = silu(X W) * X U.
problem layer(bool gated, int m, int n, int k) {
  struct data {
    array<float, 2> Y, X, W, U;
    array<float, 1> bias;
  };
  const auto d = std::make_shared<data>(data{array<float, 2>({m, n}), array<float, 2>({m, k}),
                                             array<float, 2>({k, n}), array<float, 2>({k, n}),
                                             array<float, 1>(n)});
  d->X.randomize(1, -1, 1);
  d->W.randomize(2, -0.1, 0.1);
  d->U.randomize(3, -0.1, 0.1);
  d->bias.randomize(4, -1, 1);
  // Libraries keep what they make of weights, too.
  const auto W = make_constant(d->W.view()), U = make_constant(d->U.view());
  return {
      .shape = shape_text(m, n, k),
      .work = (gated ? 4.0 : 2.0) * m * n * k,
      .run =
          [=](entry_point entry) {
            if (gated)
              entry.as<decltype(swiglu)>()(d->Y.view(), d->X.view(), W, U);
            else
              entry.as<decltype(linear_gelu)>()(d->Y.view(), d->X.view(), W, d->bias.view());
          },
      .run_peer = {},
      .reset = [d] { d->Y.poison(); },
      .result = [d] { return d->Y.values(); },
      .tolerance = 1e-5,
  };
}

kernel layer_kernel(bool quick, const char *name, bool gated) {
  const auto make = [=](int m, int n, int k) {
    row result{.variant = "", .make = [=] { return layer(gated, m, n, k); }};
    if (std::max(m, n) > 256)
      result.make_for_plain = [=] { return layer(gated, std::min(m, 64), std::min(n, 384), k); };
    return result;
  };
  return at_any_shape<3>(
      {.name = name, .fma_bound = true, .rows = {quick ? make(9, 20, 17) : make(512, 3072, 768)}},
      make);
}

problem decode_token(int batch, int heads, int groups, int keys, int width) {
  struct data {
    array<float, 3> O, Q;
    array<float, 4> K, V;
  };
  const auto d = std::make_shared<data>(data{array<float, 3>({batch, heads, width}),
                                             array<float, 3>({batch, heads, width}),
                                             array<float, 4>({batch, groups, keys, width}),
                                             array<float, 4>({batch, groups, keys, width})});
  d->Q.randomize(1, -1, 1);
  d->K.randomize(2, -1, 1);
  d->V.randomize(3, -1, 1);
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  return {
      .shape = shape_text(batch, heads, groups, keys, width),
      .work = 4.0 * batch * heads * keys * width,
      .reads = {d->K.floats(), d->V.floats()},
      .run =
          [d, scale](entry_point entry) {
            entry.as<decltype(decode)>()(d->O.view(), d->Q.view(), d->K.view(), d->V.view(), scale);
          },
      .run_peer = {},
      .reset = [d] { d->O.poison(); },
      .result = [d] { return d->O.values(); },
      .tolerance = 1e-4,
  };
}

kernel decode_kernel(bool quick) {
  const auto make = [](int batch, int heads, int groups, int keys, int width) {
    return row{.variant = "", .make = [=] { return decode_token(batch, heads, groups, keys, width); }};
  };
  return at_any_shape<5>(
      {.name = "decode",
       .fma_bound = false,
       .rows = {quick ? make(1, 4, 2, 70, 18) : make(1, 32, 8, 4096, 128)}},
      make);
}

problem convolve(int images, int rows, int columns, int channels, int pad) {
  struct data {
    array<float, 4> Y, X;
    array<float, 3> W;
  };
  const auto tensor = [&] { return array<float, 4>({images, rows, columns, channels}); };
  const auto d = std::make_shared<data>(
      data{tensor(), tensor(), array<float, 3>({2 * pad + 1, 2 * pad + 1, channels})});
  d->X.randomize(1, -1, 1);
  d->W.randomize(2, -1, 1);
  return {
      .shape = shape_text(images, rows, columns, channels),
      .work = 2.0 * (2 * pad + 1) * (2 * pad + 1) * images * rows * columns * channels,
      .run =
          [d, pad](entry_point entry) {
            entry.as<decltype(depthwise)>()(d->Y.view(), d->X.view(), d->W.view(), pad);
          },
      .run_peer = {},
      .reset = [d] { d->Y.poison(); },
      .result = [d] { return d->Y.values(); },
      .tolerance = 1e-5,
  };
}

kernel depthwise_kernel(bool quick) {
  const auto make = [](int images, int rows, int columns, int channels) {
    return row{.variant = "3x3", .make = [=] { return convolve(images, rows, columns, channels, 1); }};
  };
  return at_any_shape<4>({.name = "depthwise",
                          .fma_bound = false,
                          .rows = {quick ? make(1, 7, 9, 5) : make(1, 56, 56, 128)}},
                         make);
}

} // namespace

std::vector<kernel> network_kernels(bool quick) {
  return {layer_kernel(quick, "linear_gelu", false), layer_kernel(quick, "swiglu", true),
          decode_kernel(quick), depthwise_kernel(quick)};
}

} // namespace septran::bench
