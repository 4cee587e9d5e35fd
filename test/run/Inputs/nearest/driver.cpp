// Coordinates are small whole numbers, so distances are exact and there are many ties.
#include "common/run.h"

void nearest(septran::tensor<std::int32_t, 1> at, septran::tensor<const float, 2> points);

int main(int argc, char **argv) {
  example::options options(argc, argv, "nearest", "nearest other point among N points in D dimensions");
  const auto [n, d] = options.shape<2>("NxD", {50, 3});
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;
  example::storage<float, 2> points({n, d}, settings.gap);
  example::storage<std::int32_t, 1> at({n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  points.each([&](float &x) { x = static_cast<float>(random.bits() % 5); });
  const double seconds = example::time(settings, [&] { nearest(at.view(), points.view()); });
  return example::report(options, settings, seconds, at, {});
}
