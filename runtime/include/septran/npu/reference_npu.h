/*===- npu/reference_npu.h - a scratchpad accelerator's C interface -------*- C -*-===
 *
 * The reference NPU is no product. It is what accelerators with software-managed memories have in
 * common, so that a compiler can be tested on it: several cores; on each a scalar processor that
 * runs the program and gives commands to four engines; two memories on the chip; no caches and no
 * order between engines other than what the program asks for.
 *
 *   RNPU_SCALAR  runs the program of a core; reads and writes single elements of SPM
 *   RNPU_LOAD    copies rows from global memory to SPM
 *   RNPU_STORE   copies rows from SPM or ACC to global memory
 *   RNPU_MATRIX  multiplies blocks of SPM into ACC
 *   RNPU_VECTOR  element by element and by rows, on SPM and ACC
 *
 * Commands return at once. Each engine runs its commands in the order in which they were given;
 * commands of two engines are ordered by events alone (see rnpu_record).
 *
 * Addresses on the chip are bytes. A row of a block starts at a multiple of RNPU_GRANULE; a pitch
 * is the distance of rows in bytes. A new launch finds the memories of its cores undefined.
 *
 * A command of no rows, columns or depth does nothing.
 *
 * Rules that a program must keep are listed with the functions; <septran/npu/simulator.h> checks
 * all of them. C99.
 *
 *===------------------------------------------------------------------------------===*/
#ifndef SEPTRAN_NPU_REFERENCE_NPU_H
#define SEPTRAN_NPU_REFERENCE_NPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define RNPU_FUNCTION extern "C"
#else
#define RNPU_FUNCTION extern
#endif

typedef uint32_t rnpu_address;

#define RNPU_SPM_BYTES 524288u /* scratchpad of a core */
#define RNPU_ACC_BYTES 131072u /* accumulators of a core */
#define RNPU_GRANULE 32u       /* alignment of rows on the chip */
#define RNPU_SPM(offset) ((rnpu_address)(offset))
#define RNPU_ACC(offset) ((rnpu_address)(0x40000000u + (uint32_t)(offset)))

#define RNPU_MAX_ROWS 1024u      /* of one DMA or vector command */
#define RNPU_MAX_ROW_BYTES 8192u /* the same */
#define RNPU_MAX_PITCH 16777216u /* between rows in global memory */
#define RNPU_MMA_MAX 64u         /* rows, columns and depth of one matrix command */
#define RNPU_EVENTS 16u          /* per ordered pair of engines */

typedef enum { RNPU_SCALAR, RNPU_LOAD, RNPU_STORE, RNPU_MATRIX, RNPU_VECTOR } rnpu_engine;

typedef enum { RNPU_F32, RNPU_BF16, RNPU_F16, RNPU_I32, RNPU_I8, RNPU_U8 } rnpu_type;

typedef enum {
  RNPU_ADD,
  RNPU_SUB,
  RNPU_MUL,
  RNPU_DIV,
  RNPU_MAX,
  RNPU_MIN,
  RNPU_REVERSE_SUB, /* second operand minus first */
  RNPU_REVERSE_DIV
} rnpu_binary_op;

typedef enum {
  RNPU_COPY,
  RNPU_NEG,
  RNPU_ABS,
  RNPU_EXP,
  RNPU_LOG,
  RNPU_SQRT,
  RNPU_RSQRT,
  RNPU_RECIPROCAL,
  RNPU_TANH,
  RNPU_ERF
} rnpu_unary_op;

/*--- host ------------------------------------------------------------------------------*/

/* Says that DMA may touch `bytes` bytes of global memory from `start` on. They may be written only
 * if `writable` is not 0. Objects that are attached at the same time may overlap: a row must lie in
 * one of them. */
RNPU_FUNCTION void rnpu_attach(const void *start, size_t bytes, int writable);
/* Ends what rnpu_attach of the same start began last. */
RNPU_FUNCTION void rnpu_detach(const void *start);

RNPU_FUNCTION int rnpu_core_count(void);
/* Runs kernel(argument, core) on every core and returns when all have ended. Before a core's
 * program ends it has waited for all of its commands (RNPU_SCALAR must know of them by events), and
 * every event that was recorded has been waited for. */
RNPU_FUNCTION void rnpu_launch(void (*kernel)(void *argument, int core), void *argument);

/*--- order -----------------------------------------------------------------------------*/

/* Sets an event of the pair (from, to) when all commands given to `from` so far have ended. It must
 * not be set already. */
RNPU_FUNCTION void rnpu_record(rnpu_engine from, rnpu_engine to, uint32_t event);
/* Commands given to `to` from now on start when the event is set, and clear it. The record comes
 * before the wait in the order of the program. */
RNPU_FUNCTION void rnpu_wait(rnpu_engine from, rnpu_engine to, uint32_t event);
/* All cores meet. What they had waited for before is then known to all of them. */
RNPU_FUNCTION void rnpu_barrier(void);

/*--- copies ----------------------------------------------------------------------------*/

/* `rows` rows of `row_bytes` bytes each. Rows in global memory may start at any byte. */
RNPU_FUNCTION void rnpu_dma_load2d_async(rnpu_address to, size_t to_pitch, const void *from,
                                         ptrdiff_t from_pitch, size_t rows, size_t row_bytes);
RNPU_FUNCTION void rnpu_dma_store2d_async(void *to, ptrdiff_t to_pitch, rnpu_address from,
                                          size_t from_pitch, size_t rows, size_t row_bytes);

/* What stands around a block that is loaded: whole rows above and below, and bytes at both ends of
 * every row, filled with a value of 1, 2 or 4 bytes. */
typedef struct {
  size_t above, below;  /* rows */
  size_t before, after; /* bytes */
  uint32_t value;
  uint32_t value_bytes;
} rnpu_border;
/* Loads a block with its border: above + rows + below rows of before + row_bytes + after bytes, the
 * first of which starts at `to`. */
RNPU_FUNCTION void rnpu_dma_load2d_border_async(rnpu_address to, size_t to_pitch, const void *from,
                                                ptrdiff_t from_pitch, size_t rows, size_t row_bytes,
                                                rnpu_border border);

/*--- matrix unit -----------------------------------------------------------------------*/

/* The type of the operands of matrix commands that follow. Undefined when a launch starts. */
RNPU_FUNCTION void rnpu_matrix_type(rnpu_type operands);
/* c(m x n, ACC) = [c +] a(m x k, SPM) * b(k x n, SPM); c is f32, or i32 for operands of type i8.
 * The type is what rnpu_matrix_type said. Sums are formed in the order of k. m, n, k: 1 to
 * RNPU_MMA_MAX. With `accumulate` all of c has been written before. A launch that computes
 * results reads some of them. */
RNPU_FUNCTION void rnpu_mma(rnpu_type operands, rnpu_address c, size_t c_pitch, rnpu_address a,
                            size_t a_pitch, rnpu_address b, size_t b_pitch, size_t m, size_t n,
                            size_t k, int accumulate);
/* The same with b as n x k: c(i, j) += a(i, l) * b(j, l). */
RNPU_FUNCTION void rnpu_mma_transposed(rnpu_type operands, rnpu_address c, size_t c_pitch,
                                       rnpu_address a, size_t a_pitch, rnpu_address b,
                                       size_t b_pitch, size_t m, size_t n, size_t k,
                                       int accumulate);
/* c = value; value counts as i32 or f32. */
RNPU_FUNCTION void rnpu_acc_fill(rnpu_type type, rnpu_address c, size_t c_pitch, size_t rows,
                                 size_t columns, double value);

/*--- vector unit: f32 in SPM or ACC -----------------------------------------------------*/

/* y = op(x) */
RNPU_FUNCTION void rnpu_vector_unary(rnpu_unary_op op, rnpu_address y, size_t y_pitch,
                                     rnpu_address x, size_t x_pitch, size_t rows, size_t columns);
/* y = a op b. A pitch of 0 repeats a row of a or b. */
RNPU_FUNCTION void rnpu_vector_binary(rnpu_binary_op op, rnpu_address y, size_t y_pitch,
                                      rnpu_address a, size_t a_pitch, rnpu_address b,
                                      size_t b_pitch, size_t rows, size_t columns);
/* y = x op s */
RNPU_FUNCTION void rnpu_vector_scalar(rnpu_binary_op op, rnpu_address y, size_t y_pitch,
                                      rnpu_address x, size_t x_pitch, float s, size_t rows,
                                      size_t columns);
/* y(i, j) = x(i, j) op v(i); v is contiguous */
RNPU_FUNCTION void rnpu_vector_rows(rnpu_binary_op op, rnpu_address y, size_t y_pitch,
                                    rnpu_address x, size_t x_pitch, rnpu_address v, size_t rows,
                                    size_t columns);
/* v(i) = v(i) op x(i, 0) op x(i, 1) op ...; ADD, MUL, MAX, MIN */
RNPU_FUNCTION void rnpu_vector_reduce(rnpu_binary_op op, rnpu_address v, rnpu_address x,
                                      size_t x_pitch, size_t rows, size_t columns);
RNPU_FUNCTION void rnpu_vector_fill(rnpu_address y, size_t y_pitch, float value, size_t rows,
                                    size_t columns);
/* y = x, as bytes */
RNPU_FUNCTION void rnpu_vector_move(rnpu_address y, size_t y_pitch, rnpu_address x, size_t x_pitch,
                                    size_t rows, size_t row_bytes);
/* y = x with another type: to and from f32 */
RNPU_FUNCTION void rnpu_vector_convert(rnpu_type y_type, rnpu_address y, size_t y_pitch,
                                       rnpu_type x_type, rnpu_address x, size_t x_pitch,
                                       size_t rows, size_t columns);

/*--- scalar processor --------------------------------------------------------------------*/

/* One element of SPM or ACC, at a multiple of its size: 1, 2, 4 or 8 bytes. */
RNPU_FUNCTION void rnpu_read(void *value, rnpu_address from, size_t bytes);
RNPU_FUNCTION void rnpu_write(rnpu_address to, const void *value, size_t bytes);

#endif /* SEPTRAN_NPU_REFERENCE_NPU_H */
