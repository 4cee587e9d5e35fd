#include "common/run.h"

void conv1d(septran::tensor<float, 2> y, septran::tensor<const float, 2> x,
            septran::tensor<const float, 3> w, int dilation);

int main(int argc, char **argv) {
  example::options options(argc, argv, "conv1d", "dilated causal convolution of a sequence");
  const auto [t, c, o] = options.shape<3>("TxCxO", {40, 3, 20});
  const auto taps = static_cast<int>(options.integer("taps", 3, "of the filter", 1));
  const auto dilation = static_cast<int>(options.integer("dilation", 1, "between taps", 1));
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> x({t, c}, settings.gap), y({t, o}, settings.gap);
  example::storage<float, 3> w({taps, c, o}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  w.randomize(random);
  const double seconds =
      example::time(settings, [&] { conv1d(y.view(), x.view(), w.view(), dilation); });
  return example::report(options, settings, seconds, y, {});
}
