//===- driver.cpp - runs the norm of rows -----------------------------------===//
#include "rmsnorm/rmsnorm.h"

#include "common/run.h"

namespace {

template <class T, class Entry>
int run(const example::options &options, const example::settings &settings,
        const std::array<int, 2> &shape, Entry entry) {
  example::storage<T, 2> X(shape, settings.gap), Y(shape, settings.gap);
  example::storage<T, 1> weight({shape[1]}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);
  weight.randomize(random);
  const float least = 1e-5f;

  const double seconds =
      example::time(settings, [&] { entry(Y.view(), X.view(), weight.view(), least); });

  example::check check;
  if (settings.check) {
    const auto x = X.view();
    for (int i = 0; i < shape[0]; ++i) {
      double sum = 0;
      for (int j = 0; j < shape[1]; ++j)
        sum += double(x(i, j)) * double(x(i, j));
      const double scale = 1 / std::sqrt(sum / shape[1] + least);
      for (int j = 0; j < shape[1]; ++j) {
        const double expected = double(x(i, j)) * scale * double(weight.view()(j));
        check.compare(double(Y.view()(i, j)), expected,
                      ((shape[1] + 8) * example::epsilon<float>() + example::epsilon<T>()) *
                          std::abs(expected));
      }
    }
  }
  return example::report(options, settings, seconds, Y, check);
}

} // namespace

int main(int argc, char **argv) {
  example::options options(argc, argv, "rmsnorm", "Root-mean-square norm of the rows of a matrix");
  const auto shape = options.shape<2>("MxN", {1024, 1024});
  const auto dtype = options.choice("dtype", {"f32", "bf16"}, "element type");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  if (dtype == "bf16")
    return run<septran::bfloat16>(options, settings, shape, rmsnorm_bf16);
  return run<float>(options, settings, shape, rmsnorm);
}
