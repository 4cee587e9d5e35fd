//===- leaves/scalar.h - the scalar operations that standard leaves share ===//
//
// std::max and std::min without the whole of <algorithm>, and the identities of the
// two as reductions.
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_LEAVES_SCALAR_H
#define SEPTRAN_LEAVES_SCALAR_H

#include <septran/float_types.h>

#include <limits>

// libstdc++ keeps std::max and std::min in a header of a tenth of <algorithm>'s size.
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#endif

namespace septran::detail {

/// What max leaves unchanged: -infinity where T has it, else its lowest value.
template <class T>
inline constexpr T lowest_value =
    std::numeric_limits<T>::has_infinity ? T(-std::numeric_limits<T>::infinity())
                                         : std::numeric_limits<T>::lowest();

/// What min leaves unchanged: infinity where T has it, else its highest value.
template <class T>
inline constexpr T highest_value =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::max();

} // namespace septran::detail

#endif
