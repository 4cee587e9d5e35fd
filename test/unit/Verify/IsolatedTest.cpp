//===- IsolatedTest.cpp - items that crash, hang and finish -------*- C++ -*-===//
#include "Verify/Isolated.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>

namespace septran::compiler {
namespace {

using Kind = IsolatedResult::Kind;

void nothing() {}

TEST(Isolated, EndsWithWhatIsThereWhenInterrupted) {
  unsigned Finished = 0;
  IsolationOptions Options{60, 1, [&] { return Finished == 3; }};
  std::vector<IsolatedResult> R = runIsolated(
      100, Options, nothing,
      [](size_t I) {
        if (I > 2)
          std::raise(SIGTERM); // as a signal to the whole group would
        return std::string("x");
      },
      [&](size_t, const IsolatedResult &) {
        ++Finished;
        return true;
      });
  EXPECT_EQ(Finished, 3u) << "neither later results nor losses";
  EXPECT_EQ(std::count_if(R.begin(), R.end(), [](const auto &One) { return One.done(); }), 3);
}

TEST(Isolated, ReturnsTextsInTheOrderOfItems) {
  for (unsigned Jobs : {1u, 3u}) {
    std::vector<IsolatedResult> R =
        runIsolated(20, {60, Jobs}, nothing, [](size_t I) { return std::string(I * 5000, 'x'); });
    ASSERT_EQ(R.size(), 20u);
    for (size_t I = 0; I < R.size(); ++I) {
      EXPECT_TRUE(R[I].done());
      EXPECT_EQ(R[I].Text.size(), I * 5000);
    }
  }
  EXPECT_TRUE(runIsolated(0, {60, 2}, nothing, [](size_t) { return std::string(); }).empty());
}

TEST(Isolated, ACrashLosesOneItem) {
  for (unsigned Jobs : {1u, 2u}) {
    std::vector<IsolatedResult> R = runIsolated(6, {60, Jobs}, nothing, [](size_t I) {
      if (I == 1)
        raise(SIGSEGV);
      if (I == 3)
        std::abort();
      if (I == 4)
        _exit(7);
      return "item " + std::to_string(I);
    });
    for (size_t I : {0u, 2u, 5u})
      EXPECT_EQ(R[I].Text, "item " + std::to_string(I));
    EXPECT_EQ(R[1].K, Kind::Crashed);
    EXPECT_EQ(R[1].Signal, SIGSEGV);
    EXPECT_EQ(describe(R[1]), "segmentation fault");
    EXPECT_EQ(R[3].Signal, SIGABRT);
    EXPECT_EQ(R[4].K, Kind::Crashed);
    EXPECT_EQ(describe(R[4]), "ended by itself");
  }
}

/// Nothing of the parent's is cleaned up in a child.
TEST(Isolated, AnExceptionLosesOneItem) {
  struct Owner {
    const pid_t Parent = getpid();
    ~Owner() { EXPECT_EQ(getpid(), Parent); }
  } Folder;
  std::vector<IsolatedResult> R;
  auto Run = [&] {
    R = runIsolated(3, {60, 1}, nothing, [&](size_t I) -> std::string {
      if (I == 1)
        throw std::out_of_range("not there");
      return "item " + std::to_string(I) + (Folder.Parent ? "" : "?");
    });
  };
  EXPECT_NO_THROW(Run());
  ASSERT_EQ(R.size(), 3u);
  EXPECT_EQ(R[1].Signal, SIGABRT);
  EXPECT_EQ(R[2].Text, "item 2");
}

TEST(Isolated, AnItemThatDoesNotEndIsEnded) {
  std::vector<IsolatedResult> R = runIsolated(3, {1, 1}, nothing, [](size_t I) {
    while (I == 1)
      pause();
    return std::string("ended");
  });
  EXPECT_TRUE(R[0].done());
  EXPECT_EQ(R[1].K, Kind::TimedOut);
  EXPECT_EQ(describe(R[1]), "did not end");
  EXPECT_TRUE(R[2].done());
}

TEST(Isolated, AnItemThatComputesForeverIsEnded) {
  const std::vector<IsolatedResult> R = runIsolated(1, {1, 1}, nothing, [](size_t) {
    for (std::atomic<unsigned> N = 0;; ++N)
      ;
    return std::string();
  });
  EXPECT_EQ(R[0].K, Kind::TimedOut);
}

// Longer than its seconds, but at rest: a busy machine looks like that.
TEST(Isolated, WaitingIsNotWork) {
  const std::vector<IsolatedResult> R = runIsolated(1, {1, 1}, nothing, [](size_t) {
    usleep(1500000);
    return std::string("ended");
  });
  EXPECT_EQ(R[0].Text, "ended");
}

// What an item began ends with its process, also when that is killed.
TEST(Isolated, ItemsOfItemsDoNotOutliveThem) {
  int Ends[2];
  ASSERT_EQ(pipe(Ends), 0);
  const std::vector<IsolatedResult> R = runIsolated(1, {60, 1}, nothing, [&](size_t) {
    const pid_t Outer = getpid();
    runIsolated(1, {60, 1}, nothing, [&](size_t) {
      kill(Outer, SIGKILL);
      for (;;)
        pause();
      return std::string();
    });
    return std::string();
  });
  EXPECT_EQ(R[0].Signal, SIGKILL);
  close(Ends[1]);
  char Byte;
  EXPECT_EQ(read(Ends[0], &Byte, 1), 0); // the end: nobody has it open for writing
  close(Ends[0]);
}

TEST(Isolated, EveryChildPreparesAndWhatItChangesIsLost) {
  int Value = 0;
  std::vector<IsolatedResult> R = runIsolated(
      4, {60, 1}, [&] { Value = 10; },
      [&](size_t I) {
        if (I == 1)
          std::abort();
        return std::to_string(Value++);
      });
  EXPECT_EQ(R[0].Text, "10");
  EXPECT_EQ(R[2].Text, "10"); // a new child after the crash
  EXPECT_EQ(R[3].Text, "11");
  EXPECT_EQ(Value, 0);
}

TEST(Isolated, StopsWhenAsked) {
  std::vector<size_t> Seen;
  std::vector<IsolatedResult> R = runIsolated(
      100, {60, 1}, nothing,
      [](size_t I) {
        if (I > 2)
          usleep(20000);
        return std::to_string(I);
      },
      [&](size_t I, const IsolatedResult &Result) {
        EXPECT_EQ(Result.Text, std::to_string(I));
        Seen.push_back(I);
        return I < 2;
      });
  ASSERT_GE(Seen.size(), 3u);
  EXPECT_TRUE(R[2].done());
  EXPECT_EQ(R.back().K, Kind::Skipped);
  EXPECT_EQ(describe(R.back()), "did not run");
}

TEST(Isolated, GivesUpWhereNoChildGetsToWork) {
  std::vector<IsolatedResult> R =
      runIsolated(2, {60, 1}, [] { std::abort(); }, [](size_t) { return std::string(); });
  for (const IsolatedResult &Each : R)
    EXPECT_FALSE(Each.done());
}

} // namespace
} // namespace septran::compiler
