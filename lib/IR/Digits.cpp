//===- Digits.cpp - indices divided among threads and registers -----------===//
#include "IR/Digits.h"

namespace septran::compiler {

std::int64_t threadsOf(const Digits &D) {
  std::int64_t Threads = 1;
  for (const Digit &Part : D)
    Threads *= Part.isThread() ? Part.Size : 1;
  return Threads;
}

std::int64_t registersOf(const Digits &D) {
  std::int64_t Registers = 1;
  for (const Digit &Part : D)
    Registers *= Part.isThread() ? 1 : Part.Size;
  return Registers;
}

std::string toString(const Digits &D) {
  std::string Text;
  for (const Digit &Part : D) {
    Text += (Text.empty() ? "" : ", ") + std::to_string(Part.Size);
    if (Part.isThread())
      Text += "@" + std::to_string(Part.Stride);
  }
  return Text;
}

} // namespace septran::compiler
