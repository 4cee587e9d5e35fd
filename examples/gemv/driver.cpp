//===- driver.cpp - runs matrix times vector --------------------------------===//
#include "gemv/gemv.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "gemv", "y = A * x for y of M and x of N elements");
  const auto [m, n] = options.shape<2>("MxN", {2048, 2048});
  const bool transposed = options.flag("transposed", "A is N x M, and y = A^T * x");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 2> A({transposed ? n : m, transposed ? m : n}, settings.gap);
  example::storage<float, 1> x({n}, settings.gap), y({m}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  A.randomize(random);
  x.randomize(random);

  const double seconds =
      example::time(settings, [&] { (transposed ? gemv_t : gemv)(y.view(), A.view(), x.view()); });

  example::check check;
  for (int i = 0; settings.check && i < m; ++i) {
    double sum = 0, size = 0;
    for (int j = 0; j < n; ++j) {
      const double a = transposed ? A.view()(j, i) : A.view()(i, j);
      sum += a * double(x.view()(j));
      size += std::abs(a * double(x.view()(j)));
    }
    check.compare(y.view()(i), sum, (n + 2) * example::epsilon<float>() * size);
  }
  return example::report(options, settings, seconds, y, check);
}
