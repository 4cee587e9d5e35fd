//===- SimulatorChecksTest.cpp - every check has a program that fails it -----===//
#include "Simulated.h"

#include <gtest/gtest.h>

namespace septran::npu {
namespace {

/// Loads 4 rows of 8 floats into SPM, adds them to themselves, stores the result. Each test leaves
/// out or breaks one thing.
struct Steps {
  bool LoadWait = true, VectorWait = true, StoreWait = true;
  std::size_t Rows = 4, Bytes = 32;
  rnpu_address To = RNPU_SPM(0), Result = RNPU_SPM(1024);
  std::ptrdiff_t Shift = 0;
  bool Writable = true;
};

std::vector<std::string> run(const Steps &S) {
  attached<float> In(std::vector<float>(32, 1.0F), false), Out(std::vector<float>(32), S.Writable);
  return problems([&](int) {
    rnpu_dma_load2d_async(S.To, 32, In.data.data() + S.Shift, 32, S.Rows, S.Bytes);
    if (S.LoadWait)
      order(RNPU_LOAD, RNPU_VECTOR);
    rnpu_vector_binary(RNPU_ADD, S.Result, 32, S.To, 32, S.To, 32, 4, 8);
    if (S.VectorWait)
      order(RNPU_VECTOR, RNPU_STORE);
    rnpu_dma_store2d_async(Out.data.data(), 32, S.Result, 32, 4, 32);
    if (S.StoreWait)
      order(RNPU_STORE, RNPU_SCALAR);
  });
}

void expectProblem(const std::vector<std::string> &Found, const std::string &Text) {
  ASSERT_FALSE(Found.empty()) << "nothing found; expected: " << Text;
  bool IsThere = false;
  for (const std::string &F : Found)
    IsThere |= F.find(Text) != std::string::npos;
  EXPECT_TRUE(IsThere) << "expected: " << Text << "\nfound: " << Found.front();
}

TEST(SimulatorChecks, GoodProgram) { EXPECT_EQ(run({}), std::vector<std::string>()); }

TEST(SimulatorChecks, ReadAfterWrite) {
  expectProblem(run({.LoadWait = false}),
                "read after write: VECTOR command 1 of core 0 reads SPM[0] and does not wait for "
                "LOAD command 1 of core 0");
  expectProblem(run({.VectorWait = false}), "read after write: STORE");
}

TEST(SimulatorChecks, Unfinished) {
  expectProblem(run({.StoreWait = false}),
                "unfinished: the program ends and does not wait for STORE command 1");
}

TEST(SimulatorChecks, Bounds) {
  expectProblem(run({.Shift = 1}), "bounds: LOAD command 1 of core 0 reads a row of 32 bytes");
  expectProblem(run({.Shift = -1}), "bounds");
  EXPECT_TRUE(run({.Rows = 4, .Bytes = 32}).empty());
  // Within the address range of all rows together, but not row by row.
  attached<float> In(std::vector<float>(20), false);
  expectProblem(problems([&](int) {
                  rnpu_dma_load2d_async(0, 32, In.data.data() + 19, -32, 2, 8);
                  order(RNPU_LOAD, RNPU_SCALAR);
                }),
                "bounds");
}

TEST(SimulatorChecks, ReadOnly) { expectProblem(run({.Writable = false}), "read-only: STORE"); }

TEST(SimulatorChecks, Alignment) {
  expectProblem(run({.To = RNPU_SPM(8)}), "alignment: LOAD command 1 of core 0 names SPM[8]");
  expectProblem(problems([](int) {
                  rnpu_vector_fill(RNPU_SPM(0), 40, 1.0F, 2, 4);
                  order(RNPU_VECTOR, RNPU_SCALAR);
                }),
                "with a pitch of 40");
}

TEST(SimulatorChecks, Capacity) {
  expectProblem(run({.To = RNPU_SPM_BYTES - 96}), "capacity: LOAD");
  expectProblem(run({.Result = RNPU_ACC(RNPU_ACC_BYTES)}), "capacity: VECTOR");
}

TEST(SimulatorChecks, UndefinedRead) {
  expectProblem(run({.Rows = 3}), "undefined read: VECTOR command 1 of core 0 reads SPM[96]");
  expectProblem(run({.Bytes = 28}), "undefined read: VECTOR command 1 of core 0 reads SPM[28]");
  expectProblem(problems([](int) { read<float>(RNPU_SPM(64)); }), "undefined read: SCALAR");
}

TEST(SimulatorChecks, MemoryIsUndefinedInEveryLaunch) {
  EXPECT_TRUE(problems([](int) { write(RNPU_SPM(64), 1.0F); }).empty());
  expectProblem(problems([](int) { read<float>(RNPU_SPM(64)); }), "undefined read");
}

TEST(SimulatorChecks, WriteAfterRead) {
  attached<float> In(std::vector<float>(32), false);
  auto Program = [&](bool Wait) {
    return problems([&](int) {
      rnpu_dma_load2d_async(0, 32, In.data.data(), 32, 4, 32);
      order(RNPU_LOAD, RNPU_VECTOR);
      rnpu_vector_unary(RNPU_EXP, 1024, 32, 0, 32, 4, 8);
      if (Wait)
        order(RNPU_VECTOR, RNPU_LOAD);
      rnpu_dma_load2d_async(0, 32, In.data.data(), 32, 4, 32);
      order(RNPU_VECTOR, RNPU_SCALAR);
      order(RNPU_LOAD, RNPU_SCALAR);
    });
  };
  EXPECT_TRUE(Program(true).empty());
  expectProblem(Program(false), "write after read: LOAD command 2 of core 0 overwrites SPM[0], "
                                "which VECTOR command 1 of core 0 may still read");
}

TEST(SimulatorChecks, WriteAfterWrite) {
  attached<float> In(std::vector<float>(32), false);
  expectProblem(problems([&](int) {
                  rnpu_dma_load2d_async(0, 32, In.data.data(), 32, 4, 32);
                  rnpu_vector_fill(0, 32, 0, 4, 8);
                  order(RNPU_VECTOR, RNPU_SCALAR);
                  order(RNPU_LOAD, RNPU_SCALAR);
                }),
                "write after write: VECTOR");
}

TEST(SimulatorChecks, Events) {
  expectProblem(problems([](int) { rnpu_wait(RNPU_LOAD, RNPU_VECTOR, 3); }),
                "event: event 3 from LOAD to VECTOR is waited for and was not recorded");
  expectProblem(problems([](int) { rnpu_wait(RNPU_LOAD, RNPU_SCALAR, 3); }), "deadlock: event 3");
  expectProblem(problems([](int) {
                  rnpu_record(RNPU_LOAD, RNPU_VECTOR, 0);
                  rnpu_record(RNPU_LOAD, RNPU_VECTOR, 0);
                  rnpu_wait(RNPU_LOAD, RNPU_VECTOR, 0);
                }),
                "recorded twice");
  expectProblem(problems([](int) { rnpu_record(RNPU_LOAD, RNPU_VECTOR, 0); }),
                "recorded and never waited for");
  expectProblem(problems([](int) { order(RNPU_LOAD, RNPU_LOAD); }), "there is no event");
  expectProblem(problems([](int) { order(RNPU_LOAD, RNPU_STORE, RNPU_EVENTS); }),
                "there is no event");
}

TEST(SimulatorChecks, WhatTheProgramWaitedForComesBeforeWhatItGivesNext) {
  attached<float> In(std::vector<float>(8), false);
  EXPECT_TRUE(problems([&](int) {
                rnpu_dma_load2d_async(0, 32, In.data.data(), 32, 1, 32);
                order(RNPU_LOAD, RNPU_SCALAR);
                rnpu_vector_unary(RNPU_EXP, 64, 32, 0, 32, 1, 8);
                order(RNPU_VECTOR, RNPU_SCALAR);
              }).empty());
}

struct Product {
  bool Type = true, Fill = true, Accumulate = true, Read = true;
  rnpu_type Set = RNPU_F32;
  std::size_t M = 8, ReadRows = 8;
};

std::vector<std::string> multiply(const Product &P) {
  return problems([&](int) {
    rnpu_vector_fill(RNPU_SPM(0), 32, 1, 8, 8);
    order(RNPU_VECTOR, RNPU_MATRIX);
    if (P.Type)
      rnpu_matrix_type(P.Set);
    if (P.Fill)
      rnpu_acc_fill(RNPU_F32, RNPU_ACC(0), 32, 8, 8, 0);
    rnpu_mma(RNPU_F32, RNPU_ACC(0), 32, 0, 32, 0, 32, P.M, 8, 8, P.Accumulate);
    order(RNPU_MATRIX, RNPU_VECTOR);
    if (P.Read)
      rnpu_vector_unary(RNPU_COPY, RNPU_SPM(1024), 32, RNPU_ACC(0), 32, P.ReadRows, 8);
    order(RNPU_VECTOR, RNPU_SCALAR);
    order(RNPU_MATRIX, RNPU_SCALAR);
  });
}

TEST(SimulatorChecks, State) {
  EXPECT_TRUE(multiply({}).empty());
  expectProblem(multiply({.Type = false}), "state: the matrix unit is not set");
  expectProblem(multiply({.Set = RNPU_BF16}), "state: the matrix unit is not set");
}

TEST(SimulatorChecks, Accumulators) {
  expectProblem(multiply({.Fill = false}), "undefined read: MATRIX");
  EXPECT_TRUE(multiply({.Fill = false, .Accumulate = false}).empty());
  expectProblem(multiply({.Read = false}), "nothing has read a result of the matrix unit");
  EXPECT_TRUE(multiply({.ReadRows = 1}).empty()) << "the rest may not have been needed";
  expectProblem(problems([](int) {
                  rnpu_vector_fill(RNPU_SPM(0), 32, 1, 8, 8);
                  order(RNPU_VECTOR, RNPU_MATRIX);
                  rnpu_matrix_type(RNPU_F32);
                  for (int Twice = 0; Twice < 2; ++Twice)
                    rnpu_mma(RNPU_F32, RNPU_ACC(0), 32, 0, 32, 0, 32, 8, 8, 8, 0);
                  order(RNPU_MATRIX, RNPU_SCALAR);
                }),
                "accumulator: the program ends and nothing has read a result");
}

// A program may decide by what it has read which other results it needs.
TEST(SimulatorChecks, OneResultOfManyIsEnough) {
  EXPECT_TRUE(problems([](int) {
                rnpu_vector_fill(RNPU_SPM(0), 32, 1, 8, 8);
                order(RNPU_VECTOR, RNPU_MATRIX);
                rnpu_matrix_type(RNPU_F32);
                for (std::size_t Block : {0, 0, 1})
                  rnpu_mma(RNPU_F32, RNPU_ACC(Block * 256), 32, 0, 32, 0, 32, 8, 8, 8, 0);
                order(RNPU_MATRIX, RNPU_VECTOR);
                rnpu_vector_unary(RNPU_COPY, RNPU_SPM(1024), 32, RNPU_ACC(0), 32, 8, 8);
                order(RNPU_VECTOR, RNPU_SCALAR);
                order(RNPU_MATRIX, RNPU_SCALAR);
              }).empty());
}

TEST(SimulatorChecks, Shapes) {
  expectProblem(multiply({.M = RNPU_MMA_MAX + 1}), "shape: a matrix command of 65 x 8 x 8");
  expectProblem(problems([](int) { rnpu_vector_fill(0, 32, 0, RNPU_MAX_ROWS + 1, 8); }), "shape");
  EXPECT_TRUE(problems([](int) {
                rnpu_vector_fill(3, 1, 0, 1, 0);
                rnpu_mma(RNPU_F32, 1, 1, 1, 1, 1, 1, 0, 8, 8, 0);
                rnpu_dma_load2d_async(3, 32, nullptr, 0, 0, 8);
                rnpu_dma_store2d_async(nullptr, 0, 3, 32, 8, 0);
              }).empty());
  expectProblem(problems([](int) {
                  rnpu_vector_fill(0, 32, 0, 2, 16);
                  order(RNPU_VECTOR, RNPU_SCALAR);
                }),
                "shape: VECTOR command 1 of core 0 names rows of 64 bytes with a pitch of 32");
  expectProblem(problems([](int) { rnpu_vector_reduce(RNPU_SUB, 0, 64, 32, 1, 8); }), "shape");
  attached<float> Far(std::vector<float>(8), false);
  expectProblem(problems([&](int) {
                  rnpu_dma_load2d_async(0, 32, Far.data.data(), RNPU_MAX_PITCH + 1, 1, 32);
                }),
                "shape: a pitch");
  expectProblem(problems([&](int) {
                  rnpu_dma_load2d_border_async(0, 32, Far.data.data(), 32, 1, 8,
                                               rnpu_border{0, 0, 3, 0, 0, 4});
                }),
                "shape: a border");
  expectProblem(
      problems([](int) { rnpu_mma(RNPU_F32, RNPU_SPM(0), 32, 0, 32, 0, 32, 8, 8, 8, 0); }),
      "sums in ACC");
  expectProblem(problems([](int) { rnpu_acc_fill(RNPU_F32, RNPU_SPM(0), 32, 1, 8, 0); }), "in ACC");
}

TEST(SimulatorChecks, CoresShareGlobalMemory) {
  attached<float> Out(std::vector<float>(64));
  auto Program = [&](int Apart, bool Meet) {
    return problems(
        [&](int Core) {
          if (Core > 1)
            return Meet ? rnpu_barrier() : void();
          rnpu_vector_fill(0, 32, float(Core), 1, 8);
          order(RNPU_VECTOR, RNPU_STORE);
          if (Core == 1 && Meet)
            rnpu_barrier();
          rnpu_dma_store2d_async(Out.data.data() + Core * Apart, 32, 0, 32, 1, 32);
          order(RNPU_STORE, RNPU_SCALAR);
          if (Core == 0 && Meet)
            rnpu_barrier();
        },
        true);
  };
  EXPECT_TRUE(Program(8, false).empty());
  EXPECT_TRUE(Program(7, true).empty());
  expectProblem(Program(7, false), "core 1: write after write: STORE");
}

TEST(SimulatorChecks, CoreReadsWhatAnotherStillWrites) {
  attached<float> Shared(std::vector<float>(8));
  expectProblem(problems(
                    [&](int Core) {
                      if (Core == 0) {
                        rnpu_vector_fill(0, 32, 1, 1, 8);
                        order(RNPU_VECTOR, RNPU_STORE);
                        rnpu_dma_store2d_async(Shared.data.data(), 32, 0, 32, 1, 32);
                        order(RNPU_STORE, RNPU_SCALAR);
                      } else if (Core == 1) {
                        rnpu_dma_load2d_async(0, 32, Shared.data.data(), 32, 1, 32);
                        order(RNPU_LOAD, RNPU_SCALAR);
                      }
                    },
                    true),
                "core 1: read after write: LOAD");
  expectProblem(problems(
                    [&](int Core) {
                      if (Core == 1) {
                        rnpu_vector_fill(0, 32, 1, 1, 8);
                        order(RNPU_VECTOR, RNPU_STORE);
                        rnpu_dma_store2d_async(Shared.data.data(), 32, 0, 32, 1, 32);
                        order(RNPU_STORE, RNPU_SCALAR);
                      } else if (Core == 0) {
                        rnpu_dma_load2d_async(0, 32, Shared.data.data(), 32, 1, 32);
                        order(RNPU_LOAD, RNPU_SCALAR);
                      }
                    },
                    true),
                "core 1: write after read: STORE");
}

TEST(SimulatorChecks, BarrierThatSomePassBy) {
  expectProblem(problems([](int Core) { return Core == 2 ? void() : rnpu_barrier(); }, true),
                "deadlock: 3 cores wait at a barrier");
}

TEST(SimulatorChecks, Launches) {
  auto &Device = simulator::the_device();
  std::vector<std::string> Found;
  Device.handler = [&](const std::string &Text) { Found.push_back(Text); };
  rnpu_record(RNPU_LOAD, RNPU_VECTOR, 0);
  rnpu_barrier();
  rnpu_detach(&Found);
  Device.handler = nullptr;
  ASSERT_EQ(Found.size(), 3U);
  expectProblem(Found, "launch: rnpu_record is called outside of a launch");
  expectProblem(problems([](int) { on_cores([](int) {}); }), "launch: a core starts a launch");
  expectProblem(problems([](int) { rnpu_attach("", 1, 0); }), "launch: rnpu_attach");
}

TEST(SimulatorChecks, ExceptionsReachTheHost) {
  EXPECT_THROW(problems([](int) { throw 1; }), int);
  simulator::the_device().handler = nullptr;
}

TEST(SimulatorChecksDeathTest, TheFirstMistakeEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(rnpu_wait(RNPU_LOAD, RNPU_SCALAR, 0), testing::ExitedWithCode(70),
              "reference-npu: core 0: launch: ");
}

} // namespace
} // namespace septran::npu
