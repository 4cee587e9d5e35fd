#include "harness/gates.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace septran::bench {
namespace {

using clock = std::chrono::steady_clock;

/// The share of the peak below which a core counts as disturbed. A Xeon's clock is an eighth lower for some
/// milliseconds after code that keeps its wide multiply-adds and its caches busy; a neighbour on the same core takes
/// a quarter or more.
constexpr double undisturbed = 0.85;

/// Calls `visit` with the content of /proc/self/task/<thread>/<name> of every thread.
void for_each_thread(const char *name, const std::function<void(std::ifstream &)> &visit) {
  std::error_code ended; // a thread may end between the listing and the opening
  for (const auto &thread : std::filesystem::directory_iterator("/proc/self/task", ended)) {
    std::ifstream file(thread.path() / name);
    if (file)
      visit(file);
  }
}

/// Threads of this process that run or are ready to, the caller included.
int own_running() {
  int running = 0;
  for_each_thread("stat", [&](std::ifstream &file) {
    std::string line;
    std::getline(file, line);
    // "id (name) state ...": the name may hold anything, even parentheses.
    const auto end = line.rfind(')');
    running += end != std::string::npos && end + 2 < line.size() && line[end + 2] == 'R';
  });
  return running;
}

} // namespace

std::optional<double> run_queue_delay() {
  bool counted = false;
  double nanoseconds = 0;
  for_each_thread("schedstat", [&](std::ifstream &file) {
    double running = 0, waiting = 0; // third field: number of time slices
    if (file >> running >> waiting) {
      counted = true;
      nanoseconds += waiting;
    }
  });
  return counted ? std::optional(nanoseconds * 1e-9) : std::nullopt;
}

int others_running() {
  std::ifstream file("/proc/loadavg");
  double minutes1 = 0, minutes5 = 0, minutes15 = 0;
  int running = 0; // "running/total", of the whole machine
  if (!(file >> minutes1 >> minutes5 >> minutes15 >> running))
    return 0;
  return std::max(0, running - own_running());
}

void wait_until_quiet(double seconds) {
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  while (others_running() > 0 && clock::now() < end)
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void fma_peak::calibrate(const team &team, double seconds) {
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  // A core that has just woken up, or that others share, needs some time to show its peak.
  constexpr int enough = 50;
  int near_peak = 0;
  while (near_peak < enough && clock::now() < end) {
    const double rate = probe(team), peak = of(team.threads());
    near_peak += peak > 0 && is_undisturbed(rate, peak);
  }
}

double fma_peak::probe(const team &team) {
  constexpr int attempts = 5;
  double rate = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    rate = std::max(rate, team.fma_rate());
    if (is_undisturbed(rate, of(team.threads())))
      break;
  }
  auto &best = best_[team.threads()];
  best.insert(std::upper_bound(best.begin(), best.end(), rate, std::greater<>()), rate);
  if (best.size() > 3)
    best.pop_back();
  return rate;
}

double fma_peak::of(int threads) const {
  const auto best = best_.find(threads);
  return best == best_.end() || best->second.size() < 3 ? 0 : best->second.back();
}

bool is_undisturbed(double rate, double peak) { return rate >= undisturbed * peak; }

} // namespace septran::bench
