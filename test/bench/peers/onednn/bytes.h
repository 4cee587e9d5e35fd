//===- bytes.h - whether oneDNN's products of bytes are exact ---*- C++ -*-===//
#pragma once

#include "modules/declined.h"

namespace onednn {

/// `isa`: what dnnl_get_effective_cpu_isa returns.
inline void require_exact_bytes(int isa) {
  constexpr int avx512_vnni = 0x40, avx2_vnni = 0x400;
  if (!(isa & (avx512_vnni | avx2_vnni)))
    throw septran::bench::declined("without VNNI, oneDNN's sums of two products of bytes saturate");
}

} // namespace onednn
