//===- Digits.h - indices divided among threads and registers ---*- C++ -*-===//
//
// One representation for every way in which threads share the elements of a dimension: a mixed-radix
// number. An index is written with the given digits, innermost first; each is either counted by the
// number of the thread or stepped through by one and the same thread.
//
//   blocked, 4 threads, 8 each     [8, 4@1]
//   strided                        [4@1, 8]
//   vectors of 4, then strided     [4, 16@1, 2]
//   rows of mma.m16n8k16's C       [8@4, 2]        thread / 4 % 8, then the register
//
// The size of the outermost digit may be 0: as many as the dimension needs. Threads are numbered within
// the processor that runs the loop or holds the tensor.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace septran::compiler {

struct Digit {
  std::int64_t Size = 1;
  std::int64_t Stride = 0; ///< of the thread's number: digit = thread / Stride % Size; 0: a register
  bool isThread() const { return Stride != 0; }
  friend bool operator==(const Digit &, const Digit &) = default;
};

/// Innermost first. Empty: every thread steps through all of the dimension.
using Digits = std::vector<Digit>;

/// Threads that share the index.
std::int64_t threadsOf(const Digits &D);
/// Elements that one thread has; 0 if there is no bound.
std::int64_t registersOf(const Digits &D);
/// `4, 16@1, 2`.
std::string toString(const Digits &D);

} // namespace septran::compiler
