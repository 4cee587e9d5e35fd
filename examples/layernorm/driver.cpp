//===- driver.cpp - runs the norm of rows -----------------------------------===//
#include "layernorm/layernorm.h"

#include "common/run.h"

namespace {

template <class T, class Entry>
int run(const example::options &options, const example::settings &settings,
        const std::array<int, 2> &shape, Entry entry) {
  example::storage<T, 2> X(shape, settings.gap), Y(shape, settings.gap);
  example::storage<T, 1> weight({shape[1]}, settings.gap), bias({shape[1]}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  weight.randomize(random);
  bias.randomize(random);
  const float least = 1e-2f;

  const double seconds = example::time(
      settings, [&] { entry(Y.view(), X.view(), weight.view(), bias.view(), least); });

  example::check check;
  if (settings.check) {
    const auto x = X.view();
    const double n = shape[1];
    for (int i = 0; i < shape[0]; ++i) {
      double sum = 0, squares = 0;
      for (int j = 0; j < shape[1]; ++j)
        sum += double(x(i, j));
      for (int j = 0; j < shape[1]; ++j)
        squares += (double(x(i, j)) - sum / n) * (double(x(i, j)) - sum / n);
      const double scale = 1 / std::sqrt(squares / n + least);
      for (int j = 0; j < shape[1]; ++j) {
        const double factor = scale * double(weight.view()(j));
        const double expected = (double(x(i, j)) - sum / n) * factor + double(bias.view()(j));
        // Elements are at most 1, so the mean is off by n roundings at most, and the scale by as
        // many parts of itself.
        const double bound = (n + 8) * example::epsilon<float>() * 4 *
                                 (std::abs(factor) * (1 + scale) + std::abs(expected)) +
                             example::epsilon<T>() * std::abs(expected);
        check.compare(double(Y.view()(i, j)), expected, bound);
      }
    }
  }
  return example::report(options, settings, seconds, Y, check);
}

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "layernorm",
                           "The rows of a matrix to mean 0 and variance 1");
  const auto shape = options.shape<2>("MxN", {1024, 1024});
  const auto dtype = options.choice("dtype", {"f32", "bf16"}, "element type");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  if (dtype == "bf16")
    return run<septran::bfloat16>(options, settings, shape, layernorm_bf16);
  return run<float>(options, settings, shape, layernorm);
}
