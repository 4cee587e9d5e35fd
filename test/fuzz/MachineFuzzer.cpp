//===- MachineFuzzer.cpp - any bytes as a machine file --------------------===//
//
// Reading ends with a machine or with messages, never both or neither. The semantics of its
// primitives are not read here; LoopNestFuzzer does that.
//
//===----------------------------------------------------------------------===//
#include "Machine/ReadMachine.h"
#include "Support/Sarif.h"
#include "test/fuzz/Require.h"

#include <cstdint>
#include <sstream>

using namespace septran::compiler;
using septran::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  Diagnostics D;
  // In a folder with files that `include` and `extends` can name.
  const auto M = readMachineText(Text, SEPTRAN_FUZZ_SEEDS "/machine/fuzzed.yaml", D);
  require(M.has_value() != D.hasErrors(), "a machine or an error", renderText(D));
  renderText(D);
  std::ostringstream Sarif;
  writeSarif(D, Sarif, "fuzzer", "0");
  return 0;
}
