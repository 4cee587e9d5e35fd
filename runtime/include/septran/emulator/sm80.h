//===- septran/emulator/sm80.h - Instructions, emulated ----------*- C++ -*-===//
//
// The primitives of <septran/cuda/sm80.h> in the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_EMULATOR_SM80_H
#define SEPTRAN_EMULATOR_SM80_H

#include <septran/emulator/simt.h>

#include <cstdint>

namespace septran::emulator {

void copy_async(void *shared, const void *from, int bytes, int valid_bytes);
void copy_async_commit();
void copy_async_wait(int pending);
void copy_async_wait_all();

void ldmatrix(std::uint32_t *to, int matrices, bool trans, const void *row);

enum class mma_kind { f32_f16, f16_f16, f32_bf16, f32_tf32, s32_s8 };
/// D += A * B on the registers of one lane; D has 4 elements, in 2 registers for f16_f16.
void mma(mma_kind kind, void *d, const std::uint32_t *a, const std::uint32_t *b);

} // namespace septran::emulator

namespace septran::cuda::ptx {

template <int Bytes>
SEPTRAN_PRIMITIVE void copy_async(void *shared, const void *from, int valid_bytes) {
  emulator::copy_async(shared, from, Bytes, valid_bytes);
}
template <int Bytes>
SEPTRAN_PRIMITIVE void copy_async_if(void *shared, const void *from, bool there) {
  emulator::copy_async(shared, from, Bytes, there ? Bytes : 0);
}
SEPTRAN_PRIMITIVE void copy_async_commit() { emulator::copy_async_commit(); }
template <int Pending> SEPTRAN_PRIMITIVE void copy_async_wait() {
  emulator::copy_async_wait(Pending);
}
SEPTRAN_PRIMITIVE void copy_async_wait_all() { emulator::copy_async_wait_all(); }

template <int Matrices, bool Trans>
SEPTRAN_PRIMITIVE void ldmatrix(std::uint32_t (&to)[Matrices], const void *row) {
  emulator::ldmatrix(to, Matrices, Trans, row);
}

SEPTRAN_PRIMITIVE std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high,
                                              std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t(high) << 32 | low;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i)
    result |= (std::uint32_t(bytes >> (selector >> 4 * i & 7) * 8) & 0xff) << 8 * i;
  return result;
}

SEPTRAN_PRIMITIVE void mma_f32_f16(float (&d)[4], const std::uint32_t (&a)[4],
                                   const std::uint32_t (&b)[2]) {
  emulator::mma(emulator::mma_kind::f32_f16, d, a, b);
}
SEPTRAN_PRIMITIVE void mma_f16_f16(std::uint32_t (&d)[2], const std::uint32_t (&a)[4],
                                   const std::uint32_t (&b)[2]) {
  emulator::mma(emulator::mma_kind::f16_f16, d, a, b);
}
SEPTRAN_PRIMITIVE void mma_f32_bf16(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
  emulator::mma(emulator::mma_kind::f32_bf16, d, a, b);
}
SEPTRAN_PRIMITIVE void mma_f32_tf32(float (&d)[4], const std::uint32_t (&a)[4],
                                    const std::uint32_t (&b)[2]) {
  emulator::mma(emulator::mma_kind::f32_tf32, d, a, b);
}
SEPTRAN_PRIMITIVE void mma_s32_s8(int (&d)[4], const std::uint32_t (&a)[4],
                                  const std::uint32_t (&b)[2]) {
  emulator::mma(emulator::mma_kind::s32_s8, d, a, b);
}

} // namespace septran::cuda::ptx

#endif // SEPTRAN_EMULATOR_SM80_H
