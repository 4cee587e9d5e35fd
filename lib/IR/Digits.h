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
// A fragment is the part of a matrix that one thread passes to a matrix instruction: a row of registers.
// Digits that count those say by how much: `2@r4` is four registers further. So the C of mma.m16n8k16,
// 16 x 8, is
//
//   [8@4, 2@r2] x [2@r1, 4@1]
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace septran::compiler {

struct Digit {
  std::int64_t Size = 1;
  std::int64_t Stride = 0; ///< of the thread's number: digit = thread / Stride % Size; 0: a register
  std::int64_t Register = 0; ///< of the register within a fragment; 0: none
  bool isThread() const { return Stride != 0; }
  friend bool operator==(const Digit &, const Digit &) = default;
};

/// Innermost first. Empty: every thread steps through all of the dimension.
using Digits = std::vector<Digit>;

/// Threads that share the index.
std::int64_t threadsOf(const Digits &D);
/// Elements that one thread has; 0 if there is no bound.
std::int64_t registersOf(const Digits &D);
/// Elements along the dimension; 0 if there is no bound.
std::int64_t elementsOf(const Digits &D);
/// The same indices, whatever counts the registers of a fragment.
Digits withoutRegisters(Digits D);
/// `4, 16@1, 2`.
std::string toString(const Digits &D);

/// Digits of one dimension up to `Elements`, and those beyond. Cuts a digit where needed; nothing if
/// that is not possible.
std::optional<std::pair<Digits, Digits>> splitAt(const Digits &D, std::int64_t Elements);

//===--- fragments ------------------------------------------------------------===//

/// Per dimension of the matrix.
using Fragment = std::vector<Digits>;
/// `[8@4, 2@r2] x [2@r1, 4@1]`; nothing for other texts.
std::optional<Fragment> parseFragment(std::string_view Text);
std::string toString(const Fragment &F);
/// Elements in the fragment of one thread; 0 if its registers are not counted from 0 without gaps.
std::int64_t fragmentSize(const Fragment &F);

} // namespace septran::compiler
