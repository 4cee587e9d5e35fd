//===- driver.cpp - runs sums and the maximum -------------------------------===//
#include "reductions/reductions.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "reductions", "Sums and the maximum of an M x N matrix");
  const auto [m, n] = options.shape<2>("MxN", {1024, 1024});
  const auto entry = options.choice("entry", {"row_sums", "column_sums", "maximum"}, "which one");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 2> X({m, n}, settings.gap);
  example::storage<float, 1> y({entry == "maximum"    ? 1
                                : entry == "row_sums" ? m
                                                      : n},
                               settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  X.randomize(random);

  const double seconds = example::time(settings, [&] {
    if (entry == "row_sums")
      row_sums(y.view(), X.view());
    else if (entry == "column_sums")
      column_sums(y.view(), X.view());
    else
      maximum(y.view(), X.view());
  });

  example::check check;
  if (settings.check) {
    std::vector<double> sums(static_cast<std::size_t>(std::max(m, n)));
    double largest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        sums[static_cast<std::size_t>(entry == "row_sums" ? i : j)] += X.view()(i, j);
        largest = std::max(largest, double(X.view()(i, j)));
      }
    // Elements are at most 1: a sum of n of them is off by n roundings of n at most.
    const double terms = entry == "row_sums" ? n : m;
    if (entry == "maximum")
      check.compare(std::isinf(y.view()(0)) ? -2 : y.view()(0), std::max(largest, -2.0), 0);
    else
      for (int i = 0; i < y.view().extent(0); ++i)
        check.compare(y.view()(i), sums[static_cast<std::size_t>(i)],
                      terms * terms * example::epsilon<float>());
  }
  return example::report(options, settings, seconds, y, check);
}
