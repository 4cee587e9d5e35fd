#include "common/run.h"

void rank1(septran::tensor<float, 2> A, septran::tensor<const float, 1> u,
           septran::tensor<const float, 1> v);

int main(int argc, char **argv) {
  example::options options(argc, argv, "rank1", "A += u * v^T");
  const auto [m, n] = options.shape<2>("MxN", {40, 70});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> A({m, n}, settings.gap);
  example::storage<float, 1> u({m}, settings.gap), v({n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  u.randomize(random);
  v.randomize(random);
  const double seconds =
      example::time(settings, [&] { rank1(A.view(), u.view(), v.view()); }, [&] { A.assign(1); });
  return example::report(options, settings, seconds, A, {});
}
