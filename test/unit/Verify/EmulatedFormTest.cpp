//===- EmulatedFormTest.cpp - CUDA among the forms ----------------*- C++ -*-===//
//
// A mapped form in CUDA is built for the emulator of GPUs, and what the emulator reports is a finding
// like any other. The CUDA text is written here by hand.
//
//===----------------------------------------------------------------------===//
#include "Logic/Frontend.h"
#include "Plan/Program.h"
#include "Verify/BuildForms.h"
#include "Verify/RunCase.h"
#include "Verify/ScratchFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "gtest/gtest.h"

#include <fstream>

namespace septran::compiler {
namespace {

const char *const Logic = R"(
#include <septran/septran.h>
[[septran::leaf]] void copy([[septran::write]] septran::tensor<float, 1> to,
                            septran::tensor<const float, 1> from) {
  for (int i = 0; i < to.extent(0); ++i)
    to(i) = from(i);
}
[[septran::task]] void f([[septran::write]] septran::tensor<float, 1> to,
                         septran::tensor<const float, 1> from) {
  copy(to, from);
}
)";

/// Device memory of its own, as for arguments on the host.
const char *const Transfers = R"(
#include <septran/cuda/simt.h>
#include <septran/cuda/transfer.h>
namespace cuda = septran::cuda;
__global__ void copy(float *to, const float *from, int n) {
  const int i = cuda::block_index() * 32 + cuda::thread_rank();
  if (i < n)
    to[i] = from[i];
}
void f(septran::tensor<float, 1> to, septran::tensor<const float, 1> from) {
  const int n = int(to.extent(0));
  cuda::device_buffer<float> a(from.size()), b(to.size());
  cuda::copy_to_device(a.data(), from);
  cuda::launch(copy, {unsigned(n + 31) / 32, 32}, b.data(), a.data(), n);
  cuda::copy_to_host(to, b.data());
}
)";

/// The caller's memory, as for arguments on the device; neighbours race if `N` is too large.
std::string inPlace(const std::string &N) {
  return R"(
#include <septran/cuda/launch.h>
#include <septran/cuda/simt.h>
namespace cuda = septran::cuda;
__global__ void copy(septran::tensor<float, 1> to, septran::tensor<const float, 1> from, int n) {
  const int i = cuda::thread_rank();
  if (i < n)
    to(i % int(to.extent(0))) = from(i % int(to.extent(0)));
}
void f(septran::tensor<float, 1> to, septran::tensor<const float, 1> from) {
  cuda::launch(copy, {to.extent(0) > 0 ? 1u : 0u, 64}, to, from, )" +
         N + R"();
}
)";
}

class EmulatedForm : public testing::Test {
protected:
  ScratchFolder Scratch{""};
  std::shared_ptr<const Function> Entry;
  BuildSettings Settings;
  ProgramForms Forms;

  void SetUp() override {
    const std::string File = Scratch.path() + "/logic.cpp";
    std::ofstream(File) << Logic;
    clang::tooling::FixedCompilationDatabase Flags(Scratch.path(), {"-std=c++20"});
    runFrontend(Flags, File, [&](FrontendResult &Front) {
      ASSERT_TRUE(Front.Graph);
      for (const auto &F : Front.Graph->Functions)
        if (F->Name == "f")
          Entry = F;
    });
    ASSERT_TRUE(Entry);
    Settings = settingsFor(Flags, File, Scratch.path());
    Settings.Quick = true;
    Forms.Plain = build(plainForm(Settings, *Entry));
  }

  std::string build(const PendingForm &F) {
    const CommandResult R = runCommands({F.Compile}, 1).front();
    EXPECT_TRUE(R.Good) << R.Output;
    return F.Library;
  }

  /// What a call with the text, and arguments in this memory, comes to.
  CaseResult run(const std::string &Text, const std::string &MemoryName, std::int64_t Extent,
                 unsigned Threads) {
    Machine Target;
    Target.Language.Value = OutputLanguage::Cuda;
    Processor Host, Block;
    Host.Name.Value = "HOST";
    Block.Name.Value = "BLOCK";
    Block.LoopSpread.Value = Processor::Spread::Grid;
    Target.Processors = {Host, Block};
    Memory OfHost, OfDevice;
    OfHost.Name.Value = "HOST";
    OfHost.Readers = {Host.Name};
    OfDevice.Name.Value = "GLOBAL";
    OfDevice.Readers = {Host.Name, Block.Name};
    Target.Memories = {OfHost, OfDevice};

    Program P;
    P.Entry = Entry;
    P.Target = std::make_shared<const Machine>(Target);
    for (Parameter Param : Entry->Params) {
      Tensor Placed = *Param.Tensor;
      Placed.Memory = MemoryName;
      Param.Tensor = std::make_shared<Tensor>(Placed);
      P.Params.push_back(Param);
    }
    Forms.Mapped = build(mappedForm(Settings, P, Text, "mapped" + std::to_string(Builds++)));
    const LoadedForms Loaded(Forms);
    Case C;
    C.Shape = {{{0, 0}, Extent}, {{1, 0}, Extent}};
    C.Threads = Threads;
    C.Lies = Threads == 2 ? Arrangement::Spaced : Arrangement::EndsAtGuard;
    ShapeRelations Relations;
    Relations.Params = P.Params;
    return runCase(Loaded, Relations, C, {});
  }
  unsigned Builds = 0;
};

using Verdict = CaseResult::Verdict;

TEST_F(EmulatedForm, Matches) {
  for (unsigned Threads : {1, 2, 3}) {
    const CaseResult R = run(Transfers, "HOST", 45, Threads);
    EXPECT_EQ(R.V, Verdict::Match) << R.What;
    EXPECT_EQ(R.Compared, 45u);
  }
  EXPECT_EQ(run(Transfers, "HOST", 0, 1).V, Verdict::Match);
}

TEST_F(EmulatedForm, UsesArgumentsOnTheDevice) {
  for (unsigned Threads : {1, 2, 3}) {
    const CaseResult R = run(inPlace("int(to.extent(0))"), "GLOBAL", 45, Threads);
    EXPECT_EQ(R.V, Verdict::Match) << R.What;
  }
  EXPECT_EQ(run(inPlace("int(to.extent(0))"), "GLOBAL", 0, 1).V, Verdict::Match);
}

TEST_F(EmulatedForm, ReportsHostMemoryInKernels) {
  const CaseResult R = run(inPlace("int(to.extent(0))"), "HOST", 45, 1);
  EXPECT_EQ(R.V, Verdict::Mismatch);
  EXPECT_NE(R.What.find("memory that is not the device's"), std::string::npos) << R.What;
}

TEST_F(EmulatedForm, ReportsRaces) {
  const CaseResult R = run(inPlace("64"), "GLOBAL", 45, 2);
  EXPECT_EQ(R.V, Verdict::Mismatch);
  EXPECT_NE(R.What.find("data race on global memory"), std::string::npos) << R.What;
}

} // namespace
} // namespace septran::compiler
