//===- MachineFuzzer.cpp - any bytes as a machine file --------------------===//
//
// Reading ends with a machine or with messages, never both or neither. The semantics of its
// primitives are not read here; LoopNestFuzzer does that.
//
//===----------------------------------------------------------------------===//
#include "Machine/ReadMachine.h"
#include "test/fuzz/Outcome.h"

#include <cstdint>

using namespace septran::compiler;
using septran::fuzz::checkOutcome;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  Diagnostics D;
  // In a folder with files that `include` and `extends` can name.
  const auto M = readMachineText(Text, SEPTRAN_FUZZ_SEEDS "/machine/fuzzed.yaml", D);
  checkOutcome(M, D, "a machine or an error");
  return 0;
}
