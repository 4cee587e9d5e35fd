//===- septran/cuda/error.h - What failed on the device ----------*- C++ -*-===//
//
// The exception of the host's side, and the words for a launch in its text.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_ERROR_H
#define SEPTRAN_CUDA_ERROR_H

#include <septran/cuda/target.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace septran::cuda {

/// A launch, an allocation or a copy failed, or a kernel did.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
/// The device has no more memory.
class memory_error : public error {
public:
  using error::error;
};

namespace detail {

inline std::string extent_text(dim3 extent) {
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

/// "launch of gemm (grid 4x1x1, block 128x1x1, 98304 bytes of shared memory)"
inline std::string launch_text(const std::string &kernel, dim3 grid, dim3 block,
                               std::size_t shared_bytes) {
  return "launch of " + kernel + " (grid " + extent_text(grid) + ", block " + extent_text(block) +
         ", " + std::to_string(shared_bytes) + " bytes of shared memory)";
}

} // namespace detail

} // namespace septran::cuda

#endif // SEPTRAN_CUDA_ERROR_H
