#include "common/run.h"

void bytes(septran::tensor<std::int32_t, 2> C, septran::tensor<const std::uint8_t, 2> A,
           septran::tensor<const std::int8_t, 2> B);

int main(int argc, char **argv) {
  example::options options(argc, argv, "bytes", "C = A * B of unsigned by signed bytes");
  const auto [m, n, k] = options.shape<3>("MxNxK", {40, 70, 150});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<std::uint8_t, 2> A({m, k}, settings.gap);
  example::storage<std::int8_t, 2> B({k, n}, settings.gap);
  example::storage<std::int32_t, 2> C({m, n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  A.each([&](std::uint8_t &x) { x = static_cast<std::uint8_t>(random.bits()); });
  B.each([&](std::int8_t &x) { x = static_cast<std::int8_t>(random.bits()); });
  const double seconds =
      example::time(settings, [&] { bytes(C.view(), A.view(), B.view()); });
  return example::report(options, settings, seconds, C, {});
}
