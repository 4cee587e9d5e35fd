//===- Require.cpp --------------------------------------------------------===//
#include "test/fuzz/Require.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace septran::fuzz {

namespace {
std::FILE *const Errors = fdopen(dup(STDERR_FILENO), "w");
}

void fail(const char *What, const std::string &Details) {
  std::fprintf(Errors, "required, but does not hold: %s\n%s\n", What, Details.c_str());
  std::fflush(Errors);
  std::abort();
}

} // namespace septran::fuzz
