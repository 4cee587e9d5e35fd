//===- row.h - checks and measures one line of the table ---------*- C++ -*-===//
//
// Results are compared before anything is timed: the fastest wrong answer is no
// candidate. A peer may decline in its first call (modules/declined.h).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "harness/json.h"
#include "harness/measure.h"
#include "harness/problem.h"

#include <map>
#include <string>
#include <vector>

namespace septran::bench {

/// A candidate in the form of a module.
struct named_entry {
  std::string name; ///< "plain", or that of a mapping or peer
  std::string role; ///< "plain", "mapped" or "peer"
  entry_point entry;
  bool is_plain() const { return role == "plain"; }
};

struct row_result {
  std::string kernel, variant, shape;
  int threads;
  bool fma_bound;
  std::string wrong = {}; ///< what is wrong with a result; then nothing is measured
  std::map<std::string, std::string> declined = {}; ///< peers that are left out, and why
  std::vector<candidate> candidates = {};
  std::vector<series> measured = {}; ///< one per candidate
};

/// What rows have in common.
struct environment {
  std::vector<named_entry> entries;
  std::vector<peer> peers;
  bench::team team;
  measure_settings settings;
  fma_peak peak;
  std::mt19937 random;
};

row_result run_row(const kernel &kernel, const row &row, int threads, environment &environment);

void write_row(json_writer &json, const row_result &result);

} // namespace septran::bench
