#include "harness/row.h"

#include "harness/memory.h"
#include "modules/declined.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace septran::bench {
namespace {

using reasons = std::map<std::string, std::string>;

/// The candidates for one problem. `with_plain`, `with_others`: which of the modules and peers.
std::vector<candidate> candidates_on(const problem &problem, const environment &environment,
                                     const reasons &declined, bool with_plain, bool with_others) {
  std::vector<candidate> all;
  const auto add = [&](std::string name, std::string role, std::function<void()> call,
                       std::function<void()> finish = {}) {
    if (!declined.contains(name))
      all.push_back({std::move(name), std::move(role), problem.shape, problem.work, std::move(call),
                     std::move(finish)});
  };
  for (const named_entry &e : environment.entries)
    if (e.is_plain() ? with_plain : with_others)
      add(
          e.name, e.role, [run = problem.run, entry = e.entry] { run(entry); }, e.entry.finish);
  if (problem.run_peer && with_others)
    for (const peer &peer : environment.peers)
      if (std::function<void()> call = problem.run_peer(peer))
        add(peer.name, "peer", std::move(call));
  return all;
}

/// Copies that move as much as the problem must, a sum over what it only reads, or a pass over what
/// it changes in place: what memory allows.
std::vector<candidate> copies_for(const problem &problem, const team &team) {
  if (!problem.reads.empty())
    return {{"sum", "copy", problem.shape, problem.work, [=, &team, parts = problem.reads] {
               for (const std::span<const float> part : parts)
                 team.read(part.data(), static_cast<std::ptrdiff_t>(part.size()));
             }}};
  if (problem.bytes == 0)
    return {};
  const int count = static_cast<int>(problem.bytes / (2 * sizeof(float)));
  const auto from = std::make_shared<array<float, 1>>(count);
  from->randomize(1, -1, 1);
  if (problem.in_place)
    return {{"pass in place", "copy", problem.shape, problem.work,
             [=, &team] { team.update(from->data(), count); }}};
  const auto to = std::make_shared<array<float, 1>>(count);
  to->fill(0);
  return {{"copy", "copy", problem.shape, problem.work,
           [=, &team] { team.copy(to->data(), from->data(), count); }},
          {"streaming copy", "copy", problem.shape, problem.work,
           [=, &team] { team.stream(to->data(), from->data(), count); }}};
}

/// Empty if all candidates compute what the first one computes, but for those that decline.
std::string compare(const problem &problem, const std::vector<candidate> &candidates,
                    reasons &declined) {
  const candidate *first = nullptr;
  std::vector<double> expected;
  for (const candidate &c : candidates) {
    problem.reset();
    try {
      c.call();
    } catch (const bench::declined &reason) {
      declined.emplace(c.name, reason.what());
      continue;
    }
    if (c.finish)
      c.finish();
    const auto result = problem.result();
    if (!first) {
      first = &c;
      expected = result;
    }
    double largest = 0, error = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double difference = std::abs(result[i] - expected[i]);
      largest = std::max(largest, std::abs(expected[i]));
      if (!(difference <= error)) // NaN stays
        error = difference;
    }
    if (!(error <= problem.tolerance * largest)) {
      char text[160];
      std::snprintf(text, sizeof text, " are off by %.3g where values reach %.3g", error, largest);
      return "the results of " + c.name + " on " + problem.shape + text + ", compared with " +
             first->name;
    }
  }
  return {};
}

} // namespace

row_result run_row(const kernel &kernel, const row &row, int threads, environment &environment) {
  environment.team.set_threads(threads);
  for (const peer &peer : environment.peers)
    peer.set_threads(threads);

  const problem full = row.make();
  const auto others = candidates_on(full, environment, {}, false, true);
  const bool has_peers = std::any_of(others.begin(), others.end(),
                                     [](const candidate &c) { return c.role == "peer"; });
  // Next to peers on many threads, the plain program on one says nothing.
  const bool with_plain = threads == 1 || !has_peers;
  const bool reduced = with_plain && row.make_for_plain;
  const problem small = reduced ? row.make_for_plain() : full;

  row_result result{kernel.name, row.variant, full.shape, threads, kernel.fma_bound};
  reasons &declined = result.declined;
  result.wrong =
      compare(small, candidates_on(small, environment, declined, with_plain, true), declined);
  if (result.wrong.empty() && reduced)
    result.wrong = compare(full, candidates_on(full, environment, declined, false, true), declined);
  if (!result.wrong.empty())
    return result;

  if (with_plain)
    result.candidates = candidates_on(small, environment, declined, true, false);
  for (candidate &other : candidates_on(full, environment, declined, false, true))
    result.candidates.push_back(std::move(other));
  for (candidate &copy : copies_for(full, environment.team))
    result.candidates.push_back(std::move(copy));
  if (environment.settings.gates)
    environment.peak.calibrate(environment.team, 2);
  result.measured = measure(result.candidates, environment.team, environment.settings,
                            environment.peak, environment.random);
  for (candidate &done : result.candidates)
    done.call = {}; // holds the data
  return result;
}

void write_row(json_writer &json, const row_result &result) {
  json.begin_object()
      .member("kernel", result.kernel)
      .member("variant", result.variant)
      .member("shape", result.shape)
      .member("threads", result.threads)
      .member("fma_bound", result.fma_bound)
      .member("wrong", result.wrong)
      .key("declined")
      .begin_object();
  for (const auto &[name, reason] : result.declined)
    json.member(name, reason);
  json.end_object().key("candidates").begin_array();
  for (std::size_t i = 0; i < result.measured.size(); ++i) {
    const candidate &c = result.candidates[i];
    const series &s = result.measured[i];
    json.begin_object()
        .member("name", c.name)
        .member("role", c.role)
        .member("shape", c.shape)
        .member("work", c.work)
        .member("calls", s.calls)
        .member("delayed", s.delayed)
        .member("slowed", s.slowed)
        .key("samples")
        .begin_array();
    for (const sample &x : s.accepted)
      json.begin_object().member("round", x.round).member("seconds", x.seconds).end_object();
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

} // namespace septran::bench
