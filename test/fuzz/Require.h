//===- Require.h - what must hold whatever the input is -------------------===//
//
// A fuzzer fails by a crash, a leak, a run of more than five seconds, or by one of these.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <string>

namespace septran::fuzz {

/// Writes both texts to where the standard error went when the program began, and aborts. (While
/// clang runs, the standard error is closed: it would show each message of each run.)
[[noreturn]] void fail(const char *What, const std::string &Details);

inline void require(bool Holds, const char *What, const std::string &Details = {}) {
  if (!Holds)
    fail(What, Details);
}

} // namespace septran::fuzz
