//===- SimulatorUnitsTest.cpp - what the units compute ------------------------===//
#include "Simulated.h"

#include <gtest/gtest.h>

#include <numeric>

extern "C" int is_c(void);

namespace septran::npu {
namespace {

using Values = std::vector<float>;

TEST(SimulatorUnits, InterfaceIsC) { EXPECT_EQ(is_c(), 0x40000000 + RNPU_VECTOR); }

/// Writes X (rows of 8) to SPM, runs, and reads 16 floats from SPM[1024].
template <class Program> Values onRows(const Values &X, Program P) {
  Values Y(16);
  std::vector<std::string> Found = problems([&](int) {
    for (std::size_t I = 0; I < X.size(); ++I)
      write(RNPU_SPM(4 * I), X[I]);
    P();
    order(RNPU_VECTOR, RNPU_SCALAR);
    order(RNPU_MATRIX, RNPU_SCALAR);
    for (std::size_t I = 0; I < Y.size(); ++I)
      Y[I] = read<float>(RNPU_SPM(1024 + 4 * I));
  });
  EXPECT_EQ(Found, std::vector<std::string>());
  return Y;
}

Values counted(std::size_t N) {
  Values X(N);
  std::iota(X.begin(), X.end(), 1.0F);
  return X;
}

TEST(SimulatorUnits, Unary) {
  const Values X = counted(16);
  const std::pair<rnpu_unary_op, float (*)(float)> Ops[] = {
      {RNPU_COPY, [](float V) { return V; }},
      {RNPU_NEG, [](float V) { return -V; }},
      {RNPU_ABS, [](float V) { return V; }},
      {RNPU_EXP, [](float V) { return std::exp(V); }},
      {RNPU_LOG, [](float V) { return std::log(V); }},
      {RNPU_SQRT, [](float V) { return std::sqrt(V); }},
      {RNPU_RSQRT, [](float V) { return 1.0F / std::sqrt(V); }},
      {RNPU_RECIPROCAL, [](float V) { return 1.0F / V; }},
      {RNPU_TANH, [](float V) { return std::tanh(V); }},
      {RNPU_ERF, [](float V) { return std::erf(V); }}};
  for (const auto &[Op, Expected] : Ops) {
    Values Y = onRows(X, [&, O = Op] { rnpu_vector_unary(O, 1024, 32, 0, 32, 2, 8); });
    for (std::size_t I = 0; I < 16; ++I)
      EXPECT_EQ(Y[I], Expected(X[I])) << Op << " " << I;
  }
}

TEST(SimulatorUnits, BinaryScalarAndRows) {
  const Values X = counted(16);
  const std::pair<rnpu_binary_op, float (*)(float, float)> Ops[] = {
      {RNPU_ADD, [](float A, float B) { return A + B; }},
      {RNPU_SUB, [](float A, float B) { return A - B; }},
      {RNPU_MUL, [](float A, float B) { return A * B; }},
      {RNPU_DIV, [](float A, float B) { return A / B; }},
      {RNPU_MAX, [](float A, float B) { return std::max(A, B); }},
      {RNPU_MIN, [](float A, float B) { return std::min(A, B); }},
      {RNPU_REVERSE_SUB, [](float A, float B) { return B - A; }},
      {RNPU_REVERSE_DIV, [](float A, float B) { return B / A; }}};
  for (const auto &Entry : Ops) {
    const rnpu_binary_op Op = Entry.first;
    const auto Expected = Entry.second;
    Values Both = onRows(X, [&] { rnpu_vector_binary(Op, 1024, 32, 0, 32, 32, 0, 2, 8); });
    Values Scalar = onRows(X, [&] { rnpu_vector_scalar(Op, 1024, 32, 0, 32, 5.0F, 2, 8); });
    Values Rows = onRows(X, [&] { rnpu_vector_rows(Op, 1024, 32, 0, 32, 0, 2, 8); });
    for (std::size_t I = 0; I < 16; ++I) {
      EXPECT_EQ(Both[I], Expected(X[I], X[8 + I % 8])) << Op;
      EXPECT_EQ(Scalar[I], Expected(X[I], 5.0F)) << Op;
      EXPECT_EQ(Rows[I], Expected(X[I], X[I / 8])) << Op;
    }
  }
}

TEST(SimulatorUnits, Reduce) {
  const Values X = counted(16);
  auto Reduced = [&](rnpu_binary_op Op, float First) {
    return onRows(X, [&] {
      rnpu_vector_fill(1024, 64, First, 1, 16);
      rnpu_vector_reduce(Op, 1024, 0, 32, 2, 8);
    });
  };
  EXPECT_EQ(Reduced(RNPU_ADD, 100)[0], 136);
  EXPECT_EQ(Reduced(RNPU_ADD, 100)[1], 200);
  EXPECT_EQ(Reduced(RNPU_MAX, 10)[0], 10);
  EXPECT_EQ(Reduced(RNPU_MAX, 10)[1], 16);
  EXPECT_EQ(Reduced(RNPU_MIN, 10)[1], 9);
  EXPECT_EQ(Reduced(RNPU_MUL, 2)[0], 80640);
  EXPECT_EQ(Reduced(RNPU_MUL, 2)[2], 2);
}

TEST(SimulatorUnits, Convert) {
  const Values X = {1.0F, -2.5F, 1.001953125F, 3.0e38F, 100.0F, 0.0F, -7.0F, 12.75F};
  for (rnpu_type Type : {RNPU_BF16, RNPU_F16, RNPU_I32}) {
    Values Y = onRows(Type == RNPU_BF16 ? X : Values{1, -2.5F, 8, 9, 100, 0, -7, 12.75F}, [&] {
      rnpu_vector_fill(1024, 64, 0, 1, 16);
      rnpu_vector_convert(Type, 512, 32, RNPU_F32, 0, 32, 1, 8);
      rnpu_vector_convert(RNPU_F32, 1024, 32, Type, 512, 32, 1, 8);
    });
    EXPECT_EQ(Y[0], 1.0F);
    EXPECT_EQ(Y[1], Type == RNPU_I32 ? -2.0F : -2.5F);
    EXPECT_EQ(Y[7], Type == RNPU_I32 ? 12.0F : 12.75F);
    EXPECT_EQ(Y[6], -7.0F);
    if (Type == RNPU_BF16) {
      EXPECT_EQ(Y[2], 1.0F); // halfway: to even
    }
  }
}

TEST(SimulatorUnits, Matrix) {
  // 2 x 3 times 3 x 2; i8 sums in i32.
  std::vector<std::string> Found = problems([](int) {
    const std::int8_t A[2][3] = {{-128, 2, 3}, {4, 5, 6}}, B[3][2] = {{-128, 2}, {3, 4}, {5, 6}};
    for (unsigned I = 0; I < 2; ++I)
      for (unsigned K = 0; K < 3; ++K)
        write(RNPU_SPM(32 * I + K), A[I][K]);
    for (unsigned K = 0; K < 3; ++K)
      for (unsigned J = 0; J < 2; ++J)
        write(RNPU_SPM(128 + 32 * K + J), B[K][J]);
    rnpu_matrix_type(RNPU_I8);
    rnpu_acc_fill(RNPU_I32, RNPU_ACC(0), 32, 2, 2, 1000);
    rnpu_mma(RNPU_I8, RNPU_ACC(0), 32, 0, 32, 128, 32, 2, 2, 3, 1);
    order(RNPU_MATRIX, RNPU_SCALAR);
    EXPECT_EQ(read<std::int32_t>(RNPU_ACC(0)), 16384 + 6 + 15 + 1000);
    EXPECT_EQ(read<std::int32_t>(RNPU_ACC(4)), -256 + 8 + 18 + 1000);
    EXPECT_EQ(read<std::int32_t>(RNPU_ACC(32)), -512 + 15 + 30 + 1000);
    EXPECT_EQ(read<std::int32_t>(RNPU_ACC(36)), 8 + 20 + 36 + 1000);
  });
  EXPECT_EQ(Found, std::vector<std::string>());
}

TEST(SimulatorUnits, MatrixTransposed) {
  // 1 x 2 times the transpose of 3 x 2.
  std::vector<std::string> Found = problems([](int) {
    for (unsigned I = 0; I < 2; ++I)
      write(RNPU_SPM(4 * I), float(I + 1));
    for (unsigned J = 0; J < 3; ++J)
      for (unsigned K = 0; K < 2; ++K)
        write(RNPU_SPM(128 + 32 * J + 4 * K), float(10 * J + K));
    rnpu_matrix_type(RNPU_F32);
    rnpu_mma_transposed(RNPU_F32, RNPU_ACC(0), 32, 0, 32, 128, 32, 1, 3, 2, 0);
    order(RNPU_MATRIX, RNPU_VECTOR);
    rnpu_vector_move(RNPU_SPM(0), 32, RNPU_ACC(0), 32, 1, 12);
    order(RNPU_VECTOR, RNPU_SCALAR);
    for (unsigned J = 0; J < 3; ++J)
      EXPECT_EQ(read<float>(RNPU_SPM(4 * J)), float(30 * J + 2));
  });
  EXPECT_EQ(Found, std::vector<std::string>());
}

TEST(SimulatorUnits, CopiesAndBorders) {
  attached<float> In(counted(12), false), Out(Values(20, -1.0F));
  std::vector<std::string> Found = problems([&](int) {
    std::uint32_t Bits;
    const float Value = 0.5F;
    std::memcpy(&Bits, &Value, 4);
    // Rows 1 and 2 of a 3 x 4 matrix, columns 1 and 2, upside down.
    rnpu_dma_load2d_border_async(0, 32, In.data.data() + 9, -16, 2, 8,
                                 rnpu_border{1, 1, 4, 8, Bits, 4});
    order(RNPU_LOAD, RNPU_STORE);
    rnpu_dma_store2d_async(Out.data.data(), 20, 0, 32, 4, 20);
    order(RNPU_STORE, RNPU_SCALAR);
  });
  EXPECT_EQ(Found, std::vector<std::string>());
  EXPECT_EQ(Out.data, (Values{0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 10,   11,   0.5F, 0.5F,
                              0.5F, 6,    7,    0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F}));
}

} // namespace
} // namespace septran::npu
