//===- driver.cpp - runs the convolution ------------------------------------===//
#include "conv2d/conv2d.h"

#include "common/run.h"

namespace {

struct problem {
  int images, rows, columns, channels, outputs, kernel, stride, pad;
  int output(int extent) const {
    return extent + 2 * pad < kernel ? 0 : (extent + 2 * pad - kernel) / stride + 1;
  }
};

/// Winograd's method adds and takes away what a whole tile has: its errors go with the largest
/// values, which are 1, not with those that an element is made of.
void compare(example::check &check, const problem &p, bool by_tiles,
             septran::tensor<const float, 4> Y, septran::tensor<const float, 4> X,
             septran::tensor<const float, 4> W) {
  const auto inside = [](int i, int extent) { return i >= 0 && i < extent; };
  for (int n = 0; n < Y.extent(0); ++n)
    for (int y = 0; y < Y.extent(1); ++y)
      for (int x = 0; x < Y.extent(2); ++x)
        for (int o = 0; o < Y.extent(3); ++o) {
          double sum = 0, magnitude = 0;
          for (int r = 0; r < p.kernel; ++r)
            for (int s = 0; s < p.kernel; ++s) {
              const int row = y * p.stride + r - p.pad, column = x * p.stride + s - p.pad;
              if (!inside(row, p.rows) || !inside(column, p.columns))
                continue;
              for (int c = 0; c < p.channels; ++c) {
                const double product = double(X(n, row, column, c)) * double(W(r, s, c, o));
                sum += product;
                magnitude += std::abs(product);
              }
            }
          const double terms = double(p.kernel) * p.kernel * p.channels;
          magnitude = by_tiles ? terms : magnitude;
          check.compare(Y(n, y, x, o), sum, (terms + 1) * example::epsilon<float>() * magnitude);
        }
}

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "conv2d",
                           "Convolution of N images of H x W pixels and C channels to O channels");
  const auto [images, rows, columns, channels, outputs] =
      options.shape<5>("NxHxWxCxO", {1, 56, 56, 64, 64});
  const auto kernel = static_cast<int>(options.integer("kernel", 3, "rows and columns of W", 1));
  const auto stride = static_cast<int>(options.integer("stride", 1, "of the output's grid", 1));
  const auto pad = static_cast<int>(options.integer("pad", (kernel - 1) / 2, "zeros at each side"));
  const auto entry =
      options.choice("entry", {"3x3", "winograd", "general"},
                     "entry point; all but general only for kernel 3, stride 1, pad 1");
  const example::settings settings(options);
  if (2 * pad >= kernel)
    options.fail("--pad expects less than half of the kernel");
  if (const auto code = options.finish())
    return *code;

  const problem p{images, rows, columns, channels, outputs, kernel, stride, pad};
  example::storage<float, 4> X({images, rows, columns, channels}, settings.gap);
  example::storage<float, 4> W({kernel, kernel, channels, outputs}, settings.gap);
  example::storage<float, 4> Y({images, p.output(rows), p.output(columns), outputs}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  W.randomize(random);
  const auto weights = septran::make_constant(W.view());

  const bool winograd = entry == "winograd";
  const bool general = entry == "general" || kernel != 3 || stride != 1 || pad != 1;
  const double seconds = example::time(settings, [&] {
    if (general)
      conv2d(Y.view(), X.view(), weights, stride, pad);
    else if (winograd)
      conv2d_3x3_winograd(Y.view(), X.view(), weights);
    else
      conv2d_3x3(Y.view(), X.view(), weights);
  });

  example::check check;
  if (settings.check)
    compare(check, p, winograd && !general, Y.view(), X.view(), W.view());
  return example::report(options, settings, seconds, Y, check);
}
