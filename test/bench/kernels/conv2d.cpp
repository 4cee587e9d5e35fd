#include "kernels/kernels.h"

#include "conv2d/conv2d.h"
#include "harness/memory.h"
#include "kernels/shape.h"

namespace septran::bench {
namespace {

using convolution = decltype(conv2d_3x3);

problem convolve(int images, int rows, int columns, int channels, int outputs, double tolerance) {
  struct data {
    array<float, 4> Y, X, W;
  };
  const auto d = std::make_shared<data>(data{array<float, 4>({images, rows, columns, outputs}),
                                             array<float, 4>({images, rows, columns, channels}),
                                             array<float, 4>({3, 3, channels, outputs})});
  d->X.randomize(1, -1, 1);
  d->W.randomize(2, -1, 1);
  // Libraries keep what they make of weights, too.
  const auto W = make_constant(d->W.view());
  return {
      .shape = shape_text(images, rows, columns, channels, outputs),
      .work = 2.0 * 9 * images * rows * columns * channels *
              outputs, // by the definition, zeros included
      .run =
          [=](entry_point entry) { entry.as<convolution>()(d->Y.view(), d->X.view(), W); },
      .run_peer = {},
      .reset = [d] { d->Y.poison(); },
      .result = [d] { return d->Y.values(); },
      .tolerance = tolerance,
  };
}

/// The layers of a network for images, from its first to its last.
kernel layers(bool quick, std::string name, double tolerance) {
  const auto make = [=](int images, int rows, int columns, int channels, int outputs) {
    return row{.variant = "3x3", .make = [=] {
                 return convolve(images, rows, columns, channels, outputs, tolerance);
               }};
  };
  std::vector<row> rows = {make(1, 7, 7, 5, 5)};
  if (!quick)
    rows = {make(1, 56, 56, 64, 64), make(1, 28, 28, 128, 128), make(1, 14, 14, 256, 256),
            make(1, 7, 7, 512, 512)};
  return at_any_shape<5>({.name = std::move(name), .fma_bound = true, .rows = std::move(rows)}, make);
}

} // namespace

std::vector<kernel> conv2d_kernels(bool quick) {
  // More than 100 % of the peak are possible for the method that takes fewer multiplications.
  return {layers(quick, "conv2d", 1e-5), layers(quick, "conv2d_winograd", 1e-4)};
}

} // namespace septran::bench
