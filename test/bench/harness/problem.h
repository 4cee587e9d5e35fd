//===- problem.h - what a kernel gives to be measured ------------*- C++ -*-===//
#pragma once

#include "harness/module.h"
#include "harness/peers.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace septran::bench {

/// Data of some shape, and how it is worked on. Everything that computes the same thing on the same
/// data is called through the same problem. The functions share the data.
struct problem {
  std::string shape;
  double work = 0; ///< floating-point operations of one call that the result needs

  /// That a call must read and write at least, where memory limits it.
  double bytes = 0;
  bool in_place = false; ///< it writes where it has read

  /// What a call must read, where that limits it and it writes next to nothing. Not a copy of it:
  /// which caches have it decides.
  std::vector<std::span<const float>> reads = {};

  std::function<void(entry_point)> run;

  /// A call of the same by a library; empty, as the function itself, if it has no such thing.
  std::function<std::function<void()>(const peer &)> run_peer;

  /// Before a call whose result is looked at: restores what calls overwrite and poisons what they
  /// must write.
  std::function<void()> reset;

  std::function<std::vector<double>()> result;

  /// How far elements of two results may be apart, as a share of the largest one.
  double tolerance = 0;
};

/// One line of the table.
struct row {
  std::string variant; ///< for a reader: "causal"; may be empty
  std::function<problem()> make;

  /// The same with the same work per operation, for the plain program, where that is too slow for
  /// the whole; empty if it is not.
  std::function<problem()> make_for_plain = {};
};

struct kernel {
  std::string name;

  /// Limited by multiplications and additions, so that a share of the processor's peak means
  /// something.
  bool fma_bound;

  std::vector<row> rows;

  /// A row of any shape, which has `rank` extents; empty if there are those above alone.
  std::function<row(const std::vector<int> &)> row_of = {};
  std::size_t rank = 0;
};

/// Lets a kernel be measured at any shape: `make(extents...)` is a row.
template <std::size_t Rank, class F> kernel at_any_shape(kernel k, const F &make) {
  k.rank = Rank;
  k.row_of = [make](const std::vector<int> &extents) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return make(extents[I]...);
    }(std::make_index_sequence<Rank>());
  };
  return k;
}

} // namespace septran::bench
