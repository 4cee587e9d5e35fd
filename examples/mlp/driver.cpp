//===- driver.cpp - runs layers of a feed-forward part ----------------------===//
#include "mlp/mlp.h"

#include "common/run.h"

namespace {

struct sums {
  double value = 0, magnitude = 0; ///< of the products, and of their absolute values
};

sums product(septran::tensor<const float, 2> X, septran::tensor<const float, 2> W, int i, int j) {
  sums s;
  for (int k = 0; k < X.extent(1); ++k) {
    s.value += double(X(i, k)) * double(W(k, j));
    s.magnitude += std::abs(double(X(i, k)) * double(W(k, j)));
  }
  return s;
}

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "mlp", "Y = gelu(X * W + bias), or silu(X * Wg) * (X * Wu)");
  const auto [m, n, k] = options.shape<3>("MxNxK", {256, 1024, 256});
  const auto entry = options.choice("entry", {"linear_gelu", "swiglu"}, "which layer");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 2> X({m, k}, settings.gap), Y({m, n}, settings.gap);
  example::storage<float, 2> W({k, n}, settings.gap), other({k, n}, settings.gap);
  example::storage<float, 1> bias({n}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  W.randomize(random);
  other.randomize(random);
  bias.randomize(random);
  const auto weights = septran::make_constant(W.view());
  const auto others = septran::make_constant(other.view());

  const double seconds = example::time(settings, [&] {
    if (entry == "swiglu")
      swiglu(Y.view(), X.view(), weights, others);
    else
      linear_gelu(Y.view(), X.view(), weights, bias.view());
  });

  // A sum of k products is off by k roundings of its magnitude; no activation is steeper than 1.2.
  example::check check;
  const double unit = (k + 12) * example::epsilon<float>();
  for (int i = 0; settings.check && i < m; ++i)
    for (int j = 0; j < n; ++j) {
      const sums x = product(X.view(), W.view(), i, j);
      if (entry == "swiglu") {
        const sums u = product(X.view(), other.view(), i, j);
        const double gate = x.value / (1 + std::exp(-x.value));
        check.compare(
            Y.view()(i, j), gate * u.value,
            unit * (2 * x.magnitude * std::abs(u.value) + 2 * std::abs(gate) * u.magnitude + 1e-6));
      } else {
        const double s = x.value + double(bias.view()(j));
        const double inner = std::sqrt(2 / std::acos(-1.0)) * (s + 0.044715 * s * s * s);
        check.compare(Y.view()(i, j), s / 2 * (1 + std::tanh(inner)), 2 * unit * (x.magnitude + 1));
      }
    }
  return example::report(options, settings, seconds, Y, check);
}
