//===- npu/simulator/model.h - an uncalibrated model of time -------*- C++ -*-===//
//
// Every engine takes its commands in order; a command starts when its engine is free, the events
// that the engine waits for are set, and the scalar processor has given it. Loads and stores have a
// channel each. All times are sums and maxima of durations, so that a faster part never makes a
// program slower.
//
//   roofline <= makespan <= serial
//
// roofline  the busiest resource, if it were never idle and perfectly shared by all cores
// serial    one command after the other on one core
//
// The numbers describe no hardware and are compared with nothing but each other.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_MODEL_H
#define SEPTRAN_NPU_SIMULATOR_MODEL_H

#include <septran/npu/simulator/clocks.h>

#include <cmath>
#include <cstdio>

namespace septran::npu::simulator {

/// Cycles, and what is done in one.
struct model_rates {
  double bytes_per_cycle = 32; ///< of each DMA engine
  double dma_latency = 64;
  double macs_per_cycle = 256; ///< f32; half as long for 16 bits, a quarter for 8
  double matrix_latency = 16;
  double lanes = 32; ///< elements per cycle of the vector unit
  double vector_latency = 8;
  double issue = 2; ///< of the scalar processor, per command
};

struct model_report {
  double makespan = 0, serial = 0, roofline = 0;
  std::array<double, engine_count> busy{}; ///< of all cores together
  double bytes = 0, macs = 0;
};

class model {
public:
  model_rates rates;

  void start_launch() { now = {}; }

  /// All cores' programs have ended.
  void end_launch() {
    double longest = 0;
    for (const auto &core : now)
      for (double t : core)
        longest = std::max(longest, t);
    total.makespan += longest;
  }

  void meet() {
    double latest = 0;
    for (const auto &core : now)
      latest = std::max(latest, core[RNPU_SCALAR]);
    for (auto &core : now)
      core[RNPU_SCALAR] = latest;
  }

  void transfer(int core, int engine, double bytes) {
    total.bytes += bytes;
    run(core, engine, rates.dma_latency, bytes / rates.bytes_per_cycle);
  }
  void multiply(int core, double macs, double speed) {
    total.macs += macs;
    run(core, RNPU_MATRIX, rates.matrix_latency, macs / rates.macs_per_cycle / speed);
  }
  void elements(int core, int engine, double count) {
    run(core, engine, rates.vector_latency, std::ceil(count / rates.lanes));
  }
  void scalar(int core) { spend(core, RNPU_SCALAR, 1, 1); }

  double finished(int core, int engine) const {
    return now[std::size_t(core)][std::size_t(engine)];
  }
  void wait(int core, int engine, double until) {
    double &t = now[std::size_t(core)][std::size_t(engine)];
    t = std::max(t, until);
  }

  model_report report() const {
    model_report r = total;
    for (int e = 0; e < engine_count; ++e)
      r.roofline = std::max(r.roofline, least[std::size_t(e)] / core_count);
    return r;
  }

  void print(std::FILE *out) const {
    const model_report r = report();
    std::fprintf(out,
                 "reference-npu, uncalibrated model: makespan %.0f cycles, roofline %.0f (%.3f of "
                 "makespan), serial %.0f\n",
                 r.makespan, r.roofline, r.makespan > 0 ? r.roofline / r.makespan : 1.0, r.serial);
    for (int e = 0; e < engine_count; ++e)
      std::fprintf(out, "  %-6s busy %.0f\n", engine_name(e), r.busy[std::size_t(e)]);
  }

private:
  /// The roofline counts the work alone: latencies could hide behind each other.
  void run(int core, int engine, double latency, double work) {
    spend(core, RNPU_SCALAR, rates.issue, rates.issue);
    wait(core, engine, finished(core, RNPU_SCALAR));
    spend(core, engine, latency + work, work);
  }
  void spend(int core, int engine, double cycles, double at_least) {
    now[std::size_t(core)][std::size_t(engine)] += cycles;
    total.busy[std::size_t(engine)] += cycles;
    total.serial += cycles;
    least[std::size_t(engine)] += at_least;
  }

  std::array<std::array<double, engine_count>, core_count> now{};
  std::array<double, engine_count> least{};
  model_report total;
};

} // namespace septran::npu::simulator

#endif
