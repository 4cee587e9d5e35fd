#include "common/run.h"

using bf16 = septran::bfloat16;

void layers(septran::tensor<float, 3> Y, septran::tensor<const bf16, 3> X,
            septran::tensor<const bf16, 2> W, septran::tensor<const bf16, 1> bias);

int main(int argc, char **argv) {
  example::options options(argc, argv, "layers", "Y(b) = max(X(b) * transpose(W) + bias, 0)");
  const auto [b, m, n, k] = options.shape<4>("BxMxNxK", {2, 40, 50, 70});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<bf16, 3> X({b, m, k}, settings.gap);
  example::storage<bf16, 2> W({n, k}, settings.gap);
  example::storage<bf16, 1> bias({n}, settings.gap);
  example::storage<float, 3> Y({b, m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random, -1, 1);
  W.randomize(random, -1, 1);
  bias.randomize(random, -1, 1);
  const double seconds = example::time(
      settings, [&] { layers(Y.view(), X.view(), W.view(), bias.view()); });
  return example::report(options, settings, seconds, Y, {});
}
