#include "common/run.h"

void residual(septran::tensor<float, 2> Y, septran::tensor<const float, 2> X,
              septran::tensor<const float, 2> R, septran::tensor<const float, 1> gain,
              septran::tensor<const float, 2> W);

int main(int argc, char **argv) {
  example::options options(argc, argv, "residual", "Y = rmsnorm(X + R) * W");
  const auto [m, n, k] = options.shape<3>("MxNxK", {40, 30, 20});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> X({m, k}, settings.gap), R({m, k}, settings.gap),
      W({k, n}, settings.gap), Y({m, n}, settings.gap);
  example::storage<float, 1> gain({k});
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  R.randomize(random);
  W.randomize(random);
  gain.randomize(random, 0.5, 1.5);
  const double seconds = example::time(
      settings, [&] { residual(Y.view(), X.view(), R.view(), gain.view(), W.view()); });
  return example::report(options, settings, seconds, Y, {});
}
