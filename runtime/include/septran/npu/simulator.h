//===- npu/simulator.h - the reference NPU, strictly ----------------*- C++ -*-===//
//
// Implements reference_npu.h on the machine at hand: include it in place of what a vendor's library
// would be, in any number of files. Nothing needs to be linked.
//
// Everything that reference_npu.h asks of programs is checked, and reported as `core N: check:
// text`:
//
//   bounds             a row outside of the objects that were attached
//   capacity           a row outside of SPM or ACC
//   alignment, shape   rows, pitches and extents that the unit does not take
//   undefined read     bytes on the chip that nothing wrote
//   read after write   and write after read, write after write: two engines, or two cores, touch
//                      the same place and no event or barrier orders them
//   event, deadlock    recorded twice, waited for but not recorded, never waited for; cores that
//                      miss a barrier
//   state              a matrix command with operands of another type than the unit is set to
//   accumulator        a program that reads none of the results of the matrix unit
//   unfinished         a program that ends before its commands
//   read-only          an object that is to be read only
//   launch             functions of cores called by the host, and the other way round
//
//===----------------------------------------------------------------------===//
#ifndef SEPTRAN_NPU_SIMULATOR_H
#define SEPTRAN_NPU_SIMULATOR_H

#include <septran/npu/reference_npu.h>
#include <septran/npu/reference_npu_cxx.h>
#include <septran/npu/simulator/device.h>
#include <septran/npu/simulator/elements.h>

namespace septran::npu::simulator {

/// A command of the vector unit: f(operands, i) for every row i.
template <class Function>
void vector_command(const char *name, std::initializer_list<operand> operands, std::size_t rows,
                    std::size_t columns, Function f) {
  core *c = the_device().current(name);
  if (!c || rows == 0 || columns == 0)
    return;
  std::size_t widest = 0;
  for (const operand &o : operands)
    widest = std::max(widest, o.row_bytes);
  if (!c->good_shape(rows, widest, name))
    return;
  if (auto found = c->start(RNPU_VECTOR, operands))
    for (std::size_t i = 0; i < rows; ++i)
      f(*found, i);
  c->time().elements(c->id(), RNPU_VECTOR, double(rows) * double(columns));
}

/// Rows in global memory, one by one.
inline bool global_rows(std::size_t rows, const std::function<bool(std::size_t)> &row) {
  for (std::size_t r = 0; r < rows; ++r)
    if (!row(r))
      return false;
  return true;
}

} // namespace septran::npu::simulator

//===--- host -------------------------------------------------------------------===//

extern "C" inline void rnpu_attach(const void *start, std::size_t bytes, int writable) {
  auto &d = septran::npu::simulator::the_device();
  if (d.in_launch())
    return d.complain(0, "launch: rnpu_attach is called by a core");
  d.shared.global.attach(start, bytes, writable != 0);
}

extern "C" inline void rnpu_detach(const void *start) {
  auto &d = septran::npu::simulator::the_device();
  if (d.in_launch())
    return d.complain(0, "launch: rnpu_detach is called by a core");
  if (!d.shared.global.detach(start))
    d.complain(0, "bounds: rnpu_detach of what is not attached");
}

extern "C" inline int rnpu_core_count(void) { return septran::npu::simulator::core_count; }

extern "C" inline void rnpu_launch(void (*kernel)(void *, int), void *argument) {
  septran::npu::simulator::the_device().launch(kernel, argument);
}

//===--- order ------------------------------------------------------------------===//

extern "C" inline void rnpu_record(rnpu_engine from, rnpu_engine to, std::uint32_t event) {
  if (auto *c = septran::npu::simulator::the_device().current("rnpu_record"))
    c->record(from, to, event);
}

extern "C" inline void rnpu_wait(rnpu_engine from, rnpu_engine to, std::uint32_t event) {
  if (auto *c = septran::npu::simulator::the_device().current("rnpu_wait"))
    c->wait(from, to, event);
}

extern "C" inline void rnpu_barrier(void) { septran::npu::simulator::the_device().barrier(); }

//===--- copies -----------------------------------------------------------------===//

extern "C" inline void rnpu_dma_load2d_border_async(rnpu_address to, std::size_t to_pitch,
                                                    const void *from, std::ptrdiff_t from_pitch,
                                                    std::size_t rows, std::size_t row_bytes,
                                                    rnpu_border border) {
  using namespace septran::npu::simulator;
  core *c = the_device().current("rnpu_dma_load2d_async");
  const std::size_t all_rows = border.above + rows + border.below;
  const std::size_t all_bytes = border.before + row_bytes + border.after;
  if (!c || all_rows == 0 || all_bytes == 0)
    return;
  if (!c->good_shape(all_rows, all_bytes, "a load") || !c->good_pitch(from_pitch))
    return;
  if (border.value_bytes == 0 || border.value_bytes > 4 || border.value_bytes == 3 ||
      border.before % border.value_bytes || border.after % border.value_bytes) {
    c->fail("shape: a border of " + std::to_string(border.before) + " and " +
            std::to_string(border.after) + " bytes with values of " +
            std::to_string(border.value_bytes) + " bytes");
    return;
  }
  auto found = c->start(RNPU_LOAD, {{to, to_pitch, all_rows, all_bytes, operand::writes}});
  const auto *source = static_cast<const unsigned char *>(from);
  auto row = [&](std::size_t r) { return source + std::ptrdiff_t(r) * from_pitch; };
  if (found && (row_bytes == 0 || global_rows(rows, [&](std::size_t r) {
                  return c->read_global(row(r), row_bytes);
                })))
    for (std::size_t r = 0; r < all_rows; ++r) {
      unsigned char *target = (*found)[0].row(r);
      for (std::size_t i = 0; i < all_bytes; i += border.value_bytes)
        std::memcpy(target + i, &border.value,
                    std::min<std::size_t>(border.value_bytes, all_bytes - i));
      if (r >= border.above && r < border.above + rows)
        std::memcpy(target + border.before, row(r - border.above), row_bytes);
    }
  c->time().transfer(c->id(), RNPU_LOAD, double(all_rows) * double(all_bytes));
}

extern "C" inline void rnpu_dma_load2d_async(rnpu_address to, std::size_t to_pitch,
                                             const void *from, std::ptrdiff_t from_pitch,
                                             std::size_t rows, std::size_t row_bytes) {
  rnpu_dma_load2d_border_async(to, to_pitch, from, from_pitch, rows, row_bytes,
                               rnpu_border{0, 0, 0, 0, 0, 1});
}

extern "C" inline void rnpu_dma_store2d_async(void *to, std::ptrdiff_t to_pitch, rnpu_address from,
                                              std::size_t from_pitch, std::size_t rows,
                                              std::size_t row_bytes) {
  using namespace septran::npu::simulator;
  core *c = the_device().current("rnpu_dma_store2d_async");
  if (!c || rows == 0 || row_bytes == 0)
    return;
  if (!c->good_shape(rows, row_bytes, "a store") || !c->good_pitch(to_pitch))
    return;
  auto found = c->start(RNPU_STORE, {{from, from_pitch, rows, row_bytes, operand::reads}});
  auto *target = static_cast<unsigned char *>(to);
  auto row = [&](std::size_t r) { return target + std::ptrdiff_t(r) * to_pitch; };
  if (found && global_rows(rows, [&](std::size_t r) { return c->write_global(row(r), row_bytes); }))
    for (std::size_t r = 0; r < rows; ++r)
      std::memcpy(row(r), (*found)[0].row(r), row_bytes);
  c->time().transfer(c->id(), RNPU_STORE, double(rows) * double(row_bytes));
}

//===--- matrix unit --------------------------------------------------------------===//

extern "C" inline void rnpu_matrix_type(rnpu_type operands) {
  if (auto *c = septran::npu::simulator::the_device().current("rnpu_matrix_type")) {
    c->matrix_type = operands;
    c->time().scalar(c->id());
  }
}

namespace septran::npu::simulator {

inline void matrix_command(rnpu_type operands, rnpu_address c, std::size_t c_pitch, rnpu_address a,
                           std::size_t a_pitch, rnpu_address b, std::size_t b_pitch, std::size_t m,
                           std::size_t n, std::size_t k, bool accumulate, bool transposed) {
  core *unit = the_device().current("rnpu_mma");
  if (!unit || m == 0 || n == 0 || (k == 0 && accumulate))
    return;
  auto good = [](std::size_t extent) { return extent >= 1 && extent <= RNPU_MMA_MAX; };
  if (!good(m) || !good(n) || !good(k) || operands == RNPU_I32 || operands == RNPU_U8)
    return unit->fail("shape: a matrix command of " + std::to_string(m) + " x " +
                      std::to_string(n) + " x " + std::to_string(k) + ", operand type " +
                      std::to_string(int(operands)));
  if (c < RNPU_ACC(0) || a >= RNPU_ACC(0) || b >= RNPU_ACC(0))
    return unit->fail("shape: a matrix command takes its operands from SPM and sums in ACC");
  if (unit->matrix_type != operands)
    return unit->fail("state: the matrix unit is not set to operands of type " +
                      std::to_string(int(operands)));
  const std::size_t size = bytes_of(operands);
  if (auto found = unit->start(
          RNPU_MATRIX,
          {{c, c_pitch, m, n * 4, accumulate ? operand::updates : operand::writes},
           {a, a_pitch, m, k * size, operand::reads},
           {b, b_pitch, transposed ? n : k, (transposed ? k : n) * size, operand::reads}},
          true)) {
    const auto &f = *found;
    if (operands == RNPU_I8)
      multiply<std::int32_t, std::int8_t>(f[0], f[1], f[2], n, k, accumulate, transposed);
    else if (operands == RNPU_F32)
      multiply<float, float>(f[0], f[1], f[2], n, k, accumulate, transposed);
    else if (operands == RNPU_BF16)
      multiply<float, bfloat16>(f[0], f[1], f[2], n, k, accumulate, transposed);
    else
      multiply<float, float16>(f[0], f[1], f[2], n, k, accumulate, transposed);
  }
  unit->time().multiply(unit->id(), double(m) * double(n) * double(k), 4.0 / double(size));
}

} // namespace septran::npu::simulator

extern "C" inline void rnpu_mma(rnpu_type operands, rnpu_address c, std::size_t c_pitch,
                                rnpu_address a, std::size_t a_pitch, rnpu_address b,
                                std::size_t b_pitch, std::size_t m, std::size_t n, std::size_t k,
                                int accumulate) {
  septran::npu::simulator::matrix_command(operands, c, c_pitch, a, a_pitch, b, b_pitch, m, n, k,
                                          accumulate != 0, false);
}

extern "C" inline void rnpu_mma_transposed(rnpu_type operands, rnpu_address c, std::size_t c_pitch,
                                           rnpu_address a, std::size_t a_pitch, rnpu_address b,
                                           std::size_t b_pitch, std::size_t m, std::size_t n,
                                           std::size_t k, int accumulate) {
  septran::npu::simulator::matrix_command(operands, c, c_pitch, a, a_pitch, b, b_pitch, m, n, k,
                                          accumulate != 0, true);
}

extern "C" inline void rnpu_acc_fill(rnpu_type type, rnpu_address c, std::size_t c_pitch,
                                     std::size_t rows, std::size_t columns, double value) {
  using namespace septran::npu::simulator;
  core *unit = the_device().current("rnpu_acc_fill");
  if (!unit || rows == 0 || columns == 0 || !unit->good_shape(rows, columns * 4, "a fill"))
    return;
  if (c < RNPU_ACC(0) || (type != RNPU_F32 && type != RNPU_I32))
    return unit->fail("shape: rnpu_acc_fill writes f32 or i32 in ACC");
  if (auto found = unit->start(RNPU_MATRIX, {{c, c_pitch, rows, columns * 4, operand::writes}}))
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        set_double(type, (*found)[0].row(i), j, value);
  unit->time().elements(unit->id(), RNPU_MATRIX, double(rows) * double(columns));
}

//===--- vector unit ----------------------------------------------------------------===//

extern "C" inline void rnpu_vector_unary(rnpu_unary_op op, rnpu_address y, std::size_t y_pitch,
                                         rnpu_address x, std::size_t x_pitch, std::size_t rows,
                                         std::size_t columns) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_unary",
                 {{y, y_pitch, rows, columns * 4, operand::writes},
                  {x, x_pitch, rows, columns * 4, operand::reads}},
                 rows, columns, [&](const std::vector<core::access> &o, std::size_t i) {
                   for (std::size_t j = 0; j < columns; ++j)
                     set_element(o[0].row(i), j, apply(op, element<float>(o[1].row(i), j)));
                 });
}

extern "C" inline void rnpu_vector_binary(rnpu_binary_op op, rnpu_address y, std::size_t y_pitch,
                                          rnpu_address a, std::size_t a_pitch, rnpu_address b,
                                          std::size_t b_pitch, std::size_t rows,
                                          std::size_t columns) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_binary",
                 {{y, y_pitch, rows, columns * 4, operand::writes},
                  {a, a_pitch, rows, columns * 4, operand::reads},
                  {b, b_pitch, rows, columns * 4, operand::reads}},
                 rows, columns, [&](const std::vector<core::access> &o, std::size_t i) {
                   for (std::size_t j = 0; j < columns; ++j)
                     set_element(
                         o[0].row(i), j,
                         apply(op, element<float>(o[1].row(i), j), element<float>(o[2].row(i), j)));
                 });
}

extern "C" inline void rnpu_vector_scalar(rnpu_binary_op op, rnpu_address y, std::size_t y_pitch,
                                          rnpu_address x, std::size_t x_pitch, float s,
                                          std::size_t rows, std::size_t columns) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_scalar",
                 {{y, y_pitch, rows, columns * 4, operand::writes},
                  {x, x_pitch, rows, columns * 4, operand::reads}},
                 rows, columns, [&](const std::vector<core::access> &o, std::size_t i) {
                   for (std::size_t j = 0; j < columns; ++j)
                     set_element(o[0].row(i), j, apply(op, element<float>(o[1].row(i), j), s));
                 });
}

extern "C" inline void rnpu_vector_rows(rnpu_binary_op op, rnpu_address y, std::size_t y_pitch,
                                        rnpu_address x, std::size_t x_pitch, rnpu_address v,
                                        std::size_t rows, std::size_t columns) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_rows",
                 {{y, y_pitch, rows, columns * 4, operand::writes},
                  {x, x_pitch, rows, columns * 4, operand::reads},
                  {v, 0, 1, rows * 4, operand::reads}},
                 rows, columns, [&](const std::vector<core::access> &o, std::size_t i) {
                   const float s = element<float>(o[2].row(0), i);
                   for (std::size_t j = 0; j < columns; ++j)
                     set_element(o[0].row(i), j, apply(op, element<float>(o[1].row(i), j), s));
                 });
}

extern "C" inline void rnpu_vector_reduce(rnpu_binary_op op, rnpu_address v, rnpu_address x,
                                          std::size_t x_pitch, std::size_t rows,
                                          std::size_t columns) {
  using namespace septran::npu::simulator;
  if (op != RNPU_ADD && op != RNPU_MUL && op != RNPU_MAX && op != RNPU_MIN) {
    if (core *c = the_device().current("rnpu_vector_reduce"))
      c->fail("shape: a reduction by an operator whose order matters");
    return;
  }
  vector_command(
      "rnpu_vector_reduce",
      {{v, 0, 1, rows * 4, operand::updates}, {x, x_pitch, rows, columns * 4, operand::reads}},
      rows, columns, [&](const std::vector<core::access> &o, std::size_t i) {
        float r = element<float>(o[0].row(0), i);
        for (std::size_t j = 0; j < columns; ++j)
          r = apply(op, r, element<float>(o[1].row(i), j));
        set_element(o[0].row(0), i, r);
      });
}

extern "C" inline void rnpu_vector_fill(rnpu_address y, std::size_t y_pitch, float value,
                                        std::size_t rows, std::size_t columns) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_fill", {{y, y_pitch, rows, columns * 4, operand::writes}}, rows,
                 columns, [&](const std::vector<core::access> &o, std::size_t i) {
                   for (std::size_t j = 0; j < columns; ++j)
                     set_element(o[0].row(i), j, value);
                 });
}

extern "C" inline void rnpu_vector_move(rnpu_address y, std::size_t y_pitch, rnpu_address x,
                                        std::size_t x_pitch, std::size_t rows,
                                        std::size_t row_bytes) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_move",
                 {{y, y_pitch, rows, row_bytes, operand::writes},
                  {x, x_pitch, rows, row_bytes, operand::reads}},
                 rows, (row_bytes + 3) / 4, [&](const std::vector<core::access> &o, std::size_t i) {
                   std::memmove(o[0].row(i), o[1].row(i), row_bytes);
                 });
}

extern "C" inline void rnpu_vector_convert(rnpu_type y_type, rnpu_address y, std::size_t y_pitch,
                                           rnpu_type x_type, rnpu_address x, std::size_t x_pitch,
                                           std::size_t rows, std::size_t columns) {
  using namespace septran::npu::simulator;
  vector_command("rnpu_vector_convert",
                 {{y, y_pitch, rows, columns * bytes_of(y_type), operand::writes},
                  {x, x_pitch, rows, columns * bytes_of(x_type), operand::reads}},
                 rows, columns, [&](const std::vector<core::access> &o, std::size_t i) {
                   for (std::size_t j = 0; j < columns; ++j)
                     set_double(y_type, o[0].row(i), j, as_double(x_type, o[1].row(i), j));
                 });
}

//===--- scalar processor -------------------------------------------------------------===//

extern "C" inline void rnpu_read(void *value, rnpu_address from, std::size_t bytes) {
  using namespace septran::npu::simulator;
  std::memset(value, 0, bytes);
  core *c = the_device().current("rnpu_read");
  if (!c)
    return;
  if (auto found = c->start(RNPU_SCALAR, {{from, bytes, 1, bytes, operand::reads}}))
    std::memcpy(value, (*found)[0].row(0), bytes);
  c->time().scalar(c->id());
}

extern "C" inline void rnpu_write(rnpu_address to, const void *value, std::size_t bytes) {
  using namespace septran::npu::simulator;
  core *c = the_device().current("rnpu_write");
  if (!c)
    return;
  if (auto found = c->start(RNPU_SCALAR, {{to, bytes, 1, bytes, operand::writes}}))
    std::memcpy((*found)[0].row(0), value, bytes);
  c->time().scalar(c->id());
}

#endif
