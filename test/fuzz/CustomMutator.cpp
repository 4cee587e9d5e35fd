//===- CustomMutator.cpp - libFuzzer's way to `mutate` --------------------===//
//
// Crossing over carries pieces of one input to another. Every eighth mutation is libFuzzer's own, of
// bytes.
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/Mutate.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

using septran::fuzz::Draw;
using septran::fuzz::mutate;

/// libFuzzer's own mutations.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *Data, std::size_t Size, std::size_t MaxSize);

namespace {

std::string_view textOf(const std::uint8_t *Data, std::size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

/// What fits of `Text`.
std::size_t copyOut(std::string_view Text, std::uint8_t *Out, std::size_t MaxSize) {
  const std::size_t Taken = std::min(Text.size(), MaxSize);
  std::memcpy(Out, Text.data(), Taken);
  return Taken;
}

} // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *Data, std::size_t Size,
                                               std::size_t MaxSize, unsigned Seed) {
  Draw Random(Seed);
  if (Random.below(8) == 0)
    return LLVMFuzzerMutate(Data, Size, MaxSize);
  return copyOut(mutate(textOf(Data, Size), textOf(Data, Size), Random), Data, MaxSize);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t *Data1, std::size_t Size1,
                                                 const std::uint8_t *Data2, std::size_t Size2,
                                                 std::uint8_t *Out, std::size_t MaxOutSize,
                                                 unsigned Seed) {
  Draw Random(Seed);
  return copyOut(mutate(textOf(Data1, Size1), textOf(Data2, Size2), Random), Out, MaxOutSize);
}
