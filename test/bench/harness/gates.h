//===- gates.h - was this sample taken undisturbed? --------------*- C++ -*-===//
//
// Three questions, because none of them covers the others:
//
//   guest  did a thread of ours wait for a core? (exact, from the kernel's scheduler)
//   quiet  does anything else want to run right now? (before samples of several threads)
//   host   is every core as fast as it can be? (modules/team.cpp)
//
//===----------------------------------------------------------------------===//
#pragma once

#include "harness/team.h"

#include <map>
#include <optional>
#include <vector>

namespace septran::bench {

/// Seconds that all threads of this process together were ready to run but had to wait for a core,
/// since they began; none where the kernel does not count.
std::optional<double> run_queue_delay();

/// Number of tasks of others that run or are ready to, at this moment.
int others_running();

/// Waits until nobody else runs, at most `seconds`.
void wait_until_quiet(double seconds);

/// The speed that this machine reaches, learnt while measuring.
class fma_peak {
public:
  /// Measures until the peak of the team, with its threads of now, is known; at most `seconds`.
  void calibrate(const team &team, double seconds);

  /// Measures a few times, until the rate is near the peak. Returns the best rate, per thread.
  ///
  /// Why not once: a processor that lowers its clock for wide vectors needs some tenths of a
  /// millisecond to get there, in which it is slower still. Code without such vectors would always
  /// look disturbed. What the host does to a core lasts longer than that.
  double probe(const team &team);

  /// Operations per second and thread with `threads` threads: the third best rate seen so far, so
  /// that one lucky or mistaken reading does not set the scale. 0 before the third probe.
  double of(int threads) const;

private:
  std::map<int, std::vector<double>> best_; ///< by threads: the three best, descending
};

/// Whether a rate is near enough to the peak.
bool is_undisturbed(double rate, double peak);

} // namespace septran::bench
