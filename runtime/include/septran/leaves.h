//===- leaves.h - the standard leaves ------------------------------------===//
//
// Elementwise operations, mathematical functions and row reductions, as plain leaves:
// a user's own leaf has the same rights. septran.h itself brings the elementwise ones;
// this header adds those that need <cmath>.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LEAVES_H
#define SEPTRAN_LEAVES_H

#include <septran/septran.h>

#include <septran/leaves/math.h>
#include <septran/leaves/rows.h>

#endif
