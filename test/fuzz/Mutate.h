//===- Mutate.h - what a fuzzer's inputs are changed by -------------------===//
//
// CustomMutator.cpp gives libFuzzer one `mutate`; a fuzzer is linked with the one that suits its
// inputs, LineMutator.cpp or TokenMutator.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace septran::fuzz {

/// Random numbers from the seed that libFuzzer gives.
class Draw {
  std::minstd_rand Random;

public:
  explicit Draw(unsigned Seed) : Random(Seed) {}

  std::size_t below(std::size_t N) { return N ? Random() / 7 % N : 0; }
};

/// `Text` with one to three changes. What is put into it comes from `Other`, which may be `Text`
/// itself, and from what the mutator knows of the language.
std::string mutate(std::string_view Text, std::string_view Other, Draw &Random);

} // namespace septran::fuzz
