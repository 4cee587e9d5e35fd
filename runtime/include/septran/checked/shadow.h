//===- checked/shadow.h - what is known about every element ---------------===//
//
// One cell per element that a checked program has touched: has it a value, who
// wrote it last, who read it. Cells are keyed by the element's address, so that
// every view of an element shares its cell. Memory that nobody has declared counts
// as having values: it came from outside.
//
// Of the readers one is kept. That is enough to find a race if there is one: a new
// reader replaces the old one only if it comes after it, as in Feng and Leiserson.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_CHECKED_SHADOW_H
#define SEPTRAN_CHECKED_SHADOW_H

#include <septran/checked/site.h>
#include <septran/checked/strands.h>
#include <septran/checked/tasks.h>

#include <unordered_map>

namespace septran::checked::detail {

struct cell {
  strand writer = 0, reader = 0;
  site written, read;                     // of the accesses of these two strands
  epoch written_in = 0;                   // the last write, in entries of tasks
  char write_update = 0, read_update = 0; // see access::update
  bool unwritten = false;
  bool reduced = false; // the last write was made through a declared reduce privilege
};

/// Cells by the address of an element's first byte.
using shadow = std::unordered_map<const void *, cell>;

} // namespace septran::checked::detail

#endif
