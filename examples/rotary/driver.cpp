//===- driver.cpp - runs rotary position embedding --------------------------===//
#include "rotary/rotary.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "rotary", "Turns the heads of T positions by their angles");
  const auto [t, h, d] = options.shape<3>("TxHxD", {512, 16, 128});
  const example::settings settings(options);
  if (d % 2 != 0 || d == 0)
    options.fail("--shape expects an even D of at least 2");
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 3> start({t, h, d}), X({t, h, d}, settings.gap);
  example::storage<float, 2> cos({t, d / 2}, settings.gap), sin({t, d / 2}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  start.randomize(random);
  for (int i = 0; i < t; ++i)
    for (int p = 0; p < d / 2; ++p) {
      const double angle = i * std::pow(10000.0, -2.0 * p / d);
      cos.view()(i, p) = static_cast<float>(std::cos(angle));
      sin.view()(i, p) = static_cast<float>(std::sin(angle));
    }
  const auto restart = [&, t = t, h = h, d = d] {
    for (int i = 0; i < t; ++i)
      for (int j = 0; j < h; ++j)
        for (int p = 0; p < d; ++p)
          X.view()(i, j, p) = start.view()(i, j, p);
  };
  const double seconds =
      example::time(settings, [&] { rotary(X.view(), cos.view(), sin.view()); }, restart);

  example::check check;
  const int half = d / 2;
  for (int i = 0; settings.check && i < t; ++i)
    for (int j = 0; j < h; ++j)
      for (int p = 0; p < d; ++p) {
        const double x = start.view()(i, j, p % half), y = start.view()(i, j, p % half + half);
        const double c = cos.view()(i, p % half), s = sin.view()(i, p % half);
        check.compare(X.view()(i, j, p), p < half ? x * c - y * s : x * s + y * c,
                      4 * example::epsilon<float>());
      }
  return example::report(options, settings, seconds, X, check);
}
