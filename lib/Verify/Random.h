//===- Random.h - numbers that a seed decides -------------------*- C++ -*-===//
//
// A seed stands for the same program, mapping or input on every platform, today and later: the
// generator is SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
// OOPSLA 2014), and nothing of <random> is used, whose distributions differ between libraries.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace septran::compiler {

class Random {
  std::uint64_t State;

public:
  explicit Random(std::uint64_t Seed) : State(Seed) {}

  std::uint64_t next() {
    std::uint64_t Z = State += 0x9e3779b97f4a7c15u;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
    return Z ^ (Z >> 31);
  }

  /// A generator of its own: what is drawn from it does not change what this one yields later.
  Random split() { return Random(next() ^ 0xd1b54a32d192ed03u); }

  /// 0 .. Count - 1, all alike. Count is positive.
  std::uint64_t below(std::uint64_t Count) {
    const std::uint64_t Remainder = (0 - Count) % Count; // 2^64 mod Count
    std::uint64_t Drawn = next();
    while (Drawn < Remainder)
      Drawn = next();
    return Drawn % Count;
  }

  /// Low .. High, both included.
  std::int64_t between(std::int64_t Low, std::int64_t High) {
    return Low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(High - Low) + 1));
  }

  bool chance(unsigned Percent) { return below(100) < Percent; }

  template <class T> const T &pick(const std::vector<T> &From) { return From[below(From.size())]; }
  template <class T> T pick(std::initializer_list<T> From) {
    return From.begin()[below(From.size())];
  }

  template <class T> void shuffle(std::vector<T> &Items) {
    for (std::size_t N = Items.size(); N > 1; --N)
      std::swap(Items[N - 1], Items[below(N)]);
  }
};

} // namespace septran::compiler
