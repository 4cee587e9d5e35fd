//===- run.h - running, timing, checking and reporting ----------*- C++ -*-===//
//
// What every driver does after it has made its data:
//
//   const example::settings settings(options);   // --repeat, --check, --json, --save, ...
//   example::check check;
//   const double seconds = example::time(settings, [&] { matmul(...); });
//   if (settings.check) check.compare(...);
//   return example::report(options, settings, seconds, output, check);
//
//===----------------------------------------------------------------------===//
#pragma once

#include "common/options.h"
#include "common/storage.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace example {

/// The options that all drivers share.
struct settings {
  explicit settings(options &options)
      : repeat(options.integer("repeat", 1, "timed runs; the fastest one is reported", 1)),
        seed(options.integer("seed", 1, "of the random data")),
        gap(options.flag("strided", "leave a gap after every row of every tensor") ? 3 : 0),
        check(options.flag("check", "compare with a direct computation in double precision")),
        json(options.flag("json", "report on one line of JSON")),
        save(options.text("save", "", "write the output's elements to the file VALUE")) {}

  long repeat, seed;
  int gap;
  bool check, json;
  std::string save;
};

/// Seconds of the fastest of --repeat runs, after one that is not timed. `prepare` restores what a
/// run overwrites and is not timed either.
template <class Entry, class Prepare>
double time(const settings &settings, Entry entry, Prepare prepare) {
  double best = std::numeric_limits<double>::infinity();
  for (long run = 0; run <= settings.repeat; ++run) {
    prepare();
    const auto start = std::chrono::steady_clock::now();
    entry();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    if (run > 0)
      best = std::min(best, spent.count());
  }
  return best;
}

template <class Entry> double time(const settings &settings, Entry entry) {
  return time(settings, entry, [] {});
}

/// Distance from 1 to the next larger value of T, the unit in which error bounds are stated; 0 for
/// integers.
template <class T> double epsilon() {
  return static_cast<double>(std::numeric_limits<T>::epsilon());
}

/// Collects comparisons of elements with their expected values.
struct check {
  double worst_error = 0; ///< largest absolute difference
  long compared = 0, wrong = 0;

  /// `bound` is the largest difference that rounding can explain.
  void compare(double got, double expected, double bound) {
    const double error = std::abs(got - expected);
    ++compared;
    if (std::isnan(error) || error > bound) {
      if (wrong++ == 0)
        std::fprintf(stderr, "check: element %ld is %.9g, expected %.9g, at most %.3g apart\n",
                     compared - 1, got, expected, bound);
    }
    if (!(error <= worst_error))
      worst_error = error;
  }
};

/// Prints the result and saves it. Returns the program's exit code.
template <class T, std::size_t Rank>
int report(const options &options, const settings &settings, double seconds,
           storage<T, Rank> &output, const check &check) {
  const double checksum = output.sum();
  if (settings.json)
    std::printf("{\"kernel\": \"%s\", \"shape\": \"%s\", \"seconds\": %.9g, \"checksum\": %.9g}\n",
                options.name().c_str(), options.shape_text().c_str(), seconds,
                std::isfinite(checksum) ? checksum : 0.0);
  else
    std::printf("%s %s: %.6f s, checksum %.9g\n", options.name().c_str(),
                options.shape_text().c_str(), seconds, checksum);
  bool good = settings.save.empty() || output.save(settings.save);
  if (!output.gaps_intact()) {
    std::fprintf(stderr, "check: something was written between the rows of the output\n");
    good = false;
  }
  if (settings.check) {
    std::fprintf(stderr, "check: %ld elements, %ld wrong, largest error %.3g\n", check.compared,
                 check.wrong, check.worst_error);
    good = good && check.wrong == 0;
  }
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace example
