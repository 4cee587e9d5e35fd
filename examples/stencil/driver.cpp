//===- driver.cpp - runs the heat equation ----------------------------------===//
#include "stencil/stencil.h"

#include "common/run.h"

#include <vector>

namespace {

/// The grid in double precision, with a border of boundary values.
class reference {
public:
  reference(int height, int width, double boundary)
      : height_(height), pitch_(width + 2),
        points_(static_cast<std::size_t>(height + 2) * static_cast<std::size_t>(width + 2),
                boundary) {}

  double &at(int i, int j) {
    return points_[static_cast<std::size_t>(i + 1) * static_cast<std::size_t>(pitch_) +
                   static_cast<std::size_t>(j + 1)];
  }

  void step(double alpha, bool corners) {
    reference old = *this;
    for (int i = 0; i < height_; ++i)
      for (int j = 0; j < pitch_ - 2; ++j) {
        const double sides =
            old.at(i - 1, j) + old.at(i + 1, j) + old.at(i, j - 1) + old.at(i, j + 1);
        const double diagonals = old.at(i - 1, j - 1) + old.at(i - 1, j + 1) +
                                 old.at(i + 1, j - 1) + old.at(i + 1, j + 1);
        const double centre = old.at(i, j);
        at(i, j) +=
            alpha * (corners ? (4 * sides + diagonals - 20 * centre) / 6 : sides - 4 * centre);
      }
  }

private:
  int height_, pitch_;
  std::vector<double> points_;
};

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "stencil", "Heat on a grid of H x W points");
  const auto [height, width] = options.shape<2>("HxW", {1024, 1024});
  const auto steps = static_cast<int>(options.integer("steps", 10, "time steps"));
  const auto points = options.choice("points", {"5", "9"}, "points of the stencil");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  const float alpha = 0.2f, boundary = 0.25f;
  example::storage<float, 2> start({height, width}), U({height, width}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  start.randomize(random, 0, 1);
  const auto restart = [&, height = height, width = width] {
    const auto to = U.view();
    const auto from = start.view();
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j)
        to(i, j) = from(i, j);
  };

  const bool corners = points == "9";
  const double seconds = example::time(
      settings,
      [&] {
        if (corners)
          heat9(U.view(), alpha, boundary, steps);
        else
          heat5(U.view(), alpha, boundary, steps);
      },
      restart);

  example::check check;
  if (settings.check) {
    reference expected(height, width, boundary);
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j)
        expected.at(i, j) = start.view()(i, j);
    for (int step = 0; step < steps; ++step)
      expected.step(alpha, corners);
    // A step is a mean with weights that sum to 1, of values in [0, 1]: it keeps older errors and
    // adds one of a few roundings.
    for (int i = 0; i < height; ++i)
      for (int j = 0; j < width; ++j)
        check.compare(U.view()(i, j), expected.at(i, j), 8 * steps * example::epsilon<float>());
  }
  return example::report(options, settings, seconds, U, check);
}
