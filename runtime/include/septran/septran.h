//===- septran.h - what a logic file includes ----------------------------===//
//
// A logic file is ordinary C++20. With this header alone it compiles with any
// compiler and runs sequentially, and that run defines what the program means.
// `-DSEPTRAN_CHECKED` adds run-time checks, see checked.h.
//
// <septran/leaves.h> adds the standard leaves that need <cmath>; interop lives in
// <septran/mdspan.h> and <septran/dlpack.h>.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_SEPTRAN_H
#define SEPTRAN_SEPTRAN_H

#if __cplusplus < 202002L
#error "septran.h needs C++20"
#endif

#include <septran/attributes.h>
#include <septran/checked.h>
#include <septran/extents.h>
#include <septran/float_types.h>
#include <septran/leaves/elementwise.h>
#include <septran/local.h>
#include <septran/parallel.h>
#include <septran/partition.h>
#include <septran/tensor.h>
#include <septran/views.h>
#include <septran/windows.h>

#endif
