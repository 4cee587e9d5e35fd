//===- driver.cpp - runs depthwise convolution ------------------------------===//
#include "depthwise/depthwise.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "depthwise",
                           "Every channel of N images of H x W pixels and C channels by itself");
  const auto [n, h, w, c] = options.shape<4>("NxHxWxC", {1, 56, 56, 64});
  const int kernel = static_cast<int>(options.integer("kernel", 3, "rows and columns of it", 1));
  const int pad = static_cast<int>(options.integer("pad", 1, "zeros on every side"));
  const example::settings settings(options);
  const int out_h = h + 2 * pad - kernel + 1, out_w = w + 2 * pad - kernel + 1;
  if (pad >= kernel || out_h < 0 || out_w < 0)
    options.fail("--kernel expects more than --pad, and no more than the padded image has");
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 4> X({n, h, w, c}, settings.gap), Y({n, out_h, out_w, c}, settings.gap);
  example::storage<float, 3> W({kernel, kernel, c}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  W.randomize(random);

  const double seconds =
      example::time(settings, [&] { depthwise(Y.view(), X.view(), W.view(), pad); });

  example::check check;
  for (int b = 0; settings.check && b < n; ++b)
    for (int y = 0; y < out_h; ++y)
      for (int x = 0; x < out_w; ++x)
        for (int o = 0; o < c; ++o) {
          double sum = 0, size = 0;
          for (int r = 0; r < kernel; ++r)
            for (int s = 0; s < kernel; ++s) {
              const int i = y + r - pad, j = x + s - pad;
              if (i < 0 || i >= h || j < 0 || j >= w)
                continue;
              const double product = double(X.view()(b, i, j, o)) * double(W.view()(r, s, o));
              sum += product;
              size += std::abs(product);
            }
          check.compare(Y.view()(b, y, x, o), sum,
                        (kernel * kernel + 2) * example::epsilon<float>() * size);
        }
  return example::report(options, settings, seconds, Y, check);
}
