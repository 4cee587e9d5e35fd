#include "common/run.h"

void masked(septran::tensor<float, 1> best, septran::tensor<const float, 2> x,
            septran::tensor<const std::int8_t, 2> mask, float threshold, int limit);

int main(int argc, char **argv) {
  example::options options(argc, argv, "masked", "largest unmasked element of rows");
  const auto [m, n] = options.shape<2>("MxN", {40, 30});
  const auto limit = static_cast<int>(options.integer("limit", 1000, "columns that count"));
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> x({m, n}, settings.gap);
  example::storage<std::int8_t, 2> mask({m, n}, settings.gap);
  example::storage<float, 1> best({m}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  mask.randomize(random, -1.5, 1.5);
  const double seconds = example::time(
      settings, [&] { masked(best.view(), x.view(), mask.view(), 0.75f, limit); });
  return example::report(options, settings, seconds, best, {});
}
