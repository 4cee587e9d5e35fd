#include "common/run.h"

void columns(septran::tensor<float, 2> out, septran::tensor<const float, 2> x);

int main(int argc, char **argv) {
  example::options options(argc, argv, "columns", "sum, least and largest element of columns");
  const auto [m, n] = options.shape<2>("MxN", {100, 30});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> x({m, n}, settings.gap), out({3, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  x.randomize(random);
  const double seconds = example::time(settings, [&] { columns(out.view(), x.view()); });
  return example::report(options, settings, seconds, out, {});
}
