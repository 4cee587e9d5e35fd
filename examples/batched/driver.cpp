//===- driver.cpp - runs many matrix products -------------------------------===//
#include "batched/batched.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "batched", "C = A * B for B pairs of matrices");
  const auto [batch, m, n, k] = options.shape<4>("BxMxNxK", {64, 64, 64, 64});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 3> A({batch, m, k}, settings.gap), B({batch, k, n}, settings.gap);
  example::storage<float, 3> C({batch, m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  A.randomize(random);
  B.randomize(random);

  const double seconds = example::time(settings, [&] { batched(C.view(), A.view(), B.view()); });

  example::check check;
  for (int b = 0; settings.check && b < batch; ++b)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 0, size = 0;
        for (int p = 0; p < k; ++p) {
          const double product = double(A.view()(b, i, p)) * double(B.view()(b, p, j));
          sum += product;
          size += std::abs(product);
        }
        check.compare(C.view()(b, i, j), sum, (k + 2) * example::epsilon<float>() * size);
      }
  return example::report(options, settings, seconds, C, check);
}
