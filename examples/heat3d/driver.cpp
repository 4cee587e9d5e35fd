//===- driver.cpp - runs the heat equation in three dimensions --------------===//
#include "heat3d/heat3d.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "heat3d", "Heat on a grid of D x H x W points");
  const auto [depth, height, width] = options.shape<3>("DxHxW", {128, 128, 128});
  const auto steps = static_cast<int>(options.integer("steps", 4, "time steps"));
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  const float alpha = 0.125f, boundary = 0.25f;
  const std::array<int, 3> shape{depth, height, width};
  example::storage<float, 3> start(shape), U(shape, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  start.randomize(random, 0, 1);

  // In double precision, with a border of boundary values.
  example::storage<double, 3> now({depth + 2, height + 2, width + 2}),
      before({depth + 2, height + 2, width + 2});
  const auto inside = [&, depth = depth, height = height, width = width](auto visit) {
    for (int i = 0; i < depth; ++i)
      for (int j = 0; j < height; ++j)
        for (int k = 0; k < width; ++k)
          visit(i, j, k);
  };
  const auto restart = [&] {
    inside([&](int i, int j, int k) { U.view()(i, j, k) = start.view()(i, j, k); });
  };

  const double seconds =
      example::time(settings, [&] { heat3d(U.view(), alpha, boundary, steps); }, restart);

  example::check check;
  if (settings.check) {
    now.assign(boundary);
    inside([&](int i, int j, int k) { now.view()(i + 1, j + 1, k + 1) = start.view()(i, j, k); });
    for (int step = 0; step < steps; ++step) {
      before = now;
      const auto old = before.view();
      inside([&](int i, int j, int k) {
        const double sides = old(i, j + 1, k + 1) + old(i + 2, j + 1, k + 1) +
                             old(i + 1, j, k + 1) + old(i + 1, j + 2, k + 1) +
                             old(i + 1, j + 1, k) + old(i + 1, j + 1, k + 2);
        now.view()(i + 1, j + 1, k + 1) += alpha * (sides - 6 * old(i + 1, j + 1, k + 1));
      });
    }
    // A step is a mean with weights that sum to 1, of values in [0, 1]: it keeps older errors and
    // adds one of a few roundings.
    inside([&](int i, int j, int k) {
      check.compare(U.view()(i, j, k), now.view()(i + 1, j + 1, k + 1),
                    8 * steps * example::epsilon<float>());
    });
  }
  return example::report(options, settings, seconds, U, check);
}
