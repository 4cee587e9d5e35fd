//===- driver.cpp - runs distances and nearest examples ---------------------===//
#include "knn/knn.h"

#include "common/run.h"

int main(int argc, char **argv) {
  example::options options(argc, argv, "knn",
                           "Squared distances of Q queries to T examples of D elements");
  const auto [queries, count, width] = options.shape<3>("QxTxD", {512, 1024, 64});
  const auto entry = options.choice("entry", {"distances", "nearest"}, "what to compute");
  const example::settings settings(options);
  if (const auto code = options.finish())
    return *code;

  example::storage<float, 2> Q({queries, width}, settings.gap), T({count, width}, settings.gap);
  example::storage<float, 2> D({queries, count}, settings.gap);
  example::storage<float, 1> distance({queries}, settings.gap);
  example::storage<std::int32_t, 1> index({queries}, settings.gap);
  example::random_source random(static_cast<std::uint64_t>(settings.seed));
  Q.randomize(random);
  T.randomize(random);

  const double seconds = example::time(settings, [&] {
    if (entry == "nearest")
      nearest(index.view(), distance.view(), Q.view(), T.view());
    else
      distances(D.view(), Q.view(), T.view());
  });

  // Elements are at most 1, so norms and products are sums of magnitude `width` at most.
  example::check check;
  const double bound = 4.0 * width * (width + 4) * example::epsilon<float>();
  for (int i = 0; settings.check && i < queries; ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (int j = 0; j < count; ++j) {
      double sum = 0;
      for (int d = 0; d < width; ++d) {
        const double apart = double(Q.view()(i, d)) - double(T.view()(j, d));
        sum += apart * apart;
      }
      if (entry == "distances")
        check.compare(D.view()(i, j), sum, bound);
      else if (j == index.view()(i))
        check.compare(distance.view()(i), sum, bound);
      least = std::min(least, sum);
    }
    if (entry == "nearest" && count > 0)
      check.compare(distance.view()(i), least, bound);
    else if (entry == "nearest")
      check.compare(index.view()(i), -1, 0);
  }
  if (entry == "nearest")
    return example::report(options, settings, seconds, distance, check);
  return example::report(options, settings, seconds, D, check);
}
