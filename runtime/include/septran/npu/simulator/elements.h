//===- npu/simulator/elements.h - what the units compute ------------*- C++ -*-===//
#ifndef SEPTRAN_NPU_SIMULATOR_ELEMENTS_H
#define SEPTRAN_NPU_SIMULATOR_ELEMENTS_H

#include <septran/float_types.h>
#include <septran/npu/simulator/core.h>

namespace septran::npu::simulator {

inline std::size_t bytes_of(rnpu_type type) {
  switch (type) {
  case RNPU_F32:
  case RNPU_I32:
    return 4;
  case RNPU_BF16:
  case RNPU_F16:
    return 2;
  case RNPU_I8:
  case RNPU_U8:
    return 1;
  }
  return 0;
}

template <class T> T element(const unsigned char *row, std::size_t i) {
  T value;
  std::memcpy(&value, row + i * sizeof(T), sizeof(T));
  return value;
}
template <class T> void set_element(unsigned char *row, std::size_t i, T value) {
  std::memcpy(row + i * sizeof(T), &value, sizeof(T));
}

/// The element as a double, which holds all values of the other types.
inline double as_double(rnpu_type type, const unsigned char *row, std::size_t i) {
  switch (type) {
  case RNPU_F32:
    return double(element<float>(row, i));
  case RNPU_BF16:
    return double(float(element<bfloat16>(row, i)));
  case RNPU_F16:
    return double(float(element<float16>(row, i)));
  case RNPU_I32:
    return double(element<std::int32_t>(row, i));
  case RNPU_I8:
    return double(element<std::int8_t>(row, i));
  case RNPU_U8:
    return double(element<std::uint8_t>(row, i));
  }
  return 0;
}
inline void set_double(rnpu_type type, unsigned char *row, std::size_t i, double value) {
  switch (type) {
  case RNPU_F32:
    return set_element(row, i, float(value));
  case RNPU_BF16:
    return set_element(row, i, bfloat16(float(value)));
  case RNPU_F16:
    return set_element(row, i, float16(float(value)));
  case RNPU_I32:
    return set_element(row, i, std::int32_t(value));
  case RNPU_I8:
    return set_element(row, i, std::int8_t(value));
  case RNPU_U8:
    return set_element(row, i, std::uint8_t(value));
  }
}

inline float apply(rnpu_binary_op op, float a, float b) {
  switch (op) {
  case RNPU_ADD:
    return a + b;
  case RNPU_SUB:
    return a - b;
  case RNPU_MUL:
    return a * b;
  case RNPU_DIV:
    return a / b;
  case RNPU_MAX:
    return std::max(a, b);
  case RNPU_MIN:
    return std::min(a, b);
  case RNPU_REVERSE_SUB:
    return b - a;
  case RNPU_REVERSE_DIV:
    return b / a;
  }
  return 0;
}

inline float apply(rnpu_unary_op op, float x) {
  switch (op) {
  case RNPU_COPY:
    return x;
  case RNPU_NEG:
    return -x;
  case RNPU_ABS:
    return std::fabs(x);
  case RNPU_EXP:
    return std::exp(x);
  case RNPU_LOG:
    return std::log(x);
  case RNPU_SQRT:
    return std::sqrt(x);
  case RNPU_RSQRT:
    return 1.0F / std::sqrt(x);
  case RNPU_RECIPROCAL:
    return 1.0F / x;
  case RNPU_TANH:
    return std::tanh(x);
  case RNPU_ERF:
    return std::erf(x);
  }
  return 0;
}

/// C = [C +] A * B on rows of T, summed in S in the order of k.
template <class S, class T>
void multiply(const core::access &c, const core::access &a, const core::access &b, std::size_t n,
              std::size_t k, bool accumulate, bool transposed) {
  std::vector<S> sums(n);
  std::vector<S> right(n * k); // k x n
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t j = 0; j < n; ++j)
      right[p * n + j] = transposed ? S(element<T>(b.row(j), p)) : S(element<T>(b.row(p), j));
  for (std::size_t i = 0; i < c.block.rows; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      sums[j] = accumulate ? element<S>(c.row(i), j) : S(0);
    for (std::size_t p = 0; p < k; ++p) {
      const S left = S(element<T>(a.row(i), p));
      for (std::size_t j = 0; j < n; ++j)
        sums[j] += left * right[p * n + j];
    }
    for (std::size_t j = 0; j < n; ++j)
      set_element(c.row(i), j, sums[j]);
  }
}

} // namespace septran::npu::simulator

#endif
