#include "common/run.h"

void halves(septran::tensor<float, 2> Y, septran::tensor<const septran::bfloat16, 2> X,
            septran::tensor<const septran::bfloat16, 2> W);

int main(int argc, char **argv) {
  example::options options(argc, argv, "halves", "Y = X * W^T in bfloat16");
  const auto [m, n, k] = options.shape<3>("MxNxK", {40, 70, 150});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<septran::bfloat16, 2> X({m, k}, settings.gap), W({n, k}, settings.gap);
  example::storage<float, 2> Y({m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  W.randomize(random);
  const double seconds = example::time(settings, [&] { halves(Y.view(), X.view(), W.view()); });
  return example::report(options, settings, seconds, Y, {});
}
