#include "harness/measure.h"

#include "harness/pin.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

namespace septran::bench {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

double seconds_of(const std::function<void()> &call, int calls) {
  const auto start = clock::now();
  for (int i = 0; i < calls; ++i)
    call();
  return seconds_since(start);
}

/// Share of a sample's time that threads of ours may wait for a core.
constexpr double tolerated_delay = 0.02;

/// A sample that is this many times longer than asked for fills the caches by itself.
constexpr int long_sample = 5;

/// A candidate that takes this many times longer than the fastest one for the same work gets no more
/// samples than it needs: which of two such takes longer is of no interest.
constexpr double hopeless = 2;

class session {
public:
  session(const std::vector<candidate> &candidates, const team &team,
          const measure_settings &settings, fma_peak &peak)
      : candidates_(candidates), team_(team), settings_(settings), peak_(peak),
        all_(candidates.size()), single_(candidates.size()) {}

  void count_calls() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      single_[i] = seconds_of(candidates_[i].call, 1); // starts threads, touches memory
      if (single_[i] < long_sample * settings_.sample)
        single_[i] = seconds_of(candidates_[i].call, 1);
      const double calls = std::ceil(settings_.sample / std::max(single_[i], 1e-9));
      all_[i].calls = static_cast<int>(std::clamp(calls, 1.0, 1e6));
      fastest_ = std::min(fastest_, seconds_per_work(i));
    }
  }

  bool is_over() const { return seconds_since(start_) > settings_.budget; }
  bool is_half_over() const { return seconds_since(start_) > settings_.budget / 2; }

  /// Samples of all candidates in the given order. Returns whether each of them was accepted.
  bool take_round(int round, const std::vector<std::size_t> &order) {
    constexpr int attempts = 4;
    bool complete = true;
    for (std::size_t i : order) {
      if (has_enough(i))
        continue;
      bool accepted = false;
      for (int attempt = 0; attempt < attempts && !accepted && !is_over(); ++attempt) {
        accepted = take_sample(round, i);
        if (!accepted && team_.threads() == 1)
          pin_.next(); // another core may be free
      }
      complete = complete && accepted;
    }
    return complete;
  }

  std::vector<series> result() && { return std::move(all_); }

private:
  double seconds_per_work(std::size_t i) const { return single_[i] / candidates_[i].work; }

  bool has_enough(std::size_t i) const {
    return static_cast<int>(all_[i].accepted.size()) >= settings_.least_rounds &&
           seconds_per_work(i) > hopeless * fastest_;
  }

  bool take_sample(int round, std::size_t i) {
    const candidate &c = candidates_[i];
    series &s = all_[i];
    if (settings_.gates && team_.threads() > 1)
      wait_until_quiet(20e-3);
    if (single_[i] < long_sample * settings_.sample)
      c.call(); // another candidate has used the caches
    const double before = settings_.gates ? peak_.probe(team_) : 0;
    const double delay = run_queue_delay().value_or(0);
    const double seconds = seconds_of(c.call, s.calls);
    const double delayed = run_queue_delay().value_or(0) - delay;
    const double rate = settings_.gates ? std::min(before, peak_.probe(team_)) : 0;
    if (settings_.gates && delayed > tolerated_delay * seconds) {
      ++s.delayed;
      return false;
    }
    if (settings_.gates && !is_undisturbed(rate, peak_.of(team_.threads()))) {
      ++s.slowed;
      return false;
    }
    s.accepted.push_back({round, seconds / s.calls, rate});
    return true;
  }

  const std::vector<candidate> &candidates_;
  const team &team_;
  const measure_settings &settings_;
  fma_peak &peak_;
  processor_pin pin_;
  const clock::time_point start_ = clock::now();
  std::vector<series> all_;
  std::vector<double> single_; ///< seconds of one call
  double fastest_ = std::numeric_limits<double>::max();
};

} // namespace

std::vector<series> measure(const std::vector<candidate> &candidates, const team &team,
                            const measure_settings &settings, fma_peak &peak,
                            std::mt19937 &random) {
  session session(candidates, team, settings, peak);
  session.count_calls();

  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  int complete = 0;
  for (int round = 0; complete < settings.rounds && !session.is_over(); ++round) {
    if (complete >= settings.least_rounds && session.is_half_over())
      break;
    std::shuffle(order.begin(), order.end(), random);
    complete += session.take_round(round, order);
  }
  return std::move(session).result();
}

void drop_slowed(std::vector<series> &all, double peak) {
  for (series &s : all)
    s.slowed += static_cast<int>(std::erase_if(
        s.accepted, [&](const sample &x) { return !is_undisturbed(x.fma_rate, peak); }));
}

} // namespace septran::bench
