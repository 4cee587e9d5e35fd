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

// Compilers do not know our attributes and say so. The CMake target SepTran::septran carries the
// flags that silence them; these pragmas serve builds without it. They stay away where the
// attributes are known (septran-rewrite), so that a misspelt one is still reported.
#if defined(__has_cpp_attribute) && !defined(__CUDACC__)
#if __has_cpp_attribute(septran::task)
#define SEPTRAN_ATTRIBUTES_KNOWN
#endif
#endif
#if defined(__CUDACC__)
#pragma nv_diag_suppress 2803
#endif
#if defined(__clang__) && !defined(SEPTRAN_ATTRIBUTES_KNOWN)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored_attributes "septran::"
#endif

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
