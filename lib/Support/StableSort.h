//===- Support/StableSort.h - sorting that keeps the order of equals -*- C++ -*-===//
//
// Outputs must be the same on every run and with every standard library: where elements may be
// equal, their order is kept. std::stable_sort and std::stable_partition would do, but those of
// libstdc++ 12 use std::get_temporary_buffer, which is deprecated, and clang says so wherever they
// are called. The lists here are short.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SUPPORT_STABLESORT_H
#define SEPTRAN_SUPPORT_STABLESORT_H

#include <algorithm>
#include <iterator>
#include <list>
#include <vector>

namespace septran::compiler {

/// Sorts by `Less`; elements neither of which is less keep their order.
template <class T, class Compare> void stableSort(std::vector<T> &Elements, Compare Less) {
  std::list<T> Sorted(std::make_move_iterator(Elements.begin()),
                      std::make_move_iterator(Elements.end()));
  Sorted.sort(Less); // the sort of lists is stable, and needs no memory
  std::move(Sorted.begin(), Sorted.end(), Elements.begin());
}

/// Puts the elements that fulfil `Holds` first; both parts keep their order.
template <class T, class Predicate>
void stablePartition(std::vector<T> &Elements, Predicate Holds) {
  stableSort(Elements, [&](const T &A, const T &B) { return Holds(A) && !Holds(B); });
}

} // namespace septran::compiler

#endif // SEPTRAN_SUPPORT_STABLESORT_H
