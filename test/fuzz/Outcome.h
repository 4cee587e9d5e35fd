//===- Outcome.h - what reading a file ends with ---------------*- C++ -*-===//
#pragma once

#include "Support/Sarif.h"
#include "test/fuzz/Require.h"

#include <optional>
#include <sstream>

namespace septran::fuzz {

/// A value or messages, never both or neither; the messages can be shown in either form.
template <class T>
void checkOutcome(const std::optional<T> &Value, const compiler::Diagnostics &D,
                  const char *Expected) {
  require(Value.has_value() != D.hasErrors(), Expected, renderText(D));
  renderText(D);
  std::ostringstream Sarif;
  writeSarif(D, Sarif, "fuzzer", "0");
}

} // namespace septran::fuzz
