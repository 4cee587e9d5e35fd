//===- SimulatorModelTest.cpp - roofline <= makespan <= serial ----------------===//
#include "Simulated.h"

#include <gtest/gtest.h>

namespace septran::npu {
namespace {

using simulator::model;
using simulator::model_rates;
using simulator::model_report;

/// Blocks are loaded, used and stored; with `Stages` places for them, that many are under way.
model_report run(const model_rates &Rates, unsigned Stages, int Cores) {
  auto &Device = simulator::the_device();
  Device.shared.time = model();
  Device.shared.time.rates = Rates;
  attached<float> In(std::vector<float>(8 * 1024), false), Out(std::vector<float>(4 * 1024));
  std::vector<std::string> Found = problems(
      [&](int Core) {
        if (Core >= Cores)
          return;
        constexpr unsigned Blocks = 8;
        for (unsigned I = 0; I < Blocks; ++I) {
          const rnpu_address Place = RNPU_SPM(I % Stages * 8192);
          const rnpu_address Result = RNPU_SPM(65536 + I % Stages * 8192);
          if (I >= Stages) {
            rnpu_wait(RNPU_VECTOR, RNPU_LOAD, I % Stages);
            rnpu_wait(RNPU_STORE, RNPU_VECTOR, I % Stages);
          }
          rnpu_dma_load2d_async(Place, 128, In.data.data() + I * 1024, 128, 32, 128);
          rnpu_record(RNPU_LOAD, RNPU_VECTOR, I % Stages);
          rnpu_wait(RNPU_LOAD, RNPU_VECTOR, I % Stages);
          rnpu_vector_unary(RNPU_EXP, Result, 128, Place, 128, 32, 32);
          if (I + Stages < Blocks)
            rnpu_record(RNPU_VECTOR, RNPU_LOAD, I % Stages);
          order(RNPU_VECTOR, RNPU_STORE);
          rnpu_dma_store2d_async(Out.data.data() + Core * 1024, 128, Result, 128, 32, 128);
          if (I + Stages < Blocks)
            rnpu_record(RNPU_STORE, RNPU_VECTOR, I % Stages);
        }
        order(RNPU_STORE, RNPU_SCALAR);
        order(RNPU_VECTOR, RNPU_SCALAR);
        order(RNPU_LOAD, RNPU_SCALAR);
      },
      true);
  EXPECT_EQ(Found, std::vector<std::string>());
  return Device.shared.time.report();
}

TEST(SimulatorModel, BoundsHold) {
  for (double Bytes : {4.0, 32.0, 512.0})
    for (double Lanes : {1.0, 32.0})
      for (double Latency : {0.0, 64.0, 1000.0})
        for (unsigned Stages : {1U, 2U, 4U})
          for (int Cores : {1, 4}) {
            model_rates R;
            R.bytes_per_cycle = Bytes;
            R.lanes = Lanes;
            R.dma_latency = Latency;
            const model_report Report = run(R, Stages, Cores);
            EXPECT_LE(Report.roofline, Report.makespan);
            EXPECT_LE(Report.makespan, Report.serial);
            EXPECT_GT(Report.roofline, 0);
          }
}

TEST(SimulatorModel, FasterPartsNeverMakeItSlower) {
  const model_rates Base;
  for (unsigned Stages : {1U, 2U, 4U}) {
    const double Before = run(Base, Stages, 4).makespan;
    auto Faster = [&](auto Change) {
      model_rates R = Base;
      Change(R);
      EXPECT_LE(run(R, Stages, 4).makespan, Before);
    };
    Faster([](model_rates &R) { R.bytes_per_cycle *= 2; });
    Faster([](model_rates &R) { R.dma_latency = 0; });
    Faster([](model_rates &R) { R.lanes *= 3; });
    Faster([](model_rates &R) { R.vector_latency = 0; });
    Faster([](model_rates &R) { R.issue = 0; });
  }
}

TEST(SimulatorModel, MoreStagesOverlapMore) {
  model_rates Balanced;
  Balanced.lanes = 8; // as long as a load
  const double One = run(Balanced, 1, 4).makespan, Two = run(Balanced, 2, 4).makespan;
  EXPECT_LT(Two, 0.7 * One);
}

} // namespace
} // namespace septran::npu
