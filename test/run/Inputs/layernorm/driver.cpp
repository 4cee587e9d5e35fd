#include "common/run.h"

using half = septran::float16;

void layernorm(septran::tensor<half, 2> y, septran::tensor<const half, 2> x,
               septran::tensor<const half, 1> gain, septran::tensor<const float, 1> shift);

int main(int argc, char **argv) {
  example::options options(argc, argv, "layernorm", "normalises the rows of an M x N matrix");
  const auto [m, n] = options.shape<2>("MxN", {20, 30});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<half, 2> x({m, n}, settings.gap), y({m, n}, settings.gap);
  example::storage<half, 1> gain({n});
  example::storage<float, 1> shift({n});
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  gain.randomize(random, 0.5, 1.5);
  shift.randomize(random);
  const double seconds =
      example::time(settings, [&] { layernorm(y.view(), x.view(), gain.view(), shift.view()); });
  return example::report(options, settings, seconds, y, {});
}
