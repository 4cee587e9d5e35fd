#include "kernels/kernels.h"

#include "conv2d/conv2d.h"
#include "harness/memory.h"
#include "kernels/shape.h"

namespace septran::bench {
namespace {

problem convolve(int images, int rows, int columns, int channels, int outputs) {
  struct data {
    array<float, 4> Y, X, W;
  };
  const auto d = std::make_shared<data>(data{array<float, 4>({images, rows, columns, outputs}),
                                             array<float, 4>({images, rows, columns, channels}),
                                             array<float, 4>({3, 3, channels, outputs})});
  d->X.randomize(1, -1, 1);
  d->W.randomize(2, -1, 1);
  return {
      .shape = shape_text(images, rows, columns, channels, outputs),
      .work =
          2.0 * 9 * images * rows * columns * channels * outputs, // zeros at the border included
      .run =
          [d](entry_point entry) {
            entry.as<decltype(conv2d_3x3)>()(d->Y.view(), d->X.view(), d->W.view());
          },
      .run_peer = {},
      .reset = [d] { d->Y.poison(); },
      .result = [d] { return d->Y.values(); },
      .tolerance = 1e-5,
  };
}

} // namespace

kernel conv2d_kernel(bool quick) {
  const auto make =
      quick ? [] { return convolve(1, 7, 9, 5, 6); } : [] { return convolve(1, 56, 56, 64, 64); };
  return {.name = "conv2d", .fma_bound = true, .rows = {{.variant = "3x3", .make = make}}};
}

} // namespace septran::bench
