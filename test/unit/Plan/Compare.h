//===- Compare.h - passes keep the meaning ----------------------*- C++ -*-===//
//
// What the tests of random programs and mappings share: choices from a seed, and a comparison of
// the Program after every pass with the plain program.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Interpreter.h"

#include "Logic/TaskGraph.h"

#include <random>

namespace septran::compiler {

/// Runs the first function of the graph, and the Program after every pass, on every input. Returns
/// an empty text if all agree, else a report with the mapping and the Program. `Mapping` is the
/// file's text from its second line on.
std::string difference(const TaskGraph &Graph, const std::string &Mapping,
                       const std::vector<std::vector<TestArgument>> &Inputs);

/// What `difference` says of programs that are no valid logic, reading what was never written.
constexpr const char *PlainProgramFails = "the plain program fails: ";

/// The random cases to try, First <= seed < End: the first `Usual` ones, or those that the
/// environment variable SEPTRAN_TEST_SEEDS names, as "END" or "FIRST:END".
struct Seeds {
  unsigned First = 0, End;
  explicit Seeds(unsigned Usual);
};

/// Small random choices, the same on every machine. Spread calls of it over statements: the order
/// in which operands are evaluated differs between compilers.
class Dice {
  std::mt19937 Random;

public:
  explicit Dice(unsigned Seed) : Random(Seed) {}

  /// 0 .. N - 1. Not a std distribution: those differ between libraries.
  int below(int N) { return int(Random() % unsigned(N)); }
  bool maybe() { return below(2); }
  template <class T> T oneOf(std::initializer_list<T> List) {
    return List.begin()[below(int(List.size()))];
  }
  /// Elements from -3 to 3.
  TestTensor tensor(std::vector<std::int64_t> Extents);
};

} // namespace septran::compiler
