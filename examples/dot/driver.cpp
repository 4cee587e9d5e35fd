//===- driver.cpp - runs the scalar product -----------------------------------===//
#include "dot/dot.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "dot", "Scalar product of two vectors of N elements");
  const auto shape = options.shape<1>("N", {1 << 22});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 1> x(shape, settings.gap), y(shape, settings.gap), result({1});
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  y.randomize(random);

  const double seconds = example::time(settings, [&] { dot(result.view(), x.view(), y.view()); });

  example::check check;
  if (settings.check) {
    long double sum = 0, magnitude = 0;
    for (int i = 0; i < shape[0]; ++i) {
      const double product = double(x.view()(i)) * double(y.view()(i));
      sum += product;
      magnitude += std::abs(product);
    }
    check.compare(result.view()(0), double(sum),
                  shape[0] * example::epsilon<double>() * double(magnitude) +
                      example::epsilon<float>() * std::abs(double(sum)));
  }
  return example::report(options, settings, seconds, result, check);
}
