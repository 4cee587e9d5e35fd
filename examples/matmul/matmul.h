//===- matmul.h - dense matrix product --------------------------*- C++ -*-===//
//
// C = A * B for A of M x K, B of K x N and C of M x N elements, with any strides.
// C does not overlap A or B. For K = 0, C becomes zero.
//
// Matrices of the narrow types are weights, and so are those of matmul_weights: B is constant,
// and mapped programs keep what they make of it, if the caller does.
//
// The 16-bit float types are summed in float and rounded once; the 8-bit integers
// are summed in 32 bits, where 131072 products of -128 * -128 reach the limit.
//
//===----------------------------------------------------------------------===//
#pragma once

#include <septran/constant.h>
#include <septran/septran.h>

#include <cstdint>

void matmul(septran::tensor<float, 2> C, septran::tensor<const float, 2> A,
            septran::tensor<const float, 2> B);

void matmul_f64(septran::tensor<double, 2> C, septran::tensor<const double, 2> A,
                septran::tensor<const double, 2> B);

void matmul_f16(septran::tensor<septran::float16, 2> C,
                septran::tensor<const septran::float16, 2> A,
                septran::constant<septran::float16, 2> B);

void matmul_bf16(septran::tensor<septran::bfloat16, 2> C,
                 septran::tensor<const septran::bfloat16, 2> A,
                 septran::constant<septran::bfloat16, 2> B);

void matmul_i8(septran::tensor<std::int32_t, 2> C, septran::tensor<const std::int8_t, 2> A,
               septran::constant<std::int8_t, 2> B);

void matmul_u8s8(septran::tensor<std::int32_t, 2> C, septran::tensor<const std::uint8_t, 2> A,
                 septran::constant<std::int8_t, 2> B);

/// C = A * B^T for B of N x K elements, and C = A^T * B for A of K x M.
void matmul_nt(septran::tensor<float, 2> C, septran::tensor<const float, 2> A,
               septran::tensor<const float, 2> B);

void matmul_tn(septran::tensor<float, 2> C, septran::tensor<const float, 2> A,
               septran::tensor<const float, 2> B);

/// C = A * B, where B is constant in f32, too.
void matmul_weights(septran::tensor<float, 2> C, septran::tensor<const float, 2> A,
                    septran::constant<float, 2> B);
