//===- septran/cuda/detail/sm80.h - Instructions for nvcc --------*- C++ -*-===//
//
// The primitives of <septran/cuda/sm80.h> on the GPU, one PTX instruction each.
//
//===----------------------------------------------------------------------===//

#ifndef SEPTRAN_CUDA_DETAIL_SM80_H
#define SEPTRAN_CUDA_DETAIL_SM80_H

#include <septran/cuda/target.h>

#include <cstdint>

#ifdef __CUDACC__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "septran/cuda/sm80.h needs a GPU of compute capability 8.0 or later: -arch=sm_80"
#endif

namespace septran::cuda::ptx {

SEPTRAN_DEVICE std::uint32_t shared_address(const void *p) {
  return std::uint32_t(__cvta_generic_to_shared(p));
}

template <int Bytes>
SEPTRAN_DEVICE void copy_async(void *shared, const void *from, int valid_bytes) {
  if constexpr (Bytes == 16)
    asm volatile(
        "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared_address(shared)),
        "l"(from), "r"(valid_bytes)
        : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(shared)),
                 "l"(from), "n"(Bytes), "r"(valid_bytes)
                 : "memory");
}
template <int Bytes>
SEPTRAN_DEVICE void copy_async_if(void *shared, const void *from, bool there) {
  if constexpr (Bytes == 16)
    asm volatile("{\n"
                 ".reg .pred ignored;\n"
                 "setp.eq.u32 ignored, %2, 0;\n"
                 "cp.async.cg.shared.global.L2::128B [%0], [%1], 16, ignored;\n"
                 "}" ::"r"(shared_address(shared)),
                 "l"(from), "r"(std::uint32_t(there))
                 : "memory");
  else
    asm volatile("{\n"
                 ".reg .pred ignored;\n"
                 "setp.eq.u32 ignored, %3, 0;\n"
                 "cp.async.ca.shared.global [%0], [%1], %2, ignored;\n"
                 "}" ::"r"(shared_address(shared)),
                 "l"(from), "n"(Bytes), "r"(std::uint32_t(there))
                 : "memory");
}
SEPTRAN_DEVICE void copy_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int Pending> SEPTRAN_DEVICE void copy_async_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
}
SEPTRAN_DEVICE void copy_async_wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

template <int Matrices, bool Trans>
SEPTRAN_DEVICE void ldmatrix(std::uint32_t (&to)[Matrices], const void *row) {
  const std::uint32_t address = shared_address(row);
  if constexpr (Matrices == 1 && !Trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                 : "=r"(to[0])
                 : "r"(address)
                 : "memory");
  else if constexpr (Matrices == 1)
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(to[0])
                 : "r"(address)
                 : "memory");
  else if constexpr (Matrices == 2 && !Trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(address)
                 : "memory");
  else if constexpr (Matrices == 2)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1])
                 : "r"(address)
                 : "memory");
  else if constexpr (!Trans)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(address)
                 : "memory");
}

/// Byte i is that of 4-bit number i of `selector` among the bytes of low and high.
SEPTRAN_DEVICE std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high,
                                           std::uint32_t selector) {
  return __byte_perm(low, high, selector);
}

SEPTRAN_DEVICE void mma_f32_f16(float (&d)[4], const std::uint32_t (&a)[4],
                                const std::uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
SEPTRAN_DEVICE void mma_f16_f16(std::uint32_t (&d)[2], const std::uint32_t (&a)[4],
                                const std::uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
               "{%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
               : "+r"(d[0]), "+r"(d[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
SEPTRAN_DEVICE void mma_f32_bf16(float (&d)[4], const std::uint32_t (&a)[4],
                                 const std::uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
SEPTRAN_DEVICE void mma_f32_tf32(float (&d)[4], const std::uint32_t (&a)[4],
                                 const std::uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
SEPTRAN_DEVICE void mma_s32_s8(int (&d)[4], const std::uint32_t (&a)[4],
                               const std::uint32_t (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

} // namespace septran::cuda::ptx

#endif // __CUDACC__

#endif // SEPTRAN_CUDA_DETAIL_SM80_H
