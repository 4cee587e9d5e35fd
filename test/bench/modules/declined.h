//===- declined.h - a peer that has no part in a comparison -----*- C++ -*-===//
#pragma once

#include <stdexcept>

namespace septran::bench {

/// What a peer throws, from its first call with some tensors, if it cannot do this: a processor
/// lacks what it needs, or a shape is none of its own. It is left out of the line then, which says
/// why.
struct __attribute__((visibility("default"))) declined : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace septran::bench
