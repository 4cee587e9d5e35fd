//===- driver.cpp - runs operations on elements -----------------------------===//
#include "elementwise/elementwise.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "elementwise", "Operations on every element of a matrix");
  const auto [m, n] = options.shape<2>("MxN", {1024, 1024});
  const auto entry = options.choice("entry", {"gelu", "gelu_tanh", "silu", "residual", "modulate"},
                                    "which operation");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 2> X({m, n}, settings.gap), H({m, n}, settings.gap);
  example::storage<float, 2> Y({m, n}, settings.gap);
  example::storage<float, 1> shift({n}, settings.gap), scale({n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random, -8, 8);
  H.randomize(random);
  shift.randomize(random);
  scale.randomize(random);

  const double seconds = example::time(settings, [&] {
    if (entry == "gelu")
      gelu(Y.view(), X.view());
    else if (entry == "gelu_tanh")
      gelu_tanh(Y.view(), X.view());
    else if (entry == "silu")
      silu(Y.view(), X.view());
    else if (entry == "residual")
      residual(Y.view(), X.view(), H.view(), scale.view());
    else
      modulate(Y.view(), X.view(), shift.view(), scale.view());
  });

  example::check check;
  for (int i = 0; settings.check && i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const double x = X.view()(i, j), s = scale.view()(j);
      double expected = 0, size = std::abs(x); // `size` bounds what is added and multiplied
      if (entry == "gelu") {
        expected = x / 2 * (1 + std::erf(x * std::sqrt(0.5)));
      } else if (entry == "gelu_tanh") {
        expected =
            x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
      } else if (entry == "silu") {
        expected = x / (1 + std::exp(-x));
      } else if (entry == "residual") {
        expected = x + s * double(H.view()(i, j));
        size += 1;
      } else {
        expected = x * (1 + s) + double(shift.view()(j));
        size = 2 * size + 1;
      }
      check.compare(Y.view()(i, j), expected, 8 * example::epsilon<float>() * size);
    }
  return example::report(options, settings, seconds, Y, check);
}
