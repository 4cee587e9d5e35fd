// B is seen through a transposed view: its neighbours along a row are far apart.
#include "common/run.h"

void banded(septran::tensor<float, 2> C, septran::tensor<const float, 2> A,
            septran::tensor<const float, 2> B, int band);

int main(int argc, char **argv) {
  example::options options(argc, argv, "banded", "C = A * B for an M x M band matrix A");
  const auto [m, n] = options.shape<2>("MxN", {50, 20});
  const auto band = static_cast<int>(options.integer("band", 5, "diagonals on either side"));
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> A({m, m}, settings.gap), B({n, m}, settings.gap), C({m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  A.randomize(random);
  B.randomize(random);
  const double seconds = example::time(
      settings, [&] { banded(C.view(), A.view(), septran::transpose(B.view()), band); });
  return example::report(options, settings, seconds, C, {});
}
