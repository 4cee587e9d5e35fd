#include "common/run.h"

void rotary(septran::tensor<float, 2> x, float step);

int main(int argc, char **argv) {
  example::options options(argc, argv, "rotary", "rotary position embedding");
  const auto [t, d] = options.shape<2>("TxD", {40, 32});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> start({t, d}), x({t, d}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  start.randomize(random);
  const auto restart = [&, t = t, d = d] {
    for (int i = 0; i < t; ++i)
      for (int j = 0; j < d; ++j)
        x.view()(i, j) = start.view()(i, j);
  };
  const double seconds = example::time(settings, [&] { rotary(x.view(), 0.25f); }, restart);
  return example::report(options, settings, seconds, x, {});
}
