#include "common/run.h"

void gradients(septran::tensor<float, 2> G, septran::tensor<const float, 2> X,
               septran::tensor<const float, 2> D);

int main(int argc, char **argv) {
  example::options options(argc, argv, "gradients", "G = transpose(X) * D, of small integers");
  const auto [m, k, n] = options.shape<3>("MxKxN", {40, 50, 70});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> X({m, k}, settings.gap), D({m, n}, settings.gap);
  example::storage<float, 2> G({k, n}, settings.gap);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < k; ++j)
      X.view()(i, j) = static_cast<float>((i * 7 + j * 5) % 23 - 11);
    for (int j = 0; j < n; ++j)
      D.view()(i, j) = static_cast<float>((i * 3 + j * 13) % 19 - 9);
  }
  const double seconds =
      example::time(settings, [&] { gradients(G.view(), X.view(), D.view()); });
  return example::report(options, settings, seconds, G, {});
}
