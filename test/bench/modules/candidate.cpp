//===- candidate.cpp - makes a logic file a candidate ------------------------===//
//
// Compiled with a logic file, plain or rewritten, into a shared library, which
// septran-bench asks for the entry point. Each library keeps all else to itself, so
// that many candidates with the same names live in one process.
//
// SEPTRAN_BENCH_HEADER declares the function SEPTRAN_BENCH_ENTRY.
//
//===----------------------------------------------------------------------===//
#include SEPTRAN_BENCH_HEADER

extern "C" __attribute__((visibility("default"))) void *septran_bench_entry() {
  return reinterpret_cast<void *>(&SEPTRAN_BENCH_ENTRY);
}
