//===- matrix.cpp - ldmatrix and mma --------------------------------------===//
//
// The fragment layouts of <septran/cuda/sm80.h>, as functions from lane and register to row and
// column. Products of floats are exact here and are summed in double: the hardware's order and
// rounding are not documented, and results differ by a few units of the accumulator's last place.
//
//===----------------------------------------------------------------------===//

#include "collective.h"
#include "memory.h"
#include "report.h"
#include "state.h"

#include <septran/emulator/sm80.h>
#include <septran/float_types.h>

#include <cstring>
#include <utility>
#include <vector>

namespace septran::emulator {

namespace {

struct row_request {
  const unsigned char *row;
  const void *where;
};

} // namespace

/// One row of an ldmatrix, checked as an access of the lane that gave its address.
static void check_row(thread_state &lane, const row_request &request) {
  thread_state *const self = std::exchange(running, &lane);
  if (reinterpret_cast<std::uintptr_t>(request.row) % 16 != 0)
    fail("misaligned ldmatrix: the address of a row is a multiple of 16 bytes", request.where);
  if (lane.block->shared_at(reinterpret_cast<std::uintptr_t>(request.row)) == nullptr)
    fail("ldmatrix reads shared memory, not other", request.where);
  check_access(request.row, 16, access_kind::read, request.where, false);
  running = self;
}

void ldmatrix(std::uint32_t *to, int matrices, bool trans, const void *row) {
  const void *where = __builtin_return_address(0);
  const primitive call("ldmatrix");
  thread_state &self = call.self();
  const row_request mine{static_cast<const unsigned char *>(row), where};
  self.operand = &mine;
  self.result = to;
  const char *const kinds[] = {"ldmatrix_x1",       "ldmatrix_x1_trans", "ldmatrix_x2",
                               "ldmatrix_x2_trans", "ldmatrix_x4",       "ldmatrix_x4_trans"};
  const char *kind = kinds[(matrices == 4 ? 2 : matrices - 1) * 2 + trans];
  warp_collective(kind, where, {warp_threads, true}, [=](const lane_list &lanes) {
    std::uint16_t element[4][8][8];
    std::vector<lane_access> request;
    for (std::size_t lane = 0; lane < std::size_t(matrices) * 8; ++lane) {
      const row_request &wanted = *static_cast<const row_request *>(lanes[lane]->operand);
      check_row(*lanes[lane], wanted);
      std::memcpy(element[lane / 8][lane % 8], wanted.row, 16);
      request.push_back({int(lane), std::size_t(reinterpret_cast<std::uintptr_t>(wanted.row)), 16});
    }
    if (current->settings.banks)
      running->block->banks.note_request(where, request);
    for (std::size_t lane = 0; lane < warp_threads; ++lane)
      for (int m = 0; m < matrices; ++m) {
        const std::size_t g = lane / 4, t = lane % 4 * 2;
        const std::uint32_t low = trans ? element[m][t][g] : element[m][g][t];
        const std::uint32_t high = trans ? element[m][t + 1][g] : element[m][g][t + 1];
        static_cast<std::uint32_t *>(lanes[lane]->result)[m] = low | high << 16;
      }
  });
}

namespace {

struct position {
  int row, column;
};

/// How the operands of one instruction lie in registers; `width` is the bits of an element.
struct mma_shape {
  const char *name;
  int k;
  int width;

  int per_register() const { return 32 / width; }

  /// Element i of a lane's fragment of A, 16 x k.
  position a(int lane, int i) const {
    const int p = per_register(), word = i / p;
    return {lane / 4 + 8 * (word % 2), lane % 4 * p + i % p + 4 * p * (word / 2)};
  }
  /// Element i of a lane's fragment of B, k x 8.
  position b(int lane, int i) const {
    const int p = per_register(), word = i / p;
    return {lane % 4 * p + i % p + 4 * p * word, lane / 4};
  }
};

/// Element i of a lane's fragment of C and D, 16 x 8.
position accumulator(int lane, int i) { return {lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2}; }

struct product {
  void *d;
  const std::uint32_t *a;
  const std::uint32_t *b;
};

mma_shape shape_of(mma_kind kind) {
  switch (kind) {
  case mma_kind::f32_f16:
    return {"mma_m16n8k16 of float16", 16, 16};
  case mma_kind::f16_f16:
    return {"mma_m16n8k16 of float16 into float16", 16, 16};
  case mma_kind::f32_bf16:
    return {"mma_m16n8k16 of bfloat16", 16, 16};
  case mma_kind::f32_tf32:
    return {"mma_m16n8k8 of tf32", 8, 32};
  case mma_kind::s32_s8:
    break;
  }
  return {"mma_m16n8k32 of int8", 32, 8};
}

/// The value of an element's bits.
double value_of(mma_kind kind, std::uint32_t bits) {
  switch (kind) {
  case mma_kind::f32_f16:
  case mma_kind::f16_f16:
    return float(float16::from_bits(std::uint16_t(bits)));
  case mma_kind::f32_bf16:
    return float(bfloat16::from_bits(std::uint16_t(bits)));
  case mma_kind::f32_tf32: // the low 13 bits are not looked at
    return __builtin_bit_cast(float, bits & 0xffffe000u);
  case mma_kind::s32_s8:
    break;
  }
  return static_cast<std::int8_t>(std::uint8_t(bits));
}

double element(mma_kind kind, const mma_shape &shape, const std::uint32_t *registers, int i) {
  const int p = shape.per_register();
  return value_of(kind, registers[i / p] >> (i % p * shape.width));
}

/// D += sum, in the type of D; the sum of an integer product is exact.
void accumulate(mma_kind kind, void *d, int i, double sum) {
  if (kind == mma_kind::f16_f16) {
    std::uint16_t bits;
    unsigned char *place = static_cast<unsigned char *>(d) + 2 * i;
    std::memcpy(&bits, place, 2);
    bits = float16(double(float(float16::from_bits(bits))) + sum).bits();
    std::memcpy(place, &bits, 2);
  } else if (kind == mma_kind::s32_s8) {
    auto &c = static_cast<std::int32_t *>(d)[i];
    c = std::int32_t(std::uint32_t(c) + std::uint32_t(std::int32_t(sum)));
  } else {
    auto &c = static_cast<float *>(d)[i];
    c = float(double(c) + sum);
  }
}

} // namespace

void mma(mma_kind kind, void *d, const std::uint32_t *a, const std::uint32_t *b) {
  const void *where = __builtin_return_address(0);
  const primitive call("mma");
  thread_state &self = call.self();
  const product mine{d, a, b};
  self.operand = &mine;
  const mma_shape shape = shape_of(kind);
  warp_collective(shape.name, where, {warp_threads, true}, [&](const lane_list &lanes) {
    double left[16][32] = {}, right[32][8] = {};
    for (int lane = 0; lane < warp_threads; ++lane) {
      const product &p = *static_cast<const product *>(lanes[std::size_t(lane)]->operand);
      for (int i = 0; i < 16 * shape.k / warp_threads; ++i) {
        const position at = shape.a(lane, i);
        left[at.row][at.column] = element(kind, shape, p.a, i);
      }
      for (int i = 0; i < 8 * shape.k / warp_threads; ++i) {
        const position at = shape.b(lane, i);
        right[at.row][at.column] = element(kind, shape, p.b, i);
      }
    }
    for (int lane = 0; lane < warp_threads; ++lane)
      for (int i = 0; i < 4; ++i) {
        const position at = accumulator(lane, i);
        double sum = 0;
        for (int k = 0; k < shape.k; ++k)
          sum += left[at.row][k] * right[k][at.column];
        const product &p = *static_cast<const product *>(lanes[std::size_t(lane)]->operand);
        accumulate(kind, p.d, i, sum);
      }
    ++totals.matrix_products;
  });
}

} // namespace septran::emulator
