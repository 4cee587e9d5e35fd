//===- driver.cpp - runs the transposition ----------------------------------===//
#include "transpose/transpose.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "transpose", "Rows and columns of an M x N matrix exchanged");
  const auto [m, n] = options.shape<2>("MxN", {1024, 1024});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 2> X({m, n}, settings.gap), Y({n, m}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);

  const double seconds = example::time(settings, [&] { transpose(Y.view(), X.view()); });

  example::check check;
  if (settings.check)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j)
        check.compare(Y.view()(i, j), X.view()(j, i), 0);
  return example::report(options, settings, seconds, Y, check);
}
