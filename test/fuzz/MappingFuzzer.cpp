//===- MappingFuzzer.cpp - any bytes as a mapping file --------------------===//
//
// Reading ends with a mapping or with messages, never both or neither. A mapping prints as a file
// that reads as the same mapping.
//
//===----------------------------------------------------------------------===//
#include "Mapping/ReadMapping.h"
#include "test/fuzz/Outcome.h"

#include <cstdint>

using namespace septran::compiler;
using septran::fuzz::checkOutcome;
using septran::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string_view Text(reinterpret_cast<const char *>(Data), Size);
  Diagnostics D;
  // In a folder with files that `include` and `extends` can name.
  const auto M = readMappingText(Text, SEPTRAN_FUZZ_SEEDS "/mapping/fuzzed.yaml", D);
  checkOutcome(M, D, "a mapping or an error");
  if (!M)
    return 0;
  const std::string Printed = printMapping(*M);
  Diagnostics Again;
  const auto Second = readMappingText(Printed, "printed.yaml", Again);
  require(Second.has_value(), "a printed mapping can be read", Printed + renderText(Again));
  require(*M == *Second, "a printed mapping is the same mapping", Printed + printMapping(*Second));
  return 0;
}
