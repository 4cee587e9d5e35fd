//===- measure.h - many candidates, one after the other, again and again -----===//
//
// Times of two runs of a program on a shared machine cannot be compared. So all
// candidates of a row are measured in one process, in rounds; each round takes one
// sample of every candidate, in random order, and what is reported are ratios of
// samples of the same round. A sample that fails a gate (gates.h) is taken again a
// few times and otherwise missing from its round.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "harness/gates.h"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace septran::bench {

struct candidate {
  std::string name;
  std::string role;                  ///< "plain", "mapped", "peer" or "copy"
  std::string shape;                 ///< of its problem: a slow candidate gets a smaller one
  double work;                       ///< operations of one call
  std::function<void()> call;        ///< on data that is there already
  std::function<void()> finish = {}; ///< after the last call, before its result is looked at
};

struct sample {
  int round;
  double seconds;  ///< per call
  double fma_rate; ///< the lower one of the probes before and after
};

struct series {
  std::vector<sample> accepted;
  int calls = 1;   ///< per sample
  int delayed = 0; ///< samples rejected because a thread waited for a core
  int slowed = 0;  ///< samples rejected because a core was slower than it can be
};

/// A round counts when it holds an accepted sample of every candidate.
struct measure_settings {
  int rounds = 15;       ///< wanted
  int least_rounds = 5;  ///< enough once half of the budget is spent
  double budget = 30;    ///< seconds per row, over which only a sample that has begun goes
  double sample = 10e-3; ///< seconds per sample, at least one call
  bool gates = true;     ///< false: every sample is accepted
};

/// One series per candidate.
std::vector<series> measure(const std::vector<candidate> &candidates, const team &team,
                            const measure_settings &settings, fma_peak &peak, std::mt19937 &random);

/// Removes samples that a peak learnt later shows to be disturbed.
void drop_slowed(std::vector<series> &all, double peak);

} // namespace septran::bench
