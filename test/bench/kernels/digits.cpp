#include "kernels/kernels.h"

#include "digits/digits.h"
#include "harness/memory.h"
#include "kernels/shape.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace septran::bench {
namespace {

constexpr int features = 64;

/// The first `train` images of the example's file are known, the next `queries` are asked for.
problem nearest(int queries, int train) {
  struct data {
    array<std::int32_t, 1> labels, train_labels;
    array<float, 2> queries, train;
  };
  const auto d = std::make_shared<data>(
      data{array<std::int32_t, 1>(queries), array<std::int32_t, 1>(train),
           array<float, 2>({queries, features}), array<float, 2>({train, features})});

  std::ifstream file(SEPTRAN_BENCH_DIGITS);
  for (int image = 0; image < train + queries; ++image) {
    std::string line;
    std::getline(file, line);
    std::istringstream values(line);
    char comma = ',';
    const auto pixels = image < train ? d->train.view() : d->queries.view();
    for (int p = 0; p < features; ++p)
      values >> pixels(image < train ? image : image - train, p) >> comma;
    std::int32_t digit = -1;
    if (!(values >> digit))
      throw std::runtime_error("'" SEPTRAN_BENCH_DIGITS "' holds too few images");
    if (image < train)
      d->train_labels.view()(image) = digit;
  }

  constexpr int neighbours = 3;
  return {
      .shape = shape_text(queries, train),
      .work = 2.0 * queries * train * features, // of the distances; the vote compares
      .run =
          [d](entry_point entry) {
            entry.as<decltype(classify)>()(d->labels.view(), d->queries.view(), d->train.view(),
                                           d->train_labels.view(), neighbours);
          },
      .run_peer = {},
      .reset = [d] { d->labels.fill(-2); }, // no label, and not the answer for "none"
      .result = [d] { return d->labels.values(); },
      .tolerance = 0, // the images are small whole numbers: distances are exact
  };
}

} // namespace

kernel digits_kernel(bool quick) {
  const auto make = quick ? [] { return nearest(10, 20); } : [] { return nearest(898, 899); };
  return {.name = "digits", .fma_bound = false, .rows = {{.variant = "", .make = make}}};
}

} // namespace septran::bench
