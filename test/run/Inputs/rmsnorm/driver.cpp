#include "common/run.h"

void rmsnorm(septran::tensor<float, 2> y, septran::tensor<const float, 2> x,
             septran::tensor<const float, 1> weight, float epsilon);

int main(int argc, char **argv) {
  example::options options(argc, argv, "rmsnorm", "rows divided by the root of their mean square");
  const auto [m, n] = options.shape<2>("MxN", {100, 30});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> x({m, n}, settings.gap), y({m, n}, settings.gap);
  example::storage<float, 1> weight({n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  weight.randomize(random);
  const double seconds =
      example::time(settings, [&] { rmsnorm(y.view(), x.view(), weight.view(), 1e-5f); });
  return example::report(options, settings, seconds, y, {});
}
