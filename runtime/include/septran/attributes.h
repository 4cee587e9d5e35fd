//===- attributes.h - silence about attributes that compilers do not know --===//
//
// Every header that writes a [[septran::...]] attribute includes this one first.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_ATTRIBUTES_H
#define SEPTRAN_ATTRIBUTES_H

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

#endif
