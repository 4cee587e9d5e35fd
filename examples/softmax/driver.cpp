//===- driver.cpp - runs softmax --------------------------------------------===//
#include "softmax/softmax.h"

#include "common/run.h"

namespace {

template <class T, class Sum, class Entry>
int run(const example::options &options, const example::settings &settings,
        const std::array<int, 2> &shape, Entry entry) {
  example::storage<T, 2> X(shape, settings.gap), Y(shape, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random, -20, 20);

  const double seconds = example::time(settings, [&] { entry(Y.view(), X.view()); });

  example::check check;
  if (settings.check) {
    const auto x = X.view();
    for (int i = 0; i < shape[0]; ++i) {
      double top = -std::numeric_limits<double>::infinity(), sum = 0;
      for (int j = 0; j < shape[1]; ++j)
        top = std::max(top, double(x(i, j)));
      for (int j = 0; j < shape[1]; ++j)
        sum += std::exp(double(x(i, j)) - top);
      // X - top is rounded, at up to 40 in size, before exp turns its error into a relative one;
      // the sum adds half an epsilon per term.
      const double relative = (40 + shape[1]) * example::epsilon<Sum>() + example::epsilon<T>();
      const double least = static_cast<double>(std::numeric_limits<T>::denorm_min());
      for (int j = 0; j < shape[1]; ++j) {
        const double expected = std::exp(double(x(i, j)) - top) / sum;
        check.compare(double(Y.view()(i, j)), expected, relative * expected + least);
      }
    }
  }
  return example::report(options, settings, seconds, Y, check);
}

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "softmax", "Softmax of the rows of an M x N matrix");
  const auto shape = options.shape<2>("MxN", {1024, 1024});
  const auto dtype = options.choice("dtype", {"f32", "f64", "f16", "bf16"}, "element type");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  if (dtype == "f64")
    return run<double, double>(options, settings, shape, softmax_f64);
  if (dtype == "f16")
    return run<septran::float16, float>(options, settings, shape, softmax_f16);
  if (dtype == "bf16")
    return run<septran::bfloat16, float>(options, settings, shape, softmax_bf16);
  return run<float, float>(options, settings, shape, softmax);
}
