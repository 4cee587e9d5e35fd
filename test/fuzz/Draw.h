//===- Draw.h - what the mutators share -----------------------------------===//
//
// Random numbers from the seed that libFuzzer gives, and the way back into its buffer.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

/// libFuzzer's own mutations, of bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *Data, std::size_t Size, std::size_t MaxSize);

namespace septran::fuzz {

class Draw {
  std::minstd_rand Random;

public:
  explicit Draw(unsigned Seed) : Random(Seed) {}

  std::size_t below(std::size_t N) { return N ? Random() / 7 % N : 0; }
};

/// What fits of `Text`.
inline std::size_t copyOut(std::string_view Text, std::uint8_t *Out, std::size_t MaxSize) {
  const std::size_t Taken = std::min(Text.size(), MaxSize);
  std::memcpy(Out, Text.data(), Taken);
  return Taken;
}

} // namespace septran::fuzz
