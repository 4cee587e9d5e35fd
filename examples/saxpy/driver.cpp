//===- driver.cpp - runs saxpy ------------------------------------------------===//
#include "saxpy/saxpy.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "saxpy", "y = a * x + y for vectors of N elements");
  const auto shape = options.shape<1>("N", {1 << 22});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  const float a = 1.5f;
  example::storage<float, 1> x(shape, settings.gap), y(shape, settings.gap), start(shape);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  start.randomize(random);
  const auto restart = [&] {
    for (int i = 0; i < shape[0]; ++i)
      y.view()(i) = start.view()(i);
  };

  const double seconds = example::time(settings, [&] { saxpy(y.view(), a, x.view()); }, restart);

  example::check check;
  if (settings.check)
    for (int i = 0; i < shape[0]; ++i) {
      const double product = double(a) * double(x.view()(i)),
                   sum = double(start.view()(i)) + product;
      check.compare(y.view()(i), sum,
                    example::epsilon<float>() * (std::abs(product) + std::abs(sum)));
    }
  return example::report(options, settings, seconds, y, check);
}
