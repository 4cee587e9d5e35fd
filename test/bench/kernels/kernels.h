//===- kernels.h - all kernels that are measured -----------------*- C++ -*-===//
//
// One file per example, or per family of them. `quick` asks for shapes that take no time: to test
// the benchmark, not the candidates.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "harness/problem.h"

#include <vector>

namespace septran::bench {

kernel attention_kernel(bool quick);
kernel digits_kernel(bool quick);
kernel dot_kernel(bool quick);
kernel saxpy_kernel(bool quick);
kernel stencil_kernel(bool quick);

std::vector<kernel> conv2d_kernels(bool quick);
std::vector<kernel> data_parallel_kernels(bool quick);
std::vector<kernel> elementwise_kernels(bool quick);
std::vector<kernel> matmul_kernels(bool quick);
std::vector<kernel> network_kernels(bool quick);
std::vector<kernel> norm_kernels(bool quick);
std::vector<kernel> product_kernels(bool quick);

std::vector<kernel> all_kernels(bool quick);

} // namespace septran::bench
