#include "common/run.h"

void outer(septran::tensor<double, 3> T, septran::tensor<const double, 2> x,
           septran::tensor<const double, 2> y);

int main(int argc, char **argv) {
  example::options options(argc, argv, "outer", "T(b, i, j) = x(b, i) * y(b, j)");
  const auto [b, m, n] = options.shape<3>("BxMxN", {3, 40, 30});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<double, 2> x({b, m}, settings.gap), y({b, n}, settings.gap);
  example::storage<double, 3> T({b, m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  y.randomize(random);
  const double seconds = example::time(settings, [&] { outer(T.view(), x.view(), y.view()); });
  return example::report(options, settings, seconds, T, {});
}
